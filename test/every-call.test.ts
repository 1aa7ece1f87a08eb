/**
 * Every call of the contract, sent by every kind of user about everything: the answers must be those of the literal table in
 * `every-call/table.ts`. To add a call, write its row there, and in `every-call/*-recipes.ts` the ids and the body that it needs, if any.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { brokenOfAllClients, brokenOfOneClientMax, undistributed, unnamedMax } from './every-call/broken-statements.ts'
import { makeFormer, makePeople, makeStrangers, sees, strangerNames } from './every-call/principals.ts'
import { readTable, relationsOf, type Cell, type Row } from './every-call/rows.ts'
import { alike, askedPart } from './every-call/shares.ts'
import { recipesWithoutRow, walkRow, type Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { startTestApp } from './support/app.ts'
import { recordStatements } from './support/recorded-statements.ts'
import { judgeStatement } from './support/statement-forms.ts'

const secondsForAll = 120
const recorded = recordStatements()
const started = await startTestApp()
const rows = readTable()
const byName = new Map(calls.map((call) => [call.name, call]))
const asked = { cells: 0, denied: 0, milliseconds: 0, cpu: process.cpuUsage() }
let walk: Walk

beforeAll(async () => {
  const {
    app,
    database: { db },
  } = started
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const [people, former] = [await makePeople(world), await makeFormer(app, world)]
  walk = { app, world, people, former, strangers: await makeStrangers(db, app), address: await started.listen() }
})
afterAll(() =>
  console.log(
    `every-call: ${asked.cells.toLocaleString('en-US')} cells, ${asked.denied.toLocaleString('en-US')} denied, ${Math.round(asked.milliseconds / 1000)} s`,
  ),
)

describe('the table of every call', () => {
  test('has a row for each call of the contract, and no other', () => {
    const written = new Set(rows.map((row) => row.callName))
    expect(
      calls.map((call) => call.name).filter((name) => !written.has(name)),
      'calls without a row in test/every-call/table.ts',
    ).toEqual([])
    expect(
      [...written].filter((name) => !byName.has(name)),
      'rows without a call',
    ).toEqual([])
    expect(recipesWithoutRow(rows), 'recipes without a row').toEqual([])
  })
})

describe('the part of the table that the daily run asks', () => {
  test('has the first relation for everybody, each relation for one of those who are alike, and each of the four who are not signed in', () => {
    for (const columns of alike) expect(new Set(columns.map((column) => sees[column].join())).size).toBe(1)
    const parts = rows.map((row, place) => ({ row, part: askedPart(row, place, false).cells }))
    expect(parts.flatMap(({ row, part }) => row.cells.filter((cell) => !isAskedIn(row, part, cell)))).toEqual([])
  })
})

function isAskedIn(row: Row, part: readonly Cell[], cell: Cell): boolean {
  const [first] = relationsOf[row.shape]
  const asked = part.filter(({ relation, expected }) => relation === cell.relation && expected === cell.expected)
  if (cell.who === 'out')
    return (
      asked.some(({ who }) => who === 'out') &&
      strangerNames.every((name) => part.some(({ who, by = [name] }) => who === 'out' && by.includes(name)))
    )
  if (cell.relation === first) return asked.some(({ who, by }) => who === cell.who && !by)
  const columns: readonly string[] = alike.find((some) => some.some((column) => column === cell.who)) ?? [cell.who]
  return asked.some(({ who }) => columns.includes(who))
}

const known = rows.flatMap((row, place) => {
  const call = byName.get(row.callName)
  return call ? [{ ...askedPart(row, place), call }] : []
})

describe('every call does for each role what the table says, and nothing for anybody else [PERM-PERM-004] [PERM-RULE-006] [PERM-RULE-007] [PERM-PERM-026]', () => {
  test.for(known)('$name', async (row: Row & { call: Call }) => {
    const since = performance.now()
    const { faults, tried, denied } = await walkRow(walk, row, row.call)
    asked.cells += tried
    asked.denied += denied
    asked.milliseconds += performance.now() - since
    expect(faults).toEqual([])
  })

  // The wall clock would depend on the load of the machine.
  test(`all of it takes less than ${secondsForAll} s of the processor`, () => {
    const { user, system } = process.cpuUsage(asked.cpu)
    expect(asked.cells).toBeGreaterThan(rows.length * 10)
    expect((user + system) / 1_000_000).toBeLessThan(secondsForAll)
  })
})

/** Forms of statements that PostgreSQL and Citus run alike (docs/decisions/schema.md). */
describe('the statements that all calls send', () => {
  test('break the forms in no more places than before: the client as a constant on each of its tables, and what Citus refuses', async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'client_id' and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(started.database.db)
    const tenantTables = new Set(rows.flatMap(({ name }) => (undistributed.test(name) ? [] : [name])))
    const judged = [...recorded].map(([text, place]) => ({ text, place, ...judgeStatement(text, tenantTables) }))
    const broken = judged.filter((one) => one.broken.length > 0)
    const [ofOne, ofAll] = [broken.filter((one) => one.isOfOneClient), broken.filter((one) => !one.isOfOneClient)]
    const mine = judged.filter((one) => one.isOfOneClient).length
    console.log(
      `statements: ${judged.length} read, ${mine} of one client; ${ofOne.length} of one client and ${ofAll.length} others break a form`,
    )
    const named = (some: typeof broken) => [
      ...new Set(some.flatMap(({ place, broken: forms }) => forms.map((form) => `${place}: ${form}`))),
    ]
    expect(judged.length).toBeGreaterThan(500)
    const [namesOfOne, unnamed] = [named(ofOne), named(ofAll).filter((one) => !brokenOfAllClients.has(one))]
    console.log(`statements: ${namesOfOne.length} names of one client:\n  ${namesOfOne.toSorted().join('\n  ')}`)
    expect(namesOfOne.length).toBeLessThanOrEqual(brokenOfOneClientMax)
    expect(unnamed.length, unnamed.join('\n')).toBeLessThanOrEqual(unnamedMax)
  })
})
