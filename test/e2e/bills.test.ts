/** The lists of bills and the page of one, in a browser. */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import PDFDocument from 'pdfkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBills } from '../../src/server/bills/bills.ts'
import { acting, makeAccount, makeGround, monthlyDraft, type Ground } from '../support/bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { addressOf, apiRequests, startConsole } from './console.ts'
import { axeFindings } from './looked-at.ts'

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
  const { bytes } = await app.app.machinery.files.put('bills/aa/test-1', await pdfOf('City Power statement'), 'application/pdf')
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

/** Makes the twelfth bill with everything that a bill may have; values that only batches write are set by SQL. */
async function fullBill(): Promise<number> {
  const id = made[11] ?? 0
  const bytes = await pdfOf('Meter sheet')
  await app.app.machinery.files.put('bills/aa/test-2', bytes, 'application/pdf')
  await sql`insert into files (id, key, filename, content_type, byte_size, state) overriding system value
    values (702, 'bills/aa/test-2', 'meter.pdf', 'application/pdf', ${bytes.length}, 'stored')`.execute(db)
  await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) values (${at.clientId}, ${id}, 1, 701, 'statement.pdf'), (${at.clientId}, ${id}, 2, 702, 'meter.pdf')`.execute(
    db,
  )
  await sql`insert into additional_entry_fields (client_id, service_id, name) values (${at.clientId}, ${at.electricId}, 'Pole Count')`.execute(
    db,
  )
  await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id)
    select ${at.clientId}, ${at.electricId}, id from usage_factors where name = 'KW Billed' limit 1`.execute(db)
  const read = await app.ask(admin, 'GET', `${list()}/${id}`)
  const [electric, gas]: { id: number }[] = JSON.parse(read.text).bill.service_bills
  const saved = await app.ask(admin, 'PATCH', `${list()}/${id}`, {
    bill: {
      balance_forward: '1.10',
      current_charges: '160',
      late_fee: '2.20',
      amount_due: '163.30',
      fiscal_month: '2025-12',
      next_read_date: '2026-02-01',
      group_bill_id: made[14],
      qc: true,
      parked: true,
      rebill_adjustment: true,
      bill_charges_attributes: [{ name: 'Fuel', amount: '67' }],
      service_bills_attributes: [
        {
          id: electric?.id,
          previous_reading: '99.25',
          meter_reading: '300.25',
          multiplier: '0.5',
          estimated: true,
          service_bill_entry_fields: [{ name: 'Utility Charges', value: '90' }],
          service_bill_usage_factors: [{ name: 'KW Billed', value: '7.25' }],
          service_bill_additional_entry_fields: [{ name: 'Pole Count', value: '3' }],
        },
        { id: gas?.id, _destroy: true },
      ],
    },
  })
  expect(saved.status, saved.text).toBe(200)
  await sql`with client_batch as (insert into accounting_batches (client_id, batch_code) values (${at.clientId}, 'JAN-26') returning id),
    batch as (insert into payment_batches (client_id, batch_date, bills_due_date, notes) values (${at.clientId}, '2026-01-01', '2026-01-15', 'pay first') returning id),
    payment as (insert into vendor_payments (client_id, payment_batch_id, vendor_id, check_number) select ${at.clientId}, id, ${at.vendorId}, '1007' from batch returning id)
    update bills set accounting_batch_id = client_batch.id, vendor_payment_id = payment.id, amount_paid = 3.3 from client_batch, payment where bills.id = ${id}`.execute(
    db,
  )
  return id
}

const list = (): string => `/clients/${at.clientId}/bills`

