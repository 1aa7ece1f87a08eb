/** The lists of bills and the page of one, in a browser. */
import { buffer } from 'node:stream/consumers'
import AxeBuilder from '@axe-core/playwright'
import { sql } from 'kysely'
import PDFDocument from 'pdfkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { acting, makeAccount, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { addressOf, apiRequests, startConsole } from './console.ts'

const ui = await startConsole()
const { db, app } = ui
let at: Ground
let admin: Person
let reader: Person
let made: number[]
let group: number

async function pdfOf(text: string): Promise<Buffer> {
  const document = new PDFDocument({ size: 'LETTER' })
  document.fontSize(24).text(text)
  document.end()
  return buffer(document)
}

beforeAll(async () => {
  at = await makeGround(db)
  await sql`update clients set name = 'Harvest Lane', accounting_batch_management = true, utility_payment_management = true where id = ${at.clientId}`.execute(
    db,
  )
  admin = await makePerson(db, 'super_admin')
  reader = await makePerson(db, 'read_only_user', { clients: [at.clientId] })
  const { bytes } = await app.app.services.files.put('bills/aa/test-1', await pdfOf('City Power statement'), 'application/pdf')
  await sql`insert into files (id, key, filename, content_type, byte_size, state) overriding system value values (701, 'bills/aa/test-1', 'statement.pdf', 'application/pdf', ${bytes}, 'stored')`.execute(
    db,
  )
  group = await makeAccount(db, at, 'G-77', { group: true })
  made = await acting(app.database, async (context) => {
    const regular = Array.from({ length: 14 }, (_, month) =>
      monthlyDraft(at, month + 1, month === 13 ? { amount_due: '999.00', file_ids: [701], notes: 'Call the utility' } : {}),
    )
    const outcomes = await createBills(context, at.clientId, [
      ...regular,
      { ...monthlyDraft(at, 15), account_id: group, service_bills: [], invoice_number: 'G-1' },
    ])
    return outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : 0))
  })
  await sql`update bills set created_at = now() - (20 - (id - ${made[0]})) * interval '1 hour' where client_id = ${at.clientId}`.execute(db)
}, 60_000)

const list = (): string => `/clients/${at.clientId}/bills`

