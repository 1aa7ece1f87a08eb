/** The paid steps: the vendor payment, its approver, the payment file that carried it, and reversals. */
import { trailFactsMax, type TrailStep } from '#contract/bill-trail/bill-trail.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { differenceReasons } from '#contract/payment-batches/payment-bill.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { fact, hiddenStep, noStep, step, type TrailedBill } from './trail-step.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { fileStep, reversalStep } from './file-steps.ts'

interface Membership {
  readonly payment_batch_id: number
  readonly is_global: boolean
  readonly vendor_payment_id: number
  readonly amount_paid: string
  readonly difference_reason: string | null
  readonly added_at: string
  readonly added_by: string | null
  readonly payment_date: string | null
  readonly check_number: string | null
  readonly method: string | null
  readonly paid_by: string | null
  readonly paid_at: string | null
}

export async function paidSteps(tx: Tx, bill: TrailedBill, readsFiles: boolean): Promise<TrailStep[]> {
  const member = await membershipOf(tx, bill)
  return [
    paymentStep(bill, member),
    member === null ? noStep('approval') : await approvalStep(tx, bill, member),
    readsFiles ? await fileStep(tx, bill) : hiddenStep('payment_file'),
    await reversalStep(tx, bill),
  ]
}

async function membershipOf(tx: Tx, { client_id: clientId, id }: TrailedBill): Promise<Membership | null> {
  const { rows } =
    await sql<Membership>`select member.payment_batch_id, batch.is_global, member.vendor_payment_id, member.amount_paid, member.difference_reason,
      member.created_at as added_at, ${nameOfUser('adder')} as added_by, payment.payment_date, payment.check_number, coalesce(batch.paid_as, batch.payment_method) as method,
      payer.name as paid_by, payer.at as paid_at
    from payment_batch_bills member join payment_batches batch on batch.client_id = ${clientId} and batch.id = member.payment_batch_id
    join vendor_payments payment on payment.client_id = ${clientId} and payment.id = member.vendor_payment_id
    left join users adder on adder.id = member.created_by
    left join lateral (select ${nameOfUser('person')} as name, record.created_at as at from audit_records record left join users person on person.id = record.user_id
      where record.client_id = ${clientId} and record.item_type = 'bill' and record.item_id = ${id} and record.object_changes->'paid'->>'to' = 'true'
      order by record.id desc limit 1) payer on true
    where member.client_id = ${clientId} and member.bill_id = ${id} and member.released_at is null`.execute(tx)
  return rows[0] ?? null
}

function paymentStep(bill: TrailedBill, member: Membership | null): TrailStep {
  const { client_id: clientId } = bill
  if (member === null) {
    if (bill.group_bill_id !== null)
      return step('vendor_payment', [
        fact('Paid with the bill of its group', { link: `/clients/${clientId}/bills/${bill.group_bill_id}/trail` }),
      ])
    return bill.paid
      ? step('vendor_payment', [fact('Marked as paid without a vendor payment')], {
          paid: bill.amount_paid,
          mark: 'broken',
          why: 'No payment names this bill',
        })
      : noStep('vendor_payment', 'In no vendor batch yet')
  }
  const link = member.is_global ? null : `/clients/${clientId}/payment_batches/${member.payment_batch_id}/vendor_payments`
  const name = `${paymentNumber(member.vendor_payment_id)} in ${member.is_global ? 'the global batch' : 'vendor batch'} ${member.payment_batch_id}`
  const facts = [
    fact(name, { at: member.added_at, by: member.added_by, link, amount: member.amount_paid }),
    ...(member.payment_date === null && member.check_number === null ? [] : [fact(sentWords(member), { link })]),
    fact(bill.paid ? 'Paid' : 'Not paid yet', { at: bill.paid ? member.paid_at : null, by: bill.paid ? member.paid_by : null, link }),
  ]
  return step('vendor_payment', facts, { paid: bill.paid ? member.amount_paid : null, ...markOf(bill, member) })
}

const sentWords = ({ method, payment_date: day, check_number: number }: Membership): string =>
  [method, number, day === null ? null : formatDate(day)].filter((part) => part !== null).join(', ')

/** The amount paid must equal the amount due and the bill's own `amount_paid`; a different amount needs a reason. A member of a group has one where its group's bill pays. */
function markOf(bill: TrailedBill, { amount_paid: amount, difference_reason: reason }: Membership): Pick<TrailStep, 'mark' | 'why'> {
  if (bill.paid && bill.amount_paid !== amount)
    return { mark: 'broken', why: `The bill says ${formatMoney(bill.amount_paid ?? '0.00')}, its payment ${formatMoney(amount)}` }
  if (amount === bill.amount_due) return { mark: bill.paid ? 'equal' : null, why: null }
  if (bill.group_bill_id !== null && amount === '0.00') return { mark: 'explained', why: 'Paid with the bill of its group' }
  const words = `${formatMoney(bill.amount_due)} are due and ${formatMoney(amount)} ${bill.paid ? 'are paid' : 'are to be paid'}`
  const label = differenceReasons.find(({ value }) => value === reason)?.label
  return label === undefined ? { mark: 'broken', why: `${words}; nobody said why` } : { mark: 'explained', why: `${words}: ${label}` }
}

async function approvalStep(tx: Tx, { client_id: clientId }: TrailedBill, { payment_batch_id: batchId }: Membership): Promise<TrailStep> {
  const { rows } = await sql<{
    kind: string
    step_name: string | null
    comment: string | null
    total: string
    at: string
    by: string | null
    ended_why: string | null
  }>`
    select event.kind, event.step_name, event.comment, event.total, event.created_at as at, ${nameOfUser('author')} as by, event.ended_why
    from payment_batch_approvals event left join users author on author.id = event.user_id
    where event.client_id = ${clientId} and event.payment_batch_id = ${batchId} order by event.id limit ${trailFactsMax}`.execute(tx)
  if (rows.length === 0) return noStep('approval', 'No approval was asked for')
  const link = `/clients/${clientId}/payment_batches/${batchId}/approval`
  return step(
    'approval',
    rows.map(({ kind, step_name, comment, total, at, by, ended_why }) => {
      const text = [
        [kindWords[kind] ?? kind, step_name].filter(Boolean).join(' '),
        comment,
        ended_why === null ? null : `no longer stands: ${ended_why}`,
      ]
      return fact(text.filter((part) => part !== null).join(' · '), { amount: total, at, by, link })
    }),
  )
}

const kindWords: Readonly<Record<string, string>> = {
  requested: 'Asked for',
  approved: 'Approved',
  rejected: 'Rejected',
  asked: 'Question',
  answered: 'Answer',
}
