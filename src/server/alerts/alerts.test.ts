/** Tests the four alert lists over HTTP: their rules for the day, rows, files, counts and reach. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingBillDays, pastDueDays, estimatedReads } from '#contract/alerts/alert.ts'
import { alerts } from '#contract/alerts/alert-names.ts'
import { addDays } from '#contract/kernel/date.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { setClock } from '../kernel/clock.ts'
import { keepLastBills } from '../estate/last-bills.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
/** Half past midnight in New York; in UTC it is the same day, four and a half hours in. */
const today = '2026-06-15'
let staff: Person
let vendor: number
let client: number
let facility: number

beforeAll(async () => {
  setClock(`${today}T04:30:00Z`)
  vendor = await makeVendor(db, { name: 'City Power' })
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
  facility = await makeFacility(db, client, await makeDivision(db, client), { name: 'Store 1' })
})
afterAll(() => setClock())

const daysAgo = (days: number) => addDays(today, -days)
type Kind = 'billable_account' | 'supply_account'

async function addAccount(
  kind: Kind,
  number: string,
  more: { at?: number; active?: boolean; enteredDaysAgo?: number } = {},
): Promise<number> {
  const values = { account_number: number, name: `Account ${number}` }
  const id =
    kind === 'billable_account'
      ? await makeBillableAccount(db, client, more.at ?? facility, vendor, values)
      : await makeSupplyAccount(db, client, more.at ?? facility, values)
  // Just after midnight of that New York day, which is still the day before in the west.
  await sql`update ${sql.table(`${kind}s`)} set active = ${more.active ?? true},
    created_at = ${`${daysAgo(more.enteredDaysAgo ?? 200)} 00:10`}::timestamp at time zone 'America/New_York' where id = ${id}`.execute(db)
  return id
}

async function addBill(
  kind: Kind,
  account: number,
  bill: { date?: string; due_date?: string; paid?: boolean; at?: number | null; file?: boolean },
): Promise<number> {
  const date = bill.date ?? daysAgo(60)
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, ${sql.ref(`${kind}_id`)}, account_number, vendor_id, facility_id, date, due_date, amount_due, paid)
    values (${client}, ${account}, 'x', ${vendor}, ${bill.at ?? facility}, ${date}, ${bill.due_date ?? date}, 10, ${bill.paid ?? false}) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? 0
  if (bill.file) {
    const file = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, state)
      values (${`bills/${id}/copy`}, 'copy.pdf', 'application/pdf', 3, 'attached') returning id`.execute(db)
    await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${client}, ${id}, 1, ${file.rows[0]?.id}, 'copy.pdf')`.execute(
      db,
    )
  }
  await db.transaction().execute((tx) =>
    keepLastBills(tx, client, {
      billable_account_ids: kind === 'billable_account' ? [account] : [],
      supply_account_ids: kind === 'supply_account' ? [account] : [],
    }),
  )
  return id
}

interface Listed {
  readonly total: number
  readonly rows: Record<string, unknown>[]
}
const plurals: Readonly<Record<string, string>> = { past_due_bills: 'bills', supply_accounts_missing_bills: 'supply_accounts' }

