/** A vendor's bank details, as two users see them: one requests, the other decides. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { heardNotice } from './notices-said.ts'

const { app, db, open } = await startConsole()
let anna: Person
let bruno: Person
let reader: Person
const longName = 'The Very Long Named Municipal Power, Water and Light Authority'

beforeAll(async () => {
  anna = await makePerson(db, 'super_admin')
  bruno = await makePerson(db, 'muc_admin')
  await sql`update users set first_name = 'Anna', last_name = 'Asker' where id = ${anna.id}`.execute(db)
  await sql`update users set first_name = 'Bruno', last_name = 'Brook' where id = ${bruno.id}`.execute(db)
  reader = await makePerson(db, 'client_user', { clients: [await makeClient(db)] })
})

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const stored = async (code: string) =>
  (
    await sql<{
      id: number
      po_box: string | null
      account: string | null
    }>`select id, po_box_last4 as po_box, payment_identifier_last4 as account from vendors where short_code = ${code}`.execute(db)
  ).rows[0]

test('new bank details wait; another person sees what changes, approves, and the vendor bears the mark [VEND-FIELD-003] [VEND-FIELD-004] [VEND-FIELD-005]', async () => {
  const mine = await open(anna, { at: '/vendors/new' })
  await mine.getByLabel('Name *', { exact: true }).fill(longName)
  await mine.getByLabel('Short Code *', { exact: true }).fill('MUNI')
  await mine.getByLabel('W-9 Name', { exact: true }).fill('Municipal Authority')
  await mine.getByLabel('Aliases').first().fill('Muni Light')
  await mine.getByLabel('Routing Number', { exact: true }).fill('021000022')
  // It warns, but does not prevent saving.
  await mine.getByText('The check digit of this routing number is wrong. It can be saved all the same.').waitFor()
  await mine.getByLabel('Accounting Number', { exact: true }).fill('998877665544')
  await mine.getByLabel('Account Holder').fill('Municipal Authority')
  await lookedAt(mine, 'vendor-form-new-dark')
  await save(mine)
  await mine.waitForURL('**/vendors')
  expect((await heardNotice(mine)).message).toContain('The bank details wait until somebody else approves them')
  const made = await stored('MUNI')
  expect(made).toMatchObject({ po_box: null, account: null })
  await mine.goto('/vendors?short_code=MUNI')
  await rowOf(mine, 'Waiting for approval').waitFor()
  await lookedAt(mine, 'vendor-list-waiting-dark')

  const other = await open(bruno, { at: '/vendor_bank_changes?state=waiting', theme: 'light' })
  await rowOf(other, 'Anna Asker').waitFor()
  await lookedAt(other, 'bank-change-list-light')
  await rowOf(other, longName).getByRole('link').click()
  await other.getByRole('heading', { name: `Bank details of ${longName}` }).waitFor()
  const table = other.getByRole('table')
  expect(await table.getByRole('row', { name: /^Routing Number/ }).innerText()).toMatch(/none\s+•••••0022/)
  expect(await table.getByRole('row', { name: /^Accounting Number/ }).innerText()).toContain('•••••5544')
  expect(await table.getByRole('row', { name: /^Account Type/ }).innerText()).toMatch(/Checking\s+stays/)
  await other.getByText('The new routing number is doubtful').waitFor()
  await lookedAt(other, 'bank-change-review-light')
  const asked = apiRequests(other)
  expect(await other.content()).not.toContain('998877665544')
  await other.getByRole('button', { name: 'Show the full new numbers' }).click()
  await other.getByText('998877665544', { exact: true }).waitFor()
  expect(asked.filter((one) => one.includes('bank_details'))).toHaveLength(1)
  const { rows } = await sql`select event, item_type from audit_records where user_id = ${bruno.id} and event = 'access'`.execute(db)
  expect(rows).toEqual([{ event: 'access', item_type: 'vendor_bank_change' }])
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await other.getByRole('alertdialog').getByText('Have you called the vendor').waitFor()
  await lookedAt(other, 'bank-change-approve-light')
  await other.getByRole('alertdialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await other.getByText('Approved by Bruno Brook', { exact: false }).waitFor()
  expect(await other.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  expect(await stored('MUNI')).toMatchObject({ po_box: '0022', account: '5544' })

  await mine.goto(`/vendors/${made?.id ?? 0}/edit`)
  await mine.getByText(/Bank details changed on .* by Anna Asker, approved by Bruno Brook/).waitFor()
  expect(await mine.getByLabel('Accounting Number', { exact: true }).inputValue()).toBe('••••5544')
  await lookedAt(mine, 'vendor-form-changed-dark')
  // Gone with the page: revealed numbers are not stored.
  await mine.getByRole('button', { name: 'Show', exact: true }).last().click()
  await soon(() => mine.getByLabel('Accounting Number', { exact: true }).inputValue()).toBe('998877665544')
  await mine.reload()
  await soon(() => mine.getByLabel('Accounting Number', { exact: true }).inputValue()).toBe('••••5544')
})

