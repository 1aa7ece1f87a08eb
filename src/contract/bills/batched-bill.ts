/** The values of a bill that the pages of client batches, vendor batches and payments have in common. */
import { z } from 'zod'
import { accountTypes } from './bill.ts'

/** An amount of money as text, two decimals. */
export const amount = z.string().regex(/^-?\d+\.\d\d$/)

export const batchedBillShape = {
  id: z.int(),
  client_id: z.int(),
  account_type: z.enum(accountTypes.map(({ value }) => value)),
  account_id: z.int(),
  account_number: z.string(),
  account_name: z.string().nullable(),
  vendor_id: z.int().nullable(),
  vendor_name: z.string().nullable(),
  division_name: z.string().nullable(),
  facility_name: z.string().nullable(),
  invoice_number: z.string().nullable(),
  date: z.string(),
  due_date: z.string(),
  amount_due: amount,
}
