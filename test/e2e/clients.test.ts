/** Clients in the console beyond the walk through the hierarchy: every field of the form, the logo, subscriptions, rights. */
import { sql } from 'kysely'
import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeAccount, makeGround } from '../support/bills.ts'
import { makeClient } from '../support/estate.ts'
import { addBill } from '../support/fact-bills.ts'
import { apiRequests, soon, startConsole } from './console.ts'
import { heardNotice, noticesSaid } from './notices-said.ts'
import { tinyPng } from './tiny-png.ts'

const { app, db, open } = await startConsole()
let admin: Person

beforeAll(async () => {
  admin = await makePerson(db, 'super_admin')
})

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const menuOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu').last()
}
const box = (page: Page, label: string) => page.getByRole('textbox', { name: label })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const stored = async (id: number) => (await app.ask(admin, 'GET', `/clients/${id}`)).body['client']
const idOf = async (shortCode: string) => {
  const { rows: found } = await sql<{ id: number }>`select id from clients where short_code = ${shortCode}`.execute(db)
  return found[0]?.id ?? 0
}
/** Returns the next body sent to this call. */
const bodyOf = async (page: Page, method: string, path: RegExp, act: () => Promise<void>): Promise<unknown> => {
  const coming = page.waitForRequest((request: Request) => request.method() === method && path.test(new URL(request.url()).pathname))
  await act()
  return (await coming).postDataJSON()
}

test('the form saves every field of a client and shows it again [CLIENT-RULE-001] [CLIENT-FIELD-001] [CLIENT-FIELD-002] [CLIENT-CONST-003] [CLIENT-SCREEN-011] [CLIENT-SCREEN-014]', async () => {
  const { rows: partners } = await sql<{ id: number }>`insert into channel_partners (name) values ('Gulf Partners') returning id`.execute(
    db,
  )
  const page = await open(admin, { at: '/clients/new' })
  await save(page)
  for (const message of ['Name is required', 'Short Code is required', 'Identifier is required'])
    await page.getByText(message, { exact: true }).waitFor()
  await page.locator('input[name=name]').fill('Every Field')
  await box(page, 'Short Code').fill('EVERY')
  await box(page, 'Identifier').fill('E-1')
  await page.getByLabel('Channel Partner').selectOption({ label: 'Gulf Partners' })
  await box(page, 'Notes').fill('Calls on Mondays')
  expect(await box(page, 'Bills Due On').inputValue()).toBe('Upon Receipt')
  await box(page, 'Bills Due On').fill('')
  await save(page)
  await page.waitForURL('**/clients')
  const id = await idOf('EVERY')
  const partner = partners[0]?.id
  const row = {
    name: 'Every Field',
    identifier: 'E-1',
    active: true,
    channel_partner_id: partner,
    notes: 'Calls on Mondays',
    bills_due_on: 'Upon Receipt',
  }
  expect(await stored(id)).toMatchObject(row)
  await page.goto(`/clients/${id}/edit`)
  await soon(() => box(page, 'Bills Due On').inputValue()).toBe('Upon Receipt')
  await soon(() => page.getByLabel('Channel Partner').inputValue()).toBe(String(partner))
  expect(await box(page, 'Notes').inputValue()).toBe('Calls on Mondays')
  await box(page, 'Bills Due On').fill('Net 30')
  await save(page)
  await page.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ ...row, bills_due_on: 'Net 30' })
})

