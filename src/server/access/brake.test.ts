import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { makeUser, password, signIn } from '../../../test/support/sign-in.ts'
import { now, setClock } from '../kernel/clock.ts'

const app = await startTestApp()
const { db } = app.database
/** Wall-clock time for thousands of requests on a slow and busy machine. */
const slow = 600_000
const start = Date.now()
const after = (seconds: number) => setClock(new Date(start + seconds * 1_000))

beforeEach(async () => {
  for (const table of ['sign_in_failures', 'sign_in_windows']) await sql`delete from ${sql.table(table)}`.execute(db)
  after(0)
})
afterEach(() => setClock())

/** Tries as often as it is allowed, to the end of a day, and counts the tries whose password was checked. */
async function triesADay(account: string): Promise<number> {
  const end = now().getTime() + 86_400_000
  let tried = 0
  while (now().getTime() < end) {
    const answer = await signIn(app, account, 'wrong')
    if (answer.status === 401) tried++
    else setClock(new Date(now().getTime() + Number(answer.headers['retry-after']) * 1_000))
  }
  return tried
}

describe('guessing at one account', { timeout: slow }, () => {
  it('waits 30 seconds after ten failures, twice as long after each further one, an hour at most', async () => {
    await makeUser(app, 'slow@example.test')
    for (let failure = 0; failure < 10; failure++) expect((await signIn(app, 'slow@example.test', 'wrong')).status).toBe(401)
    let at = 0
    for (const wait of [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
      const braked = await signIn(app, 'slow@example.test')
      expect([braked.status, Number(braked.headers['retry-after'])]).toEqual([429, wait])
      at += wait
      after(at - 1)
      expect((await signIn(app, 'slow@example.test')).status).toBe(429)
      after(at)
      expect((await signIn(app, 'slow@example.test', 'wrong')).status).toBe(401)
    }
    after(at + 3_600)
    expect((await signIn(app, 'slow@example.test')).status).toBe(200)
    expect((await signIn(app, 'slow@example.test', 'wrong')).status).toBe(401)
  })

  it('is possible fewer than a hundred times a day, for an account that is there and for one that is not', async () => {
    await makeUser(app, 'target@example.test')
    for (const account of ['target@example.test', 'nowhere@example.test']) {
      after(0)
      await sql`delete from sign_in_failures`.execute(db)
      const tries = await triesADay(account)
      expect(tries).toBeGreaterThan(20)
      expect(tries).toBeLessThanOrEqual(50)
    }
  })

  it('is braked at the tenth of a hundred tries that come at once', async () => {
    await makeUser(app, 'burst@example.test')
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(app, 'burst@example.test', 'wrong')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90)
  })

  it('gains nothing from the owner’s signing in in between: the day still holds so many tries', async () => {
    await makeUser(app, 'busy@example.test')
    const mark = String((await signIn(app, 'busy@example.test')).headers['device-mark'])
    let looked = 0
    for (let round = 0; round < 12; round++) {
      // From a new device, which ends the account's waits.
      await signIn(app, 'busy@example.test')
      for (let guess = 0; guess < 9; guess++) if ((await signIn(app, 'busy@example.test', 'wrong')).status === 401) looked++
    }
    expect(looked).toBeLessThanOrEqual(50)
    expect((await signIn(app, 'busy@example.test', password, { 'device-mark': mark })).status).toBe(200)
  })
})

describe('the owner', () => {
  it('signs in from a device of before while others are braked, and a mark of somebody else’s device opens nothing', async () => {
    await makeUser(app, 'owner@example.test')
    await makeUser(app, 'other@example.test')
    const own = String((await signIn(app, 'owner@example.test')).headers['device-mark'])
    const foreign = String((await signIn(app, 'other@example.test')).headers['device-mark'])
    for (let failure = 0; failure < 10; failure++) await signIn(app, 'owner@example.test', 'wrong')
    expect((await signIn(app, 'owner@example.test')).status).toBe(429)
    expect((await signIn(app, 'owner@example.test', password, { 'device-mark': foreign })).status).toBe(429)
    const answer = await signIn(app, 'owner@example.test', password, { 'device-mark': own })
    expect([answer.status, answer.headers['device-mark']]).toEqual([200, undefined])
    const { rows } = await sql<{ mark_hash: Buffer }>`select mark_hash from known_devices`.execute(db)
    expect(rows.some(({ mark_hash }) => mark_hash.toString('utf8').includes(own))).toBe(false)
  })

  it('whose device was stolen is guarded by the same waits, counted for that device', async () => {
    await makeUser(app, 'stolen@example.test')
    const mark = { 'device-mark': String((await signIn(app, 'stolen@example.test')).headers['device-mark']) }
    for (let failure = 0; failure < 10; failure++) expect((await signIn(app, 'stolen@example.test', 'wrong', mark)).status).toBe(401)
    expect((await signIn(app, 'stolen@example.test', password, mark)).status).toBe(429)
    expect((await signIn(app, 'stolen@example.test')).status).toBe(200)
  })
})

describe('spraying many accounts, three tries each', { timeout: slow }, () => {
  /** More tries than the widest brake allows. The long run sets SPRAY_ACCOUNTS=1000. */
  const accounts = Number(process.env['SPRAY_ACCOUNTS'] ?? 200)
  const tries = 3 * accounts

  beforeAll(async () => {
    await makeUser(app, 'person-0@example.test')
    await sql`insert into users (email, username, password_hash, account_confirmed)
      select 'person-' || n || '@example.test', 'person-' || n, password_hash, true
      from users, generate_series(1, ${accounts - 1}) n where email = 'person-0@example.test'`.execute(db)
  })

  /** Tries every account three times within a minute, from the given number of networks. */
  async function spray(networks: number): Promise<number[]> {
    const statuses: number[] = []
    for (let one = 0; one < tries; one++) {
      after((one / tries) * 59)
      const ip = `10.${Math.floor((one % networks) / 250)}.${(one % networks) % 250}.9`
      const sent = await app.app.server.inject({
        method: 'POST',
        url: '/api/v5/auth/sign_in',
        headers: { 'x-forwarded-for': ip },
        payload: { email: `person-${one % accounts}@example.test`, password: 'Winter2026!' },
      })
      statuses.push(sent.statusCode)
    }
    return statuses
  }

  it('from one network is stopped by the network’s brake within the minute', async () => {
    const statuses = await spray(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(100 + 1)
    expect(statuses.at(-1)).toBe(429)
  })

  it('from many networks is stopped by the brake for all within the minute; known devices go on, and it ends', async () => {
    await makeUser(app, 'sprayed@example.test')
    const mark = { 'device-mark': String((await signIn(app, 'sprayed@example.test')).headers['device-mark']) }
    const statuses = await spray(accounts)
    expect(statuses.filter((status) => status === 401)).toHaveLength(300)
    expect((await signIn(app, 'sprayed@example.test')).status).toBe(429)
    expect((await signIn(app, 'sprayed@example.test', password, mark)).status).toBe(200)
    after(61)
    expect((await signIn(app, 'sprayed@example.test')).status).toBe(200)
  })
})
