/** Channel partners: list, form with clients and logo, the client-scoped form, and the view of a partner's administrator. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { makeClient } from '../support/estate.ts'
import { addressOf, apiRequests, soon, startConsole } from './console.ts'
import { heardNotice } from './notices-said.ts'
import { tinyPng } from './tiny-png.ts'

const { app, db, open } = await startConsole()
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

const rows = (page: Page) => page.getByRole('grid').locator('[role=rowgroup]').nth(1).getByRole('row')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const menuOf = async (page: Page, text: string) => {
  await rowOf(page, text)
    .getByRole('button', { name: /Actions/ })
    .click()
  return page.getByRole('menu').last()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const name = (page: Page) => page.getByRole('textbox', { name: 'Name' })
const clientsBox = (page: Page) => page.getByRole('combobox', { name: /^Clients/ })
const addClient = async (page: Page, text: string) => {
  await clientsBox(page).fill(text)
  await page.getByRole('option', { name: new RegExp(text) }).click()
  await page.keyboard.press('Escape')
}
const made = async (channel_partner: object): Promise<number> =>
  Number((await app.ask(staff, 'POST', '/channel_partners', { channel_partner })).body['id'])
const stored = async (id: number) => (await app.ask(staff, 'GET', `/channel_partners/${id}`)).body['channel_partner']

test('the list shows name, clients and logo, and exports [CPART-ROUTE-001] [CPART-SCREEN-001] [CPART-EXPORT-001]', async () => {
  const ids: number[] = []
  for (const one of ['Alpha Foods', 'Beta Stores', 'Gamma Mills', 'Delta Homes', 'Epsilon Labs', 'Zeta Ports'])
    ids.push(await makeClient(db, { name: one }))
  await made({ name: 'Sunbelt Advisors', client_ids: ids })
  await made({ name: 'Empty Partner' })
  const page = await open(staff, { at: '/channel_partners' })
  await rowOf(page, 'Sunbelt Advisors').waitFor()
  const heads = await page.getByRole('columnheader').allInnerTexts()
  expect(heads.map((text) => text.replace(/[\n↑]/g, '').trim()).filter((text) => text !== '' && text !== 'Actions')).toEqual([
    'Name',
    'Clients',
    'Logo',
  ])
  expect(await rowOf(page, 'Sunbelt Advisors').innerText()).toContain('Alpha Foods, Beta Stores, Delta Homes, Epsilon Labs and 2 more')
  expect(await rowOf(page, 'Empty Partner').innerText()).not.toContain('Foods')
  expect(await (await menuOf(page, 'Sunbelt Advisors')).getByRole('menuitem').allInnerTexts()).toEqual(['Edit', 'Delete'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect(await heardNotice(page)).toMatchObject({ kind: 'Done', title: 'Channel Partners export started' })
})

test('a partner is made with a name, clients looked up by three characters, and a logo [CPART-ROUTE-002] [CPART-RULE-001] [CPART-RULE-002] [CPART-FIELD-002]', async () => {
  const id = await makeClient(db, { name: 'Quarry Works' })
  // More than a lookup loads at once: a complete list is filtered without a request.
  for (let number = 0; number < 12; number++) await makeClient(db, { name: `Acre ${number}` })
  const page = await open(staff, { at: '/channel_partners/new' })
  await save(page)
  await page.getByText('Name is required', { exact: true }).waitFor()
  await name(page).fill('Prairie Partners')
  const sent = apiRequests(page)
  await clientsBox(page).fill('Qu')
  await page.getByText(/Type .* more/).waitFor()
  await page.waitForTimeout(1_500)
  expect(sent.filter((line) => line.includes('search_term=Qu'))).toEqual([])
  await clientsBox(page).fill('Qua')
  await page.getByRole('option', { name: /Quarry Works/ }).click()
  expect(sent.filter((line) => line.startsWith('GET /clients/select_options') && line.includes('search_term=Qua'))).toHaveLength(1)
  await page.keyboard.press('Escape')
  await page.locator('input[type=file]').setInputFiles({ name: 'prairie.png', mimeType: 'image/png', buffer: tinyPng })
  await page.getByText('prairie.png').waitFor()
  await soon(() => sent.filter((line) => line.startsWith('PUT /uploads/')).length).toBe(1)
  await soon(() => page.getByText('Uploading…').count()).toBe(0)
  await save(page)
  await page.waitForURL('**/channel_partners')
  const row = rowOf(page, 'Prairie Partners')
  expect(await row.innerText()).toContain('Quarry Works')
  expect(await row.getByRole('link', { name: 'prairie.png' }).getAttribute('download')).toBe('prairie.png')
  const { rows: found } = await sql<{ id: number; client: number }>`select channel_partners.id, clients.id as client from channel_partners
    join clients on clients.channel_partner_id = channel_partners.id where channel_partners.name = 'Prairie Partners'`.execute(db)
  expect(found).toEqual([{ id: expect.any(Number), client: id }])
})

test('taking a client from another partner is said before it happens, and No leaves all as it was [CPART-ROUTE-003]', async () => {
  const client = await makeClient(db, { name: 'Contested Mart' })
  const [from, to] = [await made({ name: 'Old Partner', client_ids: [client] }), await made({ name: 'Young Partner' })]
  const page = await open(staff, { at: `/channel_partners/${to}/edit` })
  await page.getByRole('heading', { name: 'Edit Form' }).waitFor()
  await addClient(page, 'Contested')
  await page.getByText('Contested Mart moves here from Old Partner').waitFor()
  await save(page)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Contested Mart, now with Old Partner').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await stored(from)).toMatchObject({ client_ids: [client] })
  expect(addressOf(page)).toBe(`/channel_partners/${to}/edit`)
  await save(page)
  await dialog.getByRole('button', { name: 'Move and save' }).click()
  await page.waitForURL('**/channel_partners')
  expect([await stored(from), await stored(to)]).toMatchObject([{ client_ids: [] }, { client_ids: [client] }])
})

