/** Numbers of checks and positive pay files through HTTP on a real PostgreSQL: what is recorded, refused, and reported once. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeBankProfile, makeDeskBill, makeDeskVendor, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
let staff: Person
let ground: Ground
let profile: number
/** Each test has an account of its own, so the numbers of one are free in another. */
let account = 44_001_000

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  ground = await makePayer(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 900000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
  profile = await profileOf(ground.clientId, ++account)
})
afterEach(() => setClock())

async function profileOf(clientId: number, number: number, layout?: string): Promise<number> {
  const id = await makeBankProfile(db, clientId)
  const answer = await ask(staff, 'PATCH', `/originating_profiles/${id}`, {
    originating_profile: { account_number: String(number), ...(layout === undefined ? {} : { positive_pay_layout: layout }) },
  })
  expect(answer.status, answer.text).toBe(200)
  return id
}

interface Requested {
  readonly id: number
  readonly batch: number
  readonly payment: number
}

/** A check of this amount that was requested from the printer. */
async function requested(amount: string, { payer = ground, vendor = 'Desk Vendor' } = {}): Promise<Requested> {
  const bill = await makeDeskBill(db, payer, await makeDeskVendor(db, { name: vendor }), { amount })
  const made = await ask(staff, 'POST', '/global_batches', {
    global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: [bill] },
  })
  const batch: number = JSON.parse(made.text).global_batches[0].id
  const answer = await ask(staff, 'POST', '/global_batches/export', { ids: [batch], pay_method: 'Check' })
  expect(answer.status, answer.text).toBe(200)
  const { rows } = await sql<{ id: number; payment: number }>`select entry.id, entry.vendor_payment_id as payment
    from global_batch_file_payments entry join vendor_payments on vendor_payments.id = entry.vendor_payment_id
    where payment_batch_id = ${batch}`.execute(db)
  return { id: rows[0]?.id ?? 0, batch, payment: rows[0]?.payment ?? 0 }
}

const record = (id: number, check_number: string, seen: string | null = null, who = staff, check_date = '2026-11-24') =>
  ask(who, 'PATCH', `/issued_checks/${id}`, { issued_check: { check_number, check_date, seen_check_number: seen } })
const voided = ({ batch, payment }: Requested) =>
  ask(staff, 'POST', `/global_batches/${batch}/vendor_payments/${payment}/reverse`, {
    payment_reversal: { kind: 'void_check', reversed_date: '2026-11-25', reason: 'Lost in the mail' },
  })
const write = (id = profile, who = staff) => ask(who, 'POST', '/positive_pay', { originating_profile_id: id })
const textOf = async (fileId: unknown) => (await ask(staff, 'GET', `/global_batch_files/${String(fileId)}/download`)).text
const rowsOf = async (query = ''): Promise<Record<string, unknown>[]> =>
  JSON.parse((await ask(staff, 'GET', `/issued_checks?q[client_id_eq]=${ground.clientId}&q[s]=id${query}`)).text).issued_checks
const read = (content: string) => ask(staff, 'POST', '/issued_checks', { content })
const trail = async (id: number) =>
  (
    await sql<{ event: string; changes: unknown }>`select event, object_changes as changes from audit_records
      where item_type = 'issued_check' and item_id = ${id} order by id`.execute(db)
  ).rows

