/** Return files in the built console: read, judged entry by entry, applied, and listed. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { returnFile } from '../support/bank-files.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makePayer } from '../support/desk.ts'
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
