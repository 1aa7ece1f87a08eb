/**
 * The actions of an approval: request, approval step by step, rejection, question, and revocation by a change. Each is a row that is never
 * changed.
 */
import { formatMoney } from '#contract/kernel/money.ts'
import type { ApprovalDraft } from '#contract/payment-batches/payment-approval.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { LiveMessage } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { coolDownDays } from '../access/access.ts'
import { forbidden, invalid, notApart, refused } from '../kernel/problem.ts'
import { ownDuties, undecidedVendor } from './approval-duties.ts'
import { approvalStanding, type ApprovalStanding } from './approval-state.ts'
import { hasWeakenedSteps } from './weakened-steps.ts'

/** The batch being approved; the caller's transaction holds its lock. */
export interface ApprovedBatch {
  readonly id: number
  readonly client_id: number
  readonly payer_name: string
  readonly closed: boolean
}

/**
 * Requests approval, or answers an approver's question. Throws 409 if there is nothing to request.
 * @returns the message.
 */
export async function requestApproval(context: Context, batch: ApprovedBatch, comment: string | null): Promise<string> {
  const standing = await approvalStanding(context.tx, batch.client_id, batch.id)
  if (batch.closed) throw refused('This vendor batch is closed.')
  if (standing.state === 'not_needed') throw refused('This vendor batch needs no approval.')
  if (standing.state === 'approved') throw refused('This vendor batch is approved already.')
  if (standing.state === 'waiting') throw refused('This vendor batch waits for approval already.')
  if (standing.state === 'held') {
    if (comment === null) throw invalid({ comment: ['Comment is required'] })
    await note(context, batch, { kind: 'answered', comment, total: standing.total })
    await tellStep(context, batch, standing, `${context.principal.email} answered what was asked of`)
    return 'Answer sent'
  }
  await endWhatStands(context, batch, 'Asked for again')
  await note(context, batch, { kind: 'requested', comment, total: standing.total })
  await tellStep(context, batch, standing, 'For approval:')
  return 'Approval requested'
}

/**
 * Approves the current step, rejects the batch, or asks a question. Throws 403 and 409 with the reason.
 * @returns the message.
 */
export async function decideApproval(context: Context, batch: ApprovedBatch, sent: ApprovalDraft): Promise<string> {
  const standing = await approvalStanding(context.tx, batch.client_id, batch.id)
  if (standing.total !== sent.total)
    throw refused(`The total is ${formatMoney(standing.total)} by now, and you were shown ${formatMoney(sent.total)}. Please look again.`)
  const standingOf = await approverStanding(context.tx, batch, standing, context.principal.user_id)
  const { step, alone_because: alone, isNamed, why_not: why } = standingOf
  if (why !== null && step !== null && !isNamed) throw forbidden(why)
  if (why !== null && standingOf.apart) throw notApart(why)
  if (why !== null || step === null) throw refused(why ?? 'No step of this vendor batch waits.')
  const comment = sent.comment ?? null
  if (sent.act === 'approve') {
    if (alone !== null) mustBeTyped(sent.confirmation, standing.total)
    await note(context, batch, { kind: 'approved', step, comment, total: standing.total, alone: alone !== null })
    const left = standing.needed - standing.given - 1
    if (left > 0) await tellStep(context, batch, standing, 'For approval:')
    else await tellRequester(context, batch, 'success', 'is approved', comment)
    return left > 0 ? `${step.name} approved, ${left} more` : 'Vendor Batch approved'
  }
  await tellRequester(context, batch, 'warning', sent.act === 'ask' ? 'is held by a question' : 'was rejected', comment)
  if (sent.act === 'reject') await endWhatStands(context, batch, 'Rejected')
  await note(context, batch, { kind: sent.act === 'ask' ? 'asked' : 'rejected', comment, total: standing.total })
  return sent.act === 'ask' ? 'Question asked' : 'Vendor Batch rejected'
}

/** Compares the typed total, with or without the dollar sign and commas. */
function mustBeTyped(typed: string | null | undefined, total: string): void {
  if ((typed ?? '').replaceAll(/[$,\s]/g, '') !== total) throw invalid({ confirmation: [`Type the total, ${total}, to confirm`] })
}

