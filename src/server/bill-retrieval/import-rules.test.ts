/** Outcome of each kind of statement, through the API, from a service of the test's own. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { statement as statementSchema, type Statement, type StatementInput } from '#contract/bill-retrieval/statement.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'
import { setProviders } from './bill-retrieval.ts'
import { ProviderError, type BillRetrievalProvider } from './provider.ts'

const app = await startTestApp()
const { db } = app.database
lastBillsAgree(db)
let admin: Person
let clientId = 0
let facilityId = 0
let vendorId = 0
let accountId = 0
let served: Statement[] = []
let fault: ProviderError | null = null

const provider: BillRetrievalProvider = {
  id: 'fake',
  label: 'Fake service',
  status: async () => {
    if (fault) throw fault
    return { ok: true, credentials: { ok: 1, failed: 0, needsAction: 0 } }
  },
  listStatements: async () => {
    if (fault) throw fault
    return { items: served }
  },
  getStatement: async (id) => {
    const found = served.find((one) => one.statement_id === id)
    if (!found) throw new ProviderError('not_found', `There is no statement ${id}.`)
    return found
  },
  getPdf: async (id, code) => {
    const bytes = new TextEncoder().encode(`%PDF-1.4 ${id}`)
    return { bytes, filename: `${code}_${id}.pdf`, sha256: createHash('sha256').update(bytes).digest('hex') }
  },
}

beforeAll(async () => {
  setProviders(app.app.machinery, [provider])
  admin = await makePerson(db, 'super_admin')
})
beforeEach(async () => {
  fault = null
  served = []
  clientId = await makeClient(db)
  facilityId = await makeFacility(db, clientId, await makeDivision(db, clientId))
  vendorId = await makeVendor(db, { name: `City Power ${clientId}` })
  accountId = await makeBillableAccount(db, clientId, facilityId, vendorId, { account_number: '00-77' })
  await sql`insert into services (client_id, billable_account_id, meter_number, metered, utility_service_id, usage_unit_id)
    select ${clientId}, ${accountId}, 'M1', true, kind.id, usage_units.id from utility_services kind
    join usage_units on usage_units.utility_service_id = kind.id join units on units.id = usage_units.unit_id and units.symbol = 'kWh' where kind.name = 'Electric'`.execute(
    db,
  )
})

/** A monthly statement of the account; month 1 is January 2026. */
function monthly(month: number, changes: Partial<StatementInput> = {}): Statement {
  const start = `2026-${String(month).padStart(2, '0')}-01`
  const end = `2026-${String(month + 1).padStart(2, '0')}-01`
  const id = changes.statement_id ?? `S${month}`
  const current = changes.current_charges ?? '100.00'
  return statementSchema.parse({
    statement_id: id,
    file_id: `F-${id}`,
    kind: 'bill',
    provider_name: `City Power ${clientId}`,
    account_number: '00-77',
    bill_date: end,
    due_date: `2026-${String(month + 1).padStart(2, '0')}-20`,
    interval_start: start,
    interval_end: end,
    balance_forward: '0.00',
    current_charges: current,
    amount_due: current,
    meters: [
      {
        meter_number: 'M1',
        commodity: 'electric',
        previous_read_date: start,
        read_date: end,
        usage: '900',
        unit: 'kWh',
        utility_charges: current,
      },
    ],
    ...changes,
  })
}

const call = async (method: 'GET' | 'POST', path: string, body?: object, who: Person = admin) =>
  app.ask(who, method, `/clients/${clientId}${path}`, body)
const done = (id: unknown) => taskOf((method, path) => app.ask(admin, method, path), id)
const fetchAll = async () => done((await call('POST', '/bill_retrieval/fetch')).body['task_id'])
const importAll = async (more: object = {}) =>
  done((await call('POST', '/bills/retrieval_import', { all_matching: true, ...more })).body['task_id'])

const rowSchema = z.object({
  statement_id: z.string(),
  file_id: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  bill_id: z.number().nullable(),
})
async function states(): Promise<Record<string, { state: string; reason: string | null; bill_id: number | null }>> {
  const { body } = await call('GET', '/bill_retrieval/statements?per=100')
  const records = z.array(rowSchema).parse(body['records'])
  return Object.fromEntries(records.map(({ statement_id, state, reason, bill_id }) => [statement_id, { state, reason, bill_id }]))
}

