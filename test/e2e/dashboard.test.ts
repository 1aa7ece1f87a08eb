import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, makeGround, makeService, makeSupplyAccount } from '../support/bills.ts'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { addBill } from '../support/fact-bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeRankedStores } from '../support/ranked-stores.ts'
import { addressOf, apiRequests, goInside, startConsole } from './console.ts'
import { axeFindings, wcag } from './looked-at.ts'
import { heardNotice } from './notices-said.ts'

const { db, open } = await startConsole()
let admin: Person
let ground: Awaited<ReturnType<typeof makeGround>>
let ranked: Awaited<ReturnType<typeof makeGround>>
let empty = 0

/** Electricity and gas through the whole of 2024, 1,500.00 and 90.00 a month; nothing since. */
beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  empty = (await makeGround(db)).clientId
  ranked = await makeRankedStores(db)
  const day = (month: number) => new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10)
  for (let month = 0; month < 12; month += 1) {
    const days = { from: day(month), to: day(month + 1) }
    await addBill(db, ground.clientId, {
      account: { billable_account_id: ground.accountId },
      date: days.to,
      current_charges: '1590.00',
      lines: [
        { ...days, service_id: ground.electricId, utility: '1500.00', usage: '1000' },
        { ...days, service_id: ground.gasId, utility: '90.00', usage: '10' },
      ],
    })
  }
  await refreshFacts(db, ground.clientId, [ground.electricId, ground.gasId])
})

/** A supplier of another client's gas, so that the figures of the client stay as they are. */
async function supplierOf2024() {
  const made = await makeGround(db)
  const account = await makeSupplyAccount(db, made, 'SUPPLIER-1')
  const meter = await makeService(db, made.clientId, account, 'natural_gas', 'S-1', 'supply_account_id')
  const days = { from: '2024-10-01', to: '2024-11-01' }
  const line = { ...days, service_id: meter, supply: '64.00', usage: '100' }
  await addBill(db, made.clientId, { account: { supply_account_id: account }, date: days.to, current_charges: '64.00', lines: [line] })
  await refreshFacts(db, made.clientId, [meter])
  return { clientId: made.clientId, account }
}

const at2024 = 'as_of=2025-01-01'
const home = () => `/clients/${ground.clientId}/dashboard`
const metric = (page: Page, key: string) => page.locator(`[data-metric="${key}"]`)

