/**
 * How the bills of a group account and of its subaccounts find each other, whatever their origin, and the effect on amounts owed and
 * counted.
 */
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { acting, makeAccount, makeGround, makeService, type Ground } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { allFacts } from '../../../test/support/fact-bills.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'
import { createBills } from './create-bills.ts'
import { destroyBills } from './destroy-bill.ts'
import { linkAccounts } from './link-groups.ts'
import { updateBill } from './update-bill.ts'

const database = await testDatabase()
const { db } = database

interface Member {
  readonly accountId: number
  readonly serviceId: number
}

let ground: Ground
let group: number
let members: Member[]

beforeEach(async () => {
  ground = await makeGround(db)
  group = await makeAccount(db, ground, 'GROUP', { group: true })
  members = []
  for (const place of [1, 2, 3]) {
    const accountId = await makeAccount(db, ground, `SUB-${place}`, { groupId: group })
    members.push({ accountId, serviceId: await makeService(db, ground.clientId, accountId, 'electric', `E-SUB-${place}`) })
  }
})

let invoices = 0
const head = (account_id: number, date: string, amount: string, more: Partial<BillDraft> = {}): BillDraft => ({
  account_type: 'BillableAccount',
  account_id,
  date,
  due_date: '2026-12-24',
  invoice_number: `G-${(invoices += 1)}`,
  balance_forward: '0.00',
  current_charges: amount,
  amount_due: amount,
  source: 'typed',
  service_bills: [],
  ...more,
})
const parentOf = (date: string, amount = '156.00', more: Partial<BillDraft> = {}) => head(group, date, amount, more)
const childOf = (
  place: number,
  date: string,
  amount = '52.00',
  period: readonly [string, string] = ['2026-10-10', '2026-11-09'],
  more: Partial<BillDraft> = {},
) => {
  const { accountId, serviceId } = members[place] ?? { accountId: 0, serviceId: 0 }
  const service_bills = [
    {
      service_id: serviceId,
      previous_read_date: period[0],
      read_date: period[1],
      usage: '100',
      service_bill_entry_fields: [{ name: 'Utility Charges', value: amount }],
    },
  ]
  return head(accountId, date, amount, { service_bills, ...more })
}

async function make(...drafts: readonly BillDraft[]): Promise<number[]> {
  const outcomes = await acting(database, (context) => createBills(context, ground.clientId, drafts))
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome))
    return outcome.id
  })
}
const makeOne = async (draft: BillDraft): Promise<number> => (await make(draft))[0] ?? 0
const edit = (id: number, body: BillAttributes) => acting(database, (context) => updateBill(context, ground.clientId, id, body))
const destroy = (...ids: readonly number[]) => acting(database, (context) => destroyBills(context, ground.clientId, ids))

async function linkOf(id: number): Promise<number | null> {
  const { rows } = await sql<{ group_bill_id: number | null }>`select group_bill_id from bills where id = ${id}`.execute(db)
  return rows[0]?.group_bill_id ?? null
}
const linksOf = (ids: readonly number[]) => Promise.all(ids.map(linkOf))

/** Returns the whole cost of the client by its facts, which must equal those of a rebuild, and the part of the group's own account. */
async function costs(): Promise<{ all: string; of_group: string }> {
  const kept = await allFacts(db, ground.clientId)
  await db.transaction().execute((tx) => rebuildFacts(tx, ground.clientId))
  expect(kept).toEqual(await allFacts(db, ground.clientId))
  const { rows } = await sql<{ all: string; of_group: string }>`
    select coalesce(sum(cost), 0)::numeric(14, 2)::text as all, coalesce(sum(cost) filter (where billable_account_id = ${group}), 0)::numeric(14, 2)::text as of_group
    from service_month_facts where client_id = ${ground.clientId}`.execute(db)
  return rows[0] ?? { all: '', of_group: '' }
}

async function historyOf(id: number, key: string): Promise<unknown[]> {
  const { rows } = await sql<{ change: unknown }>`select object_changes -> ${key} as change from audit_records
    where client_id = ${ground.clientId} and item_type = 'bill' and item_id = ${id} and object_changes ? ${key} and event = 'update' order by id`.execute(
    db,
  )
  return rows.map((row) => row.change)
}

