/**
 * The bank value of the New York day. The server counts its edits; a concurrent edit is detected by the value that each user saw. Its row is the
 * lock between edits of the value and new batches.
 */
import { bankEditsPerDay, bankValueCalls, type BankValue, type BankValueChange } from '#contract/global-batches/bank-value.ts'
import { centsOf, formatMoney, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { handleProven } from '../access/access.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesEveryClient } from '../kernel/principal.ts'
import { forbidden, invalid, refused } from '../kernel/problem.ts'
import { madeOn } from './desk-days.ts'

interface StoredValue {
  readonly id: number
  readonly value: string
  readonly locked: boolean
  readonly attempts: number
}

/** Whether a batch needs cash: all payment types except "no payment". The condition refers to `payment_batches`. */
const takesCash = sql<boolean>`coalesce(payment_batches.temp_pay_method, payment_batches.payment_method) is distinct from 'NP'`

export const bankValueHandlers: readonly Handler[] = [
  handle(bankValueCalls.get, ({ tx }) => readBankValue(tx)),
  handleProven(bankValueCalls.update, (context, { body }) => changeValue(context, body, body.handle_lock === true)),
  handleProven(bankValueCalls.lock, (context, { body }) => changeValue(context, body, true)),
]

/** Returns today's value and the amount left of it. The sum covers the batches of all clients: it is the provider's own money. */
export async function readBankValue(tx: Tx): Promise<BankValue> {
  const day = today()
  const { rows } = await sql<Omit<StoredValue, 'id'> & { id: number | null; batched_total: string; remaining: string }>`
    select stored.id, coalesce(stored.value, 0.00) as value, coalesce(stored.locked, false) as locked,
      coalesce(stored.attempts, ${bankEditsPerDay}::int) as attempts, batched.total as batched_total,
      (coalesce(stored.value, 0) - batched.total)::numeric(14,2) as remaining
    from (select coalesce(sum(member.amount_paid), 0)::numeric(14,2) as total from payment_batches
      join payment_batch_bills member on member.client_id = payment_batches.client_id and member.payment_batch_id = payment_batches.id
        and member.released_at is null
      where payment_batches.is_global and payment_batches.unbatched_at is null and ${madeOn(day)} and ${takesCash}) batched
    left join global_batch_bank_values stored on stored.day = ${day}::date`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a sum answered no row')
  return { ...row, day }
}

/**
 * Locks the bank value for the rest of the transaction, so that it cannot be unlocked while bills are batched. Throws 409 if it is not set or
 * not locked.
 */
export async function mustBeLocked({ tx }: Context): Promise<void> {
  const { rows } = await sql<StoredValue>`select id, value, locked, attempts from global_batch_bank_values
    where day = ${today()}::date for share`.execute(tx)
  const [stored] = rows
  if (stored === undefined || centsOf(stored.value) === 0) throw refused('Must input and lock initial bank value before creating batches.')
  if (!stored.locked) throw refused('Bank value must be locked to continue batching.')
}

/** `setsLock`: `locked` is stored too, after the value. */
async function changeValue(context: Context, sent: BankValueChange, setsLock: boolean) {
  if (!reachesEveryClient(context.reach)) throw forbidden('The bank value is that of all clients: only who reaches them all changes it.')
  const before = await lockedValue(context.tx)
  refuseStale(before, sent)
  const value = valueOf(sent)
  const isNew = value !== before.value
  if (isNew && centsOf(value) === 0) throw invalid({ new_value: ['Bank value cannot be set to 0.'] })
  if (isNew && before.locked && !(setsLock && !sent.locked)) throw refused('The bank value is locked. Unlock it to change it.')
  if (isNew && before.attempts === 0) throw refused('The bank value has been changed as often as a day allows. It stays until tomorrow.')
  const attempts = before.attempts - (isNew ? 1 : 0)
  const locked = lockAfter(before, { ...sent, setsLock, isLast: isNew && attempts === 0 })
  if (before.locked && !locked && before.attempts === 0) throw refused('No edits of the bank value are left today, so it stays locked.')
  if (locked && centsOf(value) === 0) throw refused('Must input and lock initial bank value before creating batches.')
  if (isNew || locked !== before.locked) await storeValue(context, before, { value, locked, attempts })
  return { success: true, message: messageOf(before, { value, locked, attempts }), ...(await readBankValue(context.tx)) }
}

/** Returns today's row, locked for update; it is created on first use. */
async function lockedValue(tx: Tx): Promise<StoredValue> {
  await sql`insert into global_batch_bank_values (day, attempts, created_at, updated_at)
    values (${today()}::date, ${bankEditsPerDay}::int, ${now()}, ${now()}) on conflict (day) do nothing`.execute(tx)
  const { rows } = await sql<StoredValue>`select id, value, locked, attempts from global_batch_bank_values
    where day = ${today()}::date for update`.execute(tx)
  const [stored] = rows
  if (!stored) throw new Error('the bank value of today was made and is not there')
  return stored
}

/** Rejects yesterday's id, another value or another count of edits: the caller saw the value before it changed. */
function refuseStale(before: StoredValue, { id, current_value, attempts }: BankValueChange): void {
  const isOld =
    (typeof id === 'number' && id !== before.id) ||
    amountOf(current_value) !== before.value ||
    (attempts !== undefined && attempts !== before.attempts)
  if (isOld) throw refused(`The bank value was changed to ${formatMoney(before.value)} meanwhile. Look at it and try again.`, before.id)
}

/** An empty field means no value, which cannot be set. */
const valueOf = ({ new_value }: BankValueChange): string => amountOf(new_value)
const amountOf = (typed: string): string => (typed === '' ? '0.00' : wireOf(centsOf(typed.replace(/\.$/, ''))))

/** The last edit locks the value, so that no day ends with a value that can no longer be locked. */
function lockAfter(
  before: StoredValue,
  { locked, setsLock, isLast }: { readonly locked: boolean; readonly setsLock: boolean; readonly isLast: boolean },
): boolean {
  if (isLast) return true
  return setsLock ? locked : before.locked
}

async function storeValue(context: Context, before: StoredValue, after: Omit<StoredValue, 'id'>): Promise<void> {
  const { value, locked, attempts } = after
  await sql`update global_batch_bank_values set value = ${value}, locked = ${locked}, attempts = ${attempts}, lock_version = lock_version + 1,
    updated_at = ${now()} where id = ${before.id}`.execute(context.tx)
  await context.audit.updated('global_batch_bank_value', before.id, 0, {
    ...(value === before.value ? {} : { value: { from: before.value, to: value } }),
    ...(locked === before.locked ? {} : { locked: { from: before.locked, to: locked } }),
    ...(attempts === before.attempts ? {} : { attempts: { from: before.attempts, to: attempts } }),
  })
}

function messageOf(before: StoredValue, after: Omit<StoredValue, 'id'>): string {
  const lock = after.locked === before.locked ? '' : after.locked ? ' locked' : ' unlocked'
  if (after.value === before.value) return lock === '' ? 'Bank value unchanged' : `Bank value${lock}`
  const left = after.attempts === 1 ? '1 edit is left today' : `${after.attempts} edits are left today`
  return `Bank value set to ${formatMoney(after.value)}${lock === '' ? '' : ` and${lock}`}. ${left}`
}
