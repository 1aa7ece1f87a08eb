/** The approval settings of a client's vendor batches: steps, each with the total from which it is needed and its approvers. */
import { z } from 'zod'
import { call, draftBody, oneReply, writeReply } from '../kernel/call.ts'
import { compareDecimals } from '../kernel/decimal.ts'
import { boolean, defaulted, derived, entity, helped, list, ref, text, type Draft, type Row } from '../kernel/entity.ts'

export const approvalStepsMax = 5
export const approversMax = 20

/** `approver_names` are returned in the order of the ids, and ignored when sent. */
const approvalStep = z.strictObject({
  id: z.int('Step must be an id').positive('Step must be an id').optional(),
  name: text('Step', 60).schema,
  above_amount: z.string('Above must be an amount').regex(/^\d{1,8}(\.\d{1,2})?$/, 'Above must be an amount from 0 to 99,999,999.99'),
  approver_ids: z
    .array(z.int('Approver must be an id').positive('Approver must be an id'), 'Approvers must be a list')
    .min(1, 'A step needs an approver')
    .max(approversMax, `A step has at most ${approversMax} approvers`),
  approver_names: z.array(z.string()).optional(),
})
export type ApprovalStep = z.infer<typeof approvalStep>

export const paymentSetting = entity(
  'payment_setting',
  'payment_settings',
  {
    approval_steps: list(
      'Approval Steps',
      z.array(approvalStep, 'Approval Steps must be a list').max(approvalStepsMax, `Approval Steps must be at most ${approvalStepsMax}`),
    ),
    one_person: helped(
      defaulted(boolean('One Person Alone'), false),
      'One person enters, approves and pays. Where duties would be apart, the total must be typed, and that is written down.',
    ),
    client_id: derived(ref('Client', 'clients')),
  },
  { filter: ['id'], sort: ['id'], defaultSort: 'id asc' },
)
export type PaymentSetting = Row<typeof paymentSetting>
export type PaymentSettingDraft = Draft<typeof paymentSetting>

/** Returns the reason these steps cannot be stored, or null. Each user approves at most one step, so that two steps are two users. */
export function stepsFault(steps: readonly Pick<ApprovalStep, 'name' | 'above_amount' | 'approver_ids'>[]): string | null {
  const seen = new Map<number, string>()
  let least = 0
  for (const { name, above_amount, approver_ids } of steps) {
    if (Number(above_amount) < least) return `${name} begins below the step before it`
    least = Number(above_amount)
    for (const id of approver_ids) {
      const other = seen.get(id)
      if (other !== undefined)
        return other === name ? `${name} names a person twice` : `One person approves one step: ${other} and ${name} name the same`
      seen.set(id, name)
    }
  }
  return null
}

/** Approval steps as the audit log stores them. */
export const storedSteps = z.array(z.object({ id: z.int().optional(), above_amount: z.string(), approver_ids: z.array(z.int()) }))
type ComparedStep = z.infer<typeof storedSteps>[number]

/** True if a step is gone, begins above a higher amount, or has other approvers. Somebody who pays could otherwise take the approval away. */
export function isWeaker(steps: readonly ComparedStep[], before: readonly ComparedStep[]): boolean {
  const sent = new Map(steps.map((step) => [step.id, step]))
  return before.some((old) => {
    const step = sent.get(old.id)
    if (step === undefined) return true
    const named = new Set(step.approver_ids)
    return (
      compareDecimals(step.above_amount, old.above_amount) > 0 ||
      named.size !== new Set(old.approver_ids).size ||
      old.approver_ids.some((id) => !named.has(id))
    )
  })
}

const path = '/clients/:client_id/payment_settings'

/** One record for each client: it is read and changed, never created or deleted. Its id is the client's. */
export const paymentSettingCalls = {
  get: call({
    name: 'payment_settings.get',
    method: 'GET',
    path,
    may: 'payment_batch.read',
    summary: 'Reads how the vendor batches of a client are approved',
    reply: oneReply('payment_setting', paymentSetting.row),
  }),
  update: call({
    name: 'payment_settings.update',
    method: 'PATCH',
    path,
    may: 'client.update',
    summary: 'Changes how the vendor batches of a client are approved',
    body: draftBody('payment_setting', paymentSetting.patch),
    reply: writeReply('payment_setting', paymentSetting.row),
  }),
  approvers: call({
    name: 'payment_settings.approvers',
    method: 'GET',
    path: `${path}/approvers`,
    may: 'client.update',
    summary: 'The people who may be named as approvers of a client’s vendor batches',
    reply: z.object({ approvers: z.array(z.object({ id: z.int(), name: z.string(), email: z.string() })) }),
  }),
}
