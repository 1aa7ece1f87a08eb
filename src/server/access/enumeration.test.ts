/**
 * Neither an answer nor its duration may reveal whether an account exists. The times of 200 requests each are compared, of 500 in the deep run. Because other work
 * on the machine causes noise, a comparison may be made three times, and must succeed once.
 */
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { requestsAreDone } from '../../../test/support/mails.ts'
import { mannWhitney } from '../../../test/support/mann-whitney.ts'
import { makeUser, password } from '../../../test/support/sign-in.ts'
import { makeLink } from './links.ts'
import { hashPassword } from './passwords.ts'

const app = await startTestApp()
const { db } = app.database
const each = Number(process.env['ENUMERATION_REQUESTS'] ?? 200)
const attempts = 3
const least = 0.01
/** Existing accounts: active, not yet confirmed, inactive. */
const kinds = ['known', 'unconfirmed', 'inactive'] as const
const minutes = 60_000

beforeAll(async () => {
  await makeUser(app, 'known-0@example.test', { passwordHash: await hashPassword(password) })
  for (const [kind, confirmed, status] of [
    ['known', true, 'active'],
    ['unconfirmed', false, 'active'],
    ['inactive', true, 'in_active'],
  ] as const)
    await sql`insert into users (email, username, password_hash, account_confirmed, status)
      select ${kind} || '-' || n || '@example.test', ${kind} || n, password_hash, ${confirmed}::boolean, ${status}
      from users, generate_series(1, ${each}) n where email = 'known-0@example.test'`.execute(db)
})

type Question = (kind: string, number: number) => { method: 'GET' | 'POST'; url: string; payload?: object }
interface Heard {
  readonly ms: number
  readonly answer: string
}

const signIn: Question = (kind, number) => ({
  method: 'POST',
  url: '/auth/sign_in',
  payload: { email: `${kind}-${number}@example.test`, password: 'not the password' },
})
const forgot: Question = (kind, number) => ({ method: 'POST', url: '/auth/password', payload: { email: `${kind}-${number}@example.test` } })
const confirm: Question = (kind, number) => ({
  method: 'GET',
  url: `/auth/confirmation?${new URLSearchParams({ 'access-token': 'x'.repeat(43), client: 'y'.repeat(22), uid: `${kind}-${number}@example.test` }).toString()}`,
})

async function hear(question: Question, kind: string, number: number): Promise<Heard> {
  const { url, ...rest } = question(kind, number)
  const from = performance.now()
  const { statusCode, headers, body } = await app.app.server.inject({ ...rest, url: `/api/v5${url}` })
  const ms = performance.now() - from
  // The id of the request is in the body, and its digits affect the length.
  const { date: _, 'content-length': __, 'x-request-id': id, ...fixed } = headers
  return { ms, answer: JSON.stringify([statusCode, fixed, body.replaceAll(String(id), 'ID')]) }
}

/**
 * Requests existing accounts of every kind in turn, and some that do not exist: in random order, so that background load affects both
 * alike.
 */
async function compare(question: Question): Promise<{ p: number; answers: Set<string> }> {
  const order = [false, true].flatMap((isThere) =>
    Array.from({ length: each }, (_, at) => ({ isThere, number: at + 1, by: Math.random() })),
  )
  const [absent, there]: [number[], number[]] = [[], []]
  const answers = new Set<string>()
  let asked = 0
  for (const { isThere, number } of order.toSorted((a, b) => a.by - b.by)) {
    // Another test covers the brakes; here they would only stop the count.
    if (asked++ % 50 === 0)
      for (const table of ['sign_in_failures', 'sign_in_windows']) await sql`delete from ${sql.table(table)}`.execute(db)
    const { ms, answer } = await hear(question, isThere ? (kinds[number % kinds.length] ?? '') : 'unknown', number)
    const times = isThere ? there : absent
    times.push(ms)
    answers.add(answer)
  }
  return { p: mannWhitney(absent, there), answers }
}

it.each([
  ['sign-in', signIn],
  ['a forgotten password, and a confirmation that is asked for again,', forgot],
  ['an opened confirmation link', confirm],
] as const)(
  '%s answers the same in the same time, whatever the account',
  async (_name, question) => {
    await hear(question, 'unknown', 0)
    const seen: number[] = []
    while (seen.length < attempts && (seen.at(-1) ?? 0) <= least) {
      const { p, answers } = await compare(question)
      expect([...answers]).toHaveLength(1)
      seen.push(p)
      await requestsAreDone(db)
    }
    expect(seen.at(-1), `p = ${seen.join(', ')}`).toBeGreaterThan(least)
  },
  20 * minutes,
)

it('the comparison sees what it must see: half a millisecond, and nothing where nothing is', () => {
  const times = (more: number) => Array.from({ length: each }, (_, at) => 20 + Math.sin(at * 12.9898) * 2 + more)
  expect(mannWhitney(times(0), times(0.5))).toBeLessThan(least)
  expect(mannWhitney(times(0), times(0))).toBeGreaterThan(0.9)
})

it('a wrong token for a link that lives is answered like one for a link that does not', async () => {
  const { rows } = await sql<{ id: number; email: string }>`select id, email from users where email = 'unconfirmed-1@example.test'`.execute(
    db,
  )
  const user = rows[0]
  if (!user) throw new Error('no user')
  const { searchParams } = new URL(await makeLink(db, user, 'confirm', 'http://localhost'))
  searchParams.set('access-token', 'x'.repeat(43))
  const wrongToken: Question = (kind) => ({
    method: 'GET',
    url: `/auth/confirmation?${kind === 'there' ? searchParams.toString() : searchParams.toString().replace(/client=[^&]+/, `client=${'y'.repeat(22)}`)}`,
  })
  const there = await hear(wrongToken, 'there', 1)
  const absent = await hear(wrongToken, 'absent', 1)
  expect(there.answer).toBe(absent.answer)
})
