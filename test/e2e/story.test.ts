/**
 * The story of access, as in an office: a partner, a client, its administrator, a user who may see one facility, mails that are really sent, and
 * finally the role that is removed. Everything the last user must not see contains one word, and no response may contain it.
 */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../support/estate.ts'
import { startPostbox } from '../support/smtp.ts'
import { soon, startConsole, storedCredentials } from './console.ts'
import { tinyPng } from './tiny-png.ts'

const MINUTE = 60_000
/** Part of the name of everything that the narrowed user must not see. */
const HIDDEN = 'Zqhidden'
const password = 'meters turn at midnight 42'

const postbox = await startPostbox()
const { app, db, url, open } = await startConsole({ SMTP_URL: postbox.url })
let admin: Person
const ids = { client: 0, facility: 0, hiddenFacility: 0, hiddenClient: 0, hiddenAccount: 0, hiddenDivision: 0, hiddenSupply: 0 }

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
})

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const rowOf = (page: Page, text: string) =>
  page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row').filter({ hasText: text })
const idOf = async (table: string, column: string, value: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)
  return rows[0]?.id ?? 0
}

async function addLogo(page: Page, name: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer: tinyPng })
  await page.getByText(name).waitFor()
  await soon(() => page.getByText('Uploading…').count()).toBe(0)
}

async function pick(page: Page, label: string, word: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(word)
  await page
    .getByRole('option', { name: new RegExp(word) })
    .first()
    .click()
  await page.keyboard.press('Escape')
}

/** Invites a user from the open list of users, with a role whose scope is filled in. */
async function invite(page: Page, email: string, role: string, scope: () => Promise<void>): Promise<void> {
  await page.getByRole('link', { name: 'Add New' }).click()
  await field(page, 'Email *').fill(email)
  await field(page, 'Username *').fill(email.split('@')[0] ?? email)
  await save(page)
  await page.waitForURL(/\/users\/\d+\/roles$/)
  await page.getByRole('link', { name: 'Add a role' }).click()
  await field(page, 'Role *').selectOption({ label: role })
  await scope()
  await save(page)
  await page.waitForURL(/\/users\/\d+\/roles$/)
  await rowOf(page, role).waitFor()
}

const linkIn = (text: string): string => {
  const address = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
  return address.pathname + address.search
}

