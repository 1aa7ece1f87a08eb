/** The payment of global batches in the built console: exports, OP, NP, the accounting export, and the history of their files. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeDeskVendor, makePayer } from '../support/desk.ts'
import { soon, startConsole } from './console.ts'
import { button, column, dayOn, grid, hasRows, makeDesk, rows, shownDate, startDay, titles } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const underTest = await startConsole()
const { app, db, open } = underTest
const WORK_MS = 120_000
const batches = 'Global Batches'
const files = 'Global Batch File History'
let clerk: Person

beforeAll(async () => {
  clerk = await makePerson(db, 'muc_admin')
  await makeDesk(db)
}, WORK_MS)
beforeEach(() => startDay(underTest, clerk, '50000'))

const said = async (page: Page, title: string, message = '') =>
  soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title, message }))
const tick = (page: Page, text: string) => rows(page, batches).filter({ hasText: text }).first().getByRole('checkbox').click()
const dialog = (page: Page) => page.getByRole('alertdialog')
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Global Batch' }).getByRole('link').filter({ hasText: name }).first()
const actions = (page: Page) => page.getByRole('group', { name: 'Actions for batches' }).getByRole('button').allInnerTexts()

/** Makes a batch of the bills with these amounts, by the console's call. */
async function makeBatch(...amounts: string[]): Promise<number> {
  const { rows: bills } = await sql<{ id: number }>`select id from bills where amount_due = any(${amounts}::numeric[])`.execute(db)
  const head = { batch_date: dayOn(0), bills_due_date: dayOn(14), bill_ids: bills.map(({ id }) => id) }
  const { body } = await app.ask(clerk, 'POST', '/global_batches', { global_batch: head })
  return Number(body['id'])
}

