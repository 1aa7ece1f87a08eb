/**
 * Every foreign key of the schema whose record a call deletes: a row is created that names a record, and the record is deleted through
 * HTTP. Either that is refused with the reason, or the trail keeps what was deleted with it.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { makePeople, type People } from './every-call/principals.ts'
import { insert, makeBill, makeReportSchedule, makeWorld, quietProvider, unique, type World } from './every-call/world.ts'
import { makePerson, startTestApp } from './support/app.ts'
import {
  makeBillableAccount,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from './support/estate.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
const tally = { refused: 0, recorded: 0, workings: 0 }
let world: World
let people: People

interface Key {
  readonly child: string
  readonly column: string
  readonly parent: string
}

/** All foreign keys of the database. */
const { rows: keys } = await sql<Key>`select conrelid::regclass::text as child, attname as "column", confrelid::regclass::text as parent
  from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[cardinality(conkey)]
  where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`.execute(db)

/** A record that a call deletes: its id and the URL that deletes it. */
type Doomed = { readonly id: number; readonly url: string }
const own = () => world.places.own
const ofClient = (plural: string, id: number): Doomed => ({ id, url: `/clients/${own().clientId}/${plural}/${id}` })
const shared = async (table: string, values: Record<string, unknown>): Promise<Doomed> => {
  const id = await insert(db, table, values)
  return { id, url: `/${table === 'webhooks' ? 'settings/webhooks' : table}/${id}` }
}

/** Records of all deleting calls, by table. */
const doomed: Readonly<Record<string, () => Promise<Doomed>>> = {
  users: async () => {
    const { id } = await makePerson(db, null)
    return { id, url: `/users/${id}` }
  },
  user_roles: async () => {
    const { id: user } = await makePerson(db, 'read_only_user', { clients: [own().clientId] })
    const { rows } = await sql<{ id: number }>`select id from user_roles where user_id = ${user}`.execute(db)
    return { id: rows[0]?.id ?? 0, url: `/users/${user}/user_roles/${rows[0]?.id}` }
  },
  vendors: async () => shared('vendors', { name: unique('Vendor'), short_code: unique('V') }),
  utility_services: async () => shared('utility_services', { name: unique('Utility'), code: unique('U'), emissions_factor: 1 }),
  units: async () => shared('units', { symbol: unique('u'), description: 'Unit' }),
  weather_stations: async () => shared('weather_stations', { code: unique('K'), name: 'Station' }),
  facility_types: async () => shared('facility_types', { name: unique('Type') }),
  payment_methods: async () => shared('payment_methods', { name: unique('Method'), description: 'Paid so' }),
  production_units: async () => shared('production_units', { name: unique('Unit') }),
  channel_partners: async () => shared('channel_partners', { name: unique('Partner') }),
  webhooks: async () => shared('webhooks', { name: unique('Hook'), url: 'https://receiver.invalid/', all_events: true, active: false }),
  divisions: async () => ofClient('divisions', await makeDivision(db, own().clientId)),
  facilities: async () => ofClient('facilities', await makeFacility(db, own().clientId, own().divisionId)),
  billable_accounts: async () =>
    ofClient('billable_accounts', await makeBillableAccount(db, own().clientId, own().facilityId, await makeVendor(db))),
  supply_accounts: async () => ofClient('supply_accounts', await makeSupplyAccount(db, own().clientId, own().facilityId)),
  services: async () => {
    const id = await makeService(db, own().clientId, { billable_account_id: own().accountId })
    return { id, url: `/clients/${own().clientId}/billable_accounts/${own().accountId}/services/${id}` }
  },
  ledger_accounts: async () => ofClient('ledger_accounts', await makeLedgerAccount(db, own().clientId, unique('Ledger'))),
  ledger_fields: async () =>
    ofClient(
      'ledger_fields',
      await insert(db, 'ledger_fields', {
        client_id: own().clientId,
        name: unique('Field'),
        description: 'x',
        order: 900 + (count++ % 90),
      }),
    ),
  report_schedules: async () => ofClient('report_schedules', await makeReportSchedule(db, own())),
  bills: async () => ofClient('bills', await makeBill(db, own(), { billable_account_id: own().accountId })),
}
let count = 0

