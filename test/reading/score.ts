/** How much of a document was read right: value by value, against what is printed. */
import type { ReadBillField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { unitSymbol } from '#contract/bill-retrieval/printed-usage.ts'
import { compareDecimals } from '#contract/kernel/decimal.ts'
import type { Truth } from './layout.ts'

export interface ReadValues {
  readonly values: Readonly<Partial<Record<ReadBillField, string>>>
  readonly meters: readonly Readonly<Partial<Record<ReadMeterField, string>>>[]
}

export interface Score {
  readonly field: ReadBillField | ReadMeterField
  readonly isRight: boolean
  readonly wanted: string
  readonly read: string | undefined
}

const decimals = new Set<string>(['previous_reading', 'meter_reading', 'multiplier', 'usage'])
/** The form's values when nothing is proposed. */
const startsAs: Readonly<Partial<Record<string, string>>> = { late_fee: '0.00', estimated: 'false' }

/** One score for each value that the paper prints. */
export function scoresOf(truth: Truth, read: ReadValues): Score[] {
  const heads = entriesOf(truth.values).map(([field, wanted]) => scoreOf(field, wanted, read.values[field]))
  const meters = truth.meters.flatMap((meter, place) => {
    const number = plain(meter.meter_number ?? '')
    const found =
      read.meters.find((one) => number !== '' && plain(one.meter_number ?? '') === number) ?? unclaimed(read.meters[place], truth)
    return entriesOf(meter).map(([field, wanted]) => scoreOf(field, wanted, found[field]))
  })
  return [...heads, ...meters]
}

/** The meter read at this place, unless its number says that it is another meter of the bill. */
function unclaimed(read: ReadValues['meters'][number] | undefined, truth: Truth): ReadValues['meters'][number] {
  const number = plain(read?.meter_number ?? '')
  const isOther = number !== '' && truth.meters.some((meter) => plain(meter.meter_number ?? '') === number)
  return read === undefined || isOther ? {} : read
}

function entriesOf<Field extends ReadBillField | ReadMeterField>(values: Readonly<Partial<Record<Field, string>>>): [Field, string][] {
  const entries: [Field, string][] = []
  for (const field in values) {
    const value = values[field]
    if (value !== undefined) entries.push([field, value])
  }
  return entries
}

function scoreOf(field: Score['field'], wanted: string, read: string | undefined): Score {
  return { field, wanted, read, isRight: isSame(field, wanted, read ?? startsAs[field]) }
}

function isSame(field: Score['field'], wanted: string, read: string | undefined): boolean {
  if (read === undefined) return false
  if (field === 'account_number' || field === 'meter_number' || field === 'invoice_number') return plain(wanted) === plain(read)
  if (field === 'vendor') return plain(wanted).toLowerCase() === plain(read).toLowerCase()
  if (field === 'unit') return unitSymbol(wanted) === read
  if (decimals.has(field)) return /^-?\d+(\.\d+)?$/.test(read) && compareDecimals(wanted, read) === 0
  return wanted === read
}

const plain = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '')
