/**
 * Protection against guessing: growing waits per account and network, a daily limit of tries per account, and a limit of failures per
 * minute for all together. A device from which its owner has signed in before is counted separately, so that others cannot lock out the
 * owner. All counts are in the database, so that every process applies the same limits.
 */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { tooMuch } from '../kernel/problem.ts'
import { giveBack, secondsToWait, takeFromWindow, type WindowRule } from './windows.ts'

export interface Try {
  readonly account: string
  readonly network: string
  /** The known device of the try, if any. */
  readonly deviceId: number | null
  /** The person whose second factor is tried: counted for the person alone, from whatever device. */
  readonly factorOf?: number
}

/** Failures that cause no wait. */
const freeFailures = { account: 9, device: 9, network: 99 } as const
const firstWaitSeconds = 30
const longestWaitSeconds = 3_600
/** Beyond this many doublings the longest wait has been reached. */
const doublingsMax = 20
/** Failures are forgotten after this long without another. */
const memoryHours = { account: 24, device: 24, network: 1 } as const
/** Failed tries of one account per day. Two windows overlap in any 24 hours, so at most 100 are possible. */
const triesADay: WindowRule = { max: 50, seconds: 86_400 }
/** Failures of all accounts together. More indicate a spraying attack, from any number of networks. */
const failuresOfAll: WindowRule = { max: 300, seconds: 60 }
const failuresOfAllKey = 'failures:all'

type Kind = keyof typeof freeFailures

/**
 * Counts a try before the password is checked, so that a thousand parallel ones are not a thousand tries. Throws too-many with the seconds
 * to wait if the account, the network or all together are limited.
 */
export async function takeTry(tx: Tx, one: Try): Promise<void> {
  if (one.deviceId === null) await checkCrowd(tx, one.network)
  const wait = (await raise(tx, kindOf(one), keyOf(one))) || (await takeFromWindow(tx, windowOf(one), triesADay))
  if (wait > 0) throw braked(wait)
}

/** Records that the try failed. @returns whether this failure triggered the limit for all. */
export async function noteFailure(tx: Tx, one: Try): Promise<boolean> {
  await raise(tx, 'network', networkKey(one.network))
  if ((await secondsToWait(tx, failuresOfAllKey, failuresOfAll)) > 0) return false
  await takeFromWindow(tx, failuresOfAllKey, failuresOfAll)
  return (await secondsToWait(tx, failuresOfAllKey, failuresOfAll)) > 0
}

/** The password was right: the waits end, and the try does not count. The day's failures stay counted. */
export async function clearFailures(tx: Tx, one: Try): Promise<void> {
  await sql`delete from sign_in_failures where key = ${keyOf(one)}`.execute(tx)
  await giveBack(tx, windowOf(one))
}

async function checkCrowd(tx: Tx, network: string): Promise<void> {
  const wait = (await secondsBlocked(tx, networkKey(network))) || (await secondsToWait(tx, failuresOfAllKey, failuresOfAll))
  if (wait > 0) throw braked(wait)
}

/** Counts one in a single statement, unless the key is blocked. @returns 0, or the seconds for which it is blocked. */
async function raise(tx: Tx, kind: Kind, key: string): Promise<number> {
  const at = now()
  const forgotten = new Date(at.getTime() - memoryHours[kind] * 3_600_000)
  const failures = sql`(case when sign_in_failures.last_at < ${forgotten} then 1 else sign_in_failures.failures + 1 end)`
  const doublings = sql`least(${failures} - ${freeFailures[kind] + 1}::int, ${doublingsMax}::int)`
  const { rows } = await sql`insert into sign_in_failures (key, failures, last_at) values (${key}, 1, ${at})
    on conflict (key) do update set failures = ${failures}, last_at = ${at}, blocked_until = case when ${failures} <= ${freeFailures[kind]}::int then null
      else ${at}::timestamptz + make_interval(secs => least(${longestWaitSeconds}::int, ${firstWaitSeconds}::int * power(2, ${doublings}))) end
    where sign_in_failures.blocked_until is null or sign_in_failures.blocked_until <= ${at} returning key`.execute(tx)
  return rows.length > 0 ? 0 : secondsBlocked(tx, key)
}

async function secondsBlocked(tx: Tx, key: string): Promise<number> {
  const { rows } = await sql<{
    blocked_until: string
  }>`select blocked_until from sign_in_failures where key = ${key} and blocked_until > ${now()}`.execute(tx)
  const until = rows[0]?.blocked_until
  return until === undefined ? 0 : Math.max(1, Math.ceil((Date.parse(until) - now().getTime()) / 1_000))
}

function braked(seconds: number) {
  return tooMuch('too_many', `Too many failed sign-ins. Please wait ${seconds} seconds.`, seconds)
}

function kindOf(one: Try): Kind {
  return one.deviceId === null || one.factorOf !== undefined ? 'account' : 'device'
}

function keyOf(one: Try): string {
  if (one.factorOf !== undefined) return `factor:${one.factorOf}`
  return one.deviceId === null ? `account:${one.account.toLowerCase()}` : `device:${one.deviceId}`
}

function windowOf(one: Try): string {
  return `tries:${keyOf(one)}`
}

function networkKey(network: string): string {
  return `network:${network}`
}
