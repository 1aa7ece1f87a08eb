/** Money that needs a second person although no bank details changed: the payee of checks, files with account numbers, and rules that are evaded. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { provenMinutes } from '#contract/access/auth.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { now } from '../kernel/clock.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
const day = todayIn(NEW_YORK, now().toISOString())
let clerk: Person
let second: Person
let payer: Ground
let profile: number
let vendor: number

beforeEach(async () => {
  clerk = await makeLastingPerson(db, 'muc_admin')
  second = await makeLastingPerson(db, 'muc_admin')
  payer = await makePayer(db)
  profile = await makeBankProfile(db, payer.clientId)
  vendor = await makeDeskVendor(db, { method: 'Check', name: 'Paper & Co' })
  await sql`insert into global_batch_bank_values (day, value, locked) values (${day}, 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
})

async function batchOf(to = vendor): Promise<number> {
  const bill = await makeDeskBill(db, payer, to, { amount: '10.00' })
  const answer = await ask(clerk, 'POST', '/global_batches', {
    global_batch: { batch_date: day, bills_due_date: day, bill_ids: [bill] },
  })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}
interface Preview {
  readonly faults: readonly { readonly sentence: string }[]
  readonly first_payments: readonly { readonly vendor_id: number; readonly changed: string; readonly changed_at: string }[]
}
async function preview(id: number, who = clerk, pay_method = 'Check'): Promise<Preview> {
  return JSON.parse((await ask(who, 'POST', '/global_batches/export_preview', { ids: [id], pay_method })).text)
}
async function pay(id: number, who = clerk, pay_method = 'Check') {
  const first = (await preview(id, who, pay_method)).first_payments
  const confirmed_vendors = first.map(({ vendor_id, changed_at }) => ({ vendor_id, changed_at }))
  return ask(who, 'POST', '/global_batches/export', { ids: [id], pay_method, confirmed_vendors })
}
const change = (patch: object, who = clerk) => ask(who, 'PATCH', `/vendors/${vendor}`, { vendor: patch })
/** Security events are stored a moment after the answer. */
const eventsOf = async (who: Person): Promise<string[]> => {
  const { rows } = await sql<{ kind: string }>`select kind from security_events where user_id = ${who.id} order by id`.execute(db)
  return rows.map(({ kind }) => kind)
}

describe('the first check after a change of the payee', () => {
  const changes = [
    { what: 'its remit name', patch: { remit_name: 'Somebody LLC' } },
    {
      what: 'its remit address',
      patch: { remit_street_address_1: '9 Elsewhere', remit_city: 'Reno', remit_state: 'NV', remit_zip: '89501' },
    },
    { what: 'its name', patch: { name: 'Paper and Company' } },
    { what: 'its own address', patch: { zip: '80203' } },
  ]
  it.each(changes)('is not exported by the person who changed $what; another one confirms it by name', async ({ patch }) => {
    expect((await change(patch)).status).toBe(200)
    const id = await batchOf()
    const found = await preview(id)
    expect(found.faults.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^First payment since the name, address or payment methods changed on .* Somebody else must export it\.$/),
    ])
    expect((await pay(id)).status).toBe(422)
    await expect.poll(() => eventsOf(clerk)).toContain('second_person_needed')
    expect(await preview(id, second)).toMatchObject({ faults: [], first_payments: [{ vendor_id: vendor, changed: 'payee' }] })
    const unread = await ask(second, 'POST', '/global_batches/export', { ids: [id], pay_method: 'Check' })
    expect([unread.status, unread.text]).toEqual([422, expect.stringContaining('it must be confirmed')])
    const paid = await pay(id, second)
    expect(paid.status, paid.text).toBe(200)
  })

  it('is every change since the last check, also under a later one of somebody else; notes and terms are none', async () => {
    await change({ remit_name: 'Somebody LLC' })
    await change({ street_address_2: 'Floor 2' }, second)
    const id = await batchOf()
    for (const who of [clerk, second]) expect((await pay(id, who)).status).toBe(422)
    const third = await makeLastingPerson(db, 'muc_admin')
    expect((await pay(id, third)).status).toBe(200)
    // A change of the minute before a payment counts as one after it.
    await sql`update global_batch_files set created_at = created_at + interval '2 minutes'`.execute(db)
    await change({ phone: '303 555 0199', payment_terms_days: 10 })
    expect(await preview(await batchOf())).toMatchObject({ faults: [], first_payments: [] })
  })

  it('is not looked for where the vendor is paid by ACH, nor where nobody pays the payee', async () => {
    await change({ remit_name: 'Somebody LLC' })
    const id = await batchOf()
    await ask(clerk, 'PATCH', '/global_batches/temp_pay_method', { ids: [id], temp_method: 'NP' })
    expect(await preview(id, clerk, 'NP')).toMatchObject({ first_payments: [] })
  })

  it('is looked for after the payment method became Check', async () => {
    const { rows } = await sql<{ id: number }>`select id from payment_methods where name = 'Check'`.execute(db)
    vendor = await makeAchVendor(db, 'Wire & Water')
    expect((await change({ payment_method_ids: [rows[0]?.id] })).status).toBe(200)
    expect((await pay(await batchOf())).status).toBe(422)
  })
})

