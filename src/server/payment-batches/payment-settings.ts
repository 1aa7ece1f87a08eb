/** How a client's vendor batches are approved: one record per client, created by the first change, and its steps. */
import { permissionsOfRole, providerRoles, roleNames } from '#contract/access/rights.ts'
import {
  paymentSetting,
  paymentSettingCalls,
  isWeaker,
  stepsFault,
  type ApprovalStep,
  type PaymentSetting,
  type PaymentSettingDraft,
} from '#contract/payment-batches/payment-setting.ts'
import { sql, type RawBuilder } from 'kysely'
import { mustBeProven } from '../access/access.ts'
import { isWholeRole } from '../estate/estate.ts'
import { changesBetween } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { answerWrite } from '../kernel/lists/resource.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid, stale } from '../kernel/problem.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

/** Most users offered as approvers of a step; if there are more, the first by name. */
const CHOICES_MAX = 500

export const paymentSettingHandlers: readonly Handler[] = [
  handle(paymentSettingCalls.get, async ({ tx }, { params }) => ({ payment_setting: await readSettings(tx, params.client_id) })),
  handle(paymentSettingCalls.update, async (context, { params, body }) =>
    answerWrite(paymentSetting, 'updated', await saveSettings(context, params.client_id, body.payment_setting)),
  ),
  handle(paymentSettingCalls.approvers, async ({ tx }, { params }) => {
    const { rows } = await sql<{
      id: number
      name: string
      email: string
    }>`select users.id, ${nameOfUser('users')} as name, users.email from users
      where ${mayApprove(params.client_id)} order by name, users.id limit ${CHOICES_MAX}`.execute(tx)
    return { approvers: rows }
  }),
]

const approvingRoles = roleNames.filter((role) => permissionsOfRole(role).payment_batch?.includes('read'))

/** Active users who may read the client's vendor batches: one of their roles reaches the client as a whole. */
function mayApprove(clientId: number): RawBuilder<boolean> {
  return sql`users.status = 'active' and exists (
    select from user_roles held join roles on roles.id = held.role_id where held.user_id = users.id and roles.name = any(${approvingRoles}::text[])
      and ${isWholeRole('held')}
      and (exists (select from user_role_clients reached where reached.user_role_id = held.id and reached.client_id = ${clientId})
        or (roles.name = any(${providerRoles}::text[]) and not exists (select from user_role_clients reached where reached.user_role_id = held.id))
        or (roles.name = 'channel_partner_admin' and held.channel_partner_id = (select channel_partner_id from clients where id = ${clientId}))))`
}

/** Returns the current settings; a client that never changed them has no steps. */
async function readSettings(tx: Tx, clientId: number, lock = false): Promise<PaymentSetting> {
  const { rows } = await sql<{ one_person: boolean; lock_version: number }>`select one_person, lock_version from client_payment_settings
    where client_id = ${clientId} ${lock ? sql`for update` : sql``}`.execute(tx)
  const { one_person, lock_version } = rows[0] ?? { one_person: false, lock_version: 0 }
  const { rows: steps } = await sql<Required<ApprovalStep>>`select step.id, step.name, step.above_amount, step.approver_ids,
      array(select coalesce(${nameOfUser('person')}, 'somebody who is gone') from unnest(step.approver_ids) with ordinality as named(id, place)
        left join users person on person.id = named.id order by named.place) as approver_names
    from payment_approval_steps step where step.client_id = ${clientId} order by step.position`.execute(tx)
  return { id: clientId, client_id: clientId, approval_steps: steps, one_person, lock_version }
}

type Sent = Partial<PaymentSettingDraft> & { readonly lock_version?: number | undefined }

