/** Tests the layouts that a bank profile has of its own: versions, rights, and the files that are written with them. */
import { ownCheckRequest } from '#contract/payment-files/golden-cases.ts'
import { checkLayout } from '#contract/payment-files/layout-check.ts'
import { readyLayout } from '#contract/payment-files/layout-presets.ts'
import { layout, type Layout, type LayoutColumn } from '#contract/payment-files/layout.ts'
import type { ProfileLayout } from '#contract/originating-profiles/profile-layout.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeBankProfile, makeDeskBill, makeDeskVendor, makePayer } from '../../../test/support/desk.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
let staff: Person
let payer: Ground
let profile: number

beforeEach(async () => {
  staff = await makePerson(db, 'super_admin')
  payer = await makePayer(db)
  profile = await makeBankProfile(db, payer.clientId)
  await sql`delete from global_batch_bank_values`.execute(db)
  await sql`insert into global_batch_bank_values (day, value, locked)
    select (now() at time zone 'America/New_York')::date + n, 9000000, true from generate_series(0, 1) n`.execute(db)
})

interface Draft {
  readonly format?: string
  readonly layout?: Layout | null
  readonly newest_version?: number
}
const at = (id = profile) => `/originating_profiles/${id}/layouts`
const save = (draft: Draft, who = staff, id = profile): Promise<Answer> =>
  ask(who, 'POST', at(id), { profile_layout: { format: 'check_request', layout: ownCheckRequest, newest_version: 0, ...draft } })
async function saved(draft: Draft = {}): Promise<void> {
  const { status, text } = await save(draft)
  expect(status, text).toBe(200)
}
async function layouts(who = staff): Promise<Map<string, ProfileLayout>> {
  const { status, text } = await ask(who, 'GET', at())
  expect(status, text).toBe(200)
  const { profile_layouts: rows }: { profile_layouts: ProfileLayout[] } = JSON.parse(text)
  return new Map(rows.map((row) => [row.format, row]))
}
const withColumn = (place: number, change: Partial<LayoutColumn>): Layout => ({
  ...ownCheckRequest,
  columns: ownCheckRequest.columns.map((column, index) => (index === place ? { ...column, ...change } : column)),
})

/** Batches a bill of the payer and exports it by check. */
async function exported(amount = '12.50', number = '77-1') {
  const vendor = await makeDeskVendor(db, { method: 'Check', name: 'Paper & Light' })
  const bill = await makeDeskBill(db, payer, vendor, { amount })
  await sql`update bills set account_number = ${number} where id = ${bill}`.execute(db)
  const made = await ask(staff, 'POST', '/global_batches', {
    global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: [bill] },
  })
  expect(made.status, made.text).toBe(200)
  const id = Number(made.body['id'])
  return { id, answer: await ask(staff, 'POST', '/global_batches/export', { ids: [id], pay_method: 'Check' }) }
}
const fileOf = ({ text }: Answer): number => {
  const { files }: { files: { id: number }[] } = JSON.parse(text)
  return files[0]?.id ?? 0
}
const download = async (file: number): Promise<string> => (await ask(staff, 'GET', `/global_batch_files/${file}/download`)).text
async function versionOf(file: number): Promise<{ name: string; layout: Layout }> {
  const { rows } = await sql<{ layout: unknown }>`select own.layout from global_batch_files file join originating_profile_layouts own
    on own.client_id = file.layout_client_id and own.id = file.layout_version_id where file.id = ${file}`.execute(db)
  const { text } = await ask(staff, 'GET', `/global_batch_files?q[id]=${file}`)
  const { global_batch_files: files }: { global_batch_files: { layout_version: string | null }[] } = JSON.parse(text)
  return { name: files[0]?.layout_version ?? 'none', layout: layout.parse(rows[0]?.layout) }
}