beforeAll(async () => {
  setProviders(app.machinery, [quietProvider])
  world = await makeWorld(db)
  people = await makePeople(world)
})
afterAll(() =>
  console.log(
    `nothing-silently: ${keys.length} foreign keys, ${asked.length} of them name what a call deletes: ${tally.refused} refused by name, ${tally.recorded} kept in the trail, ${tally.workings} workings of nobody`,
  ),
)

const asked = keys.filter(({ parent }) => parent in doomed)

/** Tables without records of users: sign-ins, mailed links, the bell, recomputed sums, logs of deliveries. */
const workings = [
  'sessions',
  'one_time_links',
  'second_factors',
  'passkeys',
  'recovery_codes',
  'second_factor_deadlines',
  'idempotency_keys',
  'notifications',
  'list_layouts',
  'oidc_attempts',
  'service_month_facts',
  'webhook_deliveries',
  'report_deliveries',
]

/** Values that a row of this table needs besides the ones that can be generated. */
const needs: Readonly<Record<string, (fixed: Record<string, unknown>) => Record<string, unknown>>> = {
  budgets: () => ({ month: '2199-01' }),
  degree_days: () => ({ period: '2199-01' }),
  originating_profile_layouts: () => ({ format: 'avid' }),
  bill_findings: () => ({ severity: 'E', bill_id: own().billId }),
  bill_scans: () => ({ state: 'done' }),
  bills: (fixed) => (Object.keys(fixed).some((key) => key.endsWith('account_id')) ? {} : { billable_account_id: own().accountId }),
  services: (fixed) =>
    Object.keys(fixed).some((key) => /able_account_id$|supply_account_id$/.test(key)) ? {} : { billable_account_id: own().accountId },
  emission_factors: () => ({ year: 2020, scope: 2 }),
  service_supplier_factors: () => ({ year: 2020 }),
  gl_lines: () => ({ kind: 'expense' }),
  payment_batch_bills: () => ({ payment_batch_id: own().vendorBatchId, vendor_payment_id: own().vendorPaymentId }),
  payment_reversals: () => ({ kind: 'other' }),
  global_batch_files: () => ({ export_type: 'ACH' }),
  one_time_links: () => ({ kind: 'reset' }),
  // One row per client.
  client_ledger_settings: () => ({ client_id: own().clientId }),
  user_role_clients: () => ({ client_id: world.places.sibling.clientId }),
}

interface Column {
  readonly name: string
  readonly type: string
  readonly refers: string | null
}

/** Tables with one row per client. */
const onceForClient = ['client_ledger_settings']

