/**
 * Opens every address of the router's table in both themes. `SCREENSHOTS=folder` keeps a picture of each built page, drawn over the
 * demonstration data; it is for looking at, not for comparing.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { refreshFacts } from '../../src/server/dashboard/facts.ts'
import { makeDemoData } from '../../src/server/demo/demo.ts'
import { laterRoutes } from '../../src/web/later/later-routes.ts'
import { pageRoutes, redirects } from '../../src/web/routes.ts'
import { makePerson, type Person } from '../support/app.ts'
import { makeAccount, makeGround, makeSupplyAccount } from '../support/bills.ts'
import { makeLedgerAccount, makeService } from '../support/estate.ts'
import { addBill } from '../support/fact-bills.ts'
import { addressOf, soon, startConsole } from './console.ts'

const { app, db, open } = await startConsole()
const pictures = process.env['SCREENSHOTS']
const MINUTE = 60_000
/** Page, menus and lists have come to rest when the API was asked for nothing during this time (ms). */
const REST_MS = 60
/** The rules that look at colours. */
const ofColours = ['color-contrast', 'link-in-text-block']
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const broken = /This page broke|There is no such (page|record)|could not be loaded|You have no access|The console has been updated/
const built = pageRoutes.filter((page) => !laterRoutes.includes(page) && !page.bare).map((page) => page.path)
/** In windows of their own, without the header that the walk goes by. */
const bare = pageRoutes.filter((page) => page.bare).map((page) => page.path)
const later = pageRoutes.filter((page) => laterRoutes.includes(page)).map((page) => page.path)
let admin: Person
let address: (path: string) => string

beforeAll(async () => {
  if (pictures) await makeDemoEstate()
  else await makeSmallEstate()
  await makeWebhook()
  admin = await makePerson(db, 'super_admin')
  await sql`insert into mails (to_address, subject, text_body, state) values (${admin.email}, 'Set a new Meterbook password', 'Hello', 'sent')`.execute(
    db,
  )
  address = await addresses()
}, 3 * MINUTE)

/** The demonstration data, with what it leaves out and an address names: a group of supply accounts, and the pages behind subscriptions. */
async function makeDemoEstate(): Promise<void> {
  await makeDemoData({ database: app.database, services: app.app.services, log: app.app.services.log })
  await sql`update clients set user_management = true, utility_payment_management = true, accounting_batch_management = true, ledger_account_management = true`.execute(
    db,
  )
  const { rows } = await sql<{ clientId: number; facilityId: number; vendorId: number }>`
    select client_id as "clientId", facility_id as "facilityId", vendor_id as "vendorId" from supply_accounts
    order by not exists (select from billable_accounts where client_id = supply_accounts.client_id and is_group_account), id limit 1`.execute(
    db,
  )
  if (rows[0])
    await sql`update supply_accounts set is_group_account = true where id = ${await makeSupplyAccount(db, rows[0], '8800-2')}`.execute(db)
}

/** One of everything that an address names. */
async function makeSmallEstate(): Promise<void> {
  const ground = await makeGround(db)
  await sql`update clients set name = 'Harbor Foods', user_management = true, utility_payment_management = true, accounting_batch_management = true,
    ledger_account_management = true where id = ${ground.clientId}`.execute(db)
  await makeAccount(db, ground, '7700-1', { group: true })
  await makeService(db, ground.clientId, { supply_account_id: await makeSupplyAccount(db, ground, '8800-1') })
  await sql`update supply_accounts set is_group_account = true where id = ${await makeSupplyAccount(db, ground, '8800-2')}`.execute(db)
  const ledgerAccountId = await makeLedgerAccount(db, ground.clientId, '6100 Power')
  await sql`with field as (insert into ledger_fields (client_id, name, description, "order") values (${ground.clientId}, 'Cost Center', 'Division', 1) returning id)
    insert into ledger_account_fields (client_id, ledger_account_id, ledger_field_id, value)
    select ${ground.clientId}, ${ledgerAccountId}, id, '100' from field`.execute(db)
  await makePerson(db, 'client_user', { clients: [ground.clientId] })
  await sql`insert into vendor_bank_changes (vendor_id, changed, account_holder, requested_by) values (${ground.vendorId}, '{account_holder}', 'Harbor Power', 1)`.execute(
    db,
  )
  await sql`insert into client_vendor_numbers (client_id, vendor_id, vendor_number) values (${ground.clientId}, ${ground.vendorId}, '4711')`.execute(
    db,
  )
  await sql`insert into bill_documents (client_id, name, on_client) values (${ground.clientId}, 'January bills', true)`.execute(db)
  await sql`with partner as (insert into channel_partners (name) values ('Gulf Energy Partners') returning id)
    update clients set channel_partner_id = partner.id from partner where clients.id = ${ground.clientId}`.execute(db)
  await sql`insert into production_units (name) values ('Visitors')`.execute(db)
  await sql`insert into cost_parameters (name) values ('Weather')`.execute(db)
  await addBill(db, ground.clientId, {
    account: { billable_account_id: ground.accountId },
    date: '2026-02-01',
    current_charges: '1590.00',
    lines: [
      { from: '2026-01-01', to: '2026-02-01', service_id: ground.electricId, utility: '1500.00', usage: '1000' },
      { from: '2026-01-01', to: '2026-02-01', service_id: ground.gasId, utility: '90.00', usage: '10' },
    ],
  })
  await refreshFacts(db, ground.clientId, [ground.electricId, ground.gasId])
}