test(
  'a batch is exported after its payments were read, leaves its tab and stays without a box until the accounting export, whose file stands in the history [GB-SCREEN-022] [GB-SCREEN-025] [GB-SCREEN-014] [GB-TRANS-009] [GB-TRANS-010] [GB-TRANS-012] [GB-TRANS-013] [GB-RULE-015] [GB-RULE-035] [GB-MSG-003] [GB-MSG-010] [GB-MSG-012] [GB-MSG-014] [GB-MSG-015] [GB-MSG-022] [FHIST-ROUTE-001] [FHIST-SCREEN-001] [FHIST-SCREEN-002] [FHIST-SCREEN-003]',
  { timeout: WORK_MS },
  async () => {
    await makeBatch('100.25', '101.25')
    await makeBatch('102.25')
    const page = await open(clerk, { at: '/global_batch/todays_batches', mayComplain: true })
    await hasRows(page, batches, 2)
    expect(await actions(page)).toContain('Export paid batches')
    await button(page, 'Export paid batches').click()
    await said(page, 'No paid batches.', 'There are no batches which are paid that have not already been finalized today.')
    await tick(page, '$102.25')
    await soon(() => actions(page)).not.toContain('Export paid batches')
    await tab(page, 'Check').click()
    await hasRows(page, batches, 2)
    await button(page, 'Export as Check').click()
    await said(page, 'Missing batches', 'Must have one or more batches to export')
    await tick(page, '$201.50')
    await page.route('**/global_batches/export', (route) => route.fulfill({ status: 503, json: {} }))
    await button(page, 'Export as Check').click()
    expect(await dialog(page).innerText()).toMatch(/Export as Check: 1 payment · \$201\.50\?[\s\S]*1 payment of 1 payer, \$201\.50/)
    await lookedAt(page, 'global-batch-export-dark')
    await dialog(page).getByRole('button', { name: 'Export as Check' }).click()
    await said(page, 'Request error', 'Service Unavailable')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await page.unroute('**/global_batches/export')
    await button(page, 'Export as Check').click()
    await dialog(page).getByRole('button', { name: 'Export as Check' }).click()
    await said(page, 'Export was created')
    await dialog(page).getByRole('link', { name: /Check/ }).waitFor()
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await hasRows(page, batches, 1)

    await tab(page, 'Today’s Batches').click()
    await hasRows(page, batches, 2)
    const paid = rows(page, batches).filter({ hasText: '$201.50' })
    // The previous list stays until the new one arrives.
    await soon(() => paid.innerText()).toContain('Paid')
    expect(await paid.getByRole('checkbox').count()).toBe(0)
    await lookedAt(page, 'todays-batches-paid-dark')
    await button(page, 'Export paid batches').click()
    await dialog(page).getByText('Create the global export?', { exact: true }).waitFor()
    await sql`update users set password_hash = ${await hashPassword('the first of all readings')} where id = ${clerk.id}`.execute(db)
    await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${clerk.id}`.execute(db)
    await dialog(page).getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog', { name: 'Enter your password' }).getByLabel('Current Password').fill('the first of all readings')
    expect((await sql`select from payment_batches where is_global and finalized`.execute(db)).rows).toEqual([])
    await page.keyboard.press('Enter')
    await said(page, 'Export was created')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await hasRows(page, batches, 1)
    await button(page, 'Export paid batches').click()
    await said(page, 'No paid batches.', 'There are no batches which are paid that have not already been finalized today.')

    await page.goto('/global_batch/files')
    await soon(() => rows(page, files).count()).toBeGreaterThanOrEqual(2)
    expect((await titles(page, files)).slice(0, 5)).toEqual(['File Name', 'Created Date', 'Created Time', 'Export Type', 'File'])
    expect((await column(page, files, 'Export Type'))[0]).toBe('Accounting')
    expect(await column(page, files, 'Export Type')).toContain('Check')
    expect((await column(page, files, 'Created Date'))[0]).toBe(shownDate(dayOn(0)))
    expect((await column(page, files, 'Created Time'))[0]).toMatch(/^\d{1,2}:\d\d [AP]M/)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      rows(page, files).filter({ hasText: 'Check' }).first().getByRole('link', { name: 'Download' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe(
      (await column(page, files, 'File Name'))[(await column(page, files, 'Export Type')).indexOf('Check')],
    )
    await lookedAt(page, 'global-batch-files-dark')
  },
)

test(
  'OP batches are paid and NP batches finalized after a question; ACH has its four formats [GB-SCREEN-023] [GB-SCREEN-024] [GB-TRANS-011] [GB-TRANS-018] [GB-TRANS-019] [GB-CONST-009]',
  { timeout: WORK_MS },
  async () => {
    const op = await makeBatch('103.25')
    const np = await makeBatch('0.80')
    await app.ask(clerk, 'PATCH', '/global_batches/temp_pay_method', { ids: [op], temp_method: 'OP' })
    await app.ask(clerk, 'PATCH', '/global_batches/temp_pay_method', { ids: [np], temp_method: 'NP' })
    const page = await open(clerk, { at: '/global_batch/todays_batches/OP' })
    await hasRows(page, batches, 1)
    await tick(page, '$103.25')
    await button(page, 'Pay OP batches').click()
    expect(await dialog(page).innerText()).toContain('1 batch · $103.25')
    await dialog(page).getByRole('button', { name: 'Pay' }).click()
    await page.getByText('No open OP batches').waitFor()
    await tab(page, 'NP').click()
    await hasRows(page, batches, 1)
    await tick(page, '$0.80')
    await button(page, 'Finalize NP batches').click()
    await dialog(page).getByRole('button', { name: 'Finalize' }).click()
    await page.getByText('No open NP batches').waitFor()
    await tab(page, 'Today’s Batches').click()
    await hasRows(page, batches, 1)
    expect(await column(page, batches, 'Pay Type')).toEqual(['OP (Check)'])
    await tab(page, 'ACH').click()
    await page.getByText('No open ACH batches').waitFor()
    const formats = await page.getByRole('combobox', { name: 'ACH format' }).locator('option').allInnerTexts()
    expect(formats).toEqual(['Standard', 'NACHA+', 'ACH 2 Internal', 'ACH Bank'])
    expect(await grid(page, batches).count()).toBe(1)
  },
)

test(
  'the first payment since bank details changed is exported after a tick for its vendor, and stays marked on the batch and in the file history',
  { timeout: WORK_MS },
  async () => {
    const payer = await makePayer(db)
    await makeBankProfile(db, payer.clientId)
    const vendor = await makeAchVendor(db, 'Valley Wire')
    await sql`update vendors set bank_changed_at = '2026-01-20 15:00Z' where id = ${vendor}`.execute(db)
    await makeDeskBill(db, payer, vendor, { amount: '345.67' })
    const id = await makeBatch('345.67')
    const mark = 'First payment since the bank details changed on 01/20/2026 by an unknown user'
    const page = await open(clerk, { at: `/global_batch/view/${id}/bills` })
    await page.getByRole('list', { name: 'First payments' }).getByText(mark).waitFor()
    await tab(page, 'ACH').click()
    await hasRows(page, batches, 1)
    await tick(page, '$345.67')
    await button(page, 'Export as ACH').click()
    const asked = dialog(page)
    expect(await asked.innerText()).toMatch(/Export as ACH: 1 payment · \$345\.67\?/)
    expect(await asked.innerText()).toContain(mark)
    await lookedAt(page, 'global-batch-first-payment-dark')
    const confirming = asked.getByRole('button', { name: 'Export as ACH' })
    expect(await confirming.getAttribute('aria-disabled')).toBe('true')
    await asked.getByRole('checkbox', { name: /Valley Wire/ }).press('Space')
    await confirming.press('Enter')
    await said(page, 'Export was created')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await page.goto(`/global_batch/view/${id}/bills`)
    await page.getByRole('table', { name: 'Payments of the batch' }).getByText(mark).waitFor()
    await page.goto('/global_batch/files')
    await soon(() => column(page, files, 'First Payments')).toContain(
      'Valley Wire: first payment since the bank details changed on 01/20/2026 by an unknown user',
    )
  },
)

test(
  'an export above a limit says beforehand that it waits, holds its batch, and is paid when a second person releases it by the keyboard',
  { timeout: WORK_MS },
  async () => {
    const payer = await makePayer(db)
    const profile = await makeBankProfile(db, payer.clientId)
    await sql`update originating_profiles set release_export_limit = 400 where id = ${profile}`.execute(db)
    await makeDeskBill(db, payer, await makeAchVendor(db, 'Hill Power'), { amount: '456.78' })
    await makeBatch('456.78')
    const page = await open(clerk, { at: '/global_batch/todays_batches/ACH' })
    await hasRows(page, batches, 1)
    await tick(page, '$456.78')
    await button(page, 'Export as ACH').click()
    const why = '$456.78 is above the limit of $400.00 for one export, by $56.78'
    await soon(() => dialog(page).innerText()).toContain(`This export waits for a release by a second person: ${why}.`)
    await lookedAt(page, 'global-batch-waits-dark')
    await dialog(page).getByRole('button', { name: 'Ask for Release' }).press('Enter')
    await said(page, 'A release was asked for')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await soon(() => column(page, batches, 'Closed')).toEqual(['Waits'])
    await rows(page, batches).first().getByRole('link', { name: 'Waits' }).click()
    await page.getByText('You asked for this export. Somebody else must release it.').waitFor()
    await button(page, 'Withdraw').waitFor()

    const second = await open(await makePerson(db, 'muc_admin'), { at: '/global_batch/todays_batches' })
    await tab(second, 'Releases').press('Enter')
    await soon(() => column(second, 'Releases', 'Why It Waits')).toEqual([why])
    await rows(second, 'Releases').first().getByRole('link').press('Enter')
    await lookedAt(second, 'global-batch-release-dark')
    await button(second, 'Refuse').press('Enter')
    await second.getByText('Note is required').waitFor()
    await button(second, 'Release').press('Enter')
    await dialog(second).getByRole('button', { name: 'Release' }).press('Enter')
    await second.getByText('Released', { exact: true }).first().waitFor()
    await second.getByRole('link', { name: /^ACH_standard/ }).waitFor()
  },
)

test(
  'the payment of a vendor who wants it shows its remittance advice, which is sent again and marked as bounced by the keyboard; then the vendor and the list say so',
  { timeout: WORK_MS },
  async () => {
    const payer = await makePayer(db)
    const vendor = await makeDeskVendor(db, { name: 'Canal Heat' })
    await makeDeskBill(db, payer, vendor, { amount: '567.89' })
    const page = await open(clerk, { at: `/vendors/${vendor}/edit`, mayComplain: true })
    await page.getByRole('checkbox', { name: 'Remittance by Mail' }).press('Space')
    await button(page, 'Save').click()
    await page.getByText('Remittance Email is required where remittance advice goes by mail').first().waitFor()
    await page.getByRole('textbox', { name: 'Remittance Email' }).fill('ap@canal.test')
    await button(page, 'Save').click()
    await said(page, 'Success', 'Vendor updated')
    const id = await makeBatch('567.89')
    await app.ask(clerk, 'POST', '/global_batches/export', { ids: [id], pay_method: 'Check' })
    await page.goto(`/global_batch/view/${id}/bills`)
    const payments = page.getByRole('table', { name: 'Payments of the batch' })
    // Sent into the outbox folder, as no mail server is set.
    await soon(async () => {
      await page.reload()
      return payments.innerText()
    }).toMatch(/Sent\s+ap@canal\.test/)
    await page.getByRole('button', { name: /^Send Again: advice of VP-\d+ Canal Heat$/ }).press('Enter')
    await said(page, 'Success', 'Remittance advice is sent again')
    await soon(async () => {
      await page.reload()
      return payments.innerText()
    }).toMatch(/Sent\s+ap@canal\.test/)
    await page.getByRole('button', { name: /^Mark as Bounced… the advice of VP-\d+ Canal Heat$/ }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Mark as Bounced' }).press('Enter')
    await said(page, 'Success', 'Remittance advice marked as bounced')
    await soon(() => payments.innerText()).toMatch(/Bounced\s+ap@canal\.test/)
    await lookedAt(page, 'global-batch-advice-dark')
    await page.goto('/global_batch/advices?q[state_eq]=bounced')
    await soon(() => column(page, 'Remittance Advices', 'To')).toEqual(['ap@canal.test'])
    await page.goto(`/vendors/${vendor}/edit`)
    await page.getByText('The last remittance advice to ap@canal.test bounced on').waitFor()
  },
)

test(
  'an export pays what its question showed: an amount edited meanwhile refuses it, and an answer that is lost is asked for again',
  { timeout: WORK_MS },
  async () => {
    const id = await makeBatch('104.25')
    const page = await open(clerk, { at: '/global_batch/todays_batches/Check' })
    await hasRows(page, batches, 1)
    await tick(page, '$104.25')
    await button(page, 'Export as Check').click()
    await dialog(page).getByText('Export as Check: 1 payment · $104.25?').waitFor()
    const { rows: bills } = await sql<{ id: number }>`select bill_id as id from payment_batch_bills where payment_batch_id = ${id}`.execute(
      db,
    )
    await app.ask(clerk, 'PATCH', `/global_batches/${id}`, {
      global_batch: { bills_attributes: [{ id: bills[0]?.id, amount_paid: '70.00' }] },
    })
    await dialog(page).getByRole('button', { name: 'Export as Check' }).click()
    await dialog(page).getByText('you were shown 1 payment, $104.25, and it is 1 payment, $70.00 now').waitFor()
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    const sent: (string | undefined)[] = []
    await page.route('**/global_batches/export', async (route) => {
      sent.push((await route.request().allHeaders())['idempotency-key'])
      // The server pays, and its first answer is lost on the way.
      if (sent.length === 1) {
        await route.fetch()
        await route.abort('connectionreset')
      } else await route.continue()
    })
    await button(page, 'Export as Check').click()
    await dialog(page).getByText('Export as Check: 1 payment · $70.00?').waitFor()
    await dialog(page).getByRole('button', { name: 'Export as Check' }).click()
    await dialog(page).getByRole('link', { name: /Check/ }).waitFor()
    expect(sent).toEqual([expect.stringMatching(/.+/), sent[0]])
    const { rows: files } = await sql`select global_batch_file_id from global_batch_file_batches where payment_batch_id = ${id}`.execute(db)
    expect(files).toHaveLength(1)
  },
)
