/** Tests reports over HTTP: available reports, choices, refusals, files, visibility, and later changes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import readExcelFile from 'read-excel-file/node'
import { getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insert } from '../../../test/every-call/world.ts'
import { makeFiguresWorld } from '../../../test/oracles/figures-world.ts'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'

const testApp = await startTestApp()
const {
  app,
  ask,
  database: { db },
} = testApp
let ground: Ground
let client: number
let divisions: number[]
let staff: Person
let admin: Person
let narrow: Person
let reports: Map<string, number>

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await sql`update users set first_name = 'Ada', last_name = 'Byron' where id = ${staff.id}`.execute(db)
  ground = await makeFiguresWorld(db)
  client = ground.clientId
  await sql`update clients set user_management = true, utility_payment_management = true, accounting_batch_management = true, ledger_account_management = true
    where id = ${client}`.execute(db)
  await sql`update bills set amount_due = balance_forward + current_charges + late_fee,
      division_id = (select division_id from facilities where facilities.client_id = bills.client_id and facilities.id = account.facility_id),
      facility_id = account.facility_id, vendor_id = account.vendor_id, account_number = account.account_number
    from (select client_id, id, null::bigint as supply_id, facility_id, vendor_id, account_number from billable_accounts
      union all select client_id, null, id, facility_id, vendor_id, account_number from supply_accounts) account
    where bills.client_id = account.client_id and (bills.billable_account_id = account.id or bills.supply_account_id = account.supply_id)`.execute(
    db,
  )
  await db.transaction().execute((tx) => rebuildFacts(tx, client))
  const { rows } = await sql<{ id: number }>`select id from divisions where client_id = ${client} order by id`.execute(db)
  divisions = rows.map(({ id }) => id)
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  narrow = await makePerson(db, 'client_user', { clients: [client], division: [[client, divisions[0] ?? 0]] })
  const known = await sql<{ id: number; name: string }>`select id, name from reports`.execute(db)
  reports = new Map(known.rows.map(({ id, name }) => [name, id]))
})

const row = z.object({
  id: z.int(),
  name: z.string().nullable(),
  report: z.string(),
  state: z.string(),
  file_url: z.string().nullable(),
  extra_file_url: z.string().nullable(),
  workbook_url: z.string().nullable(),
  error: z.string().nullable(),
  task_id: z.int().nullable(),
  rows_done: z.int(),
})
type Made = z.infer<typeof row>
const path = () => `/clients/${client}/generated_reports`
const all2024 = { date_range: { from: '2024-01-01', to: '2024-12-31' } }

async function make(report: string, draft: object = {}, who = staff): Promise<Answer> {
  const generated_report = {
    report_id: reports.get(report),
    name: `${report} of 2024`,
    assignable_type: 'User',
    form_data: all2024,
    ...draft,
  }
  return ask(who, 'POST', path(), { generated_report, connection_id: 'window' })
}

/** Waits until the report's task has ended. */
async function ended(answer: Answer, who = staff): Promise<Made> {
  expect(answer.status, answer.text).toBe(200)
  for (let tries = 0; tries < 1_200; tries += 1) {
    const { body } = await ask(who, 'GET', `${path()}/${String(answer.body['id'])}`)
    const found = row.parse(body['generated_report'])
    if (found.state !== 'waiting' && found.state !== 'running') return found
    await sleep(50)
  }
  throw new Error('the report does not end')
}

async function fetched(url: string | null, who = staff): Promise<{ type: string; bytes: Buffer }> {
  const { body } = await ask(who, 'GET', (url ?? '').replace('/api/v5', ''))
  const response = await app.server.inject({ method: 'GET', url: String(body['url']) })
  return { type: String(response.headers['content-type']), bytes: response.rawPayload }
}

/** Returns the words of each page. */
async function textOf(bytes: Buffer): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  try {
    const pages: string[] = []
    for (let place = 1; place <= document.numPages; place += 1) {
      const { items } = await (await document.getPage(place)).getTextContent()
      pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
    }
    return pages
  } finally {
    await document.loadingTask.destroy()
  }
}

const records = (text: string) => z.array(z.record(z.string(), z.string())).parse(parse(text, { columns: true }))
const csvOf = async (url: string | null, who = staff) => records((await fetched(url, who)).bytes.toString('utf8'))
const fieldsOf = ({ body }: Answer) => z.object({ fields: z.record(z.string(), z.array(z.string())) }).parse(body['errors']).fields

