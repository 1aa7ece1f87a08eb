/** The console where the files lie in a bucket of another origin: the browser uploads there, and sees what is stored through the program. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, type Person } from '../support/app.ts'
import { startBucket } from '../support/bucket.ts'
import { makeClient } from '../support/estate.ts'
import { pdfOf, pngOf } from '../support/forms.ts'
import { soon, startConsole } from './console.ts'

const bucket = await startBucket()
const { settings } = bucket
const store = settings.endpoint ?? ''
const { app, db, url, open } = await startConsole({
  S3_BUCKET: settings.bucket,
  S3_ACCESS_KEY_ID: settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  S3_REGION: settings.region,
  S3_ENDPOINT: store,
  S3_FORCE_PATH_STYLE: 'true',
})
let staff: Person
let clientId = 0

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  clientId = await makeClient(db, { name: 'Pictured' })
  bucket.allow(url)
})

const logoInput = (page: Page) => page.locator('input[type=file]')
const puts = () => bucket.asked.filter((line) => line.startsWith('PUT ') && line.includes('/uploads/'))
/** Where the answers came from that hold bytes of files. */
function originsOfFiles(page: Page): string[] {
  const origins: string[] = []
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url())
    if (pathname.startsWith('/api/v5/files/') || origin === store) origins.push(origin)
  })
  return origins
}

test('a logo goes from the page straight to the bucket, is shown through the program, and is downloaded from the bucket as an attachment', async () => {
  expect(new URL(store).origin).not.toBe(new URL(url).origin)
  const page = await open(staff, { at: `/clients/${clientId}/edit` })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(new URL(request.url()).origin))
  const picture = pngOf(40, 30)
  await logoInput(page).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
  await soon(() => puts().length).toBe(1)
  await soon(() => page.getByText('Uploading…').count()).toBe(0)
  expect(sent).toEqual([new URL(store).origin])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/clients')
  const origins = originsOfFiles(page)
  await page.goto(`/clients/${clientId}/edit`)
  const shown = page.getByRole('img', { name: 'logo.png' })
  await shown.waitFor()
  await soon(() => shown.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))).toBe(40)
  expect(new Set(origins)).toEqual(new Set([new URL(url).origin]))
})

test('a document is shown with its type, unsniffed and in a sandbox, and downloaded as an attachment of the bucket', async () => {
  const page = await open(staff, { at: `/clients/${clientId}/documents/new` })
  const pdf = pdfOf('Lease of the harbor hall')
  await page.getByRole('form').getByLabel('Title').fill('Lease')
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: pdf })
  await page.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('grid', { name: 'Documents' }).getByRole('row').filter({ hasText: 'Lease' })
  await row.getByText('lease.pdf').waitFor()
  const origins = originsOfFiles(page)
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/api/v5/files/'))
  await row.getByRole('gridcell').nth(1).click()
  await page.keyboard.press('Space')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('region', { name: 'lease.pdf' }).getByRole('group', { name: 'Page 1 of 1' }).locator('canvas').waitFor()
  expect((await answered).headers()).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  expect(new Set(origins)).toEqual(new Set([new URL(url).origin]))
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /Actions/ }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const file = await download
  expect([new URL(file.url()).origin, file.suggestedFilename()]).toEqual([new URL(store).origin, 'lease.pdf'])
  expect((await readFile(await file.path())).equals(pdf)).toBe(true)
})

test('a bucket without the rule refuses the page: the logo says that it was not uploaded, and nothing is lost', async () => {
  bucket.allow('https://another.example.com')
  const page = await open(staff, { at: `/clients/${clientId}/edit`, mayComplain: true })
  await logoInput(page).setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: pngOf(8, 8) })
  await page.locator('[data-field=logo]').getByRole('alert').waitFor()
  expect((await app.ask(staff, 'GET', `/clients/${clientId}`)).body['client']).toMatchObject({ filename: 'logo.png' })
})
