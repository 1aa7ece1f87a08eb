import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { attachables } from '#contract/documents/document.ts'
import { fullStatuses } from '#contract/bills/bill-status.ts'
import { auditCodes } from '#contract/bill-audits/bill-audits.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/support/cluster.ts'
import { quietMachinery } from '../../../test/support/toy-server.ts'
import { wrongLastBills } from '../../../test/support/last-bills.ts'
import { fullStatusColumn } from '../bills/bill-status-sql.ts'
import { setClock } from '../kernel/clock.ts'
import { createFileStore } from '../kernel/files/files.ts'
import { createLive } from '../kernel/work/live.ts'
import { demoPassword, demoSignInsOf, isEmpty, makeDemoData, type DemoData } from './demo.ts'

const folder = mkdtempSync(join(tmpdir(), 'meterbook-demo-'))
const files = createFileStore({ folder, secretKey: 'test' })
const first = await testDatabase()
const second = await testDatabase()
/** Three times the expected duration, because other tests run in parallel. */
const patienceMs = 180_000
/** Raised only when a batch closes, or by a missing bill: no new bill can raise them. */
const notByNewBills = ['gl_incomplete', 'supply_match']
let demo: DemoData

beforeAll(async () => {
  setClock('2026-11-20T16:00:00.000Z')
  demo = await make(first)
}, patienceMs)
afterAll(() => {
  setClock()
  rmSync(folder, { recursive: true, force: true })
})

function make(database: TestDatabase): Promise<DemoData> {
  const quiet = quietMachinery(database)
  const machinery = { ...quiet, files, live: createLive({ url: database.url, database, log: quiet.log }) }
  return makeDemoData({ database, machinery, log: machinery.log })
}

async function rows<Row>(text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(first.db)).rows
}

async function number(text: string): Promise<number> {
  const [row] = await rows<{ value: number }>(`select (${text})::float8 as value`)
  return row?.value ?? Number.NaN
}