describe('the reports that there are', () => {
  const listed = async (who: Person) => {
    const { body } = await ask(who, 'GET', `/clients/${client}/reports`)
    return z
      .array(z.object({ id: z.int(), name: z.string(), description: z.string(), key_items: z.array(z.string()), export_type: z.string() }))
      .parse(body['reports'])
  }

  it('are listed with id, name, description, key items and export type, and answered alone [REP-API-001] [REP-API-002] [REP-FIELD-001]', async () => {
    const all = await listed(staff)
    expect(all[0]).toMatchObject({ name: 'Trial Balance Report', export_type: 'csv_and_pdf' })
    expect(all.every((one) => one.description !== '' && one.key_items.length > 0)).toBe(true)
    const one = await ask(staff, 'GET', `/clients/${client}/reports/${all[0]?.id}`)
    expect(one.body['report']).toMatchObject({ ...all[0] })
    expect((await ask(staff, 'GET', `/clients/${client}/reports/999999`)).status).toBe(404)
  })

  it('that hold the bills of the whole client, or of several, are not for a role that is narrowed', async () => {
    const names = (await listed(narrow)).map(({ name }) => name)
    expect(names).toContain('Global Data Export')
    expect(names).not.toContain('Trial Balance Report')
    const refused = await make('Trial Balance Report', {}, narrow)
    expect([refused.status, refused.body['message']]).toEqual([
      403,
      'The Trial Balance Report holds the bills of the whole client, and your role reaches a part of it.',
    ])
  })

  it('can be assigned to the client, to a division that one reaches, or to oneself [REP-API-003] [GREP-RULE-001] [GREP-RULE-002]', async () => {
    const of = async (who: Person, type: string) =>
      (await ask(who, 'GET', `/clients/${client}/reports/assignables?type=${type}`)).body['assignables']
    expect(await of(admin, 'Client')).toEqual([{ id: client, name: expect.any(String) }])
    expect(await of(admin, 'Division')).toHaveLength(divisions.length)
    expect(await of(admin, 'User')).toEqual([{ id: admin.id, name: 'Me' }])
    expect(await of(narrow, 'Client')).toEqual([])
    expect(await of(narrow, 'Division')).toEqual([{ id: divisions[0], name: 'West' }])
    expect((await ask(admin, 'GET', `/clients/${client}/reports/assignables?type=Vendor`)).status).toBe(422)
  })

  it('say when each was made last, as far as the person sees it', async () => {
    const lastOf = async (who: Person) => {
      const { body } = await ask(who, 'GET', `/clients/${client}/reports`)
      const all = z.array(z.object({ name: z.string(), last_run: z.object({ id: z.int() }).nullable() })).parse(body['reports'])
      return all.find(({ name }) => name === 'Inventory Report')?.last_run?.id ?? null
    }
    const { rows: services } = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
    const form_data = { utility_service_ids: services.map(({ id }) => id) }
    expect(await lastOf(staff)).toBe(null)
    const own = await ended(await make('Inventory Report', { form_data }))
    expect([await lastOf(staff), await lastOf(admin)]).toEqual([own.id, null])
    const shared = await ended(await make('Inventory Report', { form_data, assignable_type: 'Client', assignable_id: client }))
    expect([await lastOf(staff), await lastOf(admin), await lastOf(narrow)]).toEqual([shared.id, shared.id, null])
  })

  it('have a search of each list that a form picks from, by q [REP-API-005]', async () => {
    await insert(db, 'accounting_batches', { client_id: client, batch_code: 'SEARCHED-1' })
    await insert(db, 'payment_batches', { client_id: client, batch_date: '2024-01-05', bills_due_date: '2024-01-25' })
    const payer = (await sql<{ name: string }>`select name from clients where id = ${client}`.execute(db)).rows[0]?.name ?? ''
    const one = async (table: string, column: string) => {
      const { rows } = await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)} where client_id = ${client}
        order by id limit 1`.execute(db)
      return rows[0]?.name ?? ''
    }
    const searched = {
      utility_services: 'Electric',
      vendors: (await sql<{ name: string }>`select name from vendors where id = ${ground.vendorId}`.execute(db)).rows[0]?.name ?? '',
      divisions: await one('divisions', 'name'),
      facilities: await one('facilities', 'name'),
      billable_accounts: await one('billable_accounts', 'account_number'),
      supply_accounts: await one('supply_accounts', 'account_number'),
      accounting_batches: 'SEARCHED-1',
      payment_batches: payer,
    }
    for (const [plural, q] of Object.entries(searched)) {
      const found = await ask(staff, 'GET', `/clients/${client}/${plural}/search?q=${encodeURIComponent(q)}`)
      expect([plural, found.status, JSON.stringify(found.body[plural]).includes(q)]).toEqual([plural, 200, true])
      const none = await ask(staff, 'GET', `/clients/${client}/${plural}/search?q=nothing-is-called-so`)
      expect([plural, none.status, none.body[plural]]).toEqual([plural, 200, []])
    }
  })

  it('let the columns of a Universal Data Export be chosen, and of no other [REP-API-004]', async () => {
    const fields = async (name: string) =>
      z
        .array(z.object({ name: z.string(), label: z.string(), checked: z.boolean() }))
        .parse(
          (await ask(staff, 'GET', `/clients/${client}/reports/${reports.get(name)}/utility_service_fields`)).body[
            'utility_service_fields'
          ],
        )
    const universal = await fields('Universal Data Export')
    expect(universal.every(({ checked }) => checked)).toBe(true)
    expect(universal.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Account Number', 'Utility Charges', 'Demand', 'Ledger Accounts']),
    )
    expect(await fields('Trial Balance Report')).toEqual([])
  })
})

describe('whom a report may be for', () => {
  it('the whole client or Me where it holds the bills of the whole client; Me alone, and provider staff, where it holds several clients', async () => {
    const ofDivision = await make('Month End Report', { assignable_type: 'Division', assignable_id: divisions[0], form_data: {} })
    expect(fieldsOf(ofDivision)).toEqual({
      assignable_type: ['This report holds the bills of the whole client: assign it to the client or to Me'],
    })
    const ofClient = await make('Client Facilities Report', { assignable_type: 'Client', assignable_id: client, form_data: {} })
    expect(fieldsOf(ofClient)).toEqual({ assignable_type: ['A report about several clients can be assigned to Me only'] })
    const refused = await make('Client Facilities Report', { form_data: {} }, admin)
    expect([refused.status, refused.body['message']]).toEqual([403, 'The Client Facilities Report is for provider staff.'])
    const all = { utility_service_ids: [1], all_clients: true }
    expect(fieldsOf(await make('Universal Data Export', { form_data: all }, admin))).toEqual({
      'form_data.all_clients': ['Only provider staff may ask for all clients'],
    })
  })
})

describe('what a report needs', () => {
  it.each(['Trial Balance Report', 'Global Data Export'])(
    '%s: a date range or a client batch [REP-RULE-001] [REP-MSG-001] [REP-MSG-002]',
    async (name) => {
      const refused = await make(name, { form_data: {} })
      expect(refused.status).toBe(422)
      expect(refused.body['message']).toBe('Missing Required Fields')
      expect(fieldsOf(refused)).toEqual({ 'form_data.date_range': ['A date range or Client Batch must be selected for this report.'] })
      const batch = await insert(db, 'accounting_batches', { client_id: client, batch_code: `B ${name}` })
      expect((await make(name, { form_data: { accounting_batch_ids: [batch] } })).status).toBe(200)
      expect((await make(name, { form_data: { date_range: { from: '2024-01-01' } } })).status).toBe(200)
    },
  )

  it('a utility service, unless the report lifts it [REP-RULE-002]', async () => {
    const refused = await make('Universal Data Export')
    expect(refused.body['message']).toBe('Missing Required Fields')
    expect(fieldsOf(refused)).toEqual({ 'form_data.utility_service_ids': ['A utility service must be selected for this report.'] })
    const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'water'`.execute(db)
    expect((await make('Universal Data Export', { form_data: { ...all2024, utility_service_id: rows[0]?.id } })).status).toBe(200)
  })

  it('nothing that nobody may name: other people, other clients, what is out of reach, what it does not ask for', async () => {
    const foreign = await makeClient(db)
    const elsewhere = await makeDivision(db, foreign)
    const refusedAt = async (draft: object, who = staff) => {
      const answer = await make('Global Data Export', draft, who)
      expect(answer.status, answer.text).toBe(422)
      return Object.keys(fieldsOf(answer))
    }
    expect(await refusedAt({ assignable_id: admin.id })).toEqual(['assignable_id'])
    expect(await refusedAt({ assignable_type: 'Client', assignable_id: foreign })).toEqual(['assignable_id'])
    expect(await refusedAt({ assignable_type: 'Division', assignable_id: elsewhere })).toEqual(['assignable_id'])
    expect(await refusedAt({ assignable_type: 'Division' })).toEqual(['assignable_id'])
    expect(await refusedAt({ form_data: { ...all2024, division_ids: [elsewhere] } })).toEqual(['form_data.division_ids'])
    expect(await refusedAt({ form_data: { ...all2024, division_ids: [divisions[1]] } }, narrow)).toEqual(['form_data.division_ids'])
    expect(await refusedAt({ form_data: { date_range: { from: '2024-02-01', to: '2024-01-01' } } })).toEqual(['form_data.date_range.to'])
    expect(await refusedAt({ form_data: { ...all2024, basis: 'billed' } })).toEqual(['form_data.basis'])
    expect(await refusedAt({ report_id: 999_999 })).toEqual(['report_id'])
  })
})

