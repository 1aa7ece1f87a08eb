/** The way from each figure of a report's preview to its bills, over HTTP: the list comes to the figure. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { billSums } from '#contract/bills/bill-list-calls.ts'
import type { BillSums } from '#contract/bills/bill-list-calls.ts'
import { addMoney } from '#contract/kernel/money.ts'
import { figureBills, type BillFilters, type FigureBills } from '#contract/reports/figure-bills.ts'
import { reportNames, type ReportName } from '#contract/reports/report-form.ts'
import { insert } from '../../../test/every-call/world.ts'
import { makeFiguresWorld } from '../../../test/oracles/figures-world.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let client: number
let staff: Person
let narrow: Person
let reports: Map<string, number>
const ids: Record<'services' | 'facilities' | 'divisions' | 'accounts' | 'supply' | 'vendors' | 'batches', number[]> = {
  services: [],
  facilities: [],
  divisions: [],
  accounts: [],
  supply: [],
  vendors: [],
  batches: [],
}

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = (await makeFiguresWorld(db)).clientId
  await sql`update clients set utility_payment_management = true, accounting_batch_management = true, ledger_account_management = true
    where id = ${client}`.execute(db)
  await sql`update bills set amount_due = balance_forward + current_charges + late_fee,
      division_id = (select division_id from facilities where facilities.client_id = bills.client_id and facilities.id = account.facility_id),
      facility_id = account.facility_id, vendor_id = account.vendor_id, account_number = account.account_number
    from (select client_id, id, null::bigint as supply_id, facility_id, vendor_id, account_number from billable_accounts
      union all select client_id, null, id, facility_id, vendor_id, account_number from supply_accounts) account
    where bills.client_id = account.client_id and (bills.billable_account_id = account.id or bills.supply_account_id = account.supply_id)`.execute(
    db,
  )
  const batch = await insert(db, 'accounting_batches', { client_id: client, batch_code: 'JULY' })
  await sql`update bills set accounting_batch_id = ${batch} where client_id = ${client} and date between '2025-07-01' and '2025-07-31' and superseded_by_id is null
    and id not in (select group_bill_id from bills child where child.client_id = ${client} and child.group_bill_id is not null)`.execute(db)
  await sql`update bills set parked = id % 7 = 0, qc = id % 5 = 0 where client_id = ${client}`.execute(db)
  await db.transaction().execute((tx) => rebuildFacts(tx, client))
  const idsOf = async (table: string, isOfClient = true) => {
    const { rows } = await sql<{
      id: number
    }>`select id from ${sql.table(table)} ${isOfClient ? sql`where client_id = ${client}` : sql``} order by id`.execute(db)
    return rows.map(({ id }) => id)
  }
  ids.services = await idsOf('utility_services', false)
  ids.facilities = await idsOf('facilities')
  ids.divisions = await idsOf('divisions')
  ids.accounts = await idsOf('billable_accounts')
  ids.supply = await idsOf('supply_accounts')
  ids.batches = [batch]
  const { rows } = await sql<{
    vendor_id: number
  }>`select distinct vendor_id from billable_accounts where client_id = ${client} and vendor_id is not null`.execute(db)
  ids.vendors = rows.map(({ vendor_id }) => vendor_id)
  narrow = await makePerson(db, 'client_user', { clients: [client], division: [[client, ids.divisions[0] ?? 0]] })
  const known = await sql<{ id: number; name: string }>`select id, name from reports`.execute(db)
  reports = new Map(known.rows.map(({ id, name }) => [name, id]))
})

const preview = z.object({
  columns: z.array(z.object({ key: z.string() })),
  rows: z.array(z.array(z.string().nullable())),
  control: z.object({ bill_count: z.int(), amount_due: z.string(), current_charges: z.string() }).nullable(),
  control_bills: z.record(z.string(), z.string()).nullable(),
  behind: z.array(z.array(figureBills)),
})
type Preview = z.infer<typeof preview>

async function looked(name: ReportName, form_data: object, more: object = {}, who = staff): Promise<Preview> {
  const answer = await ask(who, 'POST', `/clients/${client}/reports/${reports.get(name)}/preview`, { form_data, ...more })
  expect(answer.status, `${name}: ${answer.text}`).toBe(200)
  return preview.parse(answer.body)
}

const query = (filters: BillFilters) =>
  Object.entries(filters)
    .map(([key, value]) => `q[${key}]=${encodeURIComponent(value)}`)
    .join('&')

async function sumsOf(clientId: number, filters: BillFilters, who = staff): Promise<BillSums> {
  const { body } = await ask(who, 'POST', `/clients/${clientId}/bills/sums`, { filter: { q: filters }, add_up: 'all' })
  const sums = billSums.parse(body)
  // The list itself has as many bills as its sums say.
  const list = await ask(who, 'GET', `/clients/${clientId}/bills?with_rows=false&${query(filters)}`)
  expect(list.body['total'], list.text).toBe(sums.count)
  return sums
}

function comesTo({ comes_to }: FigureBills, sums: BillSums): string | null {
  if (comes_to === 'count') return String(sums.count)
  return comes_to === 'charged' ? addMoney(sums.current_charges, sums.late_fee) : sums[comes_to]
}

/** Compares each figure that has bills with what their list comes to. @returns how many figures that were, and how many were not zero. */
async function held(read: Preview, who = staff): Promise<{ figures: number; nonzero: number }> {
  const counts = { figures: 0, nonzero: 0 }
  for (const [place, row] of read.rows.entries())
    for (const figure of read.behind[place] ?? []) {
      const cell = row[read.columns.findIndex(({ key }) => key === figure.column)] ?? '0.00'
      const sums = await sumsOf(figure.client_id, figure.filters, who)
      expect(comesTo(figure, sums), `${figure.column} of ${row.join(' | ')} by ${query(figure.filters)}`).toBe(cell)
      counts.figures += 1
      if (cell !== '0.00' && cell !== '0') counts.nonzero += 1
    }
  return counts
}

