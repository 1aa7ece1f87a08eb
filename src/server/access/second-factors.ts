/**
 * The stored second factors: the app's sealed secret, its last accepted step, and hashed recovery codes, each spent in one statement; and
 * passkeys, which are a factor as the app is.
 */
import { createHash, randomBytes } from 'node:crypto'
import { recoveryCodeCount, type SecondFactorState } from '#contract/access/second-factor.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { openSecret, sealSecret } from '../kernel/secret.ts'
import { base32, newSecret, stepOf } from './totp.ts'

/** 120 bits are 24 letters: too many to guess also where somebody has the hashes. */
const recoveryCodeBytes = 15
const DAY_MS = 86_400_000
const place = (userId: number) => ({ table: 'second_factors', column: 'secret', id: userId })

interface FactorRow {
  secret_encrypted: Buffer
  confirmed_at: string | null
}

/** Whether a second factor of the row of `users` is in force. */
export const isGuarded = sql<boolean>`(exists (select from passkeys where passkeys.user_id = users.id)
  or exists (select from second_factors factor where factor.user_id = users.id and factor.confirmed_at is not null))`

export type SpentCode = 'code' | 'recovery_code'

/** Whether a second factor is in force. Locks the person's row, so that none is set up before this transaction ends. */
export async function hasSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  await lockPerson(tx, userId)
  const { rows } = await sql`select from users where id = ${userId} and ${isGuarded}`.execute(tx)
  return rows.length > 0
}

/** Whether an authenticator app is in force. */
export async function hasApp(tx: Tx, userId: number): Promise<boolean> {
  return (await readFactor(tx, userId))?.confirmed_at != null
}

export async function lockPerson(tx: Tx, userId: number): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
}

/** Roles that require a second factor, and the days that their people have to set it up. */
export interface FactorRules {
  readonly roles: readonly RoleName[]
  readonly graceDays: number
}

/**
 * Returns until when the person signs in without a second factor that a role of theirs requires; null if none does. The days begin with the
 * first sign-in that asks.
 */
export async function factorDueAt(tx: Tx, userId: number, { roles, graceDays }: FactorRules): Promise<string | null> {
  if (roles.length === 0) return null
  const { rows: held } = await sql`select from user_roles held join roles on roles.id = held.role_id
    where held.user_id = ${userId} and roles.name = any(${roles}::text[]) limit 1`.execute(tx)
  if (held.length === 0) return null
  const due = new Date(now().getTime() + graceDays * DAY_MS)
  await sql`insert into second_factor_deadlines (user_id, due_at) values (${userId}, ${due}) on conflict (user_id) do nothing`.execute(tx)
  const { rows } = await sql<{ due_at: string }>`select due_at from second_factor_deadlines where user_id = ${userId}`.execute(tx)
  return rows[0]?.due_at ?? due.toISOString()
}

export async function factorState(tx: Tx, userId: number, rules: FactorRules): Promise<SecondFactorState> {
  const { rows } = await sql<{ active: boolean; confirmed_at: string | null; left: number }>`select ${isGuarded} as active,
      (select confirmed_at from second_factors where user_id = users.id) as confirmed_at,
      (select count(*)::int from recovery_codes code where code.user_id = users.id and code.used_at is null) as left
    from users where id = ${userId}`.execute(tx)
  const { active = false, confirmed_at = null, left = 0 } = rows[0] ?? {}
  return {
    active,
    app: confirmed_at !== null,
    due_at: active ? null : await factorDueAt(tx, userId, rules),
    confirmed_at,
    recovery_codes_left: left,
  }
}

/** Makes a secret that counts once it is confirmed. @returns it, or null where a second factor is in force. */
export async function beginFactor(tx: Tx, secretKey: string, userId: number): Promise<string | null> {
  const secret = newSecret()
  const sealed = sealSecret(secretKey, place(userId), secret)
  const { rows } = await sql`insert into second_factors (user_id, secret_encrypted, created_at) values (${userId}, ${sealed}, ${now()})
    on conflict (user_id) do update set secret_encrypted = ${sealed}, created_at = ${now()}, last_step = null
    where second_factors.confirmed_at is null returning user_id`.execute(tx)
  return rows.length > 0 ? secret : null
}

/** Puts the secret in force by a first code of it. @returns false if the code is not of it, or nothing waits for one. */
export async function confirmFactor(tx: Tx, secretKey: string, userId: number, code: string): Promise<boolean> {
  const step = await matchingStep(tx, secretKey, userId, code, false)
  if (step === null) return false
  const { rows } = await sql`update second_factors set confirmed_at = ${now()}, last_step = ${step}
    where user_id = ${userId} and confirmed_at is null returning user_id`.execute(tx)
  return rows.length > 0
}

/**
 * Spends a code of the app or a recovery code of a factor in force. Of two tries with the same code one succeeds, at once or ever after.
 * @returns which kind it was; null if it is neither, or spent.
 */
export async function spendCode(tx: Tx, secretKey: string, userId: number, given: string): Promise<SpentCode | null> {
  const code = given.replaceAll(/[\s-]/g, '')
  const step = await matchingStep(tx, secretKey, userId, code, true)
  if (step !== null) {
    const { rows } = await sql`update second_factors set last_step = ${step}
      where user_id = ${userId} and confirmed_at is not null and (last_step is null or last_step < ${step}) returning user_id`.execute(tx)
    return rows.length > 0 ? 'code' : null
  }
  const { rows } = await sql`update recovery_codes set used_at = ${now()} where user_id = ${userId} and code_hash = ${hashOfCode(code)}
    and used_at is null and exists (select from users where id = ${userId} and ${isGuarded}) returning id`.execute(tx)
  return rows.length > 0 ? 'recovery_code' : null
}

/** Makes new recovery codes in place of all others. @returns them in groups of four letters. */
export async function renewRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(recoveryCodeBytes)))
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  await sql`insert into recovery_codes (user_id, code_hash, created_at)
    select ${userId}, code_hash, ${now()} from unnest(${codes.map(hashOfCode)}::bytea[]) as code_hash`.execute(tx)
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-').toLowerCase())
}

/** Switches the app off. */
export async function deleteApp(tx: Tx, userId: number): Promise<void> {
  await sql`delete from second_factors where user_id = ${userId} and confirmed_at is not null`.execute(tx)
  await dropUselessCodes(tx, userId)
}

/** Removes the app and every passkey. @returns whether one was in force. */
export async function deleteFactors(tx: Tx, userId: number): Promise<boolean> {
  const wasGuarded = await hasSecondFactor(tx, userId)
  await sql`delete from passkeys where user_id = ${userId}`.execute(tx)
  await deleteApp(tx, userId)
  return wasGuarded
}

/** Recovery codes stand in for a second factor: they end with the last one. @returns whether none is left. */
export async function dropUselessCodes(tx: Tx, userId: number): Promise<boolean> {
  const isLast = !(await hasSecondFactor(tx, userId))
  if (isLast) await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  return isLast
}

async function matchingStep(tx: Tx, secretKey: string, userId: number, code: string, isInForce: boolean): Promise<number | null> {
  const row = await readFactor(tx, userId)
  if (!row || (row.confirmed_at !== null) !== isInForce) return null
  return stepOf(openSecret(secretKey, place(userId), row.secret_encrypted), code, now())
}

async function readFactor(tx: Tx, userId: number): Promise<FactorRow | undefined> {
  const { rows } = await sql<FactorRow>`select secret_encrypted, confirmed_at from second_factors where user_id = ${userId}`.execute(tx)
  return rows[0]
}

function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(code.toUpperCase()).digest()
}