describe('the demo data', () => {
  test('are two partners with a dozen clients, about 60 facilities and 400 accounts, and two years of bills', async () => {
    expect(await number('select count(*) from channel_partners')).toBe(2)
    expect(await number('select count(*) from clients')).toBe(12)
    expect(await number('select count(*) from clients where not active')).toBe(1)
    const facilities = await number('select count(*) from facilities')
    expect(facilities).toBeGreaterThanOrEqual(55)
    expect(facilities).toBeLessThanOrEqual(65)
    const accounts = await number('select (select count(*) from billable_accounts) + (select count(*) from supply_accounts)')
    expect(accounts).toBeGreaterThanOrEqual(380)
    expect(accounts).toBeLessThanOrEqual(430)
    expect(await number(`select count(distinct date_trunc('month', date)) from bills`)).toBeGreaterThanOrEqual(24)
    expect(await number('select count(*) from bills')).toBeGreaterThan(7_500)
  })

  test('hold budgets of this fiscal year and the next, of three clients in four, each of an account that was billed in that month before', async () => {
    const found = await rows<{
      client_id: number
      months: number
      first: string
      amounts: number
    }>(`select client_id, count(distinct month)::int as months,
        min(month) as first, count(*) filter (where amount > 0)::int as amounts from budgets group by client_id order by client_id`)
    expect(found).toHaveLength(9)
    for (const { months, first: month, amounts } of found) {
      expect(months).toBeGreaterThan(12)
      expect(month.slice(0, 4)).toMatch(/^202[56]$/)
      expect(amounts).toBeGreaterThan(50)
    }
    expect(
      await number(`select count(*) from budgets where not exists (select from bills where bills.client_id = budgets.client_id
        and bills.date < (budgets.month || '-01')::date - 250
        and (bills.billable_account_id = budgets.billable_account_id or exists (select from billable_accounts member where member.client_id = bills.client_id
          and member.id = bills.billable_account_id and member.group_account_id = budgets.billable_account_id)))`),
    ).toBe(0)
  })

  test('show every status that a bill can have', async () => {
    const { rows: found } = await sql<{ status: string }>`select distinct ${fullStatusColumn} as status from bills
      left join vendor_payments payment on payment.client_id = bills.client_id and payment.id = bills.vendor_payment_id
      left join payment_batches payment_batch on payment_batch.client_id = payment.client_id and payment_batch.id = payment.payment_batch_id
      left join accounting_batches accounting_batch on accounting_batch.client_id = bills.client_id and accounting_batch.id = bills.accounting_batch_id`.execute(
      first.db,
    )
    expect(found.map((row) => row.status).toSorted()).toEqual(fullStatuses.toSorted())
  })

  test('hold a planted bill for each audit that a new bill can raise, still open for somebody to look at', async () => {
    const planted = demo.planted.filter((bill) => auditCodes.includes(bill.code))
    expect(auditCodes.filter((code) => !notByNewBills.includes(code) && !planted.some((bill) => bill.code === code))).toEqual([])
    expect(planted.filter((bill) => !bill.raised.includes(bill.code))).toEqual([])
    const open = await rows<{ code: string }>(`select distinct code from bill_findings where resolved_at is null or severity = 'I'`)
    const settledAtOnce = 'duplicate_exact'
    const codes = open.map((row) => row.code)
    expect(planted.map((bill) => bill.code).filter((code) => code !== settledAtOnce && !codes.includes(code))).toEqual([])
  })

  test('hold a group’s bill that charges more than its subaccounts’, none of which is paid before it, and a supplier’s meter that counts twice', async () => {
    const of = (code: string) => demo.planted.filter((bill) => bill.code === code).map((bill) => bill.bill_id)
    expect(
      await rows(`select bills.current_charges - sum(child.current_charges) as beside, count(*)::int > 2 as several, bool_or(child.paid) as is_paid,
          (select severity from bill_findings found where found.client_id = bills.client_id and found.bill_id = bills.id and found.code = 'group_sum') as severity
        from bills join bills child on child.client_id = bills.client_id and child.group_bill_id = bills.id
        where bills.id in (${of('group_sum').join(',')}) group by bills.client_id, bills.id`),
    ).toEqual([{ beside: '38.00', several: true, is_paid: false, severity: 'E!' }])
    expect(
      await rows(`select count(*) filter (where delivery.id is not null)::int > 0 as has_delivery, count(link.service_id)::int as links from bills
        join supply_accounts supply on supply.client_id = bills.client_id and supply.id = bills.supply_account_id
        left join supply_account_billable_services link on link.client_id = supply.client_id and link.supply_account_id = supply.id
        left join billable_accounts delivery on delivery.client_id = supply.client_id and delivery.facility_id = supply.facility_id
        where bills.id in (${of('supply_unlinked').join(',')}) group by bills.id`),
    ).toEqual([{ has_delivery: true, links: 0 }])
  })

  test('keep the bills that problems were planted in out of batches, and few others flagged', async () => {
    const ids = demo.planted.map((bill) => bill.bill_id).join(',')
    expect(
      await number(
        `select count(*) from bills where id in (${ids}) and (vendor_payment_id is not null or accounting_batch_id is not null)`,
      ),
    ).toBe(0)
    const flagged = await number('select count(*) from bills where open_errors > 0 and superseded_by_id is null')
    expect(flagged).toBeGreaterThan(20)
    expect(flagged).toBeLessThan((await number('select count(*) from bills')) * 0.02)
  })

  test('keep on each account the day of its last bill', async () => {
    expect(await wrongLastBills(first.db)).toEqual([])
    expect(await number('select count(*) from billable_accounts where last_bill_date is not null')).toBeGreaterThan(300)
  })

  test('let one sign in for each role, with the password that the start prints', async () => {
    expect(await demoSignInsOf(first.db)).toEqual(demo.signIns.map(({ email }) => ({ email, password: demoPassword })))
    expect(demo.signIns.map((one) => one.email)).toEqual(
      ['super_admin', 'muc_admin', 'channel_partner_admin', 'client_admin', 'client_manager', 'client_user', 'read_only_user'].map(
        (role) => `${role}@demo.test`,
      ),
    )
    expect(await isEmpty(first.db)).toBe(false)
    expect(await isEmpty(second.db)).toBe(true)
  })
})

