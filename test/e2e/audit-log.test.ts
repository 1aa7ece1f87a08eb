/** The audit log and the history of records in the built console. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../support/estate.ts'
import { addressOf, soon, startConsole } from './console.ts'
import { lookedAt } from './looked-at.ts'

const { app, db, open } = await startConsole()
const MINUTE = 60_000
let staff: Person
let partner: Person
const ids = { client: 0, division: 0, facility: 0, account: 0, supply: 0 }

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await sql`insert into channel_partners (id, name) overriding system value values (1, 'Gulf Energy Partners')`.execute(db)
  ids.client = await makeClient(db, { name: 'Harbor Foods', channel_partner_id: 1 })
  ids.division = await makeDivision(db, ids.client, { name: 'North' })
  ids.facility = await makeFacility(db, ids.client, ids.division, { name: 'Plant' })
  ids.account = await makeBillableAccount(db, ids.client, ids.facility, await makeVendor(db), { account_number: '7700-1' })
  ids.supply = await makeSupplyAccount(db, ids.client, ids.facility, { account_number: '8800-1' })
  partner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: 1 })
  const at = `/clients/${ids.client}`
  await app.ask(staff, 'PATCH', `${at}/divisions/${ids.division}`, { division: { name: 'North East' } })
  await app.ask(partner, 'PATCH', `${at}/facilities/${ids.facility}`, {
    facility: { name: 'Plant at the harbor with a name of sixty characters in all, so' },
  })
  await app.ask(staff, 'PATCH', `${at}/billable_accounts/${ids.account}`, { billable_account: { name: 'Main power' } })
  await sql`insert into audit_records (client_id, event, item_type, item_id, object_changes, created_at)
    select ${ids.client}, 'update', 'supply_account', ${ids.supply}, jsonb_build_object('name', jsonb_build_object('from', 'Supply ' || n, 'to', 'Supply ' || n + 1)),
      '2026-01-10T12:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(1, 12) n`.execute(db)
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, ip_address) values (0, ${staff.id}, 'login', 'user', ${staff.id}, '192.0.2.7')`.execute(
    db,
  )
})

const table = (page: Page) => page.getByRole('table', { name: 'Audit Log' })
const lines = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.locator('time') })
/** Chooses in a picker by typing: it sends a request after a pause. */
async function pick(page: Page, label: string, term: string, option: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.click()
  await field.fill(term)
  await page.getByRole('option', { name: option }).click()
}

