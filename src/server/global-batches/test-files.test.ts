/** Tests test files for a bank over HTTP on a real PostgreSQL. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { checkNacha } from '#contract/payment-files/nacha-check.ts'
import { testFormats, type TestFormat } from '#contract/payment-files/test-input.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
const MARKS = `.-/&',()#`
let staff: Person

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
})
afterEach(() => setClock())

const make = (id: number, format: TestFormat, who = staff) =>
  ask(who, 'POST', '/global_batch_files/test', { test_file: { originating_profile_id: id, format } })
interface Made {
  readonly id: number
  readonly file_name: string
}
const made = async (id: number, format: TestFormat): Promise<Made> => {
  const answer = await make(id, format)
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text)
}
const bytesOf = async ({ id }: Made, who = staff) => ask(who, 'GET', `/global_batch_files/${id}/download`)
const rowsOf = async (query = '', who = staff): Promise<Record<string, unknown>[]> =>
  JSON.parse((await ask(who, 'GET', `/global_batch_files?per=1000${query}`)).text).global_batch_files
const completeProfile = async () => {
  const ground = await makePayer(db)
  const id = await makeBankProfile(db, ground.clientId)
  await sql`update originating_profiles set avid_payer_id = 'P1', avid_bank_account_id = 'B1', street_address_1 = '1 Main St', city = 'Denver',
    state = 'CO', zip = '80202', immediate_origin = ${String(1_000_000_000 + ground.clientId)} where id = ${id}`.execute(db)
  return { ground, id }
}

it('each format of a bank has a test file whose name and history say so, whose bytes are kept, and whose download is recorded', async () => {
  const { id } = await completeProfile()
  for (const { value: format } of testFormats) {
    const file = await made(id, format)
    expect(file.file_name).toMatch(new RegExp(`^TEST_[A-Za-z]+_${format}_20261125_1000_`))
    const [row] = await rowsOf(`&q[id_eq]=${file.id}`)
    expect(row).toMatchObject({ is_test: true, format, payment_count: 3, total: '15.15', downloads: 0 })
    const { text } = await bytesOf(file)
    expect(createHash('sha256').update(text).digest('hex')).toBe(row?.['sha256'])
    expect((await rowsOf(`&q[id_eq]=${file.id}`))[0]).toMatchObject({ downloads: 1 })
  }
  const tests = await rowsOf('&q[is_test_eq]=true')
  expect(tests.length).toBeGreaterThanOrEqual(testFormats.length)
  expect(tests.every(({ is_test }) => is_test === true)).toBe(true)
  expect((await rowsOf('&q[is_test_eq]=false')).some(({ is_test }) => is_test)).toBe(false)
})

it('the checker reads it back: TEST in the header, an entry to no account of a vendor, and an 820 that adds up', async () => {
  const { id } = await completeProfile()
  const { text } = await bytesOf(await made(id, 'nacha_plus'))
  const { read, faults } = checkNacha(new TextEncoder().encode(text), { line_end: 'lf', marks: MARKS })
  expect(faults).toEqual([])
  expect(read).toMatchObject({ is_test: true, credit: 1515, creation_date: '2026-11-25' })
  expect(read?.entries.map(({ amount, sec }) => [sec, amount])).toEqual([
    ['CCD', 101],
    ['CCD', 404],
    ['CCD', 505],
    ['CTX', 505],
  ])
})

it('pays nothing: no batch, bill, payment or limit knows of it, and it takes no modifier and no trace of a real file', async () => {
  const { ground, id } = await completeProfile()
  await sql`update originating_profiles set entry_limit = 1, file_limit = 1, release_always = true where id = ${id}`.execute(db)
  const counted = async () =>
    (
      await sql`select (select count(*) from global_batch_file_payments)::int as entries, (select count(*) from global_batch_file_batches)::int as batches,
        (select count(*) from export_day_totals)::int as totals, (select count(*) from export_releases)::int as releases,
        (select count(*) from bills where paid)::int as paid, (select count(*) from vendor_payments)::int as payments`.execute(db)
    ).rows[0]
  const before = await counted()
  const tests = [await made(id, 'standard'), await made(id, 'standard')]
  expect(tests.map(({ file_name }) => file_name)).toEqual([
    'TEST_ACH_standard_20261125_1000_A.ach',
    'TEST_ACH_standard_20261125_1000_B.ach',
  ])
  expect(await counted()).toEqual(before)

  await sql`update originating_profiles set entry_limit = null, file_limit = null, release_always = false where id = ${id}`.execute(db)
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 50000, true) on conflict (day) do update set locked = true`.execute(
    db,
  )
  const bill = await makeDeskBill(db, ground, await makeAchVendor(db), { amount: '10.00' })
  const head = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }
  const created = await ask(staff, 'POST', '/global_batches', { global_batch: { ...head, bill_ids: [bill] } })
  const [batch]: { id: number }[] = JSON.parse(created.text).global_batches
  const paid = await ask(staff, 'POST', '/global_batches/export', { ids: [batch?.id], pay_method: 'ACH' })
  expect(paid.status, paid.text).toBe(200)
  const [real]: Made[] = JSON.parse(paid.text).files
  expect(real?.file_name).toBe('ACH_standard_20261125_1000_A.ach')
  const traces = async (file: Made | undefined) => {
    const { text } = await bytesOf(file ?? { id: 0, file_name: '' })
    return (
      checkNacha(new TextEncoder().encode(text), { line_end: 'lf', marks: MARKS }).read?.entries.map(({ trace_number }) => trace_number) ??
      []
    )
  }
  const all = [...(await traces(tests[0])), ...(await traces(tests[1])), ...(await traces(real))]
  expect(all).toHaveLength(7)
  expect(new Set(all).size).toBe(7)
})

it('is refused with all that the profile lacks, for an inactive profile, and to who does not reach it', async () => {
  const { ground, id } = await completeProfile()
  await sql`update originating_profiles set company_id = null, immediate_destination = null where id = ${id}`.execute(db)
  const refused = await make(id, 'standard')
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Immediate Destination: It is missing.')
  expect(refused.text).toContain('Company ID has 10 characters')
  await sql`update originating_profiles set company_id = '1234567890', immediate_destination = '021000021' where id = ${id}`.execute(db)
  const file = await made(id, 'standard')

  const other = await makePayer(db)
  const bound = await makeLastingPerson(db, 'muc_admin', { clients: [other.clientId] })
  expect((await make(id, 'standard', bound)).status).toBe(404)
  expect((await bytesOf(file, bound)).status).toBe(404)
  expect(await rowsOf(`&q[id_eq]=${file.id}`, bound)).toEqual([])
  const own = await makeLastingPerson(db, 'muc_admin', { clients: [ground.clientId] })
  expect((await bytesOf(file, own)).status).toBe(200)
  await sql`update originating_profiles set active = false where id = ${id}`.execute(db)
  expect((await make(id, 'standard')).status).toBe(409)
})
