/**
 * Every figure of the nine reports, in the files that a person fetches, against plain SQL over bills, lines and batches that shares nothing with
 * the product; and the totals of the reports against each other.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportName } from '#contract/reports/report-form.ts'
import { accruedByAccount, accrualRows, type Method } from './oracles/plain-sql/accruals.ts'
import { billLineRows } from './oracles/plain-sql/bill-lines.ts'
import { costUsageRows } from './oracles/plain-sql/cost-usage.ts'
import { facilityRows } from './oracles/plain-sql/facilities.ts'
import { inventoryRows } from './oracles/plain-sql/inventory.ts'
import { parents, trialBalanceRows } from './oracles/plain-sql/ledger.ts'
import { monthEndRows } from './oracles/plain-sql/month-end.ts'
import { makeReportEstate, type ReportEstate } from './oracles/report-estate.ts'
import { makePerson, startTestApp, type Person } from './support/app.ts'
import { reportFile, type ReportFile } from './support/report-files.ts'

type Row = Readonly<Record<string, string>>

const app = await startTestApp()
const oracle = new pg.Client({ connectionString: app.database.url })
let estate: ReportEstate
let clientId: number
let staff: Person
let utilities: { id: number; code: string; name: string; unit: string | null }[]
let entryFields: string[]
let usageFactors: string[]

beforeAll(async () => {
  await oracle.connect()
  staff = await makePerson(app.database.db, 'super_admin')
  estate = await makeReportEstate(app, staff)
  clientId = estate.clientId
  utilities = (
    await rowsOf(`select kind.id::text, kind.code, kind.name, units.symbol as unit from utility_services kind
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units on units.id = standard.unit_id order by kind.name, kind.id`)
  ).map(({ id, code = '', name = '', unit }) => ({ id: Number(id), code, name, unit: unit === '' ? null : (unit ?? null) }))
  entryFields = (await rowsOf('select name from entry_fields order by position, id')).map(({ name = '' }) => name)
  usageFactors = (await rowsOf('select distinct name from usage_factors order by name')).map(({ name = '' }) => name)
})
afterAll(() => oracle.end())

/** What is null is empty in a file. */
async function rowsOf(text: string): Promise<Row[]> {
  const { rows } = await oracle.query<Record<string, string | null>>(text)
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? ''])))
}

const made = (name: ReportName, form_data: object): Promise<ReportFile> => reportFile(app, staff, clientId, name, form_data)
const idsOf = (...codes: string[]): number[] => utilities.filter(({ code }) => codes.includes(code)).map(({ id }) => id)
const everyUtility = (): number[] => utilities.map(({ id }) => id)
const fiscalYear = { date_range: { from: '2025-07-01', to: '2026-06-30' } }

/** Rows in any order: what only one side has is shown. */
function expectSame(read: ReportFile, expected: readonly Row[]): void {
  const textOf = (row: Row): string => JSON.stringify(Object.entries(row))
  const [theirs, ours] = [expected.map(textOf), read.rows.map(textOf)]
  const without = (some: readonly string[], others: readonly string[]): string[] => {
    const left = Map.groupBy(others, (one) => one)
    return some.filter((one) => left.get(one)?.pop() === undefined).toSorted()
  }
  expect(read.rows.length).toBeGreaterThan(0)
  expect(without(ours, theirs)).toEqual(without(theirs, ours))
  for (const [label, total] of Object.entries(read.totals)) expect([label, total]).toEqual([label, sumText(expected, label)])
}

/** The sum of a column, with as many decimals as its amounts have; quantities without zeros that say nothing. */
function sumText(rows: readonly Row[], label: string): string {
  const cells = rows.map((row) => row[label] ?? '').filter((cell) => cell !== '')
  const places = Math.max(0, ...cells.map((cell) => cell.split('.')[1]?.length ?? 0))
  const units = cells.reduce((sum, cell) => sum + unitsOf(cell, places), 0n)
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  const shown = cells.every((cell) => /^-?\d+\.\d\d$/.test(cell)) ? text : text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
  return units < 0n ? `-${shown}` : shown
}

