/**
 * Tests that bank details need two users: nothing takes effect by one alone, whatever way it comes in, and no number is shown without request.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { revealsPerHourMax, type VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { importsOf } from '../../../test/support/import-files.ts'
import { mailTo } from '../../../test/support/mails.ts'
import { createLog } from '../kernel/log.ts'
import { openSecret } from '../kernel/secret.ts'

/** Collects the server's error log, for tests that expect errors. */
const lines: string[] = []
const testApp = await startTestApp({}, undefined, createLog({ level: 'error', human: false, write: (line) => lines.push(line) }))
const {
  ask,
  database: { db },
} = testApp
const { send, undo } = importsOf(testApp)
const key = 'a key for tests, long enough to pass'
const routing = '021000021'
const account = '998877665544'
let anna: Person
let bruno: Person
let carla: Person
let reader: Person
let count = 0

beforeAll(async () => {
  anna = await makePerson(db, 'super_admin')
  bruno = await makePerson(db, 'muc_admin')
  carla = await makePerson(db, 'super_admin')
  reader = await makePerson(db, 'client_admin', { clients: [await makeClient(db)] })
})

async function vendorWith(bank: object = {}, who = anna): Promise<number> {
  const { status, body, text } = await ask(who, 'POST', '/vendors', {
    vendor: { name: `Utility ${++count}`, short_code: `U${count}`, ...bank },
  })
  expect(status, text).toBe(200)
  return Number(body['id'])
}

async function changesOf(vendorId: number, who = anna): Promise<VendorBankChange[]> {
  const { status, text } = await ask(who, 'GET', `/vendors/${vendorId}/bank_changes?q[s]=id%20asc`)
  expect(status, text).toBe(200)
  const { vendor_bank_changes: rows }: { vendor_bank_changes: VendorBankChange[] } = JSON.parse(text)
  return rows
}

async function waitingOf(vendorId: number): Promise<number> {
  const waiting = (await changesOf(vendorId)).filter(({ state }) => state === 'waiting')
  expect(waiting).toHaveLength(1)
  return waiting[0]?.id ?? 0
}

const decide = (who: Person, id: number, verb: string, body?: object) => ask(who, 'POST', `/vendor_bank_changes/${id}/${verb}`, body)
const vendorOf = async (id: number, who = anna) => (await ask(who, 'GET', `/vendors/${id}`)).body['vendor']
const shown = async (who: Person, path: string) => (await ask(who, 'GET', `${path}/bank_details`)).body['bank_details']

/** Makes a vendor that is paid to known numbers, put in force by two users. */
async function paidVendor(bank: object = { po_box: routing, payment_identifier: account }): Promise<number> {
  const id = await vendorWith(bank)
  expect((await decide(bruno, await waitingOf(id), 'approve')).status).toBe(200)
  return id
}

