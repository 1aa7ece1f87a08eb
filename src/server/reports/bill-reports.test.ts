/** The examples that the reports about bills must come to: groups, replaced bills, batches, months, meters. Each has a client of its own. */
import type { ReportName } from '#contract/reports/report-form.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insert } from '../../../test/every-call/world.ts'
import { startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount } from '../../../test/support/bills.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { madeReport } from '../../../test/support/made-report.ts'
import { addOwedBill, line } from '../../../test/support/report-bills.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'

const { database } = await startTestApp()
const { db } = database
const october = { date_range: { from: '2025-10-01', to: '2025-10-31' } }
const made = (clientId: number, name: ReportName, data: object = october) => madeReport(db, name, data, { clientId, today: '2025-11-15' })
const factsOf = (clientId: number) => db.transaction().execute((tx) => rebuildFacts(tx, clientId))

const closedBatch = (client_id: number, closed_at: string) =>
  insert(db, 'accounting_batches', { client_id, batch_code: `B${closed_at}`, closed: true, has_been_closed: true, closed_at })

/** A bill of a group, and the bills of its two children, which carry 100.00 and 56.00. */
async function makeGroup(due: string) {
  const ground = await makeGround(db)
  const { clientId } = ground
  const group = await makeAccount(db, ground, 'GROUP', { group: true })
  const date = '2025-10-10'
  const parent = await addOwedBill(db, clientId, {
    account: { billable_account_id: group },
    date,
    current_charges: due,
    lines: [],
    from: '2025-09-10',
    to: date,
  })
  for (const charge of ['100.00', '56.00']) {
    const account = await makeAccount(db, ground, `CHILD ${charge}`, { groupId: group })
    const meter = await makeService(db, clientId, account, 'electric', `M ${charge}`)
    await addOwedBill(db, clientId, {
      account: { billable_account_id: account },
      date,
      current_charges: charge,
      group_bill_id: parent,
      lines: [line(meter, '2025-09-10', date, charge, { usage: '10' })],
    })
  }
  return { ...ground, parent }
}

describe('the bill of a group', () => {
  it('is in the Trial Balance by the bills of its children alone, as in client batches, and a remark says what they leave', async () => {
    const { clientId } = await makeGroup('156.00')
    const read = await made(clientId, 'Trial Balance Report')
    expect(read.totals).toMatchObject({ debit: '156.00', credit: '156.00' })
    expect(read.control).toEqual({ bill_count: 2, amount_due: '156.00', current_charges: '156.00' })
    expect(read.remarks.join(' ')).not.toMatch(/children/)
    const { clientId: other } = await makeGroup('160.00')
    const left = await made(other, 'Trial Balance Report')
    expect(left.totals['debit']).toBe('156.00')
    expect(left.remarks).toContainEqual('4.00 of the bills of groups is in no bill of their children, and is not booked.')
  })

  it('is marked in the Global Data Export as an amount that does not count, because its children carry it', async () => {
    const { clientId, parent } = await makeGroup('156.00')
    const read = await made(clientId, 'Global Data Export')
    expect(read.rows.map((row) => [row['bill_id'] === String(parent), row['amount_counts'], row['line_total']]).toSorted()).toEqual([
      [false, 'Yes', '100.00'],
      [false, 'Yes', '56.00'],
      [true, 'No', '156.00'],
    ])
  })
})

describe('the Trial Balance', () => {
  it('adds ledger accounts up for people who may not see them', async () => {
    const { clientId } = await makeGroup('156.00')
    const [power, heat] = [await makeLedgerAccount(db, clientId, 'Power'), await makeLedgerAccount(db, clientId, 'Heat')]
    await sql`update services set ledger_account_id = case when meter_number = 'M 56.00' then ${heat}::bigint else ${power}::bigint end
      where client_id = ${clientId}`.execute(db)
    const seen = await made(clientId, 'Trial Balance Report')
    expect(seen.rows.map((row) => row['ledger_account'])).toEqual(['Heat', 'Power', 'Accounts payable'])
    const without = { clientId, today: '2025-11-15', rights: { ledger: false, notes: false } }
    const masked = await madeReport(db, 'Trial Balance Report', { ...october, ledger_details: true }, without)
    expect(masked.rows.map((row) => [row['ledger_account'], row['bill_count'], row['net']])).toEqual([
      ['All ledger accounts', '2', '156.00'],
      ['Accounts payable', '2', '-156.00'],
    ])
    expect(masked.remarks.join(' ')).toMatch(/Ledger accounts are added up/)
  })
})

