/** Global batches in the built console: created from selected bills, moved, unbatched, their bills and amounts, and three clerks at one desk. */
import { permissionsOfRole, roleNames } from '#contract/access/rights.ts'
import { mayDo } from '#contract/kernel/permission.ts'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { addressOf, goInside, soon, startConsole, withRights } from './console.ts'
import { button, column, dayOn, fact, field, grid, hasRows, longPayer, makeDesk, rows, shownDate, startDay, titles } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const underTest = await startConsole()
const { app, db, open } = underTest
const WORK_MS = 120_000
const unswept = 'Unswept Bills'
const batches = 'Global Batches'
const batchBills = 'Batch Bills'
let clerk: Person

beforeAll(async () => {
  clerk = await makePerson(db, 'muc_admin')
  await makeDesk(db)
}, WORK_MS)
beforeEach(() => startDay(underTest, clerk, '50000'))

const said = async (page: Page, title: string, message: string) =>
  soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title, message }))
const tick = (page: Page, list: string, text: string) => rows(page, list).filter({ hasText: text }).first().getByRole('checkbox').click()
const dialog = (page: Page) => page.getByRole('alertdialog')
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Global Batch' }).getByRole('link')
const actions = (page: Page) => page.getByRole('group', { name: 'Actions for batches' }).getByRole('button').allInnerTexts()

/** Returns the id of an unswept bill by its amount due. */
async function billOf(amount: string): Promise<number> {
  const { rows: found } = await sql<{ id: number }>`select id from bills where amount_due = ${amount}`.execute(db)
  return found[0]?.id ?? 0
}

/** Makes a batch by the console's call. */
async function makeBatch(...amounts: string[]): Promise<number> {
  const bill_ids = []
  for (const amount of amounts) bill_ids.push(await billOf(amount))
  const head = { batch_date: dayOn(0), bills_due_date: dayOn(14), bill_ids }
  const { body } = await app.ask(clerk, 'POST', '/global_batches', { global_batch: head })
  return Number(body['id'])
}

const cellOf = (page: Page, list: string, text: string, cell: string) =>
  rows(page, list).filter({ hasText: text }).first().getByRole('gridcell').filter({ hasText: cell }).last()