test('no list of part two is empty: a group of each kind has subaccounts with bills, and two changes in bulk were made', async () => {
  for (const [kind, group] of [
    ['billable', 'group_account_id'],
    ['supply', 'group_supply_account_id'],
  ])
    expect(
      await number(`select count(distinct account.${group}) from ${kind}_accounts account
        join bills on bills.client_id = account.client_id and bills.${kind}_account_id = account.id where account.${group} is not null`),
    ).toBeGreaterThan(0)
  expect(await rows('select undone_at is null as in_force, item_count > 3 as several from bulk_changes order by id')).toEqual([
    { in_force: false, several: true },
    { in_force: true, several: true },
  ])
  // An act with other versions than those of the records could not be undone.
  expect(
    await number(`select count(*) from bulk_change_items item join bulk_changes act on act.client_id = item.client_id and act.id = item.bulk_change_id
      join billable_accounts account on account.client_id = item.client_id and account.id = item.item_id
      where act.undone_at is null and (account.lock_version <> item.lock_version or account.billing_period::text <> item.changes -> 'billing_period' ->> 'to')`),
  ).toBe(0)
})

test('bills wait in the inbox as papers that can be read, a bundle of copies waits to be written, and findings are somebody’s', async () => {
  const scans = await rows<{ key: string; byte_size: number }>(`select file.key, file.byte_size::int as byte_size from bill_scans scan
    join files file on file.id = scan.file_id where scan.state = 'reading' and scan.heartbeat_at < now() - interval '1 hour' order by scan.id`)
  expect(scans.length).toBe(4)
  for (const { key, byte_size } of scans) {
    const bytes = await buffer(await files.read(key))
    expect(bytes.length).toBe(byte_size)
    expect(bytes.toString('latin1')).toMatch(/^%PDF-1\.3\n[^]*%%EOF\s*$/)
  }
  // Each copy found its bill, and the bundle contains exactly these accounts.
  expect(
    await rows(`select task.state, jsonb_array_length(bundle.form_data -> 'billable_account_ids') as accounts,
      (select count(*)::int from bill_files copy join bills on bills.client_id = copy.client_id and bills.id = copy.bill_id
        where bundle.form_data -> 'billable_account_ids' @> to_jsonb(bills.billable_account_id)) as copies
      from bill_documents bundle join tasks task on task.id = bundle.task_id`),
  ).toEqual([{ state: 'running', accounts: 4, copies: 8 }])
  expect(await number('select count(*) from bill_findings where assigned_to is not null and resolved_at is null')).toBeGreaterThan(3)
  expect(
    await number(
      `select count(*) from bill_findings where code <> 'duplicate_exact' and reason not in ('vendor_confirmed', 'seasonal', 'data_fixed')`,
    ),
  ).toBe(0)
  expect(await number(`select count(distinct event) from bill_finding_events`)).toBe(3)
})

test('documents of two clients hang on every level: a page, a chart and a table, whose files are there and are what they say', async () => {
  const found = await rows<{ client_id: number; place: string; key: string; content_type: string; byte_size: number }>(
    `select documents.client_id, case when on_client then 'client' when division_id is not null then 'division' when facility_id is not null then 'facility'
        when billable_account_id is not null then 'billable_account' else 'supply_account' end as place, file.key, file.content_type, file.byte_size::int as byte_size
      from documents join files file on file.id = documents.file_id where file.state = 'attached' order by documents.id`,
  )
  const placesOf = (client_id: number) => [...new Set(found.filter((one) => one.client_id === client_id).map(({ place }) => place))]
  const [one = 0, other = 0, ...more] = [...new Set(found.map(({ client_id }) => client_id))]
  expect(more).toEqual([])
  // The first client has no separate energy supplier.
  expect(placesOf(one)).toEqual(['client', 'division', 'facility', 'billable_account'])
  expect(placesOf(other)).toEqual(attachables.map(({ model }) => model))
  for (const trio of Map.groupBy(found, ({ client_id, place }) => `${client_id} ${place}`).values())
    expect(trio.map(({ content_type }) => content_type)).toEqual(Object.keys(beginnings))
  for (const { key, content_type, byte_size } of found) {
    const bytes = await buffer(await files.read(key))
    expect(bytes.length).toBe(byte_size)
    expect(bytes.toString('latin1')).toMatch(beginnings[content_type] ?? /none/)
  }
})

