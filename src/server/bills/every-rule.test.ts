/**
 * Each rule of the audits, proved by a bill that is sent over HTTP and returned with its finding. The table covers the list of rules: a
 * rule without a case fails.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditCodes } from '#contract/bill-audits/bill-audits.ts'
import { auditName, ruleOptions } from '#contract/bill-audits/rule-names.ts'
import type { ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import { statement } from '#contract/bill-retrieval/statement.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeGround, makeService, makeSupplyAccount, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { quietMachinery } from '../../../test/support/toy-server.ts'
import { setProviders } from '../bill-retrieval/bill-retrieval.ts'
import { setClock } from '../kernel/clock.ts'
import { createBills } from './bills.ts'
import { nightlyAuditJob } from './nightly-audit.ts'

const { app, database, ask } = await startTestApp()
const { db } = database
let staff: Person

beforeAll(async () => {
  setClock('2025-08-08T15:00:00Z')
  staff = await makePerson(db, 'super_admin')
})
afterAll(() => setClock())

interface Found {
  readonly code: string
  readonly severity: string
  readonly message: string
}

/** Changes of the bill of July 2025 and its electric line; half a year of bills precedes it. */
interface Changed {
  readonly bill?: object
  readonly line?: Partial<ServiceBillDraft>
  /** Without the line of the gas meter. */
  readonly isAlone?: boolean
  /** Prepares the state before the bill is sent. */
  readonly before?: (at: Ground) => Promise<unknown>
}
type Case = { readonly severity: string } & (Changed | { readonly findings: () => Promise<readonly Found[]> })

const charged = (value: string) => [{ name: 'Utility Charges', value }]
const factor = (...values: readonly [string, string][]) => ({
  service_bill_usage_factors: values.map(([name, value]) => ({ name, value })),
})
const costs = (charges: string, total: string): Changed => ({
  bill: { current_charges: total, amount_due: total },
  line: { service_bill_entry_fields: charged(charges) },
})
const typedUsage = (usage: string) => ({ usage, previous_reading: null, meter_reading: null })
const service = (set: ReturnType<typeof sql>) => (at: Ground) => sql`update services set ${set} where id = ${at.electricId}`.execute(db)
const june = (set: ReturnType<typeof sql>) => (at: Ground) =>
  sql`update service_bills set ${set} where service_id = ${at.electricId} and previous_read_date = '2025-06-01'`.execute(db)

