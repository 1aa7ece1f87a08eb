/** Vendor batches in the built console: created, filled, paid and reopened; refusals, narrow screens and long names. */
import { addDays } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { makePaymentWorld } from '../support/payments.ts'
import { soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
const WORK_MS = 120_000
const longName = 'Municipal Utility District of the Upper Valley and the Hills'
let admin: Person
let ground: Ground
let at: string

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/payment_batches`
  await sql`update clients set utility_payment_management = true where id = ${ground.clientId}`.execute(db)
  await sql`update vendors set name = ${longName} where id = ${ground.vendorId}`.execute(db)
  for (const month of [1, 2, 3]) await makeBill(month)
  const parked = await makeBill(4)
  await sql`update bills set parked = true where id = ${parked}`.execute(db)
  // Another client has a division of the same name.
  await makeGround(db)
})

async function makeBill(month: number): Promise<number> {
  const [made] = await acting(app.database, (context) => createBills(context, ground.clientId, [monthlyDraft(ground, month)]))
  if (made?.kind !== 'created') throw new Error('the bill was not made')
  await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${ground.clientId}`.execute(db)
  return made.id
}

const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const bodyRows = (page: Page, name: string) => grid(page, name).locator('[role=rowgroup]').nth(1).getByRole('row')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const field = (page: Page, name: RegExp) => page.getByRole('textbox', { name })
const shownDate = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
const menuOf = async (page: Page, list: string, row: number) => {
  await bodyRows(page, list)
    .nth(row)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu')
}

