/**
 * Common behaviour of all lists, tested with every call that answers one: shared parameters, filters, sorts, pages, refusals. A new list is
 * tested automatically. Every key of every list is asked for. The predicates of a kind, the directions of a sort, the spellings of a text
 * filter, and the orders and readers of an export are taken in turn, because the same code answers them for all lists. `EVERY_FILTER=1`, which
 * the deep run sets, asks all of them.
 */
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import type { Entity, Field } from '#contract/kernel/entity.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { registered } from '../src/server/kernel/lists/sources.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readyCall } from './every-call/questions.ts'
import type { Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { contractModules } from './support/contract-modules.ts'
import { startTestApp, type Person } from './support/app.ts'
import { exportedSheet, exportedTable } from './support/exports.ts'

const started = await startTestApp()
const asksAll = process.env['EVERY_FILTER'] === '1'
const counts = { lists: 0, sorts: 0, filters: 0, shared: 0, pages: 0, refused: 0, exports: 0, days: 0 }
/** Number of keys asked so far, by kind. */
const turns = new Map<string, number>()
let walk: Walk
let reader: Person
let client: Person
/** Created once, since some calls concern a record that is created for them. */
const urls = new Map<string, string>()

beforeAll(async () => {
  const {
    app,
    database: { db },
  } = started
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const { own } = world.places
  await sql`update accounting_batches set batch_group_id = ${own.batchGroupId} where client_id = ${own.clientId}`.execute(db)
  const people = await makePeople(world)
  walk = { app, world, people, strangers: await makeStrangers(db, app), address: '' }
  reader = people.super
  client = people.admin
  for (const { call } of lists) urls.set(call.name, (await readyCall(walk, call, reader)).url.replace(/^\/api\/v5/, ''))
})
afterAll(() =>
  console.log(
    `every-list: ${Object.entries(counts)
      .map(([what, count]) => `${count.toLocaleString('en-US')} ${what}`)
      .join(', ')}`,
  ),
)

/** Entities of the contract by their plural names, wherever they are declared. */
const modules = await contractModules()
const entities = new Map(
  modules
    .flatMap((module) => Object.values(module))
    .filter(isEntity)
    .map((one) => [one.plural, one]),
)
/** Lists whose answer has another name than the entity. */
const answeredAs: Readonly<Record<string, string>> = { records: 'retrieved_statements' }

/** Two lists in one answer, whose filters combine those of accounts and meters; search-oracle.test.ts tests them. */
const ownGrammar = ['advanced_search.search', 'client_advanced_search.search']

/** Alerts list accounts and bills by their own rules, under their own names. */
function entityOf(callName: string, plural: string): Pick<Entity, 'list' | 'fields'> | undefined {
  const alert = registered.get(callName.replace(/\.list$/, ''))
  if (alert && callName !== `${plural}.list`) return alert.entity
  const name = answeredAs[plural] ?? plural
  // Two entities may share a plural, as accounts and their search results do: the resource determines the list's own.
  return registered.get(name)?.entity ?? entities.get(name)
}

function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && 'plural' in value && 'list' in value && 'fields' in value
}

const lists = calls.flatMap((call) => {
  const takesList =
    call.method === 'GET' &&
    call.effect === 'read' &&
    call.schemas.query.safeParse({ q: {}, page: '1', per: '1', with_total: 'true' }).success
  const plural = takesList ? pluralOf(call) : undefined
  const entity = plural === undefined ? undefined : entityOf(call.name, plural)
  return plural !== undefined && entity && !ownGrammar.includes(call.name) ? [{ name: call.name, call, plural, entity }] : []
})

/** Returns the key of the answer that holds its rows. */
function pluralOf({ schemas }: Call): string | undefined {
  const { reply } = schemas
  const shape = reply instanceof z.ZodObject ? reply.shape : undefined
  return shape && Object.keys(shape).find((key) => shape[key] instanceof z.ZodArray)
}

type Rows = readonly Readonly<Record<string, unknown>>[]
interface Listed {
  readonly status: number
  readonly rows: Rows
  readonly total: number
  readonly text: string
}

async function ask({ call, plural }: { call: Call; plural: string }, query: string, who = reader): Promise<Listed> {
  const url = urls.get(call.name) ?? ''
  const { status, body, text } = await started.ask(who, 'GET', `${url}${url.includes('?') ? '&' : '?'}${query}`)
  const rows = z.array(z.record(z.string(), z.unknown())).safeParse(body[plural])
  return { status, rows: rows.success ? rows.data : [], total: Number(body['total'] ?? 0), text }
}

