/** Why a cost rose and how facilities compare, in a browser: read, sorted, saved, followed to the bills and back, by keyboard. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBenchmarkedStores, type BenchmarkedStores } from '../support/benchmarked-stores.ts'
import { makeChangedStores, type ChangedStores } from '../support/changed-stores.ts'
import { addressOf, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, open } = await startConsole()
let admin: Person
let changed: ChangedStores
let benchmarked: BenchmarkedStores

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  changed = await makeChangedStores(db)
  benchmarked = await makeBenchmarkedStores(db)
})

const asOf = 'as_of=2026-01-15'
const why = (page: Page) => page.getByRole('region', { name: 'Why did cost change?' })

async function fileOf(page: Page, button: Locator): Promise<string[]> {
  const download = page.waitForEvent('download')
  await button.press('Enter')
  return (await readFile(await (await download).path(), 'utf8')).split('\r\n')
}

/** Looks at a part of the page in both themes, on a screen and on a phone. */
async function lookedAtEverywhere(page: Page, part: Locator, name: string): Promise<void> {
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => {
        for (const element of [document.documentElement, document.body]) element.setAttribute('data-theme', name)
      }, theme)
      await part.scrollIntoViewIfNeeded()
      await part.evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await lookedAt(page, `${name}-${width}-${theme}`)
    }
  }
  // Nothing pushes the page wider than the phone.
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1366, height: 768 })
}

test('a dashboard says why its cost changed; a row opens its services, its bills and the file, by keyboard', async () => {
  const page = await open(admin, { at: `/clients/${changed.clientId}/dashboard?${asOf}` })
  const section = why(page)
  await section.getByText(/^Cost rose by \$[\d,]+\.\d\d: \+\$[\d,]+\.\d\d by usage, /).waitFor()
  await section
    .getByText(/January 2025 – December 2025 against January 2024 – December 2024|01\/2025 – 12\/2025 against 01\/2024 – 12\/2024/)
    .waitFor()
  const table = section.getByRole('table', { name: 'Change of cost, Facilities' })
  const store = table.getByRole('row', { name: /^Store 1/ })
  expect(await store.innerText()).toMatch(/\$1,440\.00\s+\$1,884\.00\s+\+\$444\.00\s+\+\$240\.00\s+\+\$144\.00\s+\+\$60\.00/)
  expect(await store.innerText()).toContain('No usage on the bills +$60.00')
  await store.getByRole('button', { name: '2 services of Store 1' }).press('Enter')
  await table.getByText('12,000 → 14,400 kWh, $0.1000 → $0.1100 per kWh').waitFor()
  await section.locator('figure svg').first().waitFor()
  await lookedAtEverywhere(page, section, 'cost-change')

  await table.getByRole('button', { name: 'By price' }).press('Enter')
  const names = async () => (await table.locator('tbody > tr > th').allInnerTexts()).map((text) => text.split('\n')[0])
  await expect.poll(async () => (await names())[0]).toBeTruthy()
  const file = await fileOf(page, section.getByRole('button', { name: 'Export Changes' }))
  expect(file.filter((line) => line.startsWith('Store 1,West,Electric,'))).toEqual([
    expect.stringContaining(',1200.00,1584.00,384.00,240.00,144.00,0.00,'),
  ])
  const back = addressOf(page)
  await store.getByRole('link', { name: '$1,440.00: bills of Store 1, year before' }).press('Enter')
  await page.getByText('Bills with service days from January 2024 to December 2024').waitFor()
  expect(addressOf(page)).toContain(`facility_id_eq=${changed.facilityId}`)
  await page.keyboard.press('Escape')
  await expect.poll(() => addressOf(page)).toBe(back)
})

test('the comparison with the year before stays in three months and in one service, whatever the dashboard compares with', async () => {
  const page = await open(admin, {
    at: `/clients/${changed.clientId}/facilities/${changed.facilityId}/dashboard?date_range_type=last_3_months&${asOf}`,
  })
  const section = why(page)
  await section
    .getByText(/10\/2025 – 12\/2025 against 10\/2024 – 12\/2024|October 2025 – December 2025 against October 2024 – December 2024/)
    .waitFor()
  await section.getByText('Cost rose by $111.00: +$60.00 by usage, +$36.00 by price, +$15.00 that cannot be split.').waitFor()
  await page.getByLabel('Service', { exact: true }).selectOption({ label: 'Electric' })
  await section.getByText('Cost rose by $96.00: +$60.00 by usage, +$36.00 by price.').waitFor()
})

test('facilities are compared by square foot: quartiles, outliers by name, and those that are not ranked with their reason', async () => {
  const page = await open(admin, { at: `/clients/${benchmarked.clientId}/dashboard?${asOf}` })
  const benchmark = page.getByRole('region', { name: 'Benchmark' })
  expect(await benchmark.getByRole('row', { name: /^Sort by \$\/sq ft/ }).innerText()).toMatch(
    /\$\/sq ft\s+7\s+.*Store 7 \(high outlier\)$/,
  )
  const table = page.getByRole('table', { name: 'Facilities, ranked' })
  expect(await table.getByRole('row', { name: /^Store 7/ }).innerText()).toContain('#1 · high outlier')
  expect(await table.getByRole('row', { name: /^Store 9/ }).innerText()).toContain('not ranked: 74.7% billed')
  await benchmark.getByRole('button', { name: 'Sort by kBtu/sq ft' }).press('Enter')
  await expect.poll(() => addressOf(page)).toContain('order=-energy_per_sqft')
  await benchmark.getByText('3 not ranked').press('Enter')
  await benchmark.getByText('Store 10 (6 of 12 months billed)').waitFor()
  await lookedAtEverywhere(page, benchmark, 'benchmark')
  const file = await fileOf(page, page.getByRole('button', { name: 'Export CSV' }))
  expect(file.find((line) => line.startsWith('Store 8,'))).toContain(',no area,')
  expect(file.find((line) => line.startsWith('Store 7,'))).toContain(',1,high outlier,')
  await page.getByLabel('Service', { exact: true }).selectOption({ label: 'Electric' })
  await benchmark.getByRole('row', { name: /^Sort by kWh\/sq ft/ }).waitFor()
  // Accounts are no facilities: they are not compared by square foot.
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Accounts' })
  await page.getByRole('table', { name: 'Accounts, ranked' }).waitFor()
  expect(await benchmark.count()).toBe(0)
})