describe('the number of a check', () => {
  it('is recorded for a requested check, shown by its payment, and corrected in the trail, never silently', async () => {
    const check = await requested('10.50')
    expect(await rowsOf()).toMatchObject([
      { id: check.id, state: 'waiting', check_number: null, amount: '10.50', payment_name: `VP-${check.payment}` },
    ])
    const answer = await record(check.id, '0020001')
    expect(answer.status, answer.text).toBe(200)
    expect(await rowsOf()).toMatchObject([
      { state: 'issued', check_number: '20001', check_date: '2026-11-24', account_last4: String(account).slice(-4) },
    ])
    const { rows } = await sql`select check_number from vendor_payments where id = ${check.payment}`.execute(db)
    expect(rows).toEqual([{ check_number: '20001' }])
    expect((await record(check.id, '20002', '20001')).status).toBe(200)
    expect(await trail(check.id)).toEqual([
      { event: 'create', changes: { check_number: { from: null, to: '20001' }, check_date: { from: null, to: '2026-11-24' } } },
      { event: 'update', changes: { check_number: { from: '20001', to: '20002' } } },
    ])
  })

  it('has one to ten digits, is unique in its account whoever the payer is, and yields to nobody who saw another one', async () => {
    const [one, two] = [await requested('10.00'), await requested('20.00')]
    for (const number of ['', 'A1', '12345678901', '0', '-5']) expect((await record(one.id, number)).status, number).toBe(422)
    expect((await record(one.id, '7', null, staff, '2024-01-01')).text).toContain('more than a year')
    expect((await record(one.id, '9999999999')).status).toBe(200)
    const taken = await record(two.id, '9999999999')
    expect([taken.status, taken.text]).toEqual([422, expect.stringContaining('recorded for another payment')])
    // Another payer on the same account, by a profile of its own.
    const other = await makePayer(db)
    await profileOf(other.clientId, account)
    const theirs = await requested('30.00', { payer: other })
    expect((await record(theirs.id, '9999999999')).status).toBe(422)
    // The same number in another account is another check.
    const third = await makePayer(db)
    await profileOf(third.clientId, account + 500)
    expect((await record((await requested('40.00', { payer: third })).id, '9999999999')).status).toBe(200)
    expect((await record(one.id, '8')).status).toBe(409)
    expect((await record(one.id, '8', '7')).status).toBe(409)
  })

  it('typed by many people at once is one check’s alone', async () => {
    const checks = await Promise.all([1, 2, 3, 4].map(() => requested('10.00')))
    const answers = await Promise.all(checks.map(({ id }) => record(id, '777')))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true)
    const race = await Promise.all(['1', '2', '3'].map((number) => record(checks.at(-1)?.id ?? 0, number, '777')))
    expect(race.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })
})

describe('a file of check numbers', () => {
  it('records all rows once, with headings in any order; a second reading adds nothing', async () => {
    const [one, two] = [await requested('10.00'), await requested('1,220.00'.replace(',', ''))]
    const content = `Date,Check Number,Trace or Reference,Payee,Amount\r\n11/24/2026,0301,VP-${one.payment},"A, B",10.00\r\n2026-11-25,302,${two.payment},C,"$1,220.00"\r\n`
    const preview = await ask(staff, 'POST', '/issued_checks/preview', { content })
    expect(preview.body).toMatchObject({
      recorded: 2,
      total: '1230.00',
      checks: [{ line: 2, check_number: '301', known: false }, { line: 3 }],
    })
    expect(await rowsOf('&q[state_eq]=waiting')).toHaveLength(2)
    expect((await read(content)).body).toMatchObject({ message: '2 check numbers recorded', recorded: 2 })
    expect(await rowsOf()).toMatchObject([
      { check_number: '301', check_date: '2026-11-24' },
      { check_number: '302', check_date: '2026-11-25' },
    ])
    expect((await read(content)).body).toMatchObject({ message: '0 check numbers recorded, 2 known already' })
    expect(await trail(one.id)).toHaveLength(1)
  })

  it('with one wrong row is refused by name and row, and nothing of it is stored', async () => {
    const [one, two] = [await requested('10.00'), await requested('20.00')]
    const good = `VP-${one.payment},401,11/24/2026,10.00`
    const head = 'Reference,Check Number,Date,Amount\n'
    const wrong: Record<string, string> = {
      [`VP-${two.payment},40A,11/24/2026,20.00`]: 'Line 3: “40A” is no check number',
      [`VP-${two.payment},12345678901,11/24/2026,20.00`]: 'is no check number',
      [`VP-${two.payment},402,13/45/2026,20.00`]: 'is no date',
      [`VP-${two.payment},402,11/24/2026,20.01`]: `The file has $20.01, and VP-${two.payment} is $20.00.`,
      [`VP-${two.payment},401,11/24/2026,20.00`]: 'Check 401 stands in the file twice',
      [`VP-${one.payment},402,11/24/2026,10.00`]: 'stands in line 2 already',
      [`VP-999999999,402,11/24/2026,20.00`]: 'VP-999999999 is in no check request.',
      [`VP-${two.payment},402,11/24/2026`]: 'It has 3 columns, and the heading has 4.',
      [`nobody,402,11/24/2026,20.00`]: 'is no payment number',
      [`VP-${two.payment},"402,11/24/2026,20.00`]: 'This is no CSV file',
    }
    for (const [row, words] of Object.entries(wrong)) {
      const answer = await read(`${head}${good}\n${row}\n`)
      expect([answer.status, answer.text], row).toEqual([422, expect.stringContaining(words)])
    }
    for (const content of ['', 'x', head, 'Reference,Date\n1,11/24/2026', `Check,${head}`, 'a'.repeat(1_000_001)])
      expect((await read(content)).status, content.slice(0, 20)).toBe(422)
    expect(await rowsOf('&q[state_eq]=waiting')).toHaveLength(2)
    expect((await record(one.id, '401')).status).toBe(200)
    expect((await read(`${head}VP-${one.payment},402,11/24/2026,10.00`)).text).toContain('has check 401 already, not 402')
  })
})