async function saveSettings(context: Context, clientId: number, { lock_version: version, ...sent }: Sent): Promise<PaymentSetting> {
  await sql`insert into client_payment_settings (client_id) values (${clientId}) on conflict (client_id) do nothing`.execute(context.tx)
  await mustBeProven(context)
  const before = await readSettings(context.tx, clientId, true)
  if (version !== undefined && version !== before.lock_version) throw stale(changesBetween({ ...before }, { ...sent }, Object.keys(sent)))
  await checkSettings(context, clientId, sent, before)
  await sql`update client_payment_settings set one_person = ${sent.one_person ?? before.one_person}, lock_version = lock_version + 1, updated_at = ${now()}
    where client_id = ${clientId}`.execute(context.tx)
  if (sent.approval_steps !== undefined) await storeSteps(context.tx, clientId, sent.approval_steps)
  const after = await readSettings(context.tx, clientId)
  await context.audit.updated(
    'payment_setting',
    clientId,
    clientId,
    changesBetween({ ...before }, { ...after }, ['approval_steps', 'one_person']),
  )
  context.touch(clientId)
  return after
}

async function checkSettings(
  context: Context,
  clientId: number,
  { approval_steps: steps, one_person }: Sent,
  before: PaymentSetting,
): Promise<void> {
  const isSuper = context.principal.grants.some(({ role }) => role === 'super_admin')
  if (one_person !== undefined && one_person !== before.one_person && !isSuper)
    throw invalid({ one_person: ['Only a super_admin decides that one person works alone'] })
  if (steps === undefined) return
  const fault = stepsFault(steps)
  if (fault !== null) throw invalid({ approval_steps: [fault] })
  const known = new Set(before.approval_steps.map(({ id }) => id))
  const ids = steps.flatMap(({ id }) => id ?? [])
  if (ids.some((id) => !known.has(id)) || new Set(ids).size < ids.length)
    throw invalid({ approval_steps: ['One of these steps is not there any more'] })
  if (!isSuper && isWeaker(steps, before.approval_steps))
    throw invalid({ approval_steps: ['Only a super_admin removes a step, raises its amount or changes its approvers'] })
  await checkApprovers(context.tx, clientId, steps, before)
}

/** Checks that new approvers may read the client's vendor batches. Existing ones stay. */
async function checkApprovers(tx: Tx, clientId: number, steps: readonly ApprovalStep[], before: PaymentSetting): Promise<void> {
  const named = new Set(before.approval_steps.flatMap(({ approver_ids }) => approver_ids))
  const added = [...new Set(steps.flatMap(({ approver_ids }) => approver_ids))].filter((id) => !named.has(id))
  const { rows } = await sql<{
    id: number
  }>`select users.id from users where users.id = any(${added}::bigint[]) and ${mayApprove(clientId)}`.execute(tx)
  if (rows.length < added.length)
    throw invalid({ approval_steps: ['One of these approvers does not read the vendor batches of this client'] })
}

/** Stores the whole list in its order. An existing step keeps its id, so that approvals under it still count. */
async function storeSteps(tx: Tx, clientId: number, steps: readonly ApprovalStep[]): Promise<void> {
  const kept = steps.flatMap(({ id }) => id ?? [])
  await sql`delete from payment_approval_steps where client_id = ${clientId} and not (id = any(${kept}::bigint[]))`.execute(tx)
  // Positions are unique: existing ones are moved out of the way first.
  await sql`update payment_approval_steps set position = -position - 1 where client_id = ${clientId}`.execute(tx)
  const rows = JSON.stringify(
    steps.map(({ id, name, above_amount, approver_ids }, position) => ({ id, name, above_amount, approver_ids, position })),
  )
  const sent = sql`jsonb_to_recordset(${rows}::jsonb) as sent(id bigint, name text, above_amount numeric(14,2), approver_ids bigint[], position int)`
  await sql`update payment_approval_steps step set name = sent.name, above_amount = sent.above_amount, approver_ids = sent.approver_ids, position = sent.position
    from ${sent} where step.client_id = ${clientId} and step.id = sent.id`.execute(tx)
  await sql`insert into payment_approval_steps (client_id, name, above_amount, approver_ids, position)
    select ${clientId}, sent.name, sent.above_amount, sent.approver_ids, sent.position from ${sent} where sent.id is null`.execute(tx)
}