describe('every list of the contract [LIST-API-001] [LIST-API-002] [LIST-API-003] [LIST-API-004] [LIST-API-005] [LIST-API-006] [LIST-API-008] [LIST-RULE-019]', () => {
  const predicates = new Set<string>()

  test('of the contract is asked here', () => {
    expect(lists.length).toBeGreaterThan(40)
    counts.lists = lists.length
  })

  test.for(lists)('$name takes client_id, vendor_id and unpaid, and refuses what they cannot be', async (list) => {
    const all = await ask(list, 'per=1000')
    expect(all.status, all.text).toBe(200)
    const { clientId } = walk.world.places.own
    const vendor = walk.world.shared.vendor
    const narrowedBy = async (query: string): Promise<Listed> => {
      const narrowed = await ask(list, `per=1000&${query}`)
      expect(narrowed.status, `${query}: ${narrowed.text}`).toBe(200)
      expect(narrowed.total).toBeLessThanOrEqual(all.total)
      counts.shared++
      return narrowed
    }
    for (const query of ['unpaid=true', 'unpaid=false', `client_id[]=${clientId}&client_id[]=999999`]) await narrowedBy(query)
    const ofClient = await narrowedBy(`client_id=${clientId}`)
    const ofVendor = await narrowedBy(`vendor_id=${vendor}`)
    if ('client_id' in list.entity.fields)
      expect(ofClient.rows.filter((row) => 'client_id' in row && row['client_id'] !== clientId)).toEqual([])
    if (list.entity.fields['client_id'] && all.rows.every((row) => row['client_id'] === clientId)) expect(ofClient.total).toBe(all.total)
    if (all.rows.some((row) => 'vendor_id' in row))
      expect(ofVendor.total).toBe(all.rows.filter((row) => row['vendor_id'] === vendor).length)
    for (const query of ['client_id=a', 'vendor_id=0', 'unpaid=perhaps']) {
      expect((await ask(list, query)).status, query).toBe(422)
      counts.refused++
    }
  })

  test.for(lists)('$name refuses filters, sorts and parameters that it does not know, by name', async (list) => {
    for (const [query, name] of [
      ['q[colour]=red', 'colour'],
      ['q[constructor]=1', 'constructor'],
      ['q[s]=colour%20asc', 'q[s]'],
      ['colour=red', 'colour'],
      ['page=0', 'page'],
    ] as const) {
      const { status, text } = await ask(list, query)
      expect(status, query).toBe(422)
      expect(text, query).toContain(name)
      counts.refused++
    }
  })

  test.for(lists)('$name sorts by every key, up or down, the whole list and not the page', async (list) => {
    const all = (await ask(list, 'per=1000')).rows.map(idOf)
    for (const key of sortsOf(list.entity)) {
      const field = list.entity.fields[key]
      const orders: (readonly unknown[])[] = []
      // A column with an order of its own counts as sorted if one direction is the reverse of the other.
      for (const way of comparisonOf(field) ? inTurn(['asc', 'desc'], `order of ${field?.kind}`) : ['asc', 'desc']) {
        const sorted = await ask(list, `per=1000&q[s]=${key}%20${way}`)
        expect(sorted.status, `${key}: ${sorted.text}`).toBe(200)
        const ascending = way === 'asc' ? sorted.rows : sorted.rows.toReversed()
        expect(disorder(field, ascending, key), key).toEqual([])
        orders.push(ascending.map(idOf))
        counts.sorts++
      }
      const [one = [], other = one] = orders
      expect(one, key).toEqual(other)
      expect(one.toSorted(), key).toEqual(all.toSorted())
    }
  })

  test.for(lists)('$name is filtered by every key, to what the filter says', async (list) => {
    const all = await ask(list, 'per=1000')
    for (const key of list.entity.list.filter) {
      const field = list.entity.fields[key]
      const [example] = all.rows.flatMap((row) => (isPlain(row[key]) ? [row[key]] : []))
      const value = example ?? exampleOf(field)
      for (const predicate of inTurn(predicatesOf(field), field?.kind ?? 'none')) {
        const found = await ask(list, `per=1000&q[${key}${predicate}]=${encodeURIComponent(String(value))}`)
        expect(found.status, `${key}${predicate}: ${found.text}`).toBe(200)
        const asked = `${key}${predicate}=${String(value)}`
        if (example !== undefined && predicate !== '_not_eq' && isShownAsStored(list.entity, key))
          expect(found.rows.length, asked).toBeGreaterThan(0)
        if (example !== undefined && isOrdered(field))
          expect(found.rows.map(idOf), asked).toEqual(all.rows.filter((row) => isWithin(field, row[key], predicate, value)).map(idOf))
        predicates.add(`${field?.kind}${predicate}`)
        counts.filters++
      }
    }
  })

  test('was filtered with each predicate of each kind of field', () => {
    const fields = lists.flatMap(({ entity }) => entity.list.filter.map((key) => entity.fields[key]))
    const all = fields.flatMap((field) => predicatesOf(field).map((predicate) => `${field?.kind}${predicate}`))
    expect([...predicates].toSorted()).toEqual([...new Set(all)].toSorted())
  })

  test.for(lists)('$name turns pages on which no row stands twice and none is left out', async (list) => {
    const { rows, total } = await ask(list, 'per=1000')
    const pages: unknown[] = []
    for (let page = 1; page <= Math.min(total, 12) + 1; page++) {
      const turned = await ask(list, `per=1&page=${page}`)
      expect(turned.rows.length).toBeLessThanOrEqual(1)
      pages.push(...turned.rows.map(idOf))
      counts.pages++
    }
    expect(pages.slice(0, 12)).toEqual(rows.map(idOf).slice(0, 12))
  })
})