async function list(key: string, query = '', who = staff, of = client): Promise<Listed> {
  const { status, body } = await ask(who, 'GET', `/clients/${of}/alerts/${key}?per=1000${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const rows = body[plurals[key] ?? 'billable_accounts']
  if (!Array.isArray(rows)) throw new Error(`no rows in ${Object.keys(body).join()}`)
  return { total: Number(body['total']), rows }
}
const numbersIn = ({ rows }: Listed, like: string) =>
  rows
    .map((row) => String(row['account_number']))
    .filter((number) => number.startsWith(like))
    .toSorted()

it('looks 30 days back, at 3 reads and from 30 days past due on [ALERT-CONST-001]', () => {
  expect([missingBillDays, estimatedReads, pastDueDays]).toEqual([30, 3, 30])
})

describe.each([
  { kind: 'billable_account', key: 'billable_accounts_missing_bills' },
  { kind: 'supply_account', key: 'supply_accounts_missing_bills' },
] as const)('$key', ({ kind, key }) => {
  it('lists active accounts whose last bill, or without one whose entry, is 31 New York days old, not 30 or 29 [ALERT-CONST-001] [ALERT-RULE-001] [ALERT-RULE-002]', async () => {
    for (const days of [29, 30, 31]) {
      await addBill(kind, await addAccount(kind, `B-billed-${days}`), { date: daysAgo(days) })
      await addAccount(kind, `B-new-${days}`, { enteredDaysAgo: days })
    }
    await addAccount(kind, 'B-inactive', { active: false })
    const replaced = await addAccount(kind, 'B-replaced')
    const old = await addBill(kind, replaced, { date: daysAgo(5) })
    const newer = await addBill(kind, replaced, { date: daysAgo(90) })
    await sql`update bills set superseded_by_id = ${newer} where id = ${old}`.execute(db)
    await addBill(kind, replaced, { date: daysAgo(91) })
    expect(numbersIn(await list(key), 'B-')).toEqual(['B-billed-31', 'B-new-31', 'B-replaced'])
  })

  it('does not list a subaccount whose group has a bill, since that answers for it', async () => {
    const group = await addAccount(kind, 'G-group')
    const sub = await addAccount(kind, 'G-sub')
    const column = kind === 'billable_account' ? 'group_account_id' : 'group_supply_account_id'
    await sql`update ${sql.table(`${kind}s`)} set is_group_account = (id = ${group}), ${sql.ref(column)} = case when id = ${sub} then ${group}::bigint end
      where id in (${group}, ${sub})`.execute(db)
    expect(numbersIn(await list(key), 'G-')).toEqual(['G-group', 'G-sub'])
    await addBill(kind, group, { date: daysAgo(3) })
    expect(numbersIn(await list(key), 'G-')).toEqual([])
  })
})

it('rows of billable accounts carry what the specification names, the file of the last bill too [ALERT-FIELD-001]', async () => {
  const account = await addAccount('billable_account', 'F-1')
  await makeService(db, client, { billable_account_id: account }, { meter_number: 'M-1' })
  await addBill('billable_account', account, { date: daysAgo(80), file: true })
  const bill = await addBill('billable_account', account, { date: daysAgo(40), file: true })
  const { rows } = await list('billable_accounts_missing_bills', '&q[account_number_eq]=F-1')
  expect(rows).toEqual([
    expect.objectContaining({
      id: account,
      facility_name: 'Store 1',
      vendor_name: 'City Power',
      account_number: 'F-1',
      name: 'Account F-1',
      service_names: ['Electric'],
      last_bills_date: daysAgo(40),
      last_bill_file_url: `/api/v5/clients/${client}/bills/${bill}/files/1`,
    }),
  ])
})

it('rows of supply accounts carry their address and the due date of the last bill [ALERT-FIELD-002]', async () => {
  const account = await addAccount('supply_account', 'F-2')
  await sql`update supply_accounts set vendor_id = ${vendor} where id = ${account}`.execute(db)
  const bill = await addBill('supply_account', account, { date: daysAgo(40), due_date: daysAgo(20), file: true })
  const { rows } = await list('supply_accounts_missing_bills', '&q[account_number_eq]=F-2')
  expect(rows).toEqual([
    expect.objectContaining({
      address: '1 Main, Austin, TX 78701',
      facility: 'Store 1',
      vendor: 'City Power',
      account_number: 'F-2',
      name: 'Account F-2',
      service_names: [],
      last_bill_date: daysAgo(40),
      last_bill_due_date: daysAgo(20),
      last_bill_file_url: `/api/v5/clients/${client}/bills/${bill}/files/1`,
    }),
  ])
  const dueBy = async (days: number) =>
    (
      await ask(
        staff,
        'GET',
        `/clients/${client}/alerts/supply_accounts_missing_bills?q[account_number_eq]=F-2&q[last_bill_due_date_lteq]=${daysAgo(days)}&q[s]=last_bill_due_date desc`,
      )
    ).body['total']
  expect([await dueBy(20), await dueBy(21)]).toEqual([1, 0])
})

describe('billable_accounts_consecutive_estimations', () => {
  const key = 'billable_accounts_consecutive_estimations'

  /** Adds reads of one meter, the newest last. */
  async function addReads(account: number, reads: readonly ('estimated' | 'read' | 'replaced')[], active = true): Promise<void> {
    const service = await makeService(db, client, { billable_account_id: account })
    await sql`update services set active = ${active} where id = ${service}`.execute(db)
    for (const [at, read] of reads.entries()) {
      const date = daysAgo(400 - at * 30)
      const bill = await addBill('billable_account', account, { date })
      await sql`insert into service_bills (client_id, bill_id, service_id, read_date, estimated) values (${client}, ${bill}, ${service}, ${date}, ${read === 'estimated'})`.execute(
        db,
      )
      if (read === 'replaced') {
        const other = await addBill('billable_account', account, { date })
        await sql`update bills set superseded_by_id = ${other} where id = ${bill}`.execute(db)
      }
    }
  }

  it('lists an account with a meter whose last three reads are all estimated; two are not enough [ALERT-CONST-001] [ALERT-RULE-003]', async () => {
    const with_ = async (number: string, ...meters: readonly (readonly ('estimated' | 'read' | 'replaced')[])[]) => {
      const account = await addAccount('billable_account', `E-${number}`)
      for (const reads of meters) await addReads(account, reads)
      return account
    }
    await with_('three', ['read', 'estimated', 'estimated', 'estimated'])
    await with_('two', ['read', 'estimated', 'estimated'])
    await with_('two only', ['estimated', 'estimated'])
    await with_('read since', ['estimated', 'estimated', 'estimated', 'read'])
    await with_('two meters, neither', ['estimated', 'estimated', 'read', 'estimated'], ['read', 'estimated', 'estimated'])
    await with_('two meters, one', ['read', 'read', 'read'], ['estimated', 'estimated', 'estimated'])
    await with_('replaced read', ['estimated', 'estimated', 'estimated', 'replaced'])
    const gone = await addAccount('billable_account', 'E-meter gone')
    await addReads(gone, ['estimated', 'estimated', 'estimated'], false)
    expect(numbersIn(await list(key), 'E-')).toEqual(['E-replaced read', 'E-three', 'E-two meters, one'])
  })
})

it('past_due_bills lists unpaid bills from the thirtieth day on, not on the 29th [ALERT-CONST-001] [ALERT-RULE-004] [ALERT-FIELD-003]', async () => {
  const account = await addAccount('billable_account', 'P-1')
  const bills: number[] = []
  for (const days of [29, 30, 31]) bills.push(await addBill('billable_account', account, { due_date: daysAgo(days), file: days === 31 }))
  await addBill('billable_account', account, { due_date: daysAgo(31), paid: true })
  await sql`with batch as (insert into accounting_batches (client_id, batch_code) values (${client}, 'JUN-26') returning id)
    update bills set accounting_batch_id = batch.id, open_errors = 1 from batch where bills.id = ${bills[2]}`.execute(db)
  await sql`insert into bill_findings (client_id, bill_id, code, severity, message) values (${client}, ${bills[2]}, 'header_math', 'E', 'It does not add up')`.execute(
    db,
  )
  const { rows, total } = await list('past_due_bills', `&q[billable_account_id]=${account}`)
  expect([total, rows.map((row) => row['id'])]).toEqual([2, [bills[2], bills[1]]])
  expect(rows[0]).toMatchObject({
    flags: { header_math: 'It does not add up' },
    vendor_name: 'City Power',
    account_name: 'Account P-1',
    account_type: 'BillableAccount',
    account_id: account,
    client_id: client,
    accounting_batch_batch_code: 'JUN-26',
    date: daysAgo(60),
    due_date: daysAgo(31),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    full_status: 'Flagged',
    file_url: [`/api/v5/clients/${client}/bills/${bills[2]}/files/1`],
  })
})

it('the lists take page, per, filters and sort, refuse what they do not know, and answer total and a named array [ALERT-API-001] [ALERT-API-002]', async () => {
  for (const number of ['Q-1', 'Q-2', 'Q-3']) {
    await addAccount('supply_account', number)
    const account = await addAccount('billable_account', number)
    await addBill('billable_account', account, { date: daysAgo(50), due_date: daysAgo(40) })
    const service = await makeService(db, client, { billable_account_id: account })
    for (const days of [50, 80, 110]) {
      const bill = await addBill('billable_account', account, { date: daysAgo(days), due_date: daysAgo(days), paid: true })
      await sql`insert into service_bills (client_id, bill_id, service_id, read_date, estimated) values (${client}, ${bill}, ${service}, ${daysAgo(days)}, true)`.execute(
        db,
      )
    }
  }
  await sql`update bills set account_number = account.account_number from billable_accounts account where account.id = bills.billable_account_id and bills.client_id = ${client}`.execute(
    db,
  )
  for (const { key } of alerts) {
    const filtered = '&q[account_number_cont]=Q-'
    expect(numbersIn(await list(key, filtered), ''), key).toEqual(['Q-1', 'Q-2', 'Q-3'])
    const sorted = async (query: string) => {
      const { body } = await ask(staff, 'GET', `/clients/${client}/alerts/${key}?${query}${filtered}&q[s]=account_number desc`)
      const rows = body[plurals[key] ?? 'billable_accounts']
      return { total: body['total'], numbers: Array.isArray(rows) ? rows.map((row) => row.account_number) : [] }
    }
    expect(await sorted('page=1&per=2'), key).toEqual({ total: 3, numbers: ['Q-3', 'Q-2'] })
    expect(await sorted('page=2&per=2'), key).toEqual({ total: 3, numbers: ['Q-1'] })
    for (const query of ['q[nonsense]=1', 'q[s]=nonsense asc', 'page=0', 'per=none'])
      expect((await ask(staff, 'GET', `/clients/${client}/alerts/${key}?${query}`)).status, `${key} ${query}`).toBe(422)
  }
})

it('each list exports its filtered rows for the window that asked [ALERT-EXPORT-001]', async () => {
  for (const { key, label } of alerts) {
    const at = `/clients/${client}/alerts/${key}_export_csv`
    const { status, body } = await ask(staff, 'GET', `${at}?connection_id=window&q[account_number]=Q-2`)
    expect([status, body['message']]).toEqual([200, `${label} export started`])
    const task = await sql<{ connection_id: string }>`select connection_id from tasks where id = ${body['task_id']}`.execute(db)
    expect(task.rows).toEqual([{ connection_id: 'window' }])
    const lines = parse<Record<string, string>>(await exportedText(testApp, staff, body['task_id']), { columns: true })
    expect(
      lines.map((line) => line['Account Number']),
      key,
    ).toEqual(['Q-2'])
  }
})

describe('who sees what', () => {
  it('is bounded by the role: rows, totals and counts of a narrowed one are its own part', async () => {
    const other = await makeClient(db)
    const [near, far] = await Promise.all([0, 1].map(async () => makeFacility(db, other, await makeDivision(db, other))))
    const inOther = async (at: number, number: string) => {
      const id = await makeBillableAccount(db, other, at, vendor, { account_number: number })
      await sql`update billable_accounts set created_at = ${daysAgo(100)}::date where id = ${id}`.execute(db)
      await sql`insert into bills (client_id, billable_account_id, account_number, facility_id, date, due_date, amount_due)
        values (${other}, ${id}, ${number}, ${at}, ${daysAgo(90)}, ${daysAgo(60)}, 5)`.execute(db)
    }
    await inOther(near ?? 0, 'near')
    await inOther(far ?? 0, 'far')
    const narrow = await makePerson(db, 'read_only_user', { clients: [other], facility: [[other, near ?? 0]] })
    const whole = await makePerson(db, 'read_only_user', { clients: [other] })
    for (const key of ['billable_accounts_missing_bills', 'past_due_bills']) {
      expect(numbersIn(await list(key, '', narrow, other), ''), key).toEqual(['near'])
      expect(numbersIn(await list(key, '', whole, other), ''), key).toEqual(['far', 'near'])
    }
    const counts = async (who: Person) => (await ask(who, 'GET', `/clients/${other}/alerts/counts`)).body
    const all = { supply_accounts_missing_bills: 0, billable_accounts_consecutive_estimations: 0 }
    expect(await counts(narrow)).toEqual({ counts: { ...all, billable_accounts_missing_bills: 1, past_due_bills: 1 } })
    expect(await counts(whole)).toEqual({ counts: { ...all, billable_accounts_missing_bills: 2, past_due_bills: 2 } })
  })
})