describe('the vendors of a client', () => {
  test(
    'are paid by a batch: made, filled with the bills that were found, its payment dated and numbered, closed [VBATCH-ROUTE-001] [VBATCH-ROUTE-002] [VBATCH-ROUTE-004] [VPAY-ROUTE-001] [VPAY-ROUTE-002] [VPAY-ROUTE-003] [VBATCH-SCREEN-001] [VBATCH-SCREEN-004] [VBATCH-RULE-002] [VBATCH-RULE-003] [VBATCH-RULE-004] [VBATCH-RULE-006] [VBATCH-RULE-007] [VBATCH-RULE-008] [VPAY-SCREEN-001] [VPAY-FIELD-002] [VPAY-RULE-003] [VPAY-RULE-004] [VBATCH-MSG-002]',
    { timeout: WORK_MS },
    async () => {
      const page = await open(admin, { at })
      await page.getByText('No vendor batches yet').waitFor()
      await page.getByRole('link', { name: 'Add New' }).first().click()
      const today = todayIn(NEW_YORK, new Date())
      await soon(() => field(page, /^Batch Date/).inputValue()).toBe(shownDate(today))
      expect(await field(page, /^Due Date/).inputValue()).toBe(shownDate(addDays(today, 14)))
      expect(await field(page, /^Payer/).isDisabled()).toBe(true)
      expect(await field(page, /^Payer/).inputValue()).toBe(await clientName())
      await page.getByRole('combobox', { name: /^Payer Type/ }).selectOption('Division')
      await page.getByRole('combobox', { name: /^Payer \*?$|^Payer$/ }).fill('West')
      await page.getByRole('option', { name: /West/ }).click()
      await field(page, /^Batch Date/).fill('11/24/2026')
      await field(page, /^Batch Date/).blur()
      await soon(() => field(page, /^Due Date/).inputValue()).toBe('12/08/2026')
      await lookedAt(page, 'vendor-batch-form-dark')
      await field(page, /^Due Date/).fill('')
      await button(page, 'Save').click()
      await page.getByText('Due Date is required').first().waitFor()
      await field(page, /^Due Date/).fill('12/08/2026')
      await button(page, 'Save').click()
      await page.waitForURL(`**${at}`)
      await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem', { name: 'Bills', exact: true }).click()

      await page.getByRole('heading', { name: 'West 11/24/2026' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Vendor Batch' }).innerText()).toMatch(/Vendor Payments[\s\S]*Bills/)
      await button(page, 'Check for new bills').click()
      await soon(() => bodyRows(page, 'Bills').count()).toBe(3)
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ message: 'Found 3 new bill(s), $456.00' }))
      await page.getByText('3 of 3 bills chosen · $456.00').waitFor()
      for (const row of [0, 1, 2]) expect(await bodyRows(page, 'Bills').nth(row).getByRole('checkbox').isChecked()).toBe(true)
      await page.getByText('1 bill waits').click()
      await page.getByText('Parked', { exact: true }).waitFor()
      await lookedAt(page, 'vendor-batch-bills-dark')
      await bodyRows(page, 'Bills').nth(2).getByRole('checkbox').click()
      await page.getByText('2 of 3 bills chosen · $303.00').waitFor()
      await button(page, 'Save').click()
      await soon(() => bodyRows(page, 'Bills').count()).toBe(2)

      await page
        .getByRole('link', { name: /^Vendor Payments/ })
        .first()
        .click()
      await soon(() => bodyRows(page, 'Vendor Payments').count()).toBe(1)
      const heads = await grid(page, 'Vendor Payments').getByRole('columnheader').allInnerTexts()
      for (const head of ['ID', 'Vendor', 'Payment Date', 'Payment ID', 'Amount', 'Payment Methods', 'Locked'])
        expect(heads.map((text) => text.trim().split('\n')[0])).toContain(head)
      expect(await bodyRows(page, 'Vendor Payments').first().innerText()).toMatch(/VP-\d+[\s\S]*Municipal[\s\S]*\$303\.00[\s\S]*Check/)
      await button(page, 'Sync Vendor Payments').click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'Vendor Payments are synced' }))
      await lookedAt(page, 'vendor-payments-dark')

      await (await menuOf(page, 'Vendor Payments', 0)).getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByRole('heading', { name: /^VP-\d+ Municipal/ }).waitFor()
      expect(await field(page, /^Vendor$/).isDisabled()).toBe(true)
      expect(await field(page, /^Amount$/).isDisabled()).toBe(true)
      await field(page, /^Payment Date/).fill('11/30/2026')
      await field(page, /^Payment ID/).fill('10441')
      await lookedAt(page, 'vendor-payment-form-dark')
      await button(page, 'Save').click()

      await soon(() => bodyRows(page, 'Vendor Payments').first().innerText()).toMatch(/11\/30\/2026[\s\S]*10441/)
      await button(page, /^Close batch · pays 1 of 1 payments · \$303\.00$/).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Close batch' }).click()
      await soon(() => page.getByRole('listitem').filter({ hasText: 'Paid' }).first().getAttribute('aria-current')).toBe('step')
      await page.goto(`${page.url()}/${await paymentId()}/edit`)
      await page.getByRole('heading', { name: /^VP-\d+ Municipal/ }).waitFor()
      expect(await field(page, /^Payment Date/).isDisabled()).toBe(true)
      expect(await field(page, /^Payment ID/).isDisabled()).toBe(true)
      await page.goto(page.url().replace('/edit', '/bills'))
      await soon(() => bodyRows(page, 'Bills').count()).toBe(2)
      expect(await bodyRows(page, 'Bills').first().getByRole('checkbox').count()).toBe(0)
      expect(await button(page, 'Check for new bills').getAttribute('aria-disabled')).toBe('true')
      expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    },
  )

  test(
    'the list shows the batch and offers what may be done with it; the payer is fixed on edit [VBATCH-ROUTE-003] [VBATCH-SCREEN-002] [VBATCH-SCREEN-003] [VBATCH-RULE-005] [VBATCH-RULE-010] [VBATCH-MSG-003] [VBATCH-MSG-004] [VBATCH-MSG-005] [VBATCH-EXPORT-001]',
    { timeout: WORK_MS },
    async () => {
      const page = await open(admin, { at })
      const row = bodyRows(page, 'Vendor Batches').first()
      await row.waitFor()
      expect(await row.innerText()).toMatch(
        /West[\s\S]*Municipal[\s\S]*11\/24\/2026[\s\S]*12\/08\/2026[\s\S]*\$303\.00[\s\S]*Check[\s\S]*Paid/,
      )
      const items = await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem').allInnerTexts()
      expect(items.map((item) => item.split('\n')[0])).toEqual([
        'Vendor Payments',
        'Voucher CSV',
        'Voucher PDF',
        'Export bills',
        'Approval',
        'Bills',
        'Edit',
        'Delete',
      ])
      await lookedAt(page, 'vendor-batches-dark')
      await page.getByRole('menuitem', { name: 'Voucher CSV' }).click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ message: 'Vendor Batch Voucher CSV started' }))
      await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem', { name: 'Voucher PDF' }).click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ message: 'Payments Batch PDF generation started' }))
      await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem', { name: 'Export bills' }).click()
      await soon(async () => JSON.stringify(await noticesSaid(page))).toContain('bills export started')
      await button(page, 'Export').first().click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'Vendor batches export started' }))
      await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem', { name: 'Edit' }).click()
      await field(page, /^Payer/)
        .first()
        .waitFor()
      expect(await page.getByRole('combobox', { name: /^Payer Type/ }).isDisabled()).toBe(true)
      expect(await field(page, /^Payer/).isDisabled()).toBe(true)
      expect(await field(page, /^Vendors/).isDisabled()).toBe(true)
      expect(await field(page, /^Vendors/).inputValue()).toContain(longName)
      await lookedAt(page, 'vendor-batch-edit-dark')
      for (const notes of ['Sent by courier', '']) {
        await field(page, /^Notes/).fill(notes)
        await button(page, 'Save').click()
        await row.waitFor()
        await soon(async () => (await row.innerText()).includes('Sent by courier')).toBe(notes !== '')
        await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem', { name: 'Edit' }).click()
        await soon(() => field(page, /^Notes/).inputValue()).toBe(notes)
      }
    },
  )

  test(
    'the list and its rows offer each person what their rights allow, and nothing else [VBATCH-SCREEN-003] [PERM-PERM-032] [PERM-PERM-033] [PERM-PERM-034]',
    { timeout: WORK_MS },
    async () => {
      const read = ['Vendor Payments', 'Voucher CSV', 'Voucher PDF', 'Export bills', 'Approval']
      const offers = [
        ['client_manager', read, 0],
        ['client_admin', [...read, 'Bills', 'Edit'], 1],
        ['muc_admin', [...read, 'Bills', 'Edit', 'Delete'], 1],
      ] as const
      for (const [role, items, links] of offers) {
        const person = await makePerson(db, role, role === 'muc_admin' ? {} : { clients: [ground.clientId] })
        const page = await open(person, { at })
        await bodyRows(page, 'Vendor Batches').first().waitFor()
        const offered = await (await menuOf(page, 'Vendor Batches', 0)).getByRole('menuitem').allInnerTexts()
        expect(
          offered.map((item) => item.split('\n')[0]),
          role,
        ).toEqual(items)
        await page.keyboard.press('Escape')
        expect(await page.getByRole('link', { name: 'Add New' }).count(), role).toBe(links)
        await page.close()
      }
    },
  )

  test(
    'a payment is deleted after a question, and what fails says so in the words of the specification [VPAY-RULE-005] [VPAY-MSG-001] [VPAY-MSG-002] [VPAY-MSG-003] [VBATCH-MSG-001]',
    { timeout: WORK_MS },
    async () => {
      const { rows } = await sql<{
        id: number
      }>`select id from bills where client_id = ${ground.clientId} and not paid and not parked`.execute(db)
      const batch = await makeBatch(rows.map(({ id }) => id))
      const page = await open(admin, { at: `${at}/${batch}/vendor_payments`, mayComplain: true })
      await soon(() => bodyRows(page, 'Vendor Payments').count()).toBe(1)
      await (await menuOf(page, 'Vendor Payments', 0)).getByRole('menuitem', { name: 'Payments PDF' }).click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ message: 'Vendor payments PDF generation started' }))
      await page.route('**/create_missing_vendor_payments*', (route) => route.fulfill({ status: 500, json: {} }))
      await button(page, 'Sync Vendor Payments').click()
      await soon(() => noticesSaid(page)).toContainEqual(
        expect.objectContaining({ title: 'Error', message: 'There was a problem syncing. Please try again.' }),
      )
      const remove = async () => {
        await (await menuOf(page, 'Vendor Payments', 0)).getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      }
      await page.route('**/vendor_payments/*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
      )
      await remove()
      await soon(async () => JSON.stringify(await noticesSaid(page))).toContain('There was an error deleting the Vendor Payment')
      await page.unroute('**/vendor_payments/*')
      await remove()
      await soon(async () => JSON.stringify(await noticesSaid(page))).toContain('Deleted Vendor Payment')
      await page.getByText('No vendor payments yet').waitFor()
    },
  )

  test('an amount is typed in its cell, and the batch pays it', { timeout: WORK_MS }, async () => {
    const { rows } = await sql<{
      id: number
    }>`select id from bills where client_id = ${ground.clientId} and not paid and not parked`.execute(db)
    const batch = await makeBatch(rows.map(({ id }) => id))
    const page = await open(admin, { at: `${at}/${batch}/bills` })
    await soon(() => bodyRows(page, 'Bills').count()).toBe(1)
    const cell = bodyRows(page, 'Bills').first().getByRole('gridcell').filter({ hasText: '$153.00' }).last()
    await cell.dblclick()
    await page.keyboard.type('100')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1 bills chosen · $100.00').waitFor()
    await soon(() => bodyRows(page, 'Bills').first().innerText()).toMatch(/\$53\.00/)
  })

  test(
    'what is paid of a batch that was opened again stays: its amount, its date and its payment; the rest is counted by the server [VPAY-RULE-001] [VPAY-RULE-002]',
    { timeout: WORK_MS },
    async () => {
      const world = await makePaymentWorld(app)
      const gas = await world.otherVendor('Harbor Gas')
      const [power, harbor, late] = [await world.makeBill(1), await world.makeBill(1, gas), await world.makeBill(2, gas)]
      await sql`update bills set due_date = '2030-01-01' where id = ${late}`.execute(db)
      const id = await world.made([power, harbor])
      const [one, two] = await world.paymentsOf(id)
      const [paid, open_] = one?.vendor_id === gas.vendorId ? [two, one] : [one, two]
      const number = (payment: number | undefined) =>
        app.ask(world.admin, 'PATCH', `${world.at}/${id}/vendor_payments/${payment}`, {
          vendor_payment: { payment_date: '2026-11-05', check_number: '7' },
        })
      await number(paid?.id)
      await world.save(id, { closed: true })
      await world.save(id, { closed: false })
      await number(open_?.id)

      const page = await open(world.admin, { at: `${world.at}/${id}/vendor_payments`, mayComplain: true })
      await button(page, /^Close batch · pays 1 of 1 payments · \$151\.00$/).waitFor()
      const rowOf = (name: string) => bodyRows(page, 'Vendor Payments').filter({ hasText: name })
      const deleteOf = async (name: string) => {
        await rowOf(name)
          .getByRole('button', { name: /Actions/ })
          .click()
        const state = await page.getByRole('menuitem', { name: /^Delete/ }).getAttribute('aria-disabled')
        await page.keyboard.press('Escape')
        return state
      }
      expect(await deleteOf('City Power')).toBe('true')
      expect(await deleteOf('Harbor Gas')).not.toBe('true')

      await page.goto(`${world.at}/${id}/bills`)
      await soon(() => bodyRows(page, 'Bills').count()).toBe(2)
      const amountOf = (name: string) =>
        bodyRows(page, 'Bills').filter({ hasText: name }).getByRole('gridcell').filter({ hasText: '$151.00' }).last()
      await amountOf('City Power').dblclick()
      expect(await grid(page, 'Bills').getByRole('textbox').count()).toBe(0)
      await sql`update bills set current_charges = 1000, amount_due = 1000 where id = ${harbor}`.execute(db)
      await amountOf('Harbor Gas').dblclick()
      await page.keyboard.type('151.01')
      await page.keyboard.press('Enter')
      await soon(() => bodyRows(page, 'Bills').filter({ hasText: 'Harbor Gas' }).innerText()).toContain('Amount due is now $1,000.00')
      expect(await world.batch(id)).toMatchObject({ batch_total: '302.00' })
      await lookedAt(page, 'vendor-batch-amount-due-changed-dark')
      await button(page, 'Check for new bills').click()
      await page.getByText('1 more bill is due after 11/16/2026, the due date of this batch.').waitFor()
      await page.goto(`${world.at}/${id}/vendor_payments/${paid?.id}/bills`)
      await soon(() => bodyRows(page, 'Bills').count()).toBe(1)
      expect(await button(page, 'Check for new bills').getAttribute('aria-disabled')).toBe('true')
    },
  )

  test('its pages fit a narrow screen in the light theme', { timeout: WORK_MS }, async () => {
    const page = await open(admin, { theme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    const { rows } = await sql<{ id: number }>`select min(id) as id from payment_batches where client_id = ${ground.clientId}`.execute(db)
    for (const [path, name] of [
      [at, 'vendor-batches-narrow'],
      [`${at}/${rows[0]?.id}/edit`, 'vendor-batch-form-narrow'],
      [`${at}/${rows[0]?.id}/bills`, 'vendor-batch-bills-narrow'],
      [`${at}/${rows[0]?.id}/vendor_payments`, 'vendor-payments-narrow'],
      [`${at}/${rows[0]?.id}/vendor_payments/${await paymentId()}/edit`, 'vendor-payment-form-narrow'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await soon(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
      await lookedAt(page, name)
    }
  })
})

async function clientName(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from clients where id = ${ground.clientId}`.execute(db)
  return rows[0]?.name ?? ''
}

async function paymentId(): Promise<number> {
  const { rows } = await sql<{ id: number }>`select min(id) as id from vendor_payments where client_id = ${ground.clientId}`.execute(db)
  return rows[0]?.id ?? 0
}

/** Makes a batch that the client pays, by the console's call. */
async function makeBatch(bill_ids: readonly number[]): Promise<number> {
  const head = { payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-24', bills_due_date: '2026-12-08', bill_ids }
  const { body } = await app.ask(admin, 'POST', at, { payment_batch: head })
  return Number(body['id'])
}