/** Switched off, so that nothing is sent anywhere, with one delivery that is over. */
async function makeWebhook(): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`insert into webhooks (name, url, active, all_events) values ('Ledger', 'https://ledger.example.com/hooks', false, true) returning id`.execute(
    db,
  )
  await sql`insert into webhook_deliveries (webhook_id, event_id, event, body, state, attempts, last_status, last_duration_ms)
    values (${rows[0]?.id}, 'evt_1_1', 'bill.created', '{"id":"evt_1_1","type":"bill.created"}', 'delivered', 1, 200, 84)`.execute(db)
}

/** Fills in an address with records that there are; what only pages of later issues name is 1. */
async function addresses(): Promise<(path: string) => string> {
  const { rows } = await sql<Record<string, number>>`with bill as (
      select bills.client_id, bills.id, bills.billable_account_id, facilities.id as facility_id, facilities.division_id from bills
      join billable_accounts on billable_accounts.client_id = bills.client_id and billable_accounts.id = bills.billable_account_id
      join facilities on facilities.client_id = bills.client_id and facilities.id = billable_accounts.facility_id
      where exists (select from supply_accounts where client_id = bills.client_id)
      order by not exists (select from billable_accounts where client_id = bills.client_id and is_group_account),
        not exists (select from supply_accounts where client_id = bills.client_id and is_group_account),
        billable_accounts.is_group_account, bills.id limit 1)
    select client_id, id as bill_id, billable_account_id, facility_id, division_id,
      (select min(id) from bills other where other.client_id = bill.client_id and other.id <> bill.id) as other_bill_id,
      (select min(id) from services where client_id = bill.client_id and billable_account_id = bill.billable_account_id) as service_id,
      (select min(id) from supply_accounts where client_id = bill.client_id and not is_group_account) as supply_account_id,
      (select min(id) from services where client_id = bill.client_id and supply_account_id = (select min(id) from supply_accounts
        where client_id = bill.client_id and not is_group_account)) as supply_service_id,
      (select min(id) from billable_accounts where client_id = bill.client_id and is_group_account) as group_account_id,
      (select min(id) from supply_accounts where client_id = bill.client_id and is_group_account) as group_supply_account_id,
      (select id from utility_services where code = 'electric') as utility_service_id,
      (select min(user_role_id) from user_role_clients where client_id = bill.client_id) as role_id,
      (select user_id from user_roles where id = (select min(user_role_id) from user_role_clients where client_id = bill.client_id)) as user_id,
      (select min(id) from client_vendor_numbers where client_id = bill.client_id) as client_vendor_number_id,
      (select min(id) from ledger_fields where client_id = bill.client_id) as ledger_field_id,
      (select min(id) from ledger_accounts where client_id = bill.client_id) as ledger_account_id,
      (select min(id) from bill_documents where client_id = bill.client_id) as bill_document_id,
      (select min(id) from channel_partners) as channel_partner_id,
      (select min(id) from webhooks) as webhook_id, (select min(id) from webhook_deliveries) as delivery_id
    from bill`.execute(db)
  const documentId = await keptDocument(rows[0]?.['client_id'] ?? 1)
  const scanId = await waitingScan(rows[0]?.['client_id'] ?? 1)
  const lists = [
    'vendors',
    'payment_methods',
    'utility_services',
    'units',
    'production_units',
    'facility_types',
    'cost_parameters',
    'vendor_bank_changes',
    'mails',
    'webhooks',
  ]
  const first = new Map<string, number>()
  for (const list of lists) {
    const found = await sql<{ id: number }>`select min(id) as id from ${sql.table(list)}`.execute(db)
    first.set(list, found.rows[0]?.id ?? 1)
  }
  const known = rows[0] ?? {}
  return (path) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const list = lists.find((one) => path.includes(`/${one}/:id`))
      if (name === 'document_id') return String(documentId)
      if (name === 'bill_scan_id') return String(scanId)
      if (name === 'service_id' && path.includes('/supply_accounts/')) return String(known['supply_service_id'] ?? 1)
      return String(known[name] ?? first.get(list ?? '') ?? (name === 'type' ? 'NP' : 1))
    })
}

/** A document of the client; its form opens at every level's address. */
async function keptDocument(clientId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`with file as (
      insert into files (key, filename, content_type, byte_size, state) values ('uploads/route/document', 'lease.pdf', 'application/pdf', 3, 'attached') returning id)
    insert into documents (client_id, title, file_id, on_client) select ${clientId}, 'Lease', id, true from file returning id`.execute(db)
  return rows[0]?.id ?? 1
}

