/** The roles of a user: the fields of each role, over all clients and inside one. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { addRole, makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { noticesSaid } from './notices-said.ts'
import { choose, columns, makeUser, menuOf, rowOf, rows, save } from './user-pages.ts'

const { db, open } = await startConsole()
let admin: Person
let harbor: number
let bay: number
let dock: number

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  harbor = await makeClient(db, { name: 'Harbor Foods' })
  bay = await makeClient(db, { name: 'Bay Markets' })
  const division = await makeDivision(db, harbor, { name: 'East Division' })
  dock = await makeFacility(db, harbor, division, { name: 'Dock Four' })
  await makeBillableAccount(db, harbor, dock, await makeVendor(db), { account_number: '5501-77' })
  await makeSupplyAccount(db, harbor, dock, { account_number: '8802-11' })
  await sql`insert into channel_partners (name) values ('Gulf Energy')`.execute(db)
})

const chooseRole = (page: Page, label: string) => page.getByLabel('Role *', { exact: true }).selectOption({ label })
const pick = async (page: Page, field: string, word: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).fill(word)
  await page
    .getByRole('option', { name: new RegExp(word) })
    .first()
    .click()
}
const fields = (page: Page) =>
  page
    .getByRole('form')
    .getByRole('combobox')
    .evaluateAll((all) =>
      all.map((one) =>
        one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? (one.labels?.[0]?.textContent ?? '').replace(' *', '') : '',
      ),
    )
const stored = async (userId: number) => {
  const { rows: found } = await sql<{ role: string; clients: string[]; facilities: string[] }>`select roles.name as role,
      array(select clients.name from user_role_clients held join clients on clients.id = held.client_id where held.user_role_id = user_roles.id order by 1) as clients,
      array(select facilities.name from user_role_facilities held join facilities on facilities.id = held.facility_id where held.user_role_id = user_roles.id) as facilities
    from user_roles join roles on roles.id = user_roles.role_id where user_id = ${userId} order by user_roles.id`.execute(db)
  return found
}

describe('the roles of a person', () => {
  test('are listed with client and scope, said in words, changed and taken away [ROLE-ROUTE-002] [ROLE-SCREEN-001] [ROLE-MSG-001] [ROLE-MSG-002] [ROLE-FIELD-001]', async () => {
    const { id } = await makeUser(db, { last_name: 'Roled' })
    await addRole(db, id, 'client_user', { clients: [harbor], facility: [[harbor, dock]] })
    const page = await open(admin, { at: `/users/${id}/roles` })
    await rowOf(page, 'Client User').waitFor()
    expect(await columns(page)).toEqual(['Role', 'Client', 'Scope', 'Actions'])
    expect((await rowOf(page, 'Client User').getByRole('gridcell').allInnerTexts()).slice(0, 3)).toEqual([
      'Client User',
      'Harbor Foods',
      'Facilities: Dock Four',
    ])
    const meaning = page.getByRole('region', { name: 'What these roles mean' })
    await meaning.getByText('Client User in Harbor Foods, only in the facility Dock Four and what lies below').waitFor()
    await meaning.getByText('All rights of this role').click()
    await meaning
      .getByRole('row', { name: /^Bills/ })
      .getByText('yes')
      .first()
      .waitFor()
    expect(
      await meaning
        .getByRole('row', { name: /^Client batches/ })
        .getByText('yes')
        .count(),
    ).toBe(0)
    expect(await menuOf(page, 'Client User')).toEqual(['Edit', 'Delete'])
    await choose(page, 'Edit')
    await page.waitForURL(/\/roles\/\d+\/edit$/)
    await page.getByRole('button', { name: 'Remove Dock Four' }).click()
    await save(page)
    await page.waitForURL(`**/users/${id}/roles`)
    await rowOf(page, 'Whole').waitFor()
    expect(await stored(id)).toEqual([{ role: 'client_user', clients: ['Harbor Foods'], facilities: [] }])
    await menuOf(page, 'Client User')
    await choose(page, 'Delete')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Are you sure you want to delete this user role?').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Rosa Roled has no role yet').waitFor()
    expect((await noticesSaid(page)).at(-1)).toMatchObject({ kind: 'Done', title: 'User role deleted' })
    expect(await stored(id)).toEqual([])
  })

  test('are offered as four, with three more under a heading, and none above one’s own [ROLE-RULE-001] [ROLE-RULE-006]', async () => {
    const { id } = await makeUser(db)
    const page = await open(admin, { at: `/users/${id}/roles/new` })
    const select = page.getByLabel('Role *', { exact: true })
    await select.waitFor()
    expect(await select.locator('> option').allInnerTexts()).toEqual([
      'Choose a role',
      'Super Admin',
      'MUC Admin',
      'Client Admin',
      'Client Manager',
    ])
    expect(await select.locator('optgroup').getAttribute('label')).toBe('More roles')
    expect(await select.locator('optgroup > option').allInnerTexts()).toEqual(['Channel Partner Admin', 'Client User', 'Read Only User'])
    const own = await makePerson(db, 'client_admin', { clients: [harbor] })
    const theirs = await makeUser(db)
    await sql`update users set created_by = ${own.id} where id = ${theirs.id}`.execute(db)
    const narrow = await open(own, { at: `/clients/${harbor}/users/${theirs.id}/roles/new` })
    await narrow.getByLabel('Role *', { exact: true }).waitFor()
    expect(await narrow.getByLabel('Role *', { exact: true }).locator('option').allInnerTexts()).toEqual([
      'Choose a role',
      'Client Admin',
      'Client Manager',
      'Client User',
      'Read Only User',
    ])
  })

  test('ask for a client, for several, for a partner, or for parts of a client, by the role [ROLE-ROUTE-001] [ROLE-RULE-002] [ROLE-RULE-003] [ROLE-RULE-004] [ROLE-RULE-005] [ROLE-RULE-007] [ROLE-RULE-008]', async () => {
    const { id } = await makeUser(db)
    const page = await open(admin, { at: `/users/${id}/roles/new` })
    await save(page)
    await page.getByText('Role is required', { exact: true }).waitFor()
    for (const role of ['Client Manager', 'Client Admin', 'Client User', 'Read Only User']) {
      await chooseRole(page, role)
      await save(page)
      await page.getByText('Client is required', { exact: true }).waitFor()
    }
    await chooseRole(page, 'Channel Partner Admin')
    await save(page)
    await page.getByText('Channel Partner is required', { exact: true }).waitFor()
    expect(await page.getByText('Client is required').count()).toBe(0)
    const parts = ['Divisions', 'Facilities', 'Billable Accounts', 'Supply Accounts']
    const asked: Readonly<Record<string, readonly string[]>> = {
      'Super Admin': ['Role', 'Clients'],
      'Client Admin': ['Role', 'Clients'],
      'Client Manager': ['Role', 'Clients'],
      'MUC Admin': ['Role', 'Clients', ...parts],
      'Client User': ['Role', 'Client', ...parts],
      'Read Only User': ['Role', 'Client', ...parts],
    }
    await chooseRole(page, 'Client Manager')
    await pick(page, 'Clients', 'Harbor Foods')
    for (const [role, expected] of Object.entries(asked)) {
      await chooseRole(page, role)
      await soon(() => fields(page)).toEqual(expected)
    }
    await chooseRole(page, 'Channel Partner Admin')
    await soon(() => fields(page)).toEqual(['Role', 'Channel Partner'])
  })

  test('grant several clients to a manager, and say what they will be able to do before it is saved', async () => {
    const { id } = await makeUser(db)
    const page = await open(admin, { at: `/users/${id}/roles/new` })
    await chooseRole(page, 'Client Manager')
    await pick(page, 'Clients', 'Harbor Foods')
    await pick(page, 'Clients', 'Bay Markets')
    await page.getByText('Client Manager in Harbor Foods and Bay Markets').waitFor()
    await page.getByText(/may create, change and delete reports; create and change divisions/).waitFor()
    await save(page)
    await page.waitForURL(`**/users/${id}/roles`)
    expect(await stored(id)).toEqual([{ role: 'client_manager', clients: ['Bay Markets', 'Harbor Foods'], facilities: [] }])
  })

  test('narrow to what is looked up inside the client, by name and by account number', async () => {
    const { id } = await makeUser(db)
    const page = await open(admin, { at: `/users/${id}/roles/new` })
    await chooseRole(page, 'Read Only User')
    await page.getByText('Choose a client first: a role is narrowed inside its clients.').waitFor()
    await pick(page, 'Client', 'Harbor Foods')
    await pick(page, 'Facilities', 'Dock Four')
    await pick(page, 'Billable Accounts', '5501-77')
    await pick(page, 'Supply Accounts', '8802-11')
    await page.getByText(/only in the facility Dock Four, the billable account 5501-77 and the supply account 8802-11/).waitFor()
    await save(page)
    await page.waitForURL(`**/users/${id}/roles`)
    await rowOf(page, 'Facilities: Dock Four · Billable accounts: 5501-77 · Supply accounts: 8802-11').waitFor()
  })

  test('that another client replaces take their parts along', async () => {
    const { id } = await makeUser(db)
    const page = await open(admin, { at: `/users/${id}/roles/new` })
    await chooseRole(page, 'Client User')
    await pick(page, 'Client', 'Harbor Foods')
    await pick(page, 'Divisions', 'East Division')
    await page.getByRole('button', { name: 'Clear' }).first().click()
    await pick(page, 'Client', 'Bay Markets')
    expect(await page.getByText('East Division').count()).toBe(0)
    await save(page)
    await page.waitForURL(`**/users/${id}/roles`)
    expect(await stored(id)).toEqual([{ role: 'client_user', clients: ['Bay Markets'], facilities: [] }])
  })
})

describe('inside a client', () => {
  test('the same list holds that client’s people, and their pages stay in the client [CLIENT-ROUTE-005] [CLIENT-ROUTE-006] [CLIENT-ROUTE-007] [USER-SCREEN-008]', async () => {
    const mine = await makeUser(db, { last_name: 'Inside' })
    await addRole(db, mine.id, 'client_manager', { clients: [harbor] })
    const other = await makeUser(db, { last_name: 'Inside', first_name: 'Otto' })
    await addRole(db, other.id, 'client_manager', { clients: [bay] })
    const page = await open(admin, { at: `/clients/${harbor}/users?last_name=inside` })
    await rowOf(page, mine.email).waitFor()
    expect(await rows(page).count()).toBe(1)
    const scoped = await columns(page)
    expect(scoped).toHaveLength(10)
    await page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Users' }).waitFor()
    await rowOf(page, mine.email).getByRole('link', { name: mine.email }).click()
    await page.waitForURL(`**/clients/${harbor}/users/${mine.id}/edit`)
    await page.getByRole('form').getByLabel('Title').fill('Buyer')
    await save(page)
    await page.waitForURL(`**/clients/${harbor}/users?last_name=inside`)
    await page.goto(`/clients/${harbor}/users/${mine.id}/roles`)
    await rowOf(page, 'Client Manager').waitFor()
    expect(addressOf(page)).toBe(`/clients/${harbor}/users/${mine.id}/roles`)
    await page.goto('/users')
    await rows(page).first().waitFor()
    expect(await columns(page)).toEqual(scoped)
  })

  test('a role is one of this client without choosing it [CLIENT-ROUTE-008] [CLIENT-ROUTE-009] [ROLE-RULE-003]', async () => {
    const owner = await makePerson(db, 'client_admin', { clients: [harbor] })
    const page = await open(owner, { at: `/clients/${harbor}/users` })
    await page.getByRole('link', { name: 'Add New' }).click()
    await page.waitForURL(`**/clients/${harbor}/users/new`)
    await page.getByLabel('Email *', { exact: true }).fill('invited@people.test')
    await page.getByLabel('Username *', { exact: true }).fill('invited')
    await save(page)
    await page.waitForURL(/\/clients\/\d+\/users\/\d+\/roles$/)
    await page.getByRole('link', { name: 'Add a role' }).click()
    await chooseRole(page, 'Client User')
    await page.getByText('The role is one of Harbor Foods.').waitFor()
    expect(await page.getByRole('combobox', { name: 'Client', exact: true }).isDisabled()).toBe(true)
    await pick(page, 'Facilities', 'Dock Four')
    await save(page)
    await page.waitForURL(/\/clients\/\d+\/users\/\d+\/roles$/)
    const { rows: made } = await sql<{ id: number }>`select id from users where username = 'invited'`.execute(db)
    const id = made[0]?.id ?? 0
    expect(await stored(id)).toEqual([{ role: 'client_user', clients: ['Harbor Foods'], facilities: ['Dock Four'] }])
    await rowOf(page, 'Client User').getByRole('link', { name: 'Client User' }).click()
    await page.waitForURL(new RegExp(`/clients/${harbor}/users/${id}/roles/\\d+/edit$`))
    await chooseRole(page, 'Client Manager')
    await save(page)
    await page.waitForURL(`**/clients/${harbor}/users/${id}/roles`)
    expect(await stored(id)).toEqual([{ role: 'client_manager', clients: ['Harbor Foods'], facilities: [] }])
  })

  test('somebody who may not read users finds neither tab nor page', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [harbor] })
    const page = await open(reader, { at: `/clients/${harbor}/dashboard` })
    await page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Dashboard' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.goto(`/clients/${harbor}/users`)
    await page.getByText('You have no access to this page').waitFor()
  })
})
