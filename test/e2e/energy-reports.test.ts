/** Emission factors and ENERGY STAR in the console: kept at a service and a facility, used by the reports, and named where they lack. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePerson } from '../support/app.ts'
import { makeGround } from '../support/bills.ts'
import { addOwedBill, line } from '../support/report-bills.ts'
import { rebuildFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { db, open } = await startConsole()

test('a supplier factor and a meter ID are typed at a service, and both reports show them in their previews', async () => {
  const { clientId, accountId, electricId, gasId, facilityId } = await makeGround(db)
  for (const service of [electricId, gasId])
    await addOwedBill(db, clientId, {
      account: { billable_account_id: accountId },
      date: '2025-12-31',
      current_charges: '90.00',
      lines: [line(service, '2025-01-01', '2026-01-01', '90.00', { usage: '10000' })],
    })
  await db.transaction().execute((tx) => rebuildFacts(tx, clientId))
  const admin = await makePerson(db, 'super_admin')
  const page = await open(admin, { at: `/clients/${clientId}/billable_accounts/${accountId}/services/${electricId}/edit` })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByRole('button', { name: 'Add Supplier Factor' }).click()
  const factors = page.getByRole('group', { name: 'Supplier Factors' })
  await factors.getByLabel(/^Year/).fill('2025')
  await factors.getByLabel(/^Supplier Factor/).fill('0.1')
  await factors.getByLabel(/^Source/).fill('Green Power Co')
  await page.getByLabel('Portfolio Manager Meter ID').fill('no. 5')
  await save.click()
  await page.getByText('Portfolio Manager Meter ID must be a number without spaces').waitFor()
  await page.getByLabel('Portfolio Manager Meter ID').fill('500123')
  await lookedAt(page, 'service-form-emissions')
  await save.click()
  await page.waitForURL(/services$/)

  await page.goto(new URL(`/clients/${clientId}/facilities/${facilityId}/edit`, page.url()).href)
  await page.getByLabel('Portfolio Manager Property ID').fill('900001')
  await save.click()
  await page.waitForURL(/facilities$/)

  const { rows } = await sql<{ name: string; id: number }>`select name, id from reports`.execute(db)
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? 0
  const preview = async (name: string) => {
    await page.goto(new URL(`/clients/${clientId}/reports/${idOf(name)}/new`, page.url()).href)
    await page.getByRole('textbox', { name: 'Date Range From' }).fill('01/01/2025')
    await page.getByRole('textbox', { name: 'Date Range To' }).fill('12/31/2025')
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
  }
  await preview('GHG Inventory Report')
  await page.getByText('Scope 2: 3.497 t CO2e location-based, 1.000 market-based.').waitFor()
  await lookedAt(page, 'ghg-inventory')
  await preview('Portfolio Manager Bills Export')
  await page.getByText('Nothing is written for meters without a Portfolio Manager Meter ID (1): G-1 (Natural Gas, Store 1).').waitFor()
  expect(await page.getByText('kWh (thousand Watt-hours)').count()).toBe(1)
  await lookedAt(page, 'portfolio-manager-bills')
})