describe('the lists of ledgers, reports, site surveys, documents and alerts [LIST-CONST-015]', () => {
  // The specification names the sorts of bills, batches, payments and files by themselves, and a bill has no name.
  const ofArea =
    /^(ledger_(fields|accounts)|generated_reports|site_surveys|bill_documents|billable_accounts_(missing|consecutive).*|supply_accounts_missing.*)\.list$/
  const named = lists.filter(({ name }) => ofArea.test(name))

  test('are these', () => expect(named).toHaveLength(8))

  test.for(named)('$name opens by name, ascending', async (list) => {
    expect((await ask(list, 'per=1000')).rows.map(idOf)).toEqual((await ask(list, 'per=1000&q[s]=name%20asc')).rows.map(idOf))
    expect(list.entity.list.defaultSort).toBe('name asc')
  })
})

/** Texts by which lists that hold batches or their bills are filtered. */
const batchTexts = ['name', 'account_number', 'facility_name', 'batch_code', 'batch_group_name']

describe('a filter on a text [LIST-RULE-014]', () => {
  const seen = new Set<string>()

  test.for(lists)('$name finds a part of it, whatever the case', async (list) => {
    const all = await ask(list, 'per=1000')
    for (const key of list.entity.list.filter) {
      if (list.entity.fields[key]?.kind !== 'text') continue
      const textOf = (one: Readonly<Record<string, unknown>>) => (typeof one[key] === 'string' ? one[key] : '')
      const row = all.rows.find((one) => textOf(one).length > 2)
      if (!row) continue
      const part = textOf(row).slice(1, -1).toUpperCase()
      for (const asked of inTurn([`q[${key}]`, `q[${key}_cont]`], 'part of a text')) {
        const found = await ask(list, `per=1000&${asked}=${encodeURIComponent(part)}`)
        expect(found.rows.map(idOf), `${asked}=${part}`).toContain(row['id'])
      }
      seen.add(key)
    }
  })

  test('was tested of each text by which batches are filtered', () => {
    expect([...seen]).toEqual(expect.arrayContaining(batchTexts))
  })
})