const cases: Readonly<Record<string, Case>> = {
  read_gap: { severity: 'E', line: { previous_read_date: '2025-07-10' } },
  read_overlap: { severity: 'E', line: { previous_read_date: '2025-06-20' } },
  period_length: { severity: 'E', bill: { date: '2025-09-12', due_date: '2025-10-01' }, line: { read_date: '2025-09-10' } },
  reading_break: { severity: 'E', line: { previous_reading: '15300.00', meter_reading: '16200.00' } },
  reading_regress: { severity: 'E', line: { meter_reading: '15000.00' } },
  multiplier_change: { severity: 'E', line: { multiplier: '10' } },
  usage_math: { severity: 'E', line: { usage: '500.000' } },
  usage_zero: { severity: 'W', line: typedUsage('0') },
  usage_high: { severity: 'E', line: typedUsage('9000') },
  usage_low: { severity: 'E', line: typedUsage('90') },
  usage_negative: { severity: 'E', line: typedUsage('-900') },
  usage_same: { severity: 'W', before: june(sql`usage = 870.968, standard_usage = 870.968`) },
  estimated_run: { severity: 'W', line: { estimated: true }, before: june(sql`estimated = true`) },
  duplicate_exact: { severity: 'E!', bill: { invoice_number: 'INV-6', override_reason: 'Sent twice' } },
  duplicate_likely: { severity: 'W', bill: { current_charges: '156.00', amount_due: '156.00' } },
  header_math: { severity: 'E!', bill: { amount_due: '999.00' } },
  lines_math: { severity: 'E', bill: { current_charges: '200.00', amount_due: '200.00' } },
  cost_day_high: { severity: 'E', ...costs('1070.00', '1120.00') },
  cost_day_low: { severity: 'E', ...costs('10.70', '60.70') },
  unit_cost: { severity: 'E', ...costs('1070.00', '1120.00') },
  balance_forward: { severity: 'W', bill: { balance_forward: '5.00', amount_due: '162.00' } },
  late_fee: { severity: 'W', bill: { late_fee: '5.00', amount_due: '162.00' } },
  due_date: { severity: 'E', bill: { due_date: '2025-12-31' } },
  date_sanity: { severity: 'E', bill: { date: '2025-08-30', due_date: '2025-09-20' } },
  inactive: { severity: 'E!', before: (at) => sql`update billable_accounts set active = false where id = ${at.accountId}`.execute(db) },
  missing_service: { severity: 'W', isAlone: true, bill: { current_charges: '107.00', amount_due: '107.00' } },
  unknown_meter: { severity: 'E', findings: ofUnknownMeter },
  unit_mismatch: {
    severity: 'W',
    line: { raw_unit: 'furlongs', ...typedUsage('900') },
    bill: { current_charges: '10.00', amount_due: '10.00' },
  },
  demand: { severity: 'W', line: factor(['KW Actual', '30'], ['KW Billed', '20']) },
  load_factor: { severity: 'E', line: factor(['KW Billed', '1']) },
  power_factor: { severity: 'W', line: factor(['Power Factor', '0.8']) },
  rate_changed: { severity: 'W', line: { rate_schedule: 'GS-2' }, before: service(sql`rate_schedule = 'GS-1'`) },
  tax_exempt: {
    severity: 'W',
    before: service(sql`tax_code = 'Exempt'`),
    line: { service_bill_entry_fields: [...charged('102.00'), { name: 'Utility Taxes', value: '5.00' }] },
  },
  supply_match: { severity: 'W', findings: () => ofSupply({ used: '1000.00', isLinked: true }) },
  supply_unlinked: { severity: 'W', findings: () => ofSupply({ used: '900.00', isLinked: false }) },
  credit_bill: { severity: 'W', bill: { current_charges: '-10.00', amount_due: '-10.00' } },
  high_value: { severity: 'E!', bill: { amount_due: '9000.00' } },
  vendor_pay: {
    severity: 'E!',
    before: async (at) => {
      await sql`update clients set utility_payment_management = true where id = ${at.clientId}`.execute(db)
      await sql`delete from vendor_payment_methods where vendor_id = ${at.vendorId}`.execute(db)
    },
  },
  charges_missing: { severity: 'W', isAlone: true, line: { service_bill_entry_fields: charged('0.00') } },
}

/** No call closes a client batch yet, which alone requires the ledger accounts. */
const elsewhere: readonly string[] = ['gl_incomplete']
/** Rules whose cases are in the tests of group bills. */
const besideGroups: readonly string[] = ['group_sum']

describe('each rule of the audits is found on a bill that came over HTTP', () => {
  test('every rule has a case and a name', () => {
    const known = [...Object.keys(cases), ...elsewhere, ...besideGroups]
    expect([...new Set(auditCodes)].filter((code) => !known.includes(code))).toEqual([])
    expect([...new Set(auditCodes)].filter((code) => !ruleOptions.some(({ value }) => value === code))).toEqual([])
    expect(new Set(ruleOptions.map(({ label }) => label)).size).toBe(ruleOptions.length)
  })

  test.each(Object.entries(cases))('%s', async (code, one) => {
    const findings = 'findings' in one ? await one.findings() : await ofJuly(one)
    const found = findings.filter((finding) => finding.code === code)
    expect(findings.map((finding) => `${finding.code} ${finding.severity}`)).toContain(`${code} ${one.severity}`)
    for (const { message } of found) expect(message, auditName(code)).toMatch(/^[A-Z0-9$].*[^.]$/s)
  })
})

test('a bill like those before it has no finding at all', async () => {
  expect((await ofJuly({})).map(({ code }) => code)).toEqual([])
})

