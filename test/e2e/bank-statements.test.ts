/** Bank statements in the built console: a file is looked at, read in, and reconciled with the keyboard. */
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../support/app.ts'
import { bai2File, csvFile } from '../support/bank-statements.ts'
import { makeBankProfile, makeDeskBill, makeDeskVendor, makePayer } from '../support/desk.ts'
import { soon, startConsole } from './console.ts'
import { button, dayOn, hasRows, rows, startDay } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'

const underTest = await startConsole()
const { app, db, open } = underTest
const WORK_MS = 120_000
const lines = 'Statement Lines'
let clerk: Person

beforeAll(async () => {
  clerk = await makePerson(db, 'muc_admin')
  await startDay(underTest, clerk, '50000')
  const payer = await makePayer(db)
  await makeBankProfile(db, payer.clientId)
  const vendor = await makeDeskVendor(db, { name: 'Harbor Water' })
  const bills = [await makeDeskBill(db, payer, vendor, { amount: '30.00' })]
  const head = { batch_date: dayOn(0), bills_due_date: dayOn(14), bill_ids: bills }
  const made = await app.ask(clerk, 'POST', '/global_batches', { global_batch: head })
  const sent = await app.ask(clerk, 'POST', '/global_batches/export', { ids: [Number(made.body['id'])], pay_method: 'Check' })
  expect(sent.status, sent.text).toBe(200)
}, WORK_MS)

test(
  'a statement is looked at before it is read; Enter confirms the proposed check, a fee is explained, and the difference is nothing',
  { timeout: WORK_MS },
  async () => {
    const day = dayOn(0)
    const file = bai2File([
      {
        account: '99887766',
        day,
        opening: 100_000,
        rows: [
          { code: '475', cents: 3_000, customer: '777' },
          { code: '699', cents: 1_500, text: 'MONTHLY FEE' },
        ],
      },
    ])
    const page = await open(clerk, { at: '/global_batch/outstanding' })
    await hasRows(page, 'Outstanding Payments', 1)
    await page.getByText('$30.00 · 1').first().waitFor()
    await lookedAt(page, 'outstanding-payments-dark')
    await page.getByRole('link', { name: 'Bank Statements' }).click()
    await page.getByText('No statements yet').waitFor()
    await page.getByRole('link', { name: 'Read Statement' }).click()
    const choose = (name: string, text: string) =>
      page.getByLabel('Statement file of the bank').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const profile = page.getByLabel('Bank Profile')
    await profile.selectOption({ index: 1 })
    await choose('other.bai', file.replaceAll('99887766', '11112222'))
    await page.getByText('This file is of another bank account: it holds …2222, and not …7766.').waitFor()
    await choose('day.csv', csvFile(100_000, [{ day, cents: -1_500 }]))
    await page.getByText('Type the opening balance: no earlier statement of this account says it.').waitFor()
    await lookedAt(page, 'read-bank-statement-csv-dark')
    await choose('day.bai', file)
    await page.getByText('Nothing outstanding has this amount within 5 days.').waitFor()
    await lookedAt(page, 'read-bank-statement-dark')
    await button(page, 'Read 2 lines · 0 cleared').click()
    await hasRows(page, lines, 2)
    const figures = page.getByLabel('Figures of the statement')
    expect(await figures.innerText()).toMatch(/Difference\s+-\$45\.00/)
    await lookedAt(page, 'reconciliation-dark')

    // By keyboard alone: what is settled folds away, and the focus stays in the list.
    const folds = page.getByRole('navigation', { name: 'Lines of the statement' })
    await rows(page, lines).filter({ hasText: 'Proposed' }).getByRole('gridcell').first().focus()
    await page.keyboard.press('Enter')
    await hasRows(page, lines, 1)
    await soon(() => folds.getByRole('link', { name: /^Cleared/ }).innerText()).toMatch(/1 · -\$30\.00/)
    await soon(() => page.evaluate(() => document.activeElement?.closest('[data-row]')?.textContent ?? '')).toContain('MONTHLY FEE')
    await page.keyboard.press('Enter')
    await page.getByLabel('Explanation').fill('Monthly fee of the bank')
    await page.keyboard.press('Enter')
    await soon(() => figures.innerText()).toMatch(/Difference\s+\$0\.00/)
    await page.getByText('Each line is cleared or explained.').waitFor()
    await folds.getByRole('link', { name: /^Explained/ }).focus()
    await page.keyboard.press('Enter')
    await hasRows(page, lines, 1)
    await rows(page, lines).getByRole('gridcell').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Reason').fill('Mistake')
    await page.keyboard.press('Enter')
    await soon(() => figures.innerText()).toMatch(/Difference\s+-\$15\.00/)

    await page.setViewportSize({ width: 390, height: 800 })
    await lookedAt(page, 'reconciliation-phone')
    await page.getByRole('link', { name: 'Outstanding' }).click()
    await page.getByText('Nothing is outstanding').waitFor()
  },
)

test('axe finds nothing in the screens of bank statements in the light theme', { timeout: WORK_MS }, async () => {
  const { body } = await app.ask(clerk, 'GET', '/bank_statements')
  const id = z.object({ bank_statements: z.array(z.object({ id: z.int() })) }).parse(body).bank_statements[0]?.id ?? 0
  for (const [name, at, words] of [
    ['bank-statements', '/global_batch/statements', '1 open'],
    ['reconciliation', `/global_batch/statements/${id}?lines=all`, 'MONTHLY FEE'],
    ['read-bank-statement', '/global_batch/statements/read', 'Nothing is stored before you read it in.'],
    ['outstanding-payments', '/global_batch/outstanding', 'Nothing is outstanding'],
  ] as const) {
    const page = await open(clerk, { at, theme: 'light' })
    await page.getByText(words).first().waitFor()
    await lookedAt(page, `${name}-light`)
  }
})
