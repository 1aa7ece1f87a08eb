/** Growing waits after failed sign-ins, per account and per network, kept in the database so that every process brakes alike. */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/database.ts'
import { tooMuch } from '../kernel/problem.ts'

/** Failures that cost no wait. */
const freeFailures = { account: 9, network: 99 } as const
const firstWaitMs = 30_000
const longestWaitMs = 3_600_000
/** Failures older than this are forgotten. */
const memoryHours = 24

export type BrakeKind = keyof typeof freeFailures

/** Throws too-many with the seconds to wait where the account or the network is braked. */
export async function checkBrake(tx: Tx, account: string, network: string): Promise<void> {
  const keys = [keyOf('account', account), keyOf('network', network)]
  const { rows } = await sql<{ blocked_until: string }>`select max(blocked_until) as blocked_until from sign_in_failures
    where key = any(${keys}::text[]) and blocked_until > ${now()} having max(blocked_until) is not null`.execute(tx)
  const until = rows[0]?.blocked_until
  if (until === undefined) return
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - now().getTime()) / 1000))
  throw tooMuch('too_many', `Too many failed sign-ins. Please wait ${seconds} seconds.`, seconds)
}

export async function noteFailure(tx: Tx, account: string, network: string): Promise<void> {
  await raise(tx, 'account', account)
  await raise(tx, 'network', network)
}

export async function clearFailures(tx: Tx, account: string): Promise<void> {
  await sql`delete from sign_in_failures where key = ${keyOf('account', account)}`.execute(tx)
}

async function raise(tx: Tx, kind: BrakeKind, name: string): Promise<void> {
  const at = now()
  const forgotten = new Date(at.getTime() - memoryHours * 3_600_000)
  const { rows } = await sql<{
    failures: number
  }>`insert into sign_in_failures (key, failures, last_at) values (${keyOf(kind, name)}, 1, ${at})
    on conflict (key) do update set failures = case when sign_in_failures.last_at < ${forgotten} then 1 else sign_in_failures.failures + 1 end, last_at = ${at}
    returning failures`.execute(tx)
  const over = (rows[0]?.failures ?? 1) - freeFailures[kind]
  if (over <= 0) return
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (over - 1))
  await sql`update sign_in_failures set blocked_until = ${new Date(at.getTime() + wait)} where key = ${keyOf(kind, name)}`.execute(tx)
}

function keyOf(kind: BrakeKind, name: string): string {
  return `${kind}:${name.toLowerCase()}`
}