describe('the client dashboard', () => {
  test('shows cost, usage and emissions as a ledger with graph and summary [CLIENT-ROUTE-004] [CLIENT-SCREEN-001] [DASH-SCREEN-001] [DASH-SCREEN-002] [DASH-CONST-004]', async () => {
    const page = await open(admin, { at: `${home()}?${at2024}` })
    await page.getByRole('heading', { level: 1, name: /^Client Dashboard: Client / }).waitFor()
    await page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Dashboard' }).waitFor()
    const cost = metric(page, 'total_utility_cost')
    expect(await cost.innerText()).toContain('$19.08K')
    expect(await metric(page, 'total_mtc02e').innerText()).toMatch(/4\.83 Tonnes/)
    expect(await metric(page, 'service_usage').innerText()).toContain('MMBtu')
    expect(await metric(page, 'total_active_meters').innerText()).toContain('2 configured')
    await page.getByRole('figure', { name: 'Cost by month' }).waitFor()
    const summary = page.getByRole('region', { name: 'Summary by service' })
    expect(await summary.getByRole('row', { name: /^Electric/ }).innerText()).toContain('$18.00K')
    // The short figure reveals its full value, and keeps it visible after a press.
    await cost.getByRole('button', { name: /exactly \$19,080\.00/ }).click()
    expect(await cost.innerText()).toContain('$19,080.00')
  })

  test('service, date range, comparison and graph are chosen in place, asked for and kept in the address [DASH-SCREEN-003] [DASH-API-001]', async () => {
    const page = await open(admin, { at: `${home()}?${at2024}` })
    await metric(page, 'total_utility_cost').waitFor()
    const asked = apiRequests(page)
    await page.getByLabel('Service', { exact: true }).selectOption({ label: 'Natural Gas' })
    await expect.poll(() => metric(page, 'total_utility_cost').innerText()).toContain('$1.08K')
    await page.getByLabel('Date range').selectOption({ label: 'Last 3 Months' })
    await page.getByLabel('Graph', { exact: true }).selectOption({ label: 'Usage' })
    // For twelve months both are the same window and one choice, which stays in force for three.
    const comparison = page.getByLabel('Comparison')
    expect(await comparison.locator('option').allInnerTexts()).toEqual([
      'Compare to previous period',
      'Compare to last year',
      'No comparison',
    ])
    expect(await comparison.inputValue()).toBe('last_year')
    await page.getByRole('figure', { name: 'Usage by month: Natural Gas, therm' }).waitFor()
    await expect.poll(() => metric(page, 'total_utility_cost').innerText()).toContain('$270.00')
    expect(addressOf(page)).toMatch(/date_range_type=last_3_months&graph_data_type=usage&compare_to_last_year=true/)
    const last = asked.filter((request) => request.includes('/dashboard?')).at(-1) ?? ''
    for (const part of [
      'scope_type=client',
      `scope_id=${ground.clientId}`,
      'service=',
      'compare_to_last_year=true',
      'date_range_type=last_3_months',
      'graph_data_type=usage',
    ])
      expect(last).toContain(part)
    await page.reload()
    expect(await page.getByLabel('Date range').inputValue()).toBe('last_3_months')
  })

  test('no choice of the comparison does nothing: each changes the periods, or leaves them out [DASH-SCREEN-003] [DASH-CONST-003]', async () => {
    const page = await open(admin, { at: `${home()}?as_of=2025-01-01` })
    const periods = page.getByRole('group', { name: 'Periods and coverage' })
    await expect.poll(() => periods.innerText()).toContain('compared with 01/01/2023 – 12/31/2023')
    const comparison = page.getByLabel('Comparison')
    expect(await comparison.locator('option').allInnerTexts()).toEqual(['Compare to last year', 'No comparison'])
    await comparison.selectOption({ label: 'No comparison' })
    await expect.poll(() => periods.innerText()).not.toContain('compared with')
    expect(await page.getByRole('columnheader', { name: 'Previous' }).count()).toBe(0)
    await page.getByLabel('Date range').selectOption({ label: 'Last 3 Months' })
    await comparison.selectOption({ label: 'Compare to previous period' })
    await expect.poll(() => periods.innerText()).toContain('compared with 07/01/2024 – 09/30/2024')
  })

  test('months of one’s own are typed, kept in the address and compared with the same months a year before; what is no range says so', async () => {
    const page = await open(admin, { at: `${home()}?${at2024}` })
    const periods = page.getByRole('group', { name: 'Periods and coverage' })
    await page.getByLabel('Date range').selectOption({ label: 'Custom Months' })
    const from = page.getByLabel('From Month')
    await expect.poll(() => from.inputValue()).toBe('01/2024')
    await from.fill('3/2024')
    await page.getByLabel('To Month').fill('1/2024')
    await page.getByText('To Month must not be before From Month').waitFor()
    await page.getByLabel('To Month').fill('4/2024')
    await page.keyboard.press('Enter')
    await expect.poll(() => periods.innerText()).toContain('03/01/2024 – 04/30/2024')
    expect(await periods.innerText()).toContain('compared with 03/01/2023 – 04/30/2023')
    expect(addressOf(page)).toContain('from_month=2024-03&to_month=2024-04')
    await expect.poll(() => metric(page, 'total_utility_cost').innerText()).toContain('$3.18K')
    await page.reload()
    await expect.poll(() => page.getByLabel('To Month').inputValue()).toBe('04/2024')
    await page.getByLabel('Date range').selectOption({ label: 'Last 3 Months' })
    await expect.poll(() => periods.innerText()).toContain('10/01/2024 – 12/31/2024')
  })

  test('what both periods cover is told once, and each month of a chart stands at its own name', async () => {
    const page = await open(admin, { at: `${home()}?${at2024}&date_range_type=last_3_months` })
    const periods = page.getByRole('group', { name: 'Periods and coverage' })
    await expect
      .poll(() => periods.innerText())
      .toMatch(/10\/01\/2024 – 12\/31\/2024 100\.0% billed compared with 07\/01\/2024 – 09\/30\/2024 100\.0% billed/)
    expect(await page.getByRole('columnheader', { name: 'Coverage' }).count()).toBe(0)
    // The page says how its months are made, also on paper, and its help explains it.
    expect(await periods.innerText()).toContain('Months are calendarized')
    await periods.getByRole('button', { name: 'What a month holds' }).click()
    await page.getByText('$190.00 of it count in September').waitFor()
    await page.keyboard.press('Escape')
    await page.emulateMedia({ media: 'print' })
    expect(await periods.isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    const chart = page.getByRole('figure', { name: 'Cost by month' })
    await chart.getByRole('button', { name: 'Show table' }).click()
    const months = await chart.getByRole('rowheader').allInnerTexts()
    expect(months.map((text) => text.slice(0, 7))).toEqual(['07/2024', '08/2024', '09/2024', '10/2024', '11/2024', '12/2024'])
    expect(months[0]).toContain('previous period')
    // The chart is saved as shown, with its subject; its file has the same months with all digits.
    await chart.getByRole('button', { name: 'Show chart' }).click()
    const fileOf = async (button: string) => {
      const download = page.waitForEvent('download')
      await chart.getByRole('button', { name: button }).click()
      const saved = await download
      return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') }
    }
    await chart.locator('svg').first().waitFor()
    const picture = await fileOf('Save picture')
    expect(picture.name).toMatch(/^client-.*-cost-2024-10-2024-12\.svg$/)
    for (const text of ['>Cost by month<', '10/2024 – 12/2024, compared with 07/2024 – 09/2024. Calendarized months. ($)', '<path'])
      expect(picture.text).toContain(text)
    const values = await fileOf('Save CSV')
    expect(values.name).toBe(picture.name.replace('.svg', '.csv'))
    expect(values.text).toContain('\r\n2024-10,2024-07,1500.00,1500.00,90.00,90.00,1.0000,1.0000,Calendarized\r\n')
    // The same months of two years are drawn at one place, the earlier year as a line that its name ends.
    await page.goto(`${home()}?as_of=2025-04-01&date_range_type=last_3_months&compare_to_last_year=true`)
    await page.getByText('Line: 01/2024 – 03/2024').waitFor()
    await page.locator('figure svg').getByText('Last year').waitFor()
  })

  test('which facility’s cost per square foot rose most is one press: the table sorts, keeps it in the address, filters, and becomes a file', async () => {
    const { clientId, facilityId } = ranked
    const page = await open(admin, { at: `/clients/${clientId}/dashboard?${at2024}` })
    const table = page.getByRole('table', { name: 'Facilities, ranked' })
    const names = async () => (await table.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n')[0])
    // Store 2 costs more, and its cost per square foot rose less.
    await expect.poll(names).toEqual(['Store 2', 'Store 1'])
    await table.getByRole('button', { name: 'Change of $/sq ft' }).click()
    await expect.poll(names).toEqual(['Store 1', 'Store 2'])
    expect(addressOf(page)).toContain('order=-cost_per_sqft_change')
    const first = await table.getByRole('row', { name: /^Store 1/ }).innerText()
    expect(first).toMatch(/\$12\.00\s+\+\$6\.00 · ▲ 100\.00%/)
    const tiles = page.getByRole('region', { name: 'At a glance' })
    expect(await tiles.getByRole('group', { name: 'Cost', exact: true }).innerText()).toContain('$3.60K')
    expect(await tiles.getByRole('group', { name: 'Per square foot' }).innerText()).toContain('$3.27')
    await page.getByLabel('Find').fill('2')
    await expect.poll(names).toEqual(['Store 2'])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file.split('\r\n').slice(1)).toEqual([expect.stringMatching(/^Store 2,West,1000,MMBtu,2400\.00,1800\.00,33\.33,/), ''])
    await page.getByLabel('Find').fill('')
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Services' })
    await page.getByRole('table', { name: 'Services, ranked' }).getByRole('rowheader', { name: 'Electric' }).waitFor()
    await page.goto(`/clients/${clientId}/facilities/${facilityId}/dashboard?${at2024}`)
    await page.getByRole('table', { name: 'Accounts, ranked' }).waitFor()
  })

  test('a month, a tile and a cell open the bills that make them, filtered as the figure is, and Escape leads back to the same dashboard', async () => {
    const { clientId, facilityId } = ranked
    const at = `/clients/${clientId}/dashboard?date_range_type=last_3_months&compare_to_last_year=true&${at2024}`
    const page = await open(admin, { at })
    const rows = page.getByRole('grid', { name: 'Bills' }).getByRole('row', { name: /of \d\d\// })
    const column = page.getByRole('link', { name: 'Bills of 11/2024' })
    await column.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Bills with service days in November 2024; the dashboard counts their share of the month.').waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    expect(addressOf(page)).toContain('counted_on_gteq=2024-11-01&counted_on_lteq=2024-11-30')
    await page.keyboard.press('Escape')
    await expect.poll(() => addressOf(page)).toBe(at)
    // A press on the drawing does what Enter does.
    const box = await column.boundingBox()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 120)
    await page.getByText('Bills with service days in November 2024').waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'At a glance' }).getByRole('link', { name: '$900.00: its bills' }).click()
    await page.getByText('Bills with service days from October 2024 to December 2024; the dashboard counts their share').waitFor()
    await expect.poll(() => rows.count()).toBe(6)
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    const cells = page.getByRole('table', { name: 'Facilities, ranked' }).getByRole('row', { name: /^Store 1/ })
    await cells.getByRole('link', { name: '$300.00: its bills' }).click()
    await page.getByText('Store 1: Bills with service days').waitFor()
    await expect.poll(() => rows.count()).toBe(3)
    expect(addressOf(page)).toContain(`facility_id_eq=${facilityId}`)
    // The month without bills is no link, and an address of elsewhere is no way back.
    await page.goto(`/clients/${clientId}/dashboard?as_of=2025-03-01&date_range_type=last_3_months`)
    await page.getByRole('link', { name: 'Bills of 12/2024' }).waitFor()
    expect(await page.getByRole('link', { name: 'Bills of 01/2025' }).count()).toBe(0)
    await page.goto(`/clients/${clientId}/bills?counted_on_gteq=2024-11-01&counted_on_lteq=2024-11-30&back=//evil.test/clients/1/dashboard`)
    await page.getByText('Bills with service days in November 2024').waitFor()
    expect(await page.getByRole('link', { name: 'Back to the dashboard' }).count()).toBe(0)
  })

  test('a window without bills offers the last year that has some', async () => {
    const page = await open(admin, { at: home() })
    await page.getByText('The last year that has some is 2024.').waitFor()
    await page.getByRole('button', { name: 'Show 2024' }).click()
    await expect.poll(() => metric(page, 'total_utility_cost').innerText()).toContain('$19.08K')
    await page.getByRole('button', { name: /^Remove As of/ }).click()
    await page.getByText('The last year that has some is 2024.').waitFor()
  })

  test('a client without bills says so and leads to the first one', async () => {
    const page = await open(admin, { at: `/clients/${empty}/dashboard` })
    await page.getByRole('heading', { name: 'There are no bills yet' }).waitFor()
    expect(await page.getByRole('link', { name: 'New Bill' }).getAttribute('href')).toBe(`/clients/${empty}/bills/new`)
  })

  test("an answer with the error flag says 'Response error' with its message, as a notice and in its place [DASH-MSG-001] [DASH-API-002]", async () => {
    const page = await open(admin, { at: `${home()}?service=999999` })
    expect(await heardNotice(page)).toMatchObject({
      kind: 'Error',
      title: 'Response error',
      message: 'There is no such utility service here.',
    })
    await page.getByRole('alert').filter({ hasText: 'There is no such utility service here.' }).first().waitFor()
  })

  test('has no fault that axe finds, in dark and in light', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await open(admin, { at: `${home()}?${at2024}`, theme })
      await page.locator('figure svg').first().waitFor()
      expect(await axeFindings(page, { tags: wcag })).toEqual([])
    }
  })
})

