/**
 * Values of a new bill that nobody has to type: those that the form starts with, and those that follow from another line. Enter passes their
 * fields; Tab and Shift+Enter reach them. A stored bill and a correction carry nothing, because there every value is looked at.
 */
import type { HistoryBill } from '#contract/bill-audits/history-input.ts'
import type { PreviousBill } from '#contract/bills/bill-detail.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { addDays, daysBetween, isCalendarDate } from '#contract/kernel/date.ts'
import { compareDecimals, isDecimal, isZero } from '#contract/kernel/decimal.ts'
import { usageByReadings, usageOfLine, type BillValues, type EntryService, type LineValues } from './bill-values.ts'
import { same } from './same.ts'
import { valueAt } from './value-at.ts'

/** The source of each value, by the form's path. A field that was empty on the last bill is passed too, and has no source. */
export type Carried = Readonly<Record<string, string>>

type LastLine = Pick<ServiceBill, 'service_id' | 'meter_reading' | 'usage'> & {
  readonly service_bill_entry_fields: readonly { readonly name: string; readonly value: string | null }[]
}

/** The account's last bills and its services, from the form's data. */
export interface CarriedFrom {
  readonly payments_managed: boolean
  readonly services: readonly Pick<EntryService, 'id' | 'metered' | 'meter_multiplier' | 'utility_service_name'>[]
  readonly history: readonly Pick<HistoryBill, 'date' | 'due_date'>[]
  readonly last_bill:
    | (Pick<PreviousBill, 'invoice_number' | 'balance_forward' | 'amount_due' | 'amount_paid' | 'paid'> & {
        readonly service_bills: readonly LastLine[]
      })
    | null
}

const fromLast = 'Carried from the last bill'
const fromMeter = 'As the meter is set up'
export const notOnLast = 'Empty on the last bill'
const fromLineAbove = 'Carried from a line above'
const fromWater = 'Carried from the water of this bill'

/** Returns '0.00' if nothing stood open on the last bill, else ''; then the balance is typed. */
export function startingBalance({ last_bill: last, payments_managed }: CarriedFrom): string {
  if (last === null || isBelowZero(last.amount_due)) return ''
  if (last.paid) return compareDecimals(last.amount_paid ?? last.amount_due, last.amount_due) === 0 ? '0.00' : ''
  // Payments made elsewhere count as full if the last bill asked for nothing older.
  return !payments_managed && isZero(last.balance_forward) ? '0.00' : ''
}

function isBelowZero(amount: string): boolean {
  return compareDecimals(amount, '0') < 0
}

/** Returns the paths that Enter passes in a new bill, where the values are still those that an empty form starts with. */
export function startingCarried(values: BillValues, base: BillValues, entry: CarriedFrom, isRead: (path: string) => boolean): Carried {
  const head: Carried = {
    ...(base.balance_forward === '' ? {} : { balance_forward: 'Nothing stood open on the last bill' }),
    ...(entry.last_bill !== null && !entry.last_bill.invoice_number ? { invoice_number: notOnLast } : {}),
  }
  const all = { ...head, ...Object.assign({}, ...base.lines.map((line) => carriedOfLine(line, entry))) }
  return Object.fromEntries(
    Object.entries<string>(all).filter(([path]) => !isRead(path) && same(valueAt(values, path), valueAt(base, path))),
  )
}

function carriedOfLine(line: LineValues, entry: CarriedFrom): Carried {
  const at = `lines.${line.key}.`
  const last = entry.last_bill?.service_bills.find((one) => one.service_id === line.service_id)
  const isUnread = last !== undefined && last.meter_reading === null && last.usage !== null
  const set = (field: keyof LineValues, from: string): Carried => (line[field] ? { [`${at}${field}`]: from } : {})
  const factors = Object.entries(line.service_bill_usage_factors).filter(([, value]) => value !== '')
  const unused = Object.keys(line.service_bill_entry_fields).filter((name) => isUnused(last, name))
  return {
    ...set('previous_read_date', fromLast),
    ...set('previous_reading', fromLast),
    ...set('multiplier', fromMeter),
    ...set('unit_id', fromMeter),
    [`${at}estimated`]: fromMeter,
    ...(isUnread ? { [`${at}previous_reading`]: notOnLast, [`${at}meter_reading`]: notOnLast } : {}),
    ...Object.fromEntries(factors.map(([name]) => [`${at}service_bill_usage_factors.${name}`, fromMeter])),
    ...Object.fromEntries(unused.map((name) => [`${at}service_bill_entry_fields.${name}`, notOnLast])),
  }
}

