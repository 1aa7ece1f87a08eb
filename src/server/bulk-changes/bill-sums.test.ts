import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { leftOutWords } from '#contract/bills/bill-counts.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeAccount, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { exportedTable } from '../../../test/support/exports.ts'
import { loadPrincipal } from '../access/access.ts'
import { createBills } from '../bills/bills.ts'
import { setClock } from '../kernel/clock.ts'

const app = await startTestApp()
const { ask, database } = app
const { db } = database
setClock('2026-01-20T15:00:00Z')
let at: Ground
let clerk: Person
/** Bills of one client: a single one, a void one with its replacement, and a group's bill with two children. */
let bills: Record<'single' | 'void' | 'replacement' | 'parent' | 'first' | 'second', number>

beforeAll(async () => {
  at = await makeGround(db)
  clerk = await makePerson(db, 'client_admin', { clients: [at.clientId] })
  const principal = await loadPrincipal(db, clerk.id)
  if (!principal) throw new Error('no principal')
  const groupId = await makeAccount(db, at, `G-${at.clientId}`, { group: true })
  const bill = async (month: number, amount: string, accountId = at.accountId): Promise<number> => {
    const draft = monthlyDraft(at, month, { amount_due: amount, current_charges: amount, account_id: accountId })
    const [made] = await acting(
      database,
      (context) => createBills(context, at.clientId, [accountId === at.accountId ? draft : { ...draft, service_bills: [] }]),
      { principal },
    )
    if (made?.kind !== 'created') throw new Error(JSON.stringify(made))
    return made.id
  }
  bills = {
    single: await bill(1, '100.10'),
    void: await bill(2, '259.44'),
    replacement: await bill(3, '250.00'),
    parent: await bill(4, '70.03', groupId),
    first: await bill(5, '30.01'),
    second: await bill(6, '40.02'),
  }
  await sql`update bills set superseded_by_id = ${bills.replacement} where id = ${bills.void}`.execute(db)
  await sql`update bills set group_bill_id = ${bills.parent} where id in (${bills.first}, ${bills.second})`.execute(db)
})

/** Each cent is owed once: in the single bill, in the replacement and in the group's own bill. */
const owed = '420.13'

describe('sums of bills', () => {
  const sums = (body: object) => ask(clerk, 'POST', `/clients/${at.clientId}/bills/sums`, body)
  const none = { void: 0, group_child: 0 }

  it('say what is owed, by ids and for all that match a filter, and name what they left out', async () => {
    const owing = (body: object) => sums({ ...body, add_up: 'owed' })
    const all = { count: 6, amount_due: owed, current_charges: owed, left_out: { void: 1, group_child: 2 }, counted_twice: '0.00' }
    expect((await owing({ ids: Object.values(bills) })).body).toMatchObject(all)
    expect((await owing({ filter: {} })).body).toMatchObject(all)
    expect((await owing({ ids: [bills.void] })).body).toMatchObject({ amount_due: '0.00', left_out: { void: 1, group_child: 0 } })
    expect((await owing({ filter: { q: { counts_eq: 'owed' } } })).body).toMatchObject({ count: 3, amount_due: owed, left_out: none })
  })

  it('of all bills add up what the list shows, and tell what of it counts twice', async () => {
    const shown = (body: object) => sums({ ...body, add_up: 'all' })
    // The void bill, and both children beside their parent: 259.44 and 70.03 more than is owed.
    const all = { count: 6, amount_due: '749.60', current_charges: '749.60', left_out: none, counted_twice: '329.47' }
    expect((await shown({ ids: Object.values(bills) })).body).toMatchObject(all)
    expect((await shown({ filter: {} })).body).toMatchObject(all)
    // Children without their parent count once: a figure of booked bills has them in its place.
    expect((await shown({ ids: [bills.first, bills.second] })).body).toMatchObject({ amount_due: '70.03', counted_twice: '0.00' })
    expect((await shown({ filter: { q: { booked: 'true' } } })).body).toMatchObject({
      count: 4,
      amount_due: '420.13',
      counted_twice: '0.00',
    })
  })

  it('are not made without the choice between the two', async () => {
    const { status, text } = await sums({ filter: {} })
    expect([status, text]).toEqual([422, expect.stringContaining('add_up')])
  })

  it('say it in words', () => {
    expect(leftOutWords({ void: 1, group_child: 12 })).toBe('1 void and 12 group children not counted')
    expect(leftOutWords({ void: 0, group_child: 1 })).toBe('1 group child not counted')
    expect(leftOutWords({ void: 0, group_child: 0 })).toBe('')
  })

  it('can be made of an export: its column Counts leaves what the sum leaves, and no heading stands twice', async () => {
    const { headings, rows } = await exportedTable(app, clerk, `/clients/${at.clientId}/bills/export_csv`)
    expect(headings.filter((one, place) => headings.indexOf(one) !== place)).toEqual([])
    const [counts, amount, id] = ['Counts', 'Amount Due', 'ID'].map((heading) => headings.indexOf(heading))
    const cents = (wanted: string) =>
      rows.filter((row) => row[counts ?? -1] === wanted).reduce((sum, row) => sum + Math.round(Number(row[amount ?? -1]) * 100), 0)
    expect(cents('owed')).toBe(42_013)
    expect(rows.filter((row) => row[counts ?? -1] === 'void').map((row) => row[id ?? -1])).toEqual([String(bills.void)])
    expect(
      rows
        .filter((row) => row[counts ?? -1] === 'group_child')
        .map((row) => row[id ?? -1])
        .toSorted(),
    ).toEqual([bills.first, bills.second].map(String))
  })

  it('names beside every id of an export what it is called', async () => {
    const { headings, rows } = await exportedTable(app, clerk, `/clients/${at.clientId}/bills/export_csv?q[id_eq]=${bills.single}`)
    const cell = (heading: string) => rows[0]?.[headings.indexOf(heading)]
    expect(cell('Vendor ID')).toBe(String(at.vendorId))
    expect(cell('Vendor Name')).toBe('City Power')
    expect(cell('Account ID')).toBe(String(at.accountId))
    expect(cell('Account')).toMatch(/^Account 0001234\d+ \(0001234\d+\)$/)
  })
})
