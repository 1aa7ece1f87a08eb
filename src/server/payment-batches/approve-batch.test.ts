/**
 * Tests the approval of vendor batches over HTTP on a real PostgreSQL: steps, separation of duties, changes that revoke an approval, and paying.
 */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import { fieldsOf, makePaymentWorld, type PaymentWorld } from '../../../test/support/payments.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
let world: PaymentWorld
/** A client_admin and a client_manager of the client, who may read its vendor batches. */
let treasurer: Person
let director: Person

beforeEach(async () => {
  world = await makePaymentWorld(app)
  const scope = { clients: [world.ground.clientId] }
  treasurer = await makePerson(db, 'client_admin', scope)
  director = await makePerson(db, 'client_manager', scope)
})

const settingsAt = () => `/clients/${world.ground.clientId}/payment_settings`
const setSteps = (steps: readonly object[], more: object = {}, who = world.admin) =>
  ask(who, 'PATCH', settingsAt(), { payment_setting: { approval_steps: steps, ...more } })
const twoSteps = async (more: object = {}) => {
  const answer = await setSteps(
    [
      { name: 'Treasurer', above_amount: '100', approver_ids: [treasurer.id] },
      { name: 'Director', above_amount: '300.00', approver_ids: [director.id] },
    ],
    more,
  )
  if (answer.status !== 200) throw new Error(answer.text)
}
const request = (id: number, who = world.admin, comment?: string) =>
  ask(who, 'POST', `${world.at}/${id}/request_approval`, { approval_request: comment === undefined ? {} : { comment } })
const decide = (id: number, who: Person, act: 'approve' | 'reject' | 'ask', values: object = {}) =>
  ask(who, 'POST', `${world.at}/${id}/approve`, { approval: { act, total: '303.00', ...values } })
const close = (id: number, who = world.admin, more: object = {}) => world.save(id, { closed: true }, who, more)
const said = ({ body }: Answer) => body['message']
const standing = (id: number) => world.batch(id)
const read = async (id: number, who: Person): Promise<Record<string, unknown>> => {
  const { text } = await ask(who, 'GET', `${world.at}/${id}/approval`)
  const answer: { approval: Record<string, unknown> } = JSON.parse(text)
  return answer.approval
}
const told = async (who: Person) =>
  (await sql<{ message: string; link: string }>`select message, link from notifications where user_id = ${who.id} order by id`.execute(db))
    .rows
/** Makes a batch of two bills, 303.00, with dated and numbered payments. */
const readyBatch = async (month = 1) => {
  const id = await world.made([await world.makeBill(month), await world.makeBill(month + 1)])
  await world.numberPayments(id)
  return id
}