describe('bills of a group and of its subaccounts link themselves', () => {
  test('the group’s bill first: each child that comes carries its part, and 156.00 stay 156.00 with none, one and all three', async () => {
    const parent = await makeOne(parentOf('2026-11-12'))
    expect(await costs()).toEqual({ all: '156.00', of_group: '156.00' })
    const first = await makeOne(childOf(0, '2026-11-12'))
    expect(await linkOf(first)).toBe(parent)
    expect(await costs()).toEqual({ all: '156.00', of_group: '104.00' })
    const rest = await make(childOf(1, '2026-11-12'), childOf(2, '2026-11-12'))
    expect(await linksOf(rest)).toEqual([parent, parent])
    expect(await costs()).toEqual({ all: '156.00', of_group: '0.00' })
  })

  test('the children first, or all in one file in any order', async () => {
    const children = await make(childOf(0, '2026-11-12'), childOf(1, '2026-11-12'))
    expect(await linksOf(children)).toEqual([null, null])
    const parent = await makeOne(parentOf('2026-11-12'))
    expect(await linksOf(children)).toEqual([parent, parent])
    const [c1 = 0, p = 0, c2 = 0] = await make(
      childOf(1, '2026-12-12', '60.00', ['2026-11-09', '2026-12-09']),
      parentOf('2026-12-12', '100.00'),
      childOf(0, '2026-12-12', '40.00', ['2026-11-09', '2026-12-09']),
    )
    expect(await linksOf([c1, c2])).toEqual([p, p])
    expect(await costs()).toEqual({ all: '256.00', of_group: '52.00' })
  })

  test('with another bill date: by a service period that ends within the parent’s, or by three days where the parent says none', async () => {
    const [near = 0, far = 0] = await make(childOf(0, '2026-11-15'), childOf(1, '2026-11-16'))
    const parent = await makeOne(parentOf('2026-11-12'))
    expect(await linksOf([near, far])).toEqual([parent, null])
    const service = await makeService(db, ground.clientId, group, 'electric', 'E-GROUP')
    const lines = [
      {
        service_id: service,
        previous_read_date: '2026-11-09',
        read_date: '2026-12-09',
        usage: '1',
        service_bill_entry_fields: [{ name: 'Utility Charges', value: '100.00' }],
      },
    ]
    const dated = await makeOne(parentOf('2026-12-20', '100.00', { service_bills: lines }))
    const [inside = 0, late = 0] = await make(
      childOf(0, '2026-12-11', '40.00', ['2026-11-09', '2026-12-12']),
      childOf(1, '2026-12-11', '60.00', ['2026-11-09', '2026-12-13']),
    )
    expect(await linksOf([inside, late])).toEqual([dated, null])
  })

  test('two bills of the group that fit alike leave the child open, unless one has its invoice number; a third day decides', async () => {
    const [one = 0, other = 0] = await make(parentOf('2026-11-12'), parentOf('2026-11-12', '157.00', { invoice_number: 'SAME' }))
    const [open = 0, named = 0] = await make(
      childOf(0, '2026-11-12'),
      childOf(1, '2026-11-12', '52.00', undefined, { invoice_number: 'SAME' }),
    )
    expect(await linksOf([open, named])).toEqual([null, other])
    await edit(other, { date: '2026-11-20' })
    expect(await linkOf(open)).toBe(one)
    expect(await costs()).toEqual({ all: '313.00', of_group: '209.00' })
  })

  test('a change of either side’s date or account links anew, and a note does not', async () => {
    const [parent = 0, child = 0] = await make(parentOf('2026-11-12'), childOf(0, '2026-11-12'))
    await edit(parent, { date: '2026-10-12' })
    expect(await linkOf(child)).toBeNull()
    await edit(child, { date: '2026-10-12', due_date: '2026-11-30' })
    expect(await linkOf(child)).toBe(parent)
    await edit(child, { notes: 'seen' })
    expect(await linkOf(child)).toBe(parent)
    const [line] = (await sql<{ id: number }>`select id from service_bills where bill_id = ${child}`.execute(db)).rows
    await edit(child, {
      account_id: ground.accountId,
      service_bills_attributes: [{ id: line?.id, _destroy: true }],
    })
    expect(await linkOf(child)).toBeNull()
    expect(await costs()).toEqual({ all: '208.00', of_group: '156.00' })
  })
})