export interface ApproverStanding {
  /** The current step. */
  readonly step: Step | null
  readonly isNamed: boolean
  readonly why_not: string | null
  /** True if the reason is that a second person is needed. */
  readonly apart: boolean
  readonly alone_because: string | null
}

interface Step {
  readonly id: number
  readonly name: string
  readonly approver_ids: readonly number[]
}

/** Returns whether this user may decide now, and if not, why. */
export async function approverStanding(
  tx: Tx,
  batch: Pick<ApprovedBatch, 'id' | 'client_id' | 'closed'>,
  standing: ApprovalStanding,
  userId: number,
): Promise<ApproverStanding> {
  const step = await nextStep(tx, batch, standing.total)
  const isNamed = step?.approver_ids.includes(userId) ?? false
  const no = (why_not: string, apart = false): ApproverStanding => ({ step, isNamed, why_not, apart, alone_because: null })
  if (batch.closed) return no('This vendor batch is closed.')
  if (standing.state === 'not_needed') return no('This vendor batch needs no approval.')
  if (standing.state === 'approved') return no('This vendor batch is approved already.')
  if (step === null || !isNamed)
    return no(step === null ? 'No step of this vendor batch waits.' : `You are not named for the step ${step.name}.`)
  if (standing.state === 'needed') return no('Nobody has asked for the approval of this vendor batch yet.')
  if (standing.state === 'rejected') return no('This vendor batch was rejected. It has to be asked for again.')
  if (await hasApproved(tx, batch, userId)) return no('You approved an earlier step; this one takes somebody else.', true)
  const duties = await ownDuties(tx, batch.client_id, batch.id, userId)
  if (duties.length === 0) return { step, isNamed, why_not: null, apart: false, alone_because: null }
  if (!standing.one_person) return no(`${duties.join('. ')}. Somebody else has to approve it.`, true)
  return { step, isNamed, why_not: null, apart: false, alone_because: `${duties.join('. ')}.` }
}

/** Returns the first step that the total needs and nobody has approved. */
async function nextStep(tx: Tx, { client_id: clientId, id }: Pick<ApprovedBatch, 'id' | 'client_id'>, total: string): Promise<Step | null> {
  const { rows } = await sql<Step>`select step.id, step.name, step.approver_ids from payment_approval_steps step
    where step.client_id = ${clientId} and step.above_amount < ${total}::numeric and not exists (select 1 from payment_batch_approvals given
      where given.client_id = ${clientId} and given.payment_batch_id = ${id} and given.step_id = step.id and given.kind = 'approved' and given.ended_at is null)
    order by step.position limit 1`.execute(tx)
  return rows[0] ?? null
}