const of2024 = { date_range: { from: '2024-01-01', to: '2024-12-31' } }
const of2025 = { date_range: { from: '2025-01-01', to: '2025-12-31' } }

/** Choices for each report, with the fewest figures other than zero that have bills. */
const cases: readonly { name: ReportName; what: string; data: () => object; nonzero: number }[] = [
  {
    name: 'Cost & Usage Report',
    what: 'of one service by month',
    data: () => ({ ...of2025, utility_service_ids: ids.services.slice(0, 1) }),
    nonzero: 20,
  },
  {
    name: 'Cost & Usage Report',
    what: 'of all services by facility',
    data: () => ({ ...of2025, utility_service_ids: ids.services, facility_ids: ids.facilities }),
    nonzero: 20,
  },
  {
    name: 'Cost & Usage Report',
    what: 'of two services by division',
    data: () => ({ ...of2024, utility_service_ids: ids.services.slice(0, 2), division_ids: ids.divisions }),
    nonzero: 10,
  },
  {
    name: 'Cost & Usage Report',
    what: 'by accounts of both kinds',
    data: () => ({ ...of2025, utility_service_ids: ids.services, billable_account_ids: ids.accounts, supply_account_ids: ids.supply }),
    nonzero: 20,
  },
  {
    name: 'Cost & Usage Report',
    what: 'on the billed basis',
    data: () => ({ ...of2025, basis: 'billed', utility_service_ids: ids.services }),
    nonzero: 20,
  },
  {
    name: 'Cost & Usage Report',
    what: 'on the billed basis of some vendors',
    data: () => ({ ...of2025, basis: 'billed', utility_service_ids: ids.services, vendor_ids: ids.vendors.slice(0, 1) }),
    nonzero: 1,
  },
  { name: 'Facilities Report', what: 'of a year', data: () => of2025, nonzero: 2 },
  {
    name: 'Facilities Report',
    what: 'of two services',
    data: () => ({ ...of2025, utility_service_ids: ids.services.slice(0, 2) }),
    nonzero: 2,
  },
  { name: 'Client Facilities Report', what: 'of all clients', data: () => of2025, nonzero: 2 },
  { name: 'Inventory Report', what: 'of all services', data: () => ({ ...of2025, utility_service_ids: ids.services }), nonzero: 4 },
  { name: 'Trial Balance Report', what: 'of a year', data: () => of2024, nonzero: 2 },
  { name: 'Trial Balance Report', what: 'of a client batch', data: () => ({ accounting_batch_ids: ids.batches }), nonzero: 2 },
  { name: 'Month End Report', what: 'of a month', data: () => ({ date_range: { from: '2025-07-01', to: '2025-07-31' } }), nonzero: 8 },
]

