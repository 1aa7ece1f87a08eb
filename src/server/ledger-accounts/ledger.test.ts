/** Tests ledger fields and ledger accounts over HTTP on a real PostgreSQL. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows, undo } = importsOf(testApp)
let admin: Person
let client: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Acme' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
})

const fieldsAt = (of = client) => `/clients/${of}/ledger_fields`
const accountsAt = (of = client) => `/clients/${of}/ledger_accounts`
const newField = async (name: string, order = 1, of = client, who = admin) =>
  Number((await ask(who, 'POST', fieldsAt(of), { ledger_field: { name, description: 'A field', order } })).body['id'])
const newAccount = async (values: object) => Number((await ask(admin, 'POST', accountsAt(), { ledger_account: values })).body['id'])
const account = async (id: number) => (await ask(admin, 'GET', `${accountsAt()}/${id}`)).body['ledger_account']

describe('ledger fields', () => {
  it('carry name, description and order, are listed, fetched, changed and deleted [LEDG-FIELD-001] [LEDG-API-001] [LEDG-API-002] [LEDG-API-003]', async () => {
    const made = await ask(admin, 'POST', fieldsAt(), { ledger_field: { name: 'Company', description: 'Who pays', order: 2 } })
    expect(made.body).toMatchObject({ success: true, message: 'Ledger Field created' })
    const id = Number(made.body['id'])
    const changed = await ask(admin, 'PATCH', `${fieldsAt()}/${id}`, { ledger_field: { order: 4 } })
    expect(changed.body).toMatchObject({ success: true, message: 'Ledger Field updated' })
    expect((await ask(admin, 'GET', `${fieldsAt()}/${id}`)).body).toMatchObject({
      ledger_field: { name: 'Company', description: 'Who pays', order: 4, client_id: client },
    })
    const list = await ask(admin, 'GET', `${fieldsAt()}?q[name]=compan`)
    expect(list.body).toMatchObject({ success: true, message: expect.any(String), ledger_fields: [{ id, name: 'Company' }], total: 1 })
    expect((await ask(admin, 'DELETE', `${fieldsAt()}/${id}`)).body).toEqual({ success: true, message: 'Ledger Field deleted' })
    expect((await ask(admin, 'GET', `${fieldsAt()}/${id}`)).status).toBe(404)
  })

  it('need name, description and order, and a name of their own in the client [LEDG-RULE-001]', async () => {
    const empty = await ask(admin, 'POST', fieldsAt(), { ledger_field: {} })
    expect([empty.status, empty.body['errors']]).toMatchObject([
      422,
      { fields: { name: ['Name is required'], description: ['Description is required'], order: ['Order is required'] } },
    ])
    await newField('Cost Center')
    const twice = await ask(admin, 'POST', fieldsAt(), { ledger_field: { name: 'COST center', description: 'Again', order: 1 } })
    expect([twice.status, twice.body['errors']]).toMatchObject([
      422,
      { fields: { name: ['A ledger field of this client is called COST center already'] } },
    ])
    const other = await makeClient(db)
    const staff = await makePerson(db, 'super_admin')
    expect(await newField('Cost Center', 1, other, staff)).toBeGreaterThan(0)
  })

  it('stay while accounts have values of them, and the refusal names one', async () => {
    const field = await newField('Project')
    const id = await newAccount({ name: '6900 Project', ledger_account_fields_attributes: [{ ledger_field_id: field, value: 'P1' }] })
    const refused = await ask(admin, 'DELETE', `${fieldsAt()}/${field}`)
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'Ledger accounts have values of this field: 6900 Project. Empty them first.',
    ])
    await ask(admin, 'PATCH', `${accountsAt()}/${id}`, {
      ledger_account: { ledger_account_fields_attributes: [{ ledger_field_id: field, value: ' ' }] },
    })
    expect((await ask(admin, 'DELETE', `${fieldsAt()}/${field}`)).status).toBe(200)
  })
})

describe('ledger accounts', () => {
  it('carry name, active and a value for each field, which are sent as attributes [LEDG-FIELD-002] [LEDG-RULE-002] [LEDG-RULE-003] [LEDG-API-004] [LEDG-API-005]', async () => {
    const [second, first] = [await newField('Object', 2), await newField('Fund', 1)]
    const id = await newAccount({
      name: '6100 Electricity',
      ledger_account_fields_attributes: [
        { ledger_field_id: second, value: 'O-1' },
        { ledger_field_id: first, value: ' F-1 ' },
      ],
    })
    expect(await account(id)).toMatchObject({
      name: '6100 Electricity',
      active: true,
      ledger_account_fields: [
        { ledger_field_id: first, ledger_field_name: 'Fund', value: 'F-1' },
        { ledger_field_id: second, ledger_field_name: 'Object', value: 'O-1' },
      ],
    })
    await ask(admin, 'PATCH', `${accountsAt()}/${id}`, {
      ledger_account: {
        active: false,
        ledger_account_fields_attributes: [
          { ledger_field_id: first, value: 'F-2' },
          { ledger_field_id: second, value: '' },
        ],
      },
    })
    expect(await account(id)).toMatchObject({ active: false, ledger_account_fields: [{ ledger_field_id: first, value: 'F-2' }] })
    const nameless = await ask(admin, 'POST', accountsAt(), { ledger_account: {} })
    expect([nameless.status, nameless.body['errors']]).toMatchObject([422, { fields: { name: ['Name is required'] } }])
    const twice = await ask(admin, 'POST', accountsAt(), { ledger_account: { name: '6100 ELECTRICITY' } })
    expect(twice.body['errors']).toMatchObject({ fields: { name: ['A ledger account of this client is called 6100 ELECTRICITY already'] } })
    expect((await ask(admin, 'DELETE', `${accountsAt()}/${id}`)).body).toEqual({ success: true, message: 'Ledger Account deleted' })
    const { rows: trail } = await sql<{ event: string; changes: object }>`select event, object_changes as changes from audit_records
      where client_id = ${client} and item_type = 'ledger_account' and item_id = ${id} order by id`.execute(db)
    expect(trail.map(({ event }) => event)).toEqual(['create', 'update', 'destroy'])
    expect(trail[1]?.changes).toMatchObject({ active: { from: true, to: false }, ledger_account_fields: { to: [{ value: 'F-2' }] } })
  })

  it('take no field of another client, and one value of a field', async () => {
    const other = await makeClient(db)
    const staff = await makePerson(db, 'super_admin')
    const theirs = await newField('Theirs', 1, other, staff)
    const strange = await ask(admin, 'POST', accountsAt(), {
      ledger_account: { name: 'Strange', ledger_account_fields_attributes: [{ ledger_field_id: theirs, value: 'x' }] },
    })
    expect([strange.status, strange.body['errors']]).toMatchObject([
      422,
      { fields: { ledger_account_fields_attributes: ['This record cannot be found'] } },
    ])
    const field = await newField('Once')
    const twice = await ask(admin, 'POST', accountsAt(), {
      ledger_account: {
        name: 'Twice',
        ledger_account_fields_attributes: [
          { ledger_field_id: field, value: 'a' },
          { ledger_field_id: field, value: 'b' },
        ],
      },
    })
    expect(twice.status).toBe(422)
  })

  it('stay while services, shares, settings or booked lines name them, and the refusal says which', async () => {
    const place = await makeFacility(db, client, await makeDivision(db, client))
    const owner = await makeBillableAccount(db, client, place, await makeVendor(db))
    const [own, shared, booked, settled, free] = await Promise.all(
      ['own', 'shared', 'booked', 'settled', 'free'].map((name) => newAccount({ name: `Used ${name}` })),
    )
    const service = await makeService(db, client, { billable_account_id: owner })
    await sql`update services set ledger_account_id = ${own} where id = ${service}`.execute(db)
    await sql`insert into shared_accounts (client_id, service_id, ledger_account_id, share_ratio) values (${client}, ${service}, ${shared}, 1)`.execute(
      db,
    )
    await sql`insert into client_ledger_settings (client_id, payable_ledger_account_id) values (${client}, ${settled})`.execute(db)
    const batch = await sql<{
      id: number
    }>`insert into accounting_batches (client_id, batch_code) values (${client}, 'B1') returning id`.execute(db)
    const bill = await sql<{
      id: number
    }>`insert into bills (client_id, billable_account_id, account_number, date, due_date) values (${client}, ${owner}, 'x', '2026-01-01', '2026-01-20') returning id`.execute(
      db,
    )
    await sql`insert into gl_lines (client_id, accounting_batch_id, bill_id, position, kind, ledger_account_id, ledger_account_name, amount)
      values (${client}, ${batch.rows[0]?.id}, ${bill.rows[0]?.id}, 1, 'expense', ${booked}, 'Used booked', 1)`.execute(db)
    const answer = async (id: number | undefined) => (await ask(admin, 'DELETE', `${accountsAt()}/${id}`)).body['message']
    expect(await answer(own)).toBe('This ledger account cannot be deleted: 1 service is booked on it. Set it to inactive instead.')
    expect(await answer(shared)).toBe('This ledger account cannot be deleted: 1 service is booked on it. Set it to inactive instead.')
    expect(await answer(settled)).toBe('This ledger account cannot be deleted: the client’s settings name it. Set it to inactive instead.')
    expect(await answer(booked)).toBe('This ledger account cannot be deleted: bills have been booked on it. Set it to inactive instead.')
    expect(await answer(free)).toBe('Ledger Account deleted')
    // A booked line keeps the name that it was booked under.
    await ask(admin, 'PATCH', `${accountsAt()}/${booked}`, { ledger_account: { name: 'Renamed' } })
    const { rows: lines } = await sql`select ledger_account_name from gl_lines where client_id = ${client}`.execute(db)
    expect(lines).toEqual([{ ledger_account_name: 'Used booked' }])
  })
})

describe('rights', () => {
  it.each(['ledger_field', 'ledger_account'] as const)(
    'of %s are asked for one by one: create, update, destroy [PERM-PERM-038] [PERM-PERM-039]',
    async (name) => {
      const at = name === 'ledger_field' ? fieldsAt() : accountsAt()
      const id = name === 'ledger_field' ? await newField('Right') : await newAccount({ name: 'Right' })
      const [manager, reader] = [
        await makePerson(db, 'client_manager', { clients: [client] }),
        await makePerson(db, 'read_only_user', { clients: [client] }),
      ]
      const draft = { [name]: { name: `Of ${name}`, ...(name === 'ledger_field' ? { description: 'A field', order: 1 } : {}) } }
      const asked = async (who: Person) => [
        (await ask(who, 'GET', `${at}/${id}`)).status,
        (await ask(who, 'POST', at, draft)).status,
        (await ask(who, 'PATCH', `${at}/${id}`, { [name]: { name: `Renamed ${name}` } })).status,
        (await ask(who, 'DELETE', `${at}/${id}`)).status,
      ]
      expect(await asked(reader)).toEqual([200, 403, 403, 403])
      expect(await asked(manager)).toEqual([200, 200, 200, 403])
      expect((await ask(admin, 'DELETE', `${at}/${id}`)).status).toBe(200)
    },
  )
})

describe('files', () => {
  it('have a column for each ledger field of the client, in the template, the export and the import [LEDG-IMPORT-001] [LEDG-EXPORT-001] [IMPORT-API-003] [IMPORT-API-004]', async () => {
    const own = await makeClient(db)
    const staff = await makePerson(db, 'super_admin')
    const made = await send(
      staff,
      `${fieldsAt(own)}/import`,
      'name,description,order\nCost Center,Who bears it,1\nName,Called like a column,2\n',
    )
    expect(made).toMatchObject({ state: 'committed', counts: { create: 2 } })
    const template = await ask(staff, 'GET', `/imports/templates/ledger_account.csv?client_id=${own}`)
    expect(template.text).toBe('\uFEFFname,active,Cost Center,Ledger Field: Name\r\n')
    const stranger = await makePerson(db, 'client_admin', { clients: [client] })
    expect((await ask(stranger, 'GET', `/imports/templates/ledger_account.csv?client_id=${own}`)).status).toBe(404)
    const csv = 'name,active,cost center,Ledger Field: Name,Fund\n6100 Electricity,,100,=E,x\n6110 Gas,N,,G,\n'
    const first = await send(staff, `${accountsAt(own)}/import`, csv)
    expect(first).toMatchObject({ counts: { create: 2 }, warnings: ['The column "Fund" means nothing here and is passed over.'] })
    const read = async () => (await ask(staff, 'GET', accountsAt(own))).body['ledger_accounts']
    const gas = { name: '6110 Gas', active: false, ledger_account_fields: [{ ledger_field_name: 'Name', value: 'G' }] }
    expect(await read()).toMatchObject([
      {
        name: '6100 Electricity',
        active: true,
        ledger_account_fields: [{ ledger_field_name: 'Cost Center', value: '100' }, { value: '=E' }],
      },
      gas,
    ])
    const second = await send(staff, `${accountsAt(own)}/import`, 'name,cost center\n6100 electricity,#CLEAR\n6110 Gas,\n', {
      mode: 'dry_run',
    })
    expect((await rows(staff, second.id)).map(({ action, changes }) => [action, changes])).toEqual([
      ['update', { 'Cost Center': { from: '100', to: null } }],
      ['unchanged', {}],
    ])
    const third = await send(staff, `${accountsAt(own)}/import`, 'name,Ledger Field: Name\n6100 Electricity,E2\n')
    expect(await read()).toMatchObject([{ ledger_account_fields: [{ value: '100' }, { value: 'E2' }] }, gas])
    expect((await undo(staff, third.id)).state).toBe('undone')
    expect(await read()).toMatchObject([{ ledger_account_fields: [{ value: '100' }, { value: '=E' }] }, gas])
    const started = await ask(staff, 'GET', `${accountsAt(own)}/export_csv`)
    expect(started.body).toMatchObject({ success: true, message: 'Ledger Accounts export started' })
    const text = await exportedText(testApp, staff, started.body['task_id'])
    expect(text.split('\n')[0]).toContain('Cost Center,Ledger Field: Name')
    expect(text).toContain("100,'=E")
    expect((await ask(staff, 'GET', `${fieldsAt(own)}/export_csv`)).body).toMatchObject({
      success: true,
      message: 'Ledger Fields export started',
    })
  })
})