describe('every export [LIST-EXPORT-001] [LIST-EXPORT-002]', () => {
  test('stands beside its list, or is that of the same records under their own path', () => {
    expect(
      lists
        .filter(({ call, plural }) => !exportOfList(call) && !answeredElsewhere(call, plural) && !isChoiceOfForm(call))
        .map(({ name }) => name),
    ).toEqual([])
  })

  const exported = lists.flatMap((list) => {
    const found = exportOfList(list.call)
    return found ? [{ ...list, exportCall: found }] : []
  })
  test.for(exported)(
    '$name: its file, a CSV or a workbook, has the rows of the list in its order, no heading twice, and no row that the list hides',
    async (list) => {
      const { sort, defaultSort } = list.entity.list
      const other = sort.find((key) => !defaultSort.startsWith(`${key} `)) ?? 'id'
      const isForClient = (await ask(list, 'per=1', client)).status === 200
      for (const who of isForClient ? [reader, client] : [reader]) {
        const { rows: listed } = await ask(list, 'per=1000', who)
        const middle = cellText(listed[Math.floor(listed.length / 2)]?.['id']) || '0'
        const one = list.entity.list.filter.includes('id') ? [`q[id_eq]=${middle}`] : []
        const all = ['', `q[s]=${other}%20desc`, ...one]
        // The client's file has the list's own order, and the provider's another one and a filter.
        for (const part of asksAll || !isForClient ? all : who === client ? all.slice(0, 1) : all.slice(1)) {
          // An export is itself an event that was done, so the security log is compared by what was refused.
          const query = list.plural === 'security_events' ? `${part}&q[outcome_eq]=refused` : part
          const { rows } = await ask(list, `per=1000&${query}`, who)
          // The list's own order is asked as a workbook, each other one as CSV.
          const read = part === '' ? exportedSheet : exportedTable
          const format = part === '' ? 'format=xlsx&' : ''
          const table = await read(started, who, `${exportUrl(list.call, list.exportCall)}?connection_id=window-1&${format}${query}`)
          expect(new Set(table.headings).size, table.headings.join()).toBe(table.headings.length)
          const key = nameOfRows(list.entity, table.headings)
          const at = table.headings.indexOf(key === 'id' ? 'ID' : (list.entity.fields[key]?.label ?? ''))
          expect(at, table.headings.join()).toBeGreaterThanOrEqual(0)
          expect(
            table.rows.map((row) => row[at]),
            query,
          ).toEqual(rows.map((row) => cellText(row[key])))
          counts.exports++
        }
      }
    },
  )
})

describe('a day that is sent for a time [LIST-RULE-012]', () => {
  const { db } = started.database
  const timed = lists.flatMap((list) => {
    const table = registered.get(list.name.replace(/\.list$/, ''))?.table
    return table !== undefined && list.entity.list.filter.includes('created_at') ? [{ ...list, table }] : []
  })

  test.for(timed)('$name: begins four hours after UTC’s in summer, five in winter', async (list) => {
    const { table } = list
    const [row] = (await ask(list, 'per=1')).rows
    if (!row) return
    const stored = await sql<{ at: string }>`select created_at::text as at from ${sql.table(table)} where id = ${row['id']}`.execute(db)
    for (const [at, day] of [
      ['2026-07-15T04:00:00Z', '2026-07-15'],
      ['2026-07-15T03:59:59Z', '2026-07-14'],
      ['2026-01-15T05:00:00Z', '2026-01-15'],
      ['2026-01-15T04:59:59Z', '2026-01-14'],
    ] as const) {
      await sql`update ${sql.table(table)} set created_at = ${at} where id = ${row['id']}`.execute(db)
      for (const asked of [day, '2026-07-15', '2026-01-15']) {
        const found = await ask(list, `per=1000&q[created_at_gteq]=${asked}&q[created_at_lteq]=${asked}`)
        expect(found.rows.map(idOf).includes(row['id']), `${at} on ${asked}`).toBe(asked === day)
      }
    }
    await sql`update ${sql.table(table)} set created_at = ${stored.rows[0]?.at} where id = ${row['id']}`.execute(db)
    counts.days += 4
  })
})

function exportOfList({ path }: Call): Call | undefined {
  return calls.find((call) => [`${path}/export_csv`, `${path}_export_csv`, `${path}/export`].includes(call.path))
}

/** The same records have a list of their own, whose export accepts the restriction of this path as a filter. */
function answeredElsewhere(call: Call, plural: string): boolean {
  return lists.some((list) => list.call !== call && list.plural === plural && exportOfList(list.call) !== undefined)
}

/** The possible members of a group are choices of its form, not a stored list. */
function isChoiceOfForm({ name }: Call): boolean {
  return name.endsWith('.filter_subaccounts')
}

