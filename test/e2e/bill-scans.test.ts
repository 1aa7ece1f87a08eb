/** Documents become bills: the inbox, splitting a scan, and entering a bill beside its document. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeAccount, makeGround, makeService, type Ground } from '../support/bills.ts'
import { billPdf, billPicture, paperBill } from '../support/scan-files.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { axeFindings } from './looked-at.ts'

/** OCR and building the console take their time on a busy machine. */
const MINUTE = 60_000
const { db, open } = await startConsole()
let admin: Person
let at: Ground
let inbox: string

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  at = await makeGround(db)
  await sql`update vendors set name = ${paperBill.vendor} where id = ${at.vendorId}`.execute(db)
  const account = await makeAccount(db, at, paperBill.account_number)
  await makeService(db, at.clientId, account, 'electric', paperBill.meter_number)
  inbox = `/clients/${at.clientId}/bills/inbox`
})

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const choose = async (page: Page, text: string, item: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menu').last().getByRole('menuitem', { name: item }).click()
}
const picture = async (page: Page, name: string) => {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/scans-${name}.png` })
}

test(
  'files that are dropped are read; a scan of two bills is divided; one is ignored and taken back',
  { timeout: 4 * MINUTE },
  async () => {
    const page = await open(admin, { at: inbox })
    await page.getByText('No document waits').waitFor()
    await picture(page, 'empty')
    expect(await axeFindings(page)).toEqual([])
    const second = { ...paperBill, invoice_number: 'INV-88214', amount_due: '77.10' }
    await page.getByLabel('Documents to upload').setInputFiles([
      { name: 'March.pdf', mimeType: 'application/pdf', buffer: await billPdf([paperBill]) },
      { name: 'Stack.pdf', mimeType: 'application/pdf', buffer: await billPdf([paperBill, second], 1) },
      { name: 'photo.png', mimeType: 'image/png', buffer: await billPicture({ ...paperBill, invoice_number: 'INV-88215' }) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no bill') },
    ])
    await page.getByRole('alert').filter({ hasText: 'notes.txt' }).waitFor()
    await expect.poll(() => rows(page).filter({ hasText: 'Ready' }).count(), { timeout: 2 * MINUTE }).toBe(3)
    expect(await rowOf(page, 'March.pdf').innerText()).toMatch(/City Power[\s\S]*4417-002-9[\s\S]*128\.40[\s\S]*%/)
    expect(await rowOf(page, 'Stack.pdf').innerText()).toContain('2 bills?')
    await page.getByText('The oldest waits for').waitFor()
    await picture(page, 'inbox')
    await choose(page, 'Stack.pdf', 'Split')
    await page.getByRole('heading', { name: 'Stack.pdf' }).waitFor()
    const cuts = page.getByRole('button', { name: /A new bill begins on page/ })
    await soon(() => cuts.count()).toBe(3)
    expect(await page.getByRole('button', { name: 'A new bill begins on page 3' }).getAttribute('aria-pressed')).toBe('true')
    await soon(() => page.locator('figure canvas').count()).toBe(4)
    await picture(page, 'split')
    expect(await axeFindings(page)).toEqual([])
    // By keyboard: one more cut, then undone.
    await page.getByRole('button', { name: 'A new bill begins on page 2' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Divide into 3 documents' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Divide into 2 documents' }).click()
    // The bills of a stack are entered one after the other, and each shows its number.
    const bills = page.getByRole('navigation', { name: 'Bills of this document' })
    await bills.getByText('Bill 1 of 2 of this document').waitFor()
    await page.getByText(/lines \d of 8/).waitFor()
    await picture(page, 'stack-form')
    await bills.getByRole('link', { name: 'Next bill of this document' }).click()
    await bills.getByText('Bill 2 of 2 of this document').waitFor()
    await page.getByRole('link', { name: 'Go Back' }).click()
    await soon(() => addressOf(page)).toBe(inbox)
    await expect.poll(() => rows(page).filter({ hasText: 'Ready' }).count(), { timeout: MINUTE }).toBe(4)
    expect(await rowOf(page, 'Stack, pages 3-4.pdf').innerText()).toContain('77.10')
    await choose(page, 'Stack, pages 1-2.pdf', 'Ignore')
    await soon(() => rows(page).count()).toBe(3)
    await page.getByRole('navigation', { name: 'Documents' }).getByRole('link', { name: 'Ignored' }).click()
    await choose(page, 'Stack, pages 1-2.pdf', 'Take back')
    await page.getByText('No document was put aside').waitFor()
  },
)

test(
  'a bill is entered by keyboard beside its document, whose values are marked where they stand; Save and next takes the next one',
  { timeout: 3 * MINUTE },
  async () => {
    const page = await open(admin, { at: inbox, theme: 'light' })
    const pane = page.getByRole('complementary', { name: 'Document' })
    const due = page.getByRole('textbox', { name: 'Amount Due' })
    const openScan = async () => {
      await rowOf(page, 'March.pdf').getByRole('link').first().click()
      await pane.locator('canvas').first().waitFor()
      await soon(() => due.inputValue()).toMatch(/128\.40/)
    }
    // Values from OCR are not the user's work: leaving without a change asks nothing, and no draft is stored.
    await openScan()
    await page.waitForTimeout(800)
    const drafts = () =>
      page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)].filter((key) => key.includes('draft:')))
    expect(await drafts()).toEqual([])
    expect(await page.getByText('Not saved yet').count()).toBe(0)
    await page.getByRole('link', { name: 'Go Back' }).click()
    await soon(() => addressOf(page)).toBe(inbox)
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    // A typed letter is: it returns with the read values, and Discard restores the reading.
    await openScan()
    const read = await page.getByRole('textbox', { name: 'Invoice Number' }).inputValue()
    await page.getByRole('textbox', { name: 'Invoice Number' }).fill('TYPED')
    await soon(drafts).toHaveLength(2)
    await page.reload()
    await page.getByText('What you had typed was restored.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Invoice Number' }).inputValue()).toBe('TYPED')
    expect(await due.inputValue()).toMatch(/128\.40/)
    await page.getByRole('button', { name: 'Discard it' }).click()
    await soon(() => page.getByRole('textbox', { name: 'Invoice Number' }).inputValue()).toBe(read)
    await soon(drafts).toEqual([])
    await pane.locator('canvas').first().waitFor()
    expect(await pane.locator('[data-mark]').count()).toBeGreaterThan(5)
    await page.getByRole('textbox', { name: 'Invoice Number' }).focus()
    await soon(() => pane.locator('[data-mark="invoice_number"]').getAttribute('class')).toMatch(/markActive/)
    await picture(page, 'entry-light')
    expect(await axeFindings(page)).toEqual([])
    const charge = page.getByRole('textbox', { name: 'Utility Charges' })
    // Values that were not read are typed; read values stay.
    await page.getByRole('textbox', { name: 'Previous Read Date' }).fill('02/01/2026')
    await page.getByRole('textbox', { name: 'Read Date', exact: true }).fill('03/01/2026')
    await page.getByRole('textbox', { name: 'Previous Reading' }).fill('1000')
    await charge.fill('128.40')
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByText(/Saved:/).waitFor()
    await soon(() => addressOf(page)).toMatch(/scan_id=\d+/)
    const { rows: saved } = await sql<{ filename: string; state: string }>`select bill_files.filename, bill_scans.state
    from bill_files join bill_scans on bill_scans.bill_id = bill_files.bill_id where bill_files.client_id = ${at.clientId}`.execute(db)
    expect(saved).toEqual([{ filename: 'March.pdf', state: 'done' }])
  },
)

test(
  'the document is zoomed, turned, searched and moved into a window of its own, which follows the form and docks back',
  { timeout: 3 * MINUTE },
  async () => {
    const { rows: found } = await sql<{
      id: number
    }>`select id from bill_scans where client_id = ${at.clientId} and filename = 'Stack, pages 3-4.pdf'`.execute(db)
    const form = `/clients/${at.clientId}/bills/new?scan_id=${found[0]?.id}`
    const page = await open(admin, { at: form })
    const pane = page.getByRole('complementary', { name: 'Document' })
    const sheet = pane.locator('[data-page="1"]')
    await sheet.locator('canvas').waitFor()
    const width = async () => (await sheet.boundingBox())?.width ?? 0
    const fitting = await width()
    await pane.getByRole('region', { name: 'Pages', exact: true }).focus()
    await page.keyboard.press('+')
    await soon(width).toBeGreaterThan(fitting)
    await page.keyboard.press('0')
    await soon(width).toBe(fitting)
    await page.keyboard.press('r')
    await soon(async () => ((await sheet.boundingBox())?.height ?? 0) < (await width())).toBe(true)
    for (let turn = 0; turn < 3; turn++) await page.keyboard.press('r')
    await page.keyboard.press('Control+f')
    await page.keyboard.type('kilowatt hour')
    await pane.getByText('1 of 1').waitFor()
    await soon(() => pane.locator('[data-page="2"] [data-hit]').count()).toBe(1)
    await pane.getByRole('textbox', { name: 'Page' }).fill('1')
    await page.keyboard.press('Enter')
    await picture(page, 'pane')
    await pane.getByLabel('Zoom', { exact: true }).selectOption('150')
    const [outside] = await Promise.all([
      page.context().waitForEvent('page'),
      pane.getByRole('button', { name: 'Open in its own window' }).click(),
    ])
    await outside.locator('[data-page="1"] canvas').waitFor()
    await pane.getByText('The document is in its own window').waitFor()
    await picture(outside, 'window')
    expect(await axeFindings(outside)).toEqual([])
    await page.getByRole('textbox', { name: 'Invoice Number' }).focus()
    await soon(() => outside.locator('[data-mark="invoice_number"]').getAttribute('class')).toMatch(/markActive/)
    await outside.locator('[data-mark="due_date"]').click()
    await soon(() => page.evaluate(() => document.activeElement?.closest('[data-path]')?.getAttribute('data-path'))).toBe('due_date')
    await outside.close({ runBeforeUnload: true })
    await sheet.locator('canvas').waitFor()
    // The zoom is the user's own setting, also in another window.
    await expect
      .poll(
        async () =>
          (await sql<{ zoom: unknown }>`select preferences->'document_zoom' as zoom from users where id = ${admin.id}`.execute(db)).rows[0]
            ?.zoom,
      )
      .toBe(150)
  },
)