describe('what a clerk says stays', () => {
  test('none, another bill, and back to itself', async () => {
    const [parent = 0, child = 0] = await make(parentOf('2026-11-12'), childOf(0, '2026-11-12'))
    await edit(child, { group_bill_id: null })
    await edit(parent, { current_charges: '157.00', amount_due: '157.00' })
    await edit(child, { current_charges: '53.00', amount_due: '53.00' })
    expect(await linkOf(child)).toBeNull()
    expect(await costs()).toEqual({ all: '210.00', of_group: '157.00' })
    const other = await makeOne(parentOf('2025-01-12', '100.00', { due_date: '2025-02-12' }))
    await edit(child, { group_bill_id: other })
    await edit(child, { current_charges: '52.00', amount_due: '52.00' })
    expect(await linkOf(child)).toBe(other)
    await edit(child, { group_bill_chosen: false })
    expect(await linkOf(child)).toBe(parent)
    const none = await makeOne(childOf(1, '2026-11-12', '52.00', undefined, { group_bill_chosen: true }))
    await edit(parent, { current_charges: '156.00', amount_due: '156.00' })
    expect(await linkOf(none)).toBeNull()
  })

  test('the history of both sides says that they were linked and let go', async () => {
    const [parent = 0, child = 0] = await make(parentOf('2026-11-12'), childOf(0, '2026-11-12'))
    expect(await historyOf(child, 'group_bill_id')).toEqual([{ from: null, to: parent }])
    expect(await historyOf(parent, 'group_children')).toEqual([{ from: null, to: String(child) }])
    await edit(child, { group_bill_id: null })
    expect(await historyOf(child, 'group_bill_id')).toEqual([
      { from: null, to: parent },
      { from: parent, to: null },
    ])
    expect(await historyOf(parent, 'group_children')).toEqual([
      { from: null, to: String(child) },
      { from: String(child), to: null },
    ])
  })
})

describe('corrections and deletions', () => {
  const rebill = (draft: BillDraft, of: number): BillDraft => ({ ...draft, rebill_of_id: of, rebill_mode: 'replace' })

  test('a bill in the place of a void one takes its place in the group, on either side', async () => {
    const [parent = 0, child = 0, second = 0] = await make(parentOf('2026-11-12'), childOf(0, '2026-11-12'), childOf(1, '2026-11-12'))
    const corrected = await makeOne(rebill(childOf(0, '2026-11-28', '50.00'), child))
    expect(await linkOf(corrected)).toBe(parent)
    expect(await costs()).toEqual({ all: '156.00', of_group: '54.00' })
    const whole = await makeOne(rebill(parentOf('2026-11-30', '154.00'), parent))
    expect(await linksOf([corrected, second])).toEqual([whole, whole])
    expect(await costs()).toEqual({ all: '154.00', of_group: '52.00' })
    expect(await historyOf(second, 'group_bill_id')).toEqual([
      { from: null, to: parent },
      { from: parent, to: whole },
    ])
    await destroy(whole)
    expect(await linksOf([corrected, second])).toEqual([parent, parent])
    expect(await costs()).toEqual({ all: '156.00', of_group: '54.00' })
    await destroy(corrected)
    expect(await linkOf(child)).toBe(parent)
    expect(await costs()).toEqual({ all: '156.00', of_group: '52.00' })
  })

  test('the bill of a group that is deleted lets its children go, which owe by themselves again', async () => {
    const [parent = 0, ...children] = await make(parentOf('2026-11-12'), childOf(0, '2026-11-12'), childOf(1, '2026-11-12'))
    const kept = await makeOne(parentOf('2026-11-13', '10.00'))
    await destroy(parent)
    expect(await linksOf(children)).toEqual([kept, kept])
    await destroy(kept)
    expect(await linksOf(children)).toEqual([null, null])
    expect(await costs()).toEqual({ all: '104.00', of_group: '0.00' })
    const [child = 0] = children
    expect(await historyOf(child, 'group_bill_id')).toContainEqual({ from: kept, to: null })
  })

  test('what is paid already links to nothing by itself', async () => {
    const child = await makeOne(childOf(0, '2026-11-12'))
    await sql`update bills set paid = true where id = ${child}`.execute(db)
    await makeOne(parentOf('2026-11-12'))
    expect(await linkOf(child)).toBeNull()
  })
})

