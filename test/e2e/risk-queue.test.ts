/** The risk queue, the reason of a difference, and the test file of a bank profile, in the built console. */
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBankProfile, makePayer } from '../support/desk.ts'
import { soon, startConsole } from './console.ts'
import { button, fact, grid, makeDesk, rows, startDay } from './desk-ground.ts'
import { lookedAt } from './looked-at.ts'
import { pictureOf } from './pictures.ts'

const underTest = await startConsole()
const { db, open } = underTest
const WORK_MS = 120_000
const risks = 'Exceptions'
let clerk: Person

beforeAll(async () => {
  clerk = await makePerson(db, 'muc_admin')
  await makeDesk(db)
}, WORK_MS)
beforeEach(() => startDay(underTest, clerk, '50000'))

describe('the risk queue', () => {
  test(
    'lists what is late and due soon over all clients with what lateness costs and what cash is left; one key adds a bill to the selection',
    { timeout: WORK_MS },
    async () => {
      const page = await open(clerk, { at: '/global_batch/risk' })
      await rows(page, risks).first().waitFor()
      const kinds = await rows(page, risks).allInnerTexts()
      expect(kinds.some((text) => text.includes('Past due'))).toBe(true)
      expect(kinds.every((text) => text.includes('Past due') || text.includes('Due within 7 days'))).toBe(true)
      const stakes = page.getByRole('list', { name: 'What is at stake' })
      await stakes.getByText('Cash left if all of it is paid').waitFor()
      expect(await fact(page, 'Chosen').innerText()).toBe('0 bills · $0.00')
      await rows(page, risks).first().getByRole('gridcell').first().click()
      await page.keyboard.press('x')
      await soon(() => fact(page, 'Chosen').innerText()).toMatch(/^1 bill · /)
      await page.getByRole('link', { name: 'Selected Bills (1)' }).waitFor()
      await lookedAt(page, 'risk-queue')
      await pictureOf(page, 'risk-queue')
      await page.keyboard.press('x')
      await soon(() => fact(page, 'Chosen').innerText()).toBe('0 bills · $0.00')
      await page.setViewportSize({ width: 390, height: 844 })
      await grid(page, risks).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await pictureOf(page, 'risk-queue-phone')
    },
  )

  test('says that nothing is at risk where nothing is', { timeout: WORK_MS }, async () => {
    const payer = await makePayer(db)
    const alone = await makePerson(db, 'muc_admin', { clients: [payer.clientId] })
    const page = await open(alone, { at: '/global_batch/risk' })
    await page.getByText('Nothing is at risk').waitFor()
    await pictureOf(page, 'risk-queue-empty')
  })
})

test(
  'a bank profile writes a test file, which stands in the history as one; what the profile lacks is listed instead',
  { timeout: WORK_MS },
  async () => {
    const payer = await makePayer(db)
    const profile = await makeBankProfile(db, payer.clientId)
    const page = await open(clerk, { at: `/originating_profiles/${profile}/edit` })
    await button(page, 'Test File…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Format').selectOption('nacha_plus')
    await lookedAt(page, 'test-file')
    await pictureOf(page, 'test-file')
    const started = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Write Test File' }).click()
    expect((await started).suggestedFilename()).toMatch(/^TEST_ACH_nacha_plus_\d{8}_\d{4}_A\.ach$/)
    await page.goto(new URL('/global_batch/files?is_test=true', page.url()).href)
    await page
      .getByText(/^TEST_ACH_nacha_plus/)
      .first()
      .waitFor()
    await pictureOf(page, 'test-file-history')

    await sql`update originating_profiles set company_id = null where id = ${profile}`.execute(db)
    await page.goto(new URL(`/originating_profiles/${profile}/edit`, page.url()).href)
    await button(page, 'Test File…').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Write Test File' }).click()
    await page.getByRole('alert', { name: 'What prevents it' }).getByText('Company ID has 10 characters').waitFor()
    await pictureOf(page, 'test-file-refused')
  },
)
