/**
 * The money attacked by the people who work with it. Each try goes over HTTP, is refused, moves nothing, and is a row of the security log with
 * whose it was.
 */
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { RoleName } from '#contract/access/rights.ts'
import { addDays } from '#contract/kernel/date.ts'
import type { SecurityKind } from '#contract/security-log/security-kinds.ts'
import { today } from '../src/server/kernel/clock.ts'
import { makePerson, startTestApp, type Answer, type Person } from './support/app.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makePayer } from './support/desk.ts'
import { makePaymentWorld, type PaymentWorld } from './support/payments.ts'

const app = await startTestApp()
const {
  ask,
  database: { db },
} = app
const printed: string[] = []
let world: PaymentWorld
let approver: Person
let month: number
/** For whom the client’s step of approval was made. */
let named: Person | null

beforeEach(async () => {
  world = await makePaymentWorld(app)
  approver = await ofClient('client_admin')
  month = 0
  named = null
  await sql`insert into global_batch_bank_values (day, value, locked) values ((now() at time zone 'America/New_York')::date, 50000, true)
    on conflict (day) do update set locked = true`.execute(db)
})
afterAll(() => console.log(`the money attacked: refused and recorded\n${printed.join('\n')}`))

const ofClient = (role: RoleName): Promise<Person> => makePerson(db, role, { clients: [world.ground.clientId] })
const messageOf = ({ body }: Answer): string => String(body['message'])

/** The answer refuses, and the security log has the try as an event of this kind by this person. */
async function refusedAndRecorded(attack: string, who: Person, answer: Answer, status: number, kind: SecurityKind): Promise<void> {
  expect(answer.status, answer.text).toBe(status)
  const events = async () =>
    (
      await sql<{
        kind: string
      }>`select kind from security_events where user_id = ${who.id} and kind not in ('proof_demanded', 'people_changed')
        order by id`.execute(db)
    ).rows.map((row) => row.kind)
  await expect.poll(events, { message: attack }).toContain(kind)
  printed.push(`  ${attack.padEnd(64)} ${status} ${kind.padEnd(22)} ${messageOf(answer).slice(0, 90)}`)
}

