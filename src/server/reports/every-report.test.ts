/** What holds of all nine reports, over HTTP: that they are there, what each needs, what it asks for, and what it keeps. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insert } from '../../../test/every-call/world.ts'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { makeGround, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let ground: Ground
let staff: Person
let reports: { id: number; name: string; export_type: string }[]
let electric: number

/** The names, their files, the choice that each needs, and the other choices that it asks for. */
const nine = [
  ['Trial Balance Report', 'csv_and_pdf', 'range', ['accounting_batch_ids', 'vendor_ids', 'division_ids', 'ledger_details']],
  [
    'Global Data Export',
    'csv',
    'range',
    ['accounting_batch_ids', 'payment_batch_ids', 'utility_service_ids', 'accounts', 'ledger_details', 'last_bill_only'],
  ],
  ['Cost & Usage Report', 'csv_and_pdf', 'service', ['date_range', 'basis', 'accounts']],
  ['Inventory Report', 'csv', 'service', ['date_range', 'accounts']],
  [
    'Universal Data Export',
    'csv',
    'service',
    ['date_range', 'accounting_batch_ids', 'payment_batch_ids', 'accounts', 'utility_service_fields', 'last_bill_only', 'all_clients'],
  ],
  ['Accrual Report', 'csv_and_pdf', 'nothing', ['date_range', 'accrual_method', 'utility_service_ids', 'accounts', 'ledger_details']],
  ['Facilities Report', 'csv_and_pdf', 'nothing', ['date_range', 'utility_service_ids', 'division_ids', 'facility_ids']],
  ['Client Facilities Report', 'csv', 'nothing', ['date_range', 'utility_service_ids']],
  ['Month End Report', 'csv_and_pdf', 'nothing', ['date_range']],
] as const

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  await sql`update clients set utility_payment_management = true, accounting_batch_management = true, ledger_account_management = true
    where id = ${ground.clientId}`.execute(db)
  const listed = await ask(staff, 'GET', `/clients/${ground.clientId}/reports`)
  reports = z.array(z.object({ id: z.int(), name: z.string(), export_type: z.string() })).parse(listed.body['reports'])
  const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
  electric = rows[0]?.id ?? 0
})

const range = { date_range: { from: '2024-01-01', to: '2024-12-31' } }
const make = (name: string, draft: object): Promise<Answer> =>
  ask(staff, 'POST', `/clients/${ground.clientId}/generated_reports`, {
    generated_report: { report_id: reports.find((one) => one.name === name)?.id, assignable_type: 'User', ...draft },
  })
const problemOf = ({ status, body }: Answer) => {
  const { fields } = z.object({ fields: z.record(z.string(), z.array(z.string())) }).parse(body['errors'])
  return { status, message: body['message'], fields }
}
const neededBy = (need: 'range' | 'service' | 'nothing'): object =>
  need === 'range' ? range : need === 'service' ? { utility_service_ids: [electric] } : {}

it('the nine are listed in their order with their files, and each is answered alone [REP-CONST-001] [REP-API-001] [REP-API-002] [REP-FIELD-001]', async () => {
  // Reports that the specification does not name come after its nine.
  expect(reports.slice(0, nine.length).map(({ name, export_type }) => [name, export_type])).toEqual(
    nine.map(([name, type]) => [name, type]),
  )
  for (const { id, name, export_type } of reports) {
    const { status, body } = await ask(staff, 'GET', `/clients/${ground.clientId}/reports/${id}`)
    expect([status, body['report']]).toMatchObject([
      200,
      { id, name, export_type, description: expect.stringMatching(/./), key_items: expect.arrayContaining([expect.stringMatching(/./)]) },
    ])
  }
})

describe.each(nine)('the %s', (name, _type, need, others) => {
  it('needs what it says, and nothing else [REP-RULE-001] [REP-RULE-002] [REP-MSG-002]', async () => {
    const bare = await make(name, { form_data: {} })
    if (need === 'nothing') expect(bare.status, bare.text).toBe(200)
    else
      expect(problemOf(bare)).toEqual({
        status: 422,
        message: 'Missing Required Fields',
        fields:
          need === 'range'
            ? { 'form_data.date_range': ['A date range or Client Batch must be selected for this report.'] }
            : { 'form_data.utility_service_ids': ['A utility service must be selected for this report.'] },
      })
    const enough = await make(name, { form_data: neededBy(need) })
    expect(enough.status, enough.text).toBe(200)
  })

  it('keeps each choice that it asks for, and refuses the others by name [GREP-FIELD-003] [GREP-FIELD-004] [GREP-FIELD-005]', async () => {
    const { clientId: client_id, vendorId, divisionId, facilityId, accountId } = ground
    const supply = await makeSupplyAccount(db, ground, `SUP ${name}`)
    const every: Readonly<Record<string, unknown>> = {
      date_range: range.date_range,
      utility_service_ids: [electric],
      accounting_batch_ids: [await insert(db, 'accounting_batches', { client_id, batch_code: `B ${name}` })],
      payment_batch_ids: [await insert(db, 'payment_batches', { client_id, batch_date: '2024-01-05', bills_due_date: '2024-01-25' })],
      vendor_ids: [vendorId],
      division_ids: [divisionId],
      facility_ids: [facilityId],
      billable_account_ids: [accountId],
      supply_account_ids: [supply],
      ledger_details: true,
      utility_service_fields: [
        { name: 'account_number', checked: true },
        { name: 'usage', checked: false },
      ],
      basis: 'billed',
      accrual_method: 'trailing',
      all_clients: true,
    }
    const accounts = ['vendor_ids', 'division_ids', 'facility_ids', 'billable_account_ids', 'supply_account_ids']
    const asked = new Set([
      ...(need === 'range' ? ['date_range'] : need === 'service' ? ['utility_service_ids'] : []),
      ...others.flatMap((key) => (key === 'accounts' ? accounts : [key])),
    ])
    const own = Object.fromEntries(Object.entries(every).filter(([key]) => asked.has(key)))
    const last_bill_only = asked.has('last_bill_only')
    const made = await make(name, { form_data: own, last_bill_only })
    expect(made.status, made.text).toBe(200)
    const kept = await ask(staff, 'GET', `/clients/${client_id}/generated_reports/${String(made.body['id'])}`)
    expect(kept.body['generated_report']).toMatchObject({ form_data: own, last_bill_only })
    for (const [key, value] of Object.entries(every).filter(([given]) => !asked.has(given)))
      expect([key, problemOf(await make(name, { form_data: { ...neededBy(need), [key]: value } })).fields]).toEqual([
        key,
        { [`form_data.${key}`]: ['This report does not ask for it'] },
      ])
    if (!last_bill_only)
      expect(problemOf(await make(name, { form_data: neededBy(need), last_bill_only: true })).fields).toEqual({
        last_bill_only: ['This report does not ask for it'],
      })
  })
})
