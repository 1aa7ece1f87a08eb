/** The steps of a bill's trail that payment files and reversals make. */
import { trailFactsMax, type TrailStep } from '#contract/bill-trail/bill-trail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, subtractMoney } from '#contract/kernel/money.ts'
import { reversalKinds } from '#contract/payment-batches/payment-reversal.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { fact, noStep, step, type TrailedBill } from './trail-step.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

interface FileEntry {
  readonly file_name: string
  readonly at: string
  readonly by: string | null
  readonly trace_number: string | null
  readonly account_last4: string | null
  readonly amount: string
  readonly of_bill: boolean
  readonly total: string
  /** The days on which bank statements show that the entry left, and that it came back. */
  readonly cleared_on: string | null
  readonly back_on: string | null
}

/** An entry of a payment file is the whole payment or one of its bills; either equals the rows that it was made from. */
export async function fileStep(tx: Tx, { client_id: clientId, id, vendor_payment_id: paymentId }: TrailedBill): Promise<TrailStep> {
  const { rows } =
    await sql<FileEntry>`select file.file_name, file.created_at as at, ${nameOfUser('author')} as by, entry.trace_number, entry.account_last4, entry.amount,
      entry.bill_id is not null as of_bill, ${clearedOn('out')} as cleared_on, ${clearedOn('back')} as back_on,
      ((select coalesce(sum(member.amount_paid), 0) from payment_batch_bills member where member.client_id = ${clientId}
        and member.vendor_payment_id = entry.vendor_payment_id and member.released_at is null and (entry.bill_id is null or member.bill_id = entry.bill_id))
      + (select coalesce(sum(reversal.amount), 0) from payment_reversals reversal where reversal.client_id = ${clientId}
        and reversal.vendor_payment_id = entry.vendor_payment_id and (entry.bill_id is null or reversal.bill_id = entry.bill_id)))::numeric(14,2) as total
    from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    left join users author on author.id = file.created_by
    where entry.client_id = ${clientId} and file.purpose <> 'companion'
      and (entry.bill_id = ${id} or (entry.bill_id is null and (entry.vendor_payment_id = ${paymentId}::bigint
        or entry.vendor_payment_id in (select vendor_payment_id from payment_reversals where client_id = ${clientId} and bill_id = ${id}))))
    order by entry.id limit ${trailFactsMax}`.execute(tx)
  if (rows.length === 0) return noStep('payment_file', 'In no payment file')
  const facts = rows.map(({ file_name, at, by, trace_number, account_last4, amount, of_bill, cleared_on, back_on }) =>
    fact(
      [
        file_name,
        trace_number === null ? null : `trace ${trace_number}`,
        account_last4 === null ? null : `account …${account_last4}`,
        of_bill ? null : 'whole payment',
        cleared_on === null ? null : `cleared ${formatDate(cleared_on)}`,
        back_on === null ? null : `back ${formatDate(back_on)}`,
      ]
        .filter((part) => part !== null)
        .join(' · '),
      { amount, at, by },
    ),
  )
  const off = rows.find(({ amount, total }) => amount !== total)
  const why = off ? `The file says ${formatMoney(off.amount)}, the payment ${formatMoney(off.total)}` : null
  return step('payment_file', facts, { mark: off ? 'broken' : 'equal', why })
}

const clearedOn = (direction: 'out' | 'back') => sql`(select clearing.cleared_on from bank_clearings clearing
  where clearing.payer_id = entry.client_id and clearing.global_batch_file_payment_id = entry.id and clearing.direction = ${sql.lit(direction)})`

/** Amounts that were paid and then reversed. Each was paid by the payment that it names. */
export async function reversalStep(tx: Tx, { client_id: clientId, id }: TrailedBill): Promise<TrailStep> {
  const { rows } = await sql<{
    vendor_payment_id: number
    payment_batch_id: number
    kind: string
    return_code: string | null
    amount: string
    reversed_date: string
    reason: string
    at: string
    by: string | null
  }>`
    select reversal.vendor_payment_id, payment.payment_batch_id, reversal.kind, reversal.return_code, reversal.amount, reversal.reversed_date, reversal.reason,
      reversal.created_at as at, ${nameOfUser('author')} as by
    from payment_reversals reversal join vendor_payments payment on payment.client_id = ${clientId} and payment.id = reversal.vendor_payment_id
    left join users author on author.id = reversal.created_by
    where reversal.client_id = ${clientId} and reversal.bill_id = ${id} order by reversal.id limit ${trailFactsMax}`.execute(tx)
  if (rows.length === 0) return noStep('reversal', 'Nothing was taken back')
  return step(
    'reversal',
    rows.map((row) => {
      const kind = reversalKinds.find(({ value }) => value === row.kind)?.label ?? row.kind
      const words = [kind, row.return_code].filter(Boolean).join(' ')
      return fact(`${paymentNumber(row.vendor_payment_id)} · ${words}, ${formatDate(row.reversed_date)} · ${row.reason}`, {
        amount: subtractMoney('0.00', row.amount),
        at: row.at,
        by: row.by,
        link: `/clients/${clientId}/payment_batches/${row.payment_batch_id}/vendor_payments/${row.vendor_payment_id}/reversals`,
      })
    }),
  )
}
