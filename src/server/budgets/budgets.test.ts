import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows } = importsOf(testApp)
let staff: Person
let client: number
let division: number
let account: number
let other: number

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
  division = await makeDivision(db, client, { name: 'West' })
  const vendor = await makeVendor(db, { name: 'City Power' })
  const store = await makeFacility(db, client, division, { name: 'Store 1' })
  const far = await makeFacility(db, client, await makeDivision(db, client, { name: 'East' }), { name: 'Store 2' })
  account = await makeBillableAccount(db, client, store, vendor, { name: 'Power', account_number: '0042' })
  other = await makeBillableAccount(db, client, far, vendor, { name: 'Far', account_number: '0077' })
})

const at = (id: number = client) => `/clients/${id}/budgets`
const made = async (draft: object): Promise<number> => {
  const answer = await ask(staff, 'POST', at(), { budget: draft })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}

it('a budget is made, read with the names of its account, changed and deleted, and each is in its history', async () => {
  const id = await made({ billable_account_id: account, month: '2031-01', amount: '100.5' })
  const row = {
    id,
    billable_account_id: account,
    account_number: '0042',
    account_name: 'Power',
    vendor_name: 'City Power',
    month: '2031-01',
    amount: '100.50',
    facility: 'Store 1',
    division_name: 'West',
    counts: true,
    client_id: client,
  }
  expect((await ask(staff, 'GET', `${at()}/${id}`)).body['budget']).toMatchObject(row)
  const changed = await ask(staff, 'PATCH', `${at()}/${id}`, { budget: { amount: '-7' } })
  expect(changed.body).toMatchObject({ success: true, budget: { ...row, amount: '-7.00' } })
  expect((await ask(staff, 'DELETE', `${at()}/${id}`)).body).toMatchObject({ success: true })
  expect((await ask(staff, 'GET', `${at()}/${id}`)).status).toBe(404)
  const trail = await sql<{ event: string; client_id: number }>`select event, client_id from audit_records
    where item_type = 'budget' and item_id = ${id} order by id`.execute(db)
  expect(trail.rows).toEqual(['create', 'update', 'destroy'].map((event) => ({ event, client_id: client })))
})

it('an account has one budget a month; account, month and amount are needed, finer than a cent is refused', async () => {
  const id = await made({ billable_account_id: account, month: '2031-02', amount: '1' })
  const moved = await made({ billable_account_id: account, month: '2031-03', amount: '1' })
  const fieldsOf = async (method: 'POST' | 'PATCH', path: string, draft: object) =>
    (await ask(staff, method, path, { budget: draft })).body['errors']
  const taken = { fields: { month: ['This account has a budget of this month already'] } }
  expect(await fieldsOf('POST', at(), { billable_account_id: account, month: '2031-02', amount: '2' })).toMatchObject(taken)
  expect(await fieldsOf('PATCH', `${at()}/${moved}`, { month: '2031-02' })).toMatchObject(taken)
  expect(await fieldsOf('POST', at(), { month: '2031-13', amount: '1.005' })).toMatchObject({
    fields: {
      billable_account_id: ['Billable Account is required'],
      month: ['Month must be a month, YYYY-MM'],
      amount: ['Amount must have at most 2 decimals'],
    },
  })
  expect((await ask(staff, 'PATCH', `${at()}/${id}`, { budget: { month: '2031-02', amount: '3' } })).status).toBe(200)
  await expect(
    sql`insert into budgets (client_id, billable_account_id, month, amount) values (${client}, ${account}, '2031-02', 1)`.execute(db),
  ).rejects.toThrow('budgets_account_month')
  const elsewhere = await makeClient(db)
  await expect(
    sql`insert into budgets (client_id, billable_account_id, month, amount) values (${elsewhere}, ${account}, '2031-02', 1)`.execute(db),
  ).rejects.toMatchObject({ code: '23503' })
})

