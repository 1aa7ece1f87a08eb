/** Whether a person may decide on the next step of an approval. */
import { sql } from 'kysely'
import { coolDownDays, tiedAmong } from '../access/access.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { ownDuties } from './approval-duties.ts'
import type { ApprovalStanding } from './approval-state.ts'

/** The batch being approved; the caller's transaction holds its lock. */
export interface ApprovedBatch {
  readonly id: number
  readonly client_id: number
  readonly payer_name: string
  readonly closed: boolean
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

export interface Step {
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
  const nothing = whyNothingToApprove(batch, standing)
  if (nothing !== null) return no(nothing)
  if (step === null || !isNamed) return no(step === null ? noStepWaits : `You are not named for the step ${step.name}.`)
  if (standing.state === 'needed') return no('Nobody has asked for the approval of this vendor batch yet.')
  if (standing.state === 'rejected') return no('This vendor batch was rejected. It has to be asked for again.')
  const earlier = await earlierApprovers(tx, batch)
  if (earlier.includes(userId)) return no('You approved an earlier step; this one takes somebody else.', true)
  if ((await tiedAmong(tx, userId, earlier)).length > 0)
    return no(`You count as one person with who approved an earlier step for ${coolDownDays} days; this one takes somebody else.`, true)
  const duties = await ownDuties(tx, batch.client_id, batch.id, userId)
  if (duties.length === 0) return { step, isNamed, why_not: null, apart: false, alone_because: null }
  if (!standing.one_person) return no(`${duties.join('. ')}. Somebody else has to approve it.`, true)
  return { step, isNamed, why_not: null, apart: false, alone_because: `${duties.join('. ')}.` }
}

export const noStepWaits = 'No step of this vendor batch waits.'

/** Returns why nothing of the batch can be approved or asked for; null if something can. */
export function whyNothingToApprove({ closed }: Pick<ApprovedBatch, 'closed'>, { state }: Pick<ApprovalStanding, 'state'>): string | null {
  if (closed) return 'This vendor batch is closed.'
  if (state === 'not_needed') return 'This vendor batch needs no approval.'
  return state === 'approved' ? 'This vendor batch is approved already.' : null
}

/** Returns the first step that the total needs and nobody has approved. */
export async function nextStep(
  tx: Tx,
  { client_id: clientId, id }: Pick<ApprovedBatch, 'id' | 'client_id'>,
  total: string,
): Promise<Step | null> {
  const { rows } = await sql<Step>`select step.id, step.name, step.approver_ids from payment_approval_steps step
    where step.client_id = ${clientId} and step.above_amount < ${total}::numeric and not exists (select 1 from payment_batch_approvals given
      where given.client_id = ${clientId} and given.payment_batch_id = ${id} and given.step_id = step.id and given.kind = 'approved' and given.ended_at is null)
    order by step.position limit 1`.execute(tx)
  return rows[0] ?? null
}

async function earlierApprovers(tx: Tx, { client_id: clientId, id }: Pick<ApprovedBatch, 'id' | 'client_id'>): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`select user_id from payment_batch_approvals
    where client_id = ${clientId} and payment_batch_id = ${id} and kind = 'approved' and ended_at is null order by id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}
