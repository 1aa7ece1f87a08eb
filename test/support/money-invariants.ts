/** Queries for rows that break an invariant of the money flow (part 5 of the design of payments), by name. Each reads the tables alone. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'

type Queries = Readonly<Record<string, string>>

/** Fails with the name of the invariant and the rows that break it. */
export async function expectNoneBroken(db: Tx, queries: Queries): Promise<void> {
  for (const [name, text] of Object.entries(queries)) expect((await sql.raw(text).execute(db)).rows, name).toEqual([])
}

const inTwoLiveBatches = 'select bill_id from payment_batch_bills where released_at is null group by client_id, bill_id having count(*) > 1'

/** Global batches, their payments and files. */
export const brokenAtTheDesk: Queries = {
  'A1: a bill in two live batches': inTwoLiveBatches,
  'A3: a live batch without a bill': `select id from payment_batches batch where is_global and unbatched_at is null and not exists (select 1
    from payment_batch_bills member where member.client_id = batch.client_id and member.payment_batch_id = batch.id and member.released_at is null)`,
  'A4: a batch with bills of two types': `select member.payment_batch_id from payment_batch_bills member join bills on bills.client_id = member.client_id
    and bills.id = member.bill_id join vendor_payment_methods method on method.vendor_id = bills.vendor_id where member.released_at is null
    group by 1 having count(distinct method.payment_method_id) > 1`,
  'A5: an exclusive vendor beside another': `select member.payment_batch_id from payment_batch_bills member join bills on bills.client_id = member.client_id
    and bills.id = member.bill_id join vendors on vendors.id = bills.vendor_id where member.released_at is null
    group by 1 having bool_or(vendors.is_exclusive) and count(distinct vendors.id) > 1`,
  'A6: a bill without its payment': `select bills.id from bills left join payment_batch_bills member on member.client_id = bills.client_id
    and member.bill_id = bills.id and member.released_at is null left join vendor_payments payment on payment.id = member.vendor_payment_id
    where bills.vendor_payment_id is distinct from member.vendor_payment_id or (payment.id is not null and (payment.vendor_id <> bills.vendor_id
      or payment.payment_batch_id <> member.payment_batch_id))`,
  'A8: a live membership of an unbatched batch': `select member.id from payment_batch_bills member join payment_batches batch on batch.client_id = member.client_id
    and batch.id = member.payment_batch_id where member.released_at is null and batch.unbatched_at is not null`,
  'B1: a payment of a live batch without bills': `select payment.id from vendor_payments payment join payment_batches batch on batch.client_id = payment.client_id
    and batch.id = payment.payment_batch_id where batch.unbatched_at is null and not exists (select 1 from payment_batch_bills member
    where member.client_id = payment.client_id and member.vendor_payment_id = payment.id)`,
  'B2: a file that is not the sum of its batches': `select file.id from global_batch_files file where file.total is distinct from (select sum(member.amount_paid)
    from global_batch_file_batches of_file join payment_batch_bills member on member.client_id = of_file.client_id
      and member.payment_batch_id = of_file.payment_batch_id and member.released_at is null where of_file.global_batch_file_id = file.id)`,
  'B2: an entry that is not its payment': `select entry.id from global_batch_file_payments entry where entry.bill_id is null and entry.amount <> (select sum(member.amount_paid)
    from payment_batch_bills member where member.client_id = entry.client_id and member.vendor_payment_id = entry.vendor_payment_id)`,
  'C4: a cash payment that is not above 0': `select entry.id from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    where file.purpose = 'payment' and entry.amount <= 0`,
  'C5, C7: no payment above 1.00, or with a payment file': `select batch.id from payment_batches batch where batch.paid_as = 'NP' and ((select sum(amount_paid)
      from payment_batch_bills member where member.client_id = batch.client_id and member.payment_batch_id = batch.id and member.released_at is null) > 1
    or exists (select 1 from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id and of_file.purpose <> 'companion'))`,
  'D1: a paid batch with an unpaid bill, or the other way round': `select member.id from payment_batch_bills member join payment_batches batch
    on batch.client_id = member.client_id and batch.id = member.payment_batch_id join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where member.released_at is null and (batch.is_paid <> bills.paid or batch.finalized <> bills.finalized)`,
  'D1: finalized and not paid, or open after it was paid': `select id from payment_batches where (finalized and not is_paid) or (is_global and is_paid and not closed)`,
  'D3: a paid bill whose amount is not that of its payment': `select bills.id from bills join payment_batch_bills member on member.client_id = bills.client_id
    and member.bill_id = bills.id and member.released_at is null where bills.paid and bills.amount_paid is distinct from member.amount_paid`,
  'D4: a bill that was paid more often than once': `select item_id from audit_records where item_type = 'bill' and object_changes ? 'paid'
    group by client_id, item_id having count(*) > 1`,
  'E3: a batch in two payment files, or a paid one in none': `select batch.id from payment_batches batch where batch.is_global and batch.is_paid and (select count(*)
    from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id and of_file.purpose in ('payment', 'companion')) <> 1`,
  'G10: a finalized batch that is not in exactly one accounting file': `select batch.id from payment_batches batch where batch.finalized and batch.paid_as <> 'NP' and (select count(*)
    from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id and of_file.purpose = 'accounting') <> 1`,
}