describe('the Global Data Export', () => {
  it('of a client batch keeps the bills that the batch has booked and that were replaced since: its sums are those of the batch', async () => {
    const { clientId, accountId, electricId } = await makeGround(db)
    const batch = await closedBatch(clientId, '2025-10-20T17:00:00Z')
    const bill = (charge: string) =>
      addOwedBill(db, clientId, {
        account: { billable_account_id: accountId },
        date: '2025-10-10',
        current_charges: charge,
        lines: [line(electricId, '2025-09-10', '2025-10-10', charge, { usage: '10' })],
      })
    const [old, fresh] = [await bill('90.00'), await bill('80.00')]
    await sql`update bills set accounting_batch_id = ${batch}, superseded_by_id = ${fresh} where client_id = ${clientId} and id = ${old}`.execute(
      db,
    )
    const read = await made(clientId, 'Global Data Export', { accounting_batch_ids: [batch] })
    expect(read.rows.map((row) => [row['line_total'], row['usage_counts'], row['amount_counts'], row['kg_co2e']])).toEqual([
      ['90.00', 'No', 'No', '0'],
    ])
    expect(read.control?.amount_due).toBe('90.00')
    expect((await made(clientId, 'Global Data Export')).totals['amount_due']).toBe('80.00')
  })

  it('has the emissions of a line that the monthly facts have: each month by its own factor', async () => {
    const { clientId, accountId, electricId } = await makeGround(db)
    await addOwedBill(db, clientId, {
      account: { billable_account_id: accountId },
      date: '2025-10-20',
      current_charges: '100.00',
      lines: [line(electricId, '2025-09-16', '2025-10-16', '100.00', { usage: '3000' })],
    })
    const { rows: kinds } = await sql<{ id: number }>`select utility_service_id as id from services where id = ${electricId}`.execute(db)
    const editions = sql`from (select * from emission_factors where utility_service_id = ${kinds[0]?.id} order by id limit 1) known`
    await sql`insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope)
      select known.utility_service_id, known.unit_id, day, factor, 'test', known.edition, known.year, known.gas_basis, known.scope
      ${editions} cross join (values (date '2025-09-01', 0.4), (date '2025-10-01', 0.2)) given (day, factor)`.execute(db)
    await factsOf(clientId)
    const read = await made(clientId, 'Global Data Export')
    const { rows: facts } = await sql<{ kg: string }>`select trim_scale(sum(kg_co2e))::text as kg from service_month_facts
      where client_id = ${clientId}`.execute(db)
    await sql`delete from emission_factors where source = 'test'`.execute(db)
    // Fifteen days of September at 0.4, and fifteen of October at 0.2, of 100 a day.
    expect(read.rows.map((row) => row['kg_co2e'])).toEqual(['900'])
    expect(facts[0]?.kg).toBe('900')
  })
})