describe('a positive pay file', () => {
  it('of columns is byte for byte what the bank takes; each check stands in it once as issued and once as void', async () => {
    const [one, two, three] = [
      await requested('10.50', { vendor: 'Añil & Sons, Inc' }),
      await requested('2000.00', { vendor: 'River Power' }),
      await requested('3.00', { vendor: 'Zebra Gas' }),
    ]
    await record(one.id, '501')
    await record(two.id, '502')
    const waiting = await ask(staff, 'GET', '/positive_pay')
    expect(JSON.parse(waiting.text).accounts).toContainEqual(
      expect.objectContaining({
        originating_profile_id: profile,
        issued: 2,
        issued_total: '2010.50',
        void: 0,
        layout: 'Positive pay (CSV)',
      }),
    )
    const first = await write()
    expect(first.body).toMatchObject({ issued: 2, issued_total: '2010.50', void: 0, void_total: '0.00' })
    expect(await textOf(first.body['id'])).toBe(
      `I,${account},501,112426,10.50,"Anil & Sons, Inc"\r\nI,${account},502,112426,2000.00,River Power\r\n`,
    )
    expect((await write()).status).toBe(409)
    expect((await record(one.id, '509', '501')).status).toBe(409)
    await voided(two)
    // A check that is void before the bank knew of it is reported as void only.
    await record(three.id, '503')
    await voided(three)
    const second = await write()
    expect(second.body).toMatchObject({ issued: 0, void: 2, void_total: '2003.00' })
    expect(await textOf(second.body['id'])).toBe(
      `C,${account},502,112426,2000.00,River Power\r\nC,${account},503,112426,3.00,Zebra Gas\r\n`,
    )
    expect((await write()).status).toBe(409)
    expect((await rowsOf()).map(({ state }) => state)).toEqual(['reported', 'void_reported', 'void_reported'])
    expect((await trail(two.id)).at(-1)).toEqual({ event: 'update', changes: { void_file: { from: null, to: second.body['file_name'] } } })
  })

  it('of fixed columns is byte for byte what the bank takes', async () => {
    const answer = await ask(staff, 'PATCH', `/originating_profiles/${profile}`, {
      originating_profile: { positive_pay_layout: 'positive_pay_fixed' },
    })
    expect(answer.status, answer.text).toBe(200)
    const [one, two] = [await requested('10.50', { vendor: 'Harbor Gas' }), await requested('2000.00', { vendor: 'River Power' })]
    await record(one.id, '601')
    await record(two.id, '602')
    await voided(two)
    const at = `0000${account}`
    const { body } = await write()
    expect(await textOf(body['id'])).toBe(
      `${at}   000000060100000000105020261124 ${'Harbor Gas'.padEnd(54)}\r\n${at}2  000000060200000020000020261124 ${'River Power'.padEnd(54)}\r\n`,
    )
  })

  it('stands in the file history sealed, with hash, count and sum, and leaves no trace where it cannot be written', async () => {
    const check = await requested('10.50')
    await record(check.id, '701')
    await sql`update originating_profiles set layouts = '{"positive_pay": {"preset": "positive_pay_fixed"}}', routing_number = null where id = ${profile}`.execute(
      db,
    )
    expect((await write()).status).toBe(409)
    await sql`update originating_profiles set routing_number = '021000021' where id = ${profile}`.execute(db)
    await sql`update issued_checks set payee = '=1+1' where global_batch_file_payment_id = ${check.id}`.execute(db)
    await sql`update originating_profiles set layouts = '{}' where id = ${profile}`.execute(db)
    const before = await sql`select count(*) as files from global_batch_files`.execute(db)
    const refused = await write()
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Payee')])
    expect((await sql`select count(*) as files from global_batch_files`.execute(db)).rows).toEqual(before.rows)
    await sql`update issued_checks set payee = 'Sun' where global_batch_file_payment_id = ${check.id}`.execute(db)
    const { body } = await write()
    const text = await textOf(body['id'])
    const { global_batch_files: files } = JSON.parse((await ask(staff, 'GET', `/global_batch_files?q[id_eq]=${String(body['id'])}`)).text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    expect(files).toMatchObject([{ format: 'positive_pay', export_type: 'Check', payment_count: 1, total: '10.50', sha256 }])
    const { rows } = await sql<{
      sealed: Buffer
    }>`select content_encrypted as sealed from global_batch_files where id = ${String(body['id'])}::bigint`.execute(db)
    expect(rows[0]?.sealed.toString('latin1')).not.toContain(String(account))
  })

  it('asked for by many people at once, from two profiles of one account, reports no check twice', async () => {
    await sql`update originating_profiles set is_default = false where id = ${profile}`.execute(db)
    const twin = await profileOf(ground.clientId, account)
    const checks = [await requested('1.00'), await requested('2.00'), await requested('3.00')]
    for (const [at, { id }] of checks.entries()) await record(id, String(801 + at))
    const crowd = await Promise.all([1, 2, 3, 4].map(() => makeLastingPerson(db, 'super_admin')))
    const [voiding, ...answers] = await Promise.all([
      checks[0] ? voided(checks[0]) : undefined,
      ...crowd.map((who, at) => write(at % 2 === 0 ? profile : twin, who)),
    ])
    expect(voiding?.status).toBe(200)
    await write()
    const texts = await Promise.all(answers.filter(({ status }) => status === 200).map(({ body }) => textOf(body['id'])))
    const { rows } = await sql<{
      id: number
    }>`select distinct issue_file_id as id from issued_checks where check_number in (801, 802, 803) and issue_file_id is not null`.execute(
      db,
    )
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true)
    const lines = texts.join('').split('\r\n')
    for (const number of [802, 803]) expect(lines.filter((line) => line.startsWith('I,') && line.includes(`,${number},`))).toHaveLength(1)
    expect(lines.filter((line) => line.includes(',801,') && line.startsWith('I,')).length).toBeLessThanOrEqual(1)
    expect(rows.length).toBeGreaterThan(0)
  })

  it('whose session is killed before the commit is not there, and none of its checks is reported', async () => {
    const check = await requested('5.00')
    await record(check.id, '901')
    const count = async () =>
      (await sql<{ files: number }>`select count(*)::int as files from global_batch_files`.execute(db)).rows[0]?.files
    const before = await count()
    await sql`create function hold_reports() returns trigger language plpgsql as 'begin if new.issue_file_id is not null then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end'`.execute(
      db,
    )
    await sql`create trigger hold_reports before update on issued_checks for each row execute function hold_reports()`.execute(db)
    const killed = await write()
    await sql`drop trigger hold_reports on issued_checks`.execute(db)
    await sql`drop function hold_reports`.execute(db)
    expect(killed.status).toBe(503)
    expect(await count()).toBe(before)
    expect(await rowsOf()).toMatchObject([{ state: 'issued' }])
    expect((await write()).body).toMatchObject({ issued: 1, issued_total: '5.00' })
  })
})

