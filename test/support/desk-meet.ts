/** Pairs of acts of the desk that meet at the same moment, round after round. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { makePerson, type Answer, type Person, type TestApp } from './app.ts'
import type { Ground } from './bills.ts'
import { makeDeskVendor, makePayer } from './desk.ts'
import { brokenAtTheDesk, expectNoneBroken } from './money-invariants.ts'

/** The long run sets RACE_ROUNDS=200. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 4)
const ROUND_MS = 10_000
export const raceTimeout = 60_000 + raceRounds * ROUND_MS
/** How often an act is sent again that waited too long for a lock. */
const TRIES_MAX = 20

/** The acts that meet in a round, and the test of their answers, which are in the order of the acts. */
export interface Meeting {
  readonly acts: readonly (() => Promise<Answer>)[]
  readonly judge: (answers: Answer[]) => void | Promise<void>
}

/** Runs the acts of each round at once, in turn beginning with the first or the last, and checks the money after it. No two deadlock. */
export async function meet(db: Tx, round: (turn: number) => Promise<Meeting>): Promise<void> {
  const before = await deadlocks(db)
  for (let turn = 0; turn < raceRounds; turn += 1) {
    const { acts, judge } = await round(turn)
    const begun = acts.map((act, place) => ({ act, place }))
    const inOrder = turn % 2 === 0 ? begun : begun.toReversed()
    const done = await Promise.all(inOrder.map(async ({ act, place }) => ({ answer: await untilItHadItsTurn(act), place })))
    const answers = done.toSorted((a, b) => a.place - b.place).map(({ answer }) => answer)
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    await judge(answers)
    await expectNoneBroken(db, brokenAtTheDesk)
    await leaveToday(db)
  }
  expect(await deadlocks(db)).toBe(before)
}

/**
 * On a machine with much other work an act may wait for a lock longer than the server allows; its answer asks for a repetition. A deadlock has
 * the same answer, so those are counted by the database.
 */
async function untilItHadItsTurn(act: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await act()
    if (tries === TRIES_MAX || !answer.text.includes('Somebody else is changing the same records')) return answer
  }
}

/**
 * Moves the batches of a round two days back. The answer to an act carries all batches of today, so that those of earlier rounds would take
 * most of the time of the later ones. The invariants are read over all days.
 */
export async function leaveToday(db: Tx): Promise<void> {
  await sql`update payment_batches set created_at = created_at - interval '2 days'
    where is_global and created_at > now() - interval '2 days'`.execute(db)
}

async function deadlocks(db: Tx): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select deadlocks::int as count from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}

/** The people, the payer and the vendor of a race: two clerks, and a vendor that is paid by check. */
export interface RaceGround {
  readonly one: Person
  readonly other: Person
  readonly payer: Ground
  readonly check: number
}

/** Makes them anew, and locks a large bank value for today and tomorrow. */
export async function raceGround(db: Tx): Promise<RaceGround> {
  const one = await makePerson(db, 'super_admin')
  const other = await makePerson(db, 'super_admin')
  const payer = await makePayer(db)
  const check = await makeDeskVendor(db, { method: 'Check' })
  await sql`delete from global_batch_bank_values`.execute(db)
  await sql`insert into global_batch_bank_values (day, value, locked)
    select (now() at time zone 'America/New_York')::date + n, 9000000, true from generate_series(0, 1) n`.execute(db)
  return { one, other, payer, check }
}

const head = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }

export const createBatch = (ask: TestApp['ask'], who: Person, bill_ids: readonly number[]): Promise<Answer> =>
  ask(who, 'POST', '/global_batches', { global_batch: { ...head, bill_ids } })

/** Returns the id of a batch of these bills. */
export async function raceBatch(ask: TestApp['ask'], who: Person, bill_ids: readonly number[]): Promise<number> {
  const answer = await createBatch(ask, who, bill_ids)
  expect(answer.status, answer.text).toBe(200)
  const { global_batches }: { global_batches: { id: number }[] } = JSON.parse(answer.text)
  return global_batches[0]?.id ?? 0
}