describe('rule 38, group_sum', () => {
  const findingsOf = async (id: number) => {
    const { rows } = await sql<{ severity: string; message: string }>`select severity, message from bill_findings
      where bill_id = ${id} and code = 'group_sum' and resolved_at is null order by id`.execute(db)
    return rows.map(({ severity, message }) => `${severity} ${message}`)
  }

  test('is silent without a child, warns while subaccounts are missing, and holds the payment once all have their bill', async () => {
    const parent = await makeOne(parentOf('2026-11-12'))
    expect(await findingsOf(parent)).toEqual([])
    await makeOne(childOf(0, '2026-11-12'))
    expect(await findingsOf(parent)).toEqual([
      'W The bill of 1 subaccount charges $52.00, this bill $156.00: $104.00 are missing; 2 active subaccounts have no bill yet',
    ])
    const [, last = 0] = await make(childOf(1, '2026-11-12'), childOf(2, '2026-11-12', '51.00'))
    expect(await findingsOf(parent)).toEqual([
      'E! The 3 bills of the subaccounts charge $52.00 + $52.00 + $51.00 = $155.00, this bill $156.00: $1.00 are missing',
    ])
    const { rows } = await sql<{ open_blocking: number }>`select open_blocking from bills where id = ${parent}`.execute(db)
    expect(rows).toEqual([{ open_blocking: 1 }])
    await edit(last, { current_charges: '52.03', amount_due: '52.03' })
    expect(await findingsOf(parent)).toEqual([])
    await edit(last, { current_charges: '52.04', amount_due: '52.04' })
    expect(await findingsOf(parent)).toEqual([
      'E! The 3 bills of the subaccounts charge $52.00 + $52.00 + $52.04 = $156.04, this bill $156.00: $0.04 too much',
    ])
    await destroy(last)
    expect(await findingsOf(parent)).toEqual([
      'W The 2 bills of the subaccounts charge $52.00 + $52.00 = $104.00, this bill $156.00: $52.00 are missing; 1 active subaccount has no bill yet',
    ])
    await edit(parent, { current_charges: '104.00', amount_due: '104.00' })
    expect(await findingsOf(parent)).toEqual([])
  })

  test('tells a child that two bills fit alike, until somebody chooses', async () => {
    const [one = 0, other = 0, child = 0] = await make(parentOf('2026-11-12'), parentOf('2026-11-12', '157.00'), childOf(0, '2026-11-12'))
    expect(await findingsOf(child)).toEqual([`W Bills ${one} and ${other} of the group account fit this one alike: choose its Group Bill`])
    await edit(child, { group_bill_id: other })
    expect(await findingsOf(child)).toEqual([])
    expect(await findingsOf(other)).toHaveLength(1)
  })

  test('a reason that is given with the save of the parent settles it', async () => {
    const [, , last = 0, parent = 0] = await make(
      childOf(0, '2026-11-12'),
      childOf(1, '2026-11-12'),
      childOf(2, '2026-11-12', '51.00'),
      parentOf('2026-11-12', '156.00', { resolutions: [{ code: 'group_sum', line: null, reason: 'vendor_confirmed' }] }),
    )
    expect(await linkOf(last)).toBe(parent)
    expect(await findingsOf(parent)).toEqual([])
  })
})

test('accounts that come into a group bring the bills that fit', async () => {
  const outside = await makeAccount(db, ground, 'LATER')
  const [child = 0, parent = 0] = await make(head(outside, '2026-11-12', '52.00'), parentOf('2026-11-12'))
  expect(await linkOf(child)).toBeNull()
  await sql`update billable_accounts set group_account_id = ${group} where id = ${outside}`.execute(db)
  await acting(database, (context) => linkAccounts(context, ground.clientId, 'BillableAccount', [outside]))
  expect(await linkOf(child)).toBe(parent)
  expect(await costs()).toEqual({ all: '156.00', of_group: '104.00' })
})

test('parent and children that are saved at the same time on connections of their own end linked, each once', async () => {
  for (let round = 1; round <= 8; round += 1) {
    const date = `2026-${String(round).padStart(2, '0')}-12`
    const period = [`2026-${String(round).padStart(2, '0')}-01`, `2026-${String(round).padStart(2, '0')}-08`] as const
    const [parent, ...children] = await Promise.all([
      makeOne(parentOf(date, '156.00')),
      ...[0, 1, 2].map((place) => makeOne(childOf(place, date, '52.00', period))),
    ])
    expect(await linksOf(children)).toEqual([parent, parent, parent])
    for (const child of children) expect(await historyOf(child, 'group_bill_id')).toEqual([{ from: null, to: parent }])
  }
  expect(await costs()).toEqual({ all: '1248.00', of_group: '0.00' })
})
