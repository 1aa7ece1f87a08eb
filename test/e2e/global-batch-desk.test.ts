/** The desk in the built console: the bank value of the day, the unswept bills with their filters, and the selection of bills. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { apiRequests, soon, startConsole } from './console.ts'
import { button, column, dayOn, fact, field, grid, hasRows, longPayer, makeDesk, rows, shownDate, startDay, titles } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const underTest = await startConsole()
const { db, open } = underTest
const WORK_MS = 120_000
const list = 'Unswept Bills'
const chosen = 'Selected Bills'
let clerk: Person

beforeAll(async () => {
  clerk = await makePerson(db, 'muc_admin')
  await makeDesk(db)
}, WORK_MS)

const said = async (page: Page, title: string, message: string) =>
  soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title, message }))
const bank = (page: Page) => field(page, 'Bank value')
const box = (page: Page, text: string, at = 0) => rows(page, list).filter({ hasText: text }).nth(at).getByRole('checkbox')

describe('the bank value', () => {
  test(
    'is typed, stored on leaving the field, by Enter and by the button, and locked; until then a message stands for the bills [BANK-RULE-001] [BANK-RULE-003] [BANK-RULE-004] [BANK-RULE-005] [BANK-RULE-006] [BANK-RULE-007] [BANK-MSG-001] [BANK-MSG-002] [BANK-MSG-003] [BANK-MSG-004] [BANK-TRANS-001] [BANK-TRANS-002] [BANK-CONST-001] [GB-SCREEN-033]',
    { timeout: WORK_MS },
    async () => {
      await startDay(underTest, clerk)
      const page = await open(clerk, { at: '/global_batch' })
      const sent = apiRequests(page)
      const changes = () => sent.filter((request) => request.startsWith('PATCH'))
      await page.getByText('Must input and lock initial bank value before creating batches.', { exact: true }).waitFor()
      expect(await grid(page, list).count()).toBe(0)
      await page.getByText('3 edits left').waitFor()
      await bank(page).pressSequentially('a1-2x.345')
      expect(await bank(page).inputValue()).toBe('12.34')
      await bank(page).fill('0')
      await bank(page).press('Tab')
      await said(page, 'Unauthorized value', 'Bank value cannot be set to 0')
      expect(changes()).toEqual([])
      await bank(page).fill('50000')
      await bank(page).press('Tab')
      await page.getByText('2 edits left').waitFor()
      await page.getByText('Bank value must be locked to continue batching.', { exact: true }).waitFor()
      expect(await grid(page, list).count()).toBe(0)
      await bank(page).fill('40000')
      await bank(page).press('Enter')
      await page.getByText('1 edit left').waitFor()
      expect(await bank(page).inputValue()).toBe('40000.00')
      await lookedAt(page, 'global-batch-unlocked-dark')
      await button(page, 'Lock').click()
      await hasRows(page, list, 10)
      await page.getByText('locked, 1 edit left').waitFor()
      expect(changes()).toEqual(['PATCH /global_batch_bank_value', 'PATCH /global_batch_bank_value', 'PATCH /global_batch_bank_value/lock'])
      expect(await fact(page, 'Remaining').innerText()).toBe('$40,000.00')
      expect(await fact(page, 'Today already').innerText()).toBe('$0.00')
      await button(page, 'Unlock').click()
      await page.getByText('Bank value must be locked to continue batching.', { exact: true }).waitFor()
    },
  )

  test(
    'warns of the last edit, which locks by itself, and then cannot be changed any more today; somebody else’s value is shown and named [BANK-RULE-002] [BANK-CONST-002] [BANK-FIELD-002]',
    { timeout: WORK_MS },
    async () => {
      await startDay(underTest, clerk)
      const page = await open(clerk, { at: '/global_batch' })
      await bank(page).fill('100')
      await bank(page).press('Enter')
      await page.getByText('2 edits left').waitFor()
      const other = await makePerson(db, 'super_admin')
      const { body } = await underTest.app.ask(other, 'PATCH', '/global_batch_bank_value', {
        current_value: '100.00',
        new_value: '200.00',
        locked: false,
      })
      expect(body['attempts']).toBe(1)
      await bank(page).fill('300')
      await button(page, 'Lock').click()
      await page.getByText(/Not changed: .*\$200\.00/).waitFor()
      await page.getByText('1 edit left').waitFor()
      const question = page.getByRole('alertdialog')
      await bank(page).fill('300')
      await bank(page).press('Enter')
      await question.getByText('This is the last change of the bank value today.').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(await bank(page).inputValue()).toBe('200.00')
      await bank(page).fill('300')
      await bank(page).press('Enter')
      await question.getByRole('button', { name: 'Change and lock' }).click()
      await hasRows(page, list, 10)
      expect(await bank(page).inputValue()).toBe('$300.00')
      await page.getByText('No changes are left today').waitFor()
      expect(await button(page, 'Unlock').getAttribute('aria-disabled')).toBe('true')
    },
  )
})

describe('the unswept bills', () => {
  test(
    'have their columns, filters, sizes and footnote; each filter is in the address, goes to the first page and asks the server in its words [GB-ROUTE-001] [GB-SCREEN-003] [GB-SCREEN-004] [GB-SCREEN-007] [GB-SCREEN-008] [GB-SCREEN-009] [GB-MSG-001] [GB-CONST-002] [GB-CONST-003] [GB-CONST-004] [GB-CONST-005] [GB-CONST-006] [GB-RULE-011] [GB-RULE-012] [GB-RULE-013] [GB-RULE-021] [GB-RULE-022] [GB-RULE-023] [GB-RULE-024] [GB-RULE-032] [GB-RULE-033] [GB-FIELD-013] [GB-CONST-001]',
    { timeout: WORK_MS },
    async () => {
      await startDay(underTest, clerk, '50000')
      const page = await open(clerk, { at: '/global_batch' })
      const sent = apiRequests(page)
      const last = () =>
        sent.filter((request) => request.startsWith('GET /global_batches/bills') && !/with_rows|page=2/.test(request)).at(-1)
      await hasRows(page, list, 10)
      expect(await titles(page, list)).toEqual([
        '',
        'Client Name',
        'Vendor Name',
        'Vendor Short Code',
        'Payment Date',
        'Due Date',
        'Amount Due',
        'Amount Paid',
        'Pay Type',
        'PO Box',
        'Banking Identifier',
        'Account Number',
        'Days Due',
        'Reason',
        'Why Unpaid',
      ])
      expect((await column(page, list, 'Due Date'))[0]).toBe(shownDate(dayOn(-4)))
      expect((await column(page, list, 'Days Due')).slice(0, 6)).toEqual([
        '4 d late',
        '3 d late',
        '2 d late',
        '1 d late',
        'today',
        '1 d left',
      ])
      await page.getByText(/^\* .* can only be batched individually or with bills from the same vendor\.$/).waitFor()
      const sizes = await page.getByRole('combobox', { name: 'Per page' }).locator('option').allInnerTexts()
      expect(sizes).toEqual(['Fit', '10', '20', '50', '100', '1000'])
      await page.getByRole('combobox', { name: 'Per page' }).selectOption('20')
      await hasRows(page, list, 19)
      expect(await column(page, list, 'Vendor Name')).toContain('*Solo Water')
      expect(await column(page, list, 'Vendor Name')).not.toContain('*City Power')
      await soon(last).toContain(`due_date_gteq=1990-12-31&due_date_lteq=${dayOn(30)}`)
      await lookedAt(page, 'global-batch-desk-dark')

      await page.getByRole('combobox', { name: 'Per page' }).selectOption('10')
      await button(page, 'Next page').click()
      await hasRows(page, list, 9)
      expect(await field(page, 'Due on or before').inputValue()).toBe(shownDate(dayOn(30)))
      await field(page, 'Due on or before').fill(shownDate(dayOn(0)).replace(/\/(\d\d)(\d\d)$/, '/$2'))
      await field(page, 'Due on or before').blur()
      await hasRows(page, list, 5)
      await soon(() => new URL(page.url()).search).toBe(`?due_date_lteq=${dayOn(0)}&per=10`.replace('&per=10', ''))
      await page.getByRole('checkbox', { name: 'Use range' }).click()
      await soon(() => field(page, 'Due from').inputValue()).toBe('12/31/1990')
      await field(page, 'Due from').fill(shownDate(dayOn(-2)).replaceAll('/', '-'))
      await field(page, 'Due from').blur()
      await hasRows(page, list, 3)
      await soon(last).toContain(`q[due_date_gteq]=${dayOn(-2)}`)
      await page.getByRole('checkbox', { name: 'Use range' }).click()
      await hasRows(page, list, 5)
      // Without the range the request equals the previous one, whose response may still be cached.
      expect(sent.filter((request) => request.includes(`q[due_date_lteq]=${dayOn(0)}`)).join('\n')).toContain('due_date_gteq=1990-12-31')
      await button(page, 'Reset Filters').click()
      await hasRows(page, list, 10)

      const from = field(page, 'Amount due from')
      const to = field(page, 'Amount due to')
      await soon(() => from.inputValue()).toBe('0.80')
      expect(await to.inputValue()).toBe('7412.10')
      await from.fill('')
      await from.pressSequentially('-1x2.345')
      expect(await from.inputValue()).toBe('-12.34')
      await from.blur()
      expect(await from.inputValue()).toBe('0.80')
      await to.fill('')
      await to.blur()
      expect(await to.inputValue()).toBe('7412.10')
      await from.fill('1000')
      await from.press('Enter')
      await hasRows(page, list, 4)
      await soon(last).toContain('q[amount_due_gteq]=1000.00')
      const handle = page.getByRole('slider', { name: 'Amount due to' })
      expect(await handle.getAttribute('max')).toBe('741210')
      await handle.press('ArrowLeft')
      await soon(() => to.inputValue()).toBe('7412.09')
      await hasRows(page, list, 3)
      await to.fill('99999')
      await to.blur()
      await soon(() => to.inputValue()).toBe('7412.10')
      await hasRows(page, list, 4)
      await button(page, 'Reset Filters').click()
      await hasRows(page, list, 10)

      const type = page.getByRole('combobox', { name: 'Payment Type' })
      await type.fill('ACH')
      await page.getByRole('option', { name: 'ACH', exact: true }).click()
      await hasRows(page, list, 1)
      expect(await column(page, list, 'Pay Type')).toEqual(['ACH'])
      await soon(last).toContain('q[payment_method_names]=ACH')
      await button(page, 'Reset Filters').click()
      await hasRows(page, list, 10)
      const client = page.getByRole('combobox', { name: 'Client', exact: true })
      await client.fill('Municipal')
      await page.getByRole('option', { name: new RegExp(longPayer) }).click()
      await hasRows(page, list, 4)
      const vendor = page.getByRole('combobox', { name: 'Vendor', exact: true })
      await vendor.fill('Valley')
      await page.getByRole('option', { name: /Valley Gas/ }).click()
      await hasRows(page, list, 1)
      await soon(last).toMatch(/q\[client_ids\]=\d+&q\[vendor_ids\]=\d+|q\[vendor_ids\]=\d+&q\[client_ids\]=\d+/)
    },
  )

  test(
    'are chosen with their amounts, over pages, filters, sorts and a reload; what does not go together says why [GB-TRANS-001] [GB-TRANS-002] [GB-TRANS-003] [GB-TRANS-014] [GB-TRANS-015] [GB-RULE-006] [GB-RULE-007] [GB-RULE-008] [GB-RULE-009] [GB-RULE-010] [GB-RULE-025] [GB-MSG-004] [GB-MSG-005] [GB-MSG-008] [GB-MSG-009] [GB-SCREEN-005] [GB-SCREEN-010] [GB-SCREEN-011] [GB-SCREEN-012] [GB-SCREEN-032] [GB-RULE-034] [GB-MSG-002] [GB-MSG-010]',
    { timeout: WORK_MS },
    async () => {
      await startDay(underTest, clerk, '1000')
      const page = await open(clerk, { at: '/global_batch?per=20' })
      await hasRows(page, list, 19)
      await button(page, 'Add New').click()
      await said(page, 'No bill selected.', 'Must select at least one bill to add.')
      // A bill that no batch may take is shown with its reason, and its checkbox does nothing.
      const held = rows(page, list).filter({ hasText: '$77.00' })
      expect(await held.innerText()).toContain('Has open errors')
      await held.getByRole('checkbox').click({ force: true })
      await grid(page, list).getByRole('columnheader').first().getByRole('checkbox').click()
      await said(page, 'Not allowed', 'Bills with the vendor Solo Water must be batched separately')
      expect(await fact(page, 'Chosen').innerText()).toBe('0 bills · $0.00')

      await box(page, '$100.25').click()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('1 bill · $100.25')
      await box(page, 'Solo Water').click()
      await said(page, 'Not Allowed', 'Bills with the vendor Solo Water can only be batched with bills from that same vendor')
      await box(page, '$7,412.10').click()
      await said(
        page,
        'All selected bills must have the same payment type',
        'your selection has a payment type of ACH while your other selections are of type Check',
      )
      expect(await fact(page, 'Chosen').innerText()).toBe('1 bill · $100.25')
      expect(await rows(page, list).filter({ hasText: '$7,412.10' }).innerText()).toContain('Check and ACH are two')
      await box(page, '$101.25').click()
      await box(page, '$101.25').click()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('1 bill · $100.25')
      await box(page, '$1,000.00').click()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('2 bills · $1,100.25')
      expect(await fact(page, 'Remaining after selection').innerText()).toBe('-$100.25, over by $100.25')
      expect(await fact(page, 'Remaining').innerText()).toBe('$1,000.00')

      const amount = rows(page, list).filter({ hasText: '$1,000.00' }).getByRole('gridcell').filter({ hasText: '$1,000.00' }).last()
      await amount.dblclick()
      await page.keyboard.type('900.5')
      await page.keyboard.press('Enter')
      await soon(() => fact(page, 'Chosen').innerText()).toBe('2 bills · $1,000.75')
      const changed = rows(page, list).filter({ hasText: '$900.50' }).getByRole('gridcell').filter({ hasText: '$900.50' })
      for (const wrong of ['12.345', '-5', 'abc']) {
        await changed.dblclick()
        await page.keyboard.type(wrong)
        await page.keyboard.press('Enter')
        await changed.waitFor()
      }
      expect(await fact(page, 'Chosen').innerText()).toBe('2 bills · $1,000.75')

      await page.getByRole('combobox', { name: 'Per page' }).selectOption('10')
      await button(page, 'Next page').click()
      await hasRows(page, list, 9)
      await grid(page, list)
        .getByRole('columnheader', { name: /Amount Due/ })
        .getByRole('button')
        .first()
        .click()
      await grid(page, list).getByRole('textbox', { name: 'Filter Vendor Name' }).fill('Valley')
      await hasRows(page, list, 1)
      expect(await fact(page, 'Chosen').innerText()).toBe('2 bills · $1,000.75')
      await page.reload()
      await hasRows(page, list, 1)
      await soon(() => fact(page, 'Chosen').innerText()).toBe('2 bills · $1,000.75')
      await button(page, 'Go to selected bills').click()
      const card = page.getByRole('region', { name: 'Selected Bills' })
      await soon(() => card.evaluate((element) => element.getBoundingClientRect().top < innerHeight - 200)).toBe(true)
      expect(await card.getByRole('heading').innerText()).toBe('Selected Bills 2')
      expect(await column(page, chosen, 'Amount Paid')).toEqual(['$100.25', '$900.50'])
      await card.getByText('2 batches · $1,000.75').waitFor()
      await lookedAt(page, 'global-batch-selected-dark')
      await rows(page, chosen).first().getByRole('checkbox').click()
      await hasRows(page, chosen, 1)
      await soon(() => fact(page, 'Chosen').innerText()).toBe('1 bill · $900.50')
      await button(page, 'Reset selected bills').click()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('0 bills · $0.00')
      await page.keyboard.press('Control+z')
      await soon(() => fact(page, 'Chosen').innerText()).toBe('1 bill · $900.50')
      await card.getByRole('button', { name: 'Reset', exact: true }).click()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('0 bills · $0.00')
      await page.getByText('No bill is chosen').waitFor()
    },
  )

  test(
    'a person without the right sees none of it, and neither does somebody of one client [GB-PERM-001] [PERM-PERM-043]',
    { timeout: WORK_MS },
    async () => {
      const client = await makePerson(db, 'client_admin')
      const page = await open(client, { at: '/global_batch' })
      await page.getByRole('main').getByRole('heading').first().waitFor()
      expect(await page.getByRole('region', { name: 'Bank value' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Global Batch' }).count()).toBe(0)
    },
  )

  test(
    'are paid with what is due when they are batched: a correction after the tick is shown and paid, and a typed amount stays',
    { timeout: WORK_MS },
    async () => {
      await startDay(underTest, clerk, '50000')
      const page = await open(clerk, { at: '/global_batch?per=20' })
      await hasRows(page, list, 19)
      await box(page, '$105.25').click()
      await box(page, '$106.25').click()
      const typed = rows(page, list).filter({ hasText: '$106.25' }).getByRole('gridcell').filter({ hasText: '$106.25' }).last()
      await typed.dblclick()
      await page.keyboard.type('6.25')
      await page.keyboard.press('Enter')
      await soon(() => fact(page, 'Chosen').innerText()).toBe('2 bills · $111.50')
      await sql`update bills set current_charges = amount_due + 1000, amount_due = amount_due + 1000 where amount_due in (105.25, 106.25)`.execute(
        db,
      )
      await page.reload()
      await soon(() => fact(page, 'Chosen').innerText()).toBe('2 bills · $1,111.50')
      const corrected = rows(page, chosen).filter({ hasText: '$1,106.25' })
      await soon(() => corrected.innerText()).toContain('$6.25')
      await button(page, 'Add New').click()
      await button(page, 'Create batch').click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('1 batch · $1,111.50').waitFor()
      await dialog.getByRole('button').last().click()
      await soon(async () => {
        const { rows: paid } = await sql<{ amount: string }>`select member.amount_paid::text as amount from payment_batch_bills member
          join bills on bills.client_id = member.client_id and bills.id = member.bill_id
          where bills.amount_due in (1105.25, 1106.25) and member.released_at is null order by 1`.execute(db)
        return paid.map(({ amount }) => amount)
      }).toEqual(['1105.25', '6.25'])
    },
  )
})
