/** Return files, check numbers and positive pay in the built console. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { returnFile } from '../support/bank-files.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeDeskVendor, makePayer } from '../support/desk.ts'
import { soon, startConsole } from './console.ts'
import { button, dayOn, hasRows, rows, startDay } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const underTest = await startConsole()
const { app, db, open } = underTest
const WORK_MS = 120_000
const list = 'Bank Returns'
let clerk: Person
let traces: string[]
let batch: number

beforeAll(async () => {
  clerk = await makePerson(db, 'muc_admin')
  await startDay(underTest, clerk, '50000')
  const payer = await makePayer(db)
  await makeBankProfile(db, payer.clientId)
  const bills = [
    await makeDeskBill(db, payer, await makeAchVendor(db), { amount: '12.34' }),
    await makeDeskBill(db, payer, await makeAchVendor(db, 'Harbor Gas'), { amount: '20.00' }),
    await makeDeskBill(db, payer, await makeAchVendor(db, 'River Power'), { amount: '30.00' }),
  ]
  const head = { batch_date: dayOn(0), bills_due_date: dayOn(14), bill_ids: bills }
  const made = await app.ask(clerk, 'POST', '/global_batches', { global_batch: head })
  batch = Number(made.body['id'])
  await app.ask(clerk, 'POST', '/global_batches/export', { ids: [batch], pay_method: 'ACH' })
  const sent = await sql<{ trace: string }>`select trace_number as trace from global_batch_file_payments order by amount`.execute(db)
  traces = sent.rows.map(({ trace }) => trace)
}, WORK_MS)

test(
  'a return file is read before it is applied; what is ticked reopens bills, what is not is applied later, and what matches nothing stays named',
  { timeout: WORK_MS },
  async () => {
    const content = returnFile([
      { code: 'R03', original: traces[0] ?? '', cents: 1_234, remark: 'NO SUCH ACCOUNT' },
      { code: 'R02', original: traces[1] ?? '', cents: 2_000 },
      { code: 'R02', original: '099999990000001', cents: 100 },
    ])
    const page = await open(clerk, { at: '/global_batch/files' })
    await page.getByRole('link', { name: 'Bank Returns' }).click()
    await page.getByText('No returns yet').waitFor()
    await page.getByRole('link', { name: 'Read Return File' }).click()
    const choose = (text: string) =>
      page.getByLabel('Return file of the bank').setInputFiles({ name: 'returns.ach', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await choose('a letter')
    await page.getByText('This is no NACHA file').first().waitFor()
    await choose(content)
    await page.getByText('FIRST BANK, 11/25/2026: 3 entries, 2 of them can be applied.').waitFor()
    await page.getByText('No payment file has the trace number 099999990000001.').waitFor()
    await lookedAt(page, 'read-return-file-dark')
    await page.getByRole('checkbox', { name: 'Line 6' }).uncheck()
    expect(await page.getByRole('checkbox', { name: 'Line 8' }).isDisabled()).toBe(true)
    await button(page, 'Apply 1 entry · $12.34 open again').click()
    const dialog = page.getByRole('alertdialog')
    expect(await dialog.innerText()).toContain('1 entry left out, to be applied later.')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await hasRows(page, list, 3)
    await soon(() => noticesSaid(page)).toContainEqual(
      expect.objectContaining({ message: 'File read: 1 return applied, $12.34 open again · 1 left out · 1 matches nothing' }),
    )
    const left = rows(page, list).filter({ hasText: 'Left out' })
    await left.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Apply' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await soon(() => left.count()).toBe(0)
    await lookedAt(page, 'bank-returns-dark')
    const { rows: paid } = await sql<{ count: number }>`select count(*)::int as count from bills where paid`.execute(db)
    expect(paid).toEqual([{ count: 1 }])
    await page.goto('/global_batch/returns/read')
    await choose(content)
    await page.getByText(/This file was read already: .* as returns\.ach\./).waitFor()

    // The batch shows what came back, and what is still paid can be taken back by hand.
    await page.goto(`/global_batch/view/${batch}/bills`)
    const payments = page.getByRole('table', { name: 'Payments of the batch' })
    await payments.getByText('ACH return. R03 No account, or the account cannot be found. NO SUCH ACCOUNT').waitFor()
    await lookedAt(page, 'batch-payments-dark')
    await payments.getByRole('button', { name: /^Reverse VP-\d+ River Power$/ }).click()
    await page.getByLabel('Kind').selectOption('other')
    await page.getByLabel('Reason').fill('Paid twice')
    await button(page, 'Reverse $30.00').click()
    await payments.getByText('Other. Paid twice').waitFor()
    expect(await payments.getByRole('button').count()).toBe(0)
  },
)

test(
  'check numbers are typed or read from a file, whose wrong row is named, and the positive pay file tells the bank of each check once',
  { timeout: WORK_MS },
  async () => {
    const payer = await makePayer(db)
    await makeBankProfile(db, payer.clientId)
    const bills = [
      await makeDeskBill(db, payer, await makeDeskVendor(db, { name: 'Harbor Water' }), { amount: '12.34' }),
      await makeDeskBill(db, payer, await makeDeskVendor(db, { name: 'River Sewer' }), { amount: '20.00' }),
    ]
    const head = { batch_date: dayOn(0), bills_due_date: dayOn(14), bill_ids: bills }
    const made = await app.ask(clerk, 'POST', '/global_batches', { global_batch: head })
    const answer = await app.ask(clerk, 'POST', '/global_batches/export', { ids: [Number(made.body['id'])], pay_method: 'Check' })
    expect(answer.status, answer.text).toBe(200)
    const { rows: requested } = await sql<{ payment: number }>`select vendor_payment_id as payment from global_batch_file_payments entry
      join global_batch_files file on file.id = entry.global_batch_file_id where file.format = 'check_request' order by entry.amount`.execute(
      db,
    )
    const page = await open(clerk, { at: '/global_batch/files' })
    await page.getByRole('link', { name: 'Checks' }).click()
    await hasRows(page, 'Checks', 2)
    const row = rows(page, 'Checks').filter({ hasText: 'Harbor Water' })
    await row.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Enter Number…' }).click()
    await page.getByRole('textbox', { name: 'Check Number', exact: true }).fill('A1')
    await page.keyboard.press('Tab')
    await button(page, 'Record').click()
    await page.getByText('Check Number has 1 to 10 digits and is not 0').waitFor()
    await page.getByRole('textbox', { name: 'Check Number', exact: true }).fill('20001')
    await button(page, 'Record').click()
    await row.getByText('20001').waitFor()
    await lookedAt(page, 'checks-dark')

    await page.getByRole('link', { name: 'Read Check Numbers' }).click()
    const choose = (number: string) =>
      page.getByLabel('File of the printer or the bank').setInputFiles({
        name: 'checks.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Reference,Check Number,Date\nVP-${requested[1]?.payment},${number},${dayOn(0)}\n`),
      })
    await choose('20001')
    await page.getByText('Line 2: Check 20001 of account …7766 is recorded for another payment.').first().waitFor()
    await choose('20002')
    await page.getByText('Records the number').waitFor()
    await lookedAt(page, 'read-check-numbers-dark')
    await button(page, 'Record 1 number · $20.00').click()
    await hasRows(page, 'Checks', 2)

    await page.getByRole('link', { name: 'Positive Pay' }).click()
    await page.getByText('$32.34').waitFor()
    await lookedAt(page, 'positive-pay-dark')
    const download = page.waitForEvent('download')
    await button(page, 'Export positive pay of account 7766').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Export' }).click()
    expect((await download).suggestedFilename()).toMatch(/^Check_positive_pay_\d{8}_\d{4}_\d+\.csv$/)
    await page.getByText('The banks know all checks').waitFor()
    await page.goto('/global_batch/checks')
    await soon(() => rows(page, 'Checks').filter({ hasText: 'Issued, reported' }).count()).toBe(2)
  },
)