describe('fetching', () => {
  it('keeps every statement as a record of the third party with where it stands [IMPORT-API-010] [IMPORT-FIELD-001] [IMPORT-FIELD-003] [IMPORT-FIELD-004] [IMPORT-FIELD-005]', async () => {
    served = [monthly(1)]
    expect(await fetchAll()).toMatchObject({ state: 'done', result: { listed: 1, fetched: 1, failed: 0 } })
    const { body } = await call('GET', '/bill_retrieval/statements')
    expect(body['records']).toMatchObject([
      {
        statement_id: 'S1',
        file_id: 'F-S1',
        account_number: '00-77',
        bill_date: '2026-02-01',
        due_date: '2026-02-20',
        balance_forward: '0.00',
        current_charges: '100.00',
        late_fee: '0.00',
        amount_due: '100.00',
        notes: null,
        rebill_adjustment: false,
        qc: false,
        parked: false,
        meters: [
          { meter_number: 'M1', previous_read_date: '2026-01-01', read_date: '2026-02-01', usage: '900', unit: 'kWh', estimated: false },
        ],
        state: 'matched',
        account_id: accountId,
      },
    ])
    expect(body['counts']).toMatchObject({ by_state: { matched: 1 } })
  })

  it('asks again only for what is not here yet', async () => {
    served = [monthly(1)]
    await fetchAll()
    await sql`update tasks set created_at = created_at - interval '1 minute'`.execute(db)
    served = [monthly(1), monthly(2)]
    expect(await fetchAll()).toMatchObject({ result: { listed: 2, fetched: 1 } })
  })

  it('asks again for a statement that the service has changed: it is decided anew, and one that is a bill says what it was changed to', async () => {
    const again = async () => {
      await sql`update tasks set created_at = created_at - interval '1 minute'`.execute(db)
      return fetchAll()
    }
    served = [monthly(1), monthly(2)]
    await fetchAll()
    const { body } = await call('POST', '/bills/retrieval_import', { data: [{ file_id: 'F-S1' }] })
    await done(body['task_id'])
    const made = await states()
    expect(made).toMatchObject({ S1: { state: 'created' }, S2: { state: 'matched' } })
    served = [monthly(1, { current_charges: '111.00' }), monthly(2, { current_charges: '222.00' })]
    expect(await again()).toMatchObject({ result: { listed: 2, fetched: 1 } })
    expect(await states()).toMatchObject({
      S1: {
        state: 'created',
        bill_id: made['S1']?.bill_id,
        reason: 'The service has changed this statement since its bill was made: account 00-77 of 02/01/2026, amount due $111.00.',
      },
      S2: { state: 'matched', reason: null },
    })
    expect(await again()).toMatchObject({ result: { fetched: 0 } })
    await importAll()
    const { rows } = await sql`select current_charges from bills where client_id = ${clientId} order by date`.execute(db)
    expect(rows).toEqual([{ current_charges: '100.00' }, { current_charges: '222.00' }])
  })

  it('that the service refuses ends as a failed task with the service’s words, which the status keeps', async () => {
    fault = new ProviderError('signed_out', 'The service refuses our credentials.')
    const task = await fetchAll()
    expect(task.state).toBe('failed')
    expect(task.error).toContain('The service refuses our credentials.')
    expect((await call('GET', '/bill_retrieval/status')).body).toMatchObject({
      ok: false,
      error: expect.stringContaining('refuses our credentials'),
    })
  })
})

describe('what stands in the way of a bill', () => {
  it('is said by state and reason: no account, no meter, no amounts, a notice, published again', async () => {
    served = [
      monthly(1, { statement_id: 'absent', account_number: '999' }),
      monthly(2, {
        statement_id: 'meter',
        meters: [{ meter_number: 'M9', commodity: 'electric', usage: '1', unit: 'kWh', utility_charges: '100.00' }],
      }),
      monthly(3, { statement_id: 'blank', amount_due: null, current_charges: null }),
      monthly(4, { statement_id: 'notice', kind: 'notice' }),
      monthly(5, { statement_id: 'first' }),
      monthly(5, { statement_id: 'again' }),
    ]
    await fetchAll()
    expect(await states()).toMatchObject({
      absent: { state: 'needs_account', reason: 'The account is not there yet' },
      meter: { state: 'needs_meter', reason: 'The account has no meter M9 (Electric)' },
      blank: { state: 'ignored', reason: expect.stringContaining('prints no amounts') },
      notice: { state: 'ignored', reason: 'This is a notice, not a bill.' },
      first: { state: 'duplicate', reason: 'Published again as statement again' },
      again: { state: 'matched', reason: null },
    })
    expect(await importAll()).toMatchObject({ state: 'done', has_file: true, result: { read: 6, created: 1, duplicate: 1, refused: 4 } })
  })

  it('goes away when a person says whose number it is: it becomes an alias of the account', async () => {
    served = [monthly(1, { account_number: '4711' })]
    await fetchAll()
    const body = { account_number: '4711', provider_name: `City Power ${clientId}`, account_id: accountId }
    expect((await call('POST', '/bill_retrieval/match', body)).body).toMatchObject({ success: true, matched: 1 })
    expect(await states()).toMatchObject({ S1: { state: 'matched' } })
    await sql`update tasks set created_at = created_at - interval '1 minute'`.execute(db)
    served = [...served, monthly(2, { account_number: '47-11' })]
    await fetchAll()
    expect(await states()).toMatchObject({ S2: { state: 'matched' } })
  })

  it('a missing meter is added, or the bill is made without it and flagged, where that is asked for', async () => {
    const strange = [
      {
        meter_number: 'M9',
        commodity: 'electric' as const,
        previous_read_date: '2026-01-01',
        read_date: '2026-02-01',
        usage: '5',
        unit: 'kWh',
        utility_charges: '100.00',
      },
    ]
    served = [monthly(1, { meters: strange })]
    await fetchAll()
    expect(await importAll()).toMatchObject({ result: { created: 0, refused: 1 } })
    expect(await importAll({ missing_meters: 'add' })).toMatchObject({ result: { created: 1, new_services: 1 } })
    const { rows } = await sql<{
      meters: string[]
    }>`select array_agg(meter_number order by id) as meters from services where client_id = ${clientId}`.execute(db)
    expect(rows[0]?.meters).toEqual(['M1', 'M9'])
  })

  it('a statement that was put aside makes no bill until it is taken back', async () => {
    served = [monthly(1)]
    await fetchAll()
    await call('POST', '/bill_retrieval/statements/ignore', { file_ids: ['F-S1'], reason: 'Not ours' })
    expect(await states()).toMatchObject({ S1: { state: 'ignored', reason: 'Not ours' } })
    expect(await importAll()).toMatchObject({ result: { created: 0, refused: 1 } })
    await call('POST', '/bill_retrieval/statements/unignore', { file_ids: ['F-S1'] })
    expect(await importAll()).toMatchObject({ result: { created: 1 } })
  })
})