test('batch groups are renamed by their id and removed by a flag; those left alone keep theirs [CLIENT-FIELD-004] [CLIENT-FIELD-005] [CLIENT-RULE-002] [CLIENT-MSG-001]', async () => {
  const id = await makeClient(db, { name: 'Grouped' })
  await sql`insert into batch_groups (client_id, name) values (${id}, 'East'), (${id}, 'North'), (${id}, 'South')`.execute(db)
  const before = await stored(id)
  const page = await open(admin, { at: `/clients/${id}/edit` })
  const names = page.getByLabel(/^Batch Group Name/)
  await soon(() => names.count()).toBe(3)
  expect(await names.nth(1).inputValue()).toBe('North')
  await names.nth(0).fill('')
  await save(page)
  await page.getByText('Missing Batch Group Name', { exact: true }).waitFor()
  await names.nth(0).fill('Far East')
  await page.getByRole('button', { name: 'Remove Batch Groups 2' }).click()
  const sent = await bodyOf(page, 'PATCH', new RegExp(`/clients/${id}$`), () => save(page))
  await page.waitForURL('**/clients')
  const groups = (row: unknown) =>
    typeof row === 'object' && row !== null && 'batch_groups' in row && Array.isArray(row.batch_groups) ? row.batch_groups : []
  const ids = groups(before).map((group: { id: number }) => group.id)
  expect(sent).toMatchObject({
    client: { batch_groups_attributes: expect.arrayContaining([expect.objectContaining({ id: ids[1], _destroy: true })]) },
  })
  expect(groups(await stored(id))).toEqual([
    { id: ids[0], name: 'Far East' },
    { id: ids[2], name: 'South' },
  ])
})

test('one logo goes straight to the store by the Active Storage client, is saved by its signed id, shown, replaced and removed [CLIENT-FIELD-003] [CLIENT-RULE-003] [CLIENT-API-012] [CLIENT-API-013] [CLIENT-SCREEN-007]', async () => {
  const id = await makeClient(db, { name: 'Pictured' })
  const page = await open(admin, { at: `/clients/${id}/edit` })
  const input = page.locator('input[type=file]')
  await input.waitFor({ state: 'attached' })
  expect(await input.getAttribute('multiple')).toBeNull()
  const sent = apiRequests(page)
  await input.setInputFiles({ name: 'first.png', mimeType: 'image/png', buffer: tinyPng })
  await page.getByText('first.png').waitFor()
  await soon(() =>
    sent.filter((line) => /direct_upload|uploads\//.test(line)).map((line) => line.replace(/\/[^/]+\.[^/]+$/, '/…')),
  ).toEqual(['GET /direct_upload_url', 'POST /direct_uploads/…', 'PUT /uploads/…'])
  await soon(() => page.getByText('Uploading…').count()).toBe(0)
  const body = await bodyOf(page, 'PATCH', new RegExp(`/clients/${id}$`), () => save(page))
  expect(body).toMatchObject({ client: { logo: expect.stringMatching(/^[\w-]+\.[\w-]+$/) } })
  await page.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ filename: 'first.png', file_url: expect.stringContaining('/api/v5/files/') })
  const downloading = page.waitForEvent('download')
  await rowOf(page, 'Pictured').getByRole('link', { name: 'first.png' }).click()
  expect((await downloading).suggestedFilename()).toBe('first.png')
  await page.goto(`/clients/${id}/edit`)
  await page.getByRole('img', { name: 'first.png' }).waitFor()
  await input.setInputFiles({ name: 'second.png', mimeType: 'image/png', buffer: tinyPng })
  await page.getByText('second.png').waitFor()
  await soon(() => page.getByText('Uploading…').count()).toBe(0)
  await save(page)
  await page.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ filename: 'second.png' })
  await page.goto(`/clients/${id}/edit`)
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await save(page)
  await page.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ filename: null, file_url: null })
})

test('a save during the upload waits to be repeated, so that the logo is not lost', async () => {
  const id = await makeClient(db, { name: 'Hurried' })
  const page = await open(admin, { at: `/clients/${id}/edit` })
  const { promise: gate, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('**/api/v5/uploads/*', async (route) => {
    await gate
    await route.continue()
  })
  await page.locator('input[type=file]').setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer: tinyPng })
  await page.getByText('Uploading…').waitFor()
  await save(page)
  await page.getByText('The logo is still being uploaded. Please save again in a moment.').waitFor()
  letThrough()
  await page.getByText('The logo is still being uploaded').waitFor({ state: 'detached' })
  await save(page)
  await page.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ filename: 'slow.png' })
})

test('a file that is no picture is refused at the logo, and nothing is saved [CLIENT-RULE-003]', async () => {
  const id = await makeClient(db, { name: 'Unpictured' })
  const page = await open(admin, { at: `/clients/${id}/edit`, mayComplain: true })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') })
  await page.locator('[data-field=logo]').getByRole('alert').waitFor()
  expect(await stored(id)).toMatchObject({ filename: null })
})

