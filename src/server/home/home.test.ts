/** The home page over HTTP: each section against the calls that it must agree with. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { homeCalls, homeRowsMax, type Home } from '#contract/home/home.ts'
import { riskKinds } from '#contract/global-batches/risk.ts'
import { addDays } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { firstId, insert, makeFinding, makeScan, makeStatement, unique } from '../../../test/every-call/world.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, type Ground } from '../../../test/support/bills.ts'
import { makeBankProfile, makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { makePaymentWorld, type PaymentWorld } from '../../../test/support/payments.ts'
import { now } from '../kernel/clock.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
const day = todayIn(NEW_YORK, now().toISOString())
let staff: Person
let ground: Ground
let account: number

beforeEach(async () => {
  staff = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  account = await makeAccount(db, ground, unique('HOME-').replace(' ', ''))
})

async function home(who: Person, clientId?: number): Promise<Home> {
  const answer = await ask(who, 'GET', clientId === undefined ? '/home' : `/clients/${clientId}/home`)
  expect(answer.status, answer.text).toBe(200)
  return homeCalls.get.schemas.reply.parse(answer.body)
}

async function addBill(of: Ground, accountId: number, due: string, amount: string): Promise<number> {
  return insert(db, 'bills', {
    client_id: of.clientId,
    billable_account_id: accountId,
    account_number: 'HOME',
    vendor_id: of.vendorId,
    division_id: of.divisionId,
    facility_id: of.facilityId,
    date: addDays(due, -20),
    due_date: due,
    current_charges: amount,
    amount_due: amount,
  })
}
const idsOf = (rows: readonly { readonly id: number }[] | null) => rows?.map(({ id }) => id)

describe('what cannot wait', () => {
  it('is the list of exceptions over all clients, and has the order of the risk queue: one definition', async () => {
    for (const [days, amount] of [
      [-60, '10.00'],
      [-2, '9000.00'],
      [3, '50000.00'],
      [-90, '700.00'],
    ] as const)
      await addBill(ground, account, addDays(day, days), amount)
    const { exceptions } = await home(staff)
    const { body } = await ask(staff, 'GET', `/exceptions?per=${homeRowsMax}`)
    const listed = z.array(z.object({ id: z.int(), kind: z.string() })).parse(body['exceptions'])
    expect(exceptions?.rows.length).toBeGreaterThanOrEqual(4)
    expect(idsOf(exceptions?.rows ?? null)).toEqual(idsOf(listed))
    const risks = z.array(z.object({ id: z.int() })).parse((await ask(staff, 'GET', '/global_batches/risks?per=100')).body['exceptions'])
    const atRisk = new Set<string>(riskKinds)
    expect(idsOf(exceptions?.rows.filter(({ kind }) => atRisk.has(kind)) ?? null)).toEqual(idsOf(risks))
    const sum = await ask(staff, 'GET', '/exceptions/summary')
    expect({ count: exceptions?.count, cost: exceptions?.cost }).toEqual({ count: sum.body['count'], cost: sum.body['cost'] })
  })

  it('is of one client on that client’s page, and within a narrowed reach', async () => {
    const other = await makeGround(db)
    const elsewhere = await addBill(other, await makeAccount(db, other, 'ELSEWHERE'), addDays(day, -5), '10.00')
    const own = await addBill(ground, account, addDays(day, -5), '10.00')
    const billsIn = async (who: Person, clientId?: number) =>
      (await home(who, clientId)).exceptions?.rows.flatMap(({ bill_id }) => bill_id ?? [])
    expect(await billsIn(staff)).toEqual(expect.arrayContaining([own, elsewhere]))
    expect(await billsIn(staff, ground.clientId)).toEqual([own])
    const reader = await makePerson(db, 'read_only_user', { clients: [other.clientId] })
    expect(await billsIn(reader)).toEqual([elsewhere])
    expect((await ask(reader, 'GET', `/clients/${ground.clientId}/home`)).status).toBe(404)
  })
})

describe('my findings', () => {
  it('are the open ones that are assigned to the reader, what holds a payment first; nobody else has them', async () => {
    const manager = await makePerson(db, 'client_manager', { clients: [ground.clientId] })
    const bill = await addBill(ground, account, addDays(day, 30), '10.00')
    const place = { clientId: ground.clientId, billId: bill, mark: 'home' }
    const warning = await makeFinding(db, place, { assigned_to: manager.id })
    const holding = await makeFinding(db, place, { assigned_to: manager.id, severity: 'E!', code: 'header_math' })
    await makeFinding(db, place, { assigned_to: staff.id })
    await makeFinding(db, place, { assigned_to: manager.id, resolved_at: now().toISOString(), reason: 'correct' })
    const voided = await addBill(ground, account, addDays(day, 30), '10.00')
    await sql`update bills set superseded_by_id = ${bill} where id = ${voided}`.execute(db)
    await makeFinding(db, { ...place, billId: voided }, { assigned_to: manager.id })
    expect(idsOf((await home(manager)).findings)).toEqual([holding, warning])
    expect(idsOf((await home(manager, ground.clientId)).findings)).toEqual([holding, warning])
    expect((await home(await makePerson(db, 'super_admin'))).findings).toEqual([])
  })

  it('are a hundred at most, so that "99+" needs no count', async () => {
    const manager = await makePerson(db, 'client_manager', { clients: [ground.clientId] })
    const bill = await addBill(ground, account, addDays(day, 30), '10.00')
    await sql`insert into bill_findings (client_id, bill_id, code, severity, message, actual, assigned_to)
      select ${ground.clientId}, ${bill}, 'usage_high', 'W', 'High', '1', ${manager.id} from generate_series(1, 130)`.execute(db)
    expect((await home(manager)).findings).toHaveLength(homeRowsMax)
  })
})

describe('the inbox', () => {
  it('has documents whose reading has ended, what is due first, and retrieved statements by client and state', async () => {
    const clerk = await makePerson(db, 'client_user', { clients: [ground.clientId] })
    const place = { clientId: ground.clientId, accountId: account, mark: 'home' }
    const [read, failed] = [await makeScan(db, place), await makeScan(db, place, 'failed')]
    for (const state of ['waiting', 'reading', 'ignored']) await makeScan(db, place, state)
    await sql`update bill_scans set due_date = ${day} where id = ${failed}`.execute(db)
    for (const state of ['matched', 'matched', 'needs_account', 'created', 'duplicate', 'ignored', 'new'])
      await makeStatement(db, place, state)
    const rows = (await home(clerk)).inbox ?? []
    expect(rows.filter(({ kind }) => kind === 'document').map(({ id, state }) => [id, state])).toEqual([
      [failed, 'failed'],
      [read, 'read'],
    ])
    expect(rows.filter(({ kind }) => kind === 'statements').map(({ state, count }) => [state, count])).toEqual([
      ['matched', 2],
      ['needs_account', 1],
    ])
  })

  it('is absent for who may not enter bills', async () => {
    expect((await home(await makePerson(db, 'read_only_user', { clients: [ground.clientId] }))).inbox).toBeNull()
  })
})

describe('approvals', () => {
  let world: PaymentWorld
  let people: Person[]
  const batches: number[] = []
  const decide = (id: number, who: Person, act: string, total: string) =>
    ask(who, 'POST', `${world.at}/${id}/approve`, { approval: { act, total, comment: 'Because' } })

  beforeEach(async () => {
    world = await makePaymentWorld(app)
    const scope = { clients: [world.ground.clientId] }
    people = [
      await makePerson(db, 'client_admin', scope),
      await makePerson(db, 'client_manager', scope),
      await makePerson(db, 'client_admin', scope),
    ]
    batches.length = 0
    const [treasurer, director, third] = people
    const saved = await ask(world.admin, 'PATCH', `/clients/${world.ground.clientId}/payment_settings`, {
      payment_setting: {
        approval_steps: [
          { name: 'Treasurer', above_amount: '100', approver_ids: [treasurer?.id, third?.id] },
          { name: 'Director', above_amount: '150.00', approver_ids: [director?.id] },
        ],
      },
    })
    expect(saved.status, saved.text).toBe(200)
    // The settings refuse one person in two steps; steps that were stored before they did have some.
    await sql`update payment_approval_steps set approver_ids = approver_ids || ${third?.id}::bigint where client_id = ${world.ground.clientId} and name = 'Director'`.execute(
      db,
    )
    for (let month = 1; month <= 7; month += 1) batches.push(await world.made([await world.makeBill(month)]))
    for (const id of batches.slice(1)) {
      const asked = await ask(world.admin, 'POST', `${world.at}/${id}/request_approval`, { approval_request: {} })
      expect(asked.status, asked.text).toBe(200)
    }
  })
  afterEach(() => void people.splice(0))

  /** Whether the page of each batch lets this person decide. */
  async function decidable(who: Person): Promise<number[]> {
    const found: number[] = []
    for (const id of batches) {
      const { text } = await ask(who, 'GET', `${world.at}/${id}/approval`)
      const { approval } = z.object({ approval: z.object({ may_approve: z.boolean() }) }).parse(JSON.parse(text))
      if (approval.may_approve) found.push(id)
    }
    return found
  }

  it('are exactly the batches whose page says that the reader may approve now, whatever each person has had to do with them', async () => {
    const [treasurer, director, third] = people
    if (!treasurer || !director || !third) throw new Error('nobody approves')
    const [, waiting = 0, approved = 0, held = 0, rejected = 0, touched = 0, own = 0] = batches
    const totals = new Map<number, string>()
    for (const id of batches) {
      const { text } = await ask(treasurer, 'GET', `${world.at}/${id}/approval`)
      totals.set(id, z.object({ approval: z.object({ total: z.string() }) }).parse(JSON.parse(text)).approval.total)
    }
    const total = (id: number) => totals.get(id) ?? ''
    for (const [id, who, act] of [
      [approved, third, 'approve'],
      [held, treasurer, 'ask'],
      [rejected, treasurer, 'reject'],
    ] as const) {
      const answer = await decide(id, who, act, total(id))
      expect(answer.status, answer.text).toBe(200)
    }
    // The treasurer edited a bill of one batch, and made another one.
    await sql`insert into audit_records (client_id, item_type, item_id, event, user_id, object_changes)
      select ${world.ground.clientId}, 'bill', bill_id, 'update', ${treasurer.id}, '{"current_charges": {"from": "1.00", "to": "2.00"}}'
      from payment_batch_bills where client_id = ${world.ground.clientId} and payment_batch_id = ${touched}`.execute(db)
    await sql`update payment_batches set created_by = ${treasurer.id} where client_id = ${world.ground.clientId} and id = ${own}`.execute(
      db,
    )
    const seen: number[][] = []
    for (const who of [...people, world.admin]) {
      const listed = idsOf((await home(who)).approvals) ?? []
      expect(listed.toSorted((a, b) => a - b)).toEqual(await decidable(who))
      expect(idsOf((await home(who, world.ground.clientId)).approvals)).toEqual(listed)
      seen.push(listed.toSorted((a, b) => a - b))
    }
    expect(seen[0]).toEqual([waiting, held])
    expect(seen[1]).toEqual([approved])
    expect(seen[2]).toEqual([waiting, held, touched, own])
    expect(seen[3]).toEqual([])
  })

  it('of who weakened the steps within days are none, and those of a client where one person may do all stay', async () => {
    const settings = `/clients/${world.ground.clientId}/payment_settings`
    const treasurer = await makePerson(db, 'super_admin')
    const weaker = await ask(treasurer, 'PATCH', settings, {
      payment_setting: { approval_steps: [{ name: 'Treasurer', above_amount: '140', approver_ids: [treasurer.id] }] },
    })
    expect(weaker.status, weaker.text).toBe(200)
    expect(idsOf((await home(treasurer)).approvals)).toEqual([])
    for (const id of batches.slice(1)) await ask(world.admin, 'POST', `${world.at}/${id}/request_approval`, { approval_request: {} })
    expect(idsOf((await home(treasurer)).approvals)?.toSorted((a, b) => a - b)).toEqual(await decidable(treasurer))
    await sql`insert into client_payment_settings (client_id, one_person) values (${world.ground.clientId}, true)
      on conflict (client_id) do update set one_person = true`.execute(db)
    const alone = idsOf((await home(treasurer)).approvals)?.toSorted((a, b) => a - b)
    expect(alone).toEqual(await decidable(treasurer))
    expect(alone?.length).toBeGreaterThan(0)
  })

  it('are absent for who may not read vendor batches', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [world.ground.clientId] })
    expect((await home(reader)).approvals).toBeNull()
  })
})