/** Whether a charge that may stay empty was not on the last bill. */
function isUnused(last: LastLine | undefined, name: string): boolean {
  if (last === undefined || alwaysTyped.includes(name)) return false
  const value = last.service_bill_entry_fields.find((one) => one.name === name)?.value ?? null
  return value === null || isZero(value)
}
export const alwaysTyped: readonly string[] = ['Utility Charges', 'Supply Charges']

/** Whether Enter passes the field. It stops at a due date all the same, because a wrong one costs a late fee. */
export function isPassed(carried: Carried | null, path: string): boolean {
  return carried !== null && path in carried && path !== 'due_date'
}

interface CarriedOn {
  readonly values: BillValues
  readonly carried: Carried
}

/** Carries what was just typed: the bill date to the due date, a read date to the lines below, the usage of water to sewer billed on it. */
export function carryOn(before: BillValues, typed: BillValues, carried: Carried, entry: CarriedFrom): CarriedOn {
  const days = typed.date === before.date || !isCalendarDate(typed.date) ? null : usualTerm(entry)
  const isFree = typed.due_date === '' || 'due_date' in carried
  if (days === null || !isFree) return carryLines(before, typed, carried, entry)
  const from = `${days} days after the bill date, as on the last bills`
  return carryLines(before, { ...typed, due_date: addDays(typed.date, days) }, { ...carried, due_date: from }, entry)
}

/** Bills that must have had one term before it is proposed. */
const ALIKE = 3

/** Returns the days from bill date to due date that the last bills had in common. */
function usualTerm({ history }: CarriedFrom): number | null {
  const terms = history.slice(0, ALIKE).map(({ date, due_date }) => (due_date === null ? null : daysBetween(date, due_date)))
  const [first = null] = terms
  return terms.length === ALIKE && first !== null && first > 0 && terms.every((days) => days === first) ? first : null
}

function carryLines(before: BillValues, typed: BillValues, carried: Carried, entry: CarriedFrom): CarriedOn {
  const lines = [...typed.lines]
  const more: Record<string, string> = { ...carried }
  const put = (at: number, field: 'read_date' | 'usage', value: string, from: string) => {
    const line = lines[at]
    if (!line || line[field] === value) return
    lines[at] = { ...line, [field]: value }
    more[`lines.${line.key}.${field}`] = from
  }
  for (const [at, line] of typed.lines.entries()) {
    const old = before.lines.find((one) => one.key === line.key)
    if (!old || old === line) continue
    if (old.read_date !== line.read_date)
      datesBelow(typed, at, carried, entry).forEach((below) => put(below, 'read_date', line.read_date, fromLineAbove))
    const usage = usageOf(line, entry)
    if (usageOf(old, entry) !== usage) sewerOf(typed, at, carried, entry).forEach((sewer) => put(sewer, 'usage', usage, fromWater))
  }
  return same(lines, typed.lines) ? { values: typed, carried } : { values: { ...typed, lines }, carried: more }
}

/** Returns the lines below that have no read date of their own. */
function datesBelow({ lines }: BillValues, at: number, carried: Carried, entry: CarriedFrom): number[] {
  const date = lines[at]?.read_date ?? ''
  if (!isCalendarDate(date)) return []
  return lines.flatMap((line, place) => {
    const isDated = line.previous_read_date !== '' || serviceOf(line, entry)?.metered
    const isFree = line.read_date === '' || `lines.${line.key}.read_date` in carried
    return place > at && isDated && isFree && line.previous_read_date < date ? [place] : []
  })
}

/** Returns the sewer line without usage of its own, if the last bill billed it on this line's water. */
function sewerOf({ lines }: BillValues, at: number, carried: Carried, entry: CarriedFrom): number[] {
  const water = lines[at]
  if (!water || serviceOf(water, entry)?.utility_service_name !== 'Water') return []
  return lines.flatMap((line, place) => {
    const isFree = line.usage === '' || `lines.${line.key}.usage` in carried
    const isSewer = serviceOf(line, entry)?.utility_service_name === 'Sewer' && line.unit_id === water.unit_id
    const isByItself = usageByReadings(line, serviceOf(line, entry)) !== null
    return isSewer && isFree && !isByItself && isBilledOn(line, water, entry) ? [place] : []
  })
}

function isBilledOn(sewer: LineValues, water: LineValues, { last_bill }: CarriedFrom): boolean {
  const [of, on] = [sewer, water].map((line) => last_bill?.service_bills.find((one) => one.service_id === line.service_id)?.usage ?? null)
  return of !== null && of !== undefined && on !== null && on !== undefined && compareDecimals(of, on) === 0
}

function usageOf(line: LineValues, entry: CarriedFrom): string {
  const usage = usageOfLine(line, serviceOf(line, entry))
  return isDecimal(usage) ? usage : ''
}

function serviceOf(line: LineValues, entry: CarriedFrom) {
  return entry.services.find((one) => one.id === line.service_id)
}