describe('a figure of a preview leads to its bills, and their list comes to the figure', () => {
  it.each(cases)('$name $what', async ({ name, data, nonzero }) => {
    const found = await held(await looked(name, data()))
    expect(found.nonzero).toBeGreaterThanOrEqual(nonzero)
  })

  it('for a reader of one division, within it', async () => {
    const data = { ...of2025, utility_service_ids: ids.services }
    const found = await held(await looked('Cost & Usage Report', data, {}, narrow), narrow)
    expect(found.nonzero).toBeGreaterThan(5)
  })

  it('for a report of a division, with the bills of the division alone', async () => {
    const choices = { assignable_type: 'Division', assignable_id: ids.divisions[0] }
    const found = await held(await looked('Facilities Report', of2025, choices))
    expect(found.figures).toBeGreaterThan(0)
  })
})

describe('the bills that the control counts', () => {
  it.each([
    { name: 'Trial Balance Report', data: () => of2025 },
    { name: 'Trial Balance Report', data: () => ({ accounting_batch_ids: ids.batches }) },
    { name: 'Global Data Export', data: () => of2025 },
    { name: 'Global Data Export', data: () => ({ ...of2025, division_ids: ids.divisions.slice(0, 1), vendor_ids: ids.vendors }) },
    { name: 'Global Data Export', data: () => ({ accounting_batch_ids: ids.batches }) },
    { name: 'Global Data Export', data: () => ({ ...of2025, billable_account_ids: ids.accounts.slice(0, 2) }) },
  ] as const)('are those of the list: $name', async ({ name, data }) => {
    const { control, control_bills } = await looked(name, data())
    const sums = await sumsOf(client, control_bills ?? {})
    expect(control?.bill_count).toBeGreaterThan(0)
    expect({ bill_count: sums.count, amount_due: sums.amount_due, current_charges: sums.current_charges }).toEqual(control)
  })

  it('have no list where none shows exactly these: last bills, lines of a service, accounts of both kinds', async () => {
    const bills = async (data: object, more: object = {}) =>
      (await looked('Global Data Export', { ...of2025, ...data }, more)).control_bills
    expect(await bills({}, { last_bill_only: true })).toBeNull()
    expect(await bills({ utility_service_ids: ids.services.slice(0, 1) })).toBeNull()
    expect(await bills({ billable_account_ids: ids.accounts, supply_account_ids: ids.supply })).toBeNull()
  })
})

it('every report has its way to the bills, or is one of those whose figures are no sums of bills', () => {
  const ways = new Set(cases.map(({ name }) => name))
  // A row of the two data exports is a line of one bill, which its Bill ID opens. Accruals are estimates.
  // Rows of the inventory and of the meters are made of usage.
  expect(reportNames.filter((name) => !ways.has(name))).toEqual([
    'Global Data Export',
    'Universal Data Export',
    'Accrual Report',
    'GHG Inventory Report',
    'Portfolio Manager Properties Export',
    'Portfolio Manager Bills Export',
    'Portfolio Manager Check Report',
  ])
})

it('figures that no list of bills comes to have none: what belongs to no utility service, and calendarized months of some vendors', async () => {
  const all = await looked('Cost & Usage Report', { ...of2025, utility_service_ids: ids.services })
  for (const [place, row] of all.rows.entries()) if (row[0] === 'No utility service') expect(all.behind[place]).toEqual([])
  const some = await looked('Cost & Usage Report', { ...of2025, utility_service_ids: ids.services, vendor_ids: ids.vendors })
  expect(some.rows.length).toBeGreaterThan(0)
  expect(some.behind.flat()).toEqual([])
})

it('sums of a list are of one client, within reach, and refuse an unknown filter by its name', async () => {
  const all = await sumsOf(client, {})
  const own = await sumsOf(client, {}, narrow)
  expect(own.count).toBeGreaterThan(0)
  expect(own.count).toBeLessThan(all.count)
  expect(all.counted).toBeNull()
  const refused = await ask(staff, 'POST', `/clients/${client}/bills/sums`, { filter: { q: { colour: 'red' } }, add_up: 'all' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Unknown filter: colour')])
})
