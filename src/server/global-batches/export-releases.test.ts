/** Exports that wait for a second person, over HTTP on a real PostgreSQL. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let asker: Person
let second: Person
let chief: Person
let payer: Ground
let profile: number
let vendor: number

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  asker = await makeLastingPerson(db, 'muc_admin')
  second = await makeLastingPerson(db, 'muc_admin')
  chief = await makeLastingPerson(db, 'super_admin')
  payer = await makePayer(db)
  profile = await makeBankProfile(db, payer.clientId)
  vendor = await makeAchVendor(db, 'Wire & Water')
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true), ('2026-11-26', 50000, true)
    on conflict (day) do update set locked = true`.execute(db)
})
afterEach(() => setClock())

const limit = async (originating_profile: object, who = chief) => {
  const answer = await ask(who, 'PATCH', `/originating_profiles/${profile}`, { originating_profile })
  return answer
}
async function batchOf(amount: string, { to = vendor, who = asker, date = '2026-11-25' } = {}): Promise<number> {
  const bill = await makeDeskBill(db, payer, to, { amount })
  const global_batch = { batch_date: date, bills_due_date: '2026-12-09', bill_ids: [bill] }
  const answer = await ask(who, 'POST', '/global_batches', { global_batch })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
interface Waits {
  readonly id: number
  readonly reasons: readonly string[]
}
async function pay(
  ids: number | readonly number[],
  who = asker,
): Promise<{ status: number; text: string; files: number; waits: Waits | null }> {
  const body = { ids: [ids].flat(), pay_method: 'ACH' }
  const { status, text } = await ask(who, 'POST', '/global_batches/export', body)
  const read: { files?: readonly object[]; waits?: Waits | null } = JSON.parse(text)
  return { status, text, files: read.files?.length ?? 0, waits: read.waits ?? null }
}
const decide = (id: number, act: string, who = second, note?: string) =>
  ask(who, 'POST', `/export_releases/${id}/decide`, { decision: { act, ...(note === undefined ? {} : { note }) } })
const detail = async (id: number, who = second): Promise<Record<string, unknown>> =>
  JSON.parse((await ask(who, 'GET', `/export_releases/${id}`)).text).export_release
/** An export of 10.01 above the limit of 10.00. @returns its request. */
async function waiting(amount = '10.01'): Promise<{ batch: number; id: number }> {
  await limit({ release_export_limit: '10.00' })
  const batch = await batchOf(amount)
  const { waits, text } = await pay(batch)
  expect(waits, text).not.toBeNull()
  return { batch, id: waits?.id ?? 0 }
}
async function storedOf(batch: number): Promise<{ is_paid: boolean; files: number }> {
  const { rows } = await sql<{ is_paid: boolean; files: number }>`select is_paid, (select count(*)::int from global_batch_file_batches held
    where held.client_id = batch.client_id and held.payment_batch_id = batch.id) as files from payment_batches batch where batch.id = ${batch}`.execute(
    db,
  )
  return rows[0] ?? { is_paid: false, files: -1 }
}
const trailOf = async (id: number): Promise<string> => {
  const { rows } = await sql<{
    trail: string
  }>`select string_agg(event || object_changes::text, ' ' order by id) as trail from audit_records
    where item_type = 'export_release' and item_id = ${id}`.execute(db)
  return rows[0]?.trail ?? ''
}