/** Opens the mailed links in the user's own window: confirms, sets a password, signs in. */
async function accept(email: string): Promise<Page> {
  const page = await open(null)
  await page.goto(linkIn((await postbox.mailTo(email, /confirm/i)).text))
  await page.getByText(/account has been confirmed/).waitFor()
  await field(page, 'Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.goto(linkIn((await postbox.mailTo(email, /reset_password/)).text))
  await field(page, 'Password').fill(password)
  await field(page, 'Password confirmation').fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL('**/login')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(/\/clients\/\d+\//)
  return page
}

test(
  'a super admin sets up partner, client and administrator; the administrator invites somebody who sees one facility and nothing else, until the role is taken away',
  { timeout: 6 * MINUTE },
  async () => {
    const desk = await open(admin, { at: '/channel_partners/new' })
    await box(desk, 'Name').fill('Prairie Partners')
    await addLogo(desk, 'prairie.png')
    await save(desk)
    await desk.waitForURL('**/channel_partners')

    await desk.goto('/clients/new')
    await desk.locator('input[name=name]').fill('Prairie Foods')
    await box(desk, 'Short Code').fill('PRAIRIE')
    await box(desk, 'Identifier').fill('P-1')
    await desk.getByLabel('Channel Partner').selectOption({ label: 'Prairie Partners' })
    for (const [at, name] of ['North', 'South'].entries()) {
      await desk.getByRole('button', { name: /^Add/ }).click()
      await desk
        .getByLabel(/^Batch Group Name/)
        .nth(at)
        .fill(name)
    }
    await addLogo(desk, 'foods.png')
    await save(desk)
    await desk.waitForURL('**/clients')
    ids.client = await idOf('clients', 'short_code', 'PRAIRIE')
    expect(await (await app.ask(admin, 'GET', `/clients/${ids.client}`)).body['client']).toMatchObject({
      filename: 'foods.png',
      batch_groups: [{ name: 'North' }, { name: 'South' }],
    })
    await desk.goto(`/clients/${ids.client}/subscriptions`)
    await desk.getByLabel('User Management').check()
    await save(desk)
    await soon(async () => (await sql`select user_management from clients where id = ${ids.client}`.execute(db)).rows).toEqual([
      { user_management: true },
    ])
    await makeWorld()

    await desk.goto('/users')
    await invite(desk, 'amy@prairie.test', 'Client Admin', () => pick(desk, 'Clients', 'Prairie Foods'))

    const amy = await accept('amy@prairie.test')
    expect(new URL(amy.url()).pathname).toContain(`/clients/${ids.client}/`)
    await amy.getByRole('link', { name: 'Users', exact: true }).click()
    await amy.waitForURL(`**/clients/${ids.client}/users`)
    await invite(amy, 'cal@prairie.test', 'Client User', () => pick(amy, 'Facilities', 'Dock Four'))

    const cal = await accept('cal@prairie.test')
    await seesOneFacility(cal)
    await asksEverything(await credentialsOf(cal))

    const calId = await idOf('users', 'email', 'cal@prairie.test')
    await desk.goto(`/users/${calId}/roles`)
    await rowOf(desk, 'Client User')
      .getByRole('button', { name: /^Actions/ })
      .click()
    await desk.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await desk.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await desk.getByText(/has no role yet/).waitFor()
    // The open window is notified automatically; a request sent anyway is refused.
    const credentials = await credentialsOf(cal)
    expect((await fetch(`${url}/api/v5/clients/${ids.client}/facilities`, { headers: credentials })).status).toBe(404)
    await soon(() => cal.getByRole('main').getByText('Dock Four').count()).toBe(0)
    await cal.goto(`/clients/${ids.client}/facilities`)
    await cal
      .getByText(/There is no such|no access|Please select a client/)
      .first()
      .waitFor()

    await desk.goto('/settings/audit_log')
    const trail = desk.getByRole('table', { name: 'Audit Log' })
    await trail.getByRole('row').filter({ hasText: 'amy@prairie.test' }).first().waitFor()
    const { rows: done } = await sql<{
      email: string
      event: string
      item_type: string
    }>`select users.email, event, item_type from audit_records
      join users on users.id = audit_records.user_id where users.email in ('amy@prairie.test', 'cal@prairie.test') order by audit_records.id`.execute(
      db,
    )
    expect(done).toEqual(
      expect.arrayContaining([
        { email: 'amy@prairie.test', event: 'login', item_type: 'user' },
        { email: 'amy@prairie.test', event: 'create', item_type: 'user' },
        { email: 'amy@prairie.test', event: 'create', item_type: 'user_role' },
        { email: 'cal@prairie.test', event: 'login', item_type: 'user' },
      ]),
    )
  },
)

/** Makes the client's records, and others around it: all but one facility is hidden from the last user. */
async function makeWorld(): Promise<void> {
  const vendor = await makeVendor(db, { name: 'City Power' })
  const division = await makeDivision(db, ids.client, { name: 'East Division' })
  ids.facility = await makeFacility(db, ids.client, division, { name: 'Dock Four' })
  await makeBillableAccount(db, ids.client, ids.facility, vendor, { name: 'Dock power', account_number: '5501-77' })
  ids.hiddenDivision = await makeDivision(db, ids.client, { name: `${HIDDEN} Division` })
  ids.hiddenFacility = await makeFacility(db, ids.client, ids.hiddenDivision, { name: `${HIDDEN} Facility` })
  ids.hiddenAccount = await makeBillableAccount(db, ids.client, ids.hiddenFacility, vendor, {
    name: `${HIDDEN} account`,
    account_number: `${HIDDEN}-1`,
  })
  ids.hiddenSupply = await makeSupplyAccount(db, ids.client, ids.hiddenFacility, {
    name: `${HIDDEN} supply`,
    account_number: `${HIDDEN}-2`,
  })
  ids.hiddenClient = await makeClient(db, { name: `${HIDDEN} Client` })
  const there = await makeFacility(db, ids.hiddenClient, await makeDivision(db, ids.hiddenClient, { name: `${HIDDEN} far` }), {
    name: `${HIDDEN} far away`,
  })
  await makeBillableAccount(db, ids.hiddenClient, there, vendor, { name: `${HIDDEN} far account`, account_number: `${HIDDEN}-3` })
  await sql`insert into users (email, username, first_name, last_name) values (${`${HIDDEN}@prairie.test`}, ${HIDDEN}, ${HIDDEN}, ${HIDDEN})`.execute(
    db,
  )
  await sql`insert into user_roles (user_id, role_id) select users.id, roles.id from users, roles where username = ${HIDDEN} and roles.name = 'muc_admin'`.execute(
    db,
  )
  for (const path of [`/clients/${ids.client}/facilities/${ids.hiddenFacility}`, `/clients/${ids.client}/divisions/${ids.hiddenDivision}`])
    await app.ask(
      admin,
      'PATCH',
      path,
      path.includes('facilities')
        ? { facility: { name: `${HIDDEN} Facility, renamed` } }
        : { division: { name: `${HIDDEN} Division, renamed` } },
    )
}

async function seesOneFacility(page: Page): Promise<void> {
  const at = `/clients/${ids.client}`
  await page.goto(`${at}/facilities`)
  await page.getByText('1–1 of 1 facilities').waitFor()
  await page.getByRole('main').getByText('Dock Four').first().waitFor()
  expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  for (const path of [
    'billable_accounts',
    'divisions',
    'bills',
    'dashboard',
    `facilities/${ids.facility}/dashboard`,
    'documents',
    `facilities/${ids.facility}/documents`,
  ]) {
    await page.goto(`${at}/${path}`)
    await page.getByRole('main').waitFor()
    await soon(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
    expect(await page.locator('body').innerText(), path).not.toContain(HIDDEN)
  }
  for (const path of [
    `${at}/facilities/${ids.hiddenFacility}/dashboard`,
    `${at}/billable_accounts/${ids.hiddenAccount}/edit`,
    `/clients/${ids.hiddenClient}/dashboard`,
  ]) {
    await page.goto(path)
    await page
      .getByText(/There is no such|no access|Please select a client/)
      .first()
      .waitFor()
    expect(await page.locator('body').innerText(), path).not.toContain(HIDDEN)
  }
  await page.goto('/users')
  await page.getByText('You have no access to this page').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(HIDDEN)
  await page.waitForTimeout(1_500)
  expect(await page.getByRole('dialog').getByRole('option').filter({ hasText: HIDDEN, hasNotText: 'Search accounts for' }).count()).toBe(0)
  await page.goto(`${at}/facilities`)
  await page.getByRole('main').getByText('Dock Four').first().waitFor()
}

async function credentialsOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const [token, client, uid] = await storedCredentials(page)
  return { 'access-token': token ?? '', client: client ?? '', uid: uid ?? '' }
}

/** Sends every reading call, with the user's own client and with every hidden record: no response contains the word. */
async function asksEverything(headers: Readonly<Record<string, string>>): Promise<void> {
  const hidden: Readonly<Record<string, number>> = {
    divisions: ids.hiddenDivision,
    facilities: ids.hiddenFacility,
    billable_accounts: ids.hiddenAccount,
    supply_accounts: ids.hiddenSupply,
    clients: ids.hiddenClient,
    users: await idOf('users', 'username', HIDDEN),
  }
  const reading = calls.filter((call) => call.method === 'GET' && call.replyKind === 'json' && call.effect === 'read')
  expect(reading.length).toBeGreaterThan(60)
  let answers = 0
  for (const call of reading)
    for (const client of [ids.client, ids.hiddenClient]) {
      const path = call.path
        .replace(':client_id', String(client))
        .replaceAll(/(\w+)\/:(\w+)/g, (_, part: string) => `${part}/${hidden[part] ?? 1}`)
      for (const search of ['', `?search_term=${HIDDEN}`, `?q[name]=${HIDDEN}`, `?q=${HIDDEN}`, `?client_id=${ids.hiddenClient}`]) {
        const answer = await fetch(`${url}/api/v5${path}${search}`, { headers })
        const text = await answer.text()
        answers += answer.ok ? 1 : 0
        // A refusal may repeat the request; nothing else may contain the word.
        if (answer.ok) expect(text, `${path}${search}`).not.toContain(HIDDEN)
        expect(answer.status, `${path}${search}`).toBeLessThan(500)
      }
    }
  expect(answers).toBeGreaterThan(50)
}