async function hasApproved(tx: Tx, { client_id: clientId, id }: Pick<ApprovedBatch, 'id' | 'client_id'>, userId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from payment_batch_approvals where client_id = ${clientId} and payment_batch_id = ${id} and user_id = ${userId}
    and kind = 'approved' and ended_at is null`.execute(tx)
  return rows.length > 0
}

interface Noted {
  readonly kind: 'requested' | 'approved' | 'rejected' | 'asked' | 'answered'
  readonly step?: Step
  readonly comment: string | null
  readonly total: string
  readonly alone?: boolean
}

async function note(context: Context, batch: ApprovedBatch, { kind, step, comment, total, alone = false }: Noted): Promise<void> {
  await sql`insert into payment_batch_approvals (client_id, payment_batch_id, kind, step_id, step_name, user_id, comment, total, alone, created_at)
    values (${batch.client_id}, ${batch.id}, ${kind}, ${step?.id ?? null}::bigint, ${step?.name ?? null}::text, ${context.principal.user_id}, ${comment}::text,
      ${total}::numeric, ${alone}, ${now()})`.execute(context.tx)
  const said = [kind, step?.name, total, alone ? 'alone, by typing the total' : undefined, comment ?? undefined].filter(
    (part) => part !== undefined,
  )
  await context.audit.updated('payment_batch', batch.id, batch.client_id, { approval: { from: null, to: said.join(' · ') } })
}

/**
 * Ends the current request and approvals, with the reason.
 * @returns whether there were any.
 */
async function endWhatStands(
  context: Context,
  { id, client_id: clientId }: Pick<ApprovedBatch, 'id' | 'client_id'>,
  why: string,
): Promise<number[]> {
  const { rows } = await sql<{
    kind: string
    user_id: number
  }>`update payment_batch_approvals set ended_at = ${now()}, ended_by = ${context.principal.user_id}, ended_why = ${why}
    where client_id = ${clientId} and payment_batch_id = ${id} and ended_at is null returning kind, user_id`.execute(context.tx)
  return rows.filter(({ kind }) => kind === 'approved').map(({ user_id }) => user_id)
}

/** Revokes approvals and requests after a change of bills or amounts; the approvers are notified. */
export async function takeBackApprovals(
  context: Context,
  batch: { readonly id: number; readonly client_id: number },
  why: string,
): Promise<void> {
  const { rows } = await sql`select 1 from payment_batch_approvals where client_id = ${batch.client_id} and payment_batch_id = ${batch.id}
    and ended_at is null limit 1`.execute(context.tx)
  if (rows.length === 0) return
  const approvers = await endWhatStands(context, batch, why)
  await context.audit.updated('payment_batch', batch.id, batch.client_id, { approval: { from: 'standing', to: `taken back · ${why}` } })
  await tell(context, approvers, {
    notification_type: 'warning',
    message: `Your approval of vendor batch ${batch.id} was taken back`,
    description: [`${why}, by ${context.principal.email}.`],
    ...linked(batch),
  })
}

/** Throws 409 with the reason if the batch may not be paid yet, or not by this user. `typed` is the total, if one user works alone. */
export async function mustBeApproved(
  context: Context,
  batch: { readonly id: number; readonly client_id: number },
  typed: string | null | undefined,
): Promise<void> {
  const { tx, principal } = context
  const { state, needed, given, one_person: alone, total } = await approvalStanding(tx, batch.client_id, batch.id)
  if (state !== 'not_needed' && state !== 'approved') throw refused(unapprovedText(state, given, needed))
  if (!alone && (await hasWeakenedSteps(tx, batch.client_id, principal.user_id)))
    throw notApart(`You weakened the approval of this client within ${coolDownDays} days. Somebody else has to pay its vendor batches.`)
  const vendor = await undecidedVendor(tx, batch.client_id, batch.id, principal.user_id)
  if (vendor === null) return
  if (!alone) throw notApart(`You asked for new bank details of ${vendor}. Somebody else has to decide on them before you pay it.`)
  mustBeTyped(typed, total)
  await context.audit.updated('payment_batch', batch.id, batch.client_id, {
    paid_alone: { from: null, to: `asked for new bank details of ${vendor}, and typed the total` },
  })
}

function unapprovedText(state: string, given: number, needed: number): string {
  if (state === 'rejected') return 'This vendor batch was rejected. It has to be approved before it is paid.'
  if (state === 'held') return 'An approver has asked something about this vendor batch. It has to be approved before it is paid.'
  return `This vendor batch has ${given} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}. It has to be approved before it is paid.`
}

/** Notifies the approvers of the current step, except the acting user. */
async function tellStep(context: Context, batch: ApprovedBatch, { total }: Pick<ApprovalStanding, 'total'>, words: string): Promise<void> {
  const step = await nextStep(context.tx, batch, total)
  await tell(context, step?.approver_ids ?? [], {
    notification_type: 'info',
    message: `${words} ${formatMoney(total)} of ${batch.payer_name}`,
    description: [`Vendor batch ${batch.id}, step ${step?.name ?? ''}. ${context.principal.email} asked for it.`],
    ...linked(batch),
  })
}

/** Notifies the user who requested the current approval, and the maker of the batch. */
async function tellRequester(
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

const linked = ({ id, client_id: clientId }: { readonly id: number; readonly client_id: number }) => ({
  type: 'payment_approval',
  link: `/clients/${clientId}/payment_batches/${id}/approval`,
})

/** Locks users in id order, so that two notifications never deadlock. The acting user and deleted users are not notified. */
async function tell(context: Context, userIds: readonly number[], message: LiveMessage): Promise<void> {
  const others = userIds.filter((id) => id !== context.principal.user_id)
  if (others.length === 0) return
  const { rows } = await sql<{
    id: number
  }>`select id from users where id = any(${others}::bigint[]) and status = 'active' order by id`.execute(context.tx)
  for (const { id: userId } of rows) await context.machinery.live.tell(context.tx, { userId, connectionId: null }, message)
}
