/** Exports a client's whole estate and imports it into an empty client; both must be equal by the names of their records. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeClient, makeVendor } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows } = importsOf(testApp)
const seed = Date.now() % 1_000_000_007
const accounts = 40

/** Text as a form stores it, with every character that separates cells, values and headers. */
const text = fc
  .oneof(
    fc.stringMatching(/^['"=+\-@;:,|#]{1,3}[a-z"';:,]{0,6}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom("'=1", '-5', 'a;b', 'say "so"', 'x:N', 'y:0.5', 'Name', 'Active', '1,234'),
  )
  .map((value) => value.trim().normalize('NFC'))
  .filter((value) => value !== '' && !value.includes('\u0000') && value.isWellFormed())
const day = fc.constantFrom('2020-01-31', '2024-02-29', null)
const drawn = fc.record({
  one: text,
  two: text,
  three: text,
  flag: fc.boolean(),
  from: day,
  count: fc.integer({ min: 0, max: 3 }),
  ratio: fc.integer({ min: 0, max: 10_000 }),
})

const files = [
  'ledger_fields',
  'ledger_accounts',
  'divisions',
  'facilities',
  'billable_accounts',
  'services',
  'supply_accounts',
  'supply_services',
] as const
type File = (typeof files)[number]

it(
  'an estate with its services, shares, groups and ledger is the same in the other client [IMPORT-API-003] [IMPORT-API-004] [IMPORT-API-008]',
  { timeout: 300_000 },
  async () => {
    const staff = await makePerson(db, 'super_admin')
    const [from, to] = [await makeClient(db), await makeClient(db)]
    await makeEstate(from, fc.sample(drawn, { numRuns: accounts, seed }))
    for (const file of files) {
      const csv = await exportOf(file, from)
      const again = await send(staff, importOf(file, from), csv)
      const strange = (await rows(staff, again.id))
        .filter(({ action }) => action !== 'unchanged')
        .slice(0, 3)
        .map(({ line, errors, changes }) => JSON.stringify({ line, errors, changes }))
      expect({ seed, file, counts: { ...again.counts, rows: 0, unchanged: 0 }, parts: again.parts, strange }).toEqual({
        seed,
        file,
        counts: { rows: 0, create: 0, update: 0, unchanged: 0, refused: 0 },
        parts: again.parts && { create: 0, update: 0 },
        strange: [],
      })
      const copied = await send(staff, importOf(file, to), csv, { mode: 'all' })
      const refused = (await rows(staff, copied.id, 'per=3')).flatMap((row) => row.errors)
      expect({ seed, file, state: copied.state, refused }).toEqual({ seed, file, state: 'committed', refused: [] })
    }
    for (const [name, wanted] of Object.entries(await estateOf(from)))
      expect({ seed, name, value: (await estateOf(to))[name] }).toEqual({ seed, name, value: wanted })

    async function exportOf(file: File, client: number): Promise<string> {
      const path =
        file === 'services' ? 'services/export_csv' : file === 'supply_services' ? 'services/supply_export_csv' : `${file}/export_csv`
      const started = await ask(staff, 'GET', `/clients/${client}/${path}`)
      return exportedText(testApp, staff, started.body['task_id'])
    }
  },
)

function importOf(file: File, client: number): string {
  const list = file === 'services' ? 'billable_accounts' : file === 'supply_services' ? 'supply_accounts' : file
  return `/clients/${client}/${list}/import`
}

type Drawn = ReturnType<
  typeof fc.sample<{ one: string; two: string; three: string; flag: boolean; from: string | null; count: number; ratio: number }>
>

/** Names end in their number, so that each identifies one record. */
async function makeEstate(client: number, sample: Drawn): Promise<void> {
  const vendors = [await makeVendor(db), await makeVendor(db)]
  const draws = JSON.stringify(sample.map((draw, at) => ({ ...draw, at, vendor: vendors[at % 2] })))
  const from = sql`jsonb_to_recordset(${draws}::jsonb) as draw(at int, one text, two text, three text, flag boolean, "from" date, count int, ratio int, vendor bigint)`
  const of = (table: string, column: string, at: ReturnType<typeof sql>) =>
    sql`(select id from (select id, row_number() over (order by id) - 1 as place, count(*) over () as size from ${sql.table(table)} where client_id = ${client}) listed where ${sql.ref(column)} = ${at} % size)`
  const pick = (table: string) => of(table, 'place', sql`draw.at`)
  await sql`insert into ledger_fields (client_id, name, description, "order") select ${client}::bigint, one || ' F' || at, two, at / 2 from ${from} where at < 5`.execute(
    db,
  )
  await sql`insert into ledger_accounts (client_id, name, active) select ${client}::bigint, one || ' L' || at, flag from ${from} where at < 12`.execute(
    db,
  )
  await sql`insert into ledger_account_fields (client_id, ledger_account_id, ledger_field_id, value)
    select ${client}::bigint, account.id, field.id, draw.three from ledger_accounts account join ledger_fields field on field.client_id = account.client_id
    join ${from} on draw.at = (account.id + field.id) % ${accounts} and draw.count > 0 where account.client_id = ${client}`.execute(db)
  await sql`insert into divisions (client_id, name, short_code, code) select ${client}::bigint, one, two, three || ' ' || at from ${from} where at < 4`.execute(
    db,
  )
  await sql`insert into facilities (client_id, name, number, division_id, square_footage, portfolio_manager_property_id) select ${client}::bigint, one, left(two, 40) || ' ' || at, ${pick('divisions')},
    case when flag then ratio / 7.0 end, case when count > 1 then ratio::text end from ${from} where at < 10`.execute(db)
  await sql`insert into billable_accounts (client_id, name, account_number, facility_id, vendor_id, is_group_account, street_address_1, city, state, zip, notes, effective_from, effective_to,
      audits_off, accruals_off, billing_period, active, tax_id)
    select ${client}::bigint, one, left(two, 60) || ' ' || at, ${pick('facilities')}, vendor, at % 9 = 0, three, 'Albany', 'NY', '12207', three, "from", "from" + 20, flag, not flag, count, flag, two from ${from}`.execute(
    db,
  )
  await sql`update billable_accounts set group_account_id = (select min(id) from billable_accounts gathering where gathering.client_id = ${client} and gathering.is_group_account)
    where client_id = ${client} and not is_group_account and id % 3 = 0`.execute(db)
  await sql`insert into account_aliases (client_id, billable_account_id, alias) select ${client}::bigint, account.id, left(one, 40) || '/' || account.id || '/' || number
    from billable_accounts account join ${from} on draw.at = account.id % ${accounts} cross join generate_series(1, draw.count) number where account.client_id = ${client}`.execute(
    db,
  )
  await sql`insert into supply_accounts (client_id, name, account_number, facility_id, vendor_id, street_address_1, city, state, zip, service_identifiers, tax_ids, billing_cycle, active)
    select ${client}::bigint, one, left(two, 60) || ' S' || at, case when flag then ${pick('facilities')} end, case when count > 1 then vendor end, three, 'Troy', 'NY', '12180',
      array[left(one, 40), left(two, 40) || at], case when flag then array[left(three, 40)] else '{}' end, 20 + count, flag from ${from} where at % 2 = 0`.execute(
    db,
  )
  await makeServices(client, from, 'billable_account')
  await makeServices(client, from, 'supply_account')
  await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) select ${client}::bigint, account.id, service.id
    from supply_accounts account join services service on service.client_id = account.client_id and service.billable_account_id is not null and (service.id + account.id) % 11 = 0
    where account.client_id = ${client}`.execute(db)
}

/** Makes up to four services per account; two of them share a meter and differ in what they measure. */
async function makeServices(client: number, from: ReturnType<typeof sql>, kind: 'billable_account' | 'supply_account'): Promise<void> {
  const key = sql.ref(`${kind}_id`)
  await sql`insert into services (client_id, ${key}, meter_number, service_name_1, service_name_2, id_number, rank, active, metered, net_metered, supply, meter_multiplier, rate_schedule,
      utility_service_id, usage_unit_id, contract_demand_capacity, emissions_factor, tax_code, ledger_account_id, billable_ledgers, effective_from, effective_to, audits_off, accruals_off, notes,
      portfolio_manager_meter_id, emissions_factor_source, emissions_factor_year)
    select ${client}::bigint, account.id, left(one, 40) || ' ' || account.id || '/' || greatest(number, 2), two, case when flag then three end, three, number * 2, flag, not flag, flag, number = 3, ratio / 100.0, one,
      kind.id, case when number <> 2 then kind.unit_id end, two, case when flag then ratio / 10000.0 end, three,
      (select id from ledger_accounts ledger where ledger.client_id = ${client} order by (id + number) % 7, id limit 1), ${kind === 'supply_account'} and flag, "from", "from" + 3, flag, flag, three,
      case when flag then ratio::text end, case when flag then two end, case when flag then 2000 + number end
    from ${sql.table(`${kind}s`)} account join ${from} on draw.at = account.id % ${accounts} cross join generate_series(1, draw.count + 1) number
    join lateral (select usage_units.utility_service_id as id, usage_units.id as unit_id from usage_units order by (usage_units.utility_service_id + number) % 5, usage_units.id limit 1) kind on true
    where account.client_id = ${client}`.execute(db)
  const each = sql`services service join ${from} on draw.at = service.id % ${accounts} where service.client_id = ${client} and service.${key} is not null`
  await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id) select ${client}::bigint, service.id, factor.id
    from services service join usage_factors factor on factor.utility_service_id = service.utility_service_id where service.client_id = ${client} and service.${key} is not null and (service.id + factor.id) % 2 = 0`.execute(
    db,
  )
  await sql`insert into service_entry_fields (client_id, service_id, entry_field_id) select ${client}::bigint, service.id, field.id from entry_fields field, ${each} and (field.id + service.id) % 4 = 0`.execute(
    db,
  )
  await sql`insert into additional_entry_fields (client_id, service_id, name, active) select ${client}::bigint, service.id, one || case when number = 1 then ':N' else ' ' || number end, flag
    from generate_series(1, 2) number, ${each} and draw.count > 1`.execute(db)
  await sql`insert into service_supplier_factors (client_id, service_id, year, value, source)
    select ${client}::bigint, service.id, 2020 + number, draw.ratio / 10000.0, one from generate_series(1, 2) number, ${each} and draw.count > 1
      and exists (select from utility_services kind where kind.id = service.utility_service_id and kind.emissions_scope = 2)`.execute(db)
  await sql`insert into shared_accounts (client_id, service_id, ledger_account_id, share_ratio, position)
    select ${client}::bigint, service.id, (select id from ledger_accounts ledger where ledger.client_id = ${client} order by (id + service.id) % 7, id offset number limit 1),
      case when number = 0 then draw.ratio else 10000 - draw.ratio end / 10000.0, number
    from generate_series(0, 1) number, ${each} and draw.flag`.execute(db)
}

