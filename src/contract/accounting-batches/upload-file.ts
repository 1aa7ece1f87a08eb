/** A row of what an upload file is made of: a ledger line of a client batch with its bill, its vendor and its service. */
import { z } from 'zod'

export const uploadLine = z.object({
  batch_code: z.string(),
  /** The New York day of the batch. */
  batch_date: z.string().nullable(),
  client_short_code: z.string(),
  division_code: z.string().nullable(),
  facility_number: z.string().nullable(),
  /** The client's own number of the vendor, else the vendor's short code. */
  vendor_number: z.string(),
  vendor_name: z.string(),
  invoice_number: z.string().nullable(),
  account_number: z.string(),
  bill_date: z.string(),
  due_date: z.string(),
  /** Dollars; empty where several lines are one row. */
  invoice_amount: z.string(),
  /** Place of the line in its bill, from 1; null where several lines are one row. */
  line_no: z.int().nullable(),
  ledger_account_name: z.string(),
  /** By the name of the ledger field. */
  ledger_values: z.record(z.string(), z.string()),
  /** The one credit of a bill to its vendor. */
  is_payable: z.boolean(),
  /** Cents. A debit is positive. */
  amount: z.int(),
  description: z.string(),
  utility_service_name: z.string().nullable(),
  usage: z.string().nullable(),
  unit: z.string().nullable(),
  /** Null where lines of several bills are one row. */
  bill_id: z.int().nullable(),
  image_file_name: z.string().nullable(),
})
export type UploadLine = Readonly<z.infer<typeof uploadLine>>