describe('the Cost & Usage Report', () => {
  const ids = async () => (await sql<{ id: number }>`select id from utility_services`.execute(db)).rows.map(({ id }) => id)

  it('has a row for a month that was billed in the year before and not since', async () => {
    const { clientId, accountId, electricId, gasId } = await makeGround(db)
    for (const [service, year, charge] of [
      [electricId, '2024', '70.00'],
      [gasId, '2025', '30.00'],
    ] as const)
      await addOwedBill(db, clientId, {
        account: { billable_account_id: accountId },
        date: `${year}-10-31`,
        current_charges: charge,
        lines: [line(service, `${year}-10-01`, `${year}-10-31`, charge, { usage: '10' })],
      })
    await factsOf(clientId)
    for (const basis of ['calendarized', 'billed']) {
      const read = await made(clientId, 'Cost & Usage Report', { ...october, basis, utility_service_ids: await ids() })
      expect(read.rows.map((row) => [row['utility_service'], row['month'], row['cost'], row['previous_cost'], row['usage']])).toEqual([
        ['Electric', '2025-10', '0.00', '70.00', null],
        ['Natural Gas', '2025-10', '30.00', null, '10'],
      ])
      expect(read.totals['previous_cost']).toBe('70.00')
    }
  })

  it('has what belongs to no utility service where all of them are chosen, so that it ties to the dashboard', async () => {
    const { clientId, accountId } = await makeGround(db)
    await addOwedBill(db, clientId, {
      account: { billable_account_id: accountId },
      date: '2025-10-10',
      current_charges: '12.34',
      lines: [],
    })
    await factsOf(clientId)
    const all = await ids()
    for (const basis of ['calendarized', 'billed']) {
      const read = await made(clientId, 'Cost & Usage Report', { ...october, basis, utility_service_ids: all })
      expect(read.rows.map((row) => [row['utility_service'], row['cost']])).toEqual([['No utility service', '12.34']])
      expect((await made(clientId, 'Cost & Usage Report', { ...october, basis, utility_service_ids: all.slice(1) })).count).toBe(0)
    }
  })

  it('does not let one meter make up for another in its coverage, nor do the facilities reports', async () => {
    const { clientId, accountId, electricId } = await makeGround(db)
    const second = await makeService(db, clientId, accountId, 'electric', 'E-2')
    await sql`update services set active = false where client_id = ${clientId} and id not in (${electricId}, ${second})`.execute(db)
    // In use on the last ten days alone, and billed for the whole month; the other one is not billed.
    await sql`update services set effective_from = '2025-10-22' where client_id = ${clientId} and id = ${electricId}`.execute(db)
    await addOwedBill(db, clientId, {
      account: { billable_account_id: accountId },
      date: '2025-10-31',
      current_charges: '31.00',
      lines: [line(electricId, '2025-10-01', '2025-11-01', '31.00', { usage: '10' })],
    })
    await factsOf(clientId)
    const read = await made(clientId, 'Cost & Usage Report', { ...october, utility_service_ids: await ids() })
    // 10 of 41 days.
    expect(read.rows.map((row) => row['coverage'])).toEqual(['24.39'])
    expect((await made(clientId, 'Facilities Report')).rows.map((row) => row['coverage'])).toEqual(['24.39'])
  })
})

describe('the Facilities Report', () => {
  it('expects days of the meters alone that its maker reaches', async () => {
    const ground = await makeGround(db)
    const { clientId } = ground
    await sql`update services set active = false where client_id = ${clientId}`.execute(db)
    const [own, other] = [await makeSupplyAccount(db, ground, 'OWN'), await makeSupplyAccount(db, ground, 'OTHER')]
    const meter = await makeService(db, clientId, own, 'electric', 'E-8', 'supply_account_id')
    await makeService(db, clientId, other, 'electric', 'E-9', 'supply_account_id')
    await sql`update supply_accounts set facility_id = null where client_id = ${clientId}`.execute(db)
    await addOwedBill(db, clientId, {
      account: { supply_account_id: own },
      date: '2025-10-31',
      current_charges: '31.00',
      lines: [line(meter, '2025-10-01', '2025-11-01', '31.00', { usage: '10' })],
    })
    await factsOf(clientId)
    const reach = [{ clients: [clientId], narrowed: { supply_account: [own] } }]
    const { rows } = await madeReport(db, 'Facilities Report', october, { clientId, today: '2025-11-15', reach })
    expect(rows.map((row) => [row['name'], row['coverage']])).toEqual([['No facility', '100.00']])
    expect((await made(clientId, 'Facilities Report')).rows.map((row) => row['coverage'])).toContain('50.00')
  })
})

describe('the Inventory Report', () => {
  it('names the unit of its factor, whatever unit the meter is billed in', async () => {
    const { clientId, gasId } = await makeGround(db)
    await sql`update services set usage_unit_id = (select unit.id from usage_units unit join units on units.id = unit.unit_id
        where unit.utility_service_id = services.utility_service_id and units.symbol = 'CCF') where client_id = ${clientId} and id = ${gasId}`.execute(
      db,
    )
    const { rows: kinds } = await sql<{ id: number; symbol: string }>`select kind.id, units.symbol from utility_services kind
      join usage_units unit on unit.utility_service_id = kind.id and unit.standard join units on units.id = unit.unit_id where kind.code = 'natural_gas'`.execute(
      db,
    )
    const read = await made(clientId, 'Inventory Report', { ...october, utility_service_ids: [kinds[0]?.id] })
    expect(read.rows.map((row) => [row['unit'], row['factor_unit']])).toEqual([['CCF', kinds[0]?.symbol]])
    expect(kinds[0]?.symbol).not.toBe('CCF')
  })
})