it('the list is filtered and sorted by month, amount and place; an unknown filter is 422', async () => {
  await made({ billable_account_id: other, month: '2032-01', amount: '10' })
  await made({ billable_account_id: account, month: '2032-01', amount: '20' })
  await made({ billable_account_id: account, month: '2032-02', amount: '30' })
  const amounts = async (query: string) => {
    const { body } = await ask(staff, 'GET', `${at()}?${query}`)
    const list: unknown = body['budgets']
    return Array.isArray(list) ? list.map((row: { amount: string }) => row.amount) : body
  }
  expect(await amounts('q[month_eq]=2032-01&q[s]=amount desc')).toEqual(['20.00', '10.00'])
  expect(await amounts('q[month_gteq]=2032-01&q[month_lteq]=2032-12&q[division_name_eq]=West&q[s]=month asc')).toEqual(['20.00', '30.00'])
  expect(await amounts(`q[month_eq]=2032-01&q[facility_eq]=Store 2`)).toEqual(['10.00'])
  expect(await amounts('q[month_gteq]=2032-01&q[amount_gteq]=25')).toEqual(['30.00'])
  expect((await ask(staff, 'GET', `${at()}?q[notes]=7`)).status).toBe(422)
})

it('a person of a division reads and changes the budgets of its accounts alone, a reader changes none', async () => {
  const own = await made({ billable_account_id: account, month: '2033-01', amount: '1' })
  const far = await made({ billable_account_id: other, month: '2033-01', amount: '2' })
  const manager = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
  const reader = await makePerson(db, 'read_only_user', { clients: [client] })
  expect((await ask(manager, 'GET', `${at()}?q[month_eq]=2033-01`)).body).toMatchObject({ total: 1, budgets: [{ id: own }] })
  expect((await ask(reader, 'GET', `${at()}?q[month_eq]=2033-01`)).body).toMatchObject({ total: 2 })
  expect((await ask(manager, 'PATCH', `${at()}/${own}`, { budget: { amount: '5' } })).status).toBe(200)
  expect((await ask(manager, 'PATCH', `${at()}/${far}`, { budget: { amount: '5' } })).status).toBe(404)
  expect((await ask(manager, 'POST', at(), { budget: { billable_account_id: other, month: '2033-02', amount: '5' } })).status).toBe(422)
  expect((await ask(manager, 'PATCH', `${at()}/${own}`, { budget: { billable_account_id: other } })).status).toBe(422)
  expect((await ask(reader, 'PATCH', `${at()}/${own}`, { budget: { amount: '5' } })).status).toBe(403)
  expect((await ask(reader, 'GET', `${at()}/proposal`)).status).toBe(403)
})

it('a file of account number, month and amount makes and changes budgets, names what is wrong, and goes back in as it came out', async () => {
  await made({ billable_account_id: account, month: '2034-01', amount: '1' })
  const file =
    'account_number,month,amount\n0042,2034-01,12.50\n0042,2034-02,"1,000.00"\n9999,2034-01,5\n0042,2034-03,5.005\n0042,2034-02,7\n'
  const done = await send(staff, `${at()}/import`, file)
  expect(done.counts).toEqual({ rows: 5, create: 1, update: 1, unchanged: 0, refused: 3 })
  const refused = (await rows(staff, done.id)).filter(({ action }) => action === 'refused')
  expect(refused.map(({ line, errors }) => [line, errors.map(({ column, message }) => [column, message])])).toEqual([
    [4, [['account_number', 'This record cannot be found']]],
    [5, [['amount', 'Amount must have at most 2 decimals']]],
    [6, [['account_number', 'Line 3 means the same record']]],
  ])
  const stored = await sql`select month, amount from budgets where client_id = ${client} and month like '2034%' order by month`.execute(db)
  expect(stored.rows).toEqual([
    { month: '2034-01', amount: '12.50' },
    { month: '2034-02', amount: '1000.00' },
  ])
  const started = await ask(staff, 'GET', `${at()}/export_csv?q[month_gteq]=2034-01&q[month_lteq]=2034-12&connection_id=window`)
  const text = await exportedText({ ask }, staff, started.body['task_id'])
  const again = await send(staff, `${at()}/import`, text, { mode: 'dry_run' })
  expect(again.counts).toEqual({ rows: 2, create: 0, update: 0, unchanged: 2, refused: 0 })
})

it('a person of a division imports into its accounts alone', async () => {
  const manager = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
  const done = await send(manager, `${at()}/import`, 'account_number,month,amount\n0042,2035-01,1\n0077,2035-01,1\n')
  expect(done.counts).toMatchObject({ create: 1, refused: 1 })
})

it('an account with budgets is not deleted', async () => {
  await made({ billable_account_id: account, month: '2036-01', amount: '1' })
  const answer = await ask(staff, 'DELETE', `/clients/${client}/billable_accounts/${account}`)
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('budget')
})