describe('releases', () => {
  it('are exactly the exports whose page says that the reader may release them now; the desk counts the same', async () => {
    const [asker, maker, free] = [
      await makeLastingPerson(db, 'muc_admin'),
      await makeLastingPerson(db, 'muc_admin'),
      await makeLastingPerson(db, 'muc_admin'),
    ]
    const tied = await makeLastingPerson(db, 'muc_admin')
    await sql`insert into user_ties (user_id, tied_to, kind) values (${tied.id}, ${asker.id}, 'made')`.execute(db)
    const payer = await makePayer(db)
    await makeBankProfile(db, payer.clientId)
    const vendor = await makeDeskVendor(db)
    await sql`insert into global_batch_bank_values (day, value, locked) values (${day}, 50000, true) on conflict (day) do update set locked = true`.execute(
      db,
    )
    const releases: number[] = []
    for (const apart of [false, true]) {
      const bill = await makeDeskBill(db, payer, vendor, { amount: '10.00' })
      await sql`update bills set created_by = ${free.id} where id = ${bill}`.execute(db)
      const made = await ask(maker, 'POST', '/global_batches', { global_batch: { batch_date: day, bills_due_date: day, bill_ids: [bill] } })
      expect(made.status, made.text).toBe(200)
      const id = await insert(db, 'export_releases', {
        pay_method: 'Check',
        format: 'check_request',
        reasons: 'the bank profile asks for it',
        fingerprints: JSON.stringify({ payments: '', vendors: {}, profiles: '', rules: '' }),
        payer_names: 'Payer',
        batch_count: 1,
        payment_count: 1,
        total: '10.00',
        requested_by: asker.id,
        apart,
      })
      await sql`insert into export_release_batches (client_id, export_release_id, payment_batch_id) values (${payer.clientId}, ${id}, ${Number(made.body['id'])})`.execute(
        db,
      )
      releases.push(id)
    }
    const mine = async (who: Person) => (idsOf((await home(who)).releases) ?? []).filter((id) => releases.includes(id))
    const decidable = async (who: Person) => {
      const found: number[] = []
      for (const id of releases) {
        const { body } = await ask(who, 'GET', `/export_releases/${id}`)
        if (z.object({ why_not: z.string().nullable() }).parse(body['export_release']).why_not === null) found.push(id)
      }
      return found
    }
    for (const who of [asker, maker, free, tied, staff]) expect(await mine(who)).toEqual(await decidable(who))
    expect(await mine(free)).toEqual(releases.slice(0, 1))
    expect(await mine(staff)).toEqual(releases)
    expect(await mine(tied)).toEqual([])
    const desk = await ask(staff, 'GET', '/global_batches')
    expect(desk.body['releases_waiting']).toBe((await home(staff)).releases?.length)
  })

  it('are absent for people of a client, and on the page of one client', async () => {
    expect((await home(await makePerson(db, 'client_admin', { clients: [ground.clientId] }))).releases).toBeNull()
    expect((await home(staff, ground.clientId)).releases).toBeNull()
  })
})