describe('a payment file with account numbers', () => {
  const download = (id: number, who: Person) => ask(who, 'GET', `/global_batch_files/${id}/download`)
  async function achFile(): Promise<number> {
    const answer = await pay(await batchOf(await makeAchVendor(db)), clerk, 'ACH')
    const { files }: { files: { id: number }[] } = JSON.parse(answer.text)
    return files[0]?.id ?? 0
  }

  it('needs a recent password, as its numbers on the vendor’s page do', async () => {
    const id = await achFile()
    expect((await download(id, second)).status).toBe(200)
    await sql`update sessions set proven_at = now() - make_interval(mins => ${provenMinutes + 1}::int) where user_id = ${second.id}`.execute(
      db,
    )
    expect(await download(id, second)).toMatchObject({ status: 403, body: { code: 'not_proven' } })
  })

  it('is not for staff of one client, who see no numbers of vendors; a file without numbers is', async () => {
    const bound = await makeLastingPerson(db, 'muc_admin', { clients: [payer.clientId] })
    const [ach, check] = [await achFile(), await pay(await batchOf())]
    const { files }: { files: { id: number }[] } = JSON.parse(check.text)
    expect((await download(ach, bound)).status).toBe(403)
    expect((await download(files[0]?.id ?? 0, bound)).status).toBe(200)
  })
})

