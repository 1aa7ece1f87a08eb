/** A hundred documents are dropped at once on a poor connection: all are accepted, and each only once. */
import { sql } from 'kysely'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { makePerson } from '../support/app.ts'
import { makeAccount, makeGround, makeService } from '../support/bills.ts'
import { billPdf, paperBill } from '../support/scan-files.ts'
import { soon, startConsole } from './console.ts'

const MINUTE = 60_000
const COUNT = 100
const { db, open } = await startConsole()

/** Refuses temporarily, as the request limit does, or lets the request through and loses its response; most succeed. */
function troubled(): { route: (route: Route) => Promise<void>; counts: { sent: number; paused: number; lost: number } } {
  const counts = { sent: 0, paused: 0, lost: 0 }
  return {
    counts,
    async route(route) {
      counts.sent += 1
      if (counts.sent % 9 === 4) {
        counts.paused += 1
        const body = JSON.stringify({
          message: 'Too many requests. Please slow down.',
          code: 'too_many',
          errors: { full_messages: [], fields: {} },
        })
        return route.fulfill({ status: 429, headers: { 'retry-after': '1', 'content-type': 'application/json' }, body })
      }
      if (counts.sent % 17 === 8) {
        counts.lost += 1
        await route.fetch()
        return route.abort('connectionreset')
      }
      return route.continue()
    },
  }
}

test(
  'all of a hundred dropped PDFs are taken, with pauses and lost answers between, by one request each and its repeats',
  { timeout: 5 * MINUTE },
  async () => {
    const at = await makeGround(db)
    const admin = await makePerson(db, 'super_admin')
    const page = await open(admin, { at: `/clients/${at.clientId}/bills/inbox`, mayComplain: true })
    await page.getByText('No document waits').waitFor()
    const line = troubled()
    await page.route('**/bill_scans/upload', line.route)
    const files = await Promise.all(
      Array.from({ length: COUNT }, async (_, place) => ({
        name: `Bill ${place + 1}.pdf`,
        mimeType: 'application/pdf',
        buffer: await billPdf([{ ...paperBill, invoice_number: `INV-${place + 1}`, account_number: `7000-${1000 + place}` }]),
      })),
    )
    await page
      .getByLabel('Documents to upload')
      .setInputFiles([...files, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no bill') }])
    const result = page.getByRole('region', { name: 'Upload' })
    await result.getByText(/^Uploading: \d+ of 101 taken/).waitFor()
    await result.getByText('100 documents taken, 1 not taken').waitFor({ timeout: 2 * MINUTE })
    await result.getByRole('alert').filter({ hasText: 'notes.txt' }).waitFor()
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/inbox-drop.png` })
    expect(line.counts.paused).toBeGreaterThan(5)
    expect(line.counts.lost).toBeGreaterThan(3)
    expect(line.counts.sent).toBe(COUNT + line.counts.paused + line.counts.lost)
    const { rows } = await sql<{
      filename: string
      count: number
    }>`select filename, count(*)::int as count from bill_scans where client_id = ${at.clientId}
    group by filename`.execute(db)
    expect(rows).toHaveLength(COUNT)
    expect(rows.every(({ count }) => count === 1)).toBe(true)
    const openOnes = async () =>
      (
        await sql<{
          count: number
        }>`select count(*)::int as count from bill_scans where client_id = ${at.clientId} and state <> 'read'`.execute(db)
      ).rows[0]?.count
    await expect.poll(openOnes, { timeout: 2 * MINUTE }).toBe(0)
  },
)

test(
  'a stack that is opened shows its bills; Save and next takes the next of the stack, then the next of the list in its order',
  { timeout: 5 * MINUTE },
  async () => {
    const at = await makeGround(db)
    const admin = await makePerson(db, 'super_admin')
    await sql`update vendors set name = ${paperBill.vendor} where id = ${at.vendorId}`.execute(db)
    const account = await makeAccount(db, at, paperBill.account_number)
    await makeService(db, at.clientId, account, 'electric', paperBill.meter_number)
    const page = await open(admin, { at: `/clients/${at.clientId}/bills/inbox?sort=-amount_due` })
    const paper = (month: string, amount_due: string) => ({
      ...paperBill,
      invoice_number: `INV-9${month}`,
      date: `${month}/05/2026`,
      due_date: `${month}/26/2026`,
      amount_due,
    })
    const drop = async (name: string, buffer: Buffer, waiting: number) => {
      await page.getByLabel('Documents to upload').setInputFiles([{ name, mimeType: 'application/pdf', buffer }])
      const rows = page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
      await expect.poll(() => rows.filter({ hasText: 'Ready' }).count(), { timeout: MINUTE }).toBe(waiting)
    }
    // The document that has waited longest is not necessarily the first of the list.
    await drop('Largest.pdf', await billPdf([paper('03', '500.00')]), 1)
    await drop('Smallest.pdf', await billPdf([paper('04', '9.00')]), 2)
    await drop('Stack.pdf', await billPdf([paper('05', '77.10'), paper('06', '66.20')]), 3)
    await page.getByRole('link', { name: 'Stack.pdf' }).click()
    await page.getByRole('button', { name: 'Divide into 2 documents' }).click()
    const bills = page.getByRole('navigation', { name: 'Bills of this document' })
    const due = page.getByRole('textbox', { name: 'Amount Due' })
    const enter = async (amount: string) => {
      await soon(() => due.inputValue()).toBe(amount)
      await page.getByRole('textbox', { name: 'Previous Reading' }).fill('1000')
      await page.getByRole('textbox', { name: 'Utility Charges' }).fill(amount)
      await page.keyboard.press('Control+Shift+Enter')
    }
    await bills.getByText('Bill 1 of 2 of this document').waitFor()
    await enter('77.10')
    await bills.getByText('Bill 2 of 2 of this document').waitFor()
    await enter('66.20')
    await soon(() => due.inputValue()).toBe('9.00')
    const { rows } = await sql<{
      filename: string
    }>`select bill_files.filename from bill_files join bills on bills.client_id = bill_files.client_id and bills.id = bill_files.bill_id
    where bills.client_id = ${at.clientId} order by bills.id`.execute(db)
    expect(rows.map(({ filename }) => filename)).toEqual(['Stack, page 1.pdf', 'Stack, page 2.pdf'])
  },
)