async function type(page: Page, list: string, row: string, cell: string, text: string): Promise<void> {
  await cellOf(page, list, row, cell).dblclick()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

describe('batches of the chosen bills', () => {
  test(
    'are made by the form: one block and one batch a payer, a question, and a result that leads to them; a refusal names the bill and keeps the choice [GB-RULE-001] [GB-RULE-002] [GB-ROUTE-002] [GB-TRANS-004] [GB-RULE-026] [GB-RULE-027] [GB-RULE-028] [GB-RULE-029] [GB-RULE-031] [GB-MSG-016] [GB-MSG-018] [GB-MSG-019] [GB-MSG-021] [GB-RULE-005] [GB-SCREEN-001] [GB-CONST-008] [GB-ROUTE-003] [GB-ROUTE-004] [GB-ROUTE-005]',
    { timeout: WORK_MS },
    async () => {
      const page = await open(clerk, { at: '/global_batch/new' })
      await page.getByText('No bill is chosen').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Unswept Bills' }).last().click()
      await page.getByRole('combobox', { name: 'Per page' }).selectOption('20')
      await hasRows(page, unswept, 19)
      for (const amount of ['$100.25', '$101.25', '$1,000.00']) await tick(page, unswept, amount)
      await type(page, unswept, '$101.25', '$101.25', '50')
      await button(page, 'Add New').click()
      await page.getByRole('heading', { name: 'New Batch' }).waitFor()
      expect(addressOf(page)).toBe('/global_batch/new')
      const payer = page.getByRole('textbox', { name: /^Payer/ })
      expect(await payer.isDisabled()).toBe(true)
      expect(await payer.inputValue()).toBe(`Harbor Foods, ${longPayer}`)
      for (const name of ['Vendor', 'Batch Total']) expect(await field(page, name).first().isDisabled()).toBe(true)
      expect(await field(page, 'Vendor').first().inputValue()).toBe('City Power')
      expect(await field(page, 'Batch Total').first().inputValue()).toBe('$150.25')
      expect(await field(page, 'Batch Total').last().inputValue()).toBe('$1,000.00')
      const batchDate = page.getByRole('textbox', { name: /^Batch Date/ })
      const due = page.getByRole('textbox', { name: /^Bills Due on or Before/ })
      expect(await batchDate.inputValue()).toBe(shownDate(dayOn(0)))
      expect(await due.inputValue()).toBe(shownDate(dayOn(14)))
      await batchDate.fill(shownDate(dayOn(-3)).replaceAll('/', '-'))
      await batchDate.blur()
      await soon(() => due.inputValue()).toBe(shownDate(dayOn(11)))
      await lookedAt(page, 'global-batch-form-dark')
      await due.fill('')
      await button(page, 'Create 2 batches').click()
      await page.getByText('Bills Due on or Before is required').first().waitFor()
      expect(await dialog(page).count()).toBe(0)
      await due.fill('12/31/26')
      await button(page, 'Create 2 batches').click()
      await dialog(page).getByRole('heading', { name: 'Create batches?' }).waitFor()
      expect(await dialog(page).innerText()).toMatch(/2 batches · \$1,150\.25[\s\S]*Harbor Foods: 2 bills, \$150\.25/)
      await dialog(page).getByRole('button', { name: 'no', exact: true }).click()
      expect(await dialog(page).count()).toBe(0)

      // Another clerk is faster with one of the bills.
      const quicker = await makeBatch('101.25')
      await button(page, 'Create 2 batches').click()
      await dialog(page).getByRole('button', { name: 'Yes', exact: true }).click()
      await dialog(page)
        .getByText('An error occurred during the creation. Please check that everything is correct.', { exact: true })
        .waitFor()
      expect(await dialog(page).innerText()).toContain(String(await billOf('101.25')))
      await lookedAt(page, 'global-batch-refused-dark')
      await dialog(page).getByRole('button', { name: 'Continue', exact: true }).click()
      await app.ask(clerk, 'POST', '/global_batches/unbatch', { ids: [quicker] })
      await page.reload()
      await page.getByRole('heading', { name: 'New Batch' }).waitFor()
      await soon(() => field(page, 'Batch Total').first().inputValue()).toBe('$150.25')
      await button(page, 'Create 2 batches').click()
      await dialog(page).getByRole('button', { name: 'Yes', exact: true }).click()
      await dialog(page).getByText('Batches were created successfully!', { exact: true }).waitFor()
      await lookedAt(page, 'global-batch-created-dark')
      await dialog(page).getByRole('button', { name: 'Stay on page', exact: true }).click()
      await page.getByText('No bill is chosen').waitFor()

      expect((await tabs(page).allInnerTexts()).map((text) => text.split('\n', 1)[0])).toEqual([
        'Unswept Bills',
        'Risk Queue',
        'Today’s Batches',
        'ACH',
        'Autopay',
        'Avid',
        'Check',
        'CO',
        'NP',
        'OP',
      ])
      expect(
        await tabs(page).evaluateAll((links) => links.slice(1).map((link) => decodeURIComponent(link.getAttribute('href') ?? ''))),
      ).toEqual([
        '/global_batch/risk',
        '/global_batch/todays_batches',
        ...['ACH', 'Autopay', 'Avid', 'Check', 'Check - OVERNIGHT', 'NP', 'OP'].map((one) => `/global_batch/todays_batches/${one}`),
      ])
      await soon(() => tabs(page).filter({ hasText: 'Check' }).first().innerText()).toMatch(/2 · \$1,150\.25/)
      await tabs(page).filter({ hasText: 'Check' }).first().click()
      await hasRows(page, batches, 2)
      await tabs(page).filter({ hasText: 'CO' }).click()
      await page.getByText('No open Check - OVERNIGHT batches').waitFor()
      expect(await fact(page, 'Remaining').innerText()).toBe('$48,849.75')
    },
  )
})

describe('today’s batches', () => {
  test(
    'offer Bills and Edit Batch to those who may change payment batches, and lead nowhere for others [PERM-PERM-027]',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('100.25')
      const page = await open(clerk)
      const desk = ['create', 'read', 'update', 'destroy']
      const given: { permissions: Record<string, string[]> } = { permissions: {} }
      await withRights(page, () => given)
      for (const path of ['/global_batch/todays_batches', '/global_batch/todays_batches/Check']) {
        given.permissions = { global_batch: desk, payment_batch: ['read', 'update'] }
        await page.goto(path)
        await hasRows(page, batches, 1)
        await rows(page, batches)
          .getByRole('button', { name: /Actions/ })
          .click()
        expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Bills', 'Edit Batch'])
        given.permissions = { global_batch: desk, payment_batch: ['create', 'read', 'destroy'] }
        await page.goto(path)
        await hasRows(page, batches, 1)
        expect(
          await rows(page, batches)
            .getByRole('button', { name: /Actions/ })
            .count(),
        ).toBe(0)
        expect(await rows(page, batches).getByRole('link').count()).toBe(0)
      }
      await page.goto(`/global_batch/${id}/edit`)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      expect(await button(page, 'Save').count()).toBe(0)
      for (const role of roleNames) {
        const rights = permissionsOfRole(role)
        if (mayDo(rights, 'global_batch.update')) expect(mayDo(rights, 'payment_batch.update'), role).toBe(true)
      }
    },
  )

  test(
    'have their columns and actions; they are moved, moved back and taken back; what may not be together says so [GB-SCREEN-013] [GB-SCREEN-014] [GB-SCREEN-015] [GB-SCREEN-016] [GB-SCREEN-017] [GB-SCREEN-018] [GB-SCREEN-019] [GB-SCREEN-020] [GB-SCREEN-021] [GB-TRANS-006] [GB-TRANS-007] [GB-TRANS-008] [GB-RULE-014] [GB-RULE-015] [GB-RULE-016] [GB-RULE-017] [GB-RULE-018] [GB-MSG-006] [GB-MSG-007] [GB-MSG-013] [GB-MSG-023] [GB-RULE-037]',
    { timeout: WORK_MS },
    async () => {
      await makeBatch('100.25')
      await makeBatch('0.80')
      await makeBatch('54.00')
      const page = await open(clerk, { at: '/global_batch/todays_batches', mayComplain: true })
      await hasRows(page, batches, 3)
      expect(await titles(page, batches)).toEqual([
        '',
        'Paid',
        'Closed',
        'Payer Name',
        'Vendors',
        'Pay Type',
        'Batch Date',
        'Bills Due Date',
        'Batch Total',
        'Bills',
        'Notes',
        'Actions',
      ])
      expect(await column(page, batches, 'Vendors')).toContain('*Solo Water')
      expect(await actions(page)).toEqual(['Unbatch selection(s)', 'Move to NP', 'Move to OP', 'Export paid batches'])
      await grid(page, batches).getByRole('columnheader').first().getByRole('checkbox').click()
      await said(page, 'Not allowed', 'Batches with the vendor Solo Water must be managed separately')
      await tick(page, batches, '$54.00')
      await soon(() => actions(page)).toEqual(['Unbatch selection(s)'])
      await tick(page, batches, '$100.25')
      await said(page, 'Not Allowed', 'Batches with the vendor Solo Water can only be managed with batches with that same vendor')
      await tick(page, batches, '$54.00')
      await tick(page, batches, '$100.25')
      await soon(() => actions(page)).toEqual(['Unbatch selection(s)', 'Move to OP'])
      await tick(page, batches, '$0.80')
      await soon(() => actions(page)).toEqual(['Unbatch selection(s)', 'Move to OP'])
      await tick(page, batches, '$100.25')
      await soon(() => actions(page)).toEqual(['Unbatch selection(s)', 'Move to NP', 'Move to OP'])
      await lookedAt(page, 'todays-batches-dark')
      await page.route('**/temp_pay_method', (route) => route.fulfill({ status: 500, json: {} }))
      await button(page, 'Move to NP').click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'An error has occured' }))
      await page.unroute('**/temp_pay_method')
      await button(page, 'Move to NP').click()
      await soon(() => column(page, batches, 'Pay Type')).toContain('NP (Check)')

      await tabs(page).filter({ hasText: 'NP' }).click()
      await hasRows(page, batches, 1)
      expect((await titles(page, batches)).slice(0, 2)).toEqual(['', 'Closed'])
      await tick(page, batches, '$0.80')
      await soon(() => actions(page)).toEqual(['Unbatch selection(s)', 'Move back', 'Move to OP', 'Finalize NP batches'])
      await button(page, 'Move back').click()
      await page.getByText('No open NP batches').waitFor()
      await tabs(page).filter({ hasText: 'Check' }).first().click()
      await hasRows(page, batches, 3)
      await soon(() => actions(page)).toEqual(['Unbatch selection(s)', 'Move to NP', 'Move to OP', 'Move to Avid', 'Export as Check'])
      await tick(page, batches, '$100.25')
      await button(page, 'Move to Avid').click()
      await hasRows(page, batches, 2)
      await tabs(page).filter({ hasText: 'Avid' }).click()
      await hasRows(page, batches, 1)
      expect(await column(page, batches, 'Pay Type')).toEqual(['Avid (Check)'])
      await tick(page, batches, '$100.25')
      await button(page, 'Unbatch selection(s)').click()
      expect(await dialog(page).innerText()).toContain('1 batch · $100.25')
      await dialog(page).getByRole('button', { name: 'Unbatch' }).click()
      await page.getByText('No open Avid batches').waitFor()
      await tabs(page).filter({ hasText: 'Unswept Bills' }).click()
      await rows(page, unswept).filter({ hasText: '$100.25' }).waitFor()

      await tabs(page).filter({ hasText: 'Check' }).first().click()
      await rows(page, batches)
        .filter({ hasText: '$0.80' })
        .getByRole('button', { name: /^Actions/ })
        .click()
      const items = await page.getByRole('menu').getByRole('menuitem').allInnerTexts()
      expect(items).toEqual(['Bills', 'Edit Batch'])
      // A list that cannot be loaded shows the error in its own place, without a notice.
      const before = (await noticesSaid(page)).length
      await page.route('**/global_batches?*', (route) => route.fulfill({ status: 500, json: {} }))
      await page.keyboard.press('Escape')
      await tabs(page).filter({ hasText: 'ACH' }).click()
      await page.getByText('This list could not be loaded').waitFor()
      expect(await noticesSaid(page)).toHaveLength(before)
    },
  )

  test(
    'lead to their form, which keeps the payer and returns to the tab that it came from [GB-ROUTE-007] [GB-ROUTE-008] [GB-RULE-030] [GB-TRANS-017]',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('100.25')
      const page = await open(clerk, { at: `/global_batch/${id}/edit?redirect=Check` })
      const notes = page.getByRole('textbox', { name: 'Notes' })
      await notes.fill('By courier')
      expect(await page.getByRole('textbox', { name: /^Payer/ }).isDisabled()).toBe(true)
      expect(await field(page, 'Batch Total').isDisabled()).toBe(true)
      await page.getByRole('textbox', { name: /^Batch Date/ }).fill(shownDate(dayOn(-1)))
      await soon(() => page.getByRole('textbox', { name: /^Bills Due on or Before/ }).inputValue()).toBe(shownDate(dayOn(13)))
      await button(page, 'Save').click()
      await hasRows(page, batches, 1)
      expect(addressOf(page)).toBe('/global_batch/todays_batches/Check')
      expect(await column(page, batches, 'Notes')).toEqual(['By courier'])
      await page.goto(`/global_batch/${id}/edit`)
      await notes.fill('')
      await button(page, 'Save').click()
      await hasRows(page, batches, 1)
      expect(addressOf(page)).toBe('/global_batch/todays_batches')
    },
  )
})