test('one change of bank details waits for a second person, and an approved one left the vendor what was asked for', async () => {
  expect(
    await rows(`select change.state, change.changed, requester.username as by, decider.username as decided_by,
        change.account_holder = vendors.account_holder as is_in_force, num_nonnulls(change.po_box_encrypted, change.payment_identifier_encrypted) as numbers,
        vendors.bank_verified_by = change.decided_by as is_marked from vendor_bank_changes change join vendors on vendors.id = change.vendor_id join users requester on requester.id = change.requested_by
      left join users decider on decider.id = change.decided_by order by change.id`),
  ).toEqual([
    {
      state: 'approved',
      changed: ['account_holder'],
      by: 'j.pruitt',
      decided_by: 'k.osei',
      is_in_force: true,
      numbers: 0,
      is_marked: true,
    },
    {
      state: 'waiting',
      changed: ['po_box', 'payment_identifier'],
      by: 'j.pruitt',
      decided_by: null,
      is_in_force: null,
      numbers: 2,
      is_marked: null,
    },
  ])
})

const beginnings: Readonly<Record<string, RegExp>> = {
  'application/pdf': /^%PDF-1\.4\n[^]*%%EOF\n$/,
  'image/png': /^\x89PNG\r\n[^]{6}IHDR[^]*IEND/,
  'text/csv': /^Month,kWh\r\nJan,\d+\r\n/,
}

describe('the books of the demo data', () => {
  test('sum to zero in each batch, and the payable of each bill is what it owes', async () => {
    expect(await number('select count(*) from gl_lines')).toBeGreaterThan(5_000)
    expect(
      await number('select count(*) from (select 1 from gl_lines group by client_id, accounting_batch_id having sum(amount) <> 0) batch'),
    ).toBe(0)
    expect(
      await number(`select count(*) from bills where accounting_batch_id is not null and exists (select from gl_lines line where line.client_id = bills.client_id and line.bill_id = bills.id)
        and amount_due <> -(select sum(line.amount) from gl_lines line where line.client_id = bills.client_id and line.bill_id = bills.id and line.kind = 'payable')`),
    ).toBe(0)
  })

  test('have yesterday at the desk finalized with real files, today open, and payments that came back and nobody has applied', async () => {
    expect(await number('select count(*) from payment_batches where is_global and is_paid and not (closed and has_been_closed)')).toBe(0)
    const made = (day: string) => `(created_at at time zone 'America/New_York')::date = '${day}'`
    expect(await number(`select count(*) from payment_batches where is_global and ${made('2026-11-19')}`)).toBeGreaterThan(0)
    expect(await number(`select count(*) from payment_batches where is_global and not finalized and ${made('2026-11-19')}`)).toBe(0)
    expect(await number(`select count(*) from payment_batches where is_global and not is_paid and ${made('2026-11-20')}`)).toBeGreaterThan(
      0,
    )
    const purposes = await rows<{ purpose: string; files: number }>(
      `select purpose, count(*)::int as files from global_batch_files where ${made('2026-11-19')} and byte_size > 0 group by purpose order by purpose`,
    )
    expect(purposes.map(({ purpose }) => purpose)).toEqual(['accounting', 'payment'])
    expect(await number(`select count(*) from global_batch_files where export_type = 'ACH'`)).toBeGreaterThan(0)
    expect(await number(`select count(*) from bank_returns where state = 'left'`)).toBeGreaterThan(0)
    for (const state of ['matched', 'proposed', 'open'])
      expect([state, await number(`select count(*) from bank_statement_lines where state = '${state}'`)]).not.toEqual([state, 0])
  })

  test('pay each bill once, what it owes, in a batch of its own client; of a group the bill that is paid is the group’s', async () => {
    expect(
      await number(`select count(*) from bills join payment_batch_bills member on member.client_id = bills.client_id and member.bill_id = bills.id
        where member.amount_paid <> case when bills.group_bill_id is null then bills.amount_due else 0 end
          or member.amount_paid is distinct from bills.amount_paid or member.vendor_payment_id is distinct from bills.vendor_payment_id`),
    ).toBe(0)
    expect(
      await number('select count(*) from (select 1 from payment_batch_bills group by client_id, bill_id having count(*) > 1) twice'),
    ).toBe(0)
    expect(await number('select count(*) from bills where (paid or finalized) and vendor_payment_id is null')).toBe(0)
  })

  test('cost in dashboards what the bills cost', async () => {
    // A group's bill costs what the bills of its subaccounts leave of it.
    const billed =
      await number(`select sum(case when carried is null then current_charges + late_fee else greatest(current_charges + late_fee - carried, 0) end)
      from bills left join lateral (select sum(child.current_charges + child.late_fee) as carried from bills child
        where child.client_id = bills.client_id and child.group_bill_id = bills.id and child.superseded_by_id is null) children on true
      where superseded_by_id is null`)
    expect(await number('select sum(cost) from service_month_facts')).toBeCloseTo(billed, 2)
  })
})

