/** The approval state of a vendor batch as SQL over `payment_batches`: computed from the steps and the approval rows, never stored. */
import type { ApprovalState } from '#contract/payment-batches/payment-approval.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

/** The amount that a batch pays now. */
export const approvalTotal = sql`(select coalesce(sum(member.amount_paid), 0)::numeric(14,2) from payment_batch_bills member
  where member.client_id = payment_batches.client_id and member.payment_batch_id = payment_batches.id and member.released_at is null)`

/**
 * `approval` counts the steps that the total needs and the approved ones; `said` holds which events are in force: rejected, requested, held by a
 * question.
 */
export const approvalJoins = {
  approval: sql`left join lateral (select count(*)::int as needed, (count(*) filter (where exists (select 1 from payment_batch_approvals given
      where given.client_id = payment_batches.client_id and given.payment_batch_id = payment_batches.id and given.step_id = step.id
        and given.kind = 'approved' and given.ended_at is null)))::int as given
    from payment_approval_steps step where step.client_id = payment_batches.client_id and step.above_amount < ${approvalTotal}) approval on true`,
  said: sql`left join lateral (select coalesce(bool_or(kind = 'rejected'), false) as rejected, coalesce(bool_or(kind = 'requested'), false) as requested,
      coalesce((array_agg(kind order by id desc) filter (where kind in ('asked', 'answered', 'approved')))[1] = 'asked', false) as held
    from payment_batch_approvals event where event.client_id = payment_batches.client_id and event.payment_batch_id = payment_batches.id
      and event.ended_at is null) said on true`,
}

export const approvalStateColumn = sql<ApprovalState>`case when approval.needed = 0 or (payment_batches.is_paid and approval.given < approval.needed) then 'not_needed'
  when said.rejected then 'rejected' when not said.requested then 'needed' when approval.given >= approval.needed then 'approved'
  when said.held then 'held' else 'waiting' end`

export interface ApprovalStanding {
  readonly state: ApprovalState
  readonly needed: number
  readonly given: number
  readonly total: string
  readonly created_by: number | null
  readonly one_person: boolean
}

/** Returns the current approval state; if the transaction has locked the batch, it cannot change. */
export async function approvalStanding(tx: Tx, clientId: number, batchId: number): Promise<ApprovalStanding> {
  const { rows } =
    await sql<ApprovalStanding>`select ${approvalStateColumn} as state, approval.needed, approval.given, ${approvalTotal} as total,
      payment_batches.created_by, coalesce((select one_person from client_payment_settings where client_id = ${clientId}), false) as one_person
    from payment_batches ${approvalJoins.approval} ${approvalJoins.said}
    where payment_batches.client_id = ${clientId} and payment_batches.id = ${batchId}`.execute(tx)
  const [standing] = rows
  if (!standing) throw new Error(`vendor batch ${batchId} of client ${clientId} is gone`)
  return standing
}
