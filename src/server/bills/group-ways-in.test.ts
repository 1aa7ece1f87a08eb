/**
 * Parent and children of one statement are linked for every way in which bills arrive: the form, the inbox and a retrieval service. Files
 * of bills: bill-import.test.ts.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '#contract/bill-retrieval/statement.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { pdfOf } from '../../../test/support/forms.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { uploadFile } from '../../../test/support/scan-files.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'
import { setProviders } from '../bill-retrieval/bill-retrieval.ts'

const testApp = await startTestApp()
const { app, database, ask } = testApp
const { db } = database
lastBillsAgree(db)
let staff: Person
let at: Ground
let parent: number
let children: number[]

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await app.listen()
})
beforeEach(async () => {
  at = await makeGround(db)
  parent = await makeAccount(db, at, `P-${at.clientId}`, { group: true })
  children = []
  for (const place of [1, 2]) {
    const groupId = parent
    const id = await makeAccount(db, at, `C${place}-${at.clientId}`, { groupId })
    await makeService(db, at.clientId, id, 'electric', `E-${place}`)
    children.push(id)
  }
})

const headOf = (account_id: number, amount: string, more: object = {}): object => ({
  account_type: 'BillableAccount',
  account_id,
  date: '2025-11-12',
  due_date: '2025-12-04',
  invoice_number: `N-${account_id}`,
  balance_forward: '0.00',
  current_charges: amount,
  amount_due: amount,
  service_bills_attributes: [],
  ...more,
})

async function save(bill: object): Promise<number> {
  const answer = await ask(staff, 'POST', `/clients/${at.clientId}/bills`, { bill })
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text).bill.id
}

/** Returns each bill's account with the account of the bill that carries it, in the order of accounts. */
async function links(): Promise<(number | null)[][]> {
  const { rows } = await sql<{ account: number; carried_by: number | null }>`
    select coalesce(bills.billable_account_id, bills.supply_account_id) as account, coalesce(parent.billable_account_id, parent.supply_account_id) as carried_by
    from bills left join bills parent on parent.client_id = bills.client_id and parent.id = bills.group_bill_id where bills.client_id = ${at.clientId} order by 1`.execute(
    db,
  )
  return rows.map((row) => [row.account, row.carried_by])
}
const linked = (): (number | null)[][] => [[parent, null], ...children.map((child) => [child, parent])]

describe('the form', () => {
  test('links a child that is saved before its group’s bill and one that is saved after it; a correction by the clerk stays', async () => {
    const [before = 0, after = 0] = children
    const first = await save(headOf(before, '50.00'))
    await save(headOf(parent, '100.00'))
    await save(headOf(after, '50.00'))
    expect(await links()).toEqual(linked())
    const corrected = await ask(staff, 'PATCH', `/clients/${at.clientId}/bills/${first}`, { bill: { group_bill_id: null } })
    expect(corrected.status, corrected.text).toBe(200)
    await ask(staff, 'PATCH', `/clients/${at.clientId}/bills/${first}`, { bill: { notes: 'Billed by itself' } })
    expect(await links()).toEqual([
      [parent, null],
      [before, null],
      [after, parent],
    ])
  })

  test('links the bills of supply accounts to those of their group supply account by the same rule', async () => {
    parent = await makeSupplyAccount(db, at, `SP-${at.clientId}`)
    children = [await makeSupplyAccount(db, at, `SC1-${at.clientId}`), await makeSupplyAccount(db, at, `SC2-${at.clientId}`)]
    await sql`update supply_accounts set is_group_account = true where id = ${parent}`.execute(db)
    await sql`update supply_accounts set group_supply_account_id = ${parent} where id = any(${children}::bigint[])`.execute(db)
    const supply = { account_type: 'SupplyAccount' }
    const [before = 0, after = 0] = children
    await save(headOf(before, '50.00', supply))
    await save(headOf(parent, '100.00', supply))
    await save(headOf(after, '50.00', supply))
    expect(await links()).toEqual(linked())
  })
})

