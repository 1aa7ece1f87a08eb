/**
 * The actions of an approval: request, approval step by step, rejection, question, and revocation by a change. Each is a row that is never
 * changed.
 */
import { formatMoney } from '#contract/kernel/money.ts'
import type { ApprovalDraft } from '#contract/payment-batches/payment-approval.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { coolDownDays, mustBeProven, tiedAmong } from '../access/access.ts'
import { forbidden, invalid, notApart, paymentChanged, refused } from '../kernel/problem.ts'
import { undecidedVendor } from './approval-duties.ts'
import { approvalStanding } from './approval-state.ts'
import { weakenersOf } from './weakened-steps.ts'
import { type ApprovedBatch, approverStanding, type Step, noStepWaits, whyNothingToApprove } from './approver-standing.ts'
import { tellStep, tellRequester, tell, linked } from './notify-approvers.ts'

/**
 * Requests approval, or answers an approver's question. Throws 409 if there is nothing to request.
 * @returns the message.
 */
export async function requestApproval(context: Context, batch: ApprovedBatch, comment: string | null): Promise<string> {
  const standing = await approvalStanding(context.tx, batch.client_id, batch.id)
  const nothing = whyNothingToApprove(batch, standing)
  if (nothing !== null) throw refused(nothing)
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
    throw paymentChanged(
      `The total is ${formatMoney(standing.total)} by now, and you were shown ${formatMoney(sent.total)}. Please look again.`,
    )
  const standingOf = await approverStanding(context.tx, batch, standing, context.principal.user_id)
  const { step, alone_because: alone, isNamed, why_not: why } = standingOf
  if (why !== null && step !== null && !isNamed) throw forbidden(why)
  if (why !== null && standingOf.apart) throw notApart(why)
  if (why !== null || step === null) throw refused(why ?? noStepWaits)
  const comment = sent.comment ?? null
  if (sent.act === 'approve') {
    if (alone !== null) mustBeTyped(sent.confirmation, standing.total)
    await mustBeProven(context)
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
  if (state !== 'not_needed' && state !== 'approved') {
    const why = unapprovedText(state, given, needed)
    throw (await wasApproved(context, batch)) ? paymentChanged(why) : refused(why)
  }
  const weakeners = alone ? [] : await weakenersOf(tx, batch.client_id)
  if ((await tiedAmong(tx, principal.user_id, weakeners)).length > 0)
    throw notApart(
      `${whoIs(principal.user_id, ...weakeners)} weakened the approval of this client within ${coolDownDays} days. Somebody else has to pay its vendor batches.`,
    )
  const vendor = await undecidedVendor(tx, batch.client_id, batch.id, principal.user_id)
  if (vendor === null) return
  if (!alone)
    throw notApart(
      `${whoIs(principal.user_id, vendor.requested_by)} asked for new bank details of ${vendor.name}. Somebody else has to decide on them before you pay it.`,
    )
  mustBeTyped(typed, total)
  await context.audit.updated('payment_batch', batch.id, batch.client_id, {
    paid_alone: { from: null, to: `asked for new bank details of ${vendor.name}, and typed the total` },
  })
}

/** Whether approvals were taken back, which a change of its bills or amounts does. */
async function wasApproved({ tx }: Context, { id, client_id }: { readonly id: number; readonly client_id: number }): Promise<boolean> {
  const { rows } = await sql`select from payment_batch_approvals where client_id = ${client_id} and payment_batch_id = ${id}
    and kind = 'approved' and ended_at is not null limit 1`.execute(tx)
  return rows.length > 0
}

const whoIs = (userId: number, ...actors: readonly number[]): string =>
  actors.includes(userId) ? 'You' : 'Somebody who counts as one person with you'

function unapprovedText(state: string, given: number, needed: number): string {
  if (state === 'rejected') return 'This vendor batch was rejected. It has to be approved before it is paid.'
  if (state === 'held') return 'An approver has asked something about this vendor batch. It has to be approved before it is paid.'
  return `This vendor batch has ${given} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}. It has to be approved before it is paid.`
}