describe('what is asked for', () => {
  it('waits, also the first numbers of a new vendor, and is in force once somebody else approves', async () => {
    const { body } = await ask(anna, 'POST', '/vendors', {
      vendor: {
        name: 'New Gas',
        short_code: 'NEWG',
        po_box: routing,
        payment_identifier: account,
        account_type: 'savings',
        account_holder: 'New Gas LLC',
      },
    })
    expect(body['message']).toBe('Vendor created. The bank details wait until somebody else approves them')
    const id = Number(body['id'])
    expect(await vendorOf(id)).toMatchObject({ po_box: null, payment_identifier: null, account_type: 'checking', account_holder: null })
    expect(await shown(anna, `/vendors/${id}`)).toEqual({
      po_box: null,
      payment_identifier: null,
      account_type: 'checking',
      account_holder: null,
    })
    const [change] = await changesOf(id)
    expect(change).toMatchObject({
      vendor_id: id,
      vendor_name: 'New Gas',
      state: 'waiting',
      changed: ['po_box', 'payment_identifier', 'account_type', 'account_holder'],
      po_box_before: null,
      po_box: '•••••0021',
      payment_identifier_before: null,
      payment_identifier: '•••••5544',
      account_type_before: 'checking',
      account_type: 'savings',
      account_holder: 'New Gas LLC',
      routing_is_doubtful: false,
      requested_by: anna.id,
      decided_by_name: null,
    })
    const approved = await decide(bruno, change?.id ?? 0, 'approve')
    expect(approved.body).toMatchObject({
      success: true,
      message: 'The new bank details of New Gas are in force',
      vendor_bank_change: { state: 'approved' },
    })
    expect(await vendorOf(id)).toMatchObject({
      po_box: '•••••0021',
      payment_identifier: '•••••5544',
      account_type: 'savings',
      account_holder: 'New Gas LLC',
    })
    expect(await shown(anna, `/vendors/${id}`)).toEqual({
      po_box: routing,
      payment_identifier: account,
      account_type: 'savings',
      account_holder: 'New Gas LLC',
    })
  })

  it.each([
    ['po_box', '011401533', '•••••1533'],
    ['payment_identifier', '55554444333', '•••••4333'],
    ['account_type', 'loan', 'loan'],
    ['account_holder', 'Somebody Else', 'Somebody Else'],
    ['payment_identifier', null, null],
  ])('leaves the old %s in force until then', async (field, value, masked) => {
    const id = await paidVendor()
    const before = await shown(anna, `/vendors/${id}`)
    const { status } = await ask(anna, 'PATCH', `/vendors/${id}`, { vendor: { name: 'Renamed meanwhile', [field]: value } })
    expect(status).toBe(200)
    expect(await shown(anna, `/vendors/${id}`)).toEqual(before)
    expect(await vendorOf(id)).toMatchObject({ name: 'Renamed meanwhile', po_box: '•••••0021', payment_identifier: '•••••5544' })
    const changes = await changesOf(id)
    expect(changes.at(-1)).toMatchObject({ state: 'waiting', changed: [field], [field]: masked })
    await decide(carla, changes.at(-1)?.id ?? 0, 'approve')
    expect(await shown(anna, `/vendors/${id}`)).toEqual({ ...(typeof before === 'object' ? before : {}), [field]: value })
  })

  it('is nothing where it is what is in force already, masked or in full', async () => {
    const id = await paidVendor()
    for (const same of [
      { po_box: '•••••0021', payment_identifier: '•••••5544', account_type: 'checking' },
      { po_box: routing, payment_identifier: account, account_holder: null },
    ]) {
      const answer = await ask(bruno, 'PATCH', `/vendors/${id}`, { vendor: same })
      expect(answer.body['message']).toBe('Vendor updated')
    }
    expect(await changesOf(id)).toHaveLength(1)
    const strange = await ask(bruno, 'PATCH', `/vendors/${id}`, { vendor: { po_box: '•••••9999' } })
    expect(strange.body['errors']).toMatchObject({ fields: { po_box: ['Routing Number must be typed in full'] } })
  })

  it('by the same person goes together, and by another one stands alone in its place', async () => {
    const id = await vendorWith({ po_box: routing })
    const more = await ask(anna, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: account } })
    expect(more.status, more.text).toBe(200)
    expect(await changesOf(id)).toMatchObject([
      { state: 'replaced', changed: ['po_box'] },
      { state: 'waiting', changed: ['po_box', 'payment_identifier'], po_box: '•••••0021', payment_identifier: '•••••5544' },
    ])
    await ask(anna, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: account } })
    expect(await changesOf(id)).toHaveLength(2)
    await ask(bruno, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: '1234567' } })
    const changes = await changesOf(id)
    expect(changes.map(({ state }) => state)).toEqual(['replaced', 'replaced', 'waiting'])
    // The first user's values are not carried into the second user's change: the first could then approve them.
    expect(changes[2]).toMatchObject({ changed: ['payment_identifier'], po_box: null, requested_by: bruno.id })
    expect((await decide(anna, changes[1]?.id ?? 0, 'approve')).body['message']).toBe(
      'A newer change has taken its place. Please look at that one.',
    )
    await decide(anna, changes[2]?.id ?? 0, 'approve')
    expect(await shown(anna, `/vendors/${id}`)).toMatchObject({ po_box: null, payment_identifier: '1234567' })
  })

  it('is taken with a doubtful routing number, which the requester, the approver and nobody’s save is stopped by', async () => {
    const { body, status } = await ask(anna, 'POST', '/vendors', { vendor: { name: 'Odd', short_code: 'ODDR', po_box: '021000022' } })
    expect(status).toBe(200)
    expect(body['message']).toContain('The check digit of this routing number is wrong')
    expect((await changesOf(Number(body['id'])))[0]).toMatchObject({ routing_is_doubtful: true })
  })

  it('says which other vendors are paid to the same account', async () => {
    const first = await paidVendor({ payment_identifier: '4455667788' })
    const { name } = Object(await vendorOf(first))
    const [change] = await changesOf(await vendorWith({ payment_identifier: '4455667788' }))
    expect(change?.also_used_by).toContain(String(name))
  })
})