test('a partner with clients is not deleted, and the notice says why; without any it is', async () => {
  const id = await made({ name: 'Doomed', client_ids: [await makeClient(db)] })
  const page = await open(staff, { at: '/channel_partners?name=Doomed' })
  const erase = async () => {
    await (await menuOf(page, 'Doomed')).getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByText('Do you want to delete this record? This action cannot be undone.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  }
  await erase()
  expect((await heardNotice(page)).title).toBe('This channel partner still has 1 client. Move them first, then delete it.')
  await app.ask(staff, 'PATCH', `/channel_partners/${id}`, { channel_partner: { client_ids: [] } })
  await erase()
  expect((await heardNotice(page, 1)).title).toBe('Channel Partner deleted')
})

test('the form of a client leads to its partner inside the client’s scope, and back [CPART-ROUTE-004]', async () => {
  const client = await makeClient(db, { name: 'Led Client' })
  const id = await made({ name: 'Leading Partner', client_ids: [client] })
  const page = await open(staff, { at: `/clients/${client}/edit` })
  await page.getByRole('link', { name: 'Edit channel partner' }).click()
  await page.waitForURL(`**/clients/${client}/channel_partners/${id}/edit`)
  await soon(() => name(page).inputValue()).toBe('Leading Partner')
  expect(await page.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe(`/clients/${client}/edit`)
  await name(page).fill('Leading Partner, renamed')
  await save(page)
  await page.waitForURL(`**/clients/${client}/edit`)
  expect(await stored(id)).toMatchObject({ name: 'Leading Partner, renamed' })
})

test('a partner’s administrator sees that partner alone, may rename it, not choose its clients, and has its logo in the header [SHELL-RULE-003] [PERM-PERM-025] [PERM-RULE-002]', async () => {
  const client = await makeClient(db, { name: 'Guided Client' })
  const id = await made({ name: 'Guiding Partner', client_ids: [client] })
  await made({ name: 'Other Partner', client_ids: [await makeClient(db, { name: 'Hidden Client' })] })
  const admin = await makePerson(db, 'channel_partner_admin', { channel_partner_id: id })
  const page = await open(admin, { at: '/channel_partners' })
  await page.getByText('1–1 of 1 channel partners').waitFor()
  expect(await page.getByRole('link', { name: 'Add New' }).count()).toBe(0)
  expect(await (await menuOf(page, 'Guiding Partner')).getByRole('menuitem').allInnerTexts()).toEqual(['Edit'])
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByText('The provider’s staff chooses the clients of a partner.').waitFor()
  expect(await page.getByRole('list', { name: 'Clients' }).innerText()).toBe('Guided Client')
  expect(await clientsBox(page).count()).toBe(0)
  await page.getByRole('banner').getByText('Meterbook').waitFor()
  await name(page).fill('Guiding Partner & Sons')
  await page.locator('input[type=file]').setInputFiles({ name: 'guide.png', mimeType: 'image/png', buffer: tinyPng })
  await page.getByText('guide.png').waitFor()
  await soon(() => page.getByText('Uploading…').count()).toBe(0)
  await save(page)
  await page.waitForURL('**/channel_partners')
  expect(await stored(id)).toMatchObject({ name: 'Guiding Partner & Sons', filename: 'guide.png', client_ids: [client] })
  const logo = page.getByRole('banner').getByRole('img', { name: 'Channel partner' })
  await logo.waitFor()
  expect(await logo.evaluate((image) => (image instanceof HTMLImageElement ? image.decode().then(() => image.naturalWidth) : 0))).toBe(1)
  await page.goto('/clients')
  await page.getByText('1–1 of 1 clients').waitFor()
  await rowOf(page, 'Guided Client').waitFor()
})

test('the logo in the header is the scoped client’s, else the partner’s, else ours [SHELL-RULE-003]', async () => {
  const [own, bare] = [await makeClient(db, { name: 'Own Logo' }), await makeClient(db, { name: 'No Logo' })]
  const id = await made({ name: 'Logo Partner', client_ids: [own, bare] })
  const file = async (filename: string): Promise<number> => {
    const { key, bytes } = { key: `logos/${filename}`, bytes: tinyPng }
    await app.app.machinery.files.put(key, bytes, 'image/png')
    const { rows: made } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, state)
      values (${key}, ${filename}, 'image/png', ${bytes.length}, 'attached') returning id`.execute(db)
    return made[0]?.id ?? 0
  }
  await sql`update clients set logo_file_id = ${await file('own.png')} where id = ${own}`.execute(db)
  const partnerLogo = await file('partner.png')
  const reader = await makePerson(db, 'read_only_user', { clients: [own, bare] })
  const page = await open(reader, { at: `/clients/${own}/dashboard` })
  const banner = page.getByRole('banner')
  await banner.getByRole('img', { name: 'Own Logo' }).waitFor()
  await page.goto(`/clients/${bare}/dashboard`)
  await banner.getByText('Meterbook').waitFor()
  await sql`update channel_partners set logo_file_id = ${partnerLogo} where id = ${id}`.execute(db)
  await page.reload()
  await banner.getByRole('img', { name: 'Channel partner' }).waitFor()
  await page.goto(`/clients/${own}/dashboard`)
  await banner.getByRole('img', { name: 'Own Logo' }).waitFor()
  const provider = await open(staff, { at: `/clients/${bare}/dashboard` })
  await provider.getByRole('banner').getByText('Meterbook').waitFor()
})