describe('water, sewer and a supplier', () => {
  test('sewer is not added to water: the page asks for one service and tells the cost per unit of water; the bill has a total for each [DASH-FIELD-001] [BILL-FIELD-005]', async () => {
    const wet = await makeGround(db)
    const account = await makeAccount(db, wet, 'WET-1')
    const days = { from: '2024-10-01', to: '2024-12-20' }
    const lines = []
    for (const utility of ['water', 'sewer'])
      lines.push({ ...days, service_id: await makeService(db, wet.clientId, account, utility, 'W-1'), utility: '500.00', usage: '122' })
    const { id } = await addBill(db, wet.clientId, {
      account: { billable_account_id: account },
      date: days.to,
      current_charges: '1000.00',
      lines,
    })
    await refreshFacts(
      db,
      wet.clientId,
      lines.map((line) => line.service_id),
    )
    const page = await open(admin, {
      at: `/clients/${wet.clientId}/billable_accounts/${account}/dashboard?${at2024}&date_range_type=last_3_months&graph_data_type=usage`,
    })
    await expect.poll(() => metric(page, 'service_usage').innerText()).toContain('Choose one service to see usage')
    expect(await metric(page, 'total_unit_cost').innerText()).toMatch(/Total Unit Cost per kgal of water\s+\$8\.1967/)
    expect(await metric(page, 'supply_unit').innerText()).toContain('no supply account is linked')
    for (const name of ['Usage by month: Water, kgal', 'Usage by month: Sewer, kgal']) await page.getByRole('figure', { name }).waitFor()
    // 80 of 92 days: below 95% in December, and nothing earlier to compare with.
    await page.getByText('Hatched: bills cover less than 95% of the month').waitFor()
    await page.getByText('No change is shown. Bills cover only 0.0% of 07/01/2024 – 09/30/2024: too little to compare.').waitFor()
    await page.goto(`/clients/${wet.clientId}/bills/${id}`)
    await page.getByText('122.000 of Water').waitFor()
    expect(await page.getByText('122.000 of Sewer').count()).toBe(1)
  })
})

