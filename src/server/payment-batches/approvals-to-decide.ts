/**
 * The vendor batches whose current step a user may decide now. The rules are those of `approverStanding`, for many batches at once; a test holds
 * the two together.
 */
import type { HomeApproval } from '#contract/home/home.ts'
import { sql } from 'kysely'
import { vendorBatchScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { ownDutiesOfAll } from './approval-duties.ts'
import { approvalJoins, approvalStateColumn, approvalTotal } from './approval-state.ts'

interface NamedFor extends HomeApproval {
  readonly one_person: boolean
}

/** Returns at most `most`, the one that has waited longest first. */
export async function approvalsToDecide(context: Context, clientId: number | undefined, most: number): Promise<HomeApproval[]> {
  const named = await batchesNamedFor(context, clientId)
  const duties = await ownDutiesOfAll(context.tx, named, context.principal.user_id)
  return named
    .filter(({ one_person }, place) => one_person || duties[place]?.length === 0)
    .slice(0, most)
    .map((row) => {
      const { one_person: _, ...shown } = row
      return shown
    })
}

/** The batches whose current step names the user, who has approved no earlier one. Few steps name one person, so they come first. */
async function batchesNamedFor({ tx, principal, reach }: Context, clientId: number | undefined): Promise<NamedFor[]> {
  const { rows } =
    await sql<NamedFor>`select payment_batches.id, payment_batches.client_id, client.name as client_name, coalesce(division.name, client.name) as payer_name,
      named.name as step_name, ${approvalTotal} as total, ${approvalStateColumn} = 'held' as held, ${nameOfUser('asker')} as requested_by_name, request.created_at as requested_at,
      (select count(*)::int from payment_batch_bills member where member.client_id = payment_batches.client_id and member.payment_batch_id = payment_batches.id
        and member.released_at is null) as bill_count,
      coalesce((select one_person from client_payment_settings settings where settings.client_id = payment_batches.client_id), false) as one_person
    from payment_approval_steps named
    join payment_batches on payment_batches.client_id = named.client_id and not payment_batches.closed and payment_batches.unbatched_at is null
      and not payment_batches.is_global
    join clients client on client.id = payment_batches.client_id
    left join divisions division on division.client_id = payment_batches.client_id and division.id = payment_batches.division_id
    join lateral (select event.user_id, event.created_at from payment_batch_approvals event where event.client_id = payment_batches.client_id
      and event.payment_batch_id = payment_batches.id and event.kind = 'requested' and event.ended_at is null order by event.id desc limit 1) request on true
    left join users asker on asker.id = request.user_id
    ${approvalJoins.approval} ${approvalJoins.said}
    where ${principal.user_id} = any(named.approver_ids) and ${scopeCondition({ scope: vendorBatchScope }, { reach, clientId })}
      and ${approvalStateColumn} in ('waiting', 'held')
      and named.id = (select step.id from payment_approval_steps step where step.client_id = payment_batches.client_id and step.above_amount < ${approvalTotal}
        and not exists (select from payment_batch_approvals given where given.client_id = payment_batches.client_id
          and given.payment_batch_id = payment_batches.id and given.step_id = step.id and given.kind = 'approved' and given.ended_at is null)
        order by step.position limit 1)
      and not exists (select from payment_batch_approvals own where own.client_id = payment_batches.client_id
        and own.payment_batch_id = payment_batches.id and own.user_id = ${principal.user_id} and own.kind = 'approved' and own.ended_at is null)
    order by request.created_at, payment_batches.id`.execute(tx)
  return rows
}