describe('dollars that are ten times wrong', () => {
  test.each([
    ['$600 for $60', '600.00', ['cost_day_high E', 'unit_cost E']],
    ['$6 for $60', '6.00', ['cost_day_low E', 'unit_cost E']],
    ['$0 for $60', '0.00', ['cost_day_low E', 'credit_bill W', 'unit_cost E']],
  ])('%s is an error', async (_, total, wanted) => {
    const at = await halfYear(0.4)
    const found = await ofJulyAt(at, {
      bill: { current_charges: total, amount_due: total },
      line: { service_bill_entry_fields: charged(total) },
      isAlone: true,
    })
    const of = found.map(({ code, severity }) => `${code} ${severity}`).filter((one) => !one.startsWith('missing_service'))
    expect(of.toSorted()).toEqual(wanted)
  })

  test('a small bill in a unit that is not the meter’s is flagged, whatever it costs', async () => {
    const at = await makeGround(db)
    const { rows } = await sql<{
      unit_id: number
    }>`select usage_units.unit_id from usage_units join services on services.utility_service_id = usage_units.utility_service_id
      where services.id = ${at.electricId} and usage_units.id <> services.usage_unit_id order by conversion_factor desc limit 1`.execute(db)
    const found = await ofJulyAt(at, {
      bill: { current_charges: '10.00', amount_due: '10.00' },
      line: { unit_id: rows[0]?.unit_id ?? 0, service_bill_entry_fields: charged('10.00') },
      isAlone: true,
    })
    expect(found).toContainEqual(expect.objectContaining({ code: 'unit_mismatch', severity: 'W' }))
  })
})

test('a delivery bill whose supply bill does not come within 45 days is found by night, paid or not, and goes when it comes', async () => {
  const at = await makeGround(db)
  await sql`update services set supply = true where id = ${at.electricId}`.execute(db)
  const { id } = await save(at, julyOf(at, {}))
  await sql`update bills set paid = true where id = ${id}`.execute(db)
  const night = () => nightlyAuditJob.run({ data: {}, machinery: quietMachinery(database), signal: new AbortController().signal })
  const open = async () => (await findingsOf(at, id)).filter(({ code }) => code === 'supply_match')
  setClock('2025-09-15T08:20:00Z')
  await night()
  expect(await open()).toEqual([])
  setClock('2025-09-21T08:20:00Z')
  await night()
  expect(await open()).toMatchObject([{ severity: 'W', message: expect.stringContaining('No supply bill came within 45 days') }])
  await ask(staff, 'PATCH', `/clients/${at.clientId}/bills/${id}`, { bill: { notes: 'Asked the supplier' } })
  expect(await open()).toHaveLength(1)
  const supply = await supplierOf(at, true)
  await save(at, supplyBill(supply, '900.00'))
  await night()
  expect(await open()).toEqual([])
  setClock('2025-08-08T15:00:00Z')
})

async function ofJuly(changed: Changed): Promise<readonly Found[]> {
  return ofJulyAt(await halfYear(), changed)
}

async function ofJulyAt(at: Ground, changed: Changed): Promise<readonly Found[]> {
  await changed.before?.(at)
  return (await save(at, julyOf(at, changed))).findings
}

/** January to June; `share` reduces the electric line to that fraction of its usual cost and leaves the gas meter out. */
async function halfYear(share = 1): Promise<Ground> {
  const at = await makeGround(db)
  const drafts = [1, 2, 3, 4, 5, 6].map((month) => {
    const draft = monthlyDraft(at, month)
    if (share === 1) return draft
    const total = (60 + (month % 3) * share).toFixed(2)
    const [electric] = draft.service_bills
    const service_bills = electric ? [{ ...electric, service_bill_entry_fields: charged(total) }] : []
    return { ...draft, current_charges: total, amount_due: total, service_bills }
  })
  await acting(database, (context) => createBills(context, at.clientId, drafts))
  return at
}

function julyOf(at: Ground, { bill, line, isAlone = false }: Changed): object {
  const { service_bills, source: _source, ...head } = monthlyDraft(at, 7)
  const [electric, gas] = service_bills
  return { ...head, service_bills_attributes: [{ ...electric, ...line }, ...(isAlone ? [] : [gas])], ...bill }
}

async function save(at: Ground, bill: object): Promise<{ readonly id: number; readonly findings: readonly Found[] }> {
  const answer = await ask(staff, 'POST', `/clients/${at.clientId}/bills`, { bill })
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text).bill
}