/** Vendor batches and their payments. */
export const brokenInVendorBatches: Queries = {
  'a bill in two live batches': inTwoLiveBatches,
  'a bill that names another payment than its membership': `select bills.id from bills left join payment_batch_bills member
    on member.client_id = bills.client_id and member.bill_id = bills.id and member.released_at is null
    where bills.vendor_payment_id is distinct from member.vendor_payment_id`,
  'a payment of another vendor than its bill': `select bills.id from bills join vendor_payments payment on payment.client_id = bills.client_id
    and payment.id = bills.vendor_payment_id where payment.vendor_id is distinct from bills.vendor_id`,
  'a live membership of a payment of another batch': `select member.id from payment_batch_bills member join vendor_payments payment
    on payment.client_id = member.client_id and payment.id = member.vendor_payment_id where payment.payment_batch_id <> member.payment_batch_id`,
  'a live membership of a deleted batch': `select member.id from payment_batch_bills member join payment_batches batch on batch.client_id = member.client_id
    and batch.id = member.payment_batch_id where member.released_at is null and batch.unbatched_at is not null`,
  'a paid bill whose amount is not that of its payment': `select bills.id from bills left join payment_batch_bills member
    on member.client_id = bills.client_id and member.bill_id = bills.id and member.released_at is null
    where bills.paid and bills.amount_paid is distinct from member.amount_paid`,
  'a payment of which some bills are paid and some are not': `select member.vendor_payment_id from payment_batch_bills member join bills
    on bills.client_id = member.client_id and bills.id = member.bill_id join payment_batches batch on batch.client_id = member.client_id
    and batch.id = member.payment_batch_id where member.released_at is null and not batch.is_global group by 1 having bool_or(bills.paid) and not bool_and(bills.paid)`,
  'a paid bill without a date and an ID of its payment': `select bills.id from bills join vendor_payments payment on payment.client_id = bills.client_id
    and payment.id = bills.vendor_payment_id where bills.paid and (payment.payment_date is null or payment.check_number is null)`,
  'a paid batch with an unpaid bill': `select batch.id from payment_batches batch join payment_batch_bills member on member.client_id = batch.client_id
    and member.payment_batch_id = batch.id and member.released_at is null join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where batch.is_paid and not bills.paid`,
  'a bill that was paid more often than once and never taken back in between': `select item_id from audit_records where item_type = 'bill' and object_changes->'paid'->>'to' = 'true'
    group by client_id, item_id having count(*) > 1 + (select count(*) from payment_reversals reversal where reversal.client_id = audit_records.client_id
      and reversal.bill_id = audit_records.item_id)`,
  'a bill that is still paid by a payment that took it back': `select reversal.id from payment_reversals reversal join payment_batch_bills member
    on member.client_id = reversal.client_id and member.bill_id = reversal.bill_id and member.vendor_payment_id = reversal.vendor_payment_id`,
  'a live bill of a reversed payment': `select member.id from payment_batch_bills member join payment_reversals reversal
    on reversal.client_id = member.client_id and reversal.vendor_payment_id = member.vendor_payment_id where member.released_at is null`,
}

/** The same where vendors of bills were sold and the sync has not moved the bills yet. */
export const brokenBeforeSync: Queries = Object.fromEntries(
  Object.entries(brokenInVendorBatches).filter(([name]) => name !== 'a payment of another vendor than its bill'),
)

/** Client batches, their ledger lines and the versions of their files. */
export const brokenInClientBatches: Queries = {
  'ledger lines of a bill that do not balance': `select accounting_batch_id, bill_id from gl_lines group by client_id, accounting_batch_id, bill_id having sum(amount) <> 0`,
  'ledger lines of an open batch': `select batch.id from accounting_batches batch where not batch.closed and exists (select 1 from gl_lines line
    where line.client_id = batch.client_id and line.accounting_batch_id = batch.id)`,
  'a bill of a closed batch whose payable is not what it owes': `select bills.id from bills join accounting_batches batch on batch.client_id = bills.client_id
    and batch.id = bills.accounting_batch_id where batch.closed and bills.amount_due is distinct from (select -sum(line.amount) from gl_lines line
    where line.client_id = bills.client_id and line.accounting_batch_id = batch.id and line.bill_id = bills.id and line.kind = 'payable')`,
  'a version without its file': `select made.id from accounting_batch_files made left join files on files.id = made.file_id where files.id is null`,
  'versions of a batch with a gap': `select accounting_batch_id from accounting_batch_files group by client_id, accounting_batch_id, kind having max(version) <> count(*)`,
}
