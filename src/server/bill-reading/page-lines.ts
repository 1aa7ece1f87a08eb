/** Groups the words of a page into lines, and lines into cells, by the gaps between them. */
import type { DocumentWords, ReadPlace } from '#contract/bill-reading/bill-reading.ts'

export interface Token {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly confidence: number
  /**
   * Date that begins with this word, if the bill prints no year. `words`: number of its words. `until`: the second date of a word that
   * holds two.
   */
  readonly day?: { readonly value: string; readonly until?: string; readonly words: number }
}

/** Neighbouring words without a wide gap. */
export interface Cell {
  readonly tokens: readonly Token[]
  readonly x: number
  readonly end: number
}

export interface Line {
  readonly page: number
  readonly y: number
  readonly height: number
  readonly tokens: readonly Token[]
  readonly cells: readonly Cell[]
}

export interface Sheet {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly source: 'text' | 'ocr'
  readonly lines: readonly Line[]
}

/** Gap between two cells, in heights of the line; recognised letters are measured without the space above and below them. */
const CELL_GAP = { text: 0.8, ocr: 1.15 } as const
/** The middles of the words of one line differ by less than this, in heights. */
const LINE_SPREAD = 0.5
/** Frames and rules as the recognition returns them. */
const noise = /^[^\p{L}\p{N}$#]+$/u
/** Dot leaders attach to words if a space is missing. */
const leader = /[.…_·]{3,}$/

export function sheetsOf(words: DocumentWords): Sheet[] {
  return words.pages.map((page) => {
    const tokens = page.words
      .flatMap(([text, x, y, width, height, confidence]) => unglued({ text: text.replace(leader, ''), x, y, width, height, confidence }))
      .filter((token) => token.text !== '' && (!noise.test(token.text) || token.text === '-' || token.text === '–'))
    return { page: page.page, width: page.width, height: page.height, source: page.source, lines: linesOf(tokens, page.page, page.source) }
  })
}

/** 'Account:4417-002' is a label and its value, though there is no space between them. */
function unglued(token: Token): Token[] {
  const match = /^([A-Za-z][A-Za-z.#/]*:)([-$(]*[A-Za-z]{0,6}-?\d\S*)$/.exec(token.text)
  const [label, value] = [match?.[1], match?.[2]]
  if (label === undefined || value === undefined) return [token]
  const width = (token.width * label.length) / token.text.length
  return [
    { ...token, text: label, width },
    { ...token, text: value, x: token.x + width, width: token.width - width },
  ]
}

function linesOf(tokens: readonly Token[], page: number, source: Sheet['source']): Line[] {
  const sorted = tokens.toSorted((a, b) => middle(a) - middle(b))
  const rows: Token[][] = []
  for (const token of sorted) {
    const row = rows.findLast((one) => belongs(token, one))
    if (row === undefined) rows.push([token])
    else row.push(token)
  }
  return rows
    .map((row) =>
      lineOf(
        row.toSorted((a, b) => a.x - b.x),
        page,
        source,
      ),
    )
    .toSorted((a, b) => a.y - b.y)
}

const middle = (token: Token): number => token.y + token.height / 2

function belongs(token: Token, row: readonly Token[]): boolean {
  const last = row.at(-1)
  if (last === undefined) return false
  const size = Math.min(token.height, Math.max(...row.map((one) => one.height)))
  return Math.abs(middle(token) - middle(last)) < Math.max(2, size * LINE_SPREAD) && !row.some((one) => overlap(one, token) > 1)
}

function overlap(a: Token, b: Token): number {
  return Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
}

function lineOf(tokens: readonly Token[], page: number, source: Sheet['source']): Line {
  const height = Math.max(...tokens.map((token) => token.height))
  const gap = height * CELL_GAP[source]
  const cells: Token[][] = []
  for (const token of tokens) {
    const before = cells.at(-1)?.at(-1)
    if (before === undefined || token.x - (before.x + before.width) > gap) cells.push([token])
    else cells.at(-1)?.push(token)
  }
  return { page, y: Math.min(...tokens.map((token) => token.y)), height, tokens, cells: cells.map(cellOf) }
}

export function cellOf(tokens: readonly Token[]): Cell {
  const last = tokens.at(-1)
  return { tokens, x: tokens[0]?.x ?? 0, end: last === undefined ? 0 : last.x + last.width }
}

export function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => token.text).join(' ')
}

/** Returns the position of these words, in fractions of their page. */
export function placeOf(tokens: readonly Token[], sheet: Pick<Sheet, 'page' | 'width' | 'height'>): ReadPlace | null {
  if (tokens.length === 0) return null
  const x = Math.min(...tokens.map((token) => token.x))
  const y = Math.min(...tokens.map((token) => token.y))
  const width = Math.max(...tokens.map((token) => token.x + token.width)) - x
  const height = Math.max(...tokens.map((token) => token.y + token.height)) - y
  const share = (part: number, whole: number): number => Math.round(Math.min(1, Math.max(0, part / whole)) * 10_000) / 10_000
  return {
    page: sheet.page,
    x: share(x, sheet.width),
    y: share(y, sheet.height),
    width: share(width, sheet.width),
    height: share(height, sheet.height),
  }
}