describe('a decision', () => {
  it('is never one’s own, and a reason is given for a refusal', async () => {
    const id = await vendorWith({ po_box: routing })
    const change = await waitingOf(id)
    expect((await decide(anna, change, 'approve')).body).toMatchObject({
      code: 'refused',
      message: 'Somebody else has to approve what you asked for.',
    })
    expect((await decide(anna, change, 'refuse', { reason: 'No' })).status).toBe(409)
    expect((await decide(bruno, change, 'withdraw')).body).toMatchObject({
      code: 'refused',
      message: 'Only who asked for a change may withdraw it.',
    })
    expect((await decide(bruno, change, 'refuse', { reason: ' ' })).status).toBe(422)
    const refused = await decide(bruno, change, 'refuse', { reason: 'The letter was forged' })
    expect(refused.body['vendor_bank_change']).toMatchObject({ state: 'refused', reason: 'The letter was forged' })
    expect(await shown(bruno, `/vendors/${id}`)).toMatchObject({ po_box: null })
    for (const verb of ['approve', 'withdraw'])
      expect((await decide(verb === 'approve' ? bruno : anna, change, verb)).status, verb).toBe(409)
    const next = await vendorWith({ po_box: routing })
    expect((await decide(anna, await waitingOf(next), 'withdraw')).body['vendor_bank_change']).toMatchObject({ state: 'withdrawn' })
    // The database enforces it too.
    await expect(
      sql`update vendor_bank_changes set state = 'approved', decided_by = requested_by, decided_at = now() where id = ${change}`.execute(
        db,
      ),
    ).rejects.toThrow('vendor_bank_changes_two_people')
  })

  it('is made once when two approve at the same moment, or one approves while the other refuses', async () => {
    for (const verbs of [
      ['approve', 'approve'],
      ['approve', 'refuse'],
    ] as const) {
      for (let round = 0; round < 5; round++) {
        const id = await vendorWith({ po_box: routing })
        const change = await waitingOf(id)
        const answers = await Promise.all([
          decide(bruno, change, verbs[0]),
          decide(carla, change, verbs[1], verbs[1] === 'refuse' ? { reason: 'Too late' } : undefined),
        ])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
        const { rows } = await sql<{
          count: number
        }>`select count(*)::int as count from audit_records where item_type = 'vendor_bank_change' and item_id = ${change} and event = 'update'`.execute(
          db,
        )
        expect(rows[0]?.count).toBe(1)
      }
    }
  })

  it('does not meet a newer request halfway: what was approved is what was looked at', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await vendorWith({ po_box: routing })
      const change = await waitingOf(id)
      const [approved] = await Promise.all([
        decide(bruno, change, 'approve'),
        ask(anna, 'PATCH', `/vendors/${id}`, { vendor: { po_box: '011401533' } }),
      ])
      expect(await shown(anna, `/vendors/${id}`)).toMatchObject({ po_box: approved.status === 200 ? routing : null })
      expect(await waitingOf(id)).toBeGreaterThan(change)
    }
  })

  it('is refused to who was demoted meanwhile, though the process has not heard of it', async () => {
    const id = await vendorWith({ po_box: routing })
    const change = await waitingOf(id)
    const late = await makePerson(db, 'muc_admin')
    expect((await ask(late, 'GET', `/vendor_bank_changes/${change}`)).status).toBe(200)
    await sql`delete from user_roles where user_id = ${late.id}`.execute(db)
    expect((await decide(late, change, 'approve')).status).toBe(403)
    expect((await decide(late, change, 'refuse', { reason: 'x' })).status).toBe(403)
    expect((await changesOf(id))[0]?.state).toBe('waiting')
  })

  it('forgets the numbers of what is decided, and keeps their last four', async () => {
    const id = await paidVendor()
    await ask(anna, 'PATCH', `/vendors/${id}`, { vendor: { payment_identifier: '7777666655' } })
    await decide(bruno, await waitingOf(id), 'refuse', { reason: 'Unknown' })
    const { rows } =
      await sql`select state from vendor_bank_changes where vendor_id = ${id} and (po_box_encrypted is not null or payment_identifier_encrypted is not null)`.execute(
        db,
      )
    expect(rows).toEqual([])
    expect(await changesOf(id)).toMatchObject([
      { payment_identifier_before: null, payment_identifier: '•••••5544' },
      { payment_identifier_before: '•••••5544', payment_identifier: '•••••6655' },
    ])
    const [first] = await changesOf(id)
    expect((await ask(anna, 'GET', `/vendor_bank_changes/${first?.id ?? 0}/bank_details`)).status).toBe(409)
  })

  it('seals each number for the place where it lies: moved to another row, column or table it does not open', async () => {
    const id = await vendorWith({ po_box: routing, payment_identifier: account })
    const change = await waitingOf(id)
    const { rows: waiting } = await sql<{
      sealed: Buffer
    }>`select po_box_encrypted as sealed from vendor_bank_changes where id = ${change}`.execute(db)
    const moved = waiting[0]?.sealed ?? Buffer.alloc(0)
    expect(openSecret(key, { table: 'vendor_bank_changes', column: 'po_box', id: change }, moved)).toBe(routing)
    for (const place of [
      { table: 'vendors', column: 'po_box', id },
      { table: 'vendors', column: 'po_box', id: change },
      { table: 'vendor_bank_changes', column: 'payment_identifier', id: change },
      { table: 'vendor_bank_changes', column: 'po_box', id: change + 1 },
    ])
      expect(() => openSecret(key, place, moved)).toThrow('unable to authenticate data')
    await decide(bruno, change, 'approve')
    const other = await paidVendor({ payment_identifier: '1112223334' })
    await sql`update vendors set payment_identifier_encrypted = (select payment_identifier_encrypted from vendors where id = ${other}) where id = ${id}`.execute(
      db,
    )
    expect(lines).toEqual([])
    expect((await ask(anna, 'GET', `/vendors/${id}/bank_details`)).status).toBe(500)
    expect(lines).toHaveLength(1)
    expect(lines.join()).toContain('unable to authenticate data')
  })
})

