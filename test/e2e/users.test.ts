/** The list of users, actions on a user, and the forms of a user. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { addRole, makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { apiRequests, soon, startConsole } from './console.ts'
import { heardNotice, noticesSaid } from './notices-said.ts'
import { choose, columns, makeUser, menuOf, rowOf, rows, save } from './user-pages.ts'

const { app, db, open } = await startConsole()
let admin: Person
let harbor: number
let bay: number

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
  harbor = await makeClient(db, { name: 'Harbor Foods' })
  bay = await makeClient(db, { name: 'Bay Markets' })
})

describe('the list of users', () => {
  test('shows who may sign in, with roles and clients, by email [USER-ROUTE-001] [USER-SCREEN-001] [USER-SCREEN-002] [USER-SCREEN-003] [USER-SCREEN-004] [USER-FIELD-001] [USER-FIELD-003] [USER-TRANS-001] [USER-CONST-001]', async () => {
    const rosa = await makeUser(db, { last_name: 'Listed' })
    await addRole(db, rosa.id, 'client_manager', { clients: [harbor, bay] })
    await makeUser(db, { first_name: 'Greg', last_name: 'Listed', status: 'in_active', account_confirmed: false })
    const page = await open(admin, { at: '/users?last_name=listed' })
    await rowOf(page, 'Rosa').waitFor()
    expect(await columns(page)).toEqual([
      'Email',
      'First Name',
      'Last Name',
      'Username',
      'Title',
      'Status',
      'Confirmed',
      'Roles',
      'Clients',
      'Actions',
    ])
    const cells = (name: string) => rowOf(page, name).getByRole('gridcell').allInnerTexts()
    expect((await cells('Rosa')).slice(0, 9)).toEqual([
      rosa.email,
      'Rosa',
      'Listed',
      rosa.username,
      'Controller',
      'Active',
      'Yes',
      'Client Manager',
      'Bay Markets, Harbor Foods',
    ])
    expect((await cells('Greg')).slice(5, 7)).toEqual(['Inactive', ''])
    for (const name of ['Reset Filters', 'Export']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Add New' }).getAttribute('href')).toBe('/users/new')
    expect(await page.getByRole('columnheader', { name: /^Email/ }).getAttribute('aria-sort')).toBe('ascending')
    const emails = await rows(page).getByRole('gridcell').first().innerText()
    expect(emails).toBe(rosa.email)
  })

  test('sorts by a click on a title, and turns around by another [USER-SCREEN-006]', async () => {
    for (const last_name of ['Sorta', 'Sortb']) await makeUser(db, { last_name })
    const page = await open(admin, { at: '/users?last_name=sort' })
    await rowOf(page, 'Sorta').waitFor()
    const title = page.getByRole('columnheader', { name: /^Last Name/ })
    const names = () => rows(page).locator('[role=gridcell][aria-colindex="3"]').allInnerTexts()
    await title.getByRole('button').first().click()
    await soon(() => title.getAttribute('aria-sort')).toBe('ascending')
    await soon(names).toEqual(['Sorta', 'Sortb'])
    await title.getByRole('button').first().click()
    await soon(() => title.getAttribute('aria-sort')).toBe('descending')
    await soon(names).toEqual(['Sortb', 'Sorta'])
  })

  test('filters every text column by what it contains [USER-SCREEN-007]', async () => {
    const found = await makeUser(db, { first_name: 'Zzfirst', last_name: 'Zzlast' })
    await sql`update users set username = 'zzusername', title = 'Zztitle' where id = ${found.id}`.execute(db)
    await addRole(db, found.id, 'read_only_user', { clients: [await makeClient(db, { name: 'Zzclient' })] })
    const page = await open(admin, { at: '/users' })
    const words = {
      Email: found.email.slice(1, -1),
      'First Name': 'zfirs',
      'Last Name': 'zlas',
      Username: 'zusernam',
      Title: 'ztitl',
      Roles: 'only us',
      Clients: 'zclien',
    }
    for (const [column, word] of Object.entries(words)) {
      await page.getByRole('textbox', { name: `Filter ${column}`, exact: true }).fill(word)
      await soon(() => rows(page).count()).toBe(1)
      await rowOf(page, found.email).waitFor()
      await page.getByRole('button', { name: 'Reset Filters' }).click()
      await soon(() => rows(page).count()).toBeGreaterThan(1)
    }
  })

  test('draws a thousand people, and says when nobody fits', async () => {
    await sql`insert into users (email, username, last_name, account_confirmed) select 'many' || n || '@many.test', 'many' || n, 'Manyfold', true from generate_series(1, 1000) n`.execute(
      db,
    )
    const page = await open(admin, { at: '/users?last_name=manyfold&per=1000' })
    await page.getByText('1–1,000 of 1,000 users').waitFor()
    await page.goto('/users?last_name=nobody+of+this+name')
    await page.getByRole('main').getByText('0 users').waitFor()
    await page
      .getByRole('main')
      .getByRole('button', { name: /Clear|Reset/ })
      .first()
      .waitFor()
    await sql`delete from users where last_name = 'Manyfold'`.execute(db)
  })
})

describe('what can be done with a person', () => {
  test('stands in the row’s menu, as far as the reader may [USER-SCREEN-005] [PERM-PERM-013]', async () => {
    const rosa = await makeUser(db, { last_name: 'Menued' })
    await addRole(db, rosa.id, 'client_user', { clients: [harbor] })
    const page = await open(admin, { at: '/users?last_name=menued' })
    expect(await menuOf(page, 'Menued')).toEqual(['Edit', 'Roles', 'Delete user', 'Update Password', 'Resend password email'])
    const manager = await makePerson(db, 'client_manager', { clients: [harbor] })
    const theirs = await open(manager, { at: `/clients/${harbor}/users?last_name=menued` })
    expect(await menuOf(theirs, 'Menued')).toEqual(['Roles'])
    expect(await theirs.getByRole('link', { name: 'Add New' }).count()).toBe(0)
    await theirs.goto(`/users/${rosa.id}/edit`)
    await theirs.getByText('You have no access to this page').waitFor()
  })

  test('is refused with its reason for somebody of higher rank, and for oneself', async () => {
    const staff = await makePerson(db, 'muc_admin')
    const page = await open(staff, { at: `/users?email=${encodeURIComponent(staff.email)}` })
    await menuOf(page, staff.email)
    await page
      .getByRole('menuitem', { name: /Delete user/ })
      .getByText('You cannot delete yourself')
      .waitFor()
    await page.goto(`/users/${staff.id}/edit`)
    await page.getByText('You cannot deactivate yourself').waitFor()
    expect(await page.getByLabel('Status').isDisabled()).toBe(true)
    await page.goto(`/users/${admin.id}/edit`)
    await page.getByText('There is no such record').or(page.getByText('cannot be changed by you')).waitFor()
    expect(await page.getByRole('form').count()).toBe(0)
  })

  test('deleting asks first, and takes the row out [USER-TRANS-004]', async () => {
    const { id } = await makeUser(db, { last_name: 'Leaving' })
    const page = await open(admin, { at: '/users?last_name=leaving' })
    await menuOf(page, 'Leaving')
    await choose(page, 'Delete user')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Do you want to delete this record? This action cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await sql`select id from users where id = ${id}`.execute(db)).rows).toHaveLength(1)
    await menuOf(page, 'Leaving')
    await choose(page, 'Delete user')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await rowOf(page, 'Leaving').waitFor({ state: 'detached' })
    expect((await sql`select id from users where id = ${id}`.execute(db)).rows).toEqual([])
  })

  test('a mail goes out again, whether the account is confirmed or not [USER-TRANS-003] [USER-TRANS-005] [USER-MSG-001]', async () => {
    const unconfirmed = await makeUser(db, { last_name: 'Mailed', account_confirmed: false })
    const confirmed = await makeUser(db, { last_name: 'Mailed' })
    const page = await open(admin, { at: '/users?last_name=mailed' })
    const sent = apiRequests(page)
    for (const [at, { id, email }] of [unconfirmed, confirmed].entries()) {
      await menuOf(page, email)
      await choose(page, 'Resend password email')
      expect(await heardNotice(page, at)).toMatchObject({ kind: 'Done', title: 'Password reset email sent' })
      expect(sent).toContain(`GET /users/${id}/resend_confirmation_email`)
    }
  })

  test('exports and the access report start, and say so [USER-MSG-002] [USER-EXPORT-001]', async () => {
    await makeUser(db, { last_name: 'Exported' })
    const page = await open(admin, { at: '/users?last_name=exported' })
    await rows(page).first().waitFor()
    const sent = apiRequests(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    expect(await heardNotice(page)).toMatchObject({ kind: 'Done', title: 'Users export started' })
    const asked = sent.find((one) => one.startsWith('GET /users/export_csv?')) ?? ''
    expect(asked).toMatch(/connection_id=[\w-]+/)
    expect(asked).toContain('q[last_name]=exported')
    await page.getByRole('button', { name: 'Access Report' }).click()
    await soon(async () => (await noticesSaid(page)).filter(({ kind }) => kind === 'Done').length).toBeGreaterThan(1)
    await soon(() => sent.filter((one) => one.startsWith('GET /users/access_report?connection_id=')).length).toBe(1)
  })
})

describe('the form of a user', () => {
  test('needs email and username alone, and leads to the roles [USER-ROUTE-002] [USER-ROUTE-005] [USER-RULE-001] [USER-RULE-002]', async () => {
    const page = await open(admin, { at: '/users' })
    await page.getByRole('link', { name: 'Add New' }).click()
    await page.getByRole('heading', { name: 'New Form' }).waitFor()
    await save(page)
    for (const message of ['Email is required', 'Username is required']) await page.getByText(message, { exact: true }).waitFor()
    expect(await page.getByText(/is required$/).count()).toBe(2)
    await page.getByLabel('Email *', { exact: true }).fill('not an address')
    await page.getByLabel('Username *', { exact: true }).fill('newcomer')
    await save(page)
    await page.getByText('Email must be an email address').waitFor()
    await page.getByLabel('Email *', { exact: true }).fill('newcomer@people.test')
    await save(page)
    await page.waitForURL(/\/users\/\d+\/roles$/)
    await page.getByText('newcomer@people.test has no role yet').waitFor()
    await page.getByText('Without a role a person can sign in but sees nothing.').waitFor()
    await page.getByRole('link', { name: 'Add a role' }).click()
    await page.waitForURL(/\/users\/\d+\/roles\/new$/)
    const { rows: made } = await sql`select status, account_confirmed, first_name from users where username = 'newcomer'`.execute(db)
    expect(made).toEqual([{ status: 'active', account_confirmed: false, first_name: null }])
  })

  test('says what is taken already at its field', async () => {
    const there = await makeUser(db)
    const page = await open(admin, { at: '/users/new' })
    await page.getByLabel('Email *', { exact: true }).fill(there.email.toUpperCase())
    await page.getByLabel('Username *', { exact: true }).fill('free.name')
    await save(page)
    await page.getByRole('alert').getByText('Email is taken already').first().waitFor()
    expect(await page.getByLabel('Email *', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true)
  })

  test('changes a person and their status, and shows what somebody else changed meanwhile [USER-ROUTE-003] [USER-TRANS-001]', async () => {
    const { id } = await makeUser(db, { last_name: 'Changing' })
    const page = await open(admin, { at: `/users/${id}/edit` })
    await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
    await page.getByLabel('Status').selectOption({ label: 'Inactive' })
    await app.ask(admin, 'PATCH', `/users/${id}`, { user: { title: 'Chief', status: 'active' } })
    await page.getByLabel('Title').fill('Deputy')
    await save(page)
    const conflict = page.getByRole('alert', { name: 'Changed by somebody else' })
    await conflict.getByRole('row', { name: /Title/ }).getByText('Chief').waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    await save(page)
    await page.waitForURL('**/users')
    expect((await sql`select title, status from users where id = ${id}`.execute(db)).rows).toEqual([
      { title: 'Deputy', status: 'in_active' },
    ])
  })

  test('of a password needs both fields, hides what is typed, and keeps nothing of it in the browser [USER-ROUTE-004] [USER-RULE-003] [USER-FIELD-002]', async () => {
    const somebody = await makePerson(db, 'client_user', { clients: [harbor] })
    const page = await open(admin, { at: `/users/${somebody.id}/edit/password` })
    await page.getByRole('heading', { name: 'Update Password' }).waitFor()
    const [one, two] = [page.getByLabel('Password *', { exact: true }), page.getByLabel('Password Confirmation *', { exact: true })]
    await save(page)
    for (const message of ['Password is required', 'Password Confirmation is required'])
      await page.getByText(message, { exact: true }).waitFor()
    expect(await one.getAttribute('type')).toBe('password')
    await one.fill('meter readings at noon 7')
    await two.fill('meter readings at noon 8')
    await save(page)
    await page.getByText('Password and password confirmation must match.').first().waitFor()
    await page.waitForTimeout(600)
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain('meter readings')
    await page.getByRole('button', { name: 'Show Password', exact: true }).click()
    expect(await one.getAttribute('type')).toBe('text')
    await two.fill('meter readings at noon 7')
    await save(page)
    await page.waitForURL('**/users')
    expect((await app.ask(somebody, 'GET', '/users/profile')).status).toBe(401)
    const signedIn = await app.ask(null, 'POST', '/auth/sign_in', { email: somebody.email, password: 'meter readings at noon 7' })
    expect(signedIn.status).toBe(200)
  })
})

test('a person is made and given a role by the keyboard alone', async () => {
  const page = await open(admin, { at: '/users' })
  await rows(page).first().waitFor()
  const tabTo = async (name: string | RegExp, role: 'link' | 'textbox' | 'combobox' | 'button') => {
    const target = page.getByRole(role, { name }).first()
    await target.waitFor()
    for (let stops = 0; stops < 80; stops++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${String(name)}`)
  }
  await tabTo('Add New', 'link')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New Form' }).waitFor()
  await tabTo(/^Email/, 'textbox')
  await page.keyboard.type('keys@people.test')
  await tabTo(/^Username/, 'textbox')
  await page.keyboard.type('keys.only')
  await page.keyboard.press('Control+Enter')
  await tabTo('Add a role', 'link')
  await page.keyboard.press('Enter')
  await tabTo(/^Role/, 'combobox')
  await page.keyboard.type('Client Adm')
  await tabTo('Clients', 'combobox')
  await page.keyboard.type('Harbor')
  await page.getByRole('option', { name: /Harbor Foods/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Client Admin in Harbor Foods').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/users\/\d+\/roles$/)
  await rowOf(page, 'Client Admin').waitFor()
})