test('a client is deactivated and activated by its form, and the list says which it is [CLIENT-TRANS-001] [CLIENT-SCREEN-006]', async () => {
  const id = await makeClient(db, { name: 'Switching' })
  const page = await open(admin, { at: `/clients/${id}/edit` })
  for (const [state, active] of [
    ['Deactivated', false],
    ['Active', true],
  ] as const) {
    await page.getByLabel('Active').setChecked(active)
    await save(page)
    await page.waitForURL('**/clients')
    await page.goto('/clients?name=Switching')
    await rowOf(page, 'Switching').getByText(state, { exact: true }).waitFor()
    expect(await stored(id)).toMatchObject({ active })
    await page.goto(`/clients/${id}/edit`)
  }
})

test('clients are sorted by name; Export delivers their file, and Import opens the import of clients [CLIENT-CONST-002] [CLIENT-SCREEN-010]', async () => {
  for (const name of ['Order C', 'Order A', 'Order B']) await makeClient(db, { name })
  const page = await open(admin, { at: '/clients?name=Order+' })
  await rowOf(page, 'Order C').waitFor()
  expect((await rows(page).allInnerTexts()).map((text) => /Order \w/.exec(text)?.[0])).toEqual(['Order A', 'Order B', 'Order C'])
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({ title: 'Clients export started' })
  await soon(async () => {
    const { rows: done } = await sql`select id from tasks where kind = 'csv_export' and state = 'done' and user_id = ${admin.id}`.execute(
      db,
    )
    return done.length
  }).toBe(1)
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.waitForURL('**/clients/import')
  await page.getByRole('heading', { name: 'Import Clients' }).waitFor()
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
})

test('an opened client has its tabs by what it subscribed to and by what the reader may [CLIENT-SCREEN-002] [CLIENT-SCREEN-003] [CLIENT-SCREEN-004]', async () => {
  const id = await makeClient(db)
  const tabs = async (who: Person) => {
    const page = await open(who, { at: `/clients/${id}/dashboard` })
    const links = page.getByRole('navigation', { name: 'Client', exact: true }).getByRole('link')
    await links.last().waitFor()
    return links.evaluateAll((all) => all.map((one) => `${one.textContent} ${one.getAttribute('href')}`))
  }
  const at = (page: string) => `/clients/${id}/${page}`
  const today = `Today ${at('home')}`
  const ends = [`Dashboard ${at('dashboard')}`, `Documents ${at('documents')}`]
  expect(await tabs(admin)).toEqual([
    ends[0],
    `Users ${at('users')}`,
    `Subscriptions ${at('subscriptions')}`,
    ends[1],
    `Audits ${at('audits')}`,
    today,
  ])
  // The subscription is on, but a client_user may not read users.
  expect(await tabs(await makePerson(db, 'client_user', { clients: [id] }))).toEqual([...ends, today])
  // May read users, but the client has no subscription for them.
  expect(await tabs(await makePerson(db, 'client_manager', { clients: [id] }))).toEqual([ends[0], `Users ${at('users')}`, ends[1], today])
  await sql`update clients set user_management = false where id = ${id}`.execute(db)
  expect(await tabs(await makePerson(db, 'client_manager', { clients: [id] }))).toEqual([...ends, today])
})

