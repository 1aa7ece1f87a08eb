/**
 * Units of usages that are printed apart from them: after or before the figure on its line, at the head of its column, or alone on the
 * bill.
 */
import type { ReadPlace } from '#contract/bill-reading/bill-reading.ts'
import { placeOf, type Sheet, type Token } from './page-lines.ts'
import { unitOf } from './printed-values.ts'
import type { MeterValue, MeterValues } from './read-meters.ts'

interface PrintedUnit {
  readonly symbol: string
  readonly token: Token
  readonly place: ReadPlace
}

const BEHIND = 0.8
const BESIDE = 0.65
const ONLY = 0.5
/** A unit after a usage ends within this fraction of the page's width. */
const NEAR = 0.12
/** A unit before it begins at most this fraction of the width earlier; one above it, this fraction of the height. */
const BEFORE_MAX = 0.3
const HEAD_MAX = 0.12

/** Adds `unit` to meters that have a usage and no unit. */
export function addUnits(meters: readonly MeterValues[], sheets: readonly Sheet[]): void {
  if (meters.every((meter) => !meter.has('usage') || meter.has('unit'))) return
  const units = sheets.flatMap(unitsOn)
  const symbols = new Set(units.map((unit) => unit.symbol))
  for (const meter of meters) {
    const usage = meter.get('usage')
    if (usage === undefined || meter.has('unit')) continue
    const near = nearUnit(units, usage.place)
    const [first] = units
    if (near !== null) meter.set('unit', near)
    else if (symbols.size === 1 && first !== undefined) meter.set('unit', valueOf(first, ONLY))
  }
}

function unitsOn(sheet: Sheet): PrintedUnit[] {
  return sheet.lines.flatMap((line) =>
    line.tokens.flatMap((token) => {
      const symbol = unitOf(token.text.replace(/^[\d,.]+/, ''))
      const place = symbol === null ? null : placeOf([token], sheet)
      return symbol === null || place === null ? [] : [{ symbol, token, place }]
    }),
  )
}

function nearUnit(all: readonly PrintedUnit[], usage: ReadPlace | null): MeterValue | null {
  if (usage === null) return null
  const units = all.filter((unit) => unit.place.page === usage.page)
  const inLine = units.filter((unit) => Math.abs(unit.place.y - usage.y) <= usage.height / 2)
  const behind = inLine.find((unit) => isWithin(unit.place.x - (usage.x + usage.width), -usage.width, NEAR))
  if (behind !== undefined) return valueOf(behind, BEHIND)
  const isAbove = (unit: ReadPlace): boolean => unit.x < usage.x + usage.width && usage.x < unit.x + unit.width
  const head = units.findLast((unit) => isAbove(unit.place) && isWithin(usage.y - unit.place.y, 0, HEAD_MAX))
  if (head !== undefined) return valueOf(head, BESIDE)
  const before = inLine.findLast((unit) => isWithin(usage.x - (unit.place.x + unit.place.width), 0, BEFORE_MAX))
  return before === undefined ? null : valueOf(before, BESIDE)
}

const isWithin = (gap: number, from: number, until: number): boolean => gap > from && gap < until

function valueOf({ symbol, token, place }: PrintedUnit, trust: number): MeterValue {
  return { field: 'unit', value: symbol, printed: token.text, confidence: trust * (0.6 + 0.4 * token.confidence), place, phrase: '' }
}