function unitsOf(cell: string, places: number): bigint {
  const [whole = '0', fraction = ''] = cell.replace('-', '').split('.')
  return BigInt(whole + fraction.padEnd(places, '0')) * (cell.startsWith('-') ? -1n : 1n)
}

const centsIn = (rows: readonly Row[], label: string): bigint => rows.reduce((sum, row) => sum + unitsOf(row[label] || '0', 2), 0n)

describe('the Trial Balance', () => {
  it.each([
    ['two calendar years', '2024-01-01', '2025-12-31'],
    ['a fiscal year that begins in July', '2025-07-01', '2026-06-30'],
    ['a part of a month', '2025-09-13', '2025-10-03'],
  ])('of %s has each figure of the ledger lines', async (_, from, to) => {
    const date_range = { from, to }
    expectSame(
      await made('Trial Balance Report', { date_range }),
      await rowsOf(trialBalanceRows({ clientId, bills: date_range, fields: [] })),
    )
    expectSame(
      await made('Trial Balance Report', { date_range, ledger_details: true }),
      await rowsOf(trialBalanceRows({ clientId, bills: date_range, fields: ['Cost Centre'] })),
    )
  })

  it('of a closed batch, of an open one that takes back a bill of it, and of both', async () => {
    const { closed, open } = estate
    for (const batches of [[closed], [open], [closed, open]]) {
      const read = await made('Trial Balance Report', { accounting_batch_ids: batches })
      expectSame(read, await rowsOf(trialBalanceRows({ clientId, bills: { batches }, fields: [] })))
      expect(read.totals['Net']).toBe('0.00')
    }
  })
})

/** Plain questions about each cell of each line take long beside other work. */
const EXPORT_MS = 180_000

describe('the exports of bills', { timeout: EXPORT_MS }, () => {
  const lines = (where: string, codes?: readonly string[], withLedger = false) =>
    rowsOf(billLineRows({ clientId, where, entryFields, usageFactors, withLedger, ...(codes ? { codes } : {}) }))
  const live = 'bill.superseded_by_id is null'

  it('the Global Data Export has each cell of each line, of dates, of client batches and of a vendor batch', async () => {
    expectSame(await made('Global Data Export', fiscalYear), await lines(`${live} and bill.date between '2025-07-01' and '2026-06-30'`))
    expectSame(
      await made('Global Data Export', { date_range: { from: '2024-01-01', to: null }, ledger_details: true }),
      await lines(`${live} and bill.date >= '2024-01-01'`, undefined, true),
    )
    const { closed, open, paidBatch, returnedBatch } = estate
    expectSame(
      await made('Global Data Export', { accounting_batch_ids: [closed, open] }),
      await lines(`bill.accounting_batch_id in (${closed}, ${open})`),
    )
    const ever = { date_range: { from: '2024-01-01', to: null } }
    expectSame(
      await made('Global Data Export', { ...ever, payment_batch_ids: [paidBatch] }),
      await lines(`${live} and payment_batch.id = ${paidBatch}`),
    )
    expect((await made('Global Data Export', { ...ever, payment_batch_ids: [returnedBatch] })).rows).toEqual([])
  })

  it('the Universal Data Export has the same of the lines of its utility services', async () => {
    const utility_service_ids = idsOf('electric', 'water')
    expectSame(
      await made('Universal Data Export', { ...fiscalYear, utility_service_ids }),
      await lines(`${live} and bill.date between '2025-07-01' and '2026-06-30'`, ['electric', 'water'], true),
    )
  })
})

