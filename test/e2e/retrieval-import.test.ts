/** From the retrieval service to bills, through the console: the real statements if they are next to the project, else generated ones. */
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SEARCHED_FROM } from '../../src/web/ui/grid/grid-types.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient, makeDivision } from '../support/estate.ts'
import { expectedOf, printedStatements } from '../support/printed-figures.ts'
import { realFiles, realFolder } from '../support/real-statements.ts'
import { writeStatements } from '../support/statement-files.ts'
import { lookedAt } from './looked-at.ts'
import { noticesSaid } from './notices-said.ts'
import { addressOf, soon, startConsole } from './console.ts'

const isReal = realFiles('made ones are imported instead').length > 0
const folder = isReal ? realFolder : (await writeStatements({ utilities: 24, accounts: 6, months: 2 })).folder
/** An import of all 2,188 with their accounts takes 15 s on a dedicated machine. */
const IMPORT_MS = 240_000

const ui = await startConsole({ RETRIEVAL_STATEMENTS: folder })
const { db } = ui
let person: Person
let clientId = 0
const at = (): string => `/clients/${clientId}/bills/import`

beforeAll(async () => {
  person = await makePerson(db, 'super_admin')
  clientId = await makeClient(db, { name: 'Fresh Fields' })
  await makeDivision(db, clientId, { name: 'North Division' })
})
afterAll(async () => {
  if (!isReal) await rm(folder, { recursive: true, force: true })
})

describe('the bills import from the retrieval service', () => {
  it('stands beside the import of a file, which has its guide, template and example [IMPORT-SCREEN-001] [IMPORT-SCREEN-013] [IMPORT-SCREEN-014] [IMPORT-SCREEN-015]', async () => {
    const page = await ui.open(person, { at: `/clients/${clientId}/bills` })
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('link', { name: 'Retrieval service' }).waitFor()
    await page.getByText('Never fetched').waitFor()
    await page.getByRole('link', { name: 'CSV file' }).click()
    await page.getByLabel('CSV file').waitFor({ state: 'attached' })
    const guide = page.getByRole('region', { name: 'Guide' })
    await guide.getByRole('rowheader', { name: /^account_number.*required/ }).waitFor()
    await guide.getByRole('rowheader', { name: 'm3_power_factor' }).waitFor()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Example' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toBe('bills_example.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines[0]).toContain('account_number,')
    expect(lines.length).toBeGreaterThan(1)
  })

  it(
    'fetches the list, makes the accounts of all utilities and the bills of all statements, with equal sums [IMPORT-SCREEN-016] [IMPORT-TRANS-001] [IMPORT-MSG-001] [IMPORT-MSG-002] [IMPORT-JOB-001]',
    { timeout: IMPORT_MS * 2 },
    async () => {
      const page = await ui.open(person, { at: at() })
      await page.getByRole('button', { name: 'Fetch statements' }).click()
      await page.getByText(/Accounts that are not there yet: [\d,]+ of \d+ utilities/).waitFor({ timeout: IMPORT_MS })
      await planAllUtilities(page)
      await selectAllMatching(page)
      await page.getByRole('button', { name: 'Create bills of all matching' }).click()
      await soon(() => said(page)).toContain('Starting Import Process')
      await page.getByRole('progressbar', { name: 'Creating bills' }).waitFor()
      await page
        .getByText(/bills created/)
        .first()
        .waitFor({ timeout: IMPORT_MS })
      await soon(() => said(page)).toContain('Import successful! The import has been made successfully.')
      expect(await sumsOfBills()).toEqual(expectedSums())
      const lines = statementLines()
      const created = lines.filter((one) => one.amount_due !== null).length
      await page.getByRole('link', { name: `Created ${created.toLocaleString('en-US')}` }).click()
      await page.getByText(new RegExp(`of ${created.toLocaleString('en-US')} statements`)).waitFor()
      const bill = page
        .getByRole('grid')
        .getByRole('link', { name: /^Bill \d+$/ })
        .first()
      await bill.click()
      await page.getByRole('link', { name: 'Bill’s Facilities' }).waitFor()
    },
  )

  it.skipIf(!isReal)('says of each statement that made no bill why, and does not let it be chosen', async () => {
    const page = await ui.open(person, { at: `${at()}?state=ignored` })
    await page.getByText(/of 111 statements/).waitFor()
    expect(await page.getByText(/prints no amounts/).count()).toBeGreaterThan(0)
    const boxes = page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('checkbox')
    expect(await boxes.first().isDisabled()).toBe(true)
  })
})

