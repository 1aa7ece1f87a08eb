/** Documents at the five levels: lists, the form with its file, the preview, and what a file may not do in the browser. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { attachables, type AttachableType } from '#contract/documents/document.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeGround, makeSupplyAccount, type Ground } from '../support/bills.ts'
import { addBill } from '../support/fact-bills.ts'
import { formOf, pdfOf, pngOf, workbook, type TestFile } from '../support/forms.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { axeFindings, wcag } from './looked-at.ts'

const { app, db, url, open } = await startConsole()
const MINUTE = 60_000
const long = 'A title of sixty characters, as long as titles of leases get'
let ground: Ground
let supplyAccountId: number
let staff: Person

const pdf: TestFile = { filename: 'lease.pdf', type: 'application/pdf', bytes: pdfOf('Lease of the harbor hall') }
const png: TestFile = { filename: 'meter.png', type: 'image/png', bytes: pngOf(320, 200) }
const csv: TestFile = {
  filename: 'rates.csv',
  type: 'text/csv',
  bytes: Buffer.from(
    `Tier;Rate;Note\r\n${Array.from({ length: 300 }, (_, at) => `${at + 1};0.1${at};"a ""quoted""; note"`).join('\r\n')}\r\n`,
  ),
}

beforeAll(async () => {
  ground = await makeGround(db)
  supplyAccountId = await makeSupplyAccount(db, ground, '8800-1')
  staff = await makePerson(db, 'super_admin')
  await sql`update users set first_name = 'Ada', last_name = 'Byron' where id = ${staff.id}`.execute(db)
}, MINUTE)

const places = () =>
  [
    { type: 'Client', at: `/clients/${ground.clientId}`, id: ground.clientId },
    { type: 'Division', at: `/clients/${ground.clientId}/divisions/${ground.divisionId}`, id: ground.divisionId },
    { type: 'Facility', at: `/clients/${ground.clientId}/facilities/${ground.facilityId}`, id: ground.facilityId },
    { type: 'BillableAccount', at: `/clients/${ground.clientId}/billable_accounts/${ground.accountId}`, id: ground.accountId },
    { type: 'SupplyAccount', at: `/clients/${ground.clientId}/supply_accounts/${supplyAccountId}`, id: supplyAccountId },
  ] as const

/** Stores a document as another program would. */
async function keep(type: AttachableType, id: number, title: string, file: TestFile = pdf): Promise<number> {
  const values = {
    'document[title]': title,
    'document[file]': file,
    'document[attachable_type]': type,
    'document[attachable_id]': String(id),
  }
  const form = formOf(values)
  const answer = await app.app.server.inject({
    method: 'POST',
    url: `/api/v5/clients/${ground.clientId}/documents`,
    headers: { ...staff.headers, ...form.headers },
    payload: form.payload,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ id: number }>().id
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Documents' })
const rowOf = (page: Page, title: string) => grid(page).getByRole('row').filter({ hasText: title })
const upload = (file: TestFile) => ({ name: file.filename, mimeType: file.type, buffer: file.bytes })
/** Searched within the form: until its code has loaded, the list is still shown under the new address, and its filter is a Title as well. */
const titleOf = (page: Page) => page.getByRole('form').getByLabel('Title')
const drawer = (page: Page) => page.getByRole('dialog')

test(
  '[DOC-SCREEN-001] [DOC-SCREEN-002] [DOC-RULE-003] [DOC-ROUTE-001] [DOC-FIELD-001] [DOC-FIELD-002] [CLIENT-ROUTE-011] [CLIENT-ROUTE-012] [CLIENT-ROUTE-013] at each level the tab leads to the list, a file is kept by the form and changed by it, and each level lists its own',
  async () => {
    const page = await open(staff, { at: '/landing' })
    for (const { type, at } of places()) {
      await page.goto(`${at}/dashboard`)
      await page.getByRole('main').getByRole('link', { name: 'Documents', exact: true }).click()
      await grid(page).waitFor()
      expect(addressOf(page)).toBe(`${at}/documents`)
      await page.getByRole('link', { name: 'Add New' }).click()
      await soon(() => addressOf(page)).toBe(`${at}/documents/new`)
      await titleOf(page).fill(`Paper of the ${type}`)
      await page.getByLabel('File', { exact: true }).setInputFiles(upload(pdf))
      await page.getByRole('button', { name: 'Save' }).click()
      await soon(() => addressOf(page)).toBe(`${at}/documents`)
      const row = rowOf(page, `Paper of the ${type}`)
      for (const text of ['lease.pdf', 'PDF', 'Ada Byron', /\d\d\/\d\d\/\d{4}/]) await row.getByText(text).first().waitFor()

      await row.getByRole('button', { name: /Actions/ }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await soon(() => addressOf(page)).toMatch(new RegExp(`^${at}/documents/\\d+/edit$`))
      await titleOf(page).fill(`Sheet of the ${type}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await rowOf(page, `Sheet of the ${type}`).getByText('lease.pdf').waitFor()
    }
    for (const { type, at } of places()) {
      await page.goto(`${at}/documents`)
      await rowOf(page, `Sheet of the ${type}`).waitFor()
      expect(
        await grid(page)
          .getByText(/^Sheet of the/)
          .allInnerTexts(),
      ).toEqual([`Sheet of the ${type}`])
    }
    const { rows } = await sql<{ count: number }>`select count(*) as count from documents`.execute(db)
    expect(rows[0]?.count).toBe(attachables.length)
  },
  2 * MINUTE,
)

test('[DOC-SCREEN-003] [DOC-SCREEN-004] [DOC-SCREEN-005] [DOC-API-003] the list pages; a row says title, dates and file, and offers download, edit and delete', async () => {
  const facility = places()[2]
  for (let at = 0; at < 12; at++) await keep('Facility', facility.id, `Number ${String(at).padStart(2, '0')}`)
  const page = await open(staff, { at: `${facility.at}/documents?sort=title&title=number` })
  await page.getByText('1–10 of 12 documents').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await rowOf(page, 'Number 11').waitFor()
  expect(
    await grid(page)
      .getByText(/^Number/)
      .allInnerTexts(),
  ).toEqual(['Number 10', 'Number 11'])
  const heads = await grid(page).getByRole('columnheader').allInnerTexts()
  for (const head of ['Title', 'File Name', 'Type', 'Size', 'Created', 'Updated', 'Uploaded By']) expect(heads.join(' ')).toContain(head)

  await rowOf(page, 'Number 11')
    .getByRole('button', { name: /Actions/ })
    .click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('lease.pdf')
  expect((await readFile(await file.path())).equals(pdf.bytes)).toBe(true)

  await rowOf(page, 'Number 11')
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Do you want to delete this record? This action cannot be undone.').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('of 11 documents').waitFor()
  expect(await rowOf(page, 'Number 11').count()).toBe(0)
})

test('[DOC-RULE-001] [DOC-RULE-002] the form wants a title and one file: the second that is chosen takes the place of the first', async () => {
  const page = await open(staff, { at: `${places()[1].at}/documents/new` })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && /documents/.test(request.url()) && sent.push(request.url()))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Title is required').waitFor()
  await page.getByText('File is required').waitFor()
  expect(sent).toEqual([])
  const field = page.getByLabel('File', { exact: true })
  expect(await field.getAttribute('multiple')).toBeNull()
  await field.setInputFiles(upload(pdf))
  await page.getByText('lease.pdf').waitFor()
  await field.setInputFiles(upload(png))
  await page.getByText('meter.png').waitFor()
  expect(await page.getByText('lease.pdf').count()).toBe(0)
  expect(await page.getByText('File is required').count()).toBe(0)
})

test('a file that is dropped on the field is taken as if chosen, one of another kind is refused by name, and the stored document is the dropped one', async () => {
  const place = places()[1]
  const page = await open(staff, { at: `${place.at}/documents/new` })
  await titleOf(page).fill('Dropped')
  await drop(page, 'drawing.svg', 'image/svg+xml', '<svg/>')
  await page.getByText(/^drawing\.svg cannot be used here\. Allowed: PDF/).waitFor()
  await drop(page, 'dropped.csv', 'text/csv', 'a,b\r\n1,2\r\n')
  await page.getByText('dropped.csv').waitFor()
  expect(await page.getByText('cannot be used here').count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await rowOf(page, 'Dropped').getByText('dropped.csv').waitFor()
})

/** Simulates dropping a file on the field. */
async function drop(page: Page, name: string, type: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const carried = new DataTransfer()
      carried.items.add(new File([file.text], file.name, { type: file.type }))
      return carried
    },
    { name, type, text },
  )
  const field = page.getByText('Drop a file here, or choose one')
  await field.dispatchEvent('dragover', { dataTransfer })
  await field.dispatchEvent('drop', { dataTransfer })
}

test('while a large file is on its way over a slow line, a bar says how much of it has gone, and goes when it is there', async () => {
  const page = await open(staff, { at: `${places()[1].at}/documents/new` })
  const line = await page.context().newCDPSession(page)
  await titleOf(page).fill('Slow')
  const bytes = Buffer.from('a,b\r\n'.repeat(300_000))
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'slow.csv', mimeType: 'text/csv', buffer: bytes })
  await page.getByText('slow.csv').waitFor()
  await line.send('Network.enable')
  const carry = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput })
  await carry(60_000)
  await page.getByRole('button', { name: 'Save' }).click()
  const bar = page.getByRole('progressbar', { name: 'Upload' })
  const share = () => bar.evaluate((element) => (element instanceof HTMLProgressElement ? element.value : 0))
  await soon(share).toBeGreaterThan(0)
  const early = await share()
  expect(early).toBeLessThan(1)
  await soon(share).toBeGreaterThan(early)
  await carry(-1)
  await rowOf(page, 'Slow').waitFor()
  expect(await bar.count()).toBe(0)
})

test('[DOC-MSG-001] a save that fails says so in an alert, names what is wrong at its field and keeps what was typed', async () => {
  const page = await open(staff, { at: `${places()[1].at}/documents/new` })
  await titleOf(page).fill('Not what it says')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Unable to create document...', { exact: true }).waitFor()
  await page.getByText('The file is no PDF.').first().waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Not what it says')
  await page.getByLabel('File', { exact: true }).setInputFiles(upload(pdf))
  await page.getByRole('button', { name: 'Save' }).click()
  await rowOf(page, 'Not what it says').waitFor()
})

test.each(['dark', 'light'] as const)(
  'in %s, Space or Enter opens the document beside the list, arrows walk to the next one, Escape leads back; axe finds nothing',
  async (theme) => {
    const account = places()[3]
    await sql`delete from documents where billable_account_id = ${account.id}`.execute(db)
    await keep('BillableAccount', account.id, 'Sheets', { filename: 'book.xlsx', type: 'application/octet-stream', bytes: workbook })
    await keep('BillableAccount', account.id, 'Rates', csv)
    await keep('BillableAccount', account.id, 'Meter', png)
    await keep('BillableAccount', account.id, long, pdf)
    const page = await open(staff, { at: `${account.at}/documents`, theme })
    await rowOf(page, long).waitFor()
    expect(await axeFindings(page, { tags: wcag })).toEqual([])
    await rowOf(page, long).getByRole('gridcell').nth(1).click()
    await page.keyboard.press('Space')
    await drawer(page).getByRole('heading', { name: long }).waitFor()
    await drawer(page).getByRole('region', { name: 'lease.pdf' }).getByRole('group', { name: 'Page 1 of 1' }).locator('canvas').waitFor()
    expect(await axeFindings(page, { tags: wcag })).toEqual([])
    await picture(page, `preview-pdf.${theme}`)
    await page.keyboard.press('ArrowDown')
    const shown = drawer(page).getByRole('img', { name: 'meter.png' })
    await shown.waitFor()
    await soon(() => shown.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))).toBe(320)
    await picture(page, `preview-picture.${theme}`)
    await page.keyboard.press('ArrowRight')
    const table = drawer(page).getByRole('table', { name: 'rates.csv' })
    await table.getByRole('cell', { name: 'a "quoted"; note' }).first().waitFor()
    expect(await table.getByRole('row').count()).toBe(201)
    await drawer(page).getByText('The first 200 rows are shown; the file has more.').waitFor()
    expect(await axeFindings(page, { tags: wcag })).toEqual([])
    await picture(page, `preview-csv.${theme}`)
    await page.keyboard.press('ArrowRight')
    await drawer(page).getByText('There is no preview of this kind of file').waitFor()
    await drawer(page).getByText('4 of 4').waitFor()
    await page.keyboard.press('ArrowRight')
    await drawer(page).getByText('4 of 4').waitFor()
    await page.keyboard.press('ArrowLeft')
    await drawer(page).getByText('3 of 4').waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('gridcell')
    await page.keyboard.press('Enter')
    await drawer(page).getByRole('heading', { name: long }).waitFor()
    await page.keyboard.press('Escape')
    await picture(page, `list.${theme}`)
    await page.goto(`${account.at}/documents/new`)
    await page.getByLabel('Title').waitFor()
    expect(await axeFindings(page, { tags: wcag })).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('File is required').waitFor()
    await picture(page, `form.${theme}`)
  },
  2 * MINUTE,
)

/** Saves a picture if `SCREENSHOTS` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/documents-${name}.png` })
}

test('by the keyboard alone a document is kept and shown', async () => {
  const page = await open(staff, { at: `${places()[0].at}/documents/new` })
  // Registered before the first key: the browser starts to report file choosers some moments after the listener is there.
  const chooser = page.waitForEvent('filechooser')
  await page.getByLabel('Title').focus()
  await page.keyboard.type('Typed')
  await page.keyboard.press('Tab')
  await page.locator('input[type=file]:focus').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await (await chooser).setFiles(upload(pdf))
  await page.getByText('lease.pdf').waitFor()
  await page.keyboard.press('Control+Enter')
  await rowOf(page, 'Typed').waitFor()
})

test('no script of a file runs, whether it is looked at, opened or downloaded', async () => {
  const client = places()[0]
  const page = await open(staff, { at: `${client.at}/documents`, mayComplain: true })
  const ran: string[] = []
  await page.context().exposeBinding('ranAScript', () => void ran.push('a script'))
  page.on('dialog', (dialog) => void ran.push(dialog.message()))
  const script = '<script>ranAScript();alert(1)</script><img src=x onerror="alert(2)">'
  // Each is what it claims to be, and more: a check of the head alone accepts it.
  const both = [
    { filename: 'both.csv', type: 'text/csv', bytes: Buffer.from(`a,b\r\n${script},1\r\n`) },
    { filename: 'both.pdf', type: 'application/pdf', bytes: Buffer.concat([pdfOf('words'), Buffer.from(`\n<html>${script}</html>`)]) },
    { filename: 'both.png', type: 'image/png', bytes: Buffer.concat([pngOf(10, 10), Buffer.from(script)]) },
    { filename: `${script.replaceAll('/', '')}.pdf`, type: 'application/pdf', bytes: pdfOf('words') },
  ]
  for (const file of both) {
    const id = await keep('Client', client.id, script, file)
    for (const query of ['', '?inline=true']) {
      const { body } = await app.ask(staff, 'GET', `/documents/${id}/download${query}`)
      const tab = await page.context().newPage()
      tab.on('dialog', (dialog) => void ran.push(dialog.message()))
      await tab.goto(url + String(body['url'])).catch(() => undefined)
      await tab.close()
    }
  }
  await page.goto(`${client.at}/documents?title=ranAScript`)
  await soon(() => rowOf(page, script).count()).toBe(both.length)
  await rowOf(page, script).first().getByRole('gridcell').nth(1).click()
  await page.keyboard.press('Space')
  await drawer(page).waitFor()
  const named = await grid(page).getByRole('row').filter({ hasText: script }).count()
  for (let at = 1; at <= named; at++) {
    await drawer(page).getByText(`${at} of ${named}`).waitFor()
    // A drawn page, a loaded or broken picture, or a table.
    await drawer(page).locator('canvas, table, img, [role=alert]').first().waitFor()
    await page.keyboard.press('ArrowRight')
  }
  expect(ran).toEqual([])
})

test('who only reads sees and opens documents, and is offered nothing that changes them', async () => {
  const facility = places()[2]
  await keep('Facility', facility.id, 'To read')
  const reader = await makePerson(db, 'read_only_user', { clients: [ground.clientId] })
  const page = await open(reader, { at: `${facility.at}/documents?title=to+read` })
  await rowOf(page, 'To read')
    .getByRole('button', { name: /Actions/ })
    .click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([expect.stringContaining('Preview'), 'Download'])
  expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  await page.goto(`${facility.at}/documents/new`)
  await page.getByText('You have no access').waitFor()
})

test('a bill shows the documents of its account beside its own copies, to read', async () => {
  const { id: billId } = await addBill(db, ground.clientId, {
    account: { billable_account_id: ground.accountId },
    date: '2026-02-01',
    current_charges: '90.00',
    lines: [{ from: '2026-01-01', to: '2026-02-01', service_id: ground.gasId, utility: '90.00', usage: '10' }],
  })
  await keep('BillableAccount', ground.accountId, 'Tariff of the account')
  const page = await open(staff, { at: `/clients/${ground.clientId}/bills/${billId}/documents` })
  const table = page.getByRole('table', { name: 'Documents of the account' })
  await table.getByRole('button', { name: 'Tariff of the account' }).click()
  await drawer(page).getByRole('heading', { name: 'Tariff of the account' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await table.getByRole('link', { name: /Edit/ }).count()).toBe(0)
  const download = page.waitForEvent('download')
  await table.getByRole('link', { name: 'Download Tariff of the account' }).click()
  expect((await download).suggestedFilename()).toBe('lease.pdf')
})