describe('a report that is made', () => {
  it('starts at once, and its files come over the live channel as type generated_report, the PDF and the CSV beside it [GREP-JOB-002] [GREP-JOB-001] [LIVE-FIELD-002] [REP-RULE-005] [GREP-API-001] [GREP-FIELD-001] [GREP-FIELD-002] [GREP-FIELD-003]', async () => {
    const made = await make('Trial Balance Report', { assignable_type: 'Client', assignable_id: client })
    expect(made.body).toMatchObject({
      success: true,
      message: 'Generated Report created',
      generated_report: { state: 'waiting', file_url: null },
    })
    const done = await ended(made)
    expect(done).toMatchObject({
      state: 'done',
      error: null,
      file_url: `/api/v5${path()}/${done.id}/file`,
      extra_file_url: `/api/v5${path()}/${done.id}/extra_file`,
    })
    expect((await fetched(done.file_url)).bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await csvOf(done.extra_file_url)).length).toBe(done.rows_done)
    const one = (await ask(admin, 'GET', `${path()}/${done.id}`)).body['generated_report']
    expect(one).toMatchObject({
      report_id: reports.get('Trial Balance Report'),
      report: 'Trial Balance Report',
      name: 'Trial Balance Report of 2024',
      assignable_type: 'Client',
      assignable_id: client,
      assignable_name: expect.any(String),
      user: { first_name: 'Ada', last_name: 'Byron' },
      created_at: expect.stringContaining('T'),
      updated_at: expect.stringContaining('T'),
      last_bill_only: false,
    })
    const { rows } = await sql`select type, message, link, connection_id, payload from notifications
      where user_id = ${staff.id} and type = 'generated_report' and (payload ->> 'generated_report_id')::bigint = ${done.id}`.execute(db)
    expect(rows).toEqual([
      expect.objectContaining({
        message: 'Trial Balance Report of 2024 is ready',
        link: done.file_url,
        connection_id: 'window',
        payload: expect.objectContaining({ file_url: done.file_url, extra_file_url: done.extra_file_url }),
      }),
    ])
  })

  it(
    'of any of the thirteen names has the files of its type: a PDF, a CSV, or both [REP-RULE-005] [REP-CONST-001]',
    { timeout: 120_000 },
    async () => {
      const { rows: services } = await sql<{ id: number }>`select id from utility_services where code in ('electric', 'water')`.execute(db)
      const choices = (name: string) => ({
        ...(name === 'Month End Report' ? { date_range: { from: '2025-05-01', to: '2025-06-30' } } : all2024),
        // Properties are those of today.
        ...(name === 'Portfolio Manager Properties Export' ? { date_range: { from: null, to: null } } : {}),
        ...(['Cost & Usage Report', 'Inventory Report', 'Universal Data Export'].includes(name)
          ? { utility_service_ids: services.map(({ id }) => id) }
          : {}),
      })
      await sql`update reports set export_type = 'pdf' where name = 'Facilities Report'`.execute(db)
      await sql`update services set portfolio_manager_meter_id = (7000 + id)::text where client_id = ${client} and id % 2 = 0`.execute(db)
      const { rows: types } = await sql<{
        name: string
        type: string
      }>`select name, export_type as type from reports order by position`.execute(db)
      expect(types).toHaveLength(13)
      const started = await Promise.all(types.map(({ name }) => make(name, { form_data: choices(name) })))
      for (const [place, { name, type }] of types.entries()) {
        const done = await ended(started[place] ?? { status: 0, body: {}, headers: {}, text: '' })
        expect([name, done.error, done.rows_done > 0]).toEqual([name, null, true])
        const file = await fetched(done.file_url)
        expect([name, file.type.split(';')[0]]).toEqual([name, type === 'csv' ? 'text/csv' : 'application/pdf'])
        expect(file.bytes.subarray(0, 5).toString() === '%PDF-', name).toBe(type !== 'csv')
        expect(done.extra_file_url !== null, name).toBe(type === 'csv_and_pdf')
        if (type === 'pdf') continue
        expect((await csvOf(type === 'csv' ? done.file_url : done.extra_file_url)).length, name).toBe(done.rows_done)
      }
      await sql`update reports set export_type = 'csv_and_pdf' where name = 'Facilities Report'`.execute(db)
    },
  )

  it('has its remarks and choices whole on its first page, in as many lines as they need', async () => {
    const made = await ended(await make('Month End Report', { form_data: { date_range: { from: '2025-06-01', to: '2025-06-30' } } }))
    const [first = ''] = await textOf((await fetched(made.file_url)).bytes)
    expect(first.replaceAll(/\s+/g, ' ')).toContain(
      'because a balance forward is owed by the bills that it comes from. What client batches hold, and what is in none, counts with its amount due.',
    )
    expect(first).not.toContain('...')
  })

  it('has pages with its title, its choices, its control figures and their number, and a last one with the sums', async () => {
    const form_data = { date_range: { from: '2023-01-01', to: '2025-12-31' } }
    const made = await ended(
      await make('Accrual Report', { name: 'Long', form_data: { date_range: { from: '2025-06-01', to: '2025-06-30' } } }),
    )
    const accrual = await textOf((await fetched(made.file_url)).bytes)
    expect(accrual[0]).toContain('Accrual Report: Long')
    expect(accrual[0]).toContain('Date Range: 06/01/2025 - 06/30/2025')
    expect(accrual.map((page, place) => page.includes(`Page ${place + 1} of ${accrual.length}`))).toEqual(accrual.map(() => true))
    expect(accrual.at(-1)).toContain('Total')
    const balance = await ended(await make('Trial Balance Report', { form_data }))
    const due = await sql<{
      count: string
      due: string
    }>`select count(*)::text, to_char(sum(amount_due), 'FM999,999,999.00') as due from bills
      where client_id = ${client} and superseded_by_id is null and date between '2023-01-01' and '2025-12-31'
        and id not in (select group_bill_id from bills where client_id = ${client} and superseded_by_id is null and group_bill_id is not null)`.execute(
      db,
    )
    expect((await textOf((await fetched(balance.file_url)).bytes))[0]).toContain(
      `Control: ${due.rows[0]?.count} bills, amount due ${due.rows[0]?.due}`,
    )
  })

  it('keeps all its choices [GREP-FIELD-004] [GREP-FIELD-005]', async () => {
    const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
    const batch = await insert(db, 'payment_batches', { client_id: client, batch_date: '2024-01-05', bills_due_date: '2024-01-25' })
    const form_data = {
      ...all2024,
      utility_service_ids: [rows[0]?.id],
      accounting_batch_ids: [await insert(db, 'accounting_batches', { client_id: client, batch_code: 'kept' })],
      payment_batch_ids: [batch],
      vendor_ids: [ground.vendorId],
      division_ids: [divisions[0]],
      facility_ids: [ground.facilityId],
      billable_account_ids: [ground.accountId],
      supply_account_ids: [],
      ledger_details: false,
      utility_service_fields: [
        { name: 'account_number', checked: true },
        { name: 'usage', checked: false },
      ],
      basis: 'calendarized',
      accrual_method: 'seasonal',
      all_clients: false,
    }
    const made = await make('Universal Data Export', { form_data, last_bill_only: true })
    const kept = z.object({ form_data: z.unknown(), last_bill_only: z.boolean() })
    expect(kept.parse(made.body['generated_report'])).toEqual({ form_data, last_bill_only: true })
    const { bytes } = await fetched((await ended(made)).file_url)
    // No row matches all of them; the heading has the checked column alone.
    expect(bytes.toString('utf8').trimEnd()).toBe('Account Number')
  })

  it('is listed, found by its report and its name, and counted [GREP-API-001]', async () => {
    const { body } = await ask(staff, 'GET', `${path()}?q[report_cont]=Trial&q[s]=created_at desc&per=1`)
    const total = z.int().parse(body['total'])
    expect(body['generated_reports']).toEqual([expect.objectContaining({ report: 'Trial Balance Report' })])
    const all = await ask(staff, 'GET', `${path()}?q[report_eq]=Trial Balance Report&per=1000`)
    expect(z.array(z.unknown()).parse(all.body['generated_reports'])).toHaveLength(total)
    for (const query of ['q[nonsense]=1', 'q[s]=user asc', 'page=0'])
      expect((await ask(staff, 'GET', `${path()}?${query}`)).status, query).toBe(422)
  })

  it('is made anew where it is asked for or its choices change, and not for another name [GREP-TRANS-001] [GREP-API-001]', async () => {
    const first = await ended(await make('Global Data Export'))
    const patch = async (generated_report: object) =>
      ask(staff, 'PATCH', `${path()}/${first.id}`, { generated_report, connection_id: 'window' })
    const taskOf = (answer: Answer) => row.parse(answer.body['generated_report']).task_id
    expect(taskOf(await patch({ name: 'Other' }))).toBe(first.task_id)
    const again = await patch({ regenerate: true })
    expect(again.body).toMatchObject({
      success: true,
      message: 'Generated Report updated',
      generated_report: { state: 'waiting', file_url: first.file_url },
    })
    expect(taskOf(again)).not.toBe(first.task_id)
    const before = await fileOf(first.id)
    const second = await ended(again)
    expect(await fileOf(first.id)).not.toBe(before)
    const { rows } = await sql<{ state: string }>`select state from files where id = ${before}`.execute(db)
    expect(rows).toEqual([{ state: 'stored' }])
    const changed = await patch({ form_data: { date_range: { from: '2024-06-01', to: '2024-06-30' } } })
    expect(taskOf(changed)).not.toBe(second.task_id)
    expect((await ended(changed)).rows_done).toBeLessThan(second.rows_done)
    expect((await patch({ report_id: reports.get('Trial Balance Report') })).status).toBe(422)
  })

  it('is deleted with its files, which reduces the total; work on it stops [GREP-API-002] [GREP-TRANS-002] [PERM-PERM-041]', async () => {
    const done = await ended(await make('Trial Balance Report'))
    const total = async () => z.int().parse((await ask(staff, 'GET', path())).body['total'])
    const before = await total()
    const file = await fileOf(done.id)
    const gone = await ask(staff, 'DELETE', `${path()}/${done.id}`)
    expect([gone.status, gone.body]).toEqual([200, { success: true, message: 'The selected report has been deleted' }])
    expect(await total()).toBe(before - 1)
    expect((await sql<{ state: string }>`select state from files where id = ${file}`.execute(db)).rows).toEqual([{ state: 'stored' }])
    const made = await make('Trial Balance Report')
    const { task_id } = row.parse(made.body['generated_report'])
    await ask(staff, 'DELETE', `${path()}/${String(made.body['id'])}`)
    const { rows } = await sql<{ state: string }>`select state from tasks where id = ${task_id}`.execute(db)
    expect(['cancelled', 'done']).toContain(rows[0]?.state)
  })

  it('is finished by another process where the first one was killed', { timeout: 60_000 }, async () => {
    const made = await make('Trial Balance Report')
    const first = await ended(made)
    await sql`update generated_reports set file_id = null, extra_file_id = null where id = ${first.id}`.execute(db)
    await sql`update tasks set state = 'running', file_id = null, finished_at = null, heartbeat_at = clock_timestamp() - interval '1 minute' where id = ${first.task_id}`.execute(
      db,
    )
    const done = await ended(made)
    expect(done).toMatchObject({ state: 'done', rows_done: first.rows_done })
    expect((await csvOf(done.extra_file_url)).length).toBe(first.rows_done)
  })

  it('writes dates as its client has them, no text that a spreadsheet would run, and amounts as plain numbers', async () => {
    await sql`update billable_accounts set name = '=1+1' where client_id = ${client} and id = ${ground.accountId}`.execute(db)
    const filtered = { form_data: { ...all2024, billable_account_ids: [ground.accountId] } }
    const us = await csvOf((await ended(await make('Global Data Export', filtered))).file_url)
    expect(us[0]).toMatchObject({
      Account: "'=1+1",
      'Bill Date': expect.stringMatching(/^\d\d\/\d\d\/2024$/),
      'Current Charges': expect.stringMatching(/^\d+\.\d\d$/),
    })
    await sql`update clients set export_date_format = 'YYYY-MM-DD' where id = ${client}`.execute(db)
    const iso = await csvOf((await ended(await make('Global Data Export', filtered))).file_url)
    expect(iso[0]?.['Bill Date']).toMatch(/^2024-\d\d-\d\d$/)
    await sql`update clients set export_date_format = 'MM/DD/YYYY' where id = ${client}`.execute(db)
  })

  it('has an Excel workbook of the same rows where one is wanted, which comes and goes with the switch', async () => {
    const made = await ended(await make('Global Data Export', { workbook: true }))
    const csv = await csvOf(made.file_url)
    const file = await fetched(made.workbook_url)
    expect(file.type).toContain('spreadsheetml')
    const sheets = new Map((await readExcelFile(file.bytes)).map(({ sheet, data }) => [sheet, data]))
    const [heading = [], ...rows] = sheets.get('Report') ?? []
    expect(rows).toHaveLength(csv.length)
    const column = (label: string) => rows.map((cells) => cells[heading.indexOf(label)] ?? null)
    expect(column('Account Number')).toEqual(csv.map((line) => line['Account Number']))
    expect(column('Bill Date').every((date) => date instanceof Date)).toBe(true)
    const due = column('Amount Due').flatMap((amount) => (typeof amount === 'number' ? [Math.round(amount * 100)] : []))
    const { rows: sums } = await sql<{ cents: string }>`select (sum(amount_due) * 100)::bigint::text as cents from bills
      where client_id = ${client} and superseded_by_id is null and date between '2024-01-01' and '2024-12-31'`.execute(db)
    expect(due.reduce((all, one) => all + one, 0)).toBe(Number(sums[0]?.cents))
    expect(sheets.get('About')?.map(([label]) => label)).toEqual(expect.arrayContaining(['Report', 'Client', 'Date Range', 'Amount due']))
    const { rows: before } = await sql<{ id: number }>`select workbook_file_id as id from generated_reports where id = ${made.id}`.execute(
      db,
    )
    const without = await ended(await ask(staff, 'PATCH', `${path()}/${made.id}`, { generated_report: { workbook: false } }))
    expect([without.state, without.workbook_url]).toEqual(['done', null])
    expect((await ask(staff, 'GET', `${path()}/${made.id}/workbook`)).status).toBe(404)
    const { rows: kept } = await sql<{ state: string }>`select state from files where id = ${before[0]?.id} and state = 'attached'`.execute(
      db,
    )
    expect(kept).toEqual([])
  })

  async function fileOf(id: number): Promise<number | null> {
    const { rows } = await sql<{ file_id: number | null }>`select file_id from generated_reports where id = ${id}`.execute(db)
    return rows[0]?.file_id ?? null
  }
})

