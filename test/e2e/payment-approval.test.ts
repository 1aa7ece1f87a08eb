/** The approval of a vendor batch in the built console: steps configured, requested, approved on a phone, paid, and the payment reversed. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/server/access/passwords.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makePaymentWorld, type PaymentWorld } from '../support/payments.ts'
import { soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { app, db, open } = await startConsole()
const WORK_MS = 180_000
let world: PaymentWorld
let treasurer: Person

beforeAll(async () => {
  world = await makePaymentWorld(app)
  await sql`update vendors set name = 'Municipal Utility District of the Upper Valley and the Hills' where id = ${world.ground.vendorId}`.execute(
    db,
  )
  treasurer = await makePerson(db, 'client_admin', { clients: [world.ground.clientId] })
  await sql`update users set first_name = 'Tess', last_name = 'Treasurer' where id = ${treasurer.id}`.execute(db)
})

const password = 'the first of all readings'
async function signedInAnHourAgo({ id }: Person): Promise<void> {
  await sql`update users set password_hash = ${await hashPassword(password)} where id = ${id}`.execute(db)
  await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${id}`.execute(db)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const field = (page: Page, name: RegExp) => page.getByRole('textbox', { name })
const dialog = (page: Page) => page.getByRole('dialog')

test(
  'a batch above the limit is approved by a second person on a telephone before it is paid, and its payment is reversed with a reason',
  { timeout: WORK_MS },
  async () => {
    const bills = [await world.makeBill(1), await world.makeBill(2)]
    const batch = await world.made(bills)
    await world.numberPayments(batch)
    const page = await open(world.admin, { at: `/clients/${world.ground.clientId}/payment_settings` })
    await button(page, 'Add Step').click()
    await field(page, /^Step/).fill('Treasurer')
    await field(page, /^Above/).fill('100')
    await page.getByRole('combobox', { name: /^Approvers/ }).fill('Tess')
    await page.getByRole('option', { name: /Tess Treasurer/ }).click()
    await lookedAt(page, 'payment-settings-dark')
    await button(page, 'Save').click()
    await page.getByRole('grid', { name: 'Vendor Batches' }).getByText('0 of 1').waitFor()

    await page.goto(`${world.at}/${batch}/approval`)
    await page.getByText('Ask for its approval first').waitFor()
    expect(await button(page, /^Close batch/).getAttribute('aria-disabled')).toBe('true')
    await button(page, 'Request approval…').click()
    await lookedAt(page, 'approval-request-dark')
    await dialog(page).getByRole('button', { name: 'Request approval' }).click()
    await page.getByText('You are not named for the step Treasurer.').waitFor()
    await page.getByText('0 of 1 approvals are given').waitFor()
    await lookedAt(page, 'approval-dark')

    // The browser notes the refusal that the dialog for the password answers.
    const phone = await open(treasurer, { theme: 'light', mayComplain: true })
    await phone.setViewportSize({ width: 390, height: 844 })
    await phone.goto(`${world.at}/${batch}/approval`)
    await button(phone, 'Approve $303.00…').waitFor()
    await phone.getByText('First payment to this vendor').waitFor()
    await lookedAt(phone, 'approval-narrow')
    await button(phone, 'Reject…').click()
    await dialog(phone).getByRole('button', { name: 'Reject' }).click()
    await dialog(phone).getByText('Reason is required').waitFor()
    await dialog(phone).getByRole('button', { name: 'Cancel' }).click()
    await button(phone, 'Approve $303.00…').click()
    await dialog(phone)
      .getByRole('textbox', { name: /^Comment/ })
      .fill('Checked against the budget')
    await lookedAt(phone, 'approval-dialog-narrow')
    await signedInAnHourAgo(treasurer)
    await dialog(phone).getByRole('button', { name: 'Approve' }).click()
    const proof = phone.getByRole('dialog', { name: 'Enter your password' })
    await proof.getByLabel('Current Password').fill(password)
    expect((await sql`select from payment_batch_approvals where kind = 'approved'`.execute(db)).rows).toEqual([])
    await lookedAt(phone, 'approval-password-narrow')
    await phone.keyboard.press('Enter')
    await phone.getByText('Checked against the budget').waitFor()
    await phone.getByText('This vendor batch is approved already.').waitFor()
    await phone.close()

    await page.goto(`${world.at}/${batch}/vendor_payments`)
    await button(page, /^Close batch · pays 1 of 1 payments · \$303\.00$/).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close batch' }).click()
    const row = page.getByRole('grid', { name: 'Vendor Payments' }).locator('[role=rowgroup]').nth(1).getByRole('row').first()
    await soon(() => row.innerText()).toMatch(/Paid/)
    await row.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Reverse…' }).click()
    await dialog(page).getByRole('combobox', { name: /^Kind/ }).selectOption('ACH return')
    await dialog(page)
      .getByRole('textbox', { name: /^Return Code/ })
      .fill('r03')
    await dialog(page).getByRole('button', { name: 'Reverse $303.00' }).click()
    await dialog(page).getByText('Reason is required').waitFor()
    await dialog(page)
      .getByRole('textbox', { name: /^Reason/ })
      .fill('No such account')
    await lookedAt(page, 'reverse-dialog-dark')
    await dialog(page).getByRole('button', { name: 'Reverse $303.00' }).click()
    await soon(() => row.innerText()).toMatch(/Reversed/)
    await page.getByText('$303.00 reversed').waitFor()
    await row.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Reversals' }).click()
    await page.getByRole('table', { name: 'Reversals' }).getByText('ACH return R03').first().waitFor()
    await lookedAt(page, 'reversals-dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await lookedAt(page, 'reversals-narrow')
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.goto(`/clients/${world.ground.clientId}/bills/${bills[0]}/trail`)
    const trail = page.getByRole('table', { name: 'Trail' })
    await soon(() => trail.innerText()).toMatch(
      /Keyed[\s\S]*\$151\.00[\s\S]*Ledger lines[\s\S]*In no vendor batch yet[\s\S]*ACH return R03/,
    )
    await page.getByText('No break found').waitFor()
    await lookedAt(page, 'bill-trail-dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await lookedAt(page, 'bill-trail-narrow')
    const { rows } = await sql`select id from bills where id = any(${bills}::bigint[]) and not paid and vendor_payment_id is null`.execute(
      db,
    )
    expect(rows).toHaveLength(2)
  },
)

test('why something else is paid than the amount due is chosen in its cell', { timeout: WORK_MS }, async () => {
  const bill = await world.makeBill(3)
  const batch = await world.made([bill])
  await world.save(batch, { bill_amounts: [{ bill_id: bill, amount_paid: '100.00' }] })
  const page = await open(world.admin, { at: `${world.at}/${batch}/bills` })
  const cell = page.getByRole('grid', { name: 'Bills' }).getByRole('gridcell', { name: 'Not said' })
  await cell.dblclick()
  await page.getByRole('combobox', { name: 'Why Unpaid' }).selectOption('Credit taken')
  await page.keyboard.press('Enter')
  await page.getByRole('grid', { name: 'Bills' }).getByText('Credit taken').waitFor()
  await soon(async () => (await sql`select difference_reason from payment_batch_bills where bill_id = ${bill}`.execute(db)).rows).toEqual([
    { difference_reason: 'credit_taken' },
  ])
})
