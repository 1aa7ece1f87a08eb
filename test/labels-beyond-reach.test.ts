/**
 * A role that is narrowed inside a client reads no text of a row which it could not read itself, in whatever row, file or report that text
 * occurs: every text of the client is marked with its row, narrowed people ask every call that reads, and each mark in an answer is judged.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { registered } from '../src/server/kernel/lists/sources.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import type { Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { askAll, levels, listsIn, rowsIn, type Answered, type Level, type Listed, type Reader, type Rows } from './labels/answers.ts'
import { marksIn, markTexts, rowsWithin, type Mark, type MarkedColumn } from './labels/marks.ts'
import { makePerson, startTestApp, type Answer } from './support/app.ts'

const started = await startTestApp()
const { db } = started.database

/** Texts that a narrowed role reads of rows beyond its reach, and why. docs/security.md has the same list. */
const kept: Readonly<Record<string, string>> = {
  'divisions.name': 'says where a facility, an account or a bill lies',
  'facilities.name': 'says where an account or a bill lies',
  'facilities.number': 'tells facilities of one name apart, in searches and reports',
}
/** Texts of a row that is reached, which concern the whole client. */
const wholeClientOnly = ['clients.notes', 'clients.identifier']

let walk: Walk
let columns: readonly MarkedColumn[] = []
const readers: Reader[] = []
const answers: Answered[] = []
const tally = { labels: 0, seen: 0, hidden: 0 }
afterAll(() =>
  console.log(
    `labels-beyond-reach: ${columns.length} marked columns, ${readers.length} people, ${answers.length} answers and files of ${new Set(answers.map(({ call }) => call.name)).size} calls, ${tally.labels} labels read, ${tally.hidden} hidden ones looked for`,
  ),
)

beforeAll(async () => {
  const { app } = started
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  await tieTogether(world.places.own)
  const people = await makePeople(world)
  walk = { app, world, people, strangers: await makeStrangers(db, app), address: '' }
  columns = await markTexts(db, world.places.own.clientId)
  for (const level of levels) readers.push(await readerOf(level))
})

async function readerOf(level: Level): Promise<Reader> {
  const { own } = walk.world.places
  const ids = { division: own.divisionId, facility: own.facilityId, billable_account: own.accountId, supply_account: own.supplyAccountId }
  const who = await makePerson(db, 'client_manager', { clients: [own.clientId], [level]: [[own.clientId, ids[level]]] })
  return { level, who, reads: await rowsWithin(db, columns, [{ clients: [own.clientId], narrowed: { [level]: [ids[level]] } }]) }
}