describe('who sees and holds what', () => {
  const has = async (who: Person, id: unknown) => (await ask(who, 'GET', `${path()}/${String(id)}`)).status
  const assigned = (type: string, id: number | undefined) => ({ assignable_type: type, assignable_id: id })

  it('what is for one person is seen by them alone, what is for a division by its people, what is for the client by unbounded roles', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    const east = await makePerson(db, 'client_user', { clients: [client], division: [[client, divisions[1] ?? 0]] })
    const made = [
      await make('Global Data Export', {}, narrow),
      await make('Global Data Export', assigned('Division', divisions[0]), admin),
      await make('Global Data Export', assigned('Client', client), admin),
    ]
    const seen = (who: Person) => Promise.all(made.map(({ body }) => has(who, body['id'])))
    expect(await seen(narrow)).toEqual([200, 200, 404])
    expect(await seen(east)).toEqual([404, 404, 404])
    expect(await seen(admin)).toEqual([404, 200, 200])
    expect(await seen(reader)).toEqual([404, 200, 200])
    expect((await make('Global Data Export', assigned('Client', client), narrow)).status).toBe(403)
    expect((await make('Global Data Export', {}, reader)).status).toBe(403)
  })

  it('one’s own is given no longer to who was narrowed since it was written, until it is written anew', async () => {
    const person = await makePerson(db, 'client_manager', { clients: [client] })
    const one = await ended(await make('Global Data Export', {}, person), person)
    const address = (one.file_url ?? '').replace('/api/v5', '')
    expect((await ask(person, 'GET', address)).status).toBe(200)
    await sql`insert into user_role_divisions (client_id, user_role_id, division_id) select ${client}, id, ${divisions[0]} from user_roles where user_id = ${person.id}`.execute(
      db,
    )
    app.machinery.sessions.forgetUser(person.id)
    expect((await ask(person, 'GET', address)).status).toBe(403)
    const again = await ended(await ask(person, 'PATCH', `${path()}/${one.id}`, { generated_report: { last_bill_only: true } }), person)
    expect(again.state, again.error ?? '').toBe('done')
    expect((await ask(person, 'GET', address)).status).toBe(200)
  })

  it('holds only bills that its maker reaches, one for a division only that division’s, and notes only for whoever may read them', async () => {
    await sql`update bills set notes = 'private' where client_id = ${client}`.execute(db)
    const divisionsIn = async (answer: Answer, who = staff) =>
      new Set((await csvOf((await ended(answer, who)).file_url, who)).map((one) => one['Division']))
    expect(await divisionsIn(await make('Global Data Export'))).toEqual(new Set(['West', 'East']))
    expect(await divisionsIn(await make('Global Data Export', {}, narrow), narrow)).toEqual(new Set(['West']))
    const forEast = await make('Global Data Export', assigned('Division', divisions[1]))
    expect(await divisionsIn(forEast)).toEqual(new Set(['East']))
    const mine = await csvOf((await ended(await make('Global Data Export'))).file_url)
    expect(mine.some((one) => one['Notes'] === 'private')).toBe(true)
    const ofClient = await csvOf((await ended(await make('Global Data Export', assigned('Client', client)))).file_url)
    expect(Object.keys(ofClient[0] ?? {})).not.toContain('Notes')
  })

  it('who may not change reports deletes the ones that they have made [PERM-PERM-041]', async () => {
    const user = await makePerson(db, 'client_user', { clients: [client] })
    const remove = async (who: Person, { body }: Answer) => (await ask(who, 'DELETE', `${path()}/${String(body['id'])}`)).status
    const others = await make('Global Data Export', assigned('Client', client), admin)
    expect(await remove(user, others)).toBe(403)
    expect(await remove(user, await make('Global Data Export', assigned('Client', client), user))).toBe(200)
    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    expect(await remove(reader, others)).toBe(403)
    expect(await remove(await makePerson(db, 'client_manager', { clients: [client] }), others)).toBe(200)
  })

  it('a report that its maker may no more make ends with the reason', async () => {
    const leaving = await makePerson(db, 'client_admin', { clients: [client] })
    const made = await make('Trial Balance Report', assigned('Client', client), leaving)
    await ended(made)
    await sql`update user_roles set role_id = (select id from roles where name = 'client_user') where user_id = ${leaving.id}`.execute(db)
    await sql`insert into user_role_divisions (user_role_id, client_id, division_id) select id, ${client}, ${divisions[0]} from user_roles where user_id = ${leaving.id}`.execute(
      db,
    )
    const { task_id } = row.parse(made.body['generated_report'])
    await sql`update tasks set state = 'running', heartbeat_at = clock_timestamp() - interval '1 minute' where id = ${task_id}`.execute(db)
    const failed = await ended(made)
    expect(failed.error).toContain('holds the bills of the whole client')
  })
})