/** Returns everything visible of a client's estate, ordered by names. */
async function estateOf(client: number): Promise<Record<string, unknown>> {
  const service = sql`select jsonb_agg(to_jsonb(service) - '{client_id,id,billable_account_id,supply_account_id,lock_version,created_at,updated_at,ledger_account_id}'::text[] || jsonb_build_object(
      'ledger', (select name from ledger_accounts where client_id = service.client_id and id = service.ledger_account_id),
      'factors', (select jsonb_agg(usage_factor_id order by usage_factor_id) from service_usage_factors link where link.client_id = service.client_id and link.service_id = service.id),
      'fields', (select jsonb_agg(entry_field_id order by entry_field_id) from service_entry_fields link where link.client_id = service.client_id and link.service_id = service.id),
      'own', (select jsonb_agg(jsonb_build_array(name, active) order by name collate "C") from additional_entry_fields own where own.client_id = service.client_id and own.service_id = service.id),
      'supplied', (select jsonb_agg(jsonb_build_array(year, value, source) order by year) from service_supplier_factors own where own.client_id = service.client_id and own.service_id = service.id),
      'shares', (select jsonb_agg(jsonb_build_array(ledger.name, share_ratio) order by position, share.id) from shared_accounts share
        join ledger_accounts ledger on ledger.client_id = share.client_id and ledger.id = share.ledger_account_id where share.client_id = service.client_id and share.service_id = service.id))
      order by service.rank, service.meter_number collate "C") from services service where service.client_id = account.client_id and`
  const account = sql`to_jsonb(account) - '{client_id,id,facility_id,lock_version,created_at,updated_at,group_account_id,group_supply_account_id}'::text[] || jsonb_build_object(
      'facility', (select number from facilities where client_id = account.client_id and id = account.facility_id)`
  const parts = {
    ledger: sql`select jsonb_agg(jsonb_build_array(name, description, "order") order by name collate "C") as value from ledger_fields where client_id = ${client}`,
    ledger_accounts: sql`select jsonb_agg(jsonb_build_array(name, active, (select jsonb_object_agg(field.name, own.value) from ledger_account_fields own
        join ledger_fields field on field.client_id = own.client_id and field.id = own.ledger_field_id where own.client_id = account.client_id and own.ledger_account_id = account.id))
      order by name collate "C") as value from ledger_accounts account where client_id = ${client}`,
    divisions: sql`select jsonb_agg(jsonb_build_array(code, name, short_code) order by code collate "C") as value from divisions where client_id = ${client}`,
    facilities: sql`select jsonb_agg(jsonb_build_array(number, facilities.name, square_footage, division.code, portfolio_manager_property_id) order by number collate "C") as value
      from facilities join divisions division on division.client_id = facilities.client_id and division.id = division_id where facilities.client_id = ${client}`,
    billable: sql`select jsonb_agg(${account}, 'group', (select account_number from billable_accounts g where g.client_id = account.client_id and g.id = account.group_account_id),
        'aliases', (select jsonb_agg(alias order by id) from account_aliases own where own.client_id = account.client_id and own.billable_account_id = account.id),
        'services', (${service} service.billable_account_id = account.id)) order by account_number collate "C") as value from billable_accounts account where client_id = ${client}`,
    supply: sql`select jsonb_agg(${account},
        'linked', (select jsonb_agg(jsonb_build_array(b.account_number, s.meter_number) order by b.account_number collate "C", s.meter_number collate "C", s.rank)
          from supply_account_billable_services link join services s on s.client_id = link.client_id and s.id = link.service_id
          join billable_accounts b on b.client_id = s.client_id and b.id = s.billable_account_id where link.client_id = account.client_id and link.supply_account_id = account.id),
        'services', (${service} service.supply_account_id = account.id)) order by account_number collate "C") as value from supply_accounts account where client_id = ${client}`,
  }
  const found: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(parts)) found[name] = (await sql<{ value: unknown }>`${part}`.execute(db)).rows[0]?.value
  return found
}