describe('who may', () => {
  it('neither clients nor partners see changes, approve or have numbers shown; a vendor’s news are the keepers’ alone', async () => {
    const id = await vendorWith({ po_box: routing })
    const change = await waitingOf(id)
    const partner = await makePerson(db, 'channel_partner_admin')
    for (const who of [reader, partner]) {
      for (const path of [
        '/vendor_bank_changes',
        `/vendor_bank_changes/${change}`,
        `/vendors/${id}/bank_changes`,
        `/vendors/${id}/bank_details`,
      ])
        expect((await ask(who, 'GET', path)).status, path).toBe(403)
      expect((await decide(who, change, 'approve')).status).toBe(403)
    }
    expect(await vendorOf(id)).toMatchObject({ bank_notes: { waiting: { id: change }, changed: null } })
    expect(await vendorOf(id, reader)).toMatchObject({ bank_notes: null })
    await decide(bruno, change, 'approve')
    expect(await vendorOf(id)).toMatchObject({
      bank_notes: { waiting: null, changed: { requested_by: anna.email, approved_by: bruno.email } },
    })
    expect((await ask(reader, 'GET', `/vendors?ids=${id}`)).body).toMatchObject({ vendors: [{ bank_notes: null }] })
    await sql`update vendors set bank_verified_at = now() - interval '30 days 1 minute' where id = ${id}`.execute(db)
    expect(await vendorOf(id)).toMatchObject({ bank_notes: null })
  })

  it('an API token does neither, whatever its holder may', async () => {
    const id = await vendorWith({ po_box: routing })
    const change = await waitingOf(id)
    const api_token = { name: 'Robot', access: 'write', expires_on: inDays(30) }
    const made = await ask(bruno, 'POST', '/users/profile/api_tokens', { api_token })
    const robot: Person = { id: bruno.id, email: '', headers: { authorization: `Bearer ${String(made.body['token'])}` } }
    expect((await ask(robot, 'GET', `/vendor_bank_changes/${change}`)).status).toBe(200)
    expect((await decide(robot, change, 'approve')).body['message']).toBe('An API token cannot do this: sign in at the console.')
    expect((await ask(robot, 'GET', `/vendors/${id}/bank_details`)).status).toBe(403)
  })

  it('what is shown in full is written down and counted, and never kept by anybody on the way', async () => {
    const curious = await makePerson(db, 'super_admin')
    const id = await paidVendor()
    const answer = await ask(curious, 'GET', `/vendors/${id}/bank_details`)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { rows } = await sql`select event, item_type, item_id, object_changes from audit_records where user_id = ${curious.id}`.execute(
      db,
    )
    expect(rows).toEqual([{ event: 'access', item_type: 'vendor', item_id: id, object_changes: {} }])
    for (let more = 1; more < revealsPerHourMax; more++) expect((await ask(curious, 'GET', `/vendors/${id}/bank_details`)).status).toBe(200)
    const over = await ask(curious, 'GET', `/vendors/${id}/bank_details`)
    expect([over.status, over.headers['retry-after']]).toEqual([429, '600'])
    expect((await ask(bruno, 'GET', `/vendors/${id}/bank_details`)).status).toBe(200)
    expect((await ask(bruno, 'GET', '/vendors/999999/bank_details')).status).toBe(404)
  })
})