describe('the bills of a batch', () => {
  test(
    'are kept or left out, their amounts typed, and saved together; one always stays; a closed batch is only read [GB-ROUTE-006] [GB-SCREEN-001] [GB-SCREEN-002] [GB-SCREEN-026] [GB-SCREEN-027] [GB-SCREEN-028] [GB-SCREEN-029] [GB-SCREEN-030] [GB-SCREEN-031] [GB-RULE-019] [GB-RULE-020] [GB-RULE-025] [GB-TRANS-016] [GB-MSG-011]',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('100.25', '101.25', '102.25')
      const page = await open(clerk, { at: `/global_batch/view/${id}/bills`, mayComplain: true })
      await hasRows(page, batchBills, 3)
      await page.getByRole('heading', { name: `${shownDate(dayOn(0))} · $303.75` }).waitFor()
      expect((await tabs(page).allInnerTexts()).at(-1)).toBe('Batch Bills')
      const all = [
        '',
        'Division',
        'Vendor Payment',
        'Vendor Name',
        'Payment Methods',
        'Client Batch Code',
        'Account Number',
        'Bill Date',
        'Due Date',
        'QC',
        'Balance Forward',
        'Current Charges',
        'Amount Due',
        'Amount Paid',
        // A column of our own: the specification's columns keep their order around it.
        'Why Unpaid',
        'File',
        'Flags',
        'Edit',
      ]
      expect(await titles(page, batchBills)).toEqual(all)
      expect(await button(page, 'Update Batch').getAttribute('aria-disabled')).toBe('true')
      const edit = rows(page, batchBills)
        .filter({ hasText: '$100.25' })
        .getByRole('link', { name: /^Edit the bill/ })
      expect(await edit.getAttribute('href')).toBe(`/bills/${await billOf('100.25')}/edit`)
      await type(page, batchBills, '$100.25', '$100.25', '12.345')
      await type(page, batchBills, '$100.25', '$100.25', '90')
      await tick(page, batchBills, '$102.25')
      await page.getByText('2 bills of 3 · $191.25 · not saved yet').waitFor()
      await lookedAt(page, 'global-batch-bills-dark')
      await tick(page, batchBills, '$101.25')
      await tick(page, batchBills, '$90.00')
      await said(page, 'No bills selected', 'Batch must always be left with at least 1 bill')
      await page.getByText('1 bill of 3 · $90.00 · not saved yet').waitFor()
      await tick(page, batchBills, '$101.25')

      // Another user saves first: the changes stay and are saved onto the batch's current state.
      await app.ask(clerk, 'PATCH', `/global_batches/${id}`, { global_batch: { notes: 'Look twice' } })
      await button(page, 'Update Batch').click()
      await page.getByText(/^Not saved: /).waitFor()
      await page.getByText('2 bills of 3 · $191.25 · not saved yet').waitFor()
      await button(page, 'Update Batch').click()
      await hasRows(page, batchBills, 2)
      await page.getByRole('heading', { name: `${shownDate(dayOn(0))} · $191.25` }).waitFor()
      const { rows: stored } = await sql<{ paid: string }>`select amount_paid::text as paid from payment_batch_bills
        where payment_batch_id = ${id} and released_at is null order by bill_id`.execute(db)
      expect(stored.map(({ paid }) => paid)).toEqual(['90.00', '101.25'])

      await app.ask(clerk, 'PATCH', '/global_batches/temp_pay_method', { ids: [id], temp_method: 'OP' })
      await page.reload()
      await hasRows(page, batchBills, 2)
      expect(await titles(page, batchBills)).toEqual([...all.slice(0, 15), 'Notes', ...all.slice(15)])
      await rows(page, batchBills).first().getByRole('gridcell').nth(15).dblclick()
      await page.keyboard.type('Confirmed 4711')
      await page.keyboard.press('Enter')
      await button(page, 'Update Batch').click()
      await soon(() => button(page, 'Update Batch').getAttribute('aria-disabled')).toBe('true')
      await soon(() => column(page, batchBills, 'Notes')).toContain('Confirmed 4711')

      await app.ask(clerk, 'PATCH', `/global_batches/${id}`, { global_batch: { closed: true } })
      await page.reload()
      await hasRows(page, batchBills, 2)
      const box = rows(page, batchBills).first().getByRole('checkbox')
      expect(await box.getAttribute('aria-disabled')).toBe('true')
      expect(await box.isChecked()).toBe(true)
      await box.click({ force: true })
      expect(await box.isChecked()).toBe(true)
      await page.getByText('The batch is closed').first().waitFor()
      expect(await page.getByRole('link', { name: 'Add New Bills' }).count()).toBe(0)
    },
  )

  test(
    'become more by those that are chosen on a page of its own, which shows two columns more [GB-ROUTE-009] [GB-SCREEN-006] [GB-SCREEN-012] [GB-TRANS-005] [GB-MSG-017] [GB-MSG-020] [GB-MSG-002]',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('100.25')
      const page = await open(clerk, { at: `/global_batch/view/${id}/bills`, mayComplain: true })
      await page.getByRole('link', { name: 'Add New Bills' }).click()
      await hasRows(page, unswept, 10)
      expect(addressOf(page)).toBe(`/global_batch/${id}/newBills`)
      expect(await titles(page, unswept)).toEqual(expect.arrayContaining(['Bill Id', 'Current Charges']))
      expect(new Set(await column(page, unswept, 'Client Name'))).toEqual(new Set(['Harbor Foods']))
      await button(page, 'Add to batch').click()
      await said(page, 'No bill selected.', 'Must select at least one bill to add.')
      await page.getByRole('combobox', { name: 'Per page' }).selectOption('20')
      await hasRows(page, unswept, 14)
      await tick(page, unswept, 'Solo Water')
      await said(page, 'Not Allowed', 'Bills with the vendor Solo Water can only be batched with bills from that same vendor')
      await tick(page, unswept, '$101.25')
      await lookedAt(page, 'global-batch-add-dark')
      const quicker = await makeBatch('101.25')
      await button(page, 'Add to batch').click()
      await dialog(page).getByRole('heading', { name: 'An error occurred during the process', exact: true }).waitFor()
      await dialog(page).getByText('Please check that everything is correct.', { exact: true }).waitFor()
      await dialog(page).getByRole('button', { name: 'Continue' }).click()
      await rows(page, 'Selected Bills').filter({ hasText: 'somebody else' }).waitFor()
      expect(await fact(page, 'Chosen').innerText()).toBe('0 bills · $0.00')
      await app.ask(clerk, 'POST', '/global_batches/unbatch', { ids: [quicker] })
      await page.reload()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('1 bill · $101.25')
      await button(page, 'Add to batch').click()
      await dialog(page).getByText('Bills were added to batch successfully!', { exact: true }).waitFor()
      await dialog(page).getByRole('button', { name: "View Today's Check Batches", exact: true }).waitFor()
      await dialog(page).getByRole('button', { name: 'View updated batch bills', exact: true }).click()
      await hasRows(page, batchBills, 2)
      expect(addressOf(page)).toBe(`/global_batch/view/${id}/bills`)
    },
  )
})