describe('one statement', () => {
  it('is chosen, opened beside its paper and imported by the keyboard alone [IMPORT-API-011] [IMPORT-SCREEN-016]', async () => {
    const other = await oneAccountClient()
    const page = await ui.open(person, { at: `/clients/${other.id}/bills/import?account_number=${other.number}` })
    await page.getByRole('button', { name: 'Fetch statements' }).focus()
    await page.keyboard.press('Enter')
    const grid = page.getByRole('grid')
    await grid.locator('[role=rowgroup]').nth(1).getByText('Matched').first().waitFor({ timeout: 60_000 })
    await grid.getByRole('link', { name: other.number }).first().focus()
    await page.keyboard.press('Enter')
    await soon(() => addressOf(page)).toContain('statement=')
    await page.getByRole('img', { name: /1 page|2 pages|\d+ pages/ }).waitFor()
    const box = grid.locator('[role=rowgroup]').nth(1).getByRole('checkbox').first()
    await box.focus()
    await page.keyboard.press('Space')
    const create = page.getByRole('button', { name: 'Create selected bills (1)' })
    await create.focus()
    await page.keyboard.press('Enter')
    await page
      .getByText(/bill created/)
      .first()
      .waitFor({ timeout: 30_000 })
    const { rows } = await sql<{
      bills: number
    }>`select count(*)::int as bills from bills where client_id = ${other.id}`.execute(db)
    expect(rows[0]?.bills).toBe(1)
    // A duplicate would be shown beside the stored bill.
    const { rows: made } = await sql<{
      id: number
    }>`update retrieval_statements set state = 'duplicate' where client_id = ${other.id} and bill_id is not null returning id`.execute(db)
    await page.goto(`/clients/${other.id}/bills/import?statement=${made[0]?.id ?? 0}`)
    const beside = page.getByRole('table', { name: /^The statement and bill \d+$/ })
    await beside.getByRole('row', { name: /^Amount Due/ }).waitFor()
    expect(await beside.getByRole('row', { name: /differs/ }).count()).toBe(0)
    await lookedAt(page, 'statement-repeats')
  })

  it('shows all that its record carries, each of its meters with every figure that the statement prints [IMPORT-FIELD-001] [IMPORT-FIELD-002] [IMPORT-FIELD-003] [IMPORT-FIELD-004] [IMPORT-FIELD-005] [IMPORT-FIELD-006]', async () => {
    const printed = {
      meter_number: 'FULL-1',
      commodity: 'electric',
      previous_read_date: '2026-02-02',
      read_date: '2026-03-03',
      previous_reading: '11',
      meter_reading: '22',
      multiplier: '3',
      usage: '33',
      unit: 'kWh',
      estimated: true,
      utility_charges: '70.00',
      utility_taxes: '4.00',
      supply_charges: '20.00',
      supply_taxes: '3.00',
      other_charge: '2.00',
      rec_charge: '1.00',
      therm_factor: '1.01',
      adjustment_factor: '1.02',
      demand: '5.5',
      kw_actual: '6.6',
      kw_billed: '7.7',
      power_factor: '0.97',
    }
    const meters = [printed, { ...printed, meter_number: 'FULL-2' }, { ...printed, meter_number: 'FULL-3' }]
    const change = {
      meters,
      bill_date: '2026-03-05',
      due_date: null,
      balance_forward: '25.00',
      current_charges: '300.00',
      late_fee: '5.00',
      amount_due: '330.00',
      rebill_adjustment: true,
      account_number: '0001234567',
    }
    const { rows } = await sql<{ id: number; statement_id: string; file_id: string; short_code: string }>`with one as (
        select client_id, id from retrieval_statements where client_id = ${clientId} and state = 'created' order by id desc limit 1)
      update retrieval_statements statement set raw = statement.raw || ${JSON.stringify(change)}::jsonb, account_number = '0001234567',
        statement_date = '2026-03-05', amount = 330
      from one join clients on clients.id = one.client_id where statement.client_id = one.client_id and statement.id = one.id
      returning statement.id, statement.statement_id, statement.file_id, clients.short_code`.execute(db)
    const [one] = rows
    const page = await ui.open(person, { at: `${at()}?statement=${one?.id ?? 0}` })
    const paper = page.waitForRequest((request) => request.url().includes(`/statements/${encodeURIComponent(one?.file_id ?? '')}/pdf`))
    const pane = page.getByRole('complementary', { name: 'Statement' })
    await pane.getByText('FULL-3', { exact: true }).waitFor()
    await paper
    const text = (await pane.innerText()).replaceAll(/\s+/g, ' ')
    const code = one?.short_code.replaceAll(/[^A-Za-z0-9]/g, '-') ?? ''
    const head = `Statement ${one?.statement_id ?? ''} of ${one?.short_code ?? ''} · ${code}_20260305_234567.pdf · Rebill/Adjustment`
    const amounts = 'Balance Forward 25.00 Current Charges 300.00 Late Fee 5.00 Amount Due 330.00'
    for (const said of [head, 'Bill Date 03/05/2026', 'Due Date (assumed)', amounts, 'Due date assumed']) expect(text).toContain(said)
    for (const { meter_number } of meters)
      expect(text).toContain(
        `${meter_number} electric 03/03/2026 33 kWh, estimated Previous Read 02/02/2026 Previous Reading 11 Reading 22 Multiplier 3 Therm Factor 1.01 ` +
          'Adjustment Factor 1.02 Demand 5.5 KW Actual 6.6 KW Billed 7.7 Power Factor 0.97 Utility Charges 70.00 Utility Taxes 4.00 ' +
          'Supply Charges 20.00 Supply Taxes 3.00 Other Charge 2.00 REC Charge 1.00',
      )
  })

  it.each(['dark', 'light'] as const)('has no fault that axe finds, in the %s theme', async (theme) => {
    const { rows } = await sql<{
      id: number
    }>`select id from retrieval_statements where client_id = ${clientId} order by id limit 1`.execute(db)
    const page = await ui.open(person, { at: `${at()}?statement=${rows[0]?.id ?? 0}`, theme })
    await page.getByRole('complementary', { name: 'Statement' }).getByRole('heading').waitFor()
    await page.getByRole('img', { name: /page/ }).waitFor()
    const found = await new AxeBuilder({ page }).analyze()
    expect(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`)).toEqual([])
  })

  it('says An error occurred. and the reason where the import is refused, and goes by itself, being no live message [IMPORT-MSG-003] [NOTIF-CONST-003]', async () => {
    const page = await ui.open(person, { at: `/clients/${(await oneAccountClient()).id}/bills/import` })
    await page.getByRole('button', { name: 'Fetch statements' }).click()
    await page.getByText(/Accounts that are not there yet: /).waitFor({ timeout: 60_000 })
    await page.getByText(/Accounts that are not there yet: /).click()
    const utility = await takenUtility(page)
    await page.getByRole('checkbox', { name: utility, exact: true }).click()
    await makeFacility(page)
    const fields = page.getByRole('group', { name: `New accounts of ${utility}` })
    await fields.getByRole('switch', { name: 'Make a new vendor' }).setChecked(true)
    await fields.getByRole('textbox', { name: 'Vendor name' }).fill('Another one')
    await fields.getByRole('textbox', { name: 'Short code' }).fill('taken')
    await sql`insert into vendors (name, short_code) values ('Somebody else', 'taken')`.execute(db)
    await filterBy(page, 'Utility', utility)
    await soon(() => addressOf(page)).toContain('provider_name_eq=')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('button', { name: /^Create selected bills/ }).click()
    await page.getByRole('region', { name: 'Notices' }).getByText('An error occurred.').waitFor()
    // The pointer must not be on the notice, which would wait for it.
    await page.mouse.move(5, 400)
    const stayed = async () => (await noticesSaid(page)).find(({ title }) => title === 'An error occurred.')?.ms ?? null
    await soon(stayed).not.toBeNull()
    expect(await stayed()).toBeLessThan(5_000)
  })
})

/** Returns the texts of all notices so far. */
async function said(page: Page): Promise<string> {
  return (await noticesSaid(page)).map(({ title, message }) => `${title} ${message}`.trim()).join('\n')
}

/** Opens the panel, creates one facility for all, and accepts every utility with a new vendor of its name. */
async function planAllUtilities(page: Page): Promise<void> {
  await page.getByText(/Accounts that are not there yet: /).click()
  await makeFacility(page)
  await page.getByRole('button', { name: /Choose all \d+ utilities/ }).click()
  await page.getByText('Complete: choose the statements below').waitFor()
}

async function makeFacility(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Make a new facility' }).click()
  await page.getByRole('textbox', { name: 'Facility name' }).fill('Campus')
  await page.getByRole('textbox', { name: 'Facility number' }).fill('1')
  await page.getByRole('combobox', { name: 'Division' }).fill('North')
  await page.getByRole('option', { name: /North Division/ }).click()
}

async function selectAllMatching(page: Page): Promise<void> {
  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await page.getByRole('button', { name: /Select all [\d,]+ matching/ }).click()
}

/** Returns the first utility of the panel; its vendor is new, because no client has matched it before. */
async function takenUtility(page: Page): Promise<string> {
  return (
    (await page
      .getByRole('group', { name: 'Utilities' })
      .getByRole('checkbox')
      .first()
      .evaluate((box) => box.closest('label')?.textContent)) ?? ''
  )
}

/** Makes a client with a single account, that of some statement, with that statement's meter. */
async function oneAccountClient(): Promise<{ id: number; number: string }> {
  const id = await makeClient(db)
  await makeDivision(db, id, { name: 'North Division' })
  const { rows } = await sql<{ account_number: string }>`with source as (
      select account.* from billable_accounts account where account.client_id = ${clientId}
        and (select count(*) from services where services.client_id = account.client_id and services.billable_account_id = account.id) = 1
        and exists (select 1 from bills where bills.client_id = account.client_id and bills.billable_account_id = account.id) order by account.id limit 1),
    facility as (insert into facilities (client_id, division_id, name, number) select ${id}, divisions.id, 'Site', '1' from divisions where client_id = ${id} returning id),
    account as (insert into billable_accounts (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select ${id}, facility.id, source.vendor_id, source.name, source.account_number, '1 Main', 'Austin', 'TX', '78701' from source, facility returning id, account_number),
    made as (insert into services (client_id, billable_account_id, meter_number, metered, utility_service_id, usage_unit_id)
      select ${id}, account.id, service.meter_number, service.metered, service.utility_service_id, service.usage_unit_id
      from account, source join services service on service.client_id = source.client_id and service.billable_account_id = source.id)
    select account_number from account`.execute(db)
  return { id, number: rows[0]?.account_number ?? '' }
}

const line = z.object({
  utility: z.string(),
  new_charges: z.string().nullable(),
  amount_due: z.string().nullable(),
  charges: z.array(z.object({ amount: z.string() })),
  meters: z.array(z.object({ charges: z.array(z.object({ amount: z.string() })) })),
})

function statementLines(): z.infer<typeof line>[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((text) => text.trim() !== '')
        .map((text) => line.parse(JSON.parse(text))),
    )
}

/**
 * Computes the sums by utility, in cents, from the files alone, including generated ones: the value that two of three printed figures agree on.
 */
function expectedSums(): Record<string, { current: bigint; due: bigint }> {
  const sums: Record<string, { current: bigint; due: bigint }> = {}
  for (const one of printedStatements(folder)) {
    const expected = expectedOf(one)
    if (expected === null) continue
    const { current, due } = sums[one.utility] ?? { current: 0n, due: 0n }
    sums[one.utility] = { current: current + expected.current, due: due + expected.due }
  }
  return sums
}

async function sumsOfBills(): Promise<Record<string, { current: bigint; due: bigint }>> {
  const { rows } = await sql<{
    utility: string
    current: string
    due: string
  }>`select vendors.name as utility, (sum(current_charges) * 100)::bigint::text as current,
    (sum(amount_due) * 100)::bigint::text as due from bills join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} group by vendors.name`.execute(
    db,
  )
  return Object.fromEntries(rows.map((row) => [row.utility, { current: BigInt(row.current), due: BigInt(row.due) }]))
}

/** Few choices are a native select, many a combobox: their number depends on the statements. */
async function filterBy(page: Page, column: string, choice: string): Promise<void> {
  const filter = page.getByRole('combobox', { name: `Filter ${column}` })
  // A list with all its choices, and too many of them, is about to become a combobox.
  const kindOf = () =>
    filter.evaluate((element, searchedFrom) => {
      if (!(element instanceof HTMLSelectElement)) return 'combobox'
      const choices = element.options.length - 1
      return choices > 0 && choices < searchedFrom ? 'list' : 'not yet'
    }, SEARCHED_FROM)
  await soon(kindOf).not.toBe('not yet')
  if ((await kindOf()) === 'list') {
    await filter.selectOption(choice)
    return
  }
  await filter.fill(choice)
  await page.getByRole('option', { name: choice }).first().waitFor()
  await filter.press('Enter')
}