describe('an approver', () => {
  const steps = (...approver_ids: number[]) => ({ approval_steps: [{ name: 'Treasurer', above_amount: '0', approver_ids }] })
  const approve = (id: number, who: Person, total: string) =>
    ask(who, 'POST', `${world.at}/${id}/approve`, { approval: { act: 'approve', total } })
  const totalOf = async (id: number): Promise<string> => {
    const { rows } = await sql<{ total: string }>`select sum(amount_paid)::text as total from payment_batch_bills
      where payment_batch_id = ${id} and released_at is null`.execute(db)
    return rows[0]?.total ?? ''
  }
  /** A batch of this person with one bill, which waits for the approver. */
  async function waiting(maker = world.admin, prepare: (bill: number) => Promise<unknown> = () => Promise.resolve()): Promise<number> {
    if (named !== approver) {
      const set = { payment_setting: steps(approver.id) }
      expect((await ask(world.admin, 'PATCH', `/clients/${world.ground.clientId}/payment_settings`, set)).status).toBe(200)
      named = approver
    }
    const bill = await world.makeBill((month += 1))
    await prepare(bill)
    const id = await world.made([bill], maker)
    await world.numberPayments(id)
    const asked = await ask(maker, 'POST', `${world.at}/${id}/request_approval`, { approval_request: {} })
    expect(asked.status, asked.text).toBe(200)
    return id
  }
  async function isRefused(attack: string, id: number, words: string): Promise<void> {
    const answer = await approve(id, approver, await totalOf(id))
    expect(messageOf(answer)).toContain(words)
    await refusedAndRecorded(attack, approver, answer, 409, 'second_person_needed')
    expect(await world.batch(id)).toMatchObject({ approval_state: 'waiting', closed: false })
  }

  test('who made the batch does not approve it, and the try is recorded', async () => {
    await isRefused('approves the batch that they made', await waiting(approver), 'You made this batch')
  })

  test('who entered a bill of it does not approve it, and the try is recorded', async () => {
    const entered = (bill: number) =>
      sql`update bills set created_by = ${approver.id} where client_id = ${world.ground.clientId} and id = ${bill}`.execute(db)
    await isRefused('approves bills that they entered', await waiting(world.admin, entered), 'You entered 1 of its bills')
  })

  test('who changed the bank details of its vendor does not approve it, and the try is recorded', async () => {
    approver = await makePerson(db, 'super_admin')
    const id = await waiting()
    const change = { vendor: { payment_identifier: '123456789', po_box: '021000021' } }
    const changed = await ask(approver, 'PATCH', `/vendors/${world.ground.vendorId}`, change)
    expect(changed.status, changed.text).toBe(200)
    await isRefused('approves payments to bank details that they changed', id, 'You changed the bank details of')
  })

  test('whom the maker of the batch has made does not approve it, nor who made its maker, and the tries are recorded', async () => {
    const draft = { email: `sock${world.ground.clientId}@example.test`, username: `sock${world.ground.clientId}` }
    const made = await ask(world.admin, 'POST', '/users', { user: draft })
    expect(made.status, made.text).toBe(200)
    const sock = Number(made.body['id'])
    approver = await ofClient('client_admin')
    // The new user signs in as somebody of the kit, whose headers are those of the account.
    await sql`update user_ties set user_id = ${approver.id} where user_id = ${sock}`.execute(db)
    await isRefused('approves what their own maker made', await waiting(), 'You count as one person')
    await sql`update user_ties set user_id = ${world.admin.id}, tied_to = ${approver.id} where user_id = ${approver.id}`.execute(db)
    await isRefused('approves what a user of their making made', await waiting(), 'You count as one person')
  })

  test('does not approve another total than they were shown, and the try is recorded', async () => {
    const answer = await approve(await waiting(), approver, '1.00')
    await refusedAndRecorded('approves another total than was shown', approver, answer, 409, 'payment_changed')
  })

  test('approved a batch whose amount then changes: it is not paid, and the try is recorded', async () => {
    const id = await waiting()
    expect((await approve(id, approver, await totalOf(id))).status).toBe(200)
    const { rows } = await sql<{ bill_id: number }>`select bill_id from payment_batch_bills where payment_batch_id = ${id}`.execute(db)
    const payer = await makePerson(db, 'super_admin')
    const amounts = [{ bill_id: rows[0]?.bill_id, amount_paid: '1.00', difference_reason: 'partial' }]
    const changed = await world.save(id, { bill_amounts: amounts }, payer)
    expect(changed.status, changed.text).toBe(200)
    const answer = await world.save(id, { closed: true }, payer)
    await refusedAndRecorded('pays an amount that changed after its approval', payer, answer, 409, 'payment_changed')
    expect(await world.batch(id)).toMatchObject({ closed: false, approval_state: 'needed' })
  })
})

