/** The jobs of a day with people and files: each prints what it costs in clicks, keys and seconds, and holds clicks and keys. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { addRole, makePerson, type Person } from '../support/app.ts'
import { makeClient, makeDivision, makeFacility } from '../support/estate.ts'
import { pdfOf } from '../support/forms.ts'
import { soon, startConsole, storedCredentials } from './console.ts'
import { chooseFile, endJob, startJob } from './job-cost.ts'
import { type } from './keys.ts'
import { makeUser } from './user-pages.ts'

const { app, db, open } = await startConsole()
const MINUTE = 60_000
const password = 'a long enough password'
let admin: Person
let client: number
let dock: number

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  client = await makeClient(db, { name: 'Harbor Foods' })
  const division = await makeDivision(db, client, { name: 'West' })
  await sql`update divisions set code = 'D01' where id = ${division}`.execute(db)
  dock = await makeFacility(db, client, division, { name: 'Dock Four' })
})

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })

test('job 1: a first sign-in', async () => {
  const email = 'first@example.test'
  const { rows } = await sql<{ id: number }>`insert into users (email, username, password_hash, account_confirmed)
    values (${email}, 'first', ${await hashPassword(password)}, true) returning id`.execute(db)
  await addRole(db, rows[0]?.id ?? 0, 'super_admin', {})
  const page = await open(null, { at: '/login' })
  await page.getByLabel('Email').waitFor()
  await startJob(page)
  await type(page, page.getByLabel('Email'), email)
  await type(page, page.getByLabel('Password'), password)
  await page.keyboard.press('Enter')
  await page.getByRole('banner').waitFor()
  await endJob(page, 1, { clicks: 0, keys: email.length + password.length + 4 })
  const [token, device, uid] = await storedCredentials(page)
  const headers = { 'access-token': token ?? '', client: device ?? '', uid: uid ?? '' }
  const answer = await app.ask({ id: rows[0]?.id ?? 0, email, headers }, 'GET', '/clients?per=1')
  expect(answer.status, answer.text).toBe(200)
})

test('job 10: a person is invited, and the mail is on its way', async () => {
  const page = await open(admin, { at: '/users' })
  await page.getByRole('link', { name: 'Add New' }).waitFor()
  await startJob(page)
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'New Form' }).waitFor()
  for (const [label, text] of [
    ['Email *', 'amy@harbor.test'],
    ['Username *', 'amy'],
    ['First Name', 'Amy'],
    ['Last Name', 'Ford'],
  ] as const)
    await type(page, field(page, label), text)
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/users\/\d+\/roles$/)
  await endJob(page, 10, { clicks: 0, keys: 40 })
  const { rows } = await sql`select users.first_name, users.account_confirmed, count(mails.id)::int as mails from users
    left join mails on mails.to_address = users.email where users.email = 'amy@harbor.test' group by users.id`.execute(db)
  expect(rows).toEqual([{ first_name: 'Amy', account_confirmed: false, mails: 1 }])
})

test('job 11: a client user is narrowed to one facility', async () => {
  const { id } = await makeUser(db)
  const page = await open(admin, { at: `/users/${id}/roles` })
  await page.getByRole('link', { name: 'Add a role' }).waitFor()
  await startJob(page)
  await page.getByRole('link', { name: 'Add a role' }).click()
  await type(page, field(page, 'Role *'), 'Client User')
  for (const [label, text] of [
    ['Client', 'Harbor Foods'],
    ['Facilities', 'Dock Four'],
  ] as const) {
    await type(page, page.getByRole('combobox', { name: label, exact: true }), text.slice(0, 4))
    await page.getByRole('option', { name: new RegExp(text) }).waitFor()
    await page.keyboard.press('Enter')
  }
  await page.getByText(/only in the facility Dock Four/).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(`**/users/${id}/roles`)
  await endJob(page, 11, { clicks: 1, keys: 28 })
  const { rows } = await sql`select roles.name, facility.facility_id from user_roles
    join roles on roles.id = user_roles.role_id join user_role_facilities facility on facility.user_role_id = user_roles.id
    where user_roles.user_id = ${id}`.execute(db)
  expect(rows).toEqual([{ name: 'client_user', facility_id: dock }])
})

test('job 12: a document is uploaded, and takes its title from the name of its file', async () => {
  const page = await open(admin, { at: `/clients/${client}/documents` })
  await page.getByRole('link', { name: 'Add New' }).first().waitFor()
  await startJob(page)
  await page.getByRole('link', { name: 'Add New' }).first().click()
  const file = { name: 'Lease of the dock.pdf', mimeType: 'application/pdf', buffer: pdfOf('Lease of the dock') }
  await chooseFile(page, page.getByText('Drop a file here, or choose one'), file)
  await soon(() => page.getByRole('form').getByLabel('Title').inputValue()).toBe('Lease of the dock')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(`**/clients/${client}/documents`)
  await page.getByRole('grid', { name: 'Documents' }).getByText('Lease of the dock.pdf').waitFor()
  await endJob(page, 12, { clicks: 3, keys: 0 })
  const { rows } = await sql`select title, files.filename from documents join files on files.id = documents.file_id
    where documents.client_id = ${client}`.execute(db)
  expect(rows).toEqual([{ title: 'Lease of the dock', filename: file.name }])
  // A title that was typed stays.
  await page.getByRole('link', { name: 'Add New' }).first().click()
  await type(page, page.getByRole('form').getByLabel('Title'), 'Plan')
  await chooseFile(page, page.getByText('Drop a file here, or choose one'), { ...file, name: 'scan-0042.pdf' })
  await page.getByRole('form').getByText('scan-0042.pdf').waitFor()
  expect(await page.getByRole('form').getByLabel('Title').inputValue()).toBe('Plan')
})

/** Fifty facilities of which three are refused: an unknown division, and two areas that are no numbers. */
const badAreas: Readonly<Record<number, string>> = { 20: 'wide', 40: 'broad' }
const fifty = [
  'number,name,division_code,square_footage',
  ...Array.from(
    { length: 50 },
    (_, place) => `F-${place + 1},Store ${place + 1},${place === 10 ? 'D0l' : 'D01'},${badAreas[place] ?? 100 + place}`,
  ),
].join('\n')

test(
  'job 13: a file of fifty rows is imported; the three that are refused come back as a file, are mended and imported',
  { timeout: 2 * MINUTE },
  async () => {
    const page = await open(admin, { at: `/clients/${client}/facilities` })
    const link = page.getByRole('link', { name: 'Import', exact: true })
    await link.waitFor()
    const done = (state: string) =>
      page.getByRole('region', { name: 'Import', exact: true }).getByText(state, { exact: true }).waitFor({ timeout: MINUTE })
    const check = async (name: string, text: string) => {
      await chooseFile(page, page.getByText('Drop a file here, or choose one'), { name, mimeType: 'text/csv', buffer: Buffer.from(text) })
      await page.getByRole('button', { name: 'Check the file' }).click()
      await done('Checked, not stored')
    }
    const stored = async () =>
      (await sql`select count(*)::int as stores from facilities where client_id = ${client} and name like 'Store %'`.execute(db)).rows
    await startJob(page)
    await link.click()
    await check('stores.csv', fifty)
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download \d refused row/ }).click()
    const refused = await readFile(await (await coming).path(), 'utf8')
    await page.getByRole('button', { name: /^Import \d+ rows/ }).click()
    await done('Stored')
    expect(await stored()).toEqual([{ stores: 47 }])
    await page.getByRole('link', { name: 'Another file' }).click()
    await check('mended.csv', refused.replace('D0l', 'D01').replace('wide', '120').replace('broad', '140'))
    await page.getByRole('button', { name: /^Import \d+ rows?/ }).click()
    await done('Stored')
    await endJob(page, 13, { clicks: 9, keys: 0 })
    expect(await stored()).toEqual([{ stores: 50 }])
  },
)