/** Returns a user's notifications, oldest first. */
const told = async (who: Person) =>
  (await sql<{ message: string; link: string }>`select message, link from notifications where user_id = ${who.id} order by id`.execute(db))
    .rows

describe('who hears of it', () => {
  it('all who may approve but the requester, then the requester; by the bell and by mail, without a number', async () => {
    const asker = await makePerson(db, 'super_admin')
    const id = await vendorWith({ po_box: routing, payment_identifier: account }, asker)
    const change = await waitingOf(id)
    const { name } = Object(await vendorOf(id))
    expect((await told(bruno)).at(-1)).toEqual({
      message: `New bank details of ${name} wait for approval`,
      link: `/vendor_bank_changes/${change}`,
    })
    expect(await told(asker)).toEqual([])
    expect(await told(reader)).toEqual([])
    expect((await mailTo(db, bruno.email)).text_body).toContain(`/vendor_bank_changes/${change}`)
    await decide(bruno, change, 'refuse', { reason: 'Call them first' })
    expect(await told(asker)).toEqual([{ message: `The new bank details of ${name} were refused`, link: `/vendor_bank_changes/${change}` }])
    expect((await mailTo(db, asker.email)).text_body).toContain('Call them first')
    const { rows } = await sql<{
      text: string
    }>`select notifications::text as text from notifications union all select mails::text from mails`.execute(db)
    expect(rows.filter(({ text }) => text.includes(routing) || text.includes(account))).toEqual([])
  })

  it('nobody who is gone: their change is decided all the same', async () => {
    const leaver = await makePerson(db, 'super_admin')
    const id = await vendorWith({ po_box: routing }, leaver)
    await sql`delete from users where id = ${leaver.id}`.execute(db)
    expect((await decide(bruno, await waitingOf(id), 'approve')).body).toMatchObject({
      vendor_bank_change: { requested_by_name: `User #${leaver.id}` },
    })
  })
})

