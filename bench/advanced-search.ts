/** Advanced search over 100,000 accounts of 50 clients with a million bills: pages and totals compared with the best SQL that we could write. */
import { asked } from './compare.ts'
import { narrowedDivisions, type Ground } from './ground.ts'
import { address } from './lists.ts'
import { load, round, shown, spreadOf, type Spread } from './measure.ts'
import type { Line } from './table.ts'
import { dice, filledWorld, lastBillsOf, type World } from './world.ts'

const clients = 50
const divisionsPerClient = 8
const facilities = 5_000
const vendors = 400
const supplyShare = 10
/** Milliseconds above the raw statement, for HTTP, rights, the names around the account and the file of its last bill. */
const pageMsMore = 4
const totalTimes = 1.5
const fragments = 500
const rounds = 3

/** A tenth of the accounts are supply accounts. */
export function makeSearchWorld(serverUrl: string, accounts: number, billsPerAccount: number): Promise<World> {
  return filledWorld(serverUrl, 'bench_search', [...estate(), ...accountStatements(accounts), ...billStatements(billsPerAccount)], 0)
}

function estate(): string[] {
  return [
    `insert into clients (id, name, short_code, identifier) select n, 'Client ' || n, 'C' || n, 'C' || n from generate_series(1, ${clients}) n`,
    `insert into vendors (id, name, short_code) select n, (array['City of ', 'Northern ', 'Pacific ', 'Lone Star '])[1 + n % 4] || (array['Power', 'Gas', 'Water'])[1 + n % 3] || ' ' || n, 'V' || n
      from generate_series(1, ${vendors}) n`,
    `insert into divisions (client_id, id, name, short_code, code) select 1 + (n - 1) / ${divisionsPerClient}, n, 'Division ' || n, 'D', 'D' from generate_series(1, ${clients * divisionsPerClient}) n`,
    `insert into facilities (client_id, id, division_id, name, number) select division.client_id, n, division.id, 'Store ' || n, 'F-' || n
      from generate_series(1, ${facilities}) n join divisions division on division.id = 1 + (n - 1) % ${clients * divisionsPerClient}`,
  ]
}

/** A number has ten digits; every third one is printed with dashes. */
const number = `(select case when n % 3 = 0 then substr(digits, 1, 4) || '-' || substr(digits, 5, 3) || '-' || substr(digits, 8) else digits end
  from (select lpad(${dice('n', 1, 10_000_000_000)}::text, 10, '0') as digits) plain)`

function accountStatements(accounts: number): string[] {
  const columns = 'client_id, id, facility_id, vendor_id, name, account_number, active, street_address_1, city, state, zip'
  const rows = (
    from: number,
    to: number,
  ) => `select facility.client_id, n, facility.id, 1 + ${dice('n', 2, vendors)}, 'Account ' || n, ${number}, n % 20 > 0,
      n || ' Main Street', 'Austin', 'TX', '78701' from generate_series(${from}, ${to}) n join facilities facility on facility.id = 1 + ${dice('n', 3, facilities)}`
  const billable = accounts - Math.round(accounts / supplyShare)
  return [
    `insert into billable_accounts (${columns}) ${rows(1, billable)}`,
    `insert into supply_accounts (${columns}) ${rows(billable + 1, accounts)}`,
    `insert into services (client_id, billable_account_id, meter_number, rank, utility_service_id, usage_unit_id)
      select account.client_id, account.id, 'M' || ${dice('account.id * 2 + place', 4, 100_000_000)}, place, kind.id, unit.id from billable_accounts account cross join generate_series(0, 1) place
        join utility_services kind on kind.code = case when place = 0 then 'electric' when account.id % 2 = 0 then 'natural_gas' else 'water' end
        join usage_units unit on unit.utility_service_id = kind.id and unit.standard`,
  ]
}