/** Returns the column that distinguishes the rows of a file: their ids, or for computed rows, which have none, their first text field. */
function nameOfRows({ fields }: Pick<Entity, 'fields'>, headings: readonly string[]): string {
  if (headings.includes('ID')) return 'id'
  return Object.keys(fields).find((key) => fields[key]?.kind === 'text' && headings.includes(fields[key].label)) ?? ''
}

function cellText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function exportUrl(list: Call, { path }: Call): string {
  return `${(urls.get(list.name) ?? '').split('?')[0] ?? ''}${path.slice(list.path.length)}`
}

/** Returns every key that a list names for sorting, and every filtered key that one cell shows: a list must offer both or neither. */
function sortsOf({ fields, list: { sort, filter } }: Pick<Entity, 'list' | 'fields'>): Set<string> {
  const cells = filter.filter(
    (key) => !['list', 'texts', 'ref', 'refs', 'secret'].includes(fields[key]?.kind ?? 'ref') && fields[key]?.use !== 'write_only',
  )
  return new Set([...sort, ...cells])
}

function idOf(row: Readonly<Record<string, unknown>>): unknown {
  return row['id']
}

function isPlain(value: unknown): value is string | number | boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
}

/** Timestamps are filtered by their days, and statuses and flags have tests of their own. */
function isShownAsStored({ fields }: Pick<Entity, 'fields'>, key: string): boolean {
  return ['text', 'integer', 'money', 'decimal', 'date', 'boolean', 'choice', 'ref'].includes(fields[key]?.kind ?? 'ref')
}

/** Figures and days are filtered by what their cell shows. */
function isOrdered(field: Field<unknown> | undefined): boolean {
  return ['integer', 'money', 'decimal', 'date'].includes(field?.kind ?? '')
}

function isWithin(field: Field<unknown> | undefined, cell: unknown, predicate: string, value: unknown): boolean {
  if (!isPlain(cell)) return false
  const [one, other] = field?.kind === 'date' ? [String(cell), String(value)] : [Number(cell), Number(value)]
  return predicate === '_gteq' ? one >= other : predicate === '_lteq' ? one <= other : one === other
}

/** Takes all ways of asking for the first key of a kind, and one of them in turn for each further key. */
function inTurn(ways: readonly string[], kind: string): readonly string[] {
  const turn = turns.get(kind)
  turns.set(kind, (turn ?? -1) + 1)
  return asksAll || turn === undefined ? ways : ways.filter((_, at) => at === turn % ways.length)
}

function predicatesOf(field: Field<unknown> | undefined): readonly string[] {
  switch (field?.kind) {
    case 'text':
    case 'long_text':
    case 'email':
      return ['', '_cont', '_eq', '_not_eq', '_in']
    case 'integer':
    case 'decimal':
    case 'money':
    case 'date':
      return ['_eq', '_gteq', '_lteq']
    case 'instant':
      return ['_gteq', '_lteq']
    case 'list':
    case 'texts':
      return ['']
    default:
      return ['_eq']
  }
}

function exampleOf(field: Field<unknown> | undefined): string | number | boolean {
  switch (field?.kind) {
    case 'date':
    case 'instant':
      return '2026-01-31'
    case 'boolean':
      return true
    case 'choice':
      return field.choices?.[0]?.value ?? ''
    case 'integer':
    case 'decimal':
    case 'money':
    case 'ref':
    case 'refs':
    case undefined:
      return 1
    default:
      return 'text'
  }
}

/** Returns neighbours in the wrong order. Choices may have an order of their own, and masked values show another text. */
function disorder(field: Field<unknown> | undefined, rows: Rows, key: string): unknown[] {
  const compare = comparisonOf(field)
  if (!compare) return []
  const values = rows.flatMap((row) => (row[key] === null || row[key] === undefined ? [] : [row[key]]))
  return values.flatMap((value, at) => (at > 0 && compare(values[at - 1], value) > 0 ? [[values[at - 1], value]] : []))
}

function comparisonOf(field: Field<unknown> | undefined): ((one: unknown, other: unknown) => number) | undefined {
  switch (field?.kind) {
    case 'text':
    case 'email':
      return (one, other) => naturalOrder(String(one), String(other))
    case 'integer':
    case 'money':
    case 'decimal':
      return (one, other) => Number(one) - Number(other)
    case 'date':
    case 'instant':
      return (one, other) => (String(one) < String(other) ? -1 : Number(String(one) > String(other)))
    default:
      return undefined
  }
}