test('the inbox links the bills that are entered from its documents', async () => {
  const names = ['First', 'Second', 'Third']
  const signed_ids = await Promise.all(
    names.map((name) =>
      uploadFile(testApp, staff, { name: `${name}.pdf`, type: 'application/pdf', bytes: pdfOf(`${name} ${at.clientId}`) }),
    ),
  )
  const taken = await ask(staff, 'POST', `/clients/${at.clientId}/bill_scans`, { signed_ids })
  expect(taken.status, taken.text).toBe(200)
  const [first, second, third]: number[] = JSON.parse(taken.text).ids
  await save(headOf(children[0] ?? 0, '50.00', { scan_id: first }))
  await save(headOf(parent, '100.00', { scan_id: second }))
  await save(headOf(children[1] ?? 0, '50.00', { scan_id: third }))
  expect(await links()).toEqual(linked())
})

test('a retrieval service’s statements link whether they come all at once or one after the other', async () => {
  const numbers = [`C1-${at.clientId}`, `P-${at.clientId}`, `C2-${at.clientId}`]
  await retrieve(numbers.map((number) => statementOf(number, november)))
  expect(await links()).toEqual(linked())
  for (const number of numbers) await retrieve([statementOf(number, december)])
  const { rows } = await sql<{ child: string; parent: string }>`select bills.date as child, parent.date as parent from bills
    join bills parent on parent.client_id = bills.client_id and parent.id = bills.group_bill_id where bills.client_id = ${at.clientId} order by 1`.execute(
    db,
  )
  const of = (date: string) => ({ child: date, parent: date })
  expect(rows).toEqual([of('2025-11-12'), of('2025-11-12'), of('2025-12-12'), of('2025-12-12')])
})

interface Month {
  readonly billed: string
  readonly due: string
  readonly from: string
  readonly to: string
}
const november: Month = { billed: '2025-11-12', due: '2025-12-04', from: '2025-10-10', to: '2025-11-09' }
const december: Month = { billed: '2025-12-12', due: '2026-01-04', from: '2025-11-09', to: '2025-12-09' }

function statementOf(account_number: string, { billed, due, from, to }: Month) {
  const amount = account_number.startsWith('P') ? '100.00' : '50.00'
  const meters = account_number.startsWith('P')
    ? []
    : [
        {
          meter_number: `E-${account_number[1]}`,
          commodity: 'electric',
          previous_read_date: from,
          read_date: to,
          usage: '500',
          unit: 'kWh',
          utility_charges: amount,
        },
      ]
  return statement.parse({
    statement_id: `${account_number} ${billed}`,
    file_id: `${account_number} ${billed}`,
    kind: 'bill',
    provider_name: 'City Power',
    account_number,
    bill_date: billed,
    due_date: due,
    current_charges: amount,
    amount_due: amount,
    meters,
  })
}

async function retrieve(items: ReturnType<typeof statementOf>[]): Promise<void> {
  const bytes = new TextEncoder().encode('%PDF-1.4')
  setProviders(app.machinery, [
    {
      id: 'fake',
      label: 'Fake service',
      status: async () => ({ ok: true, credentials: { ok: 1, failed: 0, needsAction: 0 } }),
      listStatements: async () => ({ items }),
      getStatement: async (id) => items.find((one) => one.statement_id === id) ?? items[0] ?? Promise.reject(new Error('no statement')),
      getPdf: async () => ({ bytes, filename: 'S.pdf', sha256: createHash('sha256').update(bytes).digest('hex') }),
    },
  ])
  const path = `/clients/${at.clientId}`
  const task = (id: unknown) => taskOf((method, address) => ask(staff, method, address), id)
  // A fetch that follows within seconds counts as a second click.
  await sql`update tasks set created_at = created_at - interval '1 minute' where client_id = ${at.clientId}`.execute(db)
  await task((await ask(staff, 'POST', `${path}/bill_retrieval/fetch`)).body['task_id'])
  const started = await ask(staff, 'POST', `${path}/bills/retrieval_import`, { all_matching: true, missing_meters: 'flag' })
  expect(await task(started.body['task_id'])).toMatchObject({ state: 'done', result: { created: items.length } })
}