/** One statement per month, without foreign key checks: the rows are correct by construction. */
function billStatements(billsPerAccount: number): string[] {
  const ofAccounts = (
    kind: string,
    month: number,
  ) => `insert into bills (client_id, ${kind}_id, account_number, vendor_id, facility_id, division_id, date, due_date, amount_due, source)
      select account.client_id, account.id, account.account_number, account.vendor_id, account.facility_id, facility.division_id, day, day + 20, 100, 'import'
      from ${kind}s account join facilities facility on facility.id = account.facility_id
        cross join lateral (select current_date - ${dice('account.id', 5, 60)}::int - ${30 * month} as day) dated`
  const months = Array.from({ length: billsPerAccount }, (_, at) => billsPerAccount - 1 - at)
  const tables = ['bills', 'bill_files']
  return [
    ...tables.map((table) => `alter table ${table} disable trigger all`),
    ...months.flatMap((month) => [ofAccounts('billable_account', month), ofAccounts('supply_account', month)]),
    `insert into files (key, filename, content_type, byte_size, state) values ('search/bill', 'statement.pdf', 'application/pdf', 40000, 'attached')`,
    `insert into bill_files (client_id, bill_id, position, file_id, filename) select bills.client_id, bills.id, 1, files.id, 'statement.pdf'
      from bills cross join files where bills.date > current_date - 60`,
    ...tables.map((table) => `alter table ${table} enable trigger all`),
    lastBillsOf('billable_account'),
    lastBillsOf('supply_account'),
  ]
}

/** A search: the filters of the call, and the equivalent condition in SQL with its values. */
interface Case {
  readonly what: string
  readonly filters: (turn: number) => Readonly<Record<string, string>>
  readonly where: string
  readonly values: (turn: number) => readonly unknown[]
  readonly order?: string
  /** Run as a client's user who sees six of its divisions, instead of one who sees everything. */
  readonly narrowed?: true
}

export async function measureSearch(ground: Ground): Promise<Line[]> {
  const lines: Line[] = []
  for (const one of await casesOf(ground)) lines.push(await pageLine(ground, one), await totalLine(ground, one))
  return lines
}

const plainNumber = (place: number) => `translate(account_number, ' -', '') ilike $${place}`
const seen = `client_id = 1 and facility_id in (select id from facilities where client_id = 1 and division_id = any($2))`