describe('the other scopes', () => {
  test('each address has its dashboard with its own part [DASH-SCREEN-004] [DIV-ROUTE-004] [DIV-ROUTE-006] [DIV-ROUTE-011] [FAC-ROUTE-004] [FAC-ROUTE-006] [FAC-ROUTE-010] [BACC-ROUTE-005] [BACC-ROUTE-011] [BILL-ROUTE-004] [USVC-ROUTE-004]', async () => {
    const { clientId, divisionId, facilityId, accountId } = ground
    const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'natural_gas'`.execute(db)
    const supplied = await supplierOf2024()
    const expected: [path: string, title: RegExp, cost: string][] = [
      [`divisions/dashboard`, /^Divisions Dashboard/, '$19.08K'],
      [`divisions/${divisionId}/dashboard`, /^Division Dashboard: West/, '$19.08K'],
      [`facilities/dashboard`, /^Facilities Dashboard/, '$19.08K'],
      [`facilities/${facilityId}/dashboard`, /^Facility Dashboard: Store 1/, '$19.08K'],
      [`billable_accounts/dashboard`, /^Billable Accounts Dashboard/, '$19.08K'],
      [`billable_accounts/${accountId}/dashboard`, /^Billable Account Dashboard/, '$19.08K'],
      [`bills/dashboard`, /^Bills Dashboard/, '$19.08K'],
      [`utility_services/${rows[0]?.id}/dashboard`, /^Utility Service Dashboard/, '$1.08K'],
    ]
    const page = await open(admin)
    for (const [path, title, cost] of expected) {
      await page.goto(`/clients/${clientId}/${path}?${at2024}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await metric(page, 'total_utility_cost').innerText(), path).toContain(cost)
    }
    for (const [path, title] of [
      ['supply_accounts/dashboard', /^Supply Accounts Dashboard/],
      [`supply_accounts/${supplied.account}/dashboard`, /^Supply Account Dashboard/],
    ] as const) {
      await page.goto(`/clients/${supplied.clientId}/${path}?${at2024}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await metric(page, 'total_utility_cost').innerText(), path).toContain('$64.00')
    }
    for (const path of [`divisions/${divisionId}`, `facilities/${facilityId}`, `billable_accounts/${accountId}`]) {
      await goInside(page, `/clients/${clientId}/${path}`)
      await expect.poll(() => addressOf(page)).toBe(`/clients/${clientId}/${path}/dashboard`)
    }
  })
})
