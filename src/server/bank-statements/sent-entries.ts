/** SQL about a sent payment, which is an entry of a payment file, of the table or alias that is named. */
import { sql, type RawBuilder } from 'kysely'

/** Formats of payment files by which money leaves an account. A register of what is not paid has none. */
const sentFormats = ['standard', 'nacha_plus', 'ach_bank', 'ach_2', 'avid', 'check_request', 'op_worklist', 'autopay_register']
/** The bank posts these as one sum, or by payers. */
const summedFormats = ['standard', 'nacha_plus', 'ach_bank', 'avid']

const listed = (formats: readonly string[]) => sql.join(formats.map((format) => sql.lit(format)))

/** Needs the file of the entry as `file`. */
export const isSent = sql<boolean>`file.purpose = 'payment' and file.format in (${listed(sentFormats)})`
export const wayOf = sql<'check' | 'file' | 'single'>`case when file.format = 'check_request' then 'check'
  when file.format in (${listed(summedFormats)}) then 'file' else 'single' end`
/** Needs the check of the entry as `issued` besides: the day of the check, or the day on which the payment settles. */
export const dayOf = sql<string>`coalesce(issued.check_date, (file.control ->> 'effective_date')::date, file.creation_date)`

/** The day on which the whole entry was taken back. */
export const reversedOn = (entry: string): RawBuilder<string | null> =>
  sql`(select max(reversal.reversed_date) from payment_reversals reversal where reversal.client_id = ${sql.ref(`${entry}.client_id`)}
    and reversal.vendor_payment_id = ${sql.ref(`${entry}.vendor_payment_id`)}
    and (${sql.ref(`${entry}.bill_id`)} is null or reversal.bill_id = ${sql.ref(`${entry}.bill_id`)})
    having sum(reversal.amount) = ${sql.ref(`${entry}.amount`)})`

/** The day on which a statement shows that the entry left, or that it came back. */
export const clearedOn = (entry: string, direction: 'out' | 'back'): RawBuilder<string | null> =>
  sql`(select clearing.cleared_on from bank_clearings clearing where clearing.payer_id = ${sql.ref(`${entry}.client_id`)}
    and clearing.global_batch_file_payment_id = ${sql.ref(`${entry}.id`)} and clearing.direction = ${sql.lit(direction)})`