test('a clerk does the work of a day by the keyboard alone', { timeout: WORK_MS }, async () => {
  await startDay(underTest, clerk)
  const page = await open(clerk, { at: '/global_batch' })
  const { keyboard } = page
  const here = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
  const tabTo = async (name: string | RegExp) => {
    const isThere = async () => (typeof name === 'string' ? (await here()) === name : name.test(await here()))
    for (let steps = 0; steps < 80 && !(await isThere()); steps++) await keyboard.press('Tab')
    expect(await isThere(), `Tab reaches ${String(name)}`).toBe(true)
  }
  await page.getByText('3 edits left').waitFor()
  await field(page, 'Bank value').focus()
  await keyboard.type('20000')
  await keyboard.press('Enter')
  await page.getByText('2 edits left').waitFor()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await hasRows(page, unswept, 10)
  await tabTo(/^Select City Power/)
  await keyboard.press('x')
  await soon(() => fact(page, 'Chosen').innerText()).toBe('1 bill · $100.25')
  await keyboard.press('j')
  await keyboard.press('p')
  await keyboard.type('50')
  await keyboard.press('Enter')
  await keyboard.press('k')
  await keyboard.press('x')
  await soon(() => fact(page, 'Chosen').innerText()).toBe('2 bills · $150.25')
  await keyboard.press('a')
  // All of City Power's bills except the one with errors: 12 of Harbor Foods with one amount reduced, 0.80, and three of the grocers.
  await soon(() => fact(page, 'Chosen').innerText()).toBe('16 bills · $4,221.55')
  await keyboard.press('b')
  await page.getByRole('heading', { name: 'New Batch' }).waitFor()
  await page.getByRole('textbox', { name: /^Batch Date/ }).focus()
  await keyboard.press('Control+Enter')
  await dialog(page).waitFor()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await dialog(page).getByText('Batches were created successfully!').waitFor()
  await keyboard.press('Enter')
  await hasRows(page, batches, 2)
  await tabTo(/^Select Municipal|^Select Harbor/)
  await keyboard.press('x')
  await soon(() => actions(page)).toContain('Move to OP')
  await tabTo('Move to OP')
  await keyboard.press('Enter')
  await soon(() => column(page, batches, 'Pay Type')).toContain('OP (Check)')
  expect(await fact(page, 'Remaining').innerText()).toBe('$15,778.45')
})