describe('who reaches it', () => {
  it('sees, records and reports the checks of clients in reach alone, and a client’s people see nothing of it', async () => {
    const check = await requested('10.00')
    const narrow = await makeLastingPerson(db, 'muc_admin', { clients: [(await makePayer(db)).clientId] })
    expect(JSON.parse((await ask(narrow, 'GET', '/issued_checks')).text).issued_checks).toEqual([])
    expect((await record(check.id, '1', null, narrow)).status).toBe(404)
    expect((await write(profile, narrow)).status).toBe(404)
    expect(
      (await ask(narrow, 'POST', '/issued_checks', { content: `Reference,Check,Date\nVP-${check.payment},1,11/24/2026` })).text,
    ).toContain(`VP-${check.payment} is in no check request.`)
    await record(check.id, '1')
    expect(JSON.parse((await ask(narrow, 'GET', '/positive_pay')).text)).toEqual({ accounts: [], numbers_missing: 0 })
    // An account that also pays for somebody out of reach is exported by who reaches both.
    const other = await makePayer(db)
    const shared = await profileOf(other.clientId, account)
    const both = await makeLastingPerson(db, 'muc_admin', { clients: [other.clientId] })
    const refused = await write(shared, both)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('do not reach')])
    const client = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
    for (const [method, url] of [
      ['GET', '/issued_checks'],
      ['GET', '/positive_pay'],
      ['POST', '/positive_pay'],
      ['POST', '/issued_checks'],
    ] as const)
      expect((await ask(client, method, url, method === 'GET' ? undefined : {})).status, url).toBe(403)
  })
})
