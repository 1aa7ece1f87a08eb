/** Tests export profiles over HTTP: a client's profiles, the default one, and the upload files they lay out. */
import { readFile } from 'node:fs/promises'
import { columnOf } from '#contract/accounting-batches/upload-column.ts'
import { fixedWidthLayout, genericLayout, iifLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { createBills } from '../bills/bills.ts'

const { ask, database } = await startTestApp()
const { db } = database

let ground: Ground
let admin: Person
let at: string
let profilesAt: string

beforeEach(async () => {
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/accounting_batches`
  profilesAt = `/clients/${ground.clientId}/export_profiles`
  await sql`update clients set accounting_batch_management = true, ledger_account_management = true where id = ${ground.clientId}`.execute(
    db,
  )
  admin = await makePerson(db, 'super_admin')
  await sql`update services set ledger_account_id = ${await makeLedgerAccount(db, ground.clientId, '6100 Utilities')} where client_id = ${ground.clientId}`.execute(
    db,
  )
})

async function makeBill(month: number): Promise<number> {
  const [made] = await acting(database, (context) => createBills(context, ground.clientId, [monthlyDraft(ground, month)]))
  if (made?.kind !== 'created') throw new Error('the bill was not made')
  await sql`update bills set open_errors = 0, open_blocking = 0, qc = false where client_id = ${ground.clientId}`.execute(db)
  return made.id
}

async function makeBatch(bill_ids: readonly number[], batch_code = 'UP-1'): Promise<number> {
  const made = await ask(admin, 'POST', at, { accounting_batch: { batch_code, batch_date: '2026-11-30T05:00:00.000Z', bill_ids } })
  expect(made.status, made.text).toBe(200)
  return Number(made.body['id'])
}

async function makeProfile(name: string, layout: object, more: object = {}): Promise<number> {
  const made = await ask(admin, 'POST', profilesAt, { export_profile: { name, layout, ...more } })
  expect(made.status, made.text).toBe(200)
  return Number(made.body['id'])
}

/** Returns the finished task and the text of the newest version. */
async function generate(batch: number, profile?: number) {
  const started = await ask(
    admin,
    'GET',
    `${at}/${batch}/generate_upload_file${profile === undefined ? '' : `?export_profile_id=${profile}`}`,
  )
  const task = await taskOf((method, path) => ask(admin, method, path), started.body['task_id'])
  const { files }: { files: object[] } = JSON.parse((await ask(admin, 'GET', `${at}/${batch}/files`)).text)
  const { body } = await ask(admin, 'GET', `${at}/${batch}/upload_file`)
  const url = String(body['url'])
  const text = files.length === 0 ? '' : (await ask(null, 'GET', url.slice(url.indexOf('/api/v5') + '/api/v5'.length))).text
  return { task, files, text }
}

describe('an export profile', () => {
  it('is kept per client by a name of its own, and one is the default: another that becomes it takes the mark', async () => {
    const one = await makeProfile('ERP', genericLayout, { is_default: true })
    const two = await makeProfile('QuickBooks', iifLayout, { is_default: true })
    expect((await ask(admin, 'GET', profilesAt)).body).toMatchObject({
      export_profiles: [
        { id: one, name: 'ERP', kind: 'delimited', is_default: false },
        { id: two, name: 'QuickBooks', kind: 'iif', is_default: true },
      ],
      total: 2,
    })
    const taken = await ask(admin, 'POST', profilesAt, { export_profile: { name: 'erp', layout: genericLayout } })
    expect(taken.body['errors']).toMatchObject({ fields: { name: ['An export profile of this client is called erp already'] } })
    expect((await ask(admin, 'PATCH', `${profilesAt}/${one}`, { export_profile: { is_default: true } })).status).toBe(200)
    expect((await ask(admin, 'GET', `${profilesAt}/${two}`)).body).toMatchObject({ export_profile: { is_default: false } })
    const { rows } =
      await sql`select object_changes from audit_records where client_id = ${ground.clientId} and item_type = 'export_profile' and item_id = ${two} and event = 'update'`.execute(
        db,
      )
    expect(rows).toEqual([{ object_changes: { is_default: { from: true, to: false } } }])
  })

  it('of two that become the default at the same moment one is it in the end', async () => {
    const ids = [await makeProfile('A', genericLayout), await makeProfile('B', genericLayout)]
    const answers = await Promise.all(ids.map((id) => ask(admin, 'PATCH', `${profilesAt}/${id}`, { export_profile: { is_default: true } })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await sql`select id from export_profiles where client_id = ${ground.clientId} and is_default`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('is refused by field and column where its layout cannot make a file', async () => {
    const refused = await ask(admin, 'POST', profilesAt, {
      export_profile: { name: 'Bad', layout: { ...fixedWidthLayout, columns: [columnOf('amount', { width: null })] } },
    })
    expect([refused.status, JSON.stringify(refused.body['errors'])]).toEqual([
      422,
      expect.stringContaining('Column 1: a file of fixed width needs the width of each column'),
    ])
  })

  it('is read by whoever makes files and changed by whoever keeps the ledger settings; one of another client is not found', async () => {
    const id = await makeProfile('ERP', genericLayout)
    const clients = [ground.clientId]
    const reader = await makePerson(db, 'read_only_user', { clients })
    const manager = await makePerson(db, 'client_manager', { clients })
    expect((await ask(reader, 'GET', `${profilesAt}/${id}`)).status).toBe(200)
    expect((await ask(reader, 'PATCH', `${profilesAt}/${id}`, { export_profile: { name: 'X' } })).status).toBe(403)
    expect((await ask(manager, 'PATCH', `${profilesAt}/${id}`, { export_profile: { name: 'Y' } })).status).toBe(200)
    const other = await makeGround(db)
    await sql`update clients set accounting_batch_management = true where id = ${other.clientId}`.execute(db)
    expect((await ask(admin, 'GET', `/clients/${other.clientId}/export_profiles/${id}`)).status).toBe(404)
    const batch = await makeBatch([await makeBill(1)])
    const { rows } = await sql<{ id: number }>`insert into export_profiles (client_id, name, layout)
      values (${other.clientId}, 'Theirs', ${JSON.stringify(genericLayout)}::jsonb) returning id`.execute(db)
    expect((await ask(admin, 'GET', `${at}/${batch}/generate_upload_file?export_profile_id=${rows[0]?.id}`)).status).toBe(404)
  })
})

/** Makes a ledger field; every ledger account of the client gets the value. */
async function makeField(name: string, value: string | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into ledger_fields (client_id, name, description, "order")
    values (${ground.clientId}, ${name}, 'x', 1) returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  if (value !== null)
    await sql`insert into ledger_account_fields (client_id, ledger_account_id, ledger_field_id, value)
      select client_id, id, ${id}, ${value} from ledger_accounts where client_id = ${ground.clientId}`.execute(db)
  return id
}

describe('a ledger field that is renamed', () => {
  it('keeps its column in the files of a closed month, in a profile and in the generic file', async () => {
    const field = await makeField('Cost Center', '100')
    const batch = await makeBatch([await makeBill(1)])
    const columns = [columnOf('ledger_field', { field_id: field, heading: 'CC' }), columnOf('amount')]
    const profile = await makeProfile('ERP', { ...genericLayout, include_payable: false, columns })
    await ask(admin, 'PATCH', `${at}/${batch}`, { accounting_batch: { closed: true } })
    const renamed = await ask(admin, 'PATCH', `/clients/${ground.clientId}/ledger_fields/${field}`, {
      ledger_field: { name: 'Department' },
    })
    expect(renamed.status, renamed.text).toBe(200)
    expect((await generate(batch, profile)).text.split('\r\n')).toEqual(['CC,Amount', '100,101.00', '100,50.00', ''])
    const rows: Record<string, string>[] = parse((await generate(batch)).text, { columns: true })
    expect(rows.map((row) => row['Department'])).toEqual(['100', '100', ''])
    const { lines }: { lines: { ledger_values: object }[] } = JSON.parse((await ask(admin, 'GET', `${at}/${batch}/upload_lines`)).text)
    expect(lines[0]?.ledger_values).toEqual({ [String(field)]: '100' })
  })

  it('stays while an export profile or a closed month names it, and a profile names fields of its client alone', async () => {
    const field = await makeField('Cost Center', '100')
    const remove = () => ask(admin, 'DELETE', `/clients/${ground.clientId}/ledger_fields/${field}`)
    const columns = [columnOf('ledger_field', { field_id: field }), columnOf('amount')]
    const profile = await makeProfile('ERP', { ...genericLayout, columns })
    const batch = await makeBatch([await makeBill(1)])
    await ask(admin, 'PATCH', `${at}/${batch}`, { accounting_batch: { closed: true } })
    await sql`delete from ledger_account_fields where client_id = ${ground.clientId}`.execute(db)
    expect((await remove()).body['message']).toBe('The export profile ERP has a column of this field. Take the column out first.')
    await ask(admin, 'DELETE', `${profilesAt}/${profile}`)
    expect((await remove()).body['message']).toBe(
      'Bills of closed client batches have been booked with values of this field, so it is kept.',
    )
    await sql`delete from gl_lines where client_id = ${ground.clientId}`.execute(db)
    expect((await remove()).status).toBe(200)
    const unknown = await ask(admin, 'POST', profilesAt, { export_profile: { name: 'X', layout: { ...genericLayout, columns } } })
    expect([unknown.status, JSON.stringify(unknown.body['errors'])]).toEqual([
      422,
      expect.stringContaining('Column 1: this ledger field cannot be found'),
    ])
  })

  it('is found by the migration under its present and its former name', async () => {
    const [center, company] = [await makeField('Department', null), await makeField('Company', null)]
    const batch = await makeBatch([await makeBill(1)])
    await ask(admin, 'PATCH', `${at}/${batch}`, { accounting_batch: { closed: true } })
    await sql`insert into audit_records (client_id, event, item_type, item_id, object_changes)
      values (${ground.clientId}, 'update', 'ledger_field', ${center}, '{"name": {"from": "Cost Center", "to": "Department"}}')`.execute(db)
    const stored = [
      { name: 'Cost Center', value: '100' },
      { name: 'company', value: '7' },
      { name: 'Gone', value: '1' },
    ]
    await sql`update gl_lines set ledger_values = ${JSON.stringify(stored)}::jsonb where client_id = ${ground.clientId}`.execute(db)
    const former = (source: string, field: string | null) => ({
      source,
      field,
      heading: 'H',
      width: null,
      format: 'usual',
      default: '',
      cut: false,
    })
    const columns = [former('ledger_field', 'Cost Center'), former('ledger_field', 'Gone'), former('amount', null)]
    await sql`insert into export_profiles (client_id, name, layout)
      values (${ground.clientId}, 'Former', ${JSON.stringify({ ...genericLayout, columns })}::jsonb)`.execute(db)
    const text = await readFile(new URL('../../../migrations/0270-ledger-field-ids.sql', import.meta.url), 'utf8')
    const statements = text.split(/;\n/).filter((statement) => /^(create temporary|update)/m.test(statement))
    expect(statements).toHaveLength(3)
    await db.transaction().execute(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    })
    const { rows } = await sql`select distinct ledger_values from gl_lines where client_id = ${ground.clientId}`.execute(db)
    expect(rows).toEqual([
      {
        ledger_values: [
          { id: center, name: 'Cost Center', value: '100' },
          { id: company, name: 'company', value: '7' },
          { id: null, name: 'Gone', value: '1' },
        ],
      },
    ])
    const { export_profiles: profiles }: { export_profiles: { layout: { columns: object[] } }[] } = JSON.parse(
      (await ask(admin, 'GET', profilesAt)).text,
    )
    expect(profiles[0]?.layout.columns).toMatchObject([
      { source: 'ledger_field', field_id: center },
      { source: 'fixed', field_id: null },
      { source: 'amount', field_id: null },
    ])
    expect((await generate(batch)).task).toMatchObject({ state: 'done' })
  })
})

describe('the upload file by a profile', () => {
  it('is the generic one without a profile, else the default, else the chosen one; each version keeps which made it', async () => {
    const batch = await makeBatch([await makeBill(1)])
    expect((await generate(batch)).files).toMatchObject([{ profile_name: 'Generic CSV', version: 1, filename: 'UP-1_upload_v1.csv' }])
    const columns = [columnOf('ledger_account_name', { heading: 'GL' }), columnOf('amount'), columnOf('bill_date', { format: 'MMDDYY' })]
    await makeProfile('ERP', { ...genericLayout, delimiter: '|', sign_style: 'trailing', columns }, { is_default: true })
    const byDefault = await generate(batch)
    expect(byDefault.files[0]).toMatchObject({ profile_name: 'ERP', version: 2, row_count: 3, total: '151.00' })
    expect(byDefault.text.split('\r\n')).toEqual([
      'GL|Amount|Invoice Date',
      '6100 Utilities|101.00|020525',
      '6100 Utilities|50.00|020525',
      '|151.00-|020525',
      '',
    ])
    const chosen = await makeProfile('QuickBooks', { ...iifLayout, file_name: 'bills {batch_code} {YYYY}{MM} v{version}' })
    const byChoice = await generate(batch, chosen)
    expect(byChoice.files[0]).toMatchObject({
      profile_name: 'QuickBooks',
      filename: 'bills_UP-1_202611_v3.iif',
      row_count: 3,
      total: '151.00',
    })
    expect(byChoice.text.split('\r\n').filter((line) => line.startsWith('TRNS\t'))).toHaveLength(1)
    await ask(admin, 'DELETE', `${profilesAt}/${chosen}`)
    const { files }: { files: object[] } = JSON.parse((await ask(admin, 'GET', `${at}/${batch}/files`)).text)
    expect(files[0]).toMatchObject({ profile_name: 'QuickBooks' })
  })

  it('by ledger account, without the payable and in fixed width it reads back to the sums of the batch', async () => {
    const batch = await makeBatch([await makeBill(1), await makeBill(2)])
    const columns = [
      columnOf('ledger_account_name', { width: 20 }),
      columnOf('debit', { width: 12 }),
      columnOf('credit', { width: 12, format: 'zeros' }),
    ]
    const id = await makeProfile('Fixed', { ...fixedWidthLayout, columns, grain: 'ledger_account', include_payable: false, header: true })
    const { files, text } = await generate(batch, id)
    expect(files[0]).toMatchObject({ row_count: 1, total: '303.00', filename: 'UP-1_upload_v1.txt' })
    expect(text.split('\r\n')).toEqual(['Ledger Account             Debit      Credit', '6100 Utilities            303.00            ', ''])
  })

  it('names a value that does not fit by row and column before anything is written', async () => {
    await sql`update vendors set name = 'Municipal Utility District' where id = ${ground.vendorId}`.execute(db)
    const batch = await makeBatch([await makeBill(1)])
    const columns = [columnOf('vendor_name', { width: 10 }), columnOf('amount', { width: 12 })]
    const id = await makeProfile('Narrow', { ...fixedWidthLayout, columns })
    const { task, files } = await generate(batch, id)
    expect(task).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(
        /^Nothing was written: 3 values do not fit the export profile Narrow\. Row 1, column Vendor Name: “Municipal Utility District” has 26 characters, and the width is 10; /,
      ),
    })
    expect(files).toEqual([])
    expect((await ask(admin, 'GET', `${at}/${batch}`)).body).toMatchObject({
      accounting_batch: { generating_file: false, upload_file_url: null },
    })
  })

  it('says what differs from the version before: bills that came and went, and amounts', async () => {
    const [one, two, three] = [await makeBill(1), await makeBill(2), await makeBill(3)]
    const batch = await makeBatch([one, two])
    await generate(batch)
    await ask(admin, 'PATCH', `${at}/${batch}`, { accounting_batch: { bill_ids: [two, three] } })
    await sql`update bills set amount_due = amount_due + 5, current_charges = current_charges + 5 where client_id = ${ground.clientId} and id = ${two}`.execute(
      db,
    )
    const { files } = await generate(batch)
    expect(files).toMatchObject([
      { version: 2, changes: { bills_added: 1, bills_removed: 1, amounts_changed: 1 } },
      { version: 1, changes: null },
    ])
    expect((await generate(batch)).files[0]).toMatchObject({ changes: { bills_added: 0, bills_removed: 0, amounts_changed: 0 } })
  })

  it('its preview gets the lines that the file is made of, with the ledger fields', async () => {
    const batch = await makeBatch([await makeBill(1)])
    const field = await makeField('Company', null)
    const { lines, ledger_fields }: { lines: { amount: number; line_no: number }[]; ledger_fields: object[] } = JSON.parse(
      (await ask(admin, 'GET', `${at}/${batch}/upload_lines`)).text,
    )
    expect([lines.map(({ line_no, amount }) => [line_no, amount]), ledger_fields]).toEqual([
      [
        [1, 10_100],
        [2, 5_000],
        [3, -15_100],
      ],
      [{ id: field, name: 'Company' }],
    ])
    const { text } = await generate(batch)
    expect(parse(text)).toHaveLength(lines.length + 1)
  })
})
