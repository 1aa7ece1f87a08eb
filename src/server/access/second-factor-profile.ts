/** One's own second factor: set up, new recovery codes, switched off. Each needs a recent password; each is mailed. */
import { secondFactorCalls } from '#contract/access/second-factor.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Changes } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import type { Letter } from '../kernel/work/mail-letter.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { tellMailboxes } from './former-emails.ts'
import { factorRemovedLetter, factorSetLetter, recoveryCodesRenewedLetter } from './letters.ts'
import { endSignIns } from './password-changes.ts'
import { ownTransaction } from './own-transaction.ts'
import { mustBeProven } from './proof.ts'
import { useCode } from './second-factor-steps.ts'
import {
  beginFactor,
  confirmFactor,
  deleteApp,
  deleteFactors,
  factorDueAt,
  factorState,
  hasSecondFactor,
  lockPerson,
  renewRecoveryCodes,
  type FactorRules,
} from './second-factors.ts'
import { clearFailures } from './sign-in-brake.ts'
import { otpauthUri } from './totp.ts'

export const isOn: Changes = { second_factor: { from: 'off', to: 'on' } }
const isOff: Changes = { second_factor: { from: 'on', to: 'off' } }
const isRenewed: Changes = { recovery_codes: { from: null, to: 'renewed' } }

export function ownFactorHandlers(rules: FactorRules): readonly Handler[] {
  return [
    handle(secondFactorCalls.get, async ({ tx, principal }) => ({ second_factor: await factorState(tx, principal.user_id, rules) })),
    ...changeHandlers,
    handle(secondFactorCalls.remove, (context, { body, http }) =>
      withCode(context, body.code, http.request, async (inside) => {
        await deleteApp(inside.tx, inside.principal.user_id)
        await mustStayGuarded(inside.tx, inside.principal.user_id, rules)
        await tell(inside, http.request, 'second_factor_removed', isOff, factorRemovedLetter('you'))
        return { success: true, message: 'Second factor switched off' }
      }),
    ),
  ]
}

/** After the removal of a factor: where a role requires one, the last stays, or the password alone would be enough to set up another. */
export async function mustStayGuarded(tx: Tx, userId: number, rules: FactorRules): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return
  if ((await factorDueAt(tx, userId, rules)) === null) return
  throw refused('Your role requires a second factor. Add another one before you remove the last.')
}

/** People who sign in by a provider have no password, and no factor beside it. */
export async function mustHavePassword({ tx, principal }: Context): Promise<void> {
  const { rows } = await sql`select from users where id = ${principal.user_id} and password_hash is not null`.execute(tx)
  if (rows.length === 0) throw refused('You sign in without a password: your provider asks for a second factor, if any.')
}

const changeHandlers: readonly Handler[] = [
  handle(secondFactorCalls.begin, async (context) => {
    await mustBeProven(context)
    const { tx, principal, machinery } = context
    await mustHavePassword(context)
    const secret = await beginFactor(tx, machinery.settings.secretKey, principal.user_id)
    if (secret === null) throw refused('You have a second factor. Switch it off before you set up another.')
    return { success: true, message: 'Add the key to your app, and enter a code', secret, uri: otpauthUri(secret, principal.email) }
  }),
  handle(secondFactorCalls.confirm, async (context, { body, http }) => {
    await mustBeProven(context)
    const { tx, principal, machinery } = context
    // A sign-in that has passed the password meanwhile waits for this lock, and then meets the factor.
    await lockPerson(tx, principal.user_id)
    const code = body.code.replaceAll(' ', '')
    if (!(await confirmFactor(tx, machinery.settings.secretKey, principal.user_id, code))) throw wrongFirstCode()
    const recovery_codes = await renewRecoveryCodes(tx, principal.user_id)
    // They were opened without it.
    await endSignIns(context, principal.user_id, principal.session_id)
    await tell(context, http.request, 'second_factor_set', isOn, factorSetLetter())
    return { success: true, message: 'Second factor set up', recovery_codes }
  }),
  handle(secondFactorCalls.renewCodes, (context, { body, http }) =>
    withCode(context, body.code, http.request, async (inside) => {
      const recovery_codes = await renewRecoveryCodes(inside.tx, inside.principal.user_id)
      await tell(inside, http.request, 'recovery_codes_renewed', isRenewed, recoveryCodesRenewedLetter())
      return { success: true, message: 'New recovery codes made', recovery_codes }
    }),
  ),
]

export const wrongFirstCode = () =>
  invalid({ code: ['This code is wrong. Check the time of your phone, and enter the code that it shows now'] })

/** Removes the app and the passkeys of somebody else, who is told. @returns false if none was in force. */
export async function removeFactorOf(context: Context, user: { id: number; email: string }, request: FastifyRequest): Promise<boolean> {
  await lockPerson(context.tx, user.id)
  if (!(await deleteFactors(context.tx, user.id))) return false
  noteEvent(request, 'second_factor_removed')
  await context.audit.updated('user', user.id, 0, isOff)
  await tellMailboxes(context, user.id, factorRemovedLetter('an administrator'), [user.email])
  return true
}

/** A wrong code is counted although its request is refused, so the work after a right one has a transaction of its own. */
async function withCode<T>(context: Context, code: string, request: FastifyRequest, work: (inside: Context) => Promise<T>): Promise<T> {
  await mustBeProven(context)
  const { principal } = context
  const { given } = await useCode(context, { id: principal.user_id, email: principal.email }, code, request)
  return ownTransaction(context, async (tx) => {
    await lockPerson(tx, principal.user_id)
    await clearFailures(tx, given)
    return { principal, work }
  })
}

type Told = 'second_factor_set' | 'second_factor_removed' | 'recovery_codes_renewed' | 'passkey_added' | 'passkey_removed'

/** The log, the trail and the person's mailboxes. */
export async function tell(context: Context, request: FastifyRequest, event: Told, changes: Changes, letter: Letter): Promise<void> {
  const { user_id: userId, email } = context.principal
  noteEvent(request, event)
  await context.audit.updated('user', userId, 0, changes)
  await tellMailboxes(context, userId, letter, [email])
}