describe('an export of the desk', () => {
  interface Desk {
    readonly clientId: number
    readonly batch: number
    readonly profile: number
  }
  async function madeBatch(): Promise<Desk> {
    const payer = await makePayer(db)
    const profile = await makeBankProfile(db, payer.clientId)
    const bill = await makeDeskBill(db, payer, await makeAchVendor(db), {
      amount: '25.00',
      due: addDays(today(), 15),
      date: addDays(today(), -15),
    })
    const clerk = await makePerson(db, 'muc_admin')
    const global_batch = { batch_date: today(), bills_due_date: addDays(today(), 14), bill_ids: [bill] }
    const answer = await ask(clerk, 'POST', '/global_batches', { global_batch })
    expect(answer.status, answer.text).toBe(200)
    return { clientId: payer.clientId, batch: Number(answer.body['id']), profile }
  }
  const pay = (who: Person, batch: number, more: object = {}) =>
    ask(who, 'POST', '/global_batches/export', { ids: [batch], pay_method: 'ACH', ...more })
  const filesOf = async (batch: number) =>
    (await sql`select from global_batch_file_batches where payment_batch_id = ${batch}`.execute(db)).rows.length

  test('is written by nobody of a narrowed role, and each try is recorded', async () => {
    const { clientId, batch } = await madeBatch()
    const { ground } = world
    const elsewhere = { clients: [ground.clientId] }
    const narrowed: readonly (readonly [what: string, role: RoleName, scope: Parameters<typeof makePerson>[2], status: number])[] = [
      ['a provider’s administrator of another client', 'muc_admin', elsewhere, 404],
      ['a provider’s administrator of a division', 'muc_admin', { division: [[ground.clientId, ground.divisionId]] }, 403],
      ['a super administrator of another client', 'super_admin', elsewhere, 404],
      ['an administrator of the client', 'client_admin', { clients: [clientId] }, 403],
      ['a reader of the client', 'read_only_user', { clients: [clientId] }, 403],
    ]
    for (const [what, role, scope, status] of narrowed) {
      const who = await makePerson(db, role, scope)
      await refusedAndRecorded(`exports as ${what}`, who, await pay(who, batch), status, 'denied')
    }
    expect(await filesOf(batch)).toBe(0)
  })

  test('has a file that nobody is given after the right is gone, and the tries are recorded', async () => {
    const { batch } = await madeBatch()
    const who = await makePerson(db, 'muc_admin')
    const { text } = await pay(who, batch)
    const { files }: { files: { id: number }[] } = JSON.parse(text)
    const download = () => ask(who, 'GET', `/global_batch_files/${files[0]?.id}/download`)
    expect((await download()).status).toBe(200)
    await sql`insert into user_role_clients (client_id, user_role_id) select ${world.ground.clientId}, id from user_roles where user_id = ${who.id}`.execute(
      db,
    )
    app.app.machinery.sessions.forgetUser(who.id)
    await refusedAndRecorded('downloads a payment file that is out of reach by now', who, await download(), 404, 'denied')
  })

  test('of other figures than its person was shown is not written, and the try is recorded', async () => {
    const { batch } = await madeBatch()
    const who = await makePerson(db, 'muc_admin')
    const preview = await ask(who, 'POST', '/global_batches/export_preview', { ids: [batch], pay_method: 'ACH' })
    const { seen }: { seen: object } = JSON.parse(preview.text)
    await sql`update payment_batch_bills set amount_paid = 24.00 where payment_batch_id = ${batch}`.execute(db)
    await refusedAndRecorded('exports other amounts than were shown', who, await pay(who, batch, { seen }), 409, 'payment_changed')
    expect(await filesOf(batch)).toBe(0)
  })

  test('that waits is not released with other amounts than were asked for, and the try is recorded', async () => {
    const { batch, profile } = await madeBatch()
    await sql`update originating_profiles set release_always = true where id = ${profile}`.execute(db)
    const [asker, second] = [await makePerson(db, 'muc_admin'), await makePerson(db, 'muc_admin')]
    const { waits }: { waits: { id: number } | null } = JSON.parse((await pay(asker, batch)).text)
    await sql`update payment_batch_bills set amount_paid = 2500.00 where payment_batch_id = ${batch}`.execute(db)
    const answer = await ask(second, 'POST', `/export_releases/${waits?.id}/decide`, { decision: { act: 'release' } })
    expect(answer.body).toMatchObject({ success: false, message: expect.stringContaining('The request is void.') })
    await refusedAndRecorded('releases amounts that changed since', second, answer, 200, 'payment_changed')
    expect(await filesOf(batch)).toBe(0)
  })
})

test('the address of a paper of payments opens nothing after the right is gone, and the try is recorded with whose it was', async () => {
  const id = await world.paid([await world.makeBill(1)])
  const who = await ofClient('client_admin')
  const started = await ask(who, 'GET', `${world.at}/${id}/voucher_csv`)
  const file = () => ask(who, 'GET', `/tasks/${String(started.body['task_id'])}/file`)
  await expect.poll(async () => (await file()).status).toBe(200)
  const link = String((await file()).body['url'])
  const open = async (): Promise<Answer> => {
    const { statusCode: status, body: text, headers } = await app.app.server.inject({ method: 'GET', url: link })
    return { status, text, headers, body: status === 200 ? {} : JSON.parse(text) }
  }
  expect((await open()).status).toBe(200)
  await sql`update user_roles set role_id = (select id from roles where name = 'client_user') where user_id = ${who.id}`.execute(db)
  await refusedAndRecorded('opens the address of a paper of payments', who, await open(), 403, 'denied')
})
