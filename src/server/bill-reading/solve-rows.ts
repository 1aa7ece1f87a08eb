/**
 * Finds meters by arithmetic: among the figures of a row, or of a few rows that belong together, the two readings, the multiplier and the
 * usage satisfy (present - previous) x multiplier = usage, whatever their headings and order.
 */
import type { Cell, Line, Sheet, Token } from './page-lines.ts'
import { allPrinted } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'

export interface Solved {
  readonly sheet: Sheet
  readonly tokens: readonly Token[]
  readonly previous: Printed
  readonly present: Printed
  readonly usage: Printed
  readonly multiplier: Printed | null
}

/** Maximum number of adjacent rows of one meter. */
const ROWS_MAX = 3
/** More figures in so few rows belong to a table of past usage, not to a meter. */
const FIGURES_MAX = 16
/** Shorter readings match by chance. */
const READING_DIGITS_MIN = 3
const GAP_MAX = 3

/** Returns every meter whose figures add up, in the order of the pages; no figure belongs to two. */
export function solvedRows(sheets: readonly Sheet[]): Solved[] {
  return sheets.flatMap((sheet) => {
    const used = new Set<Token>()
    const found: Solved[] = []
    for (const tokens of groupsOf(sheet)) {
      if (tokens.some((token) => used.has(token))) continue
      const solved = solve(sheet, tokens)
      if (solved === null) continue
      found.push(solved)
      for (const printed of [solved.previous, solved.present, solved.usage, solved.multiplier])
        for (const token of printed?.tokens ?? []) used.add(token)
    }
    return found.toSorted((a, b) => topOf(a) - topOf(b) || leftOf(a) - leftOf(b))
  })
}

const topOf = ({ tokens }: Solved): number => Math.min(...tokens.map((token) => Math.round(token.y)))
const leftOf = ({ tokens }: Solved): number => Math.min(...tokens.map((token) => token.x))

/** Returns single rows first, then columns of cells below each other, then adjacent rows. */
function groupsOf(sheet: Sheet): (readonly Token[])[] {
  const rows = sheet.lines.map((line) => line.tokens)
  const together = Array.from({ length: ROWS_MAX - 1 }, (_, more) =>
    sheet.lines.flatMap((line, place) => {
      const lines = sheet.lines.slice(place, place + more + 2)
      return lines.length === more + 2 && areClose(lines) ? [lines.flatMap((one) => one.tokens)] : [line.tokens]
    }),
  )
  return [...rows, ...columnsOf(sheet), ...together.flat()]
}

function areClose(lines: readonly Line[]): boolean {
  return lines.every((line, place) => {
    const before = lines[place - 1]
    return before === undefined || line.y - before.y < GAP_MAX * Math.max(line.height, before.height)
  })
}

/** Returns cells below each other that begin or end at the same position, as in a transposed table. */
function columnsOf(sheet: Sheet): Token[][] {
  const columns: { cell: Cell; line: Line; tokens: Token[] }[] = []
  for (const line of sheet.lines)
    for (const cell of line.cells) {
      const above = columns.find(
        (one) => line.y > one.line.y && line.y - one.line.y < GAP_MAX * 2 * line.height && isAligned(one.cell, cell),
      )
      if (above === undefined) columns.push({ cell, line, tokens: [...cell.tokens] })
      else {
        above.tokens.push(...cell.tokens)
        above.line = line
        above.cell = cell
      }
    }
  return columns.map((column) => column.tokens)
}

const isAligned = (a: Cell, b: Cell): boolean => Math.abs(a.x - b.x) < 3 || Math.abs(a.end - b.end) < 3

function solve(sheet: Sheet, tokens: readonly Token[]): Solved | null {
  const days = new Set(allPrinted('date', tokens).flatMap((date) => date.tokens))
  const figures = allPrinted(
    'number',
    tokens.filter((token) => !days.has(token)),
  ).filter(({ value }) => !value.startsWith('-') || value.length > READING_DIGITS_MIN)
  if (figures.length < 3 || figures.length > FIGURES_MAX) return null
  const found = pairsOf(figures).flatMap(({ previous, present }) => usagesOf(figures, previous, present))
  // If two figures may be swapped, the larger is the reading.
  const [best] = found.toSorted((a, b) => worth(b) - worth(a) || exact(b.previous.value) - exact(a.previous.value))
  return best === undefined ? null : { sheet, tokens, ...best }
}

type Parts = Pick<Solved, 'previous' | 'present' | 'usage' | 'multiplier'>

/** Longer figures match less often by chance, and a printed multiplier is one more of them. */
const worth = ({ previous, present, usage, multiplier }: Parts): number =>
  digits(present) + digits(previous) + digits(usage) + (isOne(multiplier) ? 0 : 10)

const isOne = (multiplier: Printed | null): boolean => multiplier === null || multiplier.value === '1'

/** Returns true if the usage may as well be the previous reading: present less usage gives it too. */
export const isTurnable = ({ present, usage, multiplier }: Parts): boolean => isOne(multiplier) && digits(usage) >= digits(present) - 1

const digits = ({ value }: Printed): number => value.replace(/\D/g, '').length
const exact = (value: string): number => Math.round(Math.abs(Number(value)) * 1_000)

/** A figure with cents is an amount: amount due less previous balance gives the charges, and adds up like a meter. */
const isAmount = ({ tokens }: Printed): boolean => tokens.some((token) => /\.\d{2}$/.test(token.text))

function pairsOf(all: readonly Printed[]): { previous: Printed; present: Printed }[] {
  const figures = all.filter((figure) => !isAmount(figure))
  return figures.flatMap((present) =>
    figures
      .filter((previous) => previous !== present && exact(present.value) > exact(previous.value))
      .filter((previous) => digits(present) >= READING_DIGITS_MIN && digits(previous) >= digits(present) - 1)
      .map((previous) => ({ previous, present })),
  )
}

function usagesOf(figures: readonly Printed[], previous: Printed, present: Printed): Parts[] {
  // Different readings give a usage; a multiplier of zero would turn any two meter numbers into a usage of zero.
  const rest = figures.filter((figure) => figure !== previous && figure !== present && exact(figure.value) > 0)
  const difference = exact(present.value) - exact(previous.value)
  return rest.flatMap((usage): Parts[] => {
    const plain = exact(usage.value) === difference ? [{ previous, present, usage, multiplier: null }] : []
    const factors = rest.filter(
      (factor) => factor !== usage && Math.abs(exact(factor.value) * (difference / 1_000) - exact(usage.value)) < 1,
    )
    return [...plain, ...factors.map((multiplier) => ({ previous, present, usage, multiplier }))]
  })
}