describe('what the demo data cost and use is what a professional expects', () => {
  test.each([
    ['electric', 0.06, 0.4],
    ['natural_gas', 0.5, 2.6],
    ['water', 2, 16],
  ])('a unit of %s costs from $%d to $%d', async (utility, least, most) => {
    const prices = await rows<{ price: number; name: string }>(`select facility.name, (sum(fact.cost) / sum(fact.usage))::float8 as price
      from service_month_facts fact join utility_services kind on kind.id = fact.utility_service_id
      join facilities facility on facility.client_id = fact.client_id and facility.id = fact.facility_id
      where kind.code = '${utility}' group by facility.client_id, facility.id, facility.name having sum(fact.usage) > 1000`)
    expect(prices.length).toBeGreaterThan(10)
    expect(prices.filter(({ price }) => price < least || price > most)).toEqual([])
  })

  test('electricity peaks in summer and gas in winter', async () => {
    const seasons = await rows<{ code: string; share: number }>(`select kind.code,
        (sum(fact.usage) filter (where extract(month from fact.month) in (6, 7, 8)) / sum(fact.usage) filter (where extract(month from fact.month) in (12, 1, 2)))::float8 as share
      from service_month_facts fact join utility_services kind on kind.id = fact.utility_service_id
      where fact.month between '2024-12-01' and '2026-08-31' and kind.code in ('electric', 'natural_gas') group by 1`)
    const shareOf = (code: string) => seasons.find((season) => season.code === code)?.share ?? Number.NaN
    expect(shareOf('electric')).toBeGreaterThan(1.08)
    expect(shareOf('natural_gas')).toBeLessThan(0.6)
  })

  test('reads follow one another: each starts on the day and at the dial where the last one ended, but for the planted ones', async () => {
    const ids = demo.planted.map((bill) => bill.bill_id).join(',')
    const gaps =
      await number(`select count(*) from (select line.*, lag(line.read_date) over reads as last_date, lag(line.meter_reading) over reads as last_reading
        from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
        where bills.superseded_by_id is null and bills.id not in (${ids}) window reads as (partition by line.client_id, line.service_id order by line.read_date, line.id)) read
      where last_date is not null and (previous_read_date <> last_date or previous_reading <> last_reading)`)
    expect(gaps).toBe(0)
  })
})

test(
  'two runs on one day give equal rows, ids included',
  async () => {
    await make(second)
    expect(await fingerprints(second)).toEqual(await fingerprints(first))
  },
  patienceMs,
)

/** Columns with random values for security, and columns with the time at which the database wrote them. */
const differing = ['password_hash', 'payment_identifier_encrypted', 'po_box_encrypted', 'account_number_encrypted', 'content_encrypted']
const instants: Readonly<Record<string, readonly string[]>> = {
  service_bills: ['created_at', 'updated_at'],
  audit_records: ['created_at'],
  budgets: ['created_at', 'updated_at'],
  export_releases: ['created_at', 'updated_at'],
  notifications: ['created_at'],
  // Each test database starts its version counter at another number.
  data_versions: ['version'],
}

async function fingerprints(database: TestDatabase): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{
    name: string
    columns: string[]
  }>`select columns.table_name as name, array_agg(columns.column_name::text order by columns.ordinal_position) as columns
    from information_schema.columns columns join information_schema.tables tables using (table_schema, table_name)
    where columns.table_schema = 'public' and tables.table_type = 'BASE TABLE' and columns.table_name <> 'schema_migrations' group by 1 order by 1`.execute(
    database.db,
  )
  const found: Record<string, string> = {}
  for (const { name, columns } of tables) {
    const kept = columns.filter((column) => !differing.includes(column) && !instants[name]?.includes(column))
    const { rows: hashes } = await sql<{
      hash: string
    }>`select count(*) || ' ' || coalesce(md5(string_agg(line, ' ' order by line)), '') as hash
      from (select row(${sql.join(kept.map((column) => sql.ref(column)))})::text as line from ${sql.table(name)}) rows`.execute(database.db)
    found[name] = hashes[0]?.hash ?? ''
  }
  return found
}
