/** Alerts of a client: accounts without recent bills, meters with estimated reads, unpaid bills. */
import { z } from 'zod'
import { alerts, type AlertKey } from './alert-names.ts'
import { bill, billRow, type BillRow } from '../bills/bill.ts'
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
import { date, derived, entity, optional, ref, shownOnly, text, texts, type Row, numberText } from '../kernel/entity.ts'
import type { Permission } from '../kernel/permission.ts'
import { listInput, type ListInput } from '../kernel/query.ts'

/** Days since the last bill of an account; with a bill 30 days ago it is not listed, one day later it is. */
export const missingBillDays = 30
/** Consecutive estimated reads of one meter. */
export const estimatedReads = 3
/** Days since the due date; a bill is listed on the thirtieth. */
export const pastDueDays = 30

const serviceNames = texts('Services', { count: 100, length: 255 })

const billableAlertFields = {
  facility_name: derived(text('Facility')),
  vendor_name: derived(text('Vendor')),
  account_number: derived(numberText('Account Number')),
  name: derived(text('Account Name')),
  service_names: derived(serviceNames),
  last_bills_date: derived(optional(date('Last Bill Date'))),
  last_bill_file_url: shownOnly(optional(text('Last Bill File'))),
  facility_id: derived(ref('Facility', 'facilities')),
  client_id: derived(ref('Client', 'clients')),
}
const billableRules = {
  filter: ['facility_name', 'vendor_name', 'account_number', 'name', 'last_bills_date', 'facility_id'],
  sort: ['name', 'facility_name', 'vendor_name', 'account_number', 'last_bills_date', 'id'],
  defaultSort: 'name asc',
}

/** Both lists of billable accounts have the same columns; their exports have different names. */
export const billableAccountAlert = entity('billable_account_alert', 'billable_accounts', billableAlertFields, billableRules)
export type BillableAccountAlert = Row<typeof billableAccountAlert>

export const supplyAccountAlert = entity(
  'supply_account_alert',
  'supply_accounts',
  {
    address: derived(text('Address')),
    facility: derived(optional(text('Facility'))),
    vendor: derived(optional(text('Vendor'))),
    account_number: derived(numberText('Account Number')),
    name: derived(text('Account Name')),
    service_names: derived(serviceNames),
    last_bill_date: derived(optional(date('Last Bill Date'))),
    last_bill_due_date: derived(optional(date('Last Bill Due Date'))),
    last_bill_file_url: shownOnly(optional(text('Last Bill File'))),
    facility_id: derived(optional(ref('Facility', 'facilities'))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: ['address', 'facility', 'vendor', 'account_number', 'name', 'last_bill_date', 'last_bill_due_date', 'facility_id'],
    sort: ['name', 'address', 'facility', 'vendor', 'account_number', 'last_bill_date', 'last_bill_due_date', 'id'],
    defaultSort: 'name asc',
  },
)
export type SupplyAccountAlert = Row<typeof supplyAccountAlert>

/** The bills' own list, longest overdue first. */
export const pastDueBill = { ...bill, list: { ...bill.list, defaultSort: 'due_date asc' } }

/** The count of each list; null for a list that the reader may not see. */
export const alertCounts = z.record(z.enum(alerts.map(({ key }) => key)), z.int().nullable())
export type AlertCounts = z.infer<typeof alertCounts>

export interface AlertCalls<Plural extends string, R> {
  readonly list: Call<{ client_id: number }, ListInput, Nothing, ListReply<Plural, R>>
  readonly exportCsv: Call<{ client_id: number }, ExportInput, Nothing, Started>
}

export const missingBillableCalls = alertCalls(
  'billable_accounts_missing_bills',
  'billable_account.read',
  'billable_accounts',
  billableAccountAlert.row,
)
export const missingSupplyCalls = alertCalls(
  'supply_accounts_missing_bills',
  'supply_account.read',
  'supply_accounts',
  supplyAccountAlert.row,
)
export const estimatedCalls = alertCalls(
  'billable_accounts_consecutive_estimations',
  'billable_account.read',
  'billable_accounts',
  billableAccountAlert.row,
)
export const pastDueCalls = alertCalls<'bills', BillRow>('past_due_bills', 'bill.read', 'bills', billRow)

export const alertCountCalls = {
  counts: call({
    name: 'alerts.counts',
    method: 'GET',
    path: '/clients/:client_id/alerts/counts',
    may: ['bill.read', 'billable_account.read', 'supply_account.read'],
    summary: 'How many rows each of the four alert lists holds',
    reply: z.object({ counts: alertCounts }),
  }),
}

function alertCalls<Plural extends string, R>(key: AlertKey, may: Permission, plural: Plural, row: z.ZodType<R>) {
  const path = `/clients/:client_id/alerts/${key}` as const
  const label = alerts.find((one) => one.key === key)?.label ?? key
  return {
    list: call<string, { client_id: number }, ListInput, Nothing, ListReply<Plural, R>>({
      name: `${key}.list`,
      method: 'GET',
      path,
      may,
      summary: `Lists ${label}`,
      query: listInput,
      reply: listReply(plural, row),
    }),
    exportCsv: call<string, { client_id: number }, ExportInput, Nothing, Started>({
      name: `${key}.export`,
      method: 'GET',
      path: `${path}_export_csv`,
      effect: 'write',
      may,
      summary: `Starts a CSV export of ${label}`,
      query: exportInput,
      reply: started,
    }),
  }
}