describe('an export', () => {
  it('waits one cent above a limit and not at it: for one export, one vendor however its payments are split, and always where the profile says so', async () => {
    await limit({ release_export_limit: '20.00', release_vendor_limit: '10.00' })
    expect(await pay(await batchOf('10.00'))).toMatchObject({ status: 200, files: 1, waits: null })
    const split = [await batchOf('5.00'), await batchOf('5.01')]
    const preview = (await ask(asker, 'POST', '/global_batches/export_preview', { ids: split, pay_method: 'ACH' })).body
    const reasons = ['$10.01 to Wire & Water is above the limit of $10.00 for one vendor, by $0.01']
    expect(preview).toMatchObject({ faults: [], waits_because: reasons })
    expect((await pay(split)).waits?.reasons).toEqual(reasons)
    const others = [await makeAchVendor(db, 'North Gas'), await makeAchVendor(db, 'South Gas'), await makeAchVendor(db, 'West Gas')]
    const both = [await batchOf('10.00', { to: others[0] ?? 0 }), await batchOf('10.00', { to: others[1] ?? 0 })]
    expect(await pay(both)).toMatchObject({ files: 1, waits: null })
    const three = [
      await batchOf('10.00', { to: others[0] ?? 0 }),
      await batchOf('10.00', { to: others[1] ?? 0 }),
      await batchOf('0.01', { to: others[2] ?? 0 }),
    ]
    expect((await pay(three)).waits?.reasons).toEqual(['$20.01 is above the limit of $20.00 for one export, by $0.01'])
    await limit({ release_export_limit: null, release_vendor_limit: null, release_always: true })
    expect((await pay(await batchOf('0.01'))).waits?.reasons).toEqual(['the bank profile Main asks for it at each export'])
    await limit({ release_always: false })
    expect(await pay(await batchOf('99.00'))).toMatchObject({ files: 1, waits: null })
  })

  it('of one person does not pass the limit of a day together with another one at the same moment; each day and each person has its own sum', async () => {
    await limit({ release_day_limit: '10.00' })
    expect(await pay(await batchOf('1.00'))).toMatchObject({ files: 1, waits: null })
    // Other vendors, so that nothing but the sum of the day holds one of them back.
    const ids = [
      await batchOf('4.00', { to: await makeAchVendor(db, 'North Gas') }),
      await batchOf('5.01', { to: await makeAchVendor(db, 'South Gas') }),
    ]
    const answers = await Promise.all(ids.map((id) => pay(id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ files }) => files).toSorted()).toEqual([0, 1])
    expect(answers.flatMap(({ waits }) => waits?.reasons ?? [])).toEqual([
      '$10.01 is above the limit of $10.00 for one person and day, by $0.01',
    ])
    expect(await pay(await batchOf('10.00'), second)).toMatchObject({ files: 1, waits: null })
    setClock('2026-11-26T05:00:00Z')
    expect(await pay(await batchOf('10.00', { date: '2026-11-26' }))).toMatchObject({ files: 1, waits: null })
  })

  it('that waits holds its batches, tells who may release it, and counts at its release to who asked for it on that day', async () => {
    const waitingFor = async (who: Person) => (await ask(who, 'GET', '/global_batches?today=true')).body['releases_waiting']
    const before = await waitingFor(asker)
    const reader = await makeLastingPerson(db, 'muc_admin', { clients: [payer.clientId] })
    const { batch, id } = await waiting()
    expect(await storedOf(batch)).toEqual({ is_paid: false, files: 0 })
    const again = await pay(batch)
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('waits for a release by a second person')])
    expect((await ask(second, 'GET', `/global_batches/${batch}`)).text).toContain(`"release_id":${id}`)
    expect([await waitingFor(reader), await waitingFor(asker)]).toEqual([1, before])
    const { rows: told } = await sql<{
      user_id: number
    }>`select user_id from notifications where link = ${`/global_batch/releases/${id}`}`.execute(db)
    const ids = told.map(({ user_id }) => user_id)
    expect([second.id, reader.id, asker.id].map((one) => ids.includes(one))).toEqual([true, true, false])

    await limit({ release_export_limit: '10.00', release_day_limit: null })
    setClock('2026-11-26T15:00:00Z')
    const released = await decide(id, 'release')
    expect(released.status, released.text).toBe(200)
    expect(await storedOf(batch)).toEqual({ is_paid: true, files: 1 })
    const file = JSON.parse((await ask(second, 'GET', '/global_batch_files?per=1000')).text).global_batch_files.find(
      (one: { total: string; released_by_name: string | null }) => one.released_by_name !== null && one.total === '10.01',
    )
    expect(file.created_by_name).not.toBe(file.released_by_name)
    const { rows: sums } = await sql<{ user_id: number; day: string; total: string }>`select user_id, day, total from export_day_totals
      where originating_profile_id = ${profile} and total > 0`.execute(db)
    expect(sums).toEqual([{ user_id: asker.id, day: '2026-11-26', total: '10.01' }])
    const trail = await trailOf(id)
    for (const words of ['create', 'for one export, by $0.01', '"released"']) expect(trail).toContain(words)
  })
})

