/** The cost of each service: sums of sections, each under the number of its meter or in the order of the meters. */
import { compareMoney, subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import type { ReadField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { plainPhrase } from './plain-words.ts'
import { placeOf, textOf, type Line, type Sheet } from './page-lines.ts'
import { firstPrinted } from './printed-values.ts'
import type { MeterValues } from './read-meters.ts'

interface Total {
  readonly phrase: string
  readonly field: ReadField<ReadMeterField>
  /** Index of the meter whose number was printed last; -1 for none. */
  readonly meter: number
  readonly namesMeter: boolean
}

const serviceTotal =
  /^(?:sub ?total|total)(?: \w+)? ?(?:electric|electricity|gas|water|sewer|energy|natural|service|supply)?(?: \w+)?(?: charge| service)?$/
const billTotal = /due|pay|balance|new|current|amount|payable|bill|owed|this/
const TRUST = 0.7
const COMPUTED = 0.55

/** Adds `utility_charges` to meters that have none. */
export function addServiceCharges(meters: readonly MeterValues[], sheets: readonly Sheet[], currentCharges: string | null): void {
  if (meters.every((meter) => meter.has('utility_charges'))) return
  const totals = totalsOf(meters, sheets)
  for (const [place, meter] of meters.entries()) {
    const own = totals.find((total) => total.namesMeter && total.meter === place) ?? totals.find((total) => total.meter === place)
    if (own !== undefined && totals.filter((total) => total.meter === place).length === 1) put(meter, own.field, own.phrase)
  }
  if (!meters.every((meter) => meter.has('utility_charges'))) inOrder(meters, totals, currentCharges)
  const [only] = meters
  if (only !== undefined && meters.length === 1 && !only.has('utility_charges') && currentCharges !== null) {
    const rest = subtractMoney(currentCharges, only.get('supply_charges')?.value ?? '0.00')
    put(only, { field: 'utility_charges', value: rest, printed: '', confidence: COMPUTED, place: null }, '')
  }
  const parts = meters.flatMap((meter) => [meter.get('utility_charges')?.value, meter.get('supply_charges')?.value])
  const isWhole = currentCharges !== null && compareMoney(sumMoney(parts), currentCharges) === 0
  for (const meter of meters) {
    const charges = meter.get('utility_charges')
    if (isWhole && charges !== undefined) meter.set('utility_charges', { ...charges, confidence: Math.max(charges.confidence, 0.9) })
  }
}

function put(meter: MeterValues, field: ReadField<ReadMeterField>, phrase: string): void {
  if (!meter.has('utility_charges')) meter.set('utility_charges', { ...field, phrase })
}

/** If there are as many sums as meters, and they add up to the current charges, they belong to the meters in their order. */
function inOrder(meters: readonly MeterValues[], totals: readonly Total[], currentCharges: string | null): void {
  if (currentCharges === null || totals.length < meters.length) return
  const last = totals.length - meters.length
  for (let start = 0; start <= last; start += 1) {
    const part = totals.slice(start, start + meters.length)
    if (compareMoney(sumMoney(part.map((total) => total.field.value)), currentCharges) !== 0) continue
    for (const [place, meter] of meters.entries()) {
      const total = part[place]
      if (total !== undefined) put(meter, total.field, total.phrase)
    }
    return
  }
}

function totalsOf(meters: readonly MeterValues[], sheets: readonly Sheet[]): Total[] {
  const numbers = meters.map((meter) => meter.get('meter_number')?.value ?? null)
  const totals: Total[] = []
  let named = -1
  for (const sheet of sheets)
    for (const line of sheet.lines) {
      const words = line.tokens.map((token) => token.text.replace(/[:,.]$/, ''))
      const mentioned = numbers.findIndex((number) => number !== null && words.includes(number))
      if (mentioned >= 0) named = mentioned
      totals.push(...totalsOfLine(line, sheet, mentioned, named))
    }
  return totals
}

/** Returns the sums in the cells of one line: a label, and the amount that ends the next cell. */
function totalsOfLine(line: Line, sheet: Sheet, mentioned: number, named: number): Total[] {
  return line.cells.flatMap((cell, place) => {
    const words = cell.tokens.filter((token) => !/\d/.test(token.text)).map((token) => token.text)
    const phrase = plainPhrase(words)
    const isTotal = serviceTotal.test(phrase) && !billTotal.test(phrase) && phrase !== 'total charge' && phrase !== 'total'
    if (!isTotal && (mentioned < 0 || place > 0)) return []
    const amount = firstPrinted('money', (line.cells[place + 1] ?? cell).tokens) ?? firstPrinted('money', cell.tokens.slice(words.length))
    if (amount === null) return []
    const trust = Math.min(...amount.tokens.map((token) => token.confidence))
    const value: ReadField<ReadMeterField> = {
      field: 'utility_charges',
      value: amount.value,
      printed: textOf(amount.tokens),
      confidence: TRUST * (0.6 + 0.4 * trust),
      place: placeOf(amount.tokens, sheet),
    }
    return [{ phrase, field: value, meter: mentioned >= 0 ? mentioned : named, namesMeter: mentioned >= 0 }]
  })
}