/** A document of the inbox that was read and cannot be divided, since it has one page. */
async function waitingScan(clientId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`with file as (
      insert into files (key, filename, content_type, byte_size, state) values ('uploads/route/scan', 'bill.pdf', 'application/pdf', 3, 'attached') returning id)
    insert into bill_scans (client_id, file_id, filename, state, pages) select ${clientId}, id, 'bill.pdf', 'read', 1 from file returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 1
}

interface Walk {
  readonly page: Page
  /** What was complained of, each with the address that it was complained of at. */
  readonly complaints: string[]
  /** Goes there as a link does, without loading the console anew, and waits until it has come to rest. */
  go(path: string): Promise<void>
}

async function walk(): Promise<Walk> {
  const page = await open(admin, { theme: 'dark', mayComplain: true, at: '/landing' })
  const complaints: string[] = []
  const asked = new Set<object>()
  let last = Date.now()
  let here = '/landing'
  page.on('pageerror', (error) => complaints.push(`${here}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(`${here}: ${message.text()}`)
  })
  page.on('request', (request) => !/\/live\?/.test(request.url()) && asked.add(request))
  const end = (request: object) => {
    asked.delete(request)
    last = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  await page.getByRole('banner').getByRole('link', { name: 'Advanced Search' }).waitFor()
  return {
    page,
    complaints,
    async go(path) {
      here = path
      last = Date.now()
      await page.evaluate((href) => history.pushState({}, '', href), path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await soon(() => asked.size === 0 && Date.now() - last > REST_MS).toBe(true)
      await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
    },
  }
}

/** What axe finds against WCAG 2.2 A and AA, or by the rules named, one line each. Its code stays in the page, which is never loaded anew. */
async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? builder.withRules([...rules]) : builder.withTags(wcag)).analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

async function picture(page: Page, theme: string, path: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${path.replaceAll(/[/:]+/g, '-').slice(1) || 'home'}.${theme}.png`) })
}

/** Shows the page in this theme by what the styles go by; the switch itself is tested with the shell. */
async function wear(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name
    document.body.dataset['theme'] = name
  }, theme)
}

// Every rule is asked in dark. A theme changes colours and nothing else, so that in light the rules that look at colours are asked.
test(
  'every built page opens, in dark and in light: nothing broken, no script error, no broken content policy, nothing for axe [SHELL-RULE-004]',
  async () => {
    const { page, complaints, go } = await walk()
    const found: string[] = []
    for (const path of built) {
      await go(address(path))
      const text = await page.getByRole('main').innerText()
      if (broken.test(text)) found.push(`${path}: ${broken.exec(text)?.[0]}`)
      expect(await page.evaluate(() => document.body.dataset['theme'])).toBe('dark')
      found.push(...(await axe(page)).map((one) => `${path} in dark: ${one}`))
      await picture(page, 'dark', path)
      await wear(page, 'light')
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
      found.push(...(await axe(page, ofColours)).map((one) => `${path} in light: ${one}`))
      await picture(page, 'light', path)
      await wear(page, 'dark')
    }
    expect([...found, ...complaints]).toEqual([])
  },
  5 * MINUTE,
)

test(
  'every address of a later page says that it is kept for it, without script error and with nothing for axe in dark and in light',
  async () => {
    const { page, complaints, go } = await walk()
    const found: string[] = []
    for (const path of later) {
      await go(address(path))
      const text = await page.getByRole('main').innerText()
      if (!text.includes('This page is not there yet') || !text.includes(address(path))) found.push(`${path}: ${text.slice(0, 80)}`)
    }
    // They are one component: what holds for the last of them holds for all.
    found.push(...(await axe(page)))
    await wear(page, 'light')
    found.push(...(await axe(page, ofColours)))
    expect([...found, ...complaints]).toEqual([])
  },
  5 * MINUTE,
)

test('a page of a window of its own opens there, in dark and in light, with nothing for axe', async () => {
  for (const path of bare) {
    const page = await open(admin, { at: address(path) })
    await page.getByRole('main').waitFor()
    expect(broken.test(await page.getByRole('main').innerText())).toBe(false)
    expect(await axe(page), path).toEqual([])
    await wear(page, 'light')
    expect(await axe(page, ['color-contrast']), path).toEqual([])
  }
})

test('every address answers the console when it is opened by itself, and an old one leads on', async () => {
  const page = await open(admin, { at: '/landing' })
  const wrong: string[] = []
  for (const path of [...built, ...bare, ...later]) {
    const answer = await page.request.get(address(path))
    if (answer.status() !== 200 || !answer.headers()['content-type']?.startsWith('text/html')) wrong.push(`${answer.status()} ${path}`)
  }
  expect(wrong).toEqual([])
  for (const { from, to } of redirects) {
    await page.evaluate((href) => history.pushState({}, '', href), address(from))
    await soon(() => addressOf(page)).toBe(address(to))
  }
})

test('an address that is none says so, and leads home', async () => {
  const page = await open(admin, { at: '/no/such/page' })
  await page.getByRole('main').getByRole('heading', { name: 'There is no such page' }).waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/')
})
