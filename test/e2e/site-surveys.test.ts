/** Site surveys in the built console: the list and its landing page, the eight steps, refusals, drafts, copies, papers, narrow screens. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { surveyPartNames, surveyParts, type SurveyPartKind } from '#contract/site-surveys/survey-parts.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeGround, type Ground } from '../support/bills.ts'
import { apiRequests, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'

const { app, db, open } = await startConsole()
const WORK_MS = 120_000
const longName = 'Refrigerated warehouse of the Upper Valley and of the Hills'
let admin: Person
let ground: Ground
let at: string

beforeAll(async () => {
  ground = await makeGround(db)
  at = `/clients/${ground.clientId}/site_surveys`
  await sql`update facilities set name = ${longName}, facility_type_id = (select min(id) from facility_types) where id = ${ground.facilityId}`.execute(
    db,
  )
  admin = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const field = (page: Page, name: RegExp) => page.getByRole('textbox', { name })
const bodyRows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const toStep = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name }).click()
  await page.getByRole('heading', { name, exact: true, level: 2 }).waitFor()
}
const chooseFacility = async (page: Page) => {
  await page.getByRole('combobox', { name: /^Facility/ }).fill('Refrigerated')
  await page.getByRole('option', { name: new RegExp(longName) }).click()
}
async function stored(name: string) {
  const { rows } = await sql<{ id: number }>`select id from site_surveys where client_id = ${ground.clientId} and name = ${name}`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}
const surveyOf = async (id: number) => (await app.ask(admin, 'GET', `${at}/${id}`)).body['site_survey']

describe('site surveys', () => {
  test(
    'are filled in by eight steps from the landing on, and stored with what each lists [SURV-ROUTE-001] [SURV-ROUTE-002] [SURV-ROUTE-003] [SURV-SCREEN-001] [SURV-SCREEN-002] [SURV-SCREEN-003] [SURV-SCREEN-004] [SURV-RULE-001] [SURV-RULE-002] [SURV-RULE-003] [SURV-FIELD-001] [SURV-FIELD-002] [SURV-FIELD-003] [SURV-FIELD-005] [SURV-FIELD-006] [SURV-FIELD-007] [SURV-FIELD-009] [SURV-FIELD-012] [SURV-FIELD-013] [SURV-JOB-001]',
    { timeout: WORK_MS },
    async () => {
      const page = await open(admin, { at: `/clients/${ground.clientId}/ancillary_services` })
      await page.getByText('No site surveys yet').waitFor()
      await page.getByRole('heading', { name: 'Ancillary Services' }).waitFor()
      await page.getByRole('link', { name: 'Add New' }).first().click()
      await page.getByRole('heading', { name: 'New Site Survey' }).waitFor()
      const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem')
      expect(await steps.allInnerTexts()).toEqual([
        'General',
        'Contacts',
        'Compressors',
        'Motors',
        'Gear Boxes',
        'Lighting',
        'HVAC',
        'Documents',
      ])
      expect(await button(page, 'Previous').getAttribute('aria-disabled')).toBe('true')
      for (const step of ['Contacts', 'Compressors', 'Motors', 'Gear Boxes', 'Lighting', 'HVAC', 'Documents']) {
        expect(await button(page, 'Done').count()).toBe(0)
        await button(page, 'Next').click()
        await page.getByRole('heading', { name: step, exact: true, level: 2 }).waitFor()
      }
      expect(await button(page, 'Next').count()).toBe(0)
      await page.getByText('No facility is chosen yet').waitFor()
      await button(page, 'Done').click()
      // Nothing was sent: the first step with a fault is open and names what is missing.
      await page.getByRole('heading', { name: 'General', exact: true, level: 2 }).waitFor()
      await page.getByText('Facility is required').waitFor()
      await page.getByText('Name is required').waitFor()
      await chooseFacility(page)
      await field(page, /^Name(?!plate)/).fill('Autumn survey')
      await page.getByRole('combobox', { name: 'Property Type' }).selectOption('Leased')
      await field(page, /^Square Footage/).fill('48,250.5')
      await field(page, /^Property Year/).fill('old')
      await lookedAt(page, 'site-survey-general-dark')

      await button(page, 'Next').click()
      await button(page, 'Add Contact').click()
      await field(page, /^Name(?!plate)/).fill('Ann Miller')
      await field(page, /^Email/).fill('ann at example')
      await toStep(page, 'Motors')
      await button(page, 'Add Motor').click()
      await field(page, /^Name(?!plate)/).fill('Supply fan')
      await field(page, /^Horse Power/).fill('7.5')
      await page.getByText('hp', { exact: true }).waitFor()
      await page.getByText('Pump and system').click()
      await page.getByRole('checkbox', { name: 'Pump', exact: true }).press('y')
      await page.getByText('Maintenance', { exact: true }).click()
      await page.getByRole('combobox', { name: 'Maintenance Level Required' }).selectOption('High')
      await page.getByRole('checkbox', { name: 'Cavitation' }).check()
      await button(page, 'Copy Motor 1').click()
      await soon(() => field(page, /^Horse Power/).count()).toBe(2)
      await lookedAt(page, 'site-survey-motors-dark')
      await button(page, 'Add Motor').click()
      await toStep(page, 'Lighting')
      await button(page, 'Add Lighting').click()
      await field(page, /^Location/).fill('Hall')
      await field(page, /^LED Count/).fill('120')
      await field(page, /^LED Count/).blur()
      expect(await page.getByRole('checkbox', { name: 'LED', exact: true }).isChecked()).toBe(true)
      await lookedAt(page, 'site-survey-lighting-dark')
      // An empty motor does not count.
      await soon(() => steps.allInnerTexts().then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ')))).toContain('Motors 2')
      await toStep(page, 'HVAC')
      await button(page, 'Add HVAC').click()
      await field(page, /^Area/).fill('Roof')
      await field(page, /^Cooling Installation Date/).fill('5/4/2019')
      await field(page, /^Area/).press('Control+Enter')
      await page.getByText('Property Year must be a whole number').waitFor()
      expect((await steps.allInnerTexts()).filter((text) => text.includes('to correct')).map((text) => text.split(/\s/)[0])).toEqual([
        'General',
        'Contacts',
      ])
      await field(page, /^Property Year/).fill('1987')
      await toStep(page, 'Contacts')
      await page.getByText('Email must be an email address').waitFor()
      await field(page, /^Email/).fill('ann@example.com')
      await toStep(page, 'Documents')
      await page.getByText('No documents are kept at this facility.').waitFor()
      const add = page.getByRole('link', { name: 'Add a photo or a document' })
      expect(await add.getAttribute('href')).toBe(`/clients/${ground.clientId}/facilities/${ground.facilityId}/documents/new`)
      await lookedAt(page, 'site-survey-documents-dark')
      await button(page, 'Done').click()

      await soon(() => bodyRows(page).count()).toBe(1)
      await page.getByRole('heading', { name: 'Site Surveys' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(at)
      const { rows: types } = await sql<{ name: string }>`select name from facility_types order by id limit 1`.execute(db)
      expect(await bodyRows(page).first().innerText()).toMatch(
        new RegExp(`Autumn survey[\\s\\S]*${longName}[\\s\\S]*${types[0]?.name}[\\s\\S]*Leased[\\s\\S]*48,250.5`),
      )
      await lookedAt(page, 'site-surveys-dark')
      expect(await surveyOf(await stored('Autumn survey'))).toMatchObject({
        property_year: 1987,
        contacts: [{ name: 'Ann Miller', email: 'ann@example.com' }],
        motors: [
          { name: 'Supply fan', horse_power: '7.5000', pump: true, cavitation: true, maintenance_level_required: 2 },
          { name: 'Supply fan', horse_power: '7.5000', pump: true, cavitation: true, maintenance_level_required: 2 },
        ],
        lightings: [{ location: 'Hall', led: true, led_no: 120, t8: false }],
        hvacs: [{ area: 'Roof', cooling_installation_date: '2019-05-04' }],
      })

      const sent = apiRequests(page)
      await button(page, /^Actions/).click()
      expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Edit', 'PDF', 'Delete'])
      await page.getByRole('menuitem', { name: 'PDF' }).click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'PDF of Autumn survey is ready' }))
      expect(sent.filter((one) => one.includes('generate_pdf')).map((one) => /connection_id=\S+/.test(one))).toEqual([true])
      await button(page, 'Field sheet').click()
      await soon(() => noticesSaid(page)).toContainEqual(expect.objectContaining({ title: 'Site survey field sheet is ready' }))
    },
  )

  test(
    'are changed: a removed row travels as _destroy, what was typed outlives its window, and the last survey can be copied [SURV-ROUTE-004] [SURV-TRANS-001] [SURV-API-002]',
    { timeout: WORK_MS },
    async () => {
      const made = await app.ask(admin, 'POST', at, {
        site_survey: {
          facility_id: ground.facilityId,
          name: 'Spring survey',
          primary_business: 'Frozen food',
          gear_boxes_attributes: [{ name: 'North' }, { name: 'South' }],
        },
      })
      const id = Number(made.body['id'])
      const page = await open(admin, { at: `${at}/${id}/edit`, theme: 'light' })
      await page.getByRole('heading', { name: 'Spring survey' }).waitFor()
      await toStep(page, 'Gear Boxes')
      await button(page, 'Remove Gear Box 1').click()
      await field(page, /^Ratio/).fill('12:1')
      await lookedAt(page, 'site-survey-gear-boxes-light')
      await page.getByText('Kept on this device, not saved yet').waitFor()
      await soon(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('12:1')

      // The window is closed, and another one finds the draft.
      const next = await page.context().newPage()
      await page.close({ runBeforeUnload: false })
      await next.goto(`${at}/${id}/edit`)
      await next.getByText('Gear Boxes').waitFor()
      await toStep(next, 'Gear Boxes')
      expect(await field(next, /^Ratio/).inputValue()).toBe('12:1')
      const patched = next.waitForRequest((request) => request.method() === 'PATCH')
      await button(next, 'Save').click()
      const { site_survey }: { site_survey: { gear_boxes_attributes: { name: string }[] } } = JSON.parse((await patched).postData() ?? '{}')
      expect(site_survey.gear_boxes_attributes).toMatchObject([{ _destroy: true }, { name: 'South', ratio: '12:1' }])
      await soon(() => next.url()).toMatch(/site_surveys$/)
      expect(await surveyOf(id)).toMatchObject({ gear_boxes: [{ name: 'South', ratio: '12:1' }] })

      await next.goto(`${at}/new`)
      await chooseFacility(next)
      await next.getByText(/^Last survey of this facility: Spring survey, /).waitFor()
      await button(next, 'Copy it').click()
      await soon(() => field(next, /^Primary Business/).inputValue()).toBe('Frozen food')
      expect(await field(next, /^Name(?!plate)/).inputValue()).toBe('')
      await field(next, /^Name(?!plate)/).fill('Summer survey')
      await field(next, /^Name(?!plate)/).press('Control+Enter')
      await soon(() => next.url()).toMatch(/site_surveys$/)
      expect(await surveyOf(await stored('Summer survey'))).toMatchObject({
        primary_business: 'Frozen food',
        gear_boxes: [{ name: 'South' }],
      })
      // The copy has rows of its own.
      expect(await surveyOf(id)).toMatchObject({ gear_boxes: [{ name: 'South' }] })
    },
  )

  test(
    'offer every field of every step [SURV-FIELD-001] [SURV-FIELD-003] [SURV-FIELD-004] [SURV-FIELD-005] [SURV-FIELD-006] [SURV-FIELD-007] [SURV-FIELD-008] [SURV-FIELD-009] [SURV-FIELD-010] [SURV-FIELD-011] [SURV-FIELD-012] [SURV-FIELD-013]',
    { timeout: WORK_MS },
    async () => {
      const page = await open(admin, { at: `${at}/new` })
      const isOffered = (label: string) => page.getByLabel(new RegExp(`^${label}( \\*|, .*| \\(.*)?$`)).count()
      await page.getByRole('heading', { name: 'General', exact: true, level: 2 }).waitFor()
      const general = [
        'Facility',
        'Name',
        'Property Type',
        'Primary Business',
        'Property Year',
        'Number Of Buildings',
        'Square Footage',
        'Notes',
      ]
      for (const label of general) expect([label, await isOffered(label)]).toEqual([label, 1])
      for (const part of surveyPartNames) {
        const { one, fields }: SurveyPartKind = surveyParts[part]
        await button(page, 'Next').click()
        await button(page, `Add ${one}`).click()
        for (const { label } of Object.values(fields)) expect([part, label, await isOffered(label)]).toEqual([part, label, 1])
      }
    },
  )

  test('fit a telephone, and offer a reader only to read [PERM-PERM-040] [SURV-PERM-001]', { timeout: WORK_MS }, async () => {
    const made = await app.ask(admin, 'POST', at, {
      site_survey: { facility_id: ground.facilityId, name: longName, motors_attributes: [{ name: longName, horse_power: '7.5' }] },
    })
    const page = await open(admin, { at: `${at}/${Number(made.body['id'])}/edit`, theme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    await toStep(page, 'Motors')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await lookedAt(page, 'site-survey-motors-narrow-light')
    await toStep(page, 'Lighting')
    await button(page, 'Add Lighting').click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

    const reader = await makePerson(db, 'read_only_user', { clients: [ground.clientId] })
    const other = await open(reader, { at })
    await soon(() => bodyRows(other).count()).toBeGreaterThan(0)
    expect(await other.getByRole('link', { name: 'Add New' }).count()).toBe(0)
    await button(other, /^Actions/)
      .first()
      .click()
    expect(await other.getByRole('menuitem').allInnerTexts()).toEqual(['PDF'])
  })
})
