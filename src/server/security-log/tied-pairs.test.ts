/** Who could have been two persons at once, over HTTP on a real PostgreSQL. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeDeskBill, makeDeskVendor, makePayer } from '../../../test/support/desk.ts'
import { exportedTable } from '../../../test/support/exports.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { now } from '../kernel/clock.ts'

const app = await startTestApp()
const {
  ask,
  database: { db },
} = app
const day = todayIn(NEW_YORK, now().toISOString())
let root: Person
let auditor: Person
let payer: Ground

beforeEach(async () => {
  await sql`truncate user_ties`.execute(db)
  root = await makePerson(db, 'super_admin')
  auditor = await makePerson(db, 'muc_admin')
  payer = await makePayer(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values (${day}, 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
})

/** The days from a tie to now. */
const tie = (who: Person, to: Person, { kind = 'made', ago = 0 } = {}) =>
  sql`insert into user_ties (user_id, tied_to, kind, created_at)
    values (${who.id}, ${to.id}, ${kind}, now() - make_interval(days => ${ago}::int) - interval '1 minute')`.execute(db)
interface Pair {
  readonly subject: string
  readonly record_id: number
  readonly person_id: number
  readonly person_acts: string
  readonly other_id: number
  readonly other_acts: string
  readonly tie: string
  readonly through: string | null
  readonly days: number
}
async function pairs(query = ''): Promise<Pair[]> {
  const { status, text } = await ask(auditor, 'GET', `/tied_pairs${query}`)
  expect(status, text).toBe(200)
  const answer: { tied_pairs: Pair[] } = JSON.parse(text)
  return answer.tied_pairs
}
async function deskBatch(who: Person): Promise<number> {
  const bill = await makeDeskBill(db, payer, await makeDeskVendor(db), { amount: '10.00' })
  const answer = await ask(who, 'POST', '/global_batches', { global_batch: { batch_date: day, bills_due_date: day, bill_ids: [bill] } })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
async function exported(who: Person, id: number): Promise<void> {
  const answer = await ask(who, 'POST', '/global_batches/export', { ids: [id], pay_method: 'Check' })
  expect(answer.status, answer.text).toBe(200)
}
/** A change of bank details that the first asked for and the second approved. */
async function bankChange(asker: Person, approver: Person): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by, state, decided_by, decided_at)
    values (${await makeDeskVendor(db)}, '{account_holder}', 'X', ${asker.id}, 'approved', ${approver.id}, now()) returning id`.execute(db)
  return rows[0]?.id ?? 0
}

describe('the tied people', () => {
  it('are a user and whoever gave them a role, with the batch that one made and the other exported, what each did, and the days between', async () => {
    const other = await makePerson(db, 'muc_admin')
    await tie(other, root, { kind: 'granted' })
    const [own, strange] = [await deskBatch(root), await deskBatch(root)]
    await exported(other, own)
    await exported(auditor, strange)
    expect(await pairs()).toEqual([
      expect.objectContaining({
        subject: 'global_batch',
        record_id: own,
        client_id: payer.clientId,
        person_id: root.id,
        person_acts: 'made',
        other_id: other.id,
        other_acts: 'exported',
        tie: 'granted a role',
        through: null,
        days: 0,
      }),
    ])
  })

  it('are also two whom a third has made or changed, with the third, and whoever let an account in again', async () => {
    const [one, two] = [await makePerson(db, 'muc_admin'), await makePerson(db, 'muc_admin')]
    await tie(one, root, { kind: 'enabled', ago: 8 })
    await tie(two, root, { kind: 'password', ago: 10 })
    const id = await bankChange(two, one)
    const mine = await bankChange(root, one)
    expect((await pairs()).toSorted((a, b) => a.record_id - b.record_id)).toEqual([
      expect.objectContaining({ subject: 'vendor_bank_change', record_id: id, person_id: one.id, other_id: two.id, days: 8 }),
      expect.objectContaining({
        record_id: mine,
        person_id: root.id,
        person_acts: 'asked for the change',
        other_id: one.id,
        other_acts: 'approved',
        tie: 'let them in again',
      }),
    ])
    const [{ through } = { through: '' }] = await pairs('?q[through_null]=false')
    const { rows } = await sql<{ username: string }>`select username from users where id = ${root.id}`.execute(db)
    expect(through).toBe(rows[0]?.username)
  })

  it('leave the list where the tie came after the last act, or more than ninety days before it, or the two met on no money', async () => {
    const [one, two, three] = [await makePerson(db, 'muc_admin'), await makePerson(db, 'muc_admin'), await makePerson(db, 'muc_admin')]
    await bankChange(one, two)
    await sql`insert into user_ties (user_id, tied_to, kind, created_at) values (${two.id}, ${one.id}, 'granted', now() + interval '1 hour')`.execute(
      db,
    )
    await tie(three, one, { ago: 91 })
    await bankChange(one, three)
    await tie(three, root)
    expect(await pairs()).toEqual([])
    await sql`update user_ties set created_at = now() - interval '89 days 1 hour' where user_id = ${three.id} and tied_to = ${one.id}`.execute(
      db,
    )
    expect((await pairs()).map(({ days }) => days)).toEqual([89])
    expect(await pairs('?q[days_lteq]=30')).toEqual([])
  })

  it('are a release and who asked for it or made a batch of it, an approval of a vendor batch, its close, and payments that were taken back', async () => {
    const [one, two] = [await makePerson(db, 'muc_admin'), await makePerson(db, 'muc_admin')]
    await tie(two, one)
    const id = await deskBatch(one)
    const { rows } = await sql<{
      id: number
    }>`insert into export_releases (state, pay_method, format, reasons, payer_names, batch_count, payment_count, total, requested_by, decided_by, decided_at)
      values ('released', 'Check', 'check_request', 'Always', 'P', 1, 1, 10, ${auditor.id}, ${two.id}, now()) returning id`.execute(db)
    await sql`insert into export_release_batches (client_id, export_release_id, payment_batch_id, waits) values (${payer.clientId}, ${rows[0]?.id}, ${id}, false)`.execute(
      db,
    )
    await sql`insert into payment_batch_approvals (client_id, payment_batch_id, kind, step_id, step_name, user_id, total)
      values (${payer.clientId}, ${id}, 'approved', 1, 'Treasurer', ${two.id}, 10)`.execute(db)
    expect((await pairs()).map(({ subject, person_acts, other_acts }) => [subject, person_acts, other_acts]).toSorted()).toEqual([
      ['export_release', 'made a batch of it', 'released'],
      ['global_batch', 'made', 'approved'],
    ])
  })

  it('are written to a file as the list shows them', async () => {
    const one = await makePerson(db, 'muc_admin')
    await tie(one, root)
    const id = await bankChange(root, one)
    const { headings, rows } = await exportedTable(app, auditor, '/tied_pairs/export_csv')
    const cells = rows.map((row) => Object.fromEntries(headings.map((heading, place) => [heading, row[place]])))
    expect(cells).toEqual([
      expect.objectContaining({
        Money: 'Bank Details',
        Number: String(id),
        Did: 'asked for the change',
        'Other Did': 'approved',
        Tie: 'made the user',
      }),
    ])
  })

  it('are seen by who manages the people of every client alone', async () => {
    const admin = await makePerson(db, 'client_admin', { clients: [payer.clientId] })
    const bound = await makePerson(db, 'muc_admin', { clients: [payer.clientId] })
    const partner = await makePerson(db, 'channel_partner_admin')
    for (const who of [admin, bound, partner])
      for (const path of ['/tied_pairs', '/tied_pairs/export_csv'])
        expect([path, (await ask(who, 'GET', path)).status]).toEqual([path, 403])
    expect((await ask(root, 'GET', '/tied_pairs')).status).toBe(200)
    expect((await ask(root, 'GET', '/tied_pairs?q[password]=x')).status).toBe(422)
  })
})