describe('reports', () => {
  async function addReport(of: Person, finished_at: string, state = 'done', forAll = false): Promise<number> {
    const task_id = await insert(db, 'tasks', {
      client_id: ground.clientId,
      user_id: of.id,
      kind: 'report',
      input: '{}',
      state,
      finished_at,
    })
    const file = { filename: 'r.csv', content_type: 'text/csv', byte_size: 3, state: 'attached' }
    return insert(db, 'generated_reports', {
      client_id: ground.clientId,
      report_id: await firstId(db, 'reports', { name: 'Global Data Export' }),
      name: unique('Report'),
      user_id: of.id,
      ...(forAll ? { on_client: true } : { assignable_user_id: of.id }),
      form_data: '{}',
      task_id,
      ...(state === 'done' ? { file_id: await insert(db, 'files', { key: `reports/${unique('r').replace(' ', '')}`, ...file }) } : {}),
    })
  }
  const at = (minutes: number) => new Date(now().getTime() + minutes * 60_000).toISOString()

  it('are those of the reader that ended after the sign-in before this one, the newest first, failed ones too', async () => {
    const admin = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
    const login = { client_id: 0, item_type: 'user', item_id: admin.id, event: 'login', user_id: admin.id }
    await insert(db, 'audit_records', { ...login, created_at: at(-600) })
    const before = at(-300)
    await insert(db, 'audit_records', { ...login, created_at: before })
    // The sign-in of this session.
    await sql`update sessions set created_at = ${at(-60)} where user_id = ${admin.id}`.execute(db)
    await insert(db, 'audit_records', { ...login, created_at: at(-60) })
    await addReport(admin, at(-400))
    const [done, failed, shared] = [
      await addReport(admin, at(-200)),
      await addReport(admin, at(-100), 'failed'),
      await addReport(admin, at(-50), 'done', true),
    ]
    await addReport(staff, at(-50))
    await addReport(staff, at(-50), 'done', true)
    const seen = await home(admin)
    expect(seen.reports?.map(({ id, state }) => [id, state])).toEqual([
      [shared, 'done'],
      [failed, 'failed'],
      [done, 'done'],
    ])
    expect(new Date(seen.reports_since).toISOString()).toBe(before)
    expect(idsOf((await home(admin, ground.clientId)).reports)).toEqual([shared, failed, done])
  })

  it('of a first sign-in are those of the week before it', async () => {
    const admin = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
    await addReport(admin, at(-8 * 24 * 60))
    const recent = await addReport(admin, at(-24 * 60))
    expect(idsOf((await home(admin)).reports)).toEqual([recent])
  })
})

it('somebody without any role has no section at all', async () => {
  const { user_id: _, reports_since: __, ...sections } = await home(await makePerson(db, null))
  expect(Object.values(sections)).toEqual([null, null, null, null, null, null])
})
