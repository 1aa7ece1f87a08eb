/** Tests remittance advice by mail over HTTP, on a real PostgreSQL and with a real mail server. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { exportedTable } from '../../../test/support/exports.ts'
import { startPostbox } from '../../../test/support/smtp.ts'
import { setClock } from '../kernel/clock.ts'
import { contentOf } from './advice-mail.ts'

const postbox = await startPostbox()
const app = await startTestApp({ SMTP_URL: postbox.url })
const { ask, database } = app
const { db } = database
let staff: Person
let payer: Ground
let number = 0

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  payer = await makePayer(db)
  await makeBankProfile(db, payer.clientId)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
})
afterEach(() => setClock())

interface Vendor {
  readonly id: number
  readonly email: string
}
async function wantingVendor(method = 'Check', name = 'Harbor Gas'): Promise<Vendor> {
  const id = method === 'ACH' ? await makeAchVendor(db, name) : await makeDeskVendor(db, { method, name })
  const email = `ap${++number}@vendor.test`
  const answer = await change(id, { remittance_email: email, remittance_by_mail: true })
  expect(answer.status, answer.text).toBe(200)
  return { id, email }
}
const change = (id: number, vendor: object, who = staff) => ask(who, 'PATCH', `/vendors/${id}`, { vendor })
const vendorNow = async (id: number) => (await ask(staff, 'GET', `/vendors/${id}`)).body['vendor']

const head = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }
async function batchOf(vendors: readonly number[], amount = '10.00', payers: readonly Ground[] = [payer]): Promise<number[]> {
  const bill_ids: number[] = []
  for (const ground of payers) for (const vendor of vendors) bill_ids.push(await makeDeskBill(db, ground, vendor, { amount }))
  const answer = await ask(staff, 'POST', '/global_batches', { global_batch: { ...head, bill_ids } })
  expect(answer.status, answer.text).toBe(200)
  const { global_batches }: { global_batches: { id: number }[] } = JSON.parse(answer.text)
  return global_batches.map(({ id }) => id)
}
const exported = (ids: readonly number[], pay_method = 'Check', key = `export ${++number}`) =>
  ask(staff, 'POST', '/global_batches/export', { ids, pay_method }, { 'idempotency-key': key })
async function paid(vendor: Vendor, amount = '10.00'): Promise<number> {
  const [batch = 0] = await batchOf([vendor.id], amount)
  const answer = await exported([batch])
  expect(answer.status, answer.text).toBe(200)
  return batch
}

interface Payment {
  readonly id: number
  readonly advice: { readonly id: number; readonly state: string; readonly to_address: string; readonly reason: string | null } | null
}
async function paymentsOf(batch: number): Promise<Payment[]> {
  const { global_batch }: { global_batch: { payments: Payment[] } } = JSON.parse((await ask(staff, 'GET', `/global_batches/${batch}`)).text)
  return global_batch.payments
}
async function adviceOf(batch: number, state: string) {
  return vi.waitFor(
    async () => {
      const [payment] = await paymentsOf(batch)
      if (payment?.advice?.state !== state) throw new Error(`the advice is ${JSON.stringify(payment?.advice)}`)
      return { ...payment.advice, payment: payment.id }
    },
    { timeout: 15_000, interval: 50 },
  )
}
const act = (id: number, verb: 'send_again' | 'mark_bounced', who = staff): Promise<Answer> =>
  ask(who, 'POST', `/remittance_advices/${id}/${verb}`)
const mailsTo = (email: string) => postbox.received.filter(({ to }) => to.includes(email))
const dueNow = () => sql`update mails set next_attempt_at = now() where state = 'waiting'`.execute(db)
const wakeMails = async (): Promise<void> => {
  await dueNow()
  await db.transaction().execute((tx) => app.app.machinery.jobs.send(tx, 'mail', { mail_id: 0 }))
}
const reverse = (batch: number, payment: number) =>
  ask(staff, 'POST', `/global_batches/${batch}/vendor_payments/${payment}/reverse`, {
    payment_reversal: { kind: 'void_check', reversed_date: '2026-11-25', reason: 'Lost' },
  })
const headerOf = (message: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(message.split('\r\n\r\n', 1)[0] ?? '')?.[1]?.replaceAll(/\r\n[ \t]/g, ' ')

describe('an export', () => {
  it('sends one advice with the paper to each vendor who wants it, and none to another, also when the request is repeated', async () => {
    const vendor = await wantingVendor()
    const [batch = 0] = await batchOf([vendor.id, await makeDeskVendor(db, { name: 'Silent' })], '1234.50')
    expect((await exported([batch], 'Check', 'same')).status).toBe(200)
    await exported([batch], 'Check', 'same')
    const { payment, to_address } = await adviceOf(batch, 'sent')
    expect(to_address).toBe(vendor.email)
    expect(mailsTo(vendor.email)).toHaveLength(1)
    const [mail] = mailsTo(vendor.email)
    expect(headerOf(mail?.message ?? '', 'Subject')).toMatch(new RegExp(`^Remittance advice VP-${payment}: \\$1,234\\.50 from `))
    expect(mail?.text).toContain('pays you $1,234.50 by check.')
    expect(mail?.text).toContain(`Our reference: VP-${payment}`)
    expect(mail?.message).toContain(`filename=VP-${payment}_remittance.pdf`)
    expect(mail?.message).toContain(Buffer.from('%PDF-1.3').toString('base64').slice(0, 9))
    expect((await paymentsOf(batch)).map(({ advice }) => advice?.state)).toEqual(['sent', undefined])
    await expect(
      sql`insert into remittance_advices (client_id, vendor_payment_id, state, to_address, amount)
        values (${payer.clientId}, ${payment}, 'queued', 'a@b.test', 1)`.execute(db),
    ).rejects.toThrow('remittance_advices_once')
  })

  it('by two people at once sends one advice', async () => {
    const vendor = await wantingVendor()
    const ids = await batchOf([vendor.id])
    const other = await makeLastingPerson(db, 'super_admin')
    const answers = await Promise.all(
      [staff, other].map((who) =>
        ask(who, 'POST', '/global_batches/export', { ids, pay_method: 'Check' }, { 'idempotency-key': `race ${who.id}` }),
      ),
    )
    expect(answers.map(({ status }) => status === 200).toSorted()).toEqual([false, true])
    await adviceOf(ids[0] ?? 0, 'sent')
    expect(mailsTo(vendor.email)).toHaveLength(1)
  })

  it('that is refused sends nothing', async () => {
    const vendor = await wantingVendor()
    await sql`update vendors set street_address_1 = null, city = null where id = ${vendor.id}`.execute(db)
    const [batch = 0] = await batchOf([vendor.id])
    expect((await exported([batch])).status).toBe(422)
    expect((await sql`select 1 as one from mails where to_address = ${vendor.email}`.execute(db)).rows).toEqual([])
    expect((await paymentsOf(batch))[0]?.advice).toBeNull()
  })

  it('sends a vendor of two payers one advice for each, and neither names the other payer or its bills', async () => {
    const vendor = await wantingVendor()
    const other = await makePayer(db)
    await sql`update clients set name = 'First Payer' where id = ${payer.clientId}`.execute(db)
    await sql`update clients set name = 'Other Payer' where id = ${other.clientId}`.execute(db)
    expect((await exported(await batchOf([vendor.id], '7.00', [payer, other]))).status).toBe(200)
    await vi.waitFor(() => expect(mailsTo(vendor.email)).toHaveLength(2), { timeout: 15_000 })
    const names = mailsTo(vendor.email).map(({ message, text }) => [/First Payer/.test(message + text), /Other Payer/.test(message + text)])
    expect(names.toSorted()).toEqual([
      [false, true],
      [true, false],
    ])
    expect(mailsTo(vendor.email).every(({ text }) => text.includes('$7.00') && text.includes('Bills: 1'))).toBe(true)
  })
})

it.each([
  ['ACH', '/global_batches/export', { pay_method: 'ACH' }, 'pays you $0.80 by bank transfer (ACH).'],
  ['Autopay', '/global_batches/export', { pay_method: 'Autopay' }, 'expects you to draw $0.80 by automatic payment.'],
  ['OP', '/global_batches/pay', {}, 'has paid you $0.80 on your website.'],
  ['NP', '/global_batches/finalize', {}, 'closes bills of $0.80 together. No money is sent for them.'],
])('%s, paid by %s, sends an advice that says how', async (type, path, body, words) => {
  const vendor = await wantingVendor(type)
  const ids = await batchOf([vendor.id], '0.80')
  const answer = await ask(staff, 'POST', path, { ids, ...body })
  expect(answer.status, answer.text).toBe(200)
  await adviceOf(ids[0] ?? 0, 'sent')
  expect(mailsTo(vendor.email).map(({ text }) => text)).toEqual([expect.stringContaining(words)])
})

describe('an address', () => {
  it('that the server refuses for good is marked with its words; further advices are held until the vendor has another one', async () => {
    const vendor = await wantingVendor()
    postbox.refuse(vendor.email, { code: 550, words: '5.1.1 No such mailbox' })
    const first = await paid(vendor)
    const bounced = await adviceOf(first, 'bounced')
    expect(bounced.reason).toContain('5.1.1 No such mailbox')
    expect(await vendorNow(vendor.id)).toMatchObject({ remittance_bounced_at: expect.any(String) })
    const second = await paid(vendor)
    const held = await adviceOf(second, 'held')
    expect(held.reason).toBe(`The last advice to ${vendor.email} bounced.`)
    const refusal = await act(held.id, 'send_again')
    expect(refusal.status).toBe(409)
    expect(refusal.text).toContain('Give the vendor another address first.')
    await change(vendor.id, { remittance_email: `new-${vendor.email}` })
    expect(await vendorNow(vendor.id)).toMatchObject({ remittance_bounced_at: null })
    for (const { id } of [bounced, held]) expect((await act(id, 'send_again')).status).toBe(200)
    expect(await adviceOf(second, 'sent')).toMatchObject({ to_address: `new-${vendor.email}`, reason: null })
    await adviceOf(first, 'sent')
    expect(mailsTo(vendor.email)).toEqual([])
    const { text } = await ask(staff, 'GET', `/remittance_advices?q[vendor_id_eq]=${vendor.id}&q[state_eq]=sent`)
    expect(JSON.parse(text)).toMatchObject({ total: 2, remittance_advices: [{ vendor_name: 'Harbor Gas', amount: '10.00' }, {}] })
  })

  it.each([
    ['for now', 451, '4.7.1 Try later'],
    ['because our server may not send', 550, '5.7.1 Relaying denied'],
  ])('that the server refuses %s is tried again, and the advice shows the reason meanwhile', async (_words, code, words) => {
    const vendor = await wantingVendor()
    postbox.refuse(vendor.email, { code, words })
    const batch = await paid(vendor)
    await vi.waitFor(async () => expect((await adviceOf(batch, 'queued')).reason).toContain(words), { timeout: 15_000 })
    postbox.refuse(vendor.email, null)
    await wakeMails()
    await adviceOf(batch, 'sent')
    expect(await vendorNow(vendor.id)).toMatchObject({ remittance_bounced_at: null })
  })

  it('is marked by a person whose advice came back otherwise, once, and only where it was sent', async () => {
    const vendor = await wantingVendor()
    const { id } = await adviceOf(await paid(vendor), 'sent')
    const answers = await Promise.all([act(id, 'mark_bounced'), act(id, 'mark_bounced')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await vendorNow(vendor.id)).toMatchObject({ remittance_bounced_at: expect.any(String) })
    const waiting = await adviceOf(await paid(vendor), 'held')
    expect((await act(waiting.id, 'mark_bounced')).status).toBe(409)
  })

  it('is required where advice is wanted, is one address, and stands in the history and the export of vendors', async () => {
    const id = await makeDeskVendor(db)
    const wanted = await change(id, { remittance_by_mail: true })
    expect([wanted.status, wanted.body['errors']]).toMatchObject([422, { fields: { remittance_email: [expect.any(String)] } }])
    expect((await ask(staff, 'POST', '/vendors', { vendor: { name: 'New', short_code: `N${id}`, remittance_by_mail: true } })).status).toBe(
      422,
    )
    for (const email of ['nobody', 'a@b.test, c@b.test', 'a@b.test\r\nBcc: c@b.test'])
      expect((await change(id, { remittance_email: email })).status, email).toBe(422)
    await change(id, { remittance_email: 'ap@harbor.test', remittance_by_mail: true })
    expect((await change(id, { remittance_email: null })).status).toBe(422)
    const { rows } = await sql<{ changes: object }>`select object_changes as changes from audit_records
      where item_type = 'vendor' and item_id = ${id} order by id`.execute(db)
    expect(rows.at(-1)?.changes).toMatchObject({ remittance_email: { to: 'ap@harbor.test' }, remittance_by_mail: { to: true } })
    const table = await exportedTable(app, staff, `/vendors/export_csv?q[id_eq]=${id}`)
    expect(table.rows[0]?.[table.headings.indexOf('Remittance Email')]).toBe('ap@harbor.test')
  })
})

describe('sending again', () => {
  it('happens three times a day, once for two people at once, and stands in the trail with its person', async () => {
    const vendor = await wantingVendor()
    const batch = await paid(vendor)
    const { id } = await adviceOf(batch, 'sent')
    postbox.refuse(vendor.email, { code: 451, words: 'later' })
    const both = await Promise.all([act(id, 'send_again'), act(id, 'send_again')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    postbox.refuse(vendor.email, null)
    await wakeMails()
    for (let times = 2; times <= 3; times++) {
      await adviceOf(batch, 'sent')
      expect((await act(id, 'send_again')).status).toBe(200)
    }
    await adviceOf(batch, 'sent')
    const fourth = await act(id, 'send_again')
    expect([fourth.status, fourth.text]).toEqual([409, expect.stringContaining('it was sent again 3 times today')])
    expect(mailsTo(vendor.email)).toHaveLength(4)
    setClock('2026-11-26T15:00:00Z')
    expect((await act(id, 'send_again')).status).toBe(200)
    const { rows } = await sql<{
      user_id: number
    }>`select user_id from audit_records where item_type = 'remittance_advice' and item_id = ${id}
      and client_id = ${payer.clientId} and object_changes ? 'repeats'`.execute(db)
    expect(rows.map(({ user_id }) => user_id)).toEqual([staff.id, staff.id, staff.id, staff.id])
  })

  it('needs the right of the desk and a payer in reach; who reaches one client leaves the vendor’s address alone', async () => {
    const vendor = await wantingVendor()
    const batch = await paid(vendor)
    const { id } = await adviceOf(batch, 'sent')
    const ofClient = await makePerson(db, 'client_admin', { clients: [payer.clientId] })
    for (const verb of ['send_again', 'mark_bounced'] as const) {
      expect((await act(id, verb, ofClient)).status).toBe(403)
      expect((await act(id + 1_000_000, verb)).status).toBe(404)
    }
    expect((await ask(ofClient, 'GET', '/remittance_advices')).status).toBe(403)
    const narrowed = await makeLastingPerson(db, 'muc_admin', { clients: [payer.clientId], division: [[payer.clientId, payer.divisionId]] })
    expect((await ask(narrowed, 'GET', '/remittance_advices')).status).toBe(403)
    for (const verb of ['send_again', 'mark_bounced'] as const) expect((await act(id, verb, narrowed)).status).toBe(403)
    const stranger = await makeLastingPerson(db, 'muc_admin', { clients: [(await makePayer(db)).clientId] })
    expect((await ask(stranger, 'GET', '/remittance_advices')).body).toMatchObject({ total: 0 })
    expect((await ask(stranger, 'GET', `/remittance_advices?q[client_id_eq]=${payer.clientId}`)).body).toMatchObject({ total: 0 })
    expect((await exportedTable(app, stranger, '/remittance_advices/export_csv')).rows).toEqual([])
    for (const verb of ['send_again', 'mark_bounced'] as const) expect((await act(id, verb, stranger)).status).toBe(404)
    const bound = await makeLastingPerson(db, 'muc_admin', { clients: [payer.clientId] })
    expect((await act(id, 'send_again', bound)).status).toBe(200)
    await adviceOf(batch, 'sent')
    expect((await act(id, 'mark_bounced', bound)).status).toBe(200)
    // The address concerns the payments of other clients too.
    expect(await vendorNow(vendor.id)).toMatchObject({ remittance_bounced_at: null })
  })

  it('of its mail in the list of mails is refused: its advice is sent again instead', async () => {
    const vendor = await wantingVendor()
    await adviceOf(await paid(vendor), 'sent')
    const { rows } = await sql<{ id: number }>`update mails set state = 'dead' where to_address = ${vendor.email} returning id`.execute(db)
    const keeper = await makePerson(db, 'super_admin')
    expect((await ask(keeper, 'GET', `/mails/${rows[0]?.id}`)).body).toMatchObject({ mail: { can_send_again: false } })
    expect((await ask(keeper, 'POST', `/mails/${rows[0]?.id}/send_again`)).status).toBe(409)
  })
})

it('a payment that is reversed withdraws an advice that waits, which is then neither sent nor sent again', async () => {
  const vendor = await wantingVendor()
  postbox.refuse(vendor.email, { code: 451, words: 'later' })
  const batch = await paid(vendor)
  await vi.waitFor(async () => expect((await adviceOf(batch, 'queued')).reason).toContain('later'), { timeout: 15_000 })
  const { id, payment } = await adviceOf(batch, 'queued')
  const answer = await reverse(batch, payment)
  expect(answer.status, answer.text).toBe(200)
  expect((await adviceOf(batch, 'withdrawn')).reason).toBe('The payment was reversed.')
  postbox.refuse(vendor.email, null)
  await wakeMails()
  expect((await act(id, 'send_again')).text).toContain('its payment was reversed')
  const next = await paid(vendor)
  await adviceOf(next, 'sent')
  expect(mailsTo(vendor.email)).toHaveLength(1)
})

it('line ends and 60 characters in names stay inside one subject', async () => {
  const long = 'Sixty characters of a payer’s name that goes on until its end'
  await sql`update clients set name = ${`${long}\r\nBcc: spy@spy.test`} where id = ${payer.clientId}`.execute(db)
  const vendor = await wantingVendor('Check', `${long}\r\nBcc: spy@spy.test`)
  await adviceOf(await paid(vendor), 'sent')
  const [mail] = mailsTo(vendor.email)
  expect(mail?.to).toEqual([vendor.email])
  expect(headerOf(mail?.message ?? '', 'Bcc')).toBeUndefined()
  expect(mail?.text).toMatch(new RegExp(`^To ${long} Bcc: spy@spy.test\\r?\\n`))
  expect(mail?.text).toContain(`${long} Bcc: spy@spy.test pays you $10.00 by check.`)
})

it('a paper that is too large for a mail is replaced by its bills as lines', async () => {
  const batchId = await paid(await wantingVendor(), '12.34')
  const [payment] = await paymentsOf(batchId)
  const paper = { clientId: payer.clientId, batchId, paymentId: payment?.id ?? 0 }
  const [small, large] = await db.transaction().execute(async (tx) => [await contentOf(tx, paper), await contentOf(tx, paper, 1_000)])
  expect(small?.attachments.map(({ contentType }) => contentType)).toEqual(['application/pdf'])
  expect(large).toEqual({ text: expect.stringMatching(/^\nAccount 7\d+, 11\/10\/2026, \$12\.34\n$/), attachments: [] })
})
