/** Notifies those who may approve a batch, and who asked for it. */
import { formatMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { LiveMessage } from '../kernel/machinery.ts'
import type { ApprovalStanding } from './approval-state.ts'
import { type ApprovedBatch, nextStep } from './approver-standing.ts'

/** Notifies the approvers of the current step, except the acting user. */
export async function tellStep(
  context: Context,
  batch: ApprovedBatch,
  { total }: Pick<ApprovalStanding, 'total'>,
  words: string,
): Promise<void> {
  const step = await nextStep(context.tx, batch, total)
  await tell(context, step?.approver_ids ?? [], {
    notification_type: 'info',
    message: `${words} ${formatMoney(total)} of ${batch.payer_name}`,
    description: [`Vendor batch ${batch.id}, step ${step?.name ?? ''}. ${context.principal.email} asked for it.`],
    ...linked(batch),
  })
}

/** Notifies the user who requested the current approval, and the maker of the batch. */
export async function tellRequester(
  context: Context,
  batch: ApprovedBatch,
  notification_type: LiveMessage['notification_type'],
  words: string,
  comment: string | null,
): Promise<void> {
  const { rows } = await sql<{ user_id: number }>`select user_id from payment_batch_approvals where client_id = ${batch.client_id}
    and payment_batch_id = ${batch.id} and kind = 'requested' and ended_at is null`.execute(context.tx)
  await tell(
    context,
    rows.map(({ user_id }) => user_id),
    {
      notification_type,
      message: `Vendor batch ${batch.id} of ${batch.payer_name} ${words}`,
      description: [`By ${context.principal.email}.`, ...(comment === null ? [] : [comment])],
      ...linked(batch),
    },
  )
}

export const linked = ({ id, client_id: clientId }: { readonly id: number; readonly client_id: number }) => ({
  type: 'payment_approval',
  link: `/clients/${clientId}/payment_batches/${id}/approval`,
})

/** Locks users in id order, so that two notifications never deadlock. The acting user and deleted users are not notified. */
export async function tell(context: Context, userIds: readonly number[], message: LiveMessage): Promise<void> {
  const others = userIds.filter((id) => id !== context.principal.user_id)
  if (others.length === 0) return
  const { rows } = await sql<{
    id: number
  }>`select id from users where id = any(${others}::bigint[]) and status = 'active' order by id`.execute(context.tx)
  for (const { id: userId } of rows) await context.machinery.live.tell(context.tx, { userId, connectionId: null }, message)
}