describe('the rules of a release', () => {
  it('are not evaded by a dormant profile of the client: nobody but a super_admin activates it or makes it the default', async () => {
    const chief = await makeLastingPerson(db, 'super_admin')
    const rules = await ask(chief, 'PATCH', `/originating_profiles/${profile}`, { originating_profile: { release_always: true } })
    expect(rules.status, rules.text).toBe(200)
    const { rows } = await sql<{
      id: number
    }>`insert into originating_profiles (client_id, name, active, is_default) values (${payer.clientId}, 'Dormant', false, false)
      returning id`.execute(db)
    const wake = (patch: object, who: Person) => ask(who, 'PATCH', `/originating_profiles/${rows[0]?.id}`, { originating_profile: patch })
    for (const patch of [{ active: true }, { is_default: true }]) expect((await wake(patch, clerk)).status).toBe(422)
    expect((await wake({ active: true }, chief)).status).toBe(200)
  })

  it('do not end for who loosens them: for seven days their own exports wait, those of their other user too, and neither releases; others go on', async () => {
    const [chief, sock] = [await makeLastingPerson(db, 'super_admin'), await makeLastingPerson(db, 'muc_admin')]
    await sql`insert into user_ties (user_id, tied_to, kind) values (${sock.id}, ${chief.id}, 'made')`.execute(db)
    const set = (originating_profile: object) => ask(chief, 'PATCH', `/originating_profiles/${profile}`, { originating_profile })
    const waits = async (id: number, who: Person) =>
      JSON.parse((await ask(who, 'POST', '/global_batches/export_preview', { ids: [id], pay_method: 'Check' })).text).waits_because
    expect((await set({ release_export_limit: '500.00' })).status).toBe(200)
    expect((await set({ release_export_limit: '400.00' })).status).toBe(200)
    const id = await batchOf()
    expect(await waits(id, chief)).toEqual([])
    expect((await set({ release_export_limit: null })).status).toBe(200)
    expect(await waits(id, chief)).toEqual(['who asks for it loosened when exports wait within 7 days'])
    expect(await waits(id, sock)).toEqual(['who counts as one person with who asks for it loosened when exports wait within 7 days'])
    expect(await waits(id, second)).toEqual([])
    const asked: { waits: { id: number } | null } = JSON.parse((await pay(id, chief)).text)
    const release = (who: Person) => ask(who, 'POST', `/export_releases/${asked.waits?.id}/decide`, { decision: { act: 'release' } })
    await set({ release_always: true, release_export_limit: '1.00' })
    expect(await release(sock)).toMatchObject({ status: 403, text: expect.stringContaining('count as one person') })
    await set({ release_always: false, release_export_limit: '1.00' })
    const theirs: { waits: { id: number } | null } = JSON.parse((await pay(await batchOf())).text)
    const decide = (who: Person) => ask(who, 'POST', `/export_releases/${theirs.waits?.id}/decide`, { decision: { act: 'release' } })
    for (const who of [chief, sock])
      expect(await decide(who)).toMatchObject({ status: 403, text: expect.stringContaining('loosened when exports wait') })
    expect((await decide(second)).status).toBe(200)
    await sql`update audit_records set created_at = created_at - interval '7 days' where item_type = 'originating_profile' and user_id = ${chief.id}`.execute(
      db,
    )
    await set({ release_always: false, release_export_limit: null })
    await sql`update audit_records set created_at = created_at - interval '7 days' where item_type = 'originating_profile' and user_id = ${chief.id}`.execute(
      db,
    )
    const next = await batchOf()
    expect(await waits(next, chief)).toEqual([])
  })

  it('are not evaded by a super_admin with another bank profile beside: what it pays waits for somebody else', async () => {
    const chief = await makeLastingPerson(db, 'super_admin')
    const { rows } = await sql<{
      id: number
    }>`insert into originating_profiles (client_id, name, active, is_default, release_always)
      select client_id, 'Ruled', true, false, true from originating_profiles where id = ${profile} returning id`.execute(db)
    const id = await batchOf()
    const waits = async () =>
      JSON.parse((await ask(chief, 'POST', '/global_batches/export_preview', { ids: [id], pay_method: 'Check' })).text).waits_because
    expect(await waits()).toEqual([])
    await sql`update originating_profiles set is_default = (id = ${rows[0]?.id}) where client_id = ${payer.clientId}`.execute(db)
    expect(await waits()).toEqual([expect.stringContaining('asks for it at each export')])
    for (const [one, is_default] of [
      [rows[0]?.id, false],
      [profile, true],
    ])
      expect((await ask(chief, 'PATCH', `/originating_profiles/${one}`, { originating_profile: { is_default } })).status).toBe(200)
    expect(await waits()).toEqual(['who asks for it loosened when exports wait within 7 days'])
  })

  it('keep away who counts as one person with somebody who entered a bill, where the profile asks for a releaser apart', async () => {
    const chief = await makeLastingPerson(db, 'super_admin')
    await ask(chief, 'PATCH', `/originating_profiles/${profile}`, { originating_profile: { release_always: true, release_apart: true } })
    const bill = await makeDeskBill(db, payer, vendor, { amount: '10.00' })
    const [entered, sock] = [await makeLastingPerson(db, 'muc_admin'), await makeLastingPerson(db, 'muc_admin')]
    await sql`update bills set created_by = ${entered.id} where client_id = ${payer.clientId} and id = ${bill}`.execute(db)
    await sql`insert into user_ties (user_id, tied_to, kind) values (${sock.id}, ${entered.id}, 'made')`.execute(db)
    const made = await ask(clerk, 'POST', '/global_batches', { global_batch: { batch_date: day, bills_due_date: day, bill_ids: [bill] } })
    const asked = await ask(clerk, 'POST', '/global_batches/export', { ids: [Number(made.body['id'])], pay_method: 'Check' })
    const { waits }: { waits: { id: number } | null } = JSON.parse(asked.text)
    const release = (who: Person) => ask(who, 'POST', `/export_releases/${waits?.id}/decide`, { decision: { act: 'release' } })
    expect(await release(sock)).toMatchObject({ status: 403, text: expect.stringContaining('count as one person') })
    expect(await release(second)).toMatchObject({ status: 200 })
  })
})