describe('an import', () => {
  it('asks for a change a row, leaves what is in force, and its undo withdraws what still waits', async () => {
    const old = await paidVendor()
    const { short_code: code } = Object(await vendorOf(old))
    const file = `short_code,name,po_box,payment_identifier\n${code},Utility old,011401533,\nIMPB1,Imported one,${routing},4400112233\nIMPB2,Imported two,,\n`
    const sent = await send(anna, '/vendors/import', file)
    expect(sent.counts).toMatchObject({ create: 2, update: 1 })
    // In the form in which the console writes the filter into its address.
    expect((await told(bruno)).at(-1)).toEqual({
      message: 'New bank details of 2 vendors wait for approval',
      link: '/vendor_bank_changes?state=waiting',
    })
    expect(await vendorOf(old)).toMatchObject({ po_box: '•••••0021', name: 'Utility old' })
    const waiting = await ask(anna, 'GET', '/vendor_bank_changes?q[state_eq]=waiting&q[vendor_name]=Imported')
    expect(waiting.body).toMatchObject({
      total: 1,
      vendor_bank_changes: [{ vendor_name: 'Imported one', po_box: '•••••0021', requested_by: anna.id }],
    })
    expect((await changesOf(old)).at(-1)).toMatchObject({ state: 'waiting', changed: ['po_box'] })
    // Waiting values are not shown for the vendor.
    const { rows } = await sql<{
      text: string
    }>`select object_changes::text as text from audit_records where item_type = 'vendor' and item_id = ${old} order by id desc limit 1`.execute(
      db,
    )
    expect(rows[0]?.text).toContain('Utility old')
    expect(rows[0]?.text).not.toContain('po_box')
    expect((await undo(anna, sent.id)).state).toBe('undone')
    expect((await changesOf(old)).at(-1)).toMatchObject({ state: 'withdrawn' })
    expect(await shown(anna, `/vendors/${old}`)).toMatchObject({ po_box: routing, payment_identifier: account })
    expect((await ask(anna, 'GET', '/vendors?q[short_code]=IMPB')).body['total']).toBe(0)
  })

  it('is not taken back over an approval', async () => {
    const sent = await send(anna, '/vendors/import', `short_code,name,po_box\nIMPC,Approved since,${routing}\n`)
    const { body } = await ask(anna, 'GET', '/vendors?q[short_code]=IMPC')
    const [vendor] = Array.isArray(body['vendors']) ? body['vendors'] : []
    await decide(bruno, await waitingOf(Number(vendor.id)), 'approve')
    expect((await undo(anna, sent.id)).state).toBe('committed')
    expect(await shown(bruno, `/vendors/${vendor.id}`)).toMatchObject({ po_box: routing })
  })

  it('of many vendors asks no more of the database than of few', async () => {
    const rows = Array.from({ length: 1_200 }, (_, at) => `MANY${at},Many ${at},${routing},7700${at}`)
    const sent = await send(anna, '/vendors/import', `short_code,name,po_box,payment_identifier\n${rows.join('\n')}\n`)
    expect(sent.counts).toMatchObject({ create: 1_200 })
    expect((await ask(bruno, 'GET', '/vendor_bank_changes?q[vendor_name]=Many%20&q[state_eq]=waiting')).body['total']).toBe(1_200)
  })
})

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