describe('the list of bills', () => {
  it('shows flags, vendor, account, batch, dates, status and file, newest first, with its tabs and actions [BILL-ROUTE-001] [BILL-SCREEN-001] [BILL-SCREEN-011] [BILL-SCREEN-012]', async () => {
    const page = await ui.open(admin, { at: list() })
    await page.getByText('holds payment', { exact: false }).first().waitFor()
    const headers = await page.getByRole('columnheader').allTextContents()
    for (const label of ['Flags', 'Vendor', 'Account', 'Client Batch', 'Bill Date', 'Due Date', 'Created', 'Status', 'File'])
      expect(headers.join('|')).toContain(label)
    expect(await page.getByRole('link', { name: 'Bill List' }).getAttribute('aria-current')).toBe('page')
    expect(await page.getByRole('link', { name: 'Bill Document Repository' }).count()).toBe(1)
    for (const name of ['Import', 'Add New']) expect(await page.getByRole('link', { name }).count(), name).toBe(1)
    for (const name of ['Export', 'Reset Filters']) expect(await page.getByRole('button', { name }).count(), name).toBeGreaterThan(0)
    await page.getByText('15', { exact: true }).first().waitFor()
  })

  it('offers pages of 10, 20, 50, 100 and 1000 bills [BILL-CONST-001]', async () => {
    const page = await ui.open(admin, { at: list() })
    const sizes = page.getByRole('combobox', { name: /rows|per page|page size/i }).last()
    await sizes.waitFor()
    expect(await sizes.locator('option').allTextContents()).toEqual(
      ['10', '20', '50', '100', '1000'].map((size) => expect.stringContaining(size)),
    )
  })

  it('filters on the server and keeps that in the address', async () => {
    const page = await ui.open(admin, { at: `${list()}?full_status=Flagged` })
    const sent = apiRequests(page)
    await page.reload()
    await page.getByText('holds payment', { exact: false }).first().waitFor()
    expect(sent.some((request) => request.includes('q[full_status]=Flagged'))).toBe(true)
    expect(await page.getByRole('row').count()).toBeLessThan(8)
  })

  it('hides notes and Add New from whoever lacks the right [BILL-SCREEN-012]', async () => {
    const page = await ui.open(reader, { at: list() })
    await page.getByText('holds payment', { exact: false }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
    await page.goto(`${list()}/${made[13]}`)
    await page.getByText('Invoice Number').waitFor()
    expect(await page.getByText('Call the utility').count()).toBe(0)
    expect(await page.getByText('Notes', { exact: true }).count()).toBe(0)
  })

  it('starts an export that says bills export started [BILL-MSG-001]', async () => {
    const page = await ui.open(admin, { at: list() })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('bills export started').first().waitFor()
  })

  it('is there under a billable account and under a group account [BILL-SCREEN-007] [BILL-SCREEN-009]', async () => {
    const page = await ui.open(admin, { at: `/clients/${at.clientId}/billable_accounts/${at.accountId}/bills` })
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await page.getByText('14', { exact: true }).first().waitFor()
    await page.goto(`/clients/${at.clientId}/group_accounts/${group}/bills`)
    await page.getByText('Account G-77', { exact: false }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Add New' }).getAttribute('href')).toContain(`account_id=${group}`)
  })
})

describe('the page of a bill', () => {
  it('opens from the list and shows amounts, findings with their arithmetic, lines, and the paper beside them [BILL-ROUTE-005] [BILL-ROUTE-007] [BILL-SCREEN-003]', async () => {
    const page = await ui.open(admin, { at: `${list()}/${made[13]}` })
    await page.getByRole('heading', { name: /City Power 03\/05\/2026/ }).waitFor()
    for (const name of ['Dashboard', 'Bill’s Facilities', 'Documents'])
      expect(await page.getByRole('link', { name, exact: false }).count(), name).toBeGreaterThan(0)
    await page.getByText('$999.00').first().waitFor()
    await page.getByText('Holds payment').first().waitFor()
    expect(await page.getByRole('table', { name: 'Lines' }).getByRole('row').count()).toBe(4)
    await page.getByText('Call the utility').waitFor()
    await page.locator('canvas').first().waitFor()
    const drawn = await page
      .locator('canvas')
      .first()
      .evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return 0
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, Math.min(canvas.height, 300)) ?? {
          data: new Uint8ClampedArray(),
        }
        return data.filter((value, index) => index % 4 === 0 && value < 100).length
      })
    expect(drawn).toBeGreaterThan(50)
    await page.goto(`${list()}/${made[13]}/dashboard`)
    await page.getByText('$999.00').first().waitFor()
  })

  it('has its facilities and its files under their tabs [BILL-SCREEN-014]', async () => {
    const page = await ui.open(admin, { at: `${list()}/${made[13]}/facilities` })
    await page.getByRole('table', { name: 'Bill’s Facilities' }).getByText('Store 1').waitFor()
    await page.getByRole('link', { name: 'Documents' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'statement.pdf' }).click()
    expect((await download).suggestedFilename()).toBe('statement.pdf')
    expect(addressOf(page)).toBe(`${list()}/${made[13]}/documents`)
  })

  it('is not there for an id outside what the person sees', async () => {
    const page = await ui.open(reader, { at: `${list()}/99999999` })
    await page.getByText('There is no such record').waitFor()
  })

  it('has nothing that axe objects to, in either theme', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await ui.open(admin, { at: `${list()}/${made[13]}`, theme })
      await page.locator('canvas').first().waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
      await page.goto(list())
      await page.getByText('holds payment', { exact: false }).first().waitFor()
      expect(
        (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
      ).toEqual([])
    }
  })
})
