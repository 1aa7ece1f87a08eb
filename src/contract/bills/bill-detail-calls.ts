/** The calls of one bill, of its lines and of its account's earlier bills. */
import { z } from 'zod'
import type { AccountType } from './bill.ts'
import { call } from '../kernel/call.ts'
import { accountTypeOf, previousBill, billDetail, billFacility, linkableServiceBill, billHistoryItem } from './bill-detail.ts'

const accountType: z.ZodType<AccountType> = z
  .string({ error: 'is required' })
  .transform((written, problem) => accountTypeOf(written) ?? (problem.addIssue('must be billable_account or supply_account'), z.NEVER))
const idText = z
  .string({ error: 'must be an id' })
  .regex(/^[1-9]\d{0,15}$/, 'must be an id')
  .transform(Number)

const lastBillQuery: z.ZodType<{ account_type: AccountType; account_id: number }> = z.object({
  account_type: accountType,
  account_id: idText,
})
const previousBillsQuery: z.ZodType<{ date?: string | undefined; bill_id?: number | undefined }> = z.strictObject({
  date: z.iso.date().optional(),
  bill_id: idText.optional(),
})
const fileParams: z.ZodType<{ client_id: number; id: number; position: number }> = z.object({
  client_id: idText,
  id: idText,
  position: z.enum(['1', '2']).transform(Number),
})

const previousBills = z.object({ previous_bills: z.array(previousBill) })

export const billDetailCalls = {
  get: call({
    name: 'bills.get',
    method: 'GET',
    path: '/clients/:client_id/bills/:id',
    may: 'bill.read',
    summary: 'One bill with all that its page shows',
    reply: z.object({ bill: billDetail }),
  }),
  facilities: call({
    name: 'bills.facilities',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/facilities',
    may: 'bill.read',
    summary: 'The facilities that a bill is for: its account’s, or those of a group’s members',
    reply: z.object({ facilities: z.array(billFacility) }),
  }),
  lastBill: call({
    name: 'bills.last_bill',
    method: 'GET',
    path: '/clients/:client_id/bills/last_bill',
    may: 'bill.read',
    summary: 'The latest bill of an account, null where it has none',
    query: lastBillQuery,
    reply: z.object({ bill: billDetail.nullable() }),
  }),
  file: call({
    name: 'bills.file',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/files/:position',
    may: 'bill.read',
    summary: 'Where a copy of the bill can be read for five minutes; inline=true shows it instead of saving it',
    params: fileParams,
    query: z.strictObject({ inline: z.enum(['true', 'false']).optional() }),
    reply: z.object({ url: z.string(), filename: z.string() }),
  }),
  serviceBill: call({
    name: 'service_bills.get',
    method: 'GET',
    path: '/clients/:client_id/service_bills/:id',
    may: 'bill.read',
    summary: 'One line, for linking',
    reply: z.object({ service_bill: linkableServiceBill }),
  }),
  lastFiveBills: call({
    name: 'services.last_five_bills',
    method: 'GET',
    path: '/clients/:client_id/services/:id/last_five_bills',
    may: 'bill.read',
    summary: 'The last five lines of a service, newest first, and how many there are',
    query: z.strictObject({ bill_id: idText.optional() }),
    reply: z.object({ last_five_bills: z.array(billHistoryItem), total: z.int() }),
  }),
  previousOfBillable: call({
    name: 'billable_accounts.previous_bills',
    method: 'GET',
    path: '/clients/:client_id/billable_accounts/:id/previous_bills',
    may: 'bill.read',
    summary: 'Earlier bills of a billable account, newest first',
    query: previousBillsQuery,
    reply: previousBills,
  }),
  previousOfSupply: call({
    name: 'supply_accounts.previous_bills',
    method: 'GET',
    path: '/clients/:client_id/supply_accounts/:id/previous_bills',
    may: 'bill.read',
    summary: 'Earlier bills of a supply account, newest first',
    query: previousBillsQuery,
    reply: previousBills,
  }),
}