/** Inserts a row that names the record, with a mark by which it can be found. Its other references name the own place. */
async function plant(child: string, fixed: Record<string, unknown>): Promise<readonly string[]> {
  if (onceForClient.includes(child)) await sql`delete from ${sql.table(child)} where client_id = ${own().clientId}`.execute(db)
  const { rows: columns } = await sql<Column>`select attname as name, format_type(atttypid, null) as type,
      (select confrelid::regclass::text from pg_constraint where contype = 'f' and conrelid = attrelid and conkey[cardinality(conkey)] = attnum limit 1) as refers
    from pg_attribute where attrelid = ${child}::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attidentity = ''`.execute(
    db,
  )
  const mark = unique('mark').replace(' ', '-')
  const values: Record<string, unknown> = { ...needs[child]?.(fixed) }
  for (const { name, type, refers } of columns)
    if (!(name in values) && !(name in fixed)) values[name] = await guess(name, type, refers, mark)
  const row: Record<string, unknown> = { ...values, ...fixed }
  const names = Object.keys(row)
  const { rows } = await sql<{
    row: Record<string, unknown>
  }>`insert into ${sql.table(child)} (${sql.join(names.map((name) => sql.ref(name)))})
    values (${sql.join(names.map((name) => sql`${row[name]}`))}) returning to_jsonb(${sql.table(child)}) as row`.execute(db)
  // A link has no text: the linked record is its mark.
  const linked = Object.entries(rows[0]?.row ?? {}).find(
    ([key, value]) => key.endsWith('_id') && (key !== 'client_id' || child === 'user_role_clients') && !(key in fixed) && value !== null,
  )
  const id = rows[0]?.row['id']
  // If the row remains, its own trail shows the change.
  const itself = id === undefined ? [] : [`${child.replace(/s$/, '')} ${Number(id)} {`]
  if (Object.values(row).includes(mark)) return [mark, ...itself]
  // The trail of roles shows the names of the records that they reach.
  if (child.startsWith('user_role_') && linked) return [await nameOf(linked[0], Number(linked[1]))]
  // In the trail of its record it is a row of its table, or an id of a list.
  const listed = linked ? [`"${linked[0]}": ${String(linked[1])}`, `"from": [${String(linked[1])}`, `"id": ${String(linked[1])}`] : []
  return [...itself, ...listed, ...(id === undefined ? [] : [`"${child}": {"to": null, "from": [{`])]
}

async function nameOf(column: string, id: number): Promise<string> {
  const table = keys.find((key) => key.child.startsWith('user_role_') && key.column === column)?.parent ?? ''
  const { rows } = await sql<{
    row: Record<string, unknown>
  }>`select to_jsonb(named) as row from ${sql.table(table)} named where id = ${id}`.execute(db)
  return String(rows[0]?.row['account_number'] ?? rows[0]?.row['name'])
}

async function guess(name: string, type: string, refers: string | null, mark: string): Promise<unknown> {
  if (name === 'client_id') return own().clientId
  if (refers !== null) return (await doomed[refers]?.())?.id ?? (await anyId(refers))
  if (type === 'text') return mark
  if (type === 'date') return '2026-01-05'
  if (type.startsWith('timestamp')) return new Date()
  if (type === 'boolean') return false
  if (type === 'jsonb') return '{}'
  return type === 'bytea' ? Buffer.from(mark) : type.endsWith('[]') ? [] : 1
}

async function anyId(table: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id limit 1`.execute(db)
  if (rows[0]) return rows[0].id
  await plant(table, {})
  return anyId(table)
}

describe('what a delete would change beside its record is refused by name or kept in the trail', () => {
  test.for(asked.map((key) => ({ ...key, name: `${key.child}.${key.column} of ${key.parent}` })))(
    '$name',
    async ({ child, column, parent }) => {
      const { id, url } = (await doomed[parent]?.()) ?? { id: 0, url: '' }
      const marks = await plant(child, { [column]: id })
      const { rows: before } = await sql<{ last: number }>`select coalesce(max(id), 0)::int as last from audit_records`.execute(db)
      const { status, body, text } = await ask(people.super, 'DELETE', url)
      if (status === 409) {
        expect(body['message']).toMatch(
          / used by | held by | still has | linked to | have values | carry this | cannot be deleted| was replaced | is in a .* batch/,
        )
        expect(body['message']).not.toContain('by others')
        tally.refused++
        return
      }
      expect(status, text).toBe(200)
      if (workings.includes(child)) {
        tally.workings++
        return
      }
      const { rows: trail } = await sql<{
        text: string
      }>`select coalesce(string_agg(item_type || ' ' || item_id || ' ' || object_changes::text, ' '), '') as text from audit_records where id > ${before[0]?.last ?? 0}`.execute(
        db,
      )
      expect(
        marks.filter((mark) => trail[0]?.text.includes(mark)),
        `${marks.join(' or ')} in ${trail[0]?.text}`,
      ).not.toEqual([])
      tally.recorded++
    },
  )
})