describe('the audit log', () => {
  test(
    'shows ten versions a page with event, item type, user, address, time and the changed fields from and to, and is what /settings opens [SET-ROUTE-005] [AUDIT-SCREEN-001] [AUDIT-CONST-001] [AUDIT-FIELD-001] [AUDIT-FIELD-002] [AUDIT-CONST-002]',
    { timeout: MINUTE },
    async () => {
      const page = await open(staff, { at: '/settings' })
      await soon(() => lines(page).count()).toBe(10)
      expect(addressOf(page)).toBe('/settings/audit_log')
      expect(await table(page).getByRole('columnheader').allInnerTexts()).toEqual([
        'Show changes',
        'Time',
        'Event',
        'Item Type',
        'Item',
        'Client',
        'User',
        'IP Address',
        'Changed Fields',
      ])
      const login = lines(page).first()
      expect(await login.innerText()).toMatch(/Login\s+User\s/)
      for (const text of [staff.email, '192.0.2.7']) expect(await login.innerText()).toContain(text)
      const changed = lines(page).nth(1)
      expect(await changed.innerText()).toMatch(/\d\d\/\d\d\/\d{4} \d+:\d\d (AM|PM)/)
      for (const text of ['Update', 'Billable Account', '7700-1', 'Harbor Foods', staff.email, '127.0.0.1', 'Name'])
        expect(await changed.innerText()).toContain(text)
      expect(await lines(page).last().innerText()).toContain('System')
      await changed.getByRole('button', { name: 'Show changes' }).press('Enter')
      const inside = table(page).getByRole('table')
      expect(await inside.getByRole('columnheader').allInnerTexts()).toEqual(['Field', 'From', 'To'])
      expect(await inside.getByRole('row').last().innerText()).toMatch(/Name\s+Account\s+Main power/)
      await lookedAt(page, 'audit-open-dark')
      await page.getByRole('button', { name: 'Next page' }).click()
      await soon(() => addressOf(page)).toBe('/settings/audit_log?page=2')
      await soon(() => lines(page).count()).toBe(6)
    },
  )

  test(
    'is filtered by people, days, client, division, facility and accounts, by field and value, and keeps all of it in its address [AUDIT-SCREEN-002] [AUDIT-API-003]',
    { timeout: 2 * MINUTE },
    async () => {
      const page = await open(staff, { at: '/settings/audit_log', timezoneId: 'Asia/Tokyo' })
      await soon(() => lines(page).count()).toBe(10)
      await pick(page, 'Users', partner.email.slice(0, 24), partner.email)
      await soon(() => lines(page).count()).toBe(1)
      expect(addressOf(page)).toBe(`/settings/audit_log?users=${partner.id}`)
      await page.reload()
      await soon(() => lines(page).count()).toBe(1)
      await page.getByRole('button', { name: `Remove ${partner.email}` }).waitFor()
      await page.getByRole('button', { name: 'Reset Filters' }).click()
      await soon(() => addressOf(page)).toBe('/settings/audit_log')

      await page.getByLabel('From', { exact: true }).fill('01/10/2026')
      await page.getByLabel('From', { exact: true }).press('Tab')
      await page.getByLabel('To', { exact: true }).fill('1/10/2026')
      await page.getByLabel('To', { exact: true }).press('Enter')
      await soon(() => addressOf(page)).toBe('/settings/audit_log?from=2026-01-10&to=2026-01-10')
      await soon(() => page.getByRole('navigation', { name: 'Pages' }).innerText()).toContain('12')
      await lookedAt(page, 'audit-days-dark')
      await page.getByLabel('Old or New Value').fill('Supply 13')
      await soon(() => lines(page).count()).toBe(1)
      await page.getByRole('button', { name: 'Reset Filters' }).click()
      await soon(() => lines(page).count()).toBe(10)

      expect(await page.getByRole('combobox', { name: 'Division' }).isDisabled(), 'a client comes first').toBe(true)
      await pick(page, 'Client', 'Harbor', 'Harbor Foods')
      await soon(() => addressOf(page)).toContain(`client_id=${ids.client}`)
      await pick(page, 'Division', 'North', 'North East')
      await soon(() => page.getByRole('navigation', { name: 'Pages' }).innerText()).toContain('of 15')
      await pick(page, 'Facility', 'Plant', 'Plant at the harbor')
      await soon(() => page.getByRole('navigation', { name: 'Pages' }).innerText()).toContain('of 14')
      await pick(page, 'Supply Account', '8800', '8800-1')
      await soon(() => page.getByRole('navigation', { name: 'Pages' }).innerText()).toContain('of 12')
      await page.getByRole('combobox', { name: 'Supply Account' }).locator('xpath=..').getByRole('button', { name: 'Clear' }).click()
      await pick(page, 'Billable Account', '7700', '7700-1')
      await soon(() => lines(page).count()).toBe(1)
      await page.getByLabel('Changed Field').fill('nothing')
      await page.getByText('Nothing fits these filters').waitFor()
      await lookedAt(page, 'audit-nothing-dark')
    },
  )

  test('is exported with its filters, and the file comes to the bell and the jobs [AUDIT-EXPORT-001]', { timeout: MINUTE }, async () => {
    const page = await open(staff, {
      at: `/settings/audit_log?client_id=${ids.client}&key=name&from=2026-01-10&to=2026-01-10`,
      theme: 'light',
    })
    await soon(() => lines(page).count()).toBe(10)
    await page.getByRole('button', { name: 'Show Changes', exact: true }).click()
    await lookedAt(page, 'audit-open-light')
    const asked = page.waitForRequest(/audit_log\/export_csv/)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const query = new URL((await asked).url()).searchParams
    expect(query.get('f')).toBe('b')
    expect([query.get('client_id'), query.get('key'), query.get('from')]).toEqual([String(ids.client), 'name', '2026-01-10'])
    await page.getByRole('button', { name: /^Jobs/ }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Audit Log export' }).click()
    expect((await download).suggestedFilename()).toMatch(/^audit_log_\d{8}_\d{4}\.csv$/)
    await lookedAt(page, 'jobs-light')
  })

  test('a partner’s administrator reads what happened in their clients, and no sign-in of others', { timeout: MINUTE }, async () => {
    const page = await open(partner, { at: '/settings/audit_log?per=100' })
    await soon(() => lines(page).count()).toBe(15)
    expect(await table(page).innerText()).not.toContain('Login')
  })
})

test(
  'the security log lists events newest first, is filtered, and opens from the users for an administrator of a client, with theirs alone',
  { timeout: MINUTE },
  async () => {
    const other = await makeClient(db)
    const victim = await makePerson(db, 'client_user', { clients: [ids.client] })
    const foreigner = await makePerson(db, 'client_user', { clients: [other] })
    for (const { email } of [victim, foreigner]) await app.ask(null, 'POST', '/auth/sign_in', { email, password: 'wrong' })
    await app.ask(partner, 'GET', `/clients/${ids.client}/bills/export_csv`)
    await app.app.securityEvents.flush()
    const failed = (page: Page, who?: Person) =>
      page
        .getByRole('grid', { name: 'Security Log' })
        .getByRole('row')
        .filter({ has: page.locator('time'), hasText: 'Sign-in failed' })
        .filter({ hasText: who?.email.split('@')[0] ?? '' })
    const page = await open(staff, { at: '/settings/security_log' })
    for (const who of [victim, foreigner]) await failed(page, who).waitFor()
    await page.getByRole('row').filter({ hasText: 'Export started' }).filter({ hasText: 'Harbor Foods' }).waitFor()
    await lookedAt(page, 'security-log-dark')
    const filtered = await open(staff, { at: `/settings/security_log?person_cont=${victim.email.split('@')[0]}` })
    await failed(filtered, victim).waitFor()
    await soon(() => failed(filtered).count()).toBe(1)
    const admin = await makePerson(db, 'client_admin', { clients: [ids.client] })
    const theirs = await open(admin, { at: `/clients/${ids.client}/users`, theme: 'light' })
    await theirs.getByRole('link', { name: 'Security Log' }).press('Enter')
    await failed(theirs, victim).waitFor()
    expect(await failed(theirs).count()).toBe(1)
    await lookedAt(theirs, 'security-log-of-client-light')
  },
)

describe('the history of a record', () => {
  test('opens beside the record by the keyboard, says who changed what, and gives the focus back', { timeout: MINUTE }, async () => {
    const page = await open(staff, { at: `/clients/${ids.client}/facilities/${ids.facility}/dashboard` })
    const button = page.getByRole('button', { name: 'History' })
    await button.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'History' })
    await soon(() => drawer.getByRole('listitem').count()).toBe(1)
    expect(await drawer.getByRole('listitem').innerText()).toMatch(/changed it.*Name\s+Plant\s+Plant at the harbor/s)
    await lookedAt(page, 'history-dark')
    await page.keyboard.press('Escape')
    await soon(() => drawer.count()).toBe(0)
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('stands on every form too, and pages back', { timeout: MINUTE }, async () => {
    const { body } = await app.ask(staff, 'POST', '/units', { unit: { symbol: 'hh', description: 'Start' } })
    for (let count = 1; count <= 12; count++)
      await app.ask(staff, 'PATCH', `/units/${String(body['id'])}`, { unit: { description: `Word ${count}` } })
    const page = await open(staff, { at: `/settings/units/${String(body['id'])}/edit`, theme: 'light' })
    await page.getByRole('button', { name: 'History' }).click()
    const drawer = page.getByRole('dialog', { name: 'History' })
    await soon(() => drawer.getByRole('listitem').count()).toBe(10)
    await drawer.getByRole('button', { name: 'Show 3 older' }).click()
    await soon(() => drawer.getByRole('listitem').count()).toBe(13)
    expect(await drawer.getByRole('listitem').last().innerText()).toContain('created it')
    await lookedAt(page, 'history-light')
  })

  test('of a person tells of their roles, by name and with what they reach', { timeout: MINUTE }, async () => {
    const person = await makePerson(db, null)
    const { rows } = await sql<{ id: number }>`select id from roles where name = 'client_admin'`.execute(db)
    const role = { role_id: rows[0]?.id, client_ids: [ids.client] }
    expect((await app.ask(staff, 'POST', `/users/${person.id}/user_roles`, { user_role: role })).status).toBe(200)
    const page = await open(staff, { at: `/users/${person.id}/edit` })
    await page.getByRole('button', { name: 'History' }).click()
    const version = page.getByRole('dialog', { name: 'History' }).getByRole('listitem')
    await soon(() => version.count()).toBe(1)
    expect(await version.innerText()).toMatch(/created the user role Client Admin.*Clients\s+Harbor Foods/s)
    await lookedAt(page, 'history-of-roles')
  })
})