describe('a look before anything is made', () => {
  it.each([
    'Accrual Report',
    'Facilities Report',
    'Client Facilities Report',
    'Month End Report',
    'GHG Inventory Report',
    'Portfolio Manager Check Report',
  ])('reads the %s in one transaction, which its cursor needs', async (name) => {
    const seen = await ask(staff, 'POST', `/clients/${client}/reports/${reports.get(name)}/preview`, { form_data: all2024 })
    expect(seen.status, seen.text.slice(0, 200)).toBe(200)
    expect(seen.body['row_count']).toBeGreaterThan(0)
  })

  it('shows the first thirty rows, the number of all and their sums, as the file has them', async () => {
    const seen = await ask(staff, 'POST', `/clients/${client}/reports/${reports.get('Global Data Export')}/preview`, { form_data: all2024 })
    expect(seen.status, seen.text).toBe(200)
    const preview = z
      .object({
        columns: z.array(z.object({ key: z.string(), label: z.string() })),
        rows: z.array(z.array(z.string().nullable())),
        totals: z.array(z.string().nullable()),
        row_count: z.int(),
        control: z.object({ bill_count: z.int(), amount_due: z.string(), current_charges: z.string() }),
        filters: z.array(z.object({ label: z.string(), text: z.string() })),
      })
      .parse(seen.body)
    const file = await csvOf((await ended(await make('Global Data Export'))).file_url)
    expect(preview.columns.map(({ label }) => label)).toEqual(Object.keys(file[0] ?? {}))
    expect([preview.rows.length, preview.row_count]).toEqual([30, file.length])
    const at = preview.columns.findIndex(({ label }) => label === 'Current Charges')
    expect(preview.totals[at]).toBe(preview.control.current_charges)
    expect(preview.filters).toEqual([{ label: 'Date Range', text: '01/01/2024 – 12/31/2024' }])
    const lines = preview.rows.map((one) => one[preview.columns.findIndex(({ key }) => key === 'line_total')])
    expect(lines).toEqual(file.slice(0, 30).map((one) => one['Line Total']))
  })

  it('asks for what the report needs, and for the right to make one', async () => {
    const look = (who: Person, form_data: object) =>
      ask(who, 'POST', `/clients/${client}/reports/${reports.get('Global Data Export')}/preview`, { form_data })
    expect((await look(staff, {})).body['message']).toBe('Missing Required Fields')
    expect((await look(await makePerson(db, 'read_only_user', { clients: [client] }), all2024)).status).toBe(403)
  })
})