describe('importing', () => {
  it('runs behind the call and reports to the window that asked over the live channel, each row that made no bill with its reason [IMPORT-JOB-001] [LIVE-RULE-001]', async () => {
    served = [monthly(1), monthly(2, { account_number: '999' })]
    await fetchAll()
    const started = await call('POST', '/bills/retrieval_import', { all_matching: true, connection_id: 'window-7' })
    expect(started.body).toMatchObject({ success: true, message: 'Starting Import Process' })
    const count = async () =>
      (await sql<{ bills: number }>`select count(*)::int as bills from bills where client_id = ${clientId}`.execute(db)).rows[0]?.bills
    const task = await done(started.body['task_id'])
    expect(await count()).toBe(1)
    expect(task.result).toMatchObject({
      created: 1,
      refused: 1,
      records: [{ statement_id: 'S2', account_number: '999', reason: 'The account is not there yet' }],
    })
    const { rows } =
      await sql`select connection_id, message, description, notification_type from notifications where user_id = ${admin.id} and type = 'retrieval_import' order by id desc limit 1`.execute(
        db,
      )
    expect(rows).toEqual([
      {
        connection_id: 'window-7',
        message: 'Import successful!',
        description: ['The import has been made successfully.', '1 bill created, 1 not created, each with its reason'],
        notification_type: 'success',
      },
    ])
  })

  it('takes records with their file ids, with what a person changed on them, once however often they are sent [IMPORT-API-012]', async () => {
    served = [monthly(1), monthly(2)]
    await fetchAll()
    const send = async () =>
      done((await call('POST', '/bills/retrieval_import', { data: [{ file_id: 'F-S1', notes: 'Looked at' }] })).body['task_id'])
    expect(await send()).toMatchObject({ result: { read: 1, created: 1 } })
    expect(await send()).toMatchObject({ result: { read: 1, created: 0, before: 1 } })
    const { rows } = await sql`select statement_id, notes, amount_due::text, source from bills where client_id = ${clientId}`.execute(db)
    expect(rows).toEqual([{ statement_id: 'S1', notes: 'Looked at', amount_due: '100.00', source: 'retrieval' }])
    expect(await states()).toMatchObject({ S1: { state: 'created' }, S2: { state: 'matched' } })
  })

  it('a correction of the same period replaces the bill, one of another period adds to it', async () => {
    served = [monthly(1)]
    await fetchAll()
    await importAll()
    await sql`update tasks set created_at = created_at - interval '1 minute'`.execute(db)
    served = [
      ...served,
      monthly(1, { statement_id: 'fixed', kind: 'adjustment', bill_date: '2026-02-10', current_charges: '80.00', amount_due: '80.00' }),
    ]
    await fetchAll()
    expect(await importAll()).toMatchObject({ result: { created: 1, before: 1 } })
    const { rows } =
      await sql`select bill.statement_id, bill.rebill_mode, bill.rebill_adjustment, original.statement_id as of, original.superseded_by_id = bill.id as void
      from bills bill left join bills original on original.client_id = bill.client_id and original.id = bill.rebill_of_id where bill.client_id = ${clientId} and bill.statement_id = 'fixed'`.execute(
        db,
      )
    expect(rows).toEqual([{ statement_id: 'fixed', rebill_mode: 'replace', rebill_adjustment: true, of: 'S1', void: true }])
  })

  it('the statement’s PDF is stored on the first reading and becomes the file of its bill [IMPORT-API-011]', async () => {
    served = [monthly(1)]
    await fetchAll()
    const { rows: client } = await sql<{ short_code: string }>`select short_code from clients where id = ${clientId}`.execute(db)
    const pdf = await call('GET', '/bill_retrieval/statements/F-S1/pdf')
    expect(pdf.text).toBe('%PDF-1.4 S1')
    expect(pdf.headers['content-disposition']).toContain(`${client[0]?.short_code ?? '?'}_S1.pdf`)
    await importAll()
    await expect
      .poll(async () => (await sql<{ filename: string }>`select filename from bill_files where client_id = ${clientId}`.execute(db)).rows, {
        timeout: 15_000,
      })
      .toEqual([{ filename: `${client[0]?.short_code ?? '?'}_S1.pdf` }])
    const { body } = await call('GET', '/bill_retrieval/statements')
    expect(body['records']).toMatchObject([{ attachment: `${client[0]?.short_code ?? '?'}_20260201_00-77.pdf` }])
  })

  it('makes accounts only for whoever may, and names what was refused', async () => {
    const clerk = await makePerson(db, 'client_user', { clients: [clientId] })
    served = [monthly(1, { account_number: '999' })]
    await fetchAll()
    const body = {
      all_matching: true,
      new_accounts: [{ provider_name: `City Power ${clientId}`, vendor_id: vendorId, facility_id: facilityId }],
    }
    expect((await call('POST', '/bills/retrieval_import', body, clerk)).status).toBe(403)
    expect((await call('POST', '/bills/retrieval_import', { data: [{ file_id: 'nothing' }] })).status).toBe(422)
    expect(await importAll(body)).toMatchObject({ result: { created: 1, new_accounts: 1, new_services: 1 } })
  })

  it('a new service asks for what its statements charge, and for charges where they charge nothing', async () => {
    const asked = async () =>
      (
        await sql<{
          account_number: string
          names: string[]
        }>`select account.account_number, array_agg(field.name order by field.position) as names
          from billable_accounts account join services service on service.client_id = account.client_id and service.billable_account_id = account.id
          join service_entry_fields one on one.client_id = service.client_id and one.service_id = service.id join entry_fields field on field.id = one.entry_field_id
          where account.client_id = ${clientId} and account.account_number in ('996', '997') group by 1, service.id, service.meter_number order by 1, service.meter_number`.execute(
          db,
        )
      ).rows
    const meter = {
      meter_number: 'M9',
      commodity: 'electric' as const,
      usage: '900',
      unit: 'kWh',
      previous_read_date: '2026-01-01',
      read_date: '2026-02-01',
    }
    served = [
      monthly(1, {
        statement_id: 'charged',
        account_number: '996',
        meters: [{ ...meter, utility_charges: '60.00', supply_charges: '40.00' }],
      }),
      monthly(1, {
        statement_id: 'in part',
        account_number: '997',
        meters: [
          { ...meter, utility_charges: '100.00' },
          { ...meter, meter_number: 'silent' },
        ],
      }),
    ]
    await fetchAll()
    const new_accounts = [{ provider_name: `City Power ${clientId}`, vendor_id: vendorId, facility_id: facilityId }]
    expect(await importAll({ new_accounts })).toMatchObject({ result: { created: 2, new_services: 3 } })
    expect(await asked()).toEqual([
      { account_number: '996', names: ['Utility Charges', 'Supply Charges'] },
      { account_number: '997', names: ['Utility Charges'] },
      { account_number: '997', names: ['Utility Charges'] },
    ])
  })

  it('a new account whose address nobody knows says so, and lies in the state of its utility', async () => {
    const { rows: places } = await sql<{ id: number }>`insert into facilities (client_id, division_id, name, number)
      select client_id, division_id, 'New Store', 'NS' from facilities where id = ${facilityId} returning id`.execute(db)
    await sql`update vendors set state = 'Ohio' where id = ${vendorId}`.execute(db)
    served = [monthly(1, { account_number: '998', service_address: null })]
    await fetchAll()
    const new_accounts = [{ provider_name: `City Power ${clientId}`, vendor_id: vendorId, facility_id: places[0]?.id ?? 0 }]
    await importAll({ all_matching: true, new_accounts })
    const { rows } =
      await sql`select street_address_1, state from billable_accounts where client_id = ${clientId} and account_number = '998'`.execute(db)
    expect(rows).toEqual([{ street_address_1: 'Address not on the statement', state: 'OH' }])
  })
})
