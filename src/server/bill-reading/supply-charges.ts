/** Supply and delivery on lines of their own: 'Total delivery charges $12.50' and 'Supply charges $30.10' of one meter. */
import { addMoney, compareMoney, subtractMoney } from '#contract/kernel/money.ts'
import { plainPhrase } from './plain-words.ts'
import { placeOf, textOf, type Cell, type Line, type Sheet } from './page-lines.ts'
import { firstPrinted } from './printed-values.ts'
import type { Printed } from './printed-dates.ts'
import type { MeterValue, MeterValues } from './read-meters.ts'

type Part = 'delivery' | 'supply' | 'energy'

interface PartLine {
  readonly part: Part
  readonly phrase: string
  readonly amount: Printed
  readonly sheet: Sheet
  /** Index of the meter whose number was printed last; -1 for none. */
  readonly meter: number
}

// A water utility's 'water supply' is a charge of its own: only energy has separate supply and delivery.
const commodity = '(?:electric |electricity |gas |natural gas |energy )?'
const ends = '(?: services?)?(?: charge| cost)?(?: total| sub ?total)?'
const wordings: readonly (readonly [Part, RegExp])[] = [
  ['delivery', new RegExp(`^(?:total |sub ?total )?${commodity}(?:delivery|distribution)${ends}$`)],
  ['supply', new RegExp(`^(?:total |sub ?total )?${commodity}(?:supply|generation)${ends}$`)],
  ['energy', new RegExp(`^(?:total |sub ?total )?energy${ends}$`)],
]
const TRUST = 0.75
const SURE = 0.9
const COMPUTED = 0.55

/**
 * Separates the charges of a meter if the bill does. 'Energy' is a supply only if it and the delivery make the whole sum, because in most
 * tariffs it is one line among others.
 */
export function addSupplyCharges(
  meters: readonly MeterValues[],
  sheets: readonly Sheet[],
  { currentCharges, isNoSupply }: { readonly currentCharges: string | null; readonly isNoSupply: (phrase: string) => boolean },
): void {
  const lines = partLines(meters, sheets).filter((line) => line.part === 'delivery' || !isNoSupply(line.phrase))
  for (const [place, meter] of meters.entries()) {
    if (meter.has('supply_charges')) continue
    const own = lines.filter((line) => line.meter === place || meters.length === 1)
    const total = meter.get('utility_charges')?.value ?? (meters.length === 1 ? currentCharges : null)
    tellApart(meter, own, total)
  }
}

function tellApart(meter: MeterValues, lines: readonly PartLine[], total: string | null): void {
  const delivery = sumLine(lines, 'delivery')
  const supply = sumLine(lines, 'supply') ?? (delivery === null ? null : sumLine(lines, 'energy'))
  if (supply === null) return
  const isWhole = delivery !== null && total !== null && compareMoney(addMoney(delivery.amount.value, supply.amount.value), total) === 0
  if (supply.part === 'energy' && !isWhole) return
  // Without a delivery, or beside further lines, the remainder of a known sum is the utility's.
  if (delivery === null && (total === null || compareMoney(supply.amount.value, total) >= 0)) return
  meter.set('supply_charges', valueOf('supply_charges', supply, isWhole ? SURE : TRUST))
  if (isWhole || total === null) {
    if (delivery !== null) meter.set('utility_charges', valueOf('utility_charges', delivery, isWhole ? SURE : TRUST))
    return
  }
  const rest = subtractMoney(total, supply.amount.value)
  meter.set('utility_charges', { field: 'utility_charges', value: rest, printed: '', confidence: COMPUTED, place: null, phrase: '' })
}

/** Returns the part's own line; of several, the sum that ends them. */
function sumLine(lines: readonly PartLine[], part: Part): PartLine | null {
  const own = lines.filter((line) => line.part === part)
  const isOne = new Set(own.map((line) => line.amount.value)).size === 1
  return own.findLast((line) => line.phrase.includes('total')) ?? (isOne ? (own[0] ?? null) : null)
}

function valueOf(field: 'supply_charges' | 'utility_charges', { amount, sheet, phrase }: PartLine, trust: number): MeterValue {
  const confidence = trust * (0.6 + 0.4 * Math.min(1, ...amount.tokens.map((token) => token.confidence)))
  return { field, value: amount.value, printed: textOf(amount.tokens), confidence, place: placeOf(amount.tokens, sheet), phrase }
}

function partLines(meters: readonly MeterValues[], sheets: readonly Sheet[]): PartLine[] {
  const numbers = meters.map((meter) => meter.get('meter_number')?.value ?? null)
  const found: PartLine[] = []
  let named = -1
  for (const sheet of sheets)
    for (const line of sheet.lines) {
      const words = line.tokens.map((token) => token.text.replace(/[:,.]$/, ''))
      const mentioned = numbers.findIndex((number) => number !== null && words.includes(number))
      if (mentioned >= 0) named = mentioned
      found.push(...line.cells.flatMap((cell, place) => partOf(line, cell, place, sheet, named)))
    }
  return found
}

/** Returns a label, and the amount that ends its cell or begins the next. */
function partOf(line: Line, cell: Cell, place: number, sheet: Sheet, meter: number): PartLine[] {
  const label = cell.tokens.filter((token) => !/\d/.test(token.text))
  const phrase = plainPhrase(label.map((token) => token.text))
  const part = wordings.find(([, words]) => words.test(phrase))?.[0]
  if (part === undefined) return []
  const amount = firstPrinted('money', cell.tokens.slice(label.length)) ?? firstPrinted('money', line.cells[place + 1]?.tokens ?? [])
  return amount === null ? [] : [{ part, phrase, amount, sheet, meter }]
}