describe('two users who count as one person', () => {
  const tie = (who: Person, to: Person) =>
    sql`insert into user_ties (user_id, tied_to, kind) values (${who.id}, ${to.id}, 'enabled')`.execute(db)

  it('do not export for each other: bank details that one of them asked for, or that nobody else has confirmed, keep both away', async () => {
    await tie(second, clerk)
    vendor = await makeAchVendor(db, 'Wire & Water')
    const id = await batchOf(vendor)
    const faults = async () => (await preview(id, second, 'ACH')).faults.map(({ sentence }) => sentence)
    expect(await faults()).toEqual([])
    const { rows } = await sql<{ id: number }>`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by)
      values (${vendor}, '{account_holder}', 'Mine', ${clerk.id}) returning id`.execute(db)
    expect(await faults()).toEqual([expect.stringContaining('Somebody who counts as one person with you changed the bank details')])
    expect((await pay(id, second, 'ACH')).status).toBe(422)
    await sql`delete from vendor_bank_changes where id = ${rows[0]?.id}`.execute(db)
    await sql`update vendors set bank_changed_by = ${clerk.id}, bank_changed_at = now() where id = ${vendor}`.execute(db)
    expect(await faults()).toEqual([expect.stringContaining('Somebody who counts as one person with you changed the bank details')])
  })

  it('have one limit of the day: what one of them has exported counts for the other', async () => {
    const chief = await makeLastingPerson(db, 'super_admin')
    const day_limit = { originating_profile: { release_day_limit: '15.00' } }
    expect((await ask(chief, 'PATCH', `/originating_profiles/${profile}`, day_limit)).status).toBe(200)
    const [first, other] = [await batchOf(), await batchOf()]
    expect((await pay(first)).status).toBe(200)
    const waits = async () =>
      JSON.parse((await ask(second, 'POST', '/global_batches/export_preview', { ids: [other], pay_method: 'Check' })).text).waits_because
    expect(await waits()).toEqual([])
    await tie(second, clerk)
    expect(await waits()).toEqual([expect.stringContaining('$5.00')])
    const asked = await pay(other, second)
    expect(JSON.parse(asked.text)).toMatchObject({ files: [], waits: { reasons: [expect.stringContaining('$5.00')] } })
  })
})

it('the accounting export wants the password of the last minutes', async () => {
  const id = await batchOf()
  expect((await pay(id)).status).toBe(200)
  const old = provenMinutes + 1
  await sql`update sessions set proven_at = now() - make_interval(mins => ${old}::int) where user_id = ${clerk.id}`.execute(db)
  expect(await ask(clerk, 'GET', '/global_batches/accounting_export')).toMatchObject({ status: 403, body: { code: 'not_proven' } })
  const { rows } = await sql`select id from payment_batches where id = ${id} and not finalized`.execute(db)
  expect(rows).toHaveLength(1)
  await sql`update sessions set proven_at = now() where user_id = ${clerk.id}`.execute(db)
  const done = await ask(clerk, 'GET', '/global_batches/accounting_export')
  expect(done.status, done.text).toBe(200)
})

