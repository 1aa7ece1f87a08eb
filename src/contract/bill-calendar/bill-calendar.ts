/** The expected-bill calendar: for each account the last 13 months, and for each month whether its bill is there, expected, late or missing. */
import { z } from 'zod'
import { billableAccount } from '../accounts/billable-account.ts'
import { billCalendar, calendarMonthsAt, type CellState } from './calendar-rule.ts'
import {
  call,
  exportInput,
  listReply,
  started,
  type Call,
  type ExportInput,
  type ListReply,
  type Nothing,
  type Started,
} from '../kernel/call.ts'
import { choice, date, derived, entity, integer, list, text, type Entity } from '../kernel/entity.ts'
import { listInputWith, type ListInput } from '../kernel/query.ts'
import { idsInput } from '../kernel/lookup.ts'
import { supplyAccount } from '../accounts/supply-account.ts'

export { billCalendar, calendarMonthsAt, type CellState }

export const cellStates = ['billed', 'expected', 'late', 'missing', 'none'] as const satisfies readonly CellState[]

/** The worst state of an account's months. */
export const accountStates = [
  { value: 'missing', label: 'Missing' },
  { value: 'late', label: 'Late' },
  { value: 'complete', label: 'Complete' },
] as const

const calendarBill = z.object({ id: z.int(), date: z.string(), amount_due: z.string() })
const calendarCell = z.object({
  month: z.string(),
  state: z.enum(cellStates),
  expected_on: z.string().nullable(),
  bills: z.array(calendarBill),
})
export type CalendarCellRow = z.infer<typeof calendarCell>

const { fields } = billableAccount
/** Fields of both kinds of accounts. A supply account may have neither facility nor vendor. */
const accountFields = {
  account_number: derived(fields.account_number),
  name: derived(fields.name),
  active: derived(fields.active),
  facility: derived(supplyAccount.fields.facility),
  division_name: derived(supplyAccount.fields.division_name),
  vendor_name: derived(supplyAccount.fields.vendor_name),
  facility_id: derived(supplyAccount.fields.facility_id),
  division_id: derived(supplyAccount.fields.division_id),
  vendor_id: derived(supplyAccount.fields.vendor_id),
  client_id: derived(fields.client_id),
}
/** Counts over the months: filters, sorts and columns of the file, but not of a row, whose cells already show them. */
const countedFields = {
  state: derived(choice('State', accountStates)),
  late: derived(integer('Late Months')),
  missing: derived(integer('Missing Months')),
  late_months: derived(text('Late')),
  missing_months: derived(text('Missing')),
  next_expected: derived(date('Next Bill Expected')),
}
const calendarFields = { ...accountFields, ...countedFields, cells: derived(list('Months', z.array(calendarCell))) }

/** The account with its months. */
const calendarRow = z.object({
  id: z.int(),
  client_id: z.int(),
  account_number: z.string(),
  name: z.string(),
  active: z.boolean(),
  facility: z.string().nullable(),
  division_name: z.string().nullable(),
  vendor_name: z.string().nullable(),
  cells: z.array(calendarCell),
})
export type CalendarRow = z.infer<typeof calendarRow>

const rules = {
  filter: [
    'account_number',
    'name',
    'active',
    'facility',
    'division_name',
    'vendor_name',
    'facility_id',
    'division_id',
    'vendor_id',
    'state',
    'late',
    'missing',
  ],
  sort: ['account_number', 'name', 'facility', 'division_name', 'vendor_name', 'late', 'missing', 'id'],
  defaultSort: 'account_number asc',
}

export const billableCalendar = calendarOf('billable_account_calendar', 'billable_account_calendars', 'Billable Accounts')
export const supplyCalendar = calendarOf('supply_account_calendar', 'supply_account_calendars', 'Supply Accounts')

function calendarOf<Name extends string, Plural extends string>(
  name: Name,
  plural: Plural,
  labels: string,
): Entity<Name, Plural, typeof calendarFields> {
  return entity(name, plural, calendarFields, rules, { label: 'Bill Calendar', labels })
}

/** How many months lack their bill, and at how many accounts: one number each for the client as far as the reader reaches it. */
const totals = z.object({
  late_months: z.int(),
  missing_months: z.int(),
  late_accounts: z.int(),
  missing_accounts: z.int(),
})
export type CalendarTotals = z.infer<typeof totals>

const narrowing = { facility_id: idsInput.optional(), division_id: idsInput.optional() }

export const billableCalendarCalls = calendarCalls('billable_account_calendars', '/clients/:client_id/billable_accounts/bill_calendar')
export const supplyCalendarCalls = calendarCalls('supply_account_calendars', '/clients/:client_id/supply_accounts/bill_calendar')

export interface CalendarCalls<Plural extends string> {
  readonly list: Call<{ client_id: number }, ListInput, Nothing, ListReply<Plural, CalendarRow>>
  readonly totals: Call<{ client_id: number }, Nothing, Nothing, CalendarTotals>
  readonly exportCsv: Call<{ client_id: number }, ExportInput, Nothing, Started>
}

function calendarCalls<Plural extends string>(plural: Plural, path: `/clients/:client_id/${string}`) {
  return {
    list: call<string, { client_id: number }, ListInput, Nothing, ListReply<Plural, CalendarRow>>({
      name: `${plural}.list`,
      method: 'GET',
      path,
      may: 'bill.read',
      summary: 'Lists accounts with the bills of their last 13 months: there, expected, late or missing',
      query: listInputWith(narrowing),
      reply: listReply(plural, calendarRow),
    }),
    totals: call<string, { client_id: number }, Nothing, Nothing, CalendarTotals>({
      name: `${plural}.totals`,
      method: 'GET',
      path: `${path}/totals`,
      may: 'bill.read',
      summary: 'How many bills of the last 13 months are late and missing',
      reply: totals,
    }),
    exportCsv: call<string, { client_id: number }, ExportInput, Nothing, Started>({
      name: `${plural}.export`,
      method: 'GET',
      path: `${path}/export_csv`,
      effect: 'write',
      may: 'bill.read',
      summary: 'Starts a CSV export of the calendar: of each account the late and the missing months',
      query: exportInput,
      reply: started,
    }),
  }
}