describe('a layout of a profile', () => {
  it('is the ready-made one until a version is saved; each save is the next version, in the trail too', async () => {
    expect((await layouts()).get('check_request')).toMatchObject({
      in_force: 'Check request (CSV)',
      version: null,
      newest_version: 0,
      versions: [],
    })
    await saved()
    await saved({ layout: withColumn(1, { width: 20 }), newest_version: 1 })
    const { versions, ...now } = (await layouts()).get('check_request') ?? { versions: [] }
    expect(now).toMatchObject({ in_force: 'Own layout, version 2', version: 2, newest_version: 2, layout: withColumn(1, { width: 20 }) })
    expect(versions.map(({ version, file_count }) => [version, file_count])).toEqual([
      [2, 0],
      [1, 0],
    ])
    await saved({ layout: null, newest_version: 2 })
    expect((await layouts()).get('check_request')).toMatchObject({ in_force: 'Check request (CSV)', version: null, newest_version: 2 })
    const { rows } = await sql<{ changes: unknown }>`select object_changes as changes from audit_records
      where item_type = 'originating_profile' and item_id = ${profile} and client_id = ${payer.clientId} order by id`.execute(db)
    expect(rows.map(({ changes }) => changes)).toEqual([
      { check_request_layout: { from: 'Check request (CSV)', to: 'Own layout, version 1' } },
      { check_request_layout: { from: 'Own layout, version 1', to: 'Own layout, version 2' } },
      { check_request_layout: { from: 'Own layout, version 2', to: 'Check request (CSV)' } },
    ])
  })

  it('cannot be edited where the records are fixed', async () => {
    for (const format of ['standard', 'nacha_plus', 'accounting']) {
      expect((await layouts()).get(format)).toMatchObject({ layout: null, fixed_because: expect.any(String) })
      expect((await save({ format })).body['errors']).toMatchObject({
        fields: { format: ['Format must be one whose layout can be edited'] },
      })
    }
  })

  it('is refused with its column, and nothing is stored', async () => {
    const { status, text } = await save({ layout: withColumn(1, { width: null }) })
    expect(status).toBe(422)
    expect(text).toContain('Column 2: a file of fixed width needs the width of each column')
    expect((await layouts()).get('check_request')?.newest_version).toBe(0)
  })

  it('is saved once of two people who began with the same version', async () => {
    const answers = await Promise.all([save({}), save({ layout: withColumn(1, { width: 30 }) })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body['message']).toBe(
      'Somebody else has saved version 1 of this layout meanwhile. Load the page again.',
    )
  })

  it('of another client and of the provider is absent for staff who are narrowed to one client', async () => {
    const narrow = await makePerson(db, 'muc_admin', { clients: [payer.clientId] })
    const other = await makeBankProfile(db, (await makePayer(db)).clientId)
    const { rows } = await sql<{
      id: number
    }>`insert into originating_profiles (client_id, name, is_default, active) values (0, 'Provider', false, true) returning id`.execute(db)
    for (const id of [other, rows[0]?.id ?? 0, 999_999_999]) {
      expect((await ask(narrow, 'GET', at(id))).status).toBe(404)
      expect((await save({}, narrow, id)).status).toBe(404)
    }
    expect((await layouts(narrow)).size).toBe(11)
    const reader = await makePerson(db, 'client_admin', { clients: [payer.clientId] })
    expect((await ask(reader, 'GET', at())).status).toBe(403)
    const { rows: stored } = await sql`select 1 as one from originating_profile_layouts where originating_profile_id = ${other}`.execute(db)
    expect(stored).toEqual([])
  })

  it('takes a fixed text in a file that somebody pays by from a super_admin alone; others keep those that are there', async () => {
    const clerk = await makePerson(db, 'muc_admin')
    const refused = await save({}, clerk)
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Column 1: only a super_admin adds a fixed text to a file that somebody pays by'),
    ])
    await saved()
    expect((await save({ layout: withColumn(1, { width: 30 }), newest_version: 1 }, clerk)).status).toBe(200)
    const register = { ...readyLayoutOf('op_worklist'), total_row: false }
    expect((await save({ format: 'op_worklist', layout: withText(register, 'Desk 4') }, clerk)).status).toBe(200)
  })

  it('is chosen again in the form of the profile once there is one', async () => {
    const patch = (positive_pay_layout: string) =>
      ask(staff, 'PATCH', `/originating_profiles/${profile}`, { originating_profile: { positive_pay_layout } })
    expect((await patch('own')).text).toContain('This profile has no layout of its own for this format')
    const own = { ...readyLayoutOf('positive_pay'), delimiter: ';' } as const
    await saved({ format: 'positive_pay', layout: own })
    const shown = async () => (await ask(staff, 'GET', `/originating_profiles/${profile}`)).body['originating_profile']
    expect(await shown()).toMatchObject({ positive_pay_layout: 'own' })
    expect((await patch('positive_pay_fixed')).status).toBe(200)
    expect((await layouts()).get('positive_pay')).toMatchObject({ in_force: 'Positive pay, 100 characters a line', version: null })
    expect((await patch('own')).status).toBe(200)
    expect((await layouts()).get('positive_pay')).toMatchObject({ version: 1 })
  })
})

