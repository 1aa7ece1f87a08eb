/**
 * Every call with an API token in place of the three headers: a token with full access may do what its user may, one for reading writes
 * nothing, and neither may touch the user's personal settings. The expectations follow from the literal table of `every-call/`.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokenRefusal, type TokenAccess } from '#contract/access/token-access.ts'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { addDays } from '#contract/kernel/date.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { setClock, today } from '../src/server/kernel/clock.ts'
import { columnNames, makePeople, makeStrangers, type ColumnName, type People } from './every-call/principals.ts'
import { readTable, relationsOf, type Cell, type Row } from './every-call/rows.ts'
import { hasTurn, positionOf } from './every-call/shares.ts'
import { recipeOf, walkRow, type Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { startTestApp, type Person } from './support/app.ts'

/** Callers by kind of token: staff, a whole client, a part of one. */
const askers: Readonly<Record<TokenAccess, readonly ColumnName[]>> = { write: ['super', 'admin', 'narrow'], read: ['super', 'manager'] }
const started = await startTestApp()
const byName = new Map(calls.map((call) => [call.name, call]))
const walks = new Map<TokenAccess, Walk>()

beforeAll(async () => {
  const {
    app,
    database: { db },
  } = started
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const strangers = await makeStrangers(db)
  const people = await makePeople(world)
  const address = await started.listen()
  for (const access of ['write', 'read'] as const)
    walks.set(access, { app, world, people: await withTokens(people, access), strangers, address })
  await quiet()
})

/** The first use is recorded once and the mail about each token is sent; after that, with a fixed clock, nothing is written by itself. */
async function quiet(): Promise<void> {
  setClock(new Date())
  for (const { people } of walks.values()) for (const person of Object.values(people)) await started.ask(person, 'GET', '/console_settings')
  for (let tries = 0; tries < 400; tries++) {
    const { rows } = await sql`select id from mails where state = 'waiting'`.execute(started.database.db)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the mails are not sent')
}

async function withTokens(people: People, access: TokenAccess): Promise<People> {
  const armed = { ...people }
  for (const name of columnNames) armed[name] = await withToken(people[name], access)
  return armed
}

async function withToken(person: Person, access: TokenAccess): Promise<Person> {
  const draft = { name: access, access, expires_on: addDays(today(), 1) }
  const { body } = await started.ask(person, 'POST', '/users/profile/api_tokens', { api_token: draft })
  return { ...person, headers: { authorization: `Bearer ${String(body['token'])}` } }
}

/**
 * A call that ends a sign-in gets its own sign-in, so a token never reaches it; `api-tokens.test.ts` tests these. Public calls need no
 * token.
 */
const known = readTable().flatMap((row, place) => {
  const call = byName.get(row.callName)
  const isPublic = call?.may === 'public' || call?.may === 'signed_url'
  return call && !isPublic && !recipeOf(row.name, row.callName).endsSignIn ? [{ ...row, call, place }] : []
})

/** A scan and its state are for users who may enter bills: a token for reading gets neither, even in the clients that it reaches. */
const forWriters = 'history.of_client_record#bill_scan'

function cellsFor(row: Row, call: Call, access: TokenAccess, place: number): Cell[] {
  const closed = tokenRefusal(call, access) !== null
  return row.cells.flatMap((cell): Cell[] => {
    if (cell.who === 'out' || !askers[access].includes(cell.who) || !isAsked(row, cell, { closed, access, place })) return []
    const refuses = cell.expected === '+' || cell.relation === 'crossed' || cell.relation === 'missing'
    if (closed || (refuses && access === 'read' && row.name === forWriters)) return [{ ...cell, expected: '-' }]
    // A token sees only the tasks that it has started itself.
    return [row.callName === 'tasks.file' ? { ...cell, expected: '.' } : cell]
  })
}

/**
 * All ask about the first relation. About the others one of them asks in turn, because a token's user has the rights that every-call.test.ts
 * asks for; about a single one where the token itself is refused. `EVERY_CELL=1`, which the deep run sets, asks all cells.
 */
function isAsked(row: Row, { who, relation }: Cell, { closed, access, place }: { closed: boolean; access: TokenAccess; place: number }) {
  const at = positionOf(row, relation)
  if (at === 0 || process.env['EVERY_CELL'] === '1') return true
  const others = relationsOf[row.shape].length - 1
  return hasTurn<Cell['who']>(askers[access], who, place) && (!closed || at === 1 + (place % others))
}

describe.each(['write', 'read'] as const)('a token to %s', (access) => {
  test.for(known)('$name', async (row: Row & { call: Call; place: number }) => {
    const walk = walks.get(access)
    if (!walk) throw new Error('the walk is not made')
    const { faults, tried } = await walkRow(walk, { ...row, cells: cellsFor(row, row.call, access, row.place) }, row.call)
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(0)
  })
})

test('a token to read may not make any call that writes, exports set aside', () => {
  const open = calls.filter(
    (call) => call.method !== 'GET' && call.may !== 'public' && call.may !== 'signed_url' && tokenRefusal(call, 'read') === null,
  )
  expect(open.map((call) => call.name)).toEqual([])
  const quiet = calls.filter(
    (call) => call.effect === 'write' && call.method === 'GET' && call.may !== 'public' && tokenRefusal(call, 'read') === null,
  )
  expect(quiet.filter((call) => !call.path.endsWith('export_csv')).map((call) => call.name)).toEqual([])
})