/** Lets the rows of the own place name each other. */
async function tieTogether(own: Walk['world']['places']['own']): Promise<void> {
  const { clientId } = own
  await sql`update clients set notes = 'n', identifier = 'i' where id = ${clientId}`.execute(db)
  await sql`update bills set accounting_batch_id = ${own.clientBatchId}, vendor_payment_id = ${own.vendorPaymentId} where client_id = ${clientId}`.execute(
    db,
  )
  await sql`update services set ledger_account_id = ${own.ledgerAccountId} where client_id = ${clientId}`.execute(db)
  await sql`insert into shared_accounts (client_id, service_id, ledger_account_id, share_ratio, position)
    values (${clientId}, ${own.serviceId}, ${own.ledgerAccountId}, 1, 1)`.execute(db)
  await sql`update client_vendor_numbers set vendor_id = (select vendor_id from billable_accounts where id = ${own.accountId})
    where id = ${own.vendorNumberId}`.execute(db)
  await sql`update divisions set batch_group_id = ${own.batchGroupId}, code = 'd' where client_id = ${clientId}`.execute(db)
  await sql`update billable_accounts set group_account_id = ${own.groupAccountId} where id = ${own.accountId}`.execute(db)
  await sql`update supply_accounts set group_supply_account_id = ${own.groupSupplyAccountId} where id = ${own.supplyAccountId}`.execute(db)
  await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id)
    values (${clientId}, ${own.supplyAccountId}, ${own.serviceId})`.execute(db)
}

test('no answer and no file has a text of a row beyond the reader’s reach', async () => {
  answers.push(...(await Promise.all(readers.map(async (reader) => askAll(started, walk, reader)))).flat())
  const labels = answers.flatMap(({ reader, call, text }) => marksIn(text, columns).map((mark) => ({ reader, call, mark })))
  tally.labels = labels.length
  const leaks = labels.filter(({ reader, mark }) => isBeyond(reader, mark) && !(mark.label in kept))
  expect([...new Set(leaks.map(({ reader, call, mark }) => `${reader.level} ${call.name} ${mark.label}`))].toSorted()).toEqual([])
}, 180_000)

test('the history of a record tells nothing that its row hides', async () => {
  const { own } = walk.world.places
  const at = columns.findIndex(({ table, column }) => table === 'clients' && column === 'notes')
  const notes = `zz${at}x${own.clientId}zz`
  for (const text of [null, notes]) {
    const changed = await started.ask(walk.people.super, 'PATCH', `/clients/${own.clientId}`, { client: { notes: text } })
    expect(changed.status, changed.text).toBe(200)
  }
  const path = `/history/client/${own.clientId}`
  expect((await started.ask(walk.people.super, 'GET', path)).text).toContain(notes)
  for (const { level, who } of readers) {
    const history = await started.ask(who, 'GET', path)
    expect({ level, status: history.status, tells: history.text.includes(notes) }).toEqual({ level, status: 200, tells: false })
  }
})

test('what is read of rows beyond the reach is needed, and docs/security.md has the same list', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.+) \|$/gm)].map(([, label = '', why = '']) => [label, why])
  expect(Object.fromEntries(rows)).toEqual(kept)
  const beyond = answers.flatMap(({ reader, text: answer }) => marksIn(answer, columns).filter((mark) => isBeyond(reader, mark)))
  expect([...new Set(beyond.map(({ label }) => label))].toSorted()).toEqual(Object.keys(kept).toSorted())
})

test('a hidden label is found by no filter and no search, and sorts nothing', async () => {
  const faults: string[] = []
  for (const { reader, path, body } of answers.filter(({ call }) => call.method === 'GET')) {
    for (const { plural, rows } of listsIn(body)) {
      const whole = await started.ask(walk.people.super, 'GET', path)
      for (const { id, key, value } of hiddenIn(rows, rowsIn(whole.body[plural]))) {
        tally.hidden++
        const { filter, sort }: Listed = registered.get(plural)?.entity.list ?? { filter: [], sort: [] }
        const asked = [
          ...(filter.includes(key) ? [`q[${key}_eq]=${value}`, `q[${key}_cont]=${value}`] : []),
          ...(registered.get(plural)?.search ? [`search_term=${value}`] : []),
        ]
        for (const query of asked)
          if (idsOf(await pageOf(reader, path, query), plural).includes(id)) faults.push(`${reader.level} ${plural} ${query}`)
        if (!sort.includes(key)) continue
        const sorted = idsOf(await pageOf(reader, path, `q[s]=${key} desc`), plural)
        if (sorted.join() !== sorted.toSorted((a, b) => b - a).join()) faults.push(`${reader.level} ${plural} is sorted by ${key}`)
      }
    }
  }
  expect(tally.hidden).toBeGreaterThan(20)
  expect([...new Set(faults)]).toEqual([])
})

/** Returns the marked texts that only the provider's administrator reads in these rows. */
function hiddenIn(rows: Rows, whole: Rows): { id: number; key: string; value: string }[] {
  return rows.flatMap((row) =>
    Object.entries(whole.find(({ id }) => id === row['id']) ?? {}).flatMap(([key, value]) =>
      typeof value === 'string' && /^zz\d+x\d+zz$/.test(value) && row[key] !== value ? [{ id: Number(row['id']), key, value }] : [],
    ),
  )
}

async function pageOf({ who }: Reader, path: string, query: string): Promise<Answer['body']> {
  return (await started.ask(who, 'GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)).body
}

function idsOf(body: Answer['body'], plural: string): number[] {
  return rowsIn(body[plural]).map(({ id }) => Number(id))
}

/** The row is not the reader's to read, or the text is for who reads the whole client. */
function isBeyond({ reads }: Reader, { label, table, id }: Mark): boolean {
  return wholeClientOnly.includes(label) || !reads.get(table)?.has(id)
}