describe('a release', () => {
  it('is refused to who asked, made a batch or counts as one person with them, and to who touched the bills where the profile asks for it; each try is recorded', async () => {
    await limit({ release_apart: true })
    const { batch, id } = await waiting()
    const tied = await makeLastingPerson(db, 'super_admin')
    await sql`insert into user_ties (user_id, tied_to, kind, created_at) values (${tied.id}, ${asker.id}, 'granted', '2026-11-24T00:00:00Z')`.execute(
      db,
    )
    const clerk = await makeLastingPerson(db, 'muc_admin')
    await sql`update bills set created_by = ${clerk.id} from payment_batch_bills member where member.client_id = bills.client_id
      and member.bill_id = bills.id and member.payment_batch_id = ${batch}`.execute(db)
    const maker = await makeLastingPerson(db, 'muc_admin')
    await sql`update payment_batches set created_by = ${maker.id} where id = ${batch}`.execute(db)
    for (const [who, words] of [
      [asker, 'You asked for this export'],
      [tied, 'You count as one person with who asked for this export'],
      [maker, `You made batch ${batch}`],
      [clerk, 'You entered bill'],
    ] as const) {
      expect(await detail(id, who)).toMatchObject({ why_not: expect.stringContaining(words), changed: null })
      const answer = await decide(id, 'release', who)
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(words)])
      expect(await trailOf(id)).toContain(words)
    }
    const stranger = await makeLastingPerson(db, 'muc_admin', { clients: [(await makePayer(db)).clientId] })
    const list = JSON.parse((await ask(stranger, 'GET', '/export_releases')).text)
    expect([list.total, (await decide(id, 'release', stranger)).status]).toEqual([0, 404])
    expect(await storedOf(batch)).toEqual({ is_paid: false, files: 0 })
    expect((await decide(id, 'release')).status).toBe(200)
  })

  it('finds the request void where an amount, the bank details, the profile or a limit has changed, says which, and the batch is free again', async () => {
    const change: readonly (readonly [string, (batch: number) => Promise<unknown>])[] = [
      [
        'The payments, bills or amounts have changed since.',
        (batch) => sql`update payment_batch_bills set amount_paid = 9.99 where payment_batch_id = ${batch}`.execute(db),
      ],
      [
        'The payment details of Wire & Water have changed since.',
        () => sql`update vendors set account_holder = 'Thief' where id = ${vendor}`.execute(db),
      ],
      ['A bank profile has changed since, or another one pays.', () => limit({ company_name: 'SOMEBODY' })],
      ['The limits of a bank profile have changed since.', () => limit({ release_export_limit: '10.01' })],
    ]
    for (const [words, act] of change) {
      const { batch, id } = await waiting()
      await act(batch)
      expect(await detail(id)).toMatchObject({ changed: words, why_not: null })
      const answer = await decide(id, 'release')
      expect(answer.body).toMatchObject({ success: false, message: `The request is void. ${words}` })
      expect(await detail(id)).toMatchObject({ state: 'void', note: words })
      expect(await storedOf(batch)).toEqual({ is_paid: false, files: 0 })
      expect((await decide(id, 'release')).status).toBe(409)
      await limit({ release_export_limit: null })
      expect((await pay(batch)).files).toBe(1)
    }
    const { batch, id } = await waiting()
    expect((await ask(asker, 'POST', '/global_batches/unbatch', { ids: [batch] })).status).toBe(200)
    expect(await detail(id)).toMatchObject({ state: 'void', note: 'A batch was unbatched.' })
  })

  it('wants the password of the last minutes; a refusal does not', async () => {
    const { batch, id } = await waiting()
    await sql`update sessions set proven_at = '2026-11-25T14:00:00Z' where user_id = ${second.id}`.execute(db)
    expect(await decide(id, 'release')).toMatchObject({ status: 403, body: { code: 'not_proven' } })
    expect(await storedOf(batch)).toEqual({ is_paid: false, files: 0 })
    expect((await decide(id, 'refuse', second, 'Ask first')).status).toBe(200)
  })

  it('happens once although two people release at the same moment, and a refusal with its note frees the batch', async () => {
    const third = await makeLastingPerson(db, 'muc_admin')
    for (let round = 0; round < 3; round++) {
      const { batch, id } = await waiting()
      const answers = await Promise.all([second, third].map((who) => decide(id, 'release', who)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await storedOf(batch)).toEqual({ is_paid: true, files: 1 })
    }
    const { batch, id } = await waiting()
    expect((await decide(id, 'refuse')).status).toBe(422)
    expect((await decide(id, 'refuse', asker, 'Mine')).status).toBe(409)
    expect((await decide(id, 'withdraw')).status).toBe(409)
    expect((await decide(id, 'refuse', second, 'Ask the vendor first')).body).toMatchObject({ success: true })
    expect(await detail(id)).toMatchObject({ state: 'refused', note: 'Ask the vendor first' })
    const next = await pay(batch)
    expect(next.waits).not.toBeNull()
    expect((await decide(next.waits?.id ?? 0, 'withdraw', asker)).body).toMatchObject({ success: true })
    expect(await storedOf(batch)).toEqual({ is_paid: false, files: 0 })
  })
})

it('a super_admin alone changes when exports wait: limits, the profile that has them, and another profile beside it', async () => {
  for (const rule of [{ release_export_limit: '5.00' }, { release_always: true }, { release_apart: true }])
    expect((await limit(rule, asker)).status).toBe(422)
  expect((await limit({ release_export_limit: '-1.00' })).status).toBe(422)
  expect((await limit({ release_export_limit: '5.00' })).status).toBe(200)
  for (const way of [{ release_export_limit: '500.00' }, { release_export_limit: null }, { active: false }, { is_default: false }])
    expect((await limit(way, asker)).status).toBe(422)
  expect((await limit({ company_name: 'PAYER 2' }, asker)).status).toBe(200)
  const beside = { originating_profile: { client_id: payer.clientId, name: 'Beside', is_default: false } }
  expect((await ask(asker, 'POST', '/originating_profiles', beside)).status).toBe(422)
  expect((await ask(asker, 'DELETE', `/originating_profiles/${profile}`)).status).toBe(403)
  const { rows } = await sql<{ trail: string }>`select string_agg(object_changes::text, ' ') as trail from audit_records
    where item_type = 'originating_profile' and item_id = ${profile}`.execute(db)
  expect(rows[0]?.trail).toContain('"release_export_limit"')
})