describe('the Cost & Usage Report', () => {
  const bases = ['calendarized', 'billed'] as const
  const months = { first: '2025-07', last: '2026-06' }

  it.each(bases)('%s, of a fiscal year that begins in July, has each figure of each utility service and month', async (basis) => {
    const read = await made('Cost & Usage Report', { ...fiscalYear, basis, utility_service_ids: everyUtility() })
    expectSame(read, await rowsOf(costUsageRows({ clientId, ...months, basis, by: 'nothing' })))
  })

  it.each(bases)('%s, has them by division, by facility and by account', async (basis) => {
    const asked = { ...fiscalYear, basis, utility_service_ids: idsOf('electric', 'natural_gas', 'water') }
    const isOf = `kind.code in ('electric', 'natural_gas', 'water')`
    const ids = async (table: string) =>
      (await rowsOf(`select id::text from ${table} where client_id = ${clientId}`)).map(({ id }) => Number(id))
    const common = { clientId, ...months, basis }
    expectSame(
      await made('Cost & Usage Report', { ...asked, division_ids: await ids('divisions') }),
      await rowsOf(costUsageRows({ ...common, by: 'division', where: `${isOf} and facility.division_id is not null` })),
    )
    expectSame(
      await made('Cost & Usage Report', { ...asked, facility_ids: await ids('facilities') }),
      await rowsOf(costUsageRows({ ...common, by: 'facility', where: `${isOf} and facility.id is not null` })),
    )
    const accounts = { billable_account_ids: await ids('billable_accounts'), supply_account_ids: await ids('supply_accounts') }
    expectSame(
      await made('Cost & Usage Report', { ...asked, ...accounts }),
      await rowsOf(costUsageRows({ ...common, by: 'account', where: isOf })),
    )
  })
})

it('the Inventory Report has each figure of each meter', async () => {
  const codes = ['electric', 'natural_gas', 'water', 'sewer', 'diesel', 'telecom']
  const [{ day = '' } = {}] = await rowsOf(`select (now() at time zone 'America/New_York')::date::text as day`)
  const read = await made('Inventory Report', { ...fiscalYear, utility_service_ids: idsOf(...codes) })
  expectSame(read, await rowsOf(inventoryRows({ clientId, first: '2025-07', last: '2026-06', codes, day })))
})

describe('the Facilities Reports', () => {
  const ranges = [
    ['2025-07', '2026-06'],
    ['2025-02', '2025-04'],
  ] as const
  const kindsOf = (read: ReportFile) =>
    utilities.filter(({ name, unit }) => Object.keys(read.rows[0] ?? {}).includes(unit === null ? name : `${name} (${unit})`))

  it.each(ranges)('have each figure of each facility from %s to %s', async (first, last) => {
    const date_range = { from: `${first}-01`, to: `${last}-28` }
    const read = await made('Facilities Report', { date_range })
    expect(kindsOf(read).length).toBeGreaterThan(3)
    expectSame(read, await rowsOf(facilityRows({ clientId, first, last, kinds: kindsOf(read) })))
    const all = await made('Client Facilities Report', { date_range })
    const expected: Row[] = []
    for (const id of [clientId, estate.otherId]) {
      const [{ name = '', code = '' } = {}] = await rowsOf(`select name, short_code as code from clients where id = ${id}`)
      const rows = await rowsOf(facilityRows({ clientId: id, first, last, kinds: kindsOf(all) }))
      expected.push(...rows.map((row) => ({ Client: name, 'Client Code': code, ...row })))
    }
    expectSame(all, expected)
  })
})

describe('the Accrual Report', () => {
  const methods: readonly Method[] = ['seasonal', 'last_bill', 'trailing']
  const periods = [
    ['2025-10-01', '2025-10-31'],
    ['2025-09-01', '2025-09-30'],
    ['2025-05-16', '2025-06-15'],
  ] as const

  it.each(methods.flatMap((method) => periods.map(([from, to]) => [method, from, to] as const)))(
    'by %s, from %s to %s, has each figure of each meter',
    async (accrual_method, from, to) => {
      const asked = { clientId, from, to, method: accrual_method }
      expectSame(await made('Accrual Report', { accrual_method, date_range: { from, to } }), await rowsOf(accrualRows(asked)))
      const journal = await made('Accrual Report', { accrual_method, date_range: { from, to }, ledger_details: true })
      const booked = journal.rows
        .filter((row) => row['Entry'] === 'Accrual')
        .map((row) => [row['Ledger Account'], centsIn([row], 'Debit') - centsIn([row], 'Credit')])
      const accounts = (await rowsOf(accruedByAccount(asked))).map((row) => [
        row['account'] === 'All' ? 'Accrued utilities' : row['account'],
        (row['account'] === 'All' ? -1n : 1n) * centsIn([row], 'amount'),
      ])
      expect(booked.toSorted()).toEqual(accounts.toSorted())
    },
  )
})