async function casesOf(ground: Ground): Promise<Case[]> {
  const pieces = new Map<number, (turn: number) => string>()
  for (const length of [2, 3, 4, 7])
    pieces.set(length, await drawn(ground, `substr(translate(account_number, '-', ''), 1 + (id % (11 - ${length}))::int, ${length})`))
  const meter = await drawn(
    ground,
    '(select substr(meter_number, 3, 5) from services where billable_account_id = billable_accounts.id limit 1)',
  )
  const vendor = await drawn(ground, 'vendor_id::text')
  const facility = await drawn(ground, 'facility_id::text')
  const name = await drawn(ground, 'substr(name, 5, 8)')
  const of = (length: number) => pieces.get(length) ?? (() => '')
  const number = (length: number): Case => ({
    what: `${length} digits of a number`,
    filters: (turn) => ({ account_number: of(length)(turn) }),
    where: plainNumber(1),
    values: (turn) => [`%${of(length)(turn)}%`],
  })
  const inSight = (one: Case): Case => ({
    ...one,
    what: `${one.what}, role of 6 divisions`,
    narrowed: true,
    where: `${one.where} and ${seen}`,
    values: (turn) => [...one.values(turn), narrowedDivisions],
  })
  return [
    ...[2, 3, 4, 7].map(number),
    inSight(number(3)),
    { what: 'part of a name', filters: (turn) => ({ name: name(turn) }), where: 'name ilike $1', values: (turn) => [`%${name(turn)}%`] },
    {
      what: '5 digits of a meter',
      filters: (turn) => ({ meter_number: meter(turn) }),
      where: `id in (with found as materialized (select billable_account_id from services where translate(meter_number, ' -', '') ilike $1) select * from found)`,
      values: (turn) => [`%${meter(turn)}%`],
    },
    { what: 'a vendor', filters: (turn) => ({ vendor_id: vendor(turn) }), where: 'vendor_id = $1', values: (turn) => [vendor(turn)] },
    inSight({
      what: 'a vendor',
      filters: (turn) => ({ vendor_id: vendor(turn) }),
      where: 'vendor_id = $1',
      values: (turn) => [vendor(turn)],
    }),
    {
      what: 'a facility',
      filters: (turn) => ({ facility_id: facility(turn) }),
      where: 'facility_id = $1',
      values: (turn) => [facility(turn)],
    },
    {
      what: '4 digits in number, name or meter',
      filters: (turn) => ({ text: of(4)(turn) }),
      where: `id in (select id from billable_accounts where ${plainNumber(1)} union select id from billable_accounts where name ilike $1
        union select billable_account_id from services where translate(meter_number, ' -', '') ilike $1)`,
      values: (turn) => [`%${of(4)(turn)}%`],
    },
    {
      what: '3 digits, a vendor, active',
      filters: (turn) => ({ account_number: of(3)(turn), vendor_id: vendor(turn), active: 'true' }),
      where: `${plainNumber(1)} and vendor_id = $2 and active`,
      values: (turn) => [`%${of(3)(turn)}%`, vendor(turn)],
    },
    {
      what: 'all active, newest bill first',
      filters: () => ({ active: 'true', s: 'last_bill_date desc' }),
      where: 'active',
      values: () => [],
      order: 'last_bill_date desc, id desc',
    },
    {
      what: 'no bill for 50 days',
      filters: () => ({ no_bill_since: daysAgo(50) }),
      where: '(last_bill_date is null or last_bill_date < $1)',
      values: () => [daysAgo(50)],
    },
  ]
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** Returns values of client 1's accounts, so that every search finds something. */
async function drawn(ground: Ground, expression: string): Promise<(turn: number) => string> {
  const { rows } = await ground.raw.query<{ piece: string }>(
    `select ${expression} as piece from billable_accounts where client_id = 1 order by hashint8(id) limit $1`,
    [fragments],
  )
  return (turn) => rows[turn % rows.length]?.piece ?? ''
}

async function pageLine(ground: Ground, one: Case): Promise<Line> {
  const rows = `select account.*, client.name as client_name, vendor.name as vendor_name, facility.name as facility_name, facility.number, division.name as division_name,
      (select json_agg(distinct kind.name) from services join utility_services kind on kind.id = utility_service_id where billable_account_id = account.id and services.client_id = account.client_id) as services,
      (select bill_files.bill_id from bills join bill_files on bill_files.client_id = bills.client_id and bill_files.bill_id = bills.id
        where bills.client_id = account.client_id and bills.billable_account_id = account.id and superseded_by_id is null order by date desc, bills.id desc limit 1) as file
    from (select * from billable_accounts where ${one.where} order by ${one.order ?? 'account_number, id'} limit 10) account
      join clients client on client.id = account.client_id join vendors vendor on vendor.id = account.vendor_id
      join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id
      join divisions division on division.client_id = facility.client_id and division.id = facility.division_id`
  const { ours, raw } = await beside(ground, one, { kind: 'billable_accounts', with_total: 'false' }, [rows])
  return {
    goal: 'SEARCH',
    what: `${one.what}, page: p95`,
    ours: shown(ours),
    reference: `raw ${shown(raw)}`,
    ratio: `+${round(ours.median - raw.median)} of <= +${pageMsMore} ms`,
    holds: ours.median <= raw.median + pageMsMore,
  }
}

/**
 * Billable accounts only: the statement of the other kind is the same over a tenth of the rows. A number that no turn repeats keeps the total
 * out of the cache.
 */
async function totalLine(ground: Ground, one: Case): Promise<Line> {
  let asking = 0
  const fresh = (turn: number) => ({ ...one.filters(turn), zip_not_eq: `z${(asking += 1)}` })
  const counting = `select count(*) from billable_accounts where ${one.where} and zip is distinct from 'z'`
  const { ours, raw } = await beside(ground, { ...one, filters: fresh }, { kind: 'billable_accounts', with_rows: 'false' }, [counting])
  const ratio = ours.median / raw.median
  return {
    goal: 'SEARCH',
    what: `${one.what}, total, first asking: p95`,
    ours: shown(ours),
    reference: `raw ${shown(raw)}`,
    ratio: `${round(ratio)} of <= ${totalTimes}, or +${pageMsMore} ms`,
    holds: ratio <= totalTimes || ours.median <= raw.median + pageMsMore,
  }
}

/** Runs rounds that alternate between the call and the statements, one caller at a time. */
async function beside(
  ground: Ground,
  one: Case,
  more: Readonly<Record<string, string>>,
  statements: readonly string[],
): Promise<{ ours: Spread; raw: Spread }> {
  const path = (turn: number) => address('/advanced_search', one.filters(turn), { ...more, with_ids: 'false' })
  const ours = asked(ground, { ...(one.narrowed ? { who: ground.narrowed } : {}), path })
  const raw = async (turn: number): Promise<void> => {
    for (const text of statements) await ground.raw.query(text, [...one.values(turn)])
  }
  for (const target of [ours, raw]) await load(target, 1, ground.cellMs)
  const times = { ours: new Array<number>(), raw: new Array<number>() }
  for (let turn = 0; turn < rounds; turn += 1) {
    times.raw.push((await load(raw, 1, ground.cellMs)).p95)
    times.ours.push((await load(ours, 1, ground.cellMs)).p95)
  }
  return { ours: spreadOf(times.ours), raw: spreadOf(times.raw) }
}
