/** Client batches in the built console: created, filled, fixed, closed and invoiced; refusals, narrow screens and long names. */
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { makeLedgerAccount } from '../support/estate.ts'
import { soon, startConsole, withRights } from './console.ts'
import { column, titles } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
const WORK_MS = 120_000
const longName = 'Natural gas of all the warehouses, stores and yards of the West'
let admin: Person
let ground: Ground
let at: string

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/accounting_batches`
  await sql`update clients set accounting_batch_management = true, ledger_account_management = true where id = ${ground.clientId}`.execute(
    db,
  )
  await sql`update services set ledger_account_id = ${await makeLedgerAccount(db, ground.clientId, '6100 Electricity')} where id = ${ground.electricId}`.execute(
    db,
  )
  await makeLedgerAccount(db, ground.clientId, longName)
  for (const month of [1, 2, 3]) await makeBill(month)
  const parked = await makeBill(4)
  await sql`update bills set parked = true where id = ${parked}`.execute(db)
})

async function makeBill(month: number, change: Partial<BillDraft> = {}): Promise<number> {
  const [made] = await acting(app.database, (context) => createBills(context, ground.clientId, [monthlyDraft(ground, month, change)]))
  if (made?.kind !== 'created') throw new Error('the bill was not made')
  await sql`update bills set open_errors = 0, open_blocking = 0 where client_id = ${ground.clientId}`.execute(db)
  return made.id
}

const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
const bodyRows = (page: Page, name: string) => grid(page, name).locator('[role=rowgroup]').nth(1).getByRole('row')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

describe('the month of a client', () => {
  test(
    'a batch is made, filled with the bills that were found, mended, closed and invoiced [CBATCH-SCREEN-004] [CBATCH-MSG-002]',
    { timeout: WORK_MS },
    async () => {
      const page = await open(admin, { at })
      await page.getByText('No client batches yet').waitFor()
      await lookedAt(page, 'client-batches-empty-dark')
      await page.getByRole('link', { name: 'Add New' }).first().click()
      await button(page, 'Save').click()
      await page.getByText('Batch Code is required').waitFor()
      await page.getByRole('textbox', { name: /^Batch Code/ }).fill('HLM-2026-11')
      await page.getByRole('textbox', { name: /^Batch Date/ }).fill('11/30/2026')
      await button(page, 'Save').click()
      await page.waitForURL(`**${at}`)
      await grid(page, 'Client Batches').getByRole('link', { name: 'HLM-2026-11' }).click()

      await page.getByRole('heading', { name: 'HLM-2026-11' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).innerText()).toMatch(/Client Batches[\s\S]*HLM-2026-11/)
      await button(page, 'Check for new bills').click()
      await soon(() => bodyRows(page, 'Bills').count()).toBe(3)
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ message: 'Found 3 new bill(s), $456.00' }))
      await page.getByText('3 of 3 bills chosen · $456.00').waitFor()
      await page.getByText('1 bill waits').click()
      await page.getByText('Parked', { exact: true }).waitFor()
      await lookedAt(page, 'client-batch-bills-dark')
      await bodyRows(page, 'Bills').nth(2).getByRole('checkbox').click()
      await page.getByText('2 of 3 bills chosen · $303.00').waitFor()
      await button(page, 'Save').click()
      await soon(() => bodyRows(page, 'Bills').count()).toBe(2)

      await page.getByRole('link', { name: 'Ledger', exact: true }).last().click()
      await page.getByText('1 service keeps this batch from being closed').waitFor()
      await lookedAt(page, 'client-batch-uncoded-dark')
      await button(page, /^Close batch · 2 bills · \$303\.00$/).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Close batch' }).click()
      await page
        .getByText(/A service has no ledger account/)
        .first()
        .waitFor()
      await page.getByRole('combobox', { name: /^Ledger account of G-1/ }).fill('Natural gas')
      await page.getByRole('option', { name: /Natural gas of all/ }).click()
      await button(page, 'Use').click()
      await soon(() => page.getByText('keeps this batch from being closed').count()).toBe(0)
      await page.getByText('Debits $303.00 = credits $303.00').waitFor()
      await lookedAt(page, 'client-batch-ledger-dark')

      await button(page, /^Close batch/).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Close batch' }).click()
      await page.getByText('Frozen when the batch was closed').waitFor()
      await button(page, 'Mark as invoiced').click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as invoiced' }).click()
      await soon(() => page.getByRole('listitem').filter({ hasText: 'Invoiced' }).first().getAttribute('aria-current')).toBe('step')

      await page.getByRole('link', { name: 'Client Batches' }).last().click()
      const row = bodyRows(page, 'Client Batches').filter({ hasText: 'HLM-2026-11' })
      await row.waitFor()
      expect(await row.innerText()).toMatch(/\$303\.00/)
      await row.getByRole('button', { name: /Actions/ }).click()
      await page.getByRole('menuitem', { name: /Delete/ }).waitFor()
      await lookedAt(page, 'client-batches-dark')
    },
  )

  test('the list, the form, the bills and the ledger stand on a narrow screen in the light theme', { timeout: WORK_MS }, async () => {
    const { rows } = await sql<{ id: number }>`select id from accounting_batches where client_id = ${ground.clientId} limit 1`.execute(db)
    const page = await open(admin, { theme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [path, name] of [
      [at, 'client-batches-narrow'],
      [`${at}/${rows[0]?.id}/edit`, 'client-batch-form-narrow'],
      [`${at}/${rows[0]?.id}/bills`, 'client-batch-bills-narrow'],
      [`${at}/${rows[0]?.id}/ledger`, 'client-batch-ledger-narrow'],
      [`${at}/${rows[0]?.id}/invoice`, 'client-batch-invoice-narrow'],
      [`/clients/${ground.clientId}/export_profiles/new`, 'export-profile-narrow'],
      [`/clients/${ground.clientId}/ledger_settings`, 'ledger-settings-narrow'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await soon(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
      await lookedAt(page, name)
    }
  })

  test(
    'new bills that cannot be had say so in the words of the specification, and what was ticked stays [CBATCH-MSG-001]',
    { timeout: WORK_MS },
    async () => {
      const { rows } = await sql<{
        id: number
      }>`insert into accounting_batches (client_id, batch_code) values (${ground.clientId}, 'LATER') returning id`.execute(db)
      const page = await open(admin, { at: `${at}/${rows[0]?.id}/bills`, mayComplain: true })
      await page.route('**/new_bills*', (route) => route.fulfill({ status: 500, json: {} }))
      await button(page, 'Check for new bills').click()
      await soon(() => noticesSaid(page)).toContainEqual(
        expect.objectContaining({ title: 'Error', message: 'There was a problem fetching new bills. Please try again.' }),
      )
    },
  )

  test('ledger settings are read and changed beside the ledger accounts', { timeout: WORK_MS }, async () => {
    const page = await open(admin, { at: `/clients/${ground.clientId}/ledger_accounts` })
    await page.getByRole('link', { name: 'Ledger Settings' }).click()
    await page.getByRole('combobox', { name: /^Prior Balance Ledger Account/ }).fill('Electricity')
    await page.getByRole('option', { name: /6100 Electricity/ }).click()
    await button(page, 'Save').click()
    await soon(async () => {
      const { rows } = await sql<{
        prior: number | null
      }>`select prior_balance_ledger_account_id as prior from client_ledger_settings where client_id = ${ground.clientId}`.execute(db)
      return rows[0]?.prior ?? null
    }).not.toBeNull()
  })
})

describe('the list of client batches', () => {
  const list = 'Client Batches'
  const menuOf = async (page: Page) => {
    await bodyRows(page, list)
      .first()
      .getByRole('button', { name: /Actions/ })
      .click()
    return page.getByRole('menu').getByRole('menuitem')
  }

  test(
    'shows each batch with its group, state, sums and upload file, and its menu starts the upload file and the invoice [CBATCH-SCREEN-002] [CBATCH-MSG-003] [CBATCH-MSG-004] [CBATCH-MSG-005]',
    { timeout: WORK_MS },
    async () => {
      await makeBatch('NORTH-1', 5)
      const page = await open(admin, { at })
      await bodyRows(page, list).filter({ hasText: 'NORTH-1' }).waitFor()
      const shown = async () => {
        const names = ['Batch Code', 'Batch Date', 'Batch Group', 'Closed', 'Invoiced', 'Bills Total', 'Line Items', 'Upload File']
        return Promise.all(names.map(async (name) => (await column(page, list, name))[0]))
      }
      const cells = ['NORTH-1', '11/30/2026', 'North', 'No', 'No', '$155.00', '2']
      expect(await shown()).toEqual([...cells, expect.not.stringContaining('Files')])
      expect((await titles(page, list)).at(-1)).toBe('Actions')
      await (await menuOf(page)).getByText('Generate Upload File').click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'Upload file generation started', kind: 'Done' }))
      await soon(shown).toEqual([...cells, 'Files'])
      await button(page, 'Export').first().click()
      await soon(async () => (await noticesSaid(page)).flatMap(({ title, message }) => [title, message])).toContain(
        'Client batch export started',
      )
      await (await menuOf(page)).getByText('Invoice PDF').click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'Invoice PDF generation started', kind: 'Done' }))
    },
  )

  test('offers Bills and Edit by update, the two files by read, Delete by destroy [CBATCH-SCREEN-003]', { timeout: WORK_MS }, async () => {
    const page = await open(admin)
    const given: { permissions: Record<string, string[]> } = { permissions: {} }
    await withRights(page, () => given)
    const files = ['Generate Upload File', 'Invoice PDF']
    for (const [rights, expected] of [
      [
        ['read', 'update', 'destroy'],
        ['Bills', 'Edit', ...files, 'Delete'],
      ],
      [
        ['read', 'update'],
        ['Bills', 'Edit', ...files],
      ],
      [
        ['read', 'destroy'],
        [...files, 'Delete'],
      ],
      [['read'], files],
    ] as const) {
      given.permissions = { client: ['read'], accounting_batch: [...rights] }
      await page.goto(at)
      const items = (await (await menuOf(page)).allInnerTexts()).map((text) => text.split('\n')[0] ?? '')
      expect(items.filter((item) => !['Ledger', 'Export bills'].includes(item))).toEqual(expected)
    }
    given.permissions = { client: ['read'], accounting_batch: ['update', 'destroy'] }
    await page.goto(at)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    expect(await grid(page, list).count()).toBe(0)
  })
})

describe('one client batch', () => {
  test(
    'each page has its address, and its header leads from Client Batches over its group to its code, with a Bills tab [CBATCH-ROUTE-001] [CBATCH-ROUTE-002] [CBATCH-ROUTE-003] [CBATCH-ROUTE-004] [CBATCH-SCREEN-001]',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('HEAD-1', 6, 'Head Group')
      const page = await open(admin)
      for (const [path, heading] of [
        ['/accounting_batches', 'Client Batches'],
        ['/accounting_batches/new', 'New Form'],
        [`/accounting_batches/${id}/edit`, 'HEAD-1'],
        [`/accounting_batches/${id}/bills`, 'HEAD-1'],
      ] as const) {
        await page.goto(`/clients/${ground.clientId}${path}`)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        if (heading !== 'HEAD-1') continue
        const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
        expect((await crumbs.allInnerTexts()).map((text) => text.replaceAll(/[^\w -]/g, '').trim())).toEqual([
          'Client Batches',
          'Head Group',
          'HEAD-1',
        ])
        const tab = page.getByRole('navigation', { name: 'Client Batch' }).getByRole('link', { name: /^Bills/ })
        expect(await tab.getAttribute('href')).toBe(`${at}/${id}/bills`)
        expect(await tab.getAttribute('aria-current')).toBe(path.endsWith('/bills') ? 'page' : null)
      }
    },
  )

  test(
    'its form has the date, the group, closed and invoiced, none of them required, and the total of its bills, which nobody types; no group is sent as null [CBATCH-RULE-005] [CBATCH-RULE-006] [CBATCH-RULE-008]',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('FORM-1', 7, 'Form Group')
      const page = await open(admin, { at: `${at}/new` })
      expect(await page.getByLabel('Bills Total').inputValue()).toBe('$0.00')
      await page.getByRole('textbox', { name: /^Batch Code/ }).fill('FORM-2')
      const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/accounting_batches'))
      await button(page, 'Save').click()
      expect(JSON.parse((await sent).postData() ?? '')).toMatchObject({ accounting_batch: { batch_code: 'FORM-2', batch_group_id: null } })
      await bodyRows(page, 'Client Batches').filter({ hasText: 'FORM-2' }).waitFor()

      await page.goto(`${at}/${id}/edit`)
      const total = page.getByLabel('Bills Total')
      expect([await total.inputValue(), await total.isDisabled()]).toEqual(['$157.00', true])
      expect(await page.getByRole('checkbox', { name: 'Invoiced' }).isChecked()).toBe(false)
      await page.getByRole('checkbox', { name: 'Closed' }).click()
      await button(page, 'Save').click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ message: 'Client Batch updated', kind: 'Done' }))
      await soon(() => page.url()).toMatch(/\/accounting_batches$/)
      const row = bodyRows(page, 'Client Batches').filter({ hasText: 'FORM-1' })
      await soon(() => row.innerText()).toMatch(/Closed/)
    },
  )

  test(
    'a ledger account opens the lines behind it, a line its bill, and the bill shows how it is booked',
    { timeout: WORK_MS },
    async () => {
      const id = await makeBatch('DRILL-1', 8, 'Drill Group')
      const page = await open(admin, { at: `${at}/${id}/ledger` })
      await bodyRows(page, 'Ledger accounts').filter({ hasText: 'Expense' }).first().getByText('Expense').dblclick()
      await lookedAt(page, 'client-batch-ledger-lines-dark')
      const line = bodyRows(page, 'Ledger lines').first()
      await line.getByRole('link').click()
      await soon(() => page.url()).toMatch(/\/bills\/\d+$/)
      const books = page.getByRole('region', { name: 'Ledger lines' })
      await books.getByText('Computed from the bill as it is now').waitFor()
      const rows = books.getByRole('row')
      await soon(() => rows.last().innerText()).toMatch(/\$158\.00[\s\S]*\$158\.00/)
      expect(await books.getByRole('link', { name: 'DRILL-1' }).getAttribute('href')).toBe(`${at}/${id}/ledger`)
      await lookedAt(page, 'bill-ledger-lines-dark')
    },
  )
})

/** Makes a batch of a group with one bill whose services all have a ledger account. */
async function makeBatch(batch_code: string, month: number, group = 'North'): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into batch_groups (client_id, name) values (${ground.clientId}, ${group}) returning id`.execute(db)
  await sql`update services set ledger_account_id = (select min(id) from ledger_accounts where client_id = ${ground.clientId})
    where client_id = ${ground.clientId} and ledger_account_id is null`.execute(db)
  const head = { batch_code, batch_date: '2026-11-30T05:00:00.000Z', batch_group_id: rows[0]?.id, bill_ids: [await makeBill(month)] }
  const { body, text } = await app.ask(admin, 'POST', at, { accounting_batch: head })
  if (typeof body['id'] !== 'number') throw new Error(text)
  return body['id']
}