describe('a vendor batch above the limits of its client', () => {
  it('is paid after each step was approved by somebody else, in order, and the list says how far it is', async () => {
    await twoSteps()
    const id = await readyBatch()
    expect(await standing(id)).toMatchObject({ approval_state: 'needed', approvals_needed: 2, approvals_given: 0 })
    expect(said(await close(id))).toBe('This vendor batch has 0 of 2 approvals. It has to be approved before it is paid.')
    expect(said(await decide(id, treasurer, 'approve'))).toBe('Nobody has asked for the approval of this vendor batch yet.')
    expect(said(await request(id))).toBe('Approval requested')
    expect(await told(treasurer)).toEqual([
      { message: expect.stringMatching(/^For approval: \$303\.00 of Client/), link: `${world.at}/${id}/approval` },
    ])
    expect(await told(director)).toEqual([])
    const early = await decide(id, director, 'approve')
    expect([early.status, said(early)]).toEqual([403, 'You are not named for the step Treasurer.'])
    expect(said(await decide(id, treasurer, 'approve', { comment: 'Agreed by phone' }))).toBe('Treasurer approved, 1 more')
    expect(await told(director)).toMatchObject([{ message: expect.stringContaining('For approval') }])
    expect(await standing(id)).toMatchObject({ approval_state: 'waiting', approvals_needed: 2, approvals_given: 1 })
    const { text } = await ask(world.admin, 'GET', `${world.at}?q[approval_state_eq]=waiting`)
    expect(JSON.parse(text)).toMatchObject({ payment_batches: [{ id }] })
    expect(said(await close(id))).toContain('1 of 2 approvals')
    expect(said(await decide(id, director, 'approve'))).toBe('Vendor Batch approved')
    expect(await told(world.admin)).toMatchObject([{ message: expect.stringContaining('is approved') }])
    expect((await close(id)).body).toMatchObject({ payment_batch: { is_paid: true, approval_state: 'approved' } })
    const { rows } = await sql<{ said: string }>`select object_changes->'approval'->>'to' as said from audit_records
      where item_type = 'payment_batch' and item_id = ${id} and object_changes ? 'approval' order by id`.execute(db)
    expect(rows.map(({ said: one }) => one)).toEqual([
      'requested · 303.00',
      'approved · Treasurer · 303.00 · Agreed by phone',
      'approved · Director · 303.00',
    ])
  })

  it('needs a step only above its amount: an equal total does not need it', async () => {
    await setSteps([{ name: 'Treasurer', above_amount: '303.00', approver_ids: [treasurer.id] }])
    const id = await readyBatch()
    expect(await standing(id)).toMatchObject({ approval_state: 'not_needed', approvals_needed: 0 })
    expect(said(await request(id))).toBe('This vendor batch needs no approval.')
    await setSteps([{ name: 'Treasurer', above_amount: '302.99', approver_ids: [treasurer.id] }])
    expect(await standing(id)).toMatchObject({ approval_state: 'needed', approvals_needed: 1 })
    expect((await close(id)).status).toBe(409)
  })

  it('loses its approvals when its bills or amounts change, and keeps them when only a reason or a note does', async () => {
    await twoSteps()
    const id = await readyBatch()
    const other = await world.makeBill(3)
    const approved = async () => {
      await request(id)
      const total = String((await read(id, treasurer))['total'])
      expect(said(await decide(id, treasurer, 'approve', { total }))).toContain('approved')
      expect(said(await decide(id, director, 'approve', { total }))).toBe('Vendor Batch approved')
    }
    await approved()
    const { text } = await ask(world.admin, 'GET', `${world.at}/${id}/bills`)
    const { bills }: { bills: { id: number }[] } = JSON.parse(text)
    const ids = bills.map((bill) => bill.id)
    await world.save(id, { notes: 'November' })
    await world.save(id, { bill_ids: ids })
    expect(await standing(id)).toMatchObject({ approval_state: 'approved' })
    await world.save(id, { bill_amounts: [{ bill_id: ids[0], amount_paid: '150.99', difference_reason: 'partial' }] })
    expect(await standing(id)).toMatchObject({ approval_state: 'needed', approvals_given: 0 })
    expect((await told(treasurer)).at(-1)).toMatchObject({ message: `Your approval of vendor batch ${id} was taken back` })
    expect((await close(id)).status).toBe(409)
    await approved()
    await world.save(id, { bill_amounts: [{ bill_id: ids[0], difference_reason: 'other' }] })
    expect(await standing(id)).toMatchObject({ approval_state: 'approved' })
    await world.save(id, { bill_ids: [...ids, other] })
    expect(await standing(id)).toMatchObject({ approval_state: 'needed', approvals_given: 0 })
    const events = await read(id, treasurer)
    expect(events['events']).toMatchObject([
      { kind: 'requested', ended_why: 'An amount changed' },
      { kind: 'approved', ended_why: 'An amount changed' },
      { kind: 'approved', ended_why: 'An amount changed' },
      { kind: 'requested', ended_why: 'Its bills changed' },
      { kind: 'approved', ended_why: 'Its bills changed' },
      { kind: 'approved', ended_why: 'Its bills changed' },
    ])
  })

  it('loses its approvals when a payment is deleted or its bills move', async () => {
    await setSteps([{ name: 'Treasurer', above_amount: '0', approver_ids: [treasurer.id] }])
    const gas = await world.otherVendor('Harbor Gas')
    const id = await world.made([await world.makeBill(1), await world.makeBill(1, gas)])
    await request(id)
    await decide(id, treasurer, 'approve', { total: '302.00' })
    const moved = await sql<{ id: number }>`update bills set vendor_id = ${gas.vendorId} where client_id = ${world.ground.clientId}
      and vendor_id = ${world.ground.vendorId} returning id`.execute(db)
    expect(moved.rows).toHaveLength(1)
    await ask(world.admin, 'POST', `${world.at}/${id}/create_missing_vendor_payments`)
    expect(await standing(id)).toMatchObject({ approval_state: 'needed' })
    await request(id)
    await decide(id, treasurer, 'approve', { total: '302.00' })
    const [payment] = await world.paymentsOf(id)
    await ask(world.admin, 'DELETE', `${world.at}/${id}/vendor_payments/${payment?.id}`)
    expect(await standing(id)).toMatchObject({ approval_state: 'not_needed', approvals_needed: 0 })
    expect((await read(id, treasurer))['events']).toMatchObject([{}, {}, {}, { kind: 'approved', ended_why: 'Its bills changed' }])
  })

  it('is not approved for a total that the approver has not seen', async () => {
    await twoSteps()
    const id = await readyBatch()
    await request(id)
    const late = await decide(id, treasurer, 'approve', { total: '151.00' })
    expect([late.status, said(late)]).toEqual([409, 'The total is $303.00 by now, and you were shown $151.00. Please look again.'])
  })

  it('is rejected with a reason, held by a question until somebody answers, and asked for again', async () => {
    await twoSteps()
    const id = await readyBatch()
    await request(id)
    expect(fieldsOf(await decide(id, treasurer, 'reject'))).toMatchObject({ comment: expect.anything() })
    expect(said(await decide(id, treasurer, 'ask', { comment: 'Why twice to City Power?' }))).toBe('Question asked')
    expect(await standing(id)).toMatchObject({ approval_state: 'held' })
    expect(said(await close(id))).toContain('has asked something')
    expect((await told(world.admin)).at(-1)).toMatchObject({ message: expect.stringContaining('is held by a question') })
    expect(fieldsOf(await request(id))).toEqual({ comment: ['Comment is required'] })
    expect(said(await request(id, world.admin, 'Two meters'))).toBe('Answer sent')
    expect(await standing(id)).toMatchObject({ approval_state: 'waiting' })
    expect(said(await decide(id, treasurer, 'reject', { comment: 'Wrong month' }))).toBe('Vendor Batch rejected')
    expect(await standing(id)).toMatchObject({ approval_state: 'rejected' })
    expect(said(await close(id))).toBe('This vendor batch was rejected. It has to be approved before it is paid.')
    expect(said(await decide(id, treasurer, 'approve'))).toContain('asked for again')
    expect(said(await request(id))).toBe('Approval requested')
    expect(said(await decide(id, treasurer, 'approve'))).toBe('Treasurer approved, 1 more')
  })

  it('is approved once where two approvers press at the same moment', async () => {
    const second = await makePerson(db, 'client_admin', { clients: [world.ground.clientId] })
    await setSteps([{ name: 'Treasurer', above_amount: '0', approver_ids: [treasurer.id, second.id] }])
    const id = await readyBatch()
    await request(id)
    const both = await Promise.all([decide(id, treasurer, 'approve'), decide(id, second, 'approve')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    // An amount changes during the approval: either the approval is revoked, or it is refused because of the total.
    const { text } = await ask(world.admin, 'GET', `${world.at}/${id}/bills`)
    const { bills }: { bills: { id: number }[] } = JSON.parse(text)
    await world.save(id, { bill_amounts: [{ bill_id: bills[0]?.id, amount_paid: '1.00' }] })
    await request(id)
    await Promise.all([
      decide(id, second, 'approve', { total: '153.00' }),
      world.save(id, { bill_amounts: [{ bill_id: bills[0]?.id, amount_paid: '2.00' }] }),
    ])
    expect(await standing(id)).toMatchObject({ batch_total: '154.00', approvals_given: 0 })
    expect((await close(id)).status).toBe(409)
  })
})

describe('duties that are apart', () => {
  it('keep who made the batch, filled it, entered its bills, resolved their errors or changed a vendor’s bank details from approving it', async () => {
    const id = await readyBatch()
    const { rows } = await sql<{
      id: number
    }>`select bill_id as id from payment_batch_bills where payment_batch_id = ${id} order by bill_id`.execute(db)
    const bill = rows[0]?.id ?? 0
    await setSteps([{ name: 'Treasurer', above_amount: '0', approver_ids: [treasurer.id, world.admin.id] }])
    await request(id)
    const why = async (who: Person) => (await read(id, who))['why_not']
    expect(await why(world.admin)).toBe('You made this batch. Somebody else has to approve it.')
    expect(said(await decide(id, world.admin, 'approve'))).toBe('You made this batch. Somebody else has to approve it.')
    const tried: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
      [
        'You put 1 of its bills into it. Somebody else has to approve it.',
        () => sql`update payment_batch_bills set created_by = ${treasurer.id} where bill_id = ${bill}`.execute(db),
        () => sql`update payment_batch_bills set created_by = null where bill_id = ${bill}`.execute(db),
      ],
      [
        'You entered 1 of its bills. Somebody else has to approve it.',
        () => sql`update bills set created_by = ${treasurer.id} where id = ${bill}`.execute(db),
        () => sql`update bills set created_by = null where id = ${bill}`.execute(db),
      ],
      [
        'You resolved errors of 1 of its bills. Somebody else has to approve it.',
        () =>
          sql`insert into bill_findings (client_id, bill_id, code, severity, message, resolved_by, resolved_at, reason)
            values (${world.ground.clientId}, ${bill}, 'cost_high', 'E', 'Much', ${treasurer.id}, now(), 'Right')`.execute(db),
        () => sql`delete from bill_findings where bill_id = ${bill} and code = 'cost_high' and resolved_by = ${treasurer.id}`.execute(db),
      ],
      [
        'You changed the bank details of City Power. Somebody else has to approve it.',
        () =>
          sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by) values (${world.ground.vendorId}, '{account_holder}', 'X', ${treasurer.id})`.execute(
            db,
          ),
        () => sql`delete from vendor_bank_changes where vendor_id = ${world.ground.vendorId}`.execute(db),
      ],
    ]
    for (const [reason, before, after] of tried) {
      await before()
      expect(await why(treasurer)).toBe(reason)
      expect(said(await decide(id, treasurer, 'approve'))).toBe(reason)
      await after()
    }
    expect(await why(treasurer)).toBe(null)
    expect((await decide(id, treasurer, 'approve')).status).toBe(200)
  })

  it('keep who edited a bill, changed an amount, changed the batch or asked for its approval from approving it, and nobody who only noted or checked', async () => {
    const scope = { clients: [world.ground.clientId] }
    const people: Person[] = []
    for (let count = 0; count < 6; count++) people.push(await makePerson(db, 'client_admin', scope))
    const [editor, pricer, changer, remover, asker, reader] = people
    if (!editor || !pricer || !changer || !remover || !asker || !reader) throw new Error('too few people')
    await setSteps([{ name: 'Treasurer', above_amount: '0', approver_ids: people.map(({ id }) => id) }])
    const [one, two, three] = [await world.makeBill(1), await world.makeBill(2), await world.makeBill(3)]
    const bills = `/clients/${world.ground.clientId}/bills`
    const edited = await ask(editor, 'PATCH', `${bills}/${one}`, { bill: { invoice_number: 'INV-1-A' } })
    expect(edited.status, edited.text).toBe(200)
    const noted = await ask(reader, 'PATCH', `${bills}/${one}`, { bill: { notes: 'Looked at', qc: true } })
    expect(noted.status, noted.text).toBe(200)
    await ask(reader, 'PATCH', `${bills}/${one}`, { bill: { qc: false } })
    await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${world.ground.clientId}`.execute(db)
    const id = await world.made([one, two, three])
    for (const answer of [
      await world.save(id, { bill_amounts: [{ bill_id: two, amount_paid: '151.00' }] }, pricer),
      await world.save(id, { bills_due_date: '2026-11-20' }, changer),
      await world.save(id, { bill_ids: [one, two] }, remover),
      await request(id, asker),
    ])
      expect(answer.status, answer.text).toBe(200)
    const why = async (who: Person) => (await read(id, who))['why_not']
    const after = 'Somebody else has to approve it.'
    const refusals = [
      [editor, `You edited 1 of its bills. ${after}`],
      [pricer, `You changed the amount paid of 1 of its bills. ${after}`],
      [changer, `You changed this batch. ${after}`],
      [remover, `You changed this batch. ${after}`],
      [asker, `You asked for its approval. ${after}`],
    ] as const
    for (const [who, reason] of refusals) {
      expect(await why(who)).toBe(reason)
      const refused = await decide(id, who, 'approve', { total: '302.00' })
      expect([refused.status, said(refused)]).toEqual([409, reason])
    }
    expect(await why(reader)).toBe(null)
    expect(said(await decide(id, reader, 'approve', { total: '302.00' }))).toBe('Vendor Batch approved')
  })

  it('keep who deleted a payment of it from approving it', async () => {
    const id = await world.made([await world.makeBill(1), await world.makeBill(1, await world.otherVendor('Harbor Gas'))])
    const muc = await makePerson(db, 'muc_admin')
    await setSteps([{ name: 'Treasurer', above_amount: '0', approver_ids: [muc.id] }])
    const [payment] = await world.paymentsOf(id)
    expect((await ask(muc, 'DELETE', `${world.at}/${id}/vendor_payments/${payment?.id}`)).status).toBe(200)
    await request(id)
    expect((await read(id, muc))['why_not']).toBe('You changed this batch. Somebody else has to approve it.')
  })

  it('keep who asked for new bank details from paying that vendor before somebody else has decided', async () => {
    const id = await readyBatch()
    await sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by)
      values (${world.ground.vendorId}, '{account_holder}', 'X', ${world.admin.id})`.execute(db)
    const refusal = await close(id)
    expect([refusal.status, said(refusal)]).toEqual([
      409,
      'You asked for new bank details of City Power. Somebody else has to decide on them before you pay it.',
    ])
    // Another user pays, to the bank details in force.
    expect((await close(id, treasurer)).status).toBe(200)
    const later = await readyBatch(5)
    expect((await close(later)).status).toBe(409)
    await sql`update vendor_bank_changes set state = 'approved', decided_at = now(), decided_by = ${treasurer.id} where vendor_id = ${world.ground.vendorId}`.execute(
      db,
    )
    expect((await close(later)).status).toBe(200)
  })

  it('become a typed total that is written down where one person runs the desk alone, which a super_admin alone may set', async () => {
    const muc = await makePerson(db, 'muc_admin')
    expect(fieldsOf(await setSteps([], { one_person: true }, muc))).toEqual({ one_person: [expect.stringContaining('super_admin')] })
    await setSteps([{ name: 'Owner', above_amount: '0', approver_ids: [world.admin.id] }], { one_person: true })
    const id = await readyBatch()
    await request(id)
    expect(await read(id, world.admin)).toMatchObject({ may_approve: true, why_not: null, alone_because: 'You made this batch.' })
    expect(fieldsOf(await decide(id, world.admin, 'approve'))).toEqual({ confirmation: ['Type the total, 303.00, to confirm'] })
    expect(said(await decide(id, world.admin, 'approve', { confirmation: '$303.00' }))).toBe('Vendor Batch approved')
    await sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by)
      values (${world.ground.vendorId}, '{account_holder}', 'X', ${world.admin.id})`.execute(db)
    expect(fieldsOf(await close(id))).toEqual({ confirmation: ['Type the total, 303.00, to confirm'] })
    expect((await close(id, world.admin, { confirmation: '303.00' })).status).toBe(200)
    const { rows } = await sql<{
      said: string
    }>`select coalesce(object_changes->'approval'->>'to', object_changes->'paid_alone'->>'to') as said from audit_records
      where item_type = 'payment_batch' and item_id = ${id} and (object_changes ? 'approval' or object_changes ? 'paid_alone') order by id`.execute(
      db,
    )
    expect(rows.map(({ said: one }) => one)).toEqual([
      'requested · 303.00',
      'approved · Owner · 303.00 · alone, by typing the total',
      'asked for new bank details of City Power, and typed the total',
    ])
  })
})

describe('the steps of a client', () => {
  it('are kept in order, keep their ids, and name people who read its vendor batches, each for one step', async () => {
    await twoSteps()
    const first = (await ask(treasurer, 'GET', settingsAt())).body['payment_setting']
    expect(first).toMatchObject({
      approval_steps: [
        { name: 'Treasurer', above_amount: '100.00', approver_ids: [treasurer.id], approver_names: [treasurer.email] },
        { name: 'Director', above_amount: '300.00' },
      ],
      one_person: false,
    })
    const step = (name: string, above_amount: string, ...approver_ids: number[]) => ({ name, above_amount, approver_ids })
    const fault = async (...steps: object[]) => fieldsOf(await setSteps(steps))
    expect(await fault(step('A', '5', treasurer.id), step('B', '4', director.id))).toEqual({
      approval_steps: ['B begins below the step before it'],
    })
    expect(await fault(step('A', '5', treasurer.id), step('B', '6', treasurer.id))).toEqual({
      approval_steps: ['One person approves one step: A and B name the same'],
    })
    const stranger = await makePerson(db, 'client_admin')
    const user = await makePerson(db, 'client_user', { clients: [world.ground.clientId] })
    for (const who of [stranger, user])
      expect(await fault(step('A', '5', who.id))).toEqual({
        approval_steps: ['One of these approvers does not read the vendor batches of this client'],
      })
    expect(await fault(step('A', '100000000', treasurer.id))).toEqual({
      'approval_steps.0.above_amount': ['Above must be an amount from 0 to 99,999,999.99'],
    })
    expect(await fault({ id: 999_999, ...step('A', '5', treasurer.id) })).toEqual({
      approval_steps: ['One of these steps is not there any more'],
    })
    const { text } = await ask(world.admin, 'GET', settingsAt())
    const { payment_setting: setting }: { payment_setting: { approval_steps: { id: number }[] } } = JSON.parse(text)
    const again = await setSteps(setting.approval_steps.map((one, place) => ({ ...one, above_amount: String(place) })))
    expect(again.body['payment_setting']).toMatchObject({ approval_steps: setting.approval_steps.map(({ id }) => ({ id })) })
    expect((await setSteps([], {}, treasurer)).status).toBe(403)
    const choices = await ask(world.admin, 'GET', `${settingsAt()}/approvers`)
    expect(choices.text).toContain(treasurer.email)
    expect(choices.text).not.toContain(stranger.email)
    expect(choices.text).not.toContain(user.email)
  })
})

describe('what an approver is shown', () => {
  it('says what is unusual about each payment, and the largest bills first', async () => {
    await world.paid([await world.makeBill(1)])
    const gas = await world.otherVendor('Harbor Gas')
    const [same, more] = [await world.makeBill(13), await world.makeBill(3, gas)]
    await sql`update bills set amount_paid = 151.00, due_date = '2030-01-01' where id = ${same}`.execute(db)
    await sql`update bills set due_date = '2026-01-01', open_errors = 1 where id = ${more}`.execute(db)
    await sql`insert into client_ledger_settings (client_id, batch_flagged_bills) values (${world.ground.clientId}, true)`.execute(db)
    await sql`update vendors set bank_changed_at = now() where id = ${gas.vendorId}`.execute(db)
    const id = await world.made([same, more])
    const { payments, largest } = await read(id, treasurer)
    expect(payments).toEqual([
      expect.objectContaining({
        vendor_name: 'Harbor Gas',
        amount: '153.00',
        last_date: null,
        marks: ['first_payment', 'bank_changed', 'flagged', 'late'],
      }),
      expect.objectContaining({
        vendor_name: 'City Power',
        last_date: '2026-11-05',
        last_amount: '151.00',
        marks: ['same_amount', 'differs'],
      }),
    ])
    expect(largest).toMatchObject([{ id: more, amount_paid: '153.00' }, { id: same }])
  })
})

describe('two people who may be one', () => {
  const tie = (who: Person, to: Person) =>
    sql`insert into user_ties (user_id, tied_to, kind) values (${who.id}, ${to.id}, 'made')`.execute(db)
  const why = async (id: number, who: Person) => (await read(id, who))['why_not']
  const trailed = (who: Person, item: string, id: number, changes: object) =>
    sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes)
      values (${world.ground.clientId}, ${who.id}, 'update', ${item}, ${id}, ${JSON.stringify(changes)}::jsonb)`
  const untrailed = (who: Person) => sql`delete from audit_records where user_id = ${who.id}`
  const dates = { from: '2026-11-01', to: '2026-11-02' }
  const weak = (id: number) => ({ id, name: 'Gone', above_amount: '1.00', approver_ids: [1] })

  it('are kept apart whoever of them acted: on a bill, its errors, its amount, its payment, the batch, bank details or the rules of approval', async () => {
    const id = await readyBatch()
    await setSteps([{ name: 'Treasurer', above_amount: '0', approver_ids: [treasurer.id] }])
    await request(id)
    const { rows } = await sql<{
      id: number
    }>`select bill_id as id from payment_batch_bills where payment_batch_id = ${id} order by 1`.execute(db)
    const bill = rows[0]?.id ?? 0
    const other = await makePerson(db, 'client_manager', { clients: [world.ground.clientId] })
    await tie(treasurer, other)
    expect(await why(id, treasurer)).toBe(null)
    const acts = [
      [sql`update bills set created_by = ${other.id} where id = ${bill}`, sql`update bills set created_by = null where id = ${bill}`],
      [
        sql`update payment_batch_bills set created_by = ${other.id} where bill_id = ${bill}`,
        sql`update payment_batch_bills set created_by = null where bill_id = ${bill}`,
      ],
      [
        sql`insert into bill_findings (client_id, bill_id, code, severity, message, resolved_by, resolved_at, reason)
          values (${world.ground.clientId}, ${bill}, 'cost_high', 'E', 'Much', ${other.id}, now(), 'Right')`,
        sql`delete from bill_findings where bill_id = ${bill} and resolved_by = ${other.id}`,
      ],
      [
        sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by)
          values (${world.ground.vendorId}, '{account_holder}', 'X', ${other.id})`,
        sql`delete from vendor_bank_changes where vendor_id = ${world.ground.vendorId}`,
      ],
      [trailed(other, 'bill', bill, { due_date: dates }), untrailed(other)],
      [trailed(other, 'bill', bill, { amount_paid: { from: '1.00', to: '2.00' } }), untrailed(other)],
      [trailed(other, 'payment_batch', id, { batch_date: dates }), untrailed(other)],
      [trailed(other, 'payment_setting', world.ground.clientId, { approval_steps: { from: [weak(1)], to: [] } }), untrailed(other)],
      [
        sql`insert into payment_reversals (client_id, vendor_payment_id, bill_id, kind, amount, reversed_date, reason, created_by)
          select client_id, vendor_payment_id, bill_id, 'other', 1, '2026-11-25', 'Came back', ${other.id} from payment_batch_bills
          where payment_batch_id = ${id} and bill_id = ${bill}`,
        sql`delete from payment_reversals where created_by = ${other.id}`,
      ],
    ] as const
    for (const [act, undo] of acts) {
      await act.execute(db)
      expect(await why(id, treasurer)).toMatch(/count as one person for 7 days/)
      expect((await decide(id, treasurer, 'approve')).status).toBe(409)
      await undo.execute(db)
    }
    await expect
      .poll(
        async () =>
          (await sql`select from security_events where user_id = ${treasurer.id} and kind = 'second_person_needed'`.execute(db)).rows
            .length,
      )
      .toBeGreaterThan(0)
    expect((await decide(id, treasurer, 'approve')).status).toBe(200)
  })

  it('approve one step: who made, let in or reset the approver of an earlier step does not approve the next, nor does a third one’s other user', async () => {
    await twoSteps()
    const third = await makePerson(db, 'super_admin')
    for (const [month, tied] of [
      [1, () => tie(treasurer, director)],
      [3, () => tie(director, treasurer)],
      [5, () => Promise.all([tie(treasurer, third), tie(director, third)])],
    ] as const) {
      const id = await readyBatch(month)
      const total = String((await read(id, treasurer))['total'])
      await request(id)
      expect((await decide(id, treasurer, 'approve', { total })).status).toBe(200)
      await tied()
      expect(await why(id, director)).toBe(
        'You count as one person with who approved an earlier step for 7 days; this one takes somebody else.',
      )
      const refused = await decide(id, director, 'approve', { total })
      expect(refused.status).toBe(409)
      expect(await standing(id)).toMatchObject({ approval_state: 'waiting' })
      await sql`delete from user_ties`.execute(db)
      expect((await decide(id, director, 'approve', { total })).status).toBe(200)
    }
  })

  it('do not pay either: what one asked of bank details or weakened, the other does not pay', async () => {
    const [chief, sock] = [await makePerson(db, 'super_admin'), await makePerson(db, 'super_admin')]
    await tie(sock, chief)
    const id = await readyBatch()
    const refusal = async (act: ReturnType<typeof sql>, undo: ReturnType<typeof sql>) => {
      await act.execute(db)
      const refused = await close(id, sock)
      await undo.execute(db)
      return [refused.status, said(refused)]
    }
    expect(
      await refusal(
        sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by)
          values (${world.ground.vendorId}, '{account_holder}', 'X', ${chief.id})`,
        sql`delete from vendor_bank_changes where vendor_id = ${world.ground.vendorId}`,
      ),
    ).toEqual([409, expect.stringContaining('Somebody who counts as one person with you asked for new bank details')])
    expect(
      await refusal(
        trailed(chief, 'payment_setting', world.ground.clientId, { approval_steps: { from: [weak(1)], to: [] } }),
        untrailed(chief),
      ),
    ).toEqual([409, expect.stringContaining('Somebody who counts as one person with you weakened the approval')])
    expect((await close(id, sock)).status).toBe(200)
  })

  it('an approval wants the password of the last minutes; a question and a rejection do not', async () => {
    await setSteps([{ name: 'Treasurer', above_amount: '100', approver_ids: [treasurer.id] }])
    const id = await readyBatch()
    await request(id)
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${treasurer.id}`.execute(db)
    expect(await decide(id, treasurer, 'approve')).toMatchObject({ status: 403, body: { code: 'not_proven' } })
    expect(await standing(id)).toMatchObject({ approval_state: 'waiting' })
    expect((await decide(id, treasurer, 'ask', { comment: 'Which month?' })).status).toBe(200)
    expect((await request(id, world.admin, 'November')).status).toBe(200)
    await sql`update sessions set proven_at = now() where user_id = ${treasurer.id}`.execute(db)
    expect((await decide(id, treasurer, 'approve')).status).toBe(200)
  })

  it('a super_admin who weakened the approval neither approves nor pays for seven days; who made it stricter does', async () => {
    const [chief, payer] = [await makePerson(db, 'super_admin'), await makePerson(db, 'super_admin')]
    const steps = [{ name: 'Treasurer', above_amount: '100.00', approver_ids: [treasurer.id] }]
    await setSteps(steps)
    const { text } = await ask(world.admin, 'GET', settingsAt())
    const { payment_setting }: { payment_setting: { approval_steps: { id: number }[] } } = JSON.parse(text)
    const step = { id: payment_setting.approval_steps[0]?.id, name: 'Treasurer', approver_ids: [treasurer.id] }
    expect((await setSteps([{ ...step, above_amount: '50.00' }], {}, payer)).status).toBe(200)
    expect((await setSteps([{ ...step, above_amount: '500.00' }], {}, chief)).status).toBe(200)
    const id = await readyBatch()
    const refused = await close(id, chief)
    expect([refused.status, said(refused)]).toEqual([
      409,
      'You weakened the approval of this client within 7 days. Somebody else has to pay its vendor batches.',
    ])
    await setSteps(
      [
        { ...step, above_amount: '50.00', approver_ids: [treasurer.id] },
        { name: 'Chief', above_amount: '60.00', approver_ids: [chief.id] },
      ],
      {},
      payer,
    )
    await request(id)
    expect((await decide(id, treasurer, 'approve')).status).toBe(200)
    expect(await why(id, chief)).toBe('You weakened the approval of this client within 7 days. Somebody else has to approve it.')
    await setSteps([], {}, world.admin)
    expect((await close(id, payer)).status).toBe(200)
  })

  it('a close, which pays, wants the password of the last minutes; a change that closes nothing does not', async () => {
    const id = await readyBatch()
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${world.admin.id}`.execute(db)
    expect(await close(id)).toMatchObject({ status: 403, body: { code: 'not_proven' } })
    expect((await world.save(id, { notes: 'For Friday' })).status).toBe(200)
    expect(await standing(id)).toMatchObject({ closed: false })
    await sql`update sessions set proven_at = now() where user_id = ${world.admin.id}`.execute(db)
    expect((await close(id)).status).toBe(200)
  })

  it('steps are changed with a recent password', async () => {
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${world.admin.id}`.execute(db)
    expect(await setSteps([])).toMatchObject({ status: 403, body: { code: 'not_proven' } })
  })
})