test('what is subscribed to shows in the menu at once, without a reload [CLIENT-SCREEN-012] [CLIENT-SCREEN-013] [CLIENT-FIELD-006] [CLIENT-FIELD-008]', async () => {
  const id = await makeClient(db)
  await sql`update clients set utility_payment_management = false, accounting_batch_management = false, ledger_account_management = false where id = ${id}`.execute(
    db,
  )
  const page = await open(admin, { at: `/clients/${id}/subscriptions` })
  const main = page.getByRole('navigation', { name: 'Main' })
  await page.getByLabel('Ledger Account Management').check()
  expect(await main.getByText('Financials').count()).toBe(0)
  await save(page)
  await main.getByRole('button', { name: 'Financials' }).click()
  await soon(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Ledger Fields', 'Ledger Accounts'])
  await page.keyboard.press('Escape')
  await page.getByLabel('Client Batch Management').check()
  await page.getByLabel('Utility Payment Management').check()
  await save(page)
  await main.getByRole('button', { name: 'Financials' }).click()
  await soon(() => page.getByRole('menuitem').allInnerTexts()).toEqual([
    'Client Batches',
    'Vendor Batches',
    'Ledger Fields',
    'Ledger Accounts',
  ])
  expect(await stored(id)).toMatchObject({
    user_management: true,
    utility_payment_management: true,
    accounting_batch_management: true,
    ledger_account_management: true,
  })
})

test('the provider’s staff chooses the retrieval service of a client; a partner’s administrator is not asked', async () => {
  const { rows: partners } = await sql<{ id: number }>`insert into channel_partners (name) values ('Chooser') returning id`.execute(db)
  const partnerId = partners[0]?.id ?? 0
  const id = await makeClient(db, { name: 'Fetched', channel_partner_id: partnerId })
  const page = await open(admin, { at: `/clients/${id}/edit` })
  const service = page.getByLabel('Retrieval Service')
  await soon(async () => (await service.locator('option').allInnerTexts()).length).toBe(2)
  await service.selectOption({ index: 1 })
  await save(page)
  await page.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ retrieval_provider: 'sandbox' })
  await page.goto(`/clients/${id}/edit`)
  await soon(() => service.inputValue()).toBe('sandbox')
  const partner = await open(await makePerson(db, 'channel_partner_admin', { channel_partner_id: partnerId }), {
    at: `/clients/${id}/edit`,
  })
  await box(partner, 'Notes').fill('Seen by the partner')
  expect(await partner.getByLabel('Retrieval Service').count()).toBe(0)
  expect(await partner.getByLabel('Channel Partner').isDisabled()).toBe(true)
  await save(partner)
  await partner.waitForURL('**/clients')
  expect(await stored(id)).toMatchObject({ notes: 'Seen by the partner', retrieval_provider: 'sandbox', channel_partner_id: partnerId })
})

test('who may not create clients has no Add New, and nobody is offered to delete one [CLIENT-PERM-001]', async () => {
  const id = await makeClient(db, { name: 'Ruled' })
  const page = await open(admin, { at: '/clients?name=Ruled' })
  await page.getByRole('link', { name: 'Add New' }).waitFor()
  expect(await (await menuOf(page, 'Ruled')).getByRole('menuitem').allInnerTexts()).toEqual([
    'Edit Client',
    'Vendor Numbers',
    'Scope to Client',
  ])
  const own = await open(await makePerson(db, 'client_admin', { clients: [id] }), { at: '/clients' })
  await rowOf(own, 'Ruled').waitFor()
  expect(await own.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  expect(await (await menuOf(own, 'Ruled')).getByRole('menuitem').allInnerTexts()).toEqual(['Vendor Numbers', 'Scope to Client'])
  await own.goto('/clients/new')
  await own.getByText('You have no access to this page').waitFor()
})

test('the bills of a client stand at its address, and no others [CLIENT-ROUTE-014]', async () => {
  const numbers: string[] = []
  const grounds = [await makeGround(db), await makeGround(db)]
  for (const ground of grounds) {
    const number = `88${ground.clientId}-7`
    numbers.push(number)
    const account = await makeAccount(db, ground, number)
    await addBill(db, ground.clientId, {
      account: { billable_account_id: account },
      date: '2026-02-01',
      current_charges: '15.00',
      lines: [],
    })
  }
  const page = await open(admin, { at: `/clients/${grounds[0]?.clientId}/bills` })
  await rowOf(page, numbers[0] ?? '').waitFor()
  expect(await rows(page).count()).toBe(1)
})

test('a client that is not there is said once', async () => {
  const page = await open(admin, { at: '/clients/987654/dashboard', mayComplain: true })
  await page.getByText('There is no such client').waitFor()
  await heardNotice(page)
  await page.waitForTimeout(1_000)
  expect((await noticesSaid(page)).map(({ title, message }) => `${title}: ${message}`)).toEqual(['Request error: Not Found'])
})
