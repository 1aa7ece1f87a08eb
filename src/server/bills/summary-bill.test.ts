/** A summary bill over HTTP: the group's bill and those of its subaccounts, all or none, once. */
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
lastBillsAgree(db)
let staff: Person
let ground: Ground
let group: number
let members: { readonly account_id: number; readonly service_id: number | null }[]

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})
beforeEach(async () => {
  ground = await makeGround(db)
  const { clientId } = ground
  group = await makeAccount(db, ground, `G-${clientId}`, { group: true })
  members = []
  for (const place of [1, 2, 3]) {
    const account_id = await makeAccount(db, ground, `S${place}-${clientId}`, { groupId: group })
    // The third one has no meter.
    members.push({ account_id, service_id: place === 3 ? null : await makeService(db, clientId, account_id, 'electric', `E-${place}`) })
  }
})

const head = (amount: string) => ({
  date: '2026-11-12',
  due_date: '2026-12-04',
  invoice_number: 'S-1',
  balance_forward: '0.00',
  current_charges: amount,
  amount_due: amount,
})
const childOf = ({ account_id, service_id }: (typeof members)[number], amount = '52.00') => ({
  ...head(amount),
  account_id,
  ...(service_id === null
    ? { bill_charges_attributes: [{ name: 'Charges', amount }] }
    : {
        service_bills_attributes: [
          {
            service_id,
            previous_read_date: '2026-10-10',
            read_date: '2026-11-09',
            usage: '100',
            service_bill_entry_fields: [
              { name: 'Utility Charges', value: amount },
              { name: 'Utility Taxes', value: '0.00' },
            ],
          },
        ],
      }),
})
const path = () => `/clients/${ground.clientId}/group_accounts/${group}`

async function stored() {
  const { rows } = await sql<{
    id: number
    account: number
    parent: number | null
  }>`select id, billable_account_id as account, group_bill_id as parent
    from bills where client_id = ${ground.clientId} order by id`.execute(db)
  return rows
}

it('starts with the active subaccounts, a row a meter, and where each meter’s last bill ended', async () => {
  await ask(staff, 'POST', `${path()}/bills`, { bill: head('104.00'), children: members.slice(0, 2).map((member) => childOf(member)) })
  await sql`update billable_accounts set active = false where id = ${members[1]?.account_id ?? 0}`.execute(db)
  const { status, body } = await ask(staff, 'GET', `${path()}/bill_entry`)
  expect(status).toBe(200)
  expect(body['entry']).toMatchObject({
    rows: [
      {
        account_id: members[0]?.account_id,
        meter_number: 'E-1',
        unit_symbol: 'kWh',
        entry_fields: ['Utility Charges', 'Utility Taxes'],
        last_read_date: '2026-11-09',
      },
      { account_id: members[2]?.account_id, service_id: null, entry_fields: [], last_read_date: null },
    ],
  })
})

it('stores the group’s bill and its subaccounts’ bills linked, which owe nothing beside it and count once', async () => {
  const { status, body } = await ask(staff, 'POST', `${path()}/bills`, {
    bill: head('156.00'),
    children: members.map((member) => childOf(member)),
  })
  expect([status, body['message']]).toEqual([200, 'Bill created with 3 of its subaccounts'])
  const parent = Number(body['id'])
  expect(await stored()).toEqual([
    { id: parent, account: group, parent: null },
    ...members.map(({ account_id }) => ({ id: expect.any(Number), account: account_id, parent })),
  ])
  const list = await ask(staff, 'GET', `/clients/${ground.clientId}/bills?unpaid=true`)
  expect(list.body).toMatchObject({ total: 1, bills: [{ id: parent }] })
  const { rows } =
    await sql`select sum(cost)::numeric(14, 2)::text as cost from service_month_facts where client_id = ${ground.clientId}`.execute(db)
  expect(rows).toEqual([{ cost: '156.00' }])
  const { body: seen } = await ask(staff, 'GET', `/clients/${ground.clientId}/bills/${parent}`)
  expect(JSON.stringify(seen)).not.toContain('group_sum')
})

it('stores nothing where one row is wrong, and names row and field; a stranger to the group is refused', async () => {
  const [first, second, third] = members.map((member) => childOf(member))
  const wrong = { ...second, due_date: 'soon' }
  const refused = await ask(staff, 'POST', `${path()}/bills`, { bill: head('156.00'), children: [first, wrong, third] })
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({ errors: { fields: { 'children.1.due_date': [expect.any(String)] } } })
  const stranger = await ask(staff, 'POST', `${path()}/bills`, {
    bill: head('156.00'),
    children: [{ ...first, account_id: ground.accountId }],
  })
  expect(stranger.status).toBe(422)
  expect(stranger.body).toMatchObject({ errors: { fields: { 'children.0.account_id': [expect.any(String)] } } })
  expect(await stored()).toEqual([])
})

it('says of each row that repeats a stored bill which one that is, stores nothing, and stores all once each has its reason', async () => {
  const twins: number[] = []
  for (const member of members.slice(1)) {
    const made = await ask(staff, 'POST', `/clients/${ground.clientId}/bills`, {
      bill: { ...childOf(member), account_type: 'BillableAccount', group_bill_id: null, group_bill_chosen: true },
    })
    expect(made.status).toBe(200)
    twins.push(Number(made.body['id']))
  }
  const children = members.map((member) => childOf(member))
  const save = (override_reason: string | undefined) =>
    ask(staff, 'POST', `${path()}/bills`, {
      bill: head('156.00'),
      children: children.map((child, place) => (place === 0 || override_reason === undefined ? child : { ...child, override_reason })),
    })
  const { status, body } = await save(undefined)
  expect(status).toBe(409)
  expect(body).toMatchObject({
    record_id: twins[0],
    record_ids: { 'children.1.override_reason': twins[0], 'children.2.override_reason': twins[1] },
    message: expect.stringMatching(/^Row 2: .*\. Row 3: /),
  })
  expect(await stored()).toHaveLength(2)
  expect((await save('Printed twice by the vendor')).status).toBe(200)
  expect(await stored()).toHaveLength(6)
  const again = await ask(staff, 'POST', `${path()}/bills`, { bill: head('156.00'), children: [] })
  expect([again.status, Object.keys(Object(again.body['record_ids']))]).toEqual([409, ['bill.override_reason']])
})

it('answers what all rows are audited against at once: the past of the group and its active subaccounts, and the bills that a save would link', async () => {
  await ask(staff, 'POST', `${path()}/bills`, { bill: head('104.00'), children: members.slice(0, 2).map((member) => childOf(member)) })
  await sql`update billable_accounts set active = false where id = ${members[2]?.account_id ?? 0}`.execute(db)
  const { status, body } = await ask(staff, 'GET', `${path()}/bill_books`)
  expect(status).toBe(200)
  const [parent] = await stored()
  const past = [{ date: '2026-11-12', invoice_number: 'S-1' }]
  expect(body['books']).toMatchObject({
    client_id: ground.clientId,
    group: {
      account_id: group,
      history: past,
      group: {
        parents: [{ id: parent?.id }],
        members: members.slice(0, 2).map((member) => member.account_id),
        children: members
          .slice(0, 2)
          .map(({ account_id }) => ({ account_id, group_bill_id: parent?.id, current_charges: '52.00', is_open: false })),
      },
    },
    subaccounts: members.slice(0, 2).map(({ account_id }) => ({ account_id, history: past, group: null })),
  })
})
