/** Input of one row of an upload file: a ledger line of a client batch with its bill, its vendor and its service. */
import { z } from 'zod'

export const uploadLine = z.object({
  batch_code: z.string(),
  /** Date of the batch in New York. */
  batch_date: z.string().nullable(),
  client_short_code: z.string(),
  division_code: z.string().nullable(),
  facility_number: z.string().nullable(),
  /** The client's own number for the vendor, or else the vendor's short code. */
  vendor_number: z.string(),
  vendor_name: z.string(),
  invoice_number: z.string().nullable(),
  account_number: z.string(),
  bill_date: z.string(),
  due_date: z.string(),
  /** Dollars; empty if the row merges several lines. */
  invoice_amount: z.string(),
  /** Position of the line in its bill, from 1; null if the row merges several lines. */
  line_no: z.int().nullable(),
  ledger_account_name: z.string(),
  /** Values by the id of the ledger field, because its name may change. */
  ledger_values: z.record(z.string(), z.string()),
  /** The one credit of a bill to its vendor. */
  is_payable: z.boolean(),
  /** Cents; a debit is positive. */
  amount: z.int(),
  description: z.string(),
  utility_service_name: z.string().nullable(),
  usage: z.string().nullable(),
  unit: z.string().nullable(),
  /** Null if the row merges lines of several bills. */
  bill_id: z.int().nullable(),
  image_file_name: z.string().nullable(),
})
export type UploadLine = Readonly<z.infer<typeof uploadLine>>

/** A ledger field of the client, in the order of its fields. */
export const uploadField = z.object({ id: z.int(), name: z.string() })
export type UploadField = Readonly<z.infer<typeof uploadField>>