async function findingsOf(at: Ground, id: number): Promise<readonly (Found & { readonly resolved_at: string | null })[]> {
  const { text } = await ask(staff, 'GET', `/clients/${at.clientId}/bills/${id}`)
  const findings: (Found & { resolved_at: string | null })[] = JSON.parse(text).bill.findings
  return findings.filter(({ resolved_at }) => resolved_at === null)
}

interface Supplier {
  readonly accountId: number
  readonly serviceId: number
}

async function supplierOf(at: Ground, isLinked: boolean): Promise<Supplier> {
  const accountId = await makeSupplyAccount(db, at, `S-${at.clientId}`)
  const serviceId = await makeService(db, at.clientId, accountId, 'electric', 'S-1', 'supply_account_id')
  if (isLinked)
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${at.clientId}, ${accountId}, ${at.electricId})`.execute(
      db,
    )
  return { accountId, serviceId }
}

function supplyBill({ accountId, serviceId }: Supplier, used: string): object {
  return {
    account_type: 'SupplyAccount',
    account_id: accountId,
    date: '2025-08-06',
    due_date: '2025-08-25',
    balance_forward: '0.00',
    current_charges: '60.00',
    amount_due: '60.00',
    service_bills_attributes: [
      {
        service_id: serviceId,
        previous_read_date: '2025-07-01',
        read_date: '2025-08-01',
        previous_reading: '0.00',
        meter_reading: used,
        service_bill_entry_fields: charged('60.00'),
      },
    ],
  }
}

/** A delivery of 900 kWh and the supplier's bill for the same days. */
async function ofSupply({ used, isLinked }: { readonly used: string; readonly isLinked: boolean }): Promise<readonly Found[]> {
  const at = await makeGround(db)
  await save(at, julyOf(at, {}))
  return (await save(at, supplyBill(await supplierOf(at, isLinked), used))).findings
}

/** A statement of a retrieval service that bills a meter which the account does not have. */
async function ofUnknownMeter(): Promise<readonly Found[]> {
  const at = await makeGround(db)
  const { rows } = await sql<{ account_number: string }>`select account_number from billable_accounts where id = ${at.accountId}`.execute(
    db,
  )
  const meter = {
    commodity: 'electric',
    previous_read_date: '2025-07-01',
    read_date: '2025-08-01',
    usage: '900',
    unit: 'kWh',
    utility_charges: '53.50',
  }
  const one = statement.parse({
    statement_id: 'S1',
    file_id: 'S1',
    kind: 'bill',
    provider_name: 'City Power',
    account_number: rows[0]?.account_number,
    bill_date: '2025-08-05',
    current_charges: '107.00',
    amount_due: '107.00',
    meters: [
      { ...meter, meter_number: 'E-1' },
      { ...meter, meter_number: 'X-9' },
    ],
  })
  const bytes = new TextEncoder().encode('%PDF-1.4')
  setProviders(app.machinery, [
    {
      id: 'fake',
      label: 'Fake service',
      status: async () => ({ ok: true, credentials: { ok: 1, failed: 0, needsAction: 0 } }),
      listStatements: async () => ({ items: [one] }),
      getStatement: async () => one,
      getPdf: async () => ({ bytes, filename: 'S1.pdf', sha256: createHash('sha256').update(bytes).digest('hex') }),
    },
  ])
  const path = `/clients/${at.clientId}`
  const task = (id: unknown) => taskOf((method, address) => ask(staff, method, address), id)
  await task((await ask(staff, 'POST', `${path}/bill_retrieval/fetch`)).body['task_id'])
  const started = await ask(staff, 'POST', `${path}/bills/retrieval_import`, { all_matching: true, missing_meters: 'flag' })
  expect(started.status, started.text).toBe(200)
  expect(await task(started.body['task_id'])).toMatchObject({ state: 'done', result: { created: 1 } })
  const { rows: bills } = await sql<{ id: number }>`select id from bills where client_id = ${at.clientId}`.execute(db)
  return findingsOf(at, bills[0]?.id ?? 0)
}