describe('a file', () => {
  it('is written with the version in force and names it; the checker reads it with that version whatever was saved since', async () => {
    await saved()
    const { answer } = await exported()
    expect(answer.status, answer.text).toBe(200)
    const first = fileOf(answer)
    await saved({ layout: withColumn(1, { width: 20 }), newest_version: 1 })
    const second = fileOf((await exported()).answer)
    const found = [await versionOf(first), await versionOf(second)]
    expect(found.map(({ name }) => name)).toEqual(['Main, version 1', 'Main, version 2'])
    const texts = [await download(first), await download(second)]
    expect(texts.map((text) => text.split('\n')[0]?.length)).toEqual([69, 73])
    const taken = texts.map((text) => found.map((own) => checkLayout(Buffer.from(text), own.layout).read !== null))
    expect(taken).toEqual([
      [true, false],
      [false, true],
    ])
    expect((await layouts()).get('check_request')?.versions.map(({ file_count }) => file_count)).toEqual([1, 1])
  })

  it('is not written where a value is wider than its column: the export names line and column and pays nothing', async () => {
    await saved({ layout: withColumn(5, { width: 5 }) })
    const { id, answer } = await exported('12.50', '123456')
    expect([answer.status, answer.text]).toEqual([
      422,
      expect.stringContaining('Utility account number has more than 5 characters (line 1, column 6)'),
    ])
    const { rows } = await sql`select is_paid from payment_batches where id = ${id}`.execute(db)
    expect(rows).toEqual([{ is_paid: false }])
  })

  it('keeps the profile whose version it names', async () => {
    await saved()
    await exported()
    const { status, text } = await ask(staff, 'DELETE', `/originating_profiles/${profile}`)
    expect([status, text]).toEqual([409, expect.stringContaining('still used')])
    const other = await makeBankProfile(db, (await makePayer(db)).clientId)
    expect((await save({}, staff, other)).status).toBe(200)
    expect((await ask(staff, 'DELETE', `/originating_profiles/${other}`)).status).toBe(200)
  })

  it('of a test is written with it too', async () => {
    const columns = ownCheckRequest.columns.map((column) => ({ ...column, width: Math.max(column.width ?? 0, 14) }))
    await saved({ layout: { ...ownCheckRequest, columns } })
    const test_file = { originating_profile_id: profile, format: 'check_request' }
    const made = await ask(staff, 'POST', '/global_batch_files/test', { test_file })
    expect(made.status, made.text).toBe(200)
    expect((await versionOf(Number(made.body['id']))).name).toBe('Main, version 1')
  })
})

function readyLayoutOf(format: 'op_worklist' | 'positive_pay'): Layout {
  const found = readyLayout(format)
  if (!found) throw new Error('there is no such layout')
  return found
}

function withText(of: Layout, text: string): Layout {
  return layout.parse({ ...of, columns: [...of.columns, { heading: 'Desk', source: null, text }] })
}
