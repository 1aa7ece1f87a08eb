/** Reads the requested checks that numbers are to be recorded for, and judges each number. */
import type { CalendarDate } from '#contract/kernel/date.ts'
import { addDays, formatDate } from '#contract/kernel/date.ts'
import { centsOf, formatMoney, wireOf, type Cents } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { payingAccounts, type CheckAccount } from './check-accounts.ts'

/** Days before and after today that a check may be dated. */
const checkDateDaysMax = 366

/** A requested check, in reach of the caller. */
export interface CheckEntry {
  /** The id of the check on the wire. */
  readonly id: number
  readonly client_id: number
  readonly vendor_payment_id: number
  readonly amount: string
  readonly payer_name: string
  readonly vendor_name: string
  readonly payee: string
  /** The number that the payment itself shows. */
  readonly payment_number: string | null
  /** The id of the stored check; null if no number is recorded. */
  readonly check_id: number | null
  readonly check_number: string | null
  readonly check_date: CalendarDate | null
  readonly fingerprint: string | null
  readonly account_last4: string | null
  readonly is_reported: boolean
}

export interface WantedNumber {
  readonly check_number: string
  readonly check_date: CalendarDate
  /** Null if the source names none. */
  readonly amount: Cents | null
}

/** A number that may be recorded, and the account of its check. */
export interface JudgedNumber extends WantedNumber {
  readonly entry: CheckEntry
  readonly account: CheckAccount
}

/** The reason why a number cannot be recorded. */
export interface NumberFault {
  readonly field: 'check_number' | 'check_date'
  readonly sentence: string
}

const fault = (sentence: string, field: NumberFault['field'] = 'check_number'): NumberFault => ({ sentence, field })

/** Locks the entries in the order of client and id if numbers are about to be recorded. */
export async function readEntries(
  { tx, reach }: Context,
  { payments = [], ids = [] }: { readonly payments?: readonly number[]; readonly ids?: readonly number[] },
  lock: boolean,
): Promise<CheckEntry[]> {
  const named = sql`(entry.vendor_payment_id = any(${payments}::bigint[]) or entry.id = any(${ids}::bigint[]))
    and ${scopeCondition({ scope: { client: sql.ref('entry.client_id'), levels: {} } }, { reach })}`
  // A statement of its own: the next one then sees what somebody else has recorded meanwhile.
  if (lock)
    await sql`select entry.id from global_batch_file_payments entry where ${named} order by entry.client_id, entry.id for update`.execute(
      tx,
    )
  const { rows } = await sql<CheckEntry>`select entry.id, entry.client_id, entry.vendor_payment_id, entry.amount::text as amount,
      client.name as payer_name, vendor.name as vendor_name, coalesce(issued.payee, vendor.remit_name, vendor.name) as payee,
      payment.check_number as payment_number, issued.id as check_id, issued.check_number::text as check_number, issued.check_date,
      encode(issued.account_fingerprint, 'hex') as fingerprint, issued.account_last4,
      (issued.issue_file_id is not null or issued.void_file_id is not null) as is_reported
    from global_batch_file_payments entry
    join global_batch_files file on file.id = entry.global_batch_file_id and file.format = 'check_request' and file.purpose = 'payment'
    join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id join clients client on client.id = entry.client_id
    left join issued_checks issued on issued.payer_id = entry.client_id and issued.global_batch_file_payment_id = entry.id
    where ${named} order by entry.client_id, entry.id`.execute(tx)
  return rows
}

/** The accounts of the entries, and which check has each number in them. */
export interface Ground {
  readonly accounts: ReadonlyMap<number, CheckAccount>
  /** Id of the check by account and number. */
  readonly taken: ReadonlyMap<string, number>
}

const keyOf = (fingerprint: string, number: string): string => `${fingerprint} ${number}`

export async function readGround(context: Context, entries: readonly CheckEntry[], numbers: readonly string[]): Promise<Ground> {
  const accounts = await payingAccounts(
    context,
    entries.map(({ client_id }) => client_id),
  )
  const own = [...accounts.values()].map(({ fingerprint }) => fingerprint)
  const fingerprints = new Set([...own, ...entries.flatMap(({ fingerprint }) => fingerprint ?? [])])
  const { rows } = await sql<{ fingerprint: string; number: string; id: number }>`select encode(account_fingerprint, 'hex') as fingerprint,
      check_number::text as number, global_batch_file_payment_id as id
    from issued_checks where account_fingerprint in (select decode(one, 'hex') from unnest(${[...fingerprints]}::text[]) one)
      and check_number = any(${numbers}::bigint[])`.execute(context.tx)
  return { accounts, taken: new Map(rows.map(({ fingerprint, number, id }) => [keyOf(fingerprint, number), id])) }
}

/** Returns the number with its check, or the reason why it cannot be recorded. `seen` are the numbers of the same request. */
export function judgeNumber(
  wanted: WantedNumber,
  entry: CheckEntry,
  { accounts, taken }: Ground,
  seen: Map<string, string>,
): JudgedNumber | NumberFault {
  const name = `VP-${entry.vendor_payment_id}`
  const { check_number: number, check_date: day, amount } = wanted
  if (amount !== null && amount !== centsOf(entry.amount))
    return fault(`The file has ${formatMoney(wireOf(amount))}, and ${name} is ${formatMoney(entry.amount)}.`)
  if (day < addDays(today(), -checkDateDaysMax) || day > addDays(today(), checkDateDaysMax))
    return fault(`${formatDate(day)} lies more than a year from today.`, 'check_date')
  const stored = entry.fingerprint === null ? null : { fingerprint: entry.fingerprint, last4: entry.account_last4 ?? '' }
  const account = stored ?? accounts.get(entry.client_id)
  if (!account) return fault(`${entry.payer_name} has no active default bank profile with an account number.`)
  const key = keyOf(account.fingerprint, number)
  const other = taken.get(key)
  if (other !== undefined && other !== entry.id)
    return fault(`Check ${number} of account …${account.last4} is recorded for another payment.`)
  const before = seen.get(key)
  if (before !== undefined) return fault(`Check ${number} stands in the file twice, also for ${before}.`)
  seen.set(key, name)
  return { ...wanted, entry, account }
}