describe('the list of bills', () => {
  it('shows flags, vendor, account, batch, dates, status and file, newest first, with its tabs and actions [BILL-ROUTE-001] [BILL-CONST-002] [BILL-SCREEN-001] [BILL-SCREEN-011] [BILL-SCREEN-012]', async () => {
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
    const links = page.getByRole('grid').locator('[role=rowgroup]').nth(1).locator('a[href*="/bills/"]')
    const ids = await links.evaluateAll((all) =>
      all.flatMap((link) => /^\/clients\/\d+\/bills\/(\d+)$/.exec(link.getAttribute('href') ?? '')?.[1] ?? []),
    )
    expect([...new Set(ids)].map(Number)).toEqual(made.slice(5).toReversed())
  })

  it('writes each row on one line', async () => {
    const page = await ui.open(admin, { at: list() })
    await page.getByText('holds payment', { exact: false }).first().waitFor()
    // Position of the letters: the middle of each cell's own text.
    const middles = await page.locator('[data-row]:has([role=gridcell])').evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('[role=gridcell]')].flatMap((cell) => {
          if (!cell.textContent?.trim() || cell.querySelector('button')) return []
          const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
          const range = document.createRange()
          range.selectNodeContents(walker.nextNode() ?? cell)
          const { top, bottom } = range.getBoundingClientRect()
          return [(top + bottom) / 2]
        }),
      ),
    )
    expect(middles.length).toBeGreaterThan(5)
    for (const row of middles) {
      expect(row.length).toBeGreaterThan(5)
      expect(Math.max(...row) - Math.min(...row)).toBeLessThanOrEqual(1.5)
    }
  })

  it('offers pages of 10, 20, 50, 100 and 1000 bills [BILL-CONST-001]', async () => {
    const page = await ui.open(admin, { at: list() })
    const sizes = page.getByRole('combobox', { name: /rows|per page|page size/i }).last()
    await sizes.waitFor()
    expect(await sizes.locator('option').allTextContents()).toEqual(
      ['Fit', '10', '20', '50', '100', '1000'].map((size) => expect.stringContaining(size)),
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

  it('hides notes and Add New from whoever lacks the right; Import and Export hang on none [BILL-SCREEN-012] [BILL-PERM-001] [PERM-PERM-037]', async () => {
    const columns = async (who: Person) => {
      const page = await ui.open(who, { at: list() })
      await page.getByText('holds payment', { exact: false }).first().waitFor()
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('checkbox', { name: 'Parked' }).waitFor()
      return page.getByRole('checkbox', { name: 'Notes' }).count()
    }
    expect([await columns(admin), await columns(reader)]).toEqual([1, 0])
    const page = await ui.open(reader, { at: list() })
    await page.getByText('holds payment', { exact: false }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(1)
    for (const name of ['Export', 'Reset Filters']) expect(await page.getByRole('button', { name }).count(), name).toBeGreaterThan(0)
    await page.goto(`${list()}/${made[13]}`)
    await page.getByText('Invoice Number').waitFor()
    expect(await page.getByText('Call the utility').count()).toBe(0)
    expect(await page.getByText('Notes', { exact: true }).count()).toBe(0)
  })

  it('starts an export that says bills export started [BILL-MSG-001]', async () => {
    const page = await ui.open(admin, { at: list() })
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('bills export started').first().waitFor()
  })

  it('is there under a billable account and under a group account [BILL-SCREEN-007] [BILL-SCREEN-009]', async () => {
    const page = await ui.open(admin, { at: `/clients/${at.clientId}/billable_accounts/${at.accountId}/bills` })
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await page.getByText('14', { exact: true }).first().waitFor()
    await page.goto(`/clients/${at.clientId}/group_accounts/${group}/bills`)
    await page.getByText('Account G-77', { exact: false }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Add New' }).getAttribute('href')).toContain(`/group_accounts/${group}/bills/new`)
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
    expect(await page.getByRole('table', { name: 'Lines', exact: true }).getByRole('row').count()).toBe(4)
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

  it('shows all that a bill carries: account, dates, amounts, months, batch, payment, group, copies, charges and each value of its lines [BILL-FIELD-003] [BILL-FIELD-004] [BILL-FIELD-005] [BILL-FIELD-006] [BILL-FIELD-008] [BILL-FIELD-009] [BILL-FIELD-010] [BILL-FIELD-011] [BILL-FIELD-013] [BILL-SCREEN-014] [SBILL-FIELD-001] [SBILL-FIELD-002] [SBILL-FIELD-003] [SBILL-FIELD-004] [SBILL-FIELD-006] [SBILL-FIELD-007] [SBILL-FIELD-008] [SBILL-FIELD-009]', async () => {
    const id = await fullBill()
    const page = await ui.open(admin, { at: `${list()}/${id}` })
    const facts = page.getByRole('region', { name: 'About this bill' })
    await facts.waitFor()
    const said = (text: string) => text.replaceAll(/\s+/g, ' ')
    const shown = said(await facts.innerText())
    for (const fact of [
      `Account Account 0001234${at.clientId} (0001234${at.clientId})`,
      'Vendor City Power',
      'Invoice Number INV-12',
      'Division West',
      'Facility Store 1',
      'Service Period 12/01/2025 to 01/01/2026',
      'Total Usage 100.500 kWh',
      'Next Read Date 02/01/2026',
      'Fiscal Month 12/2025',
      'Client Batch JAN-26',
      `City Power Payment Methods Check Payment ID 1007`,
      'Vendor Batch Notes pay first',
      `Previous Bill Bill ${made[10]}`,
      `Group Bill Bill ${made[14]}`,
    ])
      expect(shown).toContain(fact)
    const head = said(await page.locator('main').innerText())
    for (const amount of ['Balance Forward 1.10', 'Current Charges 160.00', 'Late Fee 2.20', 'Amount Due $163.30', 'Amount Paid 3.30'])
      expect(head).toContain(amount)
    for (const mark of ['Due Date 01/25/2026', 'QC', 'Parked', 'Rebill/Adjustment', 'Group child']) expect(head).toContain(mark)
    const line = said(await page.getByRole('table', { name: 'Lines', exact: true }).getByRole('row').nth(1).innerText())
    expect(line).toBe(
      'Electric E-1 01/01/2026 from 12/01/2025 31 days 300.25 from 99.25 multiplier 0.5 100.500 kWh, estimated Utility Charges 90.00 Pole Count 3.0000 KW Billed 7.25 93.00',
    )
    const isMarked = (text: string) => page.getByText(text, { exact: true }).evaluate((node) => /flagged/.test(node.className))
    expect([await isMarked('multiplier 0.5'), await isMarked('31 days')]).toEqual([true, false])
    await page
      .getByRole('table', { name: 'Account charges' })
      .getByRole('row', { name: /Fuel 67\.00/ })
      .waitFor()
    await page.goto(`${list()}?invoice_number=INV-12`)
    for (const [place, filename] of ['statement.pdf', 'meter.pdf'].entries()) {
      const download = page.waitForEvent('download')
      await page
        .getByRole('grid')
        .getByRole('link', { name: new RegExp(`^File ${place + 1} of the bill of 0001234${at.clientId}`) })
        .click()
      expect((await download).suggestedFilename()).toBe(filename)
    }
  })

  it('is not there for an id outside what the person sees', async () => {
    const page = await ui.open(reader, { at: `${list()}/99999999` })
    await page.getByText('There is no such record').waitFor()
  })

  it('has nothing that axe objects to, in either theme', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await ui.open(admin, { at: `${list()}/${made[13]}`, theme })
      await page.locator('canvas').first().waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.goto(list())
      await page.getByText('holds payment', { exact: false }).first().waitFor()
      expect(await axeFindings(page)).toEqual([])
    }
  })
})