it('approval steps are weakened by a super_admin alone; others add steps and lower amounts', async () => {
  const chief = await makeLastingPerson(db, 'super_admin')
  const steps = (approval_steps: readonly object[], who: Person) =>
    ask(who, 'PATCH', `/clients/${payer.clientId}/payment_settings`, { payment_setting: { approval_steps } })
  const first = await steps([{ name: 'Treasurer', above_amount: '100.00', approver_ids: [second.id] }], clerk)
  expect(first.status, first.text).toBe(200)
  const read = await ask(clerk, 'GET', `/clients/${payer.clientId}/payment_settings`)
  const { payment_setting }: { payment_setting: { approval_steps: { id: number }[] } } = JSON.parse(read.text)
  const step = { id: payment_setting.approval_steps[0]?.id, name: 'Treasurer', above_amount: '100.00', approver_ids: [second.id] }
  for (const weaker of [
    [],
    [{ ...step, above_amount: '100.01' }],
    [{ ...step, approver_ids: [second.id, clerk.id] }],
    [{ ...step, id: undefined }],
  ])
    expect(await steps(weaker, clerk)).toMatchObject({ status: 422, text: expect.stringContaining('Only a super_admin removes a step') })
  expect(
    (
      await steps(
        [
          { ...step, above_amount: '50.00' },
          { name: 'Director', above_amount: '500.00', approver_ids: [clerk.id] },
        ],
        clerk,
      )
    ).status,
  ).toBe(200)
  expect((await steps([], chief)).status).toBe(200)
})

it('neither a person who took a payment back nor their other user pays its bill again; another one does', async () => {
  const id = await batchOf()
  expect((await pay(id)).status).toBe(200)
  const { rows } = await sql<{ id: number; bill_id: number }>`select payment.id, member.bill_id from vendor_payments payment
    join payment_batch_bills member on member.client_id = payment.client_id and member.vendor_payment_id = payment.id where payment.payment_batch_id = ${id}`.execute(
    db,
  )
  const [paid] = rows
  const back = await ask(clerk, 'POST', `/global_batches/${id}/vendor_payments/${paid?.id}/reverse`, {
    payment_reversal: { kind: 'void_check', reversed_date: day, reason: 'Lost in the mail' },
  })
  expect(back.status, back.text).toBe(200)
  const again = await ask(clerk, 'POST', '/global_batches', {
    global_batch: { batch_date: day, bills_due_date: day, bill_ids: [paid?.bill_id] },
  })
  expect(again.status, again.text).toBe(200)
  const refused = await pay(Number(again.body['id']))
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('took back a payment of bill')])
  const sock = await makeLastingPerson(db, 'muc_admin')
  await sql`insert into user_ties (user_id, tied_to, kind) values (${sock.id}, ${clerk.id}, 'made')`.execute(db)
  expect((await pay(Number(again.body['id']), sock)).text).toContain('took back a payment of bill')
  expect((await pay(Number(again.body['id']), second)).status).toBe(200)
})

it('a prenote is accepted by somebody else than who asked for the bank details, and not by their other user', async () => {
  vendor = await makeAchVendor(db, 'Wire & Water')
  await sql`update vendors set bank_changed_by = ${clerk.id}, bank_changed_at = now(), prenote_state = 'sent' where id = ${vendor}`.execute(
    db,
  )
  const sock = await makeLastingPerson(db, 'muc_admin')
  await sql`insert into user_ties (user_id, tied_to, kind) values (${sock.id}, ${clerk.id}, 'made')`.execute(db)
  for (const who of [clerk, sock])
    expect(await change({ prenote_state: 'accepted' }, who)).toMatchObject({
      status: 409,
      text: expect.stringContaining('Somebody else has to accept'),
    })
  expect((await change({ prenote_state: 'accepted' }, second)).status).toBe(200)
})