test(
  'three clerks at one desk see what the others have batched: the row is struck through in a choice, and remaining is one figure everywhere [GB-RULE-005]',
  { timeout: WORK_MS },
  async () => {
    const others = [await makePerson(db, 'muc_admin'), await makePerson(db, 'super_admin')]
    const pages = [await open(clerk, { at: '/global_batch' })]
    for (const person of others) pages.push(await open(person, { at: '/global_batch' }))
    const [first, second, third] = pages
    if (!first || !second || !third) throw new Error('three windows were to be opened')
    for (const page of pages) {
      await hasRows(page, unswept, 10)
      await tick(page, unswept, '$100.25')
    }
    await tick(second, unswept, '$101.25')
    await button(first, 'Add New').click()
    await button(first, 'Create batch').click()
    await dialog(first).getByRole('button', { name: 'Yes', exact: true }).click()
    await dialog(first).getByRole('button', { name: "Go to Today's Batches" }).click()
    await hasRows(first, batches, 1)
    // The second clerk gets a message on the next request, and continues with the rest.
    await button(second, 'Add New').click()
    await button(second, 'Create batch').click()
    await dialog(second).getByRole('button', { name: 'Yes', exact: true }).click()
    await dialog(second).getByText('An error occurred during the creation. Please check that everything is correct.').waitFor()
    await dialog(second).getByRole('button', { name: 'Continue' }).click()
    await soon(() => field(second, 'Batch Total').inputValue()).toBe('$101.25')
    await button(second, 'Create batch').click()
    await dialog(second).getByRole('button', { name: 'Yes', exact: true }).click()
    await dialog(second).getByRole('button', { name: "Go to Today's Batches" }).click()
    await hasRows(second, batches, 2)
    // The third clerk is notified without doing anything.
    await rows(third, 'Selected Bills').filter({ hasText: 'somebody else' }).waitFor({ timeout: 60_000 })
    await soon(() => fact(third, 'Chosen').innerText()).toBe('0 bills · $0.00')
    for (const page of [second, third]) await soon(() => fact(page, 'Remaining').innerText()).toBe('$49,798.50')
    await button(third, 'Take out 1 lost bill').click()
    await third.getByText('No bill is chosen').waitFor()
  },
)

test('its pages fit a narrow screen in the light theme', { timeout: WORK_MS }, async () => {
  const id = await makeBatch('100.25', '101.25')
  const page = await open(clerk, { at: '/landing', theme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, name] of [
    ['/global_batch', 'global-batch-desk-narrow'],
    ['/global_batch/new', 'global-batch-new-narrow'],
    ['/global_batch/todays_batches', 'todays-batches-narrow'],
    [`/global_batch/view/${id}/bills`, 'global-batch-bills-narrow'],
    [`/global_batch/${id}/edit`, 'global-batch-edit-narrow'],
    [`/global_batch/${id}/newBills`, 'global-batch-add-narrow'],
  ] as const) {
    await goInside(page, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await soon(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    await lookedAt(page, name)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
})