test('a refusal gives its reason, nobody decides their own, and what waits can be withdrawn by who asked', async () => {
  const make = (short_code: string) =>
    app.ask(anna, 'POST', '/vendors', { vendor: { name: `Gas ${short_code}`, short_code, payment_identifier: '4455667788' } })
  const first = Number((await make('REF')).body['id'])
  const second = Number((await make('WDR')).body['id'])
  const changeOf = async (vendor: number) =>
    (await sql<{ id: number }>`select id from vendor_bank_changes where vendor_id = ${vendor}`.execute(db)).rows[0]?.id ?? 0
  const other = await open(bruno, { at: `/vendor_bank_changes/${await changeOf(first)}` })
  await other.getByRole('button', { name: 'Refuse…' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await dialog.getByText('Reason is required').waitFor()
  await dialog.getByLabel('Reason *').fill('The letter came from a new address')
  await lookedAt(other, 'bank-change-refuse-dark')
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await other.getByText('Reason: The letter came from a new address').waitFor()

  const mine = await open(anna, { at: `/vendor_bank_changes/${await changeOf(second)}` })
  await mine.getByText('Somebody else has to approve it.').waitFor()
  expect(await mine.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  await mine.getByRole('button', { name: 'Withdraw' }).click()
  await mine.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await mine.getByText('Withdrawn by Anna Asker', { exact: false }).waitFor()
  await mine.getByRole('link', { name: 'Bank Changes' }).click()
  await soon(() => addressOf(mine)).toBe(`/vendors/${second}/bank_changes`)
  expect(await rowOf(mine, 'Gas WDR').innerText()).toContain('Withdrawn')
  await mine.getByRole('button', { name: 'Notifications' }).click()
  await mine.getByText('The new bank details of Gas REF were refused').first().waitFor()
})

test('a utility service shows its published factors with source and year, and takes a new one from a month on', async () => {
  const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
  const at = `/utility_services/${rows[0]?.id ?? 0}/edit`
  const page = await open(anna, { at, theme: 'light' })
  await page.getByText('EPA eGRID, eGRID2023 revision 2 (June 2025)').waitFor()
  await page.getByRole('button', { name: 'Add Emission Factor' }).click()
  const group = page.getByRole('group', { name: 'Emission Factors' }).last()
  const month = group.getByLabel('Effective From *')
  // Adding a row moves the focus into it, and '1/20' is not taken for a month while '1/2027' is being typed.
  await soon(() => month.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('1/2027')
  expect(await month.inputValue()).toBe('1/2027')
  await page.keyboard.press('Tab')
  await soon(() => month.inputValue()).toBe('01/2027')
  await month.fill('')
  await group.getByLabel('Emissions Factor *').fill('0.31')
  await group.getByLabel('Source *').fill('Supplier letter of May')
  await save(page)
  await group.getByText('Missing Month').waitFor()
  await month.fill('07/2025')
  await group.getByLabel('Year *').fill('2025')
  await lookedAt(page, 'utility-service-factors-light')
  await save(page)
  await page.waitForURL('**/utility_services')
  await page.goto(at)
  await soon(() => page.getByLabel('Source *').inputValue()).toBe('Supplier letter of May')
  expect(await page.getByLabel('Emissions Factor (CO2) *').inputValue()).toContain('0.31')
})

test('client users see neither the tab, nor the mark, nor a change', async () => {
  const { body } = await app.ask(anna, 'POST', '/vendors', { vendor: { name: 'Quiet Water', short_code: 'QUIET', po_box: '021000021' } })
  const page = await open(reader, { at: '/vendors?short_code=QUIET' })
  await rowOf(page, 'Quiet Water').waitFor()
  expect(await page.getByText('Waiting for approval').count()).toBe(0)
  expect(await page.getByRole('columnheader', { name: 'Bank Details' }).count()).toBe(0)
  await page.goto(`/vendors/${String(body['id'])}/bank_changes`)
  await page.getByText('You have no access to this page').waitFor()
})
