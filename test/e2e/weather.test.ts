/** A facility in the same weather, in a browser: from its dashboard to the answer, by keyboard, saved; empty and wrong input; degree days kept and imported. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeWeatheredStores, type WeatheredStores } from '../support/weathered-stores.ts'
import { addressOf, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, open } = await startConsole()
let admin: Person
let stores: WeatheredStores

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  stores = await makeWeatheredStores(db)
})

const year = 'baseline_month=2024-01&from_month=2025-01&to_month=2025-12'
const answerOf = (page: Page) => page.getByRole('region', { name: 'In the same weather', exact: true })

async function fileOf(page: Page, button: Locator): Promise<string[]> {
  const download = page.waitForEvent('download')
  await button.press('Enter')
  return (await readFile(await (await download).path(), 'utf8')).split('\r\n')
}

/** Looks at the page in both themes, on a screen and on a phone. */
async function lookedAtEverywhere(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const theme of ['light', 'dark']) {
      await page.evaluate((chosen) => {
        for (const element of [document.documentElement, document.body]) element.setAttribute('data-theme', chosen)
      }, theme)
      await lookedAt(page, `${name}-${width}-${theme}`)
      await page.getByRole('heading', { name: 'Meters' }).scrollIntoViewIfNeeded()
      await lookedAt(page, `${name}-meters-${width}-${theme}`)
      await page.evaluate(() => window.scrollTo(0, 0))
    }
    // Nothing pushes the page wider than the window.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  }
  await page.setViewportSize({ width: 1366, height: 768 })
}

test('a facility’s dashboard leads to its usage in the same weather: what was avoided, each month, the fit of the meter, and both files', async () => {
  const at = `/clients/${stores.clientId}/facilities/${stores.handId}/dashboard?from_month=2025-01&to_month=2025-12`
  const page = await open(admin, { at })
  await page.getByRole('link', { name: 'In the Same Weather' }).press('Enter')
  const answer = answerOf(page)
  await answer
    .getByText(
      '3,650 kWh (8.9%) less was used than 01/2024 – 12/2024 would have used in the weather of 01/2025 – 12/2025, $365.00 avoided.',
    )
    .waitFor()
  const months = answer.getByRole('table', { name: 'Months in the same weather' })
  expect(await months.getByRole('row', { name: /^01\/2025/ }).innerText()).toMatch(
    /465\s+normal 698\s+0\s+normal 0\s+3,720\s+3,720\s+4,030\s+310\s+\$31\.00\s+4,185\s+100%/,
  )
  const meters = answer.getByRole('table', { name: 'Meters in the same weather' })
  await meters.getByText('kWh a day = 100 + 2 × HDD').waitFor()
  await meters.getByText('R² 1.00 · CV(RMSE) 0% · 12 periods').waitFor()
  await answer.locator('figure svg circle').first().waitFor({ state: 'attached' })
  expect(await answer.locator('figure svg circle').count()).toBe(24)
  await lookedAtEverywhere(page, 'weather')
  const file = await fileOf(page, page.getByRole('button', { name: 'Export Months' }))
  expect(file[1]).toMatch(
    /^2025-01,Electric,kWh,KH\d+,465\.00,697\.50,0\.00,0\.00,1\.0000,3720\.000000,3720\.000000,4030\.000000,310\.000000,31\.00,4185\.000000,372\.00,$/,
  )
  expect((await fileOf(page, page.getByRole('button', { name: 'Export Meters' })))[1]).toContain(
    ',heating,100.000000,2.000000,0.000000,1.0000,1.0000,0.0000,12,0,',
  )
  const figure = page.getByRole('figure', { name: 'H-1: kWh a day and degree days a day' })
  await figure.getByRole('button', { name: 'Show table' }).press('Enter')
  await figure.getByRole('row', { name: /^02\/01\/2024 – 02\/29\/2024/ }).waitFor()
})

test('months that make no comparison are named at their field; a meter is chosen, and each reason is a sentence', async () => {
  const page = await open(admin, { at: `/clients/${stores.clientId}/facilities/${stores.facilityId}/weather?${year}` })
  const answer = answerOf(page)
  await answer.getByText('Some meters have no fit that is good enough.').first().waitFor()
  await answer.getByText('The usage does not follow the weather: degree days explain it no better than its mean.').waitFor()
  await page.getByLabel('Meter', { exact: true }).selectOption({ label: 'E-1' })
  await expect.poll(() => addressOf(page)).toContain(`meter=${stores.electricId}`)
  await answer.getByText(/R² 1\.00 · CV\(RMSE\) 0(\.\d)?% · 11 periods/).waitFor()
  await lookedAt(page, 'weather-both')
  const baseline = page.getByLabel('Baseline Month')
  await baseline.fill('06/2024')
  await baseline.press('Enter')
  await page.getByText('Baseline Month must be at least 12 months before From Month').waitFor()
  await baseline.fill('12/2023')
  await baseline.press('Enter')
  await expect.poll(() => addressOf(page)).toContain('baseline_month=2023-12')
  await page.goto(
    page
      .url()
      .replace(/facilities\/\d+/, `facilities/${stores.bareId}`)
      .replace(/\?.*/, ''),
  )
  await page.getByText('The facility names no weather station.').waitFor()
  await page.getByRole('link', { name: 'Name a Weather Station' }).press('Enter')
  await page.getByLabel('Weather Station').waitFor()
})

test('stations and degree days are kept under Settings and imported from a file', async () => {
  const page = await open(admin, { at: '/settings/weather_stations' })
  await page.getByRole('link', { name: 'Degree Days' }).press('Enter')
  await page.getByRole('heading', { name: 'Degree Days' }).waitFor()
  await page.getByText('12/31/2025').or(page.getByText('2025-12-31')).first().waitFor()
  await lookedAt(page, 'degree-days')
  await page
    .getByRole('link', { name: /Import/ })
    .first()
    .press('Enter')
  await expect.poll(() => addressOf(page)).toContain('/settings/degree_days/import')
})
