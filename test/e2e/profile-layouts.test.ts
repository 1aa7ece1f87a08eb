/** The layouts of a bank profile in the built console: edited by keyboard, previewed, saved as versions; axe in both themes. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import type { Ground } from '../support/bills.ts'
import { makeBankProfile, makePayer } from '../support/desk.ts'
import { apiRequests, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { app, db, open } = await startConsole()
let admin: Person
let payer: Ground
let clientId: number
let at: string

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  payer = await makePayer(db)
  clientId = payer.clientId
  at = `/originating_profiles/${await makeBankProfile(db, clientId)}/layouts`
})

describe('the layouts of a bank profile', () => {
  test('are edited by keyboard alone: a column moves, is named and gets a width, the preview follows, and a version is saved', async () => {
    const page = await open(admin, { at })
    const table = page.getByRole('table', { name: 'Layouts of the bank profile' })
    await table.waitFor()
    expect(await table.getByRole('row', { name: /^NACHA\+/ }).innerText()).toContain(
      'The records of a NACHA file are fixed by the rules of the network.',
    )
    await lookedAt(page, 'profile-layouts-dark')
    await page.getByRole('link', { name: 'Edit Check request' }).focus()
    await page.keyboard.press('Enter')
    const sample = page.getByRole('textbox', { name: 'File of three invented payments' })
    await sample.waitFor()
    expect(await sample.inputValue()).toMatch(/^Payer,Payer Account Last 4,Payee,/)
    expect(await page.getByRole('region', { name: 'Preview' }).innerText()).toContain(
      'Text with a comma between columns, one row for each bill, 16 columns, with a heading and a last row of totals',
    )

    const heading = page.getByRole('textbox', { name: 'Heading of column 3' })
    await heading.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Pay to')
    await page.keyboard.press('Alt+ArrowUp')
    await soon(() => sample.inputValue()).toMatch(/^Payer,Pay to,Payer Account Last 4,/)
    await page.getByRole('textbox', { name: 'Width of column 2' }).focus()
    await page.keyboard.type('5')
    await page.getByText('Payee has more than 5 characters (line 2, column 2).').first().waitFor()
    await lookedAt(page, 'profile-layout-too-long-dark')
    await page.keyboard.press('0')
    await soon(() => page.getByRole('status', { name: 'Values that do not fit' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Save as version 1' }).focus()
    await page.keyboard.press('Enter')
    const versions = page.getByRole('table', { name: 'Versions of the layout' })
    await versions.getByRole('rowheader', { name: '1, in force' }).waitFor()
    const { rows } = await sql<{ columns: { heading: string; width: number | null }[] }>`select layout -> 'columns' as columns
      from originating_profile_layouts where client_id = ${clientId}`.execute(db)
    expect(rows[0]?.columns[1]).toMatchObject({ heading: 'Pay to', width: 50 })
  })

  test('say what prevents a layout, which then cannot be saved', async () => {
    const page = await open(admin, { at: `${at}?format=ach_bank`, theme: 'light' })
    await page.getByRole('button', { name: 'Remove column 3' }).click()
    await page.getByText('Columns lack Account number').waitFor()
    expect(await page.getByRole('button', { name: /^Save as version/ }).isDisabled()).toBe(true)
    await page.getByText('The file comes when the layout is complete.').waitFor()
    await lookedAt(page, 'profile-layout-fault-light')
  })

  test('of a fixed width ask for the width of each column, also on a narrow screen in the light theme', async () => {
    const page = await open(admin, { theme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${at}?format=op_worklist`)
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('fixed')
    await page.getByText('A file of fixed width has no heading').waitFor()
    await lookedAt(page, 'profile-layout-narrow-light')
  })

  test('have a label above each field of a column, and their editor is reached on a narrow screen without scrolling sideways', async () => {
    const page = await open(admin)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(at)
    const link = page.getByRole('link', { name: 'Edit Check request' })
    await link.waitFor()
    const box = await link.boundingBox()
    expect(box && box.x + box.width).toBeLessThanOrEqual(390)
    await link.click()
    const second = page.getByRole('list', { name: 'Columns' }).getByRole('listitem').nth(1)
    await second.waitFor()
    const seen = await second.locator('label').evaluateAll((labels) => labels.map((label) => label.firstChild?.textContent))
    expect(seen).toEqual(expect.arrayContaining(['Source', 'Heading', 'Width', 'Last row']))
    for (const name of ['Source', 'Heading', 'Width', 'Last row']) {
      expect((await second.getByText(name, { exact: false }).first().boundingBox())?.height).toBeGreaterThan(8)
      expect(await second.getByLabel(`${name} of column 2`, { exact: true }).count()).toBe(1)
    }
    expect(await second.locator('[placeholder]').count()).toBe(0)
  })

  test('are found by nobody but the provider: no page, no link and no answer for people of one client, narrowed or not', async () => {
    const scope = { clients: [clientId] }
    const narrowed = { division: [[clientId, payer.divisionId]] } as const
    const people = {
      'read-only user': await makePerson(db, 'read_only_user', scope),
      'narrowed read-only user': await makePerson(db, 'read_only_user', narrowed),
      'narrowed manager': await makePerson(db, 'client_manager', narrowed),
      'admin of the client': await makePerson(db, 'client_admin', scope),
    }
    for (const [name, person] of Object.entries(people)) {
      const answer = await app.ask(person, 'GET', at)
      expect([name, answer.status]).toEqual([name, 403])
      const page = await open(person)
      const asked = apiRequests(page)
      await page.goto(`${at}?format=check_request`)
      await page.getByText('You have no access to this page').waitFor()
      expect(await page.getByText(/Check request|Bank Profiles|First Bank/).count()).toBe(0)
      expect(asked.filter((request) => request.includes('originating_profiles'))).toEqual([])
    }
  })
})
