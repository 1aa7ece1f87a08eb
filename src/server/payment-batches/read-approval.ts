/**
 * Reads what an approver sees of a vendor batch: its steps, its approval events, its payments with their unusual marks, and its largest bills.
 */
import { largestBillsMax, unusualMarks, type BatchApproval, type UnusualMark } from '#contract/payment-batches/payment-approval.ts'
import { bankChangeShownDays } from '#contract/vendors/vendor-bank-change.ts'
import { sql } from 'kysely'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { approvalStanding } from './approval-state.ts'
import { approverStanding, type ApprovedBatch } from './approver-standing.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

/** A payment of the same amount within this many days may be a duplicate. */
const SAME_AMOUNT_DAYS = 45
const YEAR_DAYS = 365
const DAY_MS = 86_400_000
/** Most payments on the page, the largest first; all are in the total. */
const PAYMENTS_MAX = 500

export async function readApproval({ tx, principal }: Context, batch: ApprovedBatch): Promise<BatchApproval> {
  const { client_id: clientId, id } = batch
  const standing = await approvalStanding(tx, clientId, id)
  const { why_not, alone_because } = await approverStanding(tx, batch, standing, principal.user_id)
  return {
    state: standing.state,
    needed: standing.needed,
    given: standing.given,
    total: standing.total,
    steps: await readSteps(tx, clientId, id, standing.total),
    events: await readEvents(tx, clientId, id),
    payments: await readPayments(tx, clientId, id),
    largest: await readLargest(tx, clientId, id),
    may_approve: why_not === null,
    why_not,
    alone_because,
  }
}

async function readSteps(tx: Tx, clientId: number, id: number, total: string): Promise<BatchApproval['steps']> {
  const { rows } = await sql<
    BatchApproval['steps'][number]
  >`select step.id, step.name, step.above_amount, step.above_amount < ${total}::numeric as needed,
      array(select coalesce(${nameOfUser('person')}, 'somebody who is gone') from unnest(step.approver_ids) with ordinality as named(id, place)
        left join users person on person.id = named.id order by named.place) as approver_names,
      ${nameOfUser('approver')} as approved_by_name, given.created_at as approved_at
    from payment_approval_steps step
    left join payment_batch_approvals given on given.client_id = ${clientId} and given.payment_batch_id = ${id} and given.step_id = step.id
      and given.kind = 'approved' and given.ended_at is null
    left join users approver on approver.id = given.user_id
    where step.client_id = ${clientId} order by step.position`.execute(tx)
  return rows
}

/** Returns the approval events, the newest last. */
async function readEvents(tx: Tx, clientId: number, id: number): Promise<BatchApproval['events']> {
  const { rows } = await sql<
    BatchApproval['events'][number]
  >`select event.id, event.kind, event.step_name, ${nameOfUser('author')} as user_name, event.comment,
      event.total, event.alone, event.created_at, event.ended_at, event.ended_why
    from payment_batch_approvals event left join users author on author.id = event.user_id
    where event.client_id = ${clientId} and event.payment_batch_id = ${id} order by event.id`.execute(tx)
  return rows
}

type MarkedPayment = Omit<BatchApproval['payments'][number], 'marks'> & Readonly<Record<UnusualMark, boolean>>

/** Returns the batch's payments, compared with the client's earlier payments to the same vendors: paid ones of other batches. */
async function readPayments(tx: Tx, clientId: number, id: number): Promise<BatchApproval['payments']> {
  const since = new Date(now().getTime() - bankChangeShownDays * DAY_MS)
  const { rows } = await sql<MarkedPayment>`
    with mine as (select member.vendor_payment_id as id, sum(member.amount_paid)::numeric(14,2) as amount, count(*)::int as bill_count,
        bool_or(member.amount_paid <> bills.amount_due) as differs, bool_or(bills.open_errors > 0) as flagged,
        bool_or(bills.due_date < ${today()}::date and not bills.paid) as late
      from payment_batch_bills member join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null group by member.vendor_payment_id),
    named as (select mine.*, payment.vendor_id, coalesce(payment.payment_date, batch.batch_date) as day from mine
      join vendor_payments payment on payment.client_id = ${clientId} and payment.id = mine.id
      join payment_batches batch on batch.client_id = ${clientId} and batch.id = ${id}),
    earlier as (select payment.vendor_id, payment.id, coalesce(payment.payment_date, batch.batch_date) as day, sum(member.amount_paid)::numeric(14,2) as amount
      from vendor_payments payment join payment_batches batch on batch.client_id = ${clientId} and batch.id = payment.payment_batch_id
      join payment_batch_bills member on member.client_id = ${clientId} and member.vendor_payment_id = payment.id and member.released_at is null
      join bills on bills.client_id = ${clientId} and bills.id = member.bill_id and (bills.paid or bills.finalized)
      where payment.client_id = ${clientId} and payment.payment_batch_id <> ${id} and payment.vendor_id in (select vendor_id from named)
      group by payment.vendor_id, payment.id, payment.payment_date, batch.batch_date)
    select named.id, vendors.name as vendor_name, named.bill_count, named.amount, last.day as last_date, last.amount as last_amount,
      last.id is null as first_payment,
      last.id is not null and named.amount > all (select earlier.amount from earlier where earlier.vendor_id = named.vendor_id
        and earlier.day > named.day - ${YEAR_DAYS}::int) as largest_in_year,
      exists (select 1 from earlier where earlier.vendor_id = named.vendor_id and earlier.amount = named.amount
        and abs(earlier.day - named.day) <= ${SAME_AMOUNT_DAYS}::int) as same_amount,
      coalesce(vendors.bank_changed_at > ${since}, false) as bank_changed,
      exists (select 1 from vendor_bank_changes change where change.vendor_id = vendors.id and change.state = 'waiting') as bank_waiting,
      named.differs, named.flagged, named.late
    from named join vendors on vendors.id = named.vendor_id
    left join lateral (select earlier.id, earlier.day, earlier.amount from earlier where earlier.vendor_id = named.vendor_id
      order by earlier.day desc, earlier.id desc limit 1) last on true
    order by named.amount desc, named.id limit ${PAYMENTS_MAX}`.execute(tx)
  return rows.map(({ id: payment, vendor_name, bill_count, amount, last_date, last_amount, ...marks }) => ({
    id: payment,
    vendor_name,
    bill_count,
    amount,
    last_date,
    last_amount,
    marks: unusualMarks.map(({ value }) => value).filter((mark) => marks[mark]),
  }))
}

async function readLargest(tx: Tx, clientId: number, id: number): Promise<BatchApproval['largest']> {
  const { rows } = await sql<
    BatchApproval['largest'][number]
  >`select bills.id, vendors.name as vendor_name, bills.account_number, facility.name as facility_name,
      bills.date, bills.due_date, bills.amount_due, member.amount_paid
    from payment_batch_bills member join bills on bills.client_id = ${clientId} and bills.id = member.bill_id
    join vendor_payments payment on payment.client_id = ${clientId} and payment.id = member.vendor_payment_id
    join vendors on vendors.id = payment.vendor_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
    where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null
    order by member.amount_paid desc, bills.id limit ${largestBillsMax}`.execute(tx)
  return rows
}