it('the Month End Report has each figure of each month of a fiscal year that begins in July', async () => {
  const months = Array.from({ length: 12 }, (_, place) => `${place < 6 ? 2025 : 2026}-${String(((place + 6) % 12) + 1).padStart(2, '0')}`)
  const accruals = await rowsOf(accruedByAccount({ clientId, from: '2026-06-01', to: '2026-06-30', method: 'seasonal' }))
  const expected = [
    ...(await rowsOf(monthEndRows(clientId, months))).map(({ month = '', section = '', item = '', count = '', amount = '' }) => ({
      Month: month,
      Section: section,
      Item: item,
      Count: count,
      Amount: amount,
    })),
    ...accruals.map(({ account = '', meters = '', amount = '' }) => ({
      Month: '2026-06',
      Section: 'Accruals',
      Item: account,
      Count: meters,
      Amount: amount,
    })),
  ]
  const read = await made('Month End Report', fiscalYear)
  expectSame(read, expected)
  const of = (item: string) =>
    read.rows.filter((row) => row['Section'] === 'Roll-forward of unpaid bills' && row['Item'] === item).map((row) => Number(row['Count']))
  // The estate has each of these events.
  for (const item of ['Entered', 'Paid', 'Payments taken back', 'Voided'])
    expect([item, of(item).some((count) => count > 0)]).toEqual([item, true])
})

