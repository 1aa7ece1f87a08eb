/** The import pages: a file is chosen, its rows are checked, stored, fixed, undone. One page serves every kind. */
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeGround } from '../support/bills.ts'
import { makeClient } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { db, open } = await startConsole()
/** An import of a thousand rows, while other tests run. */
const WORK_MS = 60_000
let person: Person
let clientId = 0

beforeAll(async () => {
  person = await makePerson(db, 'super_admin')
  clientId = await makeClient(db, { name: 'Imported Client' })
})

const ofClient = (path: string) => `/clients/${clientId}/${path}`
const count = async (table: string): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from ${sql.table(table)} where client_id = ${clientId}`.execute(db)
  return rows[0]?.count ?? 0
}
const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Rows of the file' }).getByRole('row')
const titles = async (page: Page) => (await noticesSaid(page)).map(({ title, message }) => `${title} ${message}`.trim())

/** Uploads a file to be checked, and waits until its import has this state. */
async function choose(page: Page, name: string, text: string, until = 'Checked, not stored'): Promise<void> {
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Check the file' }).click()
  await stands(page, until)
}

async function stands(page: Page, state: string): Promise<void> {
  await page.getByRole('region', { name: 'Import', exact: true }).getByText(state, { exact: true }).waitFor({ timeout: WORK_MS })
}

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download')
  await press()
  const file = await coming
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

/** Ordered so that each finds the ones it needs. */
const kinds = [
  { at: '/vendors/import', labels: 'Vendors', kind: 'vendor', rows: '[IMPORT-SCREEN-002] [VEND-ROUTE-003]' },
  { at: '/clients/import', labels: 'Clients', kind: 'client', rows: '' },
  { at: 'divisions/import', labels: 'Divisions', kind: 'division', rows: '[IMPORT-SCREEN-005]' },
  { at: 'facilities/import', labels: 'Facilities', kind: 'facility', rows: '[IMPORT-SCREEN-006] [FAC-IMPORT-001]' },
  { at: 'billable_accounts/import', labels: 'Billable Accounts', kind: 'billableAccount', rows: '[IMPORT-SCREEN-007]' },
  { at: 'supply_accounts/import', labels: 'Supply Accounts', kind: 'supplyAccount', rows: '[IMPORT-SCREEN-008]' },
  { at: 'ledger_fields/import', labels: 'Ledger Fields', kind: 'ledger_field', rows: '[IMPORT-SCREEN-004]' },
  { at: 'ledger_accounts/import', labels: 'Ledger Accounts', kind: 'ledger_account', rows: '[IMPORT-SCREEN-003]' },
  {
    at: 'client_vendor_numbers/import',
    labels: 'Client Vendor Numbers',
    kind: 'clientVendorNumber',
    rows: '[IMPORT-SCREEN-009] [CVN-ROUTE-003] [CVN-IMPORT-001]',
  },
  {
    at: 'bills/import?from=file',
    labels: 'Bills',
    kind: 'bills',
    rows: '[IMPORT-SCREEN-001] [IMPORT-SCREEN-013] [IMPORT-SCREEN-014] [IMPORT-API-001] [BILL-ROUTE-003]',
  },
]

describe('each kind of import', () => {
  it.each(kinds)(
    '$labels: a page with a warning, a template and an example that its own import takes $rows [IMPORT-API-013] [IMPORT-RULE-002] [IMPORT-SCREEN-010] [IMPORT-SCREEN-011] [IMPORT-SCREEN-012] [IMPORT-MSG-001] [IMPORT-MSG-002]',
    async ({ at, labels, kind }) => {
      const page = await open(person, { at: at.startsWith('/') ? at : ofClient(at) })
      await page.getByRole('region', { name: 'Guide' }).waitFor()
      await page.getByRole('note').filter({ hasText: 'incorrect data may still import' }).waitFor()
      expect(await page.getByLabel('CSV file').getAttribute('multiple')).toBeNull()
      const template = await saved(page, () => page.getByRole('button', { name: 'Template' }).click())
      expect(template.name).toBe(`${kind}_template.csv`)
      // Its header is accepted completely; only rows are missing.
      await choose(page, template.name, template.text, 'Failed')
      await soon(() => page.getByRole('alert').first().innerText()).toBe('The file has no rows below its header.')
      await page.getByRole('link', { name: 'Another file' }).click()
      const example = await saved(page, () => page.getByRole('button', { name: 'Example' }).click())
      expect(example.text.startsWith(template.text.trimEnd())).toBe(true)
      await choose(page, example.name, example.text)
      expect(await titles(page)).toContain('Starting Import Process')
      await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).click()
      await stands(page, 'Stored')
      await soon(async () => (await titles(page)).join('\n')).toContain('Import successful! The import has been made successfully.')
      await page.getByRole('link', { name: `Show ${labels}` }).waitFor()
    },
  )
})

const bad = [
  'number,name,division_code,square_footage',
  'A-1,First Store,D01,1200',
  'A-2,Second Store,D0l,900',
  'A-3,Third Store,D02,wide',
  'A-4,Fourth Store,D02,10',
  'A-4,Fourth Store again,D02,11',
].join('\n')

describe('a file with mistakes', () => {
  it('shows each at its cell with what may have been meant, stores the valid rows alone, and hands back the refused ones to mend [IMPORT-JOB-001]', async () => {
    const before = await count('facilities')
    const page = await open(person, { at: ofClient('facilities/import') })
    await choose(page, 'stores.csv', bad)
    await page.getByRole('link', { name: /^Refused/ }).click()
    await soon(() => addressOf(page)).toContain('action=refused')
    await rowsOf(page).filter({ hasText: 'Did you mean D01' }).first().waitFor()
    await rowsOf(page).filter({ hasText: 'wide' }).first().waitFor()
    await page.getByLabel('Rows to import').selectOption({ label: 'All or none' })
    await page.getByText(/rows? would be refused/).waitFor()
    expect(await page.getByRole('button', { name: /^Import \d/ }).getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Rows to import').selectOption({ label: 'Valid rows only' })
    const refused = await saved(page, () => page.getByRole('link', { name: /^Download \d refused row/ }).click())
    expect(refused.text.split('\n')[0]).toContain('errors')
    await page.getByRole('button', { name: /^Import \d/ }).click()
    await stands(page, 'Stored')
    expect(await count('facilities')).toBeGreaterThan(before)
    await page.getByRole('link', { name: 'Another file' }).click()
    await choose(
      page,
      'mended.csv',
      refused.text
        .replace('D0l', 'D01')
        .replace('wide', '20')
        .replace(/^.*Fourth.*\n?/gm, ''),
    )
    await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).click()
    await stands(page, 'Stored')
    const { rows } = await sql<{
      number: string
    }>`select number from facilities where client_id = ${clientId} and number in ('A-1', 'A-2', 'A-3') order by number`.execute(db)
    expect(rows.map((row) => row.number)).toEqual(['A-1', 'A-2', 'A-3'])
  })

  it('a file that is none, or lacks a column, says so and stores nothing [IMPORT-RULE-001] [IMPORT-MSG-003]', async () => {
    const page = await open(person, { at: ofClient('divisions/import') })
    await page.getByLabel('CSV file').setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByText('The file is empty').waitFor()
    await page.getByLabel('CSV file').setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('colour\nred\n') })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await stands(page, 'Failed')
    await page.getByRole('alert').filter({ hasText: 'code' }).first().waitFor()
    await soon(async () => (await titles(page)).join('\n')).toContain('An error occurred.')
    await page.route('**/divisions/import*', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('link', { name: 'Another file' }).click()
    await page.getByLabel('CSV file').setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer: Buffer.from('code\nD1\n') })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('alert').filter({ hasText: 'Service Unavailable' }).first().waitFor()
  })
})

describe('a file of bills', () => {
  it('stands beside the retrieval service, shows what the audits find before anything is stored, makes the bills, and is undone [IMPORT-SCREEN-015] [BILL-ROUTE-003]', async () => {
    const ground = await makeGround(db)
    const number = `0001234${ground.clientId}`
    const row = (date: string, meter: string, usage: string, charges: string) =>
      `${number},${date},03/25/2025,0.00,${charges},${charges},${meter},01/01/2025,02/01/2025,${usage},kWh,${charges}`
    const file = [
      'account_number,date,due_date,balance_forward,current_charges,amount_due,m1_meter_number,m1_previous_read_date,m1_read_date,m1_usage,m1_unit,m1_utility_charges',
      row('02/05/2025', 'E-1', '900', '120.00'),
      row('02/06/2025', 'E-1', '', '130.00'),
      row('02/07/2025', 'E-9', '900', '140.00'),
    ].join('\n')
    const page = await open(person, { at: `/clients/${ground.clientId}/bills/import` })
    await page.getByRole('link', { name: 'CSV file' }).click()
    await choose(page, 'february.csv', file)
    const findings = page.getByRole('list', { name: 'To be looked at' })
    await findings.getByText(/^Findings: .*1 Draft/).waitFor()
    await rowsOf(page).filter({ hasText: 'The account has no meter E-9' }).waitFor()
    await rowsOf(page).filter({ hasText: 'Draft: m1_usage is missing' }).waitFor()
    expect((await sql`select from bills where client_id = ${ground.clientId}`.execute(db)).rows).toHaveLength(0)
    await page.reload()
    await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).click()
    await stands(page, 'Stored')
    expect((await sql`select from bills where client_id = ${ground.clientId}`.execute(db)).rows).toHaveLength(2)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    const stored = page.url()
    await page.getByRole('link', { name: 'Open findings on these bills' }).click()
    await page.waitForURL(/bills\/findings\?state=open&import_task_id=\d+$/)
    await page.getByRole('grid').getByText('02/05/2025').or(page.getByRole('grid').getByText('02/06/2025')).first().waitFor()
    // The same file again: each row links to the bill that it repeats, beside it.
    await page.goto(`/clients/${ground.clientId}/bills/import?from=file`)
    await choose(page, 'again.csv', file)
    await page
      .getByRole('link', { name: /^Compare with bill \d+$/ })
      .first()
      .click()
    const beside = page.getByRole('table', { name: /^Line 2 and bill \d+$/ })
    await beside.getByRole('row', { name: /^Amount Due 120.00 120.00/ }).waitFor()
    await beside.getByRole('link', { name: /^Bill \d+$/ }).waitFor()
    await lookedAt(page, 'import-repeats')
    await page.keyboard.press('Escape')
    await soon(() => beside.count()).toBe(0)
    await page.goto(stored)
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click()
    await stands(page, 'Undone')
    expect((await sql`select from bills where client_id = ${ground.clientId}`.execute(db)).rows).toHaveLength(0)
    await page.getByRole('link', { name: 'Another file' }).click()
    await page.getByRole('region', { name: 'Earlier imports' }).getByRole('link', { name: 'february.csv' }).click()
    await stands(page, 'Undone')
  })
})

describe('a stored import', () => {
  it('is found again after a reload and among the earlier ones, changes what is there cell by cell, and is undone as a whole', async () => {
    const page = await open(person, { at: ofClient('divisions/import') })
    await choose(page, 'renamed.csv', 'code,name,short_code\nD01,East and North,E\nD77,New Division,N\n')
    await page.getByRole('link', { name: /^Changed/ }).click()
    const row = rowsOf(page).filter({ hasText: 'East and North' })
    await row.locator('del', { hasText: /^East$/ }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Import 2 rows: 1 new, 1 changed' }).click()
    await stands(page, 'Stored')
    await page.reload()
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click()
    await stands(page, 'Undone')
    const { rows } = await sql`select code, name from divisions where client_id = ${clientId} and code in ('D01', 'D77')`.execute(db)
    expect(rows).toEqual([{ code: 'D01', name: 'East' }])
    await page.getByRole('link', { name: 'Another file' }).click()
    await page.getByRole('region', { name: 'Earlier imports' }).getByRole('link', { name: 'renamed.csv' }).waitFor()
  })

  it('is not undone while something depends on it, and says what', async () => {
    const page = await open(person, { at: ofClient('divisions/import') })
    await choose(page, 'kept.csv', 'code,name,short_code\nD88,Kept,K\n')
    await page.getByRole('button', { name: 'Import 1 row: 1 new' }).click()
    await stands(page, 'Stored')
    await sql`insert into facilities (client_id, division_id, name, number) select client_id, id, 'Depends', 'DEP-1' from divisions where client_id = ${clientId} and code = 'D88'`.execute(
      db,
    )
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click()
    await soon(async () => (await titles(page)).join('\n')).toMatch(/cannot be undone|undo/i)
    expect((await sql`select id from divisions where client_id = ${clientId} and code = 'D88'`.execute(db)).rows).toHaveLength(1)
  })
})

describe('the report', () => {
  it('holds a thousand rows and is worked by the keyboard alone', async () => {
    const page = await open(person, { at: ofClient('divisions/import') })
    const lines = Array.from({ length: 1_000 }, (_, at) => `K${at},${'A long name of a division that goes on and on '.repeat(1)}${at},K`)
    await page.getByLabel('CSV file').setInputFiles({
      name: 'thousand.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['code,name,short_code', ...lines].join('\n')),
    })
    await page.getByRole('button', { name: 'Check the file' }).focus()
    await page.keyboard.press('Enter')
    const store = page.getByRole('button', { name: 'Import 1,000 rows: 1,000 new' })
    await store.waitFor({ timeout: WORK_MS })
    await page.getByLabel('Per page').selectOption('1000')
    const scroller = page.getByRole('grid', { name: 'Rows of the file' })
    await soon(() => scroller.getAttribute('aria-rowcount')).toBe('1001')
    await scroller.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
    await rowsOf(page).filter({ hasText: 'K999' }).waitFor()
    await store.focus()
    await page.keyboard.press('Enter')
    await stands(page, 'Stored')
    expect((await sql`select id from divisions where client_id = ${clientId} and code like 'K%'`.execute(db)).rows).toHaveLength(1_000)
  })

  it.each(['dark', 'light'] as const)('has no fault that axe finds, in the %s theme', async (theme) => {
    const page = await open(person, { at: ofClient('facilities/import'), theme })
    await choose(page, 'again.csv', bad)
    await rowsOf(page).filter({ hasText: 'Did you mean' }).first().waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
  })
})
