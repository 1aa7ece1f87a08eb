/** Group accounts of both kinds in the console: lists, pages with one head, and choosing the subaccounts by mouse and by keyboard only. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { keepLastBills } from '../../src/server/estate/last-bills.ts'
import { makePerson, type Person } from '../support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../support/estate.ts'
import { addBill } from '../support/fact-bills.ts'
import { addressOf, goInside, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'
import { heardNotice } from './notices-said.ts'

const { db, open, app } = await startConsole()
let admin: Person
let manager: Person
let client: number
let plant: number
let store: number
let vendor: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  const east = await makeDivision(db, client, { name: 'East' })
  plant = await makeFacility(db, client, east, { name: 'Plant One' })
  store = await makeFacility(db, client, await makeDivision(db, client, { name: 'West' }), { name: 'Corner Store' })
  vendor = await makeVendor(db, { name: 'City Power' })
  admin = await makePerson(db, 'super_admin')
  manager = await makePerson(db, 'client_manager', { clients: [client], division: [[client, east]] })
})

type Model = 'billable_account' | 'supply_account'
interface Kind {
  readonly model: Model
  readonly plural: 'group_accounts' | 'group_supply_accounts'
  readonly name: 'group_account' | 'group_supply_account'
  readonly key: 'group_account_id' | 'group_supply_account_id'
  readonly accounts: string
  readonly title: string
  readonly manage: string
}
const billable: Kind = {
  model: 'billable_account',
  plural: 'group_accounts',
  name: 'group_account',
  key: 'group_account_id',
  accounts: 'Billable Accounts',
  title: 'Group Accounts',
  manage: 'Manage Group Account',
}
const supply: Kind = {
  model: 'supply_account',
  plural: 'group_supply_accounts',
  name: 'group_supply_account',
  key: 'group_supply_account_id',
  accounts: 'Supply Accounts',
  title: 'Group Supply Accounts',
  manage: 'Manage Group Supply Account',
}

interface Made {
  readonly number: string
  readonly name?: string
  readonly facility?: number
  readonly group?: boolean
  readonly in?: number
  readonly active?: boolean
}
async function make(
  { model, key }: Kind,
  { number, name = number, facility = plant, group = false, in: of, active = true }: Made,
): Promise<number> {
  const values = { name, account_number: number }
  const id =
    model === 'billable_account'
      ? await makeBillableAccount(db, client, facility, vendor, values)
      : await makeSupplyAccount(db, client, facility, values)
  await sql`update ${sql.table(`${model}s`)} set is_group_account = ${group}, ${sql.ref(key)} = ${of ?? null}::bigint, active = ${active} where id = ${id}`.execute(
    db,
  )
  // Totals are cached until a change is recorded.
  await sql`insert into data_versions (client_id, version) values (${client}, 1) on conflict (client_id) do update set version = data_versions.version + 1`.execute(
    db,
  )
  return id
}

async function membersOf({ model, key }: Kind, group: number): Promise<string[]> {
  const { rows } = await sql<{ account_number: string }>`select account_number from ${sql.table(`${model}s`)}
    where ${sql.ref(key)} = ${group} order by account_number`.execute(db)
  return rows.map((row) => row.account_number)
}

const at = ({ plural }: Kind, id?: number) => `/clients/${client}/${plural}${id === undefined ? '' : `/${id}`}`
const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const actionsOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu').last()
}
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()
const tabs = (page: Page, kind: Kind) =>
  page
    .getByRole('navigation', { name: kind.title.replace(/s$/, ''), exact: true })
    .getByRole('link')
    .allInnerTexts()
const chosen = (page: Page) => page.getByRole('region', { name: 'Chosen subaccounts' })
const chosenLines = (page: Page) => chosen(page).getByRole('list', { name: 'Chosen' }).getByRole('listitem')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

describe.for([billable, supply])('$plural', (kind: Kind) => {
  test('have a list with Export alone, row links, and pages with one head [GACC-ROUTE-001] [GACC-ROUTE-002] [GACC-ROUTE-003] [GACC-ROUTE-004] [GACC-ROUTE-005] [GACC-ROUTE-006] [GSACC-ROUTE-001] [GSACC-ROUTE-002] [GSACC-ROUTE-003] [GSACC-ROUTE-004] [GSACC-ROUTE-005] [GSACC-ROUTE-006] [GACC-SCREEN-001] [GACC-SCREEN-002] [GACC-SCREEN-003] [GACC-SCREEN-004] [GACC-SCREEN-005] [GACC-SCREEN-006] [GACC-SCREEN-007] [GACC-SCREEN-008] [GSACC-SCREEN-001] [GACC-FIELD-001] [GACC-FIELD-002] [GACC-FIELD-003] [GSACC-FIELD-001] [GSACC-FIELD-002] [GACC-RULE-001] [GSACC-RULE-001]', async () => {
    const group = await make(kind, { number: 'G-100', name: 'Northern Portfolio', group: true })
    const sub = await make(kind, { number: 'A-101', name: 'First Street', facility: store, in: group })
    const owner = kind.model === 'billable_account' ? { billable_account_id: group } : { supply_account_id: group }
    await addBill(db, client, { account: owner, date: '2026-03-05', current_charges: '12.00', lines: [] })
    const kept = { billable_account_ids: [], supply_account_ids: [], [`${kind.model}_ids`]: [group] }
    await db.transaction().execute((tx) => keepLastBills(tx, client, kept))

    const page = await open(admin, { at: at(kind) })
    await page.getByRole('heading', { name: kind.title, exact: true }).waitFor()
    const row = rowOf(page, 'Northern Portfolio')
    await row.waitFor()
    const text = await row.innerText()
    for (const part of ['Northern Portfolio', 'Plant One', 'G-100', '1 Main', 'Austin', 'Texas', '78701', 'US', '03/05/2026'])
      expect(text).toContain(part)
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor()
    for (const absent of ['Add New', 'Import']) expect(await page.getByRole('link', { name: absent, exact: true }).count()).toBe(0)
    const menu = (await actionsOf(page, 'Northern Portfolio')).getByRole('menuitem')
    expect(await menu.allInnerTexts()).toEqual(['Subaccounts', 'Bills', 'Manage'])

    await menu.filter({ hasText: 'Subaccounts' }).click()
    await page.waitForURL(`**${at(kind, group)}/subaccounts`)
    await page.getByRole('heading', { name: 'Subaccounts', exact: true }).waitFor()
    await soon(() => crumbs(page)).toEqual(['East', 'Plant One', 'Northern Portfolio'])
    expect(await tabs(page, kind)).toEqual(['Dashboard', 'Subaccounts', 'Bills', kind.manage])
    const line = rowOf(page, 'A-101')
    await line.waitFor()
    for (const part of ['First Street', 'Corner Store', '1 Main', 'Austin', 'Texas', '78701', 'US'])
      expect(await line.innerText()).toContain(part)
    const links = (await actionsOf(page, 'A-101')).getByRole('menuitem')
    expect(await links.allInnerTexts()).toEqual(['Edit', 'View'])
    const account = `/clients/${client}/${kind.model}s/${sub}`
    expect(await links.first().getAttribute('href')).toBe(`${account}/edit`)
    expect(await links.last().getAttribute('href')).toBe(`${account}/dashboard`)
    await page.keyboard.press('Escape')

    for (const [tab, path, heading] of [
      ['Bills', 'bills', /^Bills$/],
      ['Dashboard', 'dashboard', /Dashboard: G-100$/],
      [kind.manage, 'edit', new RegExp(`^${kind.manage}$`)],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).last().click()
      await page.waitForURL(`**${at(kind, group)}/${path}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      await soon(() => crumbs(page)).toEqual(['East', 'Plant One', 'Northern Portfolio'])
      expect(await tabs(page, kind)).toEqual(['Dashboard', 'Subaccounts', 'Bills', kind.manage])
    }
    await page.getByRole('heading', { name: kind.accounts, exact: true }).waitFor()
    await page.goto(at(kind, group))
    await page.waitForURL(`**${at(kind, group)}/dashboard`)

    await page.goto(`/${kind.plural}?name=Northern`)
    await rowOf(page, 'Northern Portfolio').waitFor()
    expect(await rowOf(page, 'Northern Portfolio').innerText()).toContain('Harbor Foods')
  })

  test('choose their subaccounts with the keyboard alone, among 1,000, and say whom another group has [GACC-SCREEN-009] [GSACC-API-004]', async () => {
    const group = await make(kind, { number: 'G-200', name: 'Keyboard Group', group: true })
    const other = await make(kind, { number: 'G-201', name: 'Other Group', group: true })
    await make(kind, { number: 'K-TAKEN', in: other })
    await make(kind, { number: 'K-OLD', active: false, in: group })
    await sql`insert into ${sql.table(`${kind.model}s`)} (client_id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip)
      select ${client}, ${plant}, ${vendor}, 'Meter room ' || n, 'K-' || lpad(n::text, 4, '0'), '1 Main', 'Austin', 'TX', '78701' from generate_series(1, 1000) n`.execute(
      db,
    )

    const page = await open(admin, { at: `${at(kind, group)}/edit` })
    const grid = page.getByRole('grid', { name: kind.accounts })
    await grid.waitFor()
    await soon(() => chosenLines(page).allInnerTexts()).toEqual([expect.stringContaining('Inactive')])
    const filter = grid.getByRole('textbox', { name: 'Filter Account Number' })
    await filter.focus()
    await page.keyboard.type('K-TAKEN')
    await page.keyboard.press('Enter')
    const taken = rowOf(page, 'K-TAKEN')
    await taken.waitFor()
    expect(await taken.innerText()).toContain('In Other Group')
    await soon(() => rows(page).count()).toBe(1)
    const box = taken.getByRole('checkbox')
    expect(await box.getAttribute('aria-disabled')).toBe('true')
    expect(await box.getAttribute('aria-label')).toContain('It is a subaccount of Other Group')
    await box.focus()
    await page.keyboard.press('Space')
    expect(await chosenLines(page).count()).toBe(1)
    // Enter in a filter did not save the form.
    expect(addressOf(page)).toContain('/edit')

    await filter.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('K-000')
    await soon(() => rows(page).count()).toBe(9)
    await rows(page).first().getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await soon(() => chosenLines(page).count()).toBe(4)
    await page.getByText('Not saved yet').waitFor()

    await chosen(page).getByRole('searchbox').focus()
    await page.keyboard.type('0002')
    await soon(() => chosenLines(page).count()).toBe(1)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove K-0002')
    await page.keyboard.press('Enter')
    await soon(() => chosenLines(page).count()).toBe(0)
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
    await page.keyboard.press('Control+Enter')
    expect(await heardNotice(page)).toMatchObject({ kind: 'Done' })
    await page.waitForURL(`**${at(kind, group)}/subaccounts`)
    expect(await membersOf(kind, group)).toEqual(['K-0001', 'K-0003', 'K-OLD'])
    await soon(() => rows(page).count()).toBe(3)
    expect(await rowOf(page, 'K-OLD').innerText()).toContain('Inactive')

    // A whole page of a thousand at once.
    await page.goto(`${at(kind, group)}/edit`)
    await page.getByLabel('Per page').selectOption('1000')
    await grid.getByRole('textbox', { name: 'Filter Account Number' }).fill('K-')
    await page.getByText(/of 1,002 accounts/).waitFor()
    await grid.getByRole('checkbox', { name: /all/i }).click()
    await chosen(page)
      .getByText(/^(999|1,000|1,001) chosen$/)
      .waitFor()
    await save(page).click()
    await page.waitForURL(`**${at(kind, group)}/subaccounts`)
    expect((await membersOf(kind, group)).length).toBeGreaterThan(990)
    await page.goto(`${at(kind, group)}/edit`)
    await chosen(page).getByRole('button', { name: 'Remove all' }).click()
    await chosen(page).getByText('0 chosen').waitFor()
    await save(page).click()
    await page.waitForURL(`**${at(kind, group)}/subaccounts`)
    await page.getByText('It gathers no account yet').waitFor()
    expect(await membersOf(kind, group)).toEqual([])
    await sql`delete from ${sql.table(`${kind.model}s`)} where client_id = ${client} and account_number like 'K-0%'`.execute(db)
  })

  test('do not lose what is chosen: leaving asks, and somebody else’s save is shown beside one’s own', async () => {
    const group = await make(kind, { number: 'G-300', name: 'Shared Group', group: true })
    await make(kind, { number: 'C-1' })
    const two = await make(kind, { number: 'C-2' })
    const page = await open(admin, { at: `${at(kind, group)}/edit` })
    const tick = async (number: string) => {
      await page.getByRole('grid').getByRole('textbox', { name: 'Filter Account Number' }).fill(number)
      await soon(() => rows(page).count()).toBe(1)
      await rowOf(page, number).getByRole('checkbox').click()
    }
    await tick('C-1')
    await page.getByRole('link', { name: 'Bills', exact: true }).last().click()
    const asked = page.getByRole('alertdialog')
    await asked.getByText('Unsaved changes').waitFor()
    await asked.getByRole('button', { name: 'Stay' }).click()
    expect(addressOf(page)).toBe(`${at(kind, group)}/edit`)

    const theirs = await app.ask(admin, 'PATCH', at(kind, group), { [kind.name]: { subaccount_ids: [two] } })
    expect(theirs.status, theirs.text).toBe(200)
    await save(page).click()
    const conflict = page.getByRole('alert', { name: 'Changed by somebody else' })
    await conflict.waitFor()
    await soon(() => conflict.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual(['None', 'C-2', 'C-1'])
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    await save(page).click()
    await page.waitForURL(`**${at(kind, group)}/subaccounts`)
    expect(await membersOf(kind, group)).toEqual(['C-1'])
    await page.getByRole('button', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: 'History' })
    await history.getByText('Subaccounts').first().waitFor()
    for (const number of ['C-1', 'C-2']) expect(await history.innerText()).toContain(number)
  })

  test('show a narrowed person their part, and keep the rest when they save', async () => {
    const group = await make(kind, { number: 'G-400', name: 'Half Hidden', group: true })
    await make(kind, { number: 'HH-NEAR', in: group })
    await make(kind, { number: 'HH-FAR', facility: store, in: group })
    await make(kind, { number: 'HH-FREE' })
    const page = await open(manager, { at: `${at(kind, group)}/subaccounts` })
    await rowOf(page, 'HH-NEAR').waitFor()
    expect(await rows(page).count()).toBe(1)
    await page.getByRole('link', { name: 'Manage', exact: true }).click()
    await soon(() => chosenLines(page).count()).toBe(1)
    await page.getByRole('grid').getByRole('textbox', { name: 'Filter Account Number' }).fill('HH-')
    await soon(() => rows(page).count()).toBe(2)
    await rowOf(page, 'HH-FREE').getByRole('checkbox').click()
    await rowOf(page, 'HH-NEAR').getByRole('checkbox').click()
    await save(page).click()
    await page.waitForURL(`**${at(kind, group)}/subaccounts`)
    expect(await membersOf(kind, group)).toEqual(['HH-FAR', 'HH-FREE'])

    const reader = await makePerson(db, 'read_only_user', { clients: [client] })
    const reading = await open(reader, { at: at(kind) })
    const menu = (await actionsOf(reading, 'Half Hidden')).getByRole('menuitem')
    expect(await menu.allInnerTexts()).toEqual(['Subaccounts', 'Bills'])
    await reading.goto(`${at(kind, group)}/subaccounts`)
    await rowOf(reading, 'HH-FAR').waitFor()
    expect(await reading.getByRole('link', { name: kind.manage }).count()).toBe(0)
  })

  test('come into being by a tick in an account’s form, and the account’s dashboard shows the group’s [GACC-RULE-002] [GSACC-RULE-002]', async () => {
    const account = await make(kind, { number: 'T-1', name: 'To Be Ticked' })
    const sub = await make(kind, { number: 'T-2', name: 'Metered' })
    const owner = kind.model === 'billable_account' ? { billable_account_id: sub } : { supply_account_id: sub }
    const service = await makeService(db, client, owner)
    const line = { service_id: service, from: '2026-01-01', to: '2026-02-01', usage: '500', utility: '50.00' }
    await addBill(db, client, { account: owner, date: '2026-02-02', current_charges: '50.00', lines: [line] })
    const page = await open(admin, { at: `/clients/${client}/${kind.model}s/${account}/edit` })
    await page.getByRole('checkbox', { name: /^Group Account/ }).check()
    await save(page).click()
    await page.waitForURL(`**/${kind.model}s`)
    await page.goto(at(kind))
    await rowOf(page, 'To Be Ticked').waitFor()
    const saved = await app.ask(admin, 'PATCH', at(kind, account), { [kind.name]: { subaccount_ids: [sub] } })
    expect(saved.status, saved.text).toBe(200)
    await page.goto(`/clients/${client}/${kind.model}s/${account}/dashboard`)
    await page.getByText('This is a group account.').waitFor()
    await page.getByRole('link', { name: 'Go to the group account' }).click()
    await page.waitForURL(`**${at(kind, account)}/dashboard`)
  })
})

test('the sidebar lists group accounts and keeps the page that is open [GACC-API-007]', async () => {
  const [one, two] = [await make(billable, { number: 'SIDE-1', group: true }), await make(billable, { number: 'SIDE-2', group: true })]
  const page = await open(admin, { at: `${at(billable, one)}/bills` })
  const aside = page.getByRole('complementary', { name: 'Records of the client' })
  await aside.getByRole('searchbox').fill('SIDE-')
  await soon(() => aside.getByRole('listitem').allInnerTexts()).toEqual(['SIDE-1', 'SIDE-2'])
  await aside.getByRole('link', { name: 'SIDE-2' }).click()
  await page.waitForURL(`**${at(billable, two)}/bills`)
})

test('the export says that it started and its file is kept [GACC-EXPORT-001]', async () => {
  const page = await open(admin, { at: at(billable) })
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({ kind: 'Done', title: 'Group Accounts export started' })
  await soon(async () => {
    const { rows: done } = await sql`select id from tasks where kind = 'csv_export' and state = 'done' and user_id = ${admin.id}`.execute(
      db,
    )
    return done.length
  }).toBe(1)
})

test.for(['dark', 'light'] as const)('the pages hold in the %s theme, with names of sixty letters, empty and full', async (theme) => {
  const long = 'The Northern and Eastern Portfolio of Harbor Foods Warehouses'
  const group = await make(billable, { number: `L-${theme}-0000000000000000000000`, name: long, group: true })
  const other = await make(billable, { number: `LO-${theme}`, name: long, group: true })
  for (let place = 0; place < 12; place++) {
    const of = place < 6 ? { in: group } : place < 8 ? { in: other } : {}
    await make(billable, { number: `L-${theme}-${place}`, name: place % 3 === 0 ? long : `Store ${place}`, active: place % 4 !== 0, ...of })
  }
  const page = await open(admin, { at: `${at(billable)}?per=50`, theme })
  await rowOf(page, `L-${theme}-0000`).waitFor()
  await lookedAt(page, `groups-list-${theme}`)
  await goInside(page, `${at(billable, group)}/subaccounts`)
  await soon(() => rows(page).count()).toBe(6)
  await lookedAt(page, `groups-subaccounts-${theme}`)
  await goInside(page, `${at(billable, group)}/edit`)
  await soon(() => chosenLines(page).count()).toBe(6)
  await page.getByRole('grid').getByRole('textbox', { name: 'Filter Account Number' }).fill(`L-${theme}`)
  await soon(() => rows(page).count()).toBe(12)
  await chosen(page).scrollIntoViewIfNeeded()
  await lookedAt(page, `groups-manage-${theme}`)
  const empty = await make(supply, { number: `E-${theme}`, group: true })
  await goInside(page, `${at(supply, empty)}/subaccounts`)
  await page.getByText('It gathers no account yet').waitFor()
  await lookedAt(page, `groups-empty-${theme}`)
})