describe('the totals of the reports tie to each other, to the cent', () => {
  it('a closed client batch: its Trial Balance, its frozen ledger lines, its total, its export and the Month End', async () => {
    const { closed } = estate
    const choice = { accounting_batch_ids: [closed] }
    const balance = await made('Trial Balance Report', choice)
    const owed = -centsIn(
      balance.rows.filter((row) => row['Ledger Account'] === 'Accounts payable'),
      'Net',
    )
    const batch = (await app.ask(staff, 'GET', `/clients/${clientId}/accounting_batches/${closed}`)).body['accounting_batch']
    const exported = await made('Global Data Export', choice)
    const [{ frozen = '', debits = '' } = {}] =
      await rowsOf(`select (-sum(amount) filter (where kind = 'payable'))::text as frozen, (sum(amount) filter (where amount > 0))::text as debits
      from gl_lines where client_id = ${clientId} and accounting_batch_id = ${closed}`)
    const end = await made('Month End Report', { date_range: { from: '2025-10-01', to: '2025-10-31' } })
    const of = (section: string, item: string) => end.rows.find((row) => row['Section'] === section && row['Item'] === item)
    expect(owed).toBeGreaterThan(0n)
    expect(batch).toMatchObject({ bills_total: frozen })
    expect([
      centsIn(exported.rows, 'Amount Due'),
      unitsOf(frozen, 2),
      unitsOf(of('Client batches', 'Closed')?.['Amount'] ?? '', 2),
    ]).toEqual([owed, owed, owed])
    expect(of('Bills', 'In client batches that were closed')?.['Amount']).toBe(of('Client batches', 'Closed')?.['Amount'])
    expect(balance.totals['Debit']).toBe(debits)
  })

  it('all that was ever used and paid for: Cost & Usage by day and as billed, facilities, inventory and the export', async () => {
    const date_range = { from: '2023-10-01', to: '2026-06-30' }
    const utility_service_ids = everyUtility()
    const spread = await made('Cost & Usage Report', { date_range, utility_service_ids })
    const billed = await made('Cost & Usage Report', { date_range, utility_service_ids, basis: 'billed' })
    const facilities = await made('Facilities Report', { date_range })
    const inventory = await made('Inventory Report', { date_range, utility_service_ids })
    const exported = await made('Global Data Export', { date_range })
    const cost = centsIn(spread.rows, 'Cost')
    expect([centsIn(billed.rows, 'Cost'), centsIn(facilities.rows, 'Cost')]).toEqual([cost, cost])
    expect([facilities.totals['t CO2e'], inventory.totals['t CO2e']]).toEqual([spread.totals['t CO2e'], spread.totals['t CO2e']])
    // The bill of a group counts for what the bills of its children leave.
    const counted = exported.rows.filter((row) => row['Amount Counts'] === 'Yes')
    const [{ left = '' } = {}] =
      await rowsOf(`select coalesce(sum(greatest(0, parent.current_charges + parent.late_fee - (select sum(child.current_charges + child.late_fee) from bills child
        where child.client_id = ${clientId} and child.group_bill_id = parent.id and child.superseded_by_id is null))), 0)::text as left
      from bills parent where parent.client_id = ${clientId} and parent.superseded_by_id is null and parent.id in (${parents(clientId)})`)
    expect(centsIn(counted, 'Current Charges') + centsIn(counted, 'Late Fee') + unitsOf(left, 2)).toBe(cost)
  })

  it('what was paid: the Month End, the vendor payments, what was taken back, and the export', async () => {
    const end = await made('Month End Report', fiscalYear)
    const payments = end.rows.filter((row) => row['Section'] === 'Payments' && row['Item'] !== 'Less earlier balances')
    const [{ still = '', back = '' } = {}] =
      await rowsOf(`select (select sum(member.amount_paid) from payment_batch_bills member where member.client_id = ${clientId})::text as still,
      (select sum(amount) from payment_reversals where client_id = ${clientId})::text as back`)
    const exported = await made('Global Data Export', { date_range: { from: '2023-10-01', to: null } })
    const paid = centsIn(exported.rows, 'Amount Paid')
    expect(unitsOf(back, 2)).toBeGreaterThan(0n)
    expect(centsIn(payments, 'Amount')).toBe(paid + unitsOf(back, 2))
    expect(unitsOf(still, 2)).toBeGreaterThan(0n)
    const listed = await app.ask(staff, 'GET', `/clients/${clientId}/payment_batches?per=100`)
    expect(listed.status).toBe(200)
    const batches: { payment_batches: { batch_total: string; reversed_total: string }[] } = JSON.parse(listed.text)
    const sent = batches.payment_batches.reduce((sum, one) => sum + unitsOf(one.batch_total, 2) + unitsOf(one.reversed_total, 2), 0n)
    expect(sent).toBe(centsIn(payments, 'Amount'))
    const rolled = (item: string) =>
      centsIn(
        end.rows.filter((row) => row['Section'] === 'Roll-forward of unpaid bills' && row['Item'] === item),
        'Amount',
      )
    const first = end.rows.find((row) => row['Item'] === 'Opening unpaid')
    const last = end.rows.findLast((row) => row['Item'] === 'Closing unpaid')
    expect(
      centsIn(first ? [first] : [], 'Amount') + rolled('Entered') + rolled('Payments taken back') - rolled('Paid') - rolled('Voided'),
    ).toBe(centsIn(last ? [last] : [], 'Amount'))
  })

  it('accruals: the Month End has those of the Accrual Report, and what was accrued and was billed since is the cost of the same days in Cost & Usage', async () => {
    const month = { date_range: { from: '2025-10-01', to: '2025-10-31' } }
    const [end, report] = [await made('Month End Report', month), await made('Accrual Report', month)]
    expect(end.rows.find((row) => row['Section'] === 'Accruals' && row['Item'] === 'All')?.['Amount']).toBe(report.totals['Total'])
    expect(centsIn(report.rows, 'Accrued') + centsIn(report.rows, 'Billed, not Booked')).toBe(centsIn(report.rows, 'Total'))
    // Meters that were billed to the end of August by the end of September, and for September since.
    const since = report.rows.filter((row) => /^(CHILD|CENTS)/.test(row['Account'] ?? ''))
    expect(since.map((row) => row['Actual'] !== '')).toEqual([true, true, true, true])
    const september = { date_range: { from: '2025-09-01', to: '2025-09-30' } }
    const chosen = { utility_service_ids: everyUtility(), billable_account_ids: await ids(`account_number ~ '^(CHILD|CENTS)'`) }
    const usage = await made('Cost & Usage Report', { ...september, ...chosen })
    expect(since.map((row) => [row['Account'], row['Actual']]).toSorted()).toEqual(
      usage.rows.map((row) => [row['Of'], row['Cost']]).toSorted(),
    )
  })
  const ids = async (where: string) =>
    (await rowsOf(`select id::text from billable_accounts where client_id = ${clientId} and ${where}`)).map(({ id }) => Number(id))
})
