/**
 * The kinds of files that the inbox accepts, on both ways in: each is read, or is refused with its name and a reason, and none is stored
 * unread.
 */
import { join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeGround, type Ground } from '../../../test/support/bills.ts'
import { formOf, pngOf } from '../../../test/support/forms.ts'
import { billPdf, paperBill, uploadFile } from '../../../test/support/scan-files.ts'
import { scanKinds } from '#contract/bill-scans/bill-scan.ts'
import { uploadKinds, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import { ownFonts } from '../bill-reading/own-fonts.ts'

interface File {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const testApp = await startTestApp()
const { app, database, ask } = testApp
const { db } = database

let at: Ground
let staff: Person
beforeAll(async () => {
  at = await makeGround(db)
  staff = await makePerson(db, 'super_admin')
  await app.listen()
})

const path = (rest = ''): string => `/clients/${at.clientId}/bill_scans${rest}`
const byForm = async ({ name, type, bytes }: File): Promise<{ status: number; text: string }> => {
  const form = formOf({ file: { filename: name, type, bytes } })
  const url = `/api/v5${path('/upload')}`
  const answer = await app.server.inject({ method: 'POST', url, headers: { ...staff.headers, ...form.headers }, payload: form.payload })
  return { status: answer.statusCode, text: answer.body }
}
/** As a program does it: the file first, then the inbox takes it by its signed id. */
const bySignedId = async (file: File): Promise<{ status: number; text: string }> => {
  const signed = await uploadFile(testApp, staff, file)
  return ask(staff, 'POST', path(), { signed_ids: [signed] })
}
const ways = { byForm, bySignedId }
const documents = async (): Promise<number> => (await sql`select id from bill_scans`.execute(db)).rows.length

function lineAs(kind: 'png' | 'jpeg' | 'webp' | 'gif'): Buffer {
  GlobalFonts.registerFromPath(join(ownFonts.standardFontDataUrl, 'LiberationSans-Regular.ttf'), 'Own Sans')
  const canvas = createCanvas(520, 120)
  const drawn = canvas.getContext('2d')
  drawn.fillStyle = '#fff'
  drawn.fillRect(0, 0, 520, 120)
  drawn.fillStyle = '#000'
  drawn.font = '28px "Own Sans"'
  drawn.fillText('Amount Due 12.34', 40, 64)
  switch (kind) {
    case 'png':
      return canvas.toBuffer('image/png')
    case 'jpeg':
      return canvas.toBuffer('image/jpeg')
    case 'webp':
      return canvas.toBuffer('image/webp')
    case 'gif':
      return canvas.toBuffer('image/gif')
  }
}
const fileOf = async (kind: UploadKind): Promise<File> => {
  const { types, endings } = uploadKinds[kind]
  const isPicture = kind === 'png' || kind === 'jpeg' || kind === 'webp' || kind === 'gif'
  return { name: `Bill.${endings[0]}`, type: types[0], bytes: isPicture ? lineAs(kind) : await billPdf([paperBill]) }
}

test.each(scanKinds)('a document of the kind %s that is taken is read, whichever way it comes', { timeout: 120_000 }, async (kind) => {
  for (const [way, send] of Object.entries(ways)) {
    const answer = await send(await fileOf(kind))
    expect(answer.status, `${way}: ${answer.text}`).toBe(200)
  }
  const stored = sql<{ state: string; pages_read: number; words: string | null }>`
    select state, pages_read, (select string_agg(content ->> 'words', ' ') from bill_scan_pages page where page.scan_id = bill_scans.id) as words
    from bill_scans where filename like ${`%.${uploadKinds[kind].endings[0]}`}`
  await expect.poll(async () => (await stored.execute(db)).rows.map(({ state }) => state), { timeout: 100_000 }).toEqual(['read', 'read'])
  for (const { words } of (await stored.execute(db)).rows) expect(words).toContain(kind === 'pdf' ? '128.40' : '12.34')
})

test.each(Object.entries(ways))('a TIFF is refused by its name, with what to do instead (%s)', async (_, send) => {
  const before = await documents()
  const tiff = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])
  for (const name of ['March.tif', 'March.TIFF']) {
    const { status, text } = await send({ name, type: 'image/tiff', bytes: tiff })
    expect(status).toBe(422)
    expect(text).toContain(`${name} cannot be taken here, only PDF, PNG, JPEG, WebP, or GIF. Please save it as PDF`)
  }
  expect(await documents()).toBe(before)
})

test('bytes that are none of these kinds are refused, whatever their name says', async () => {
  const tiff = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])
  for (const kind of scanKinds) {
    const { endings, types, label } = uploadKinds[kind]
    const { status, text } = await byForm({ name: `March.${endings[0]}`, type: types[0], bytes: tiff })
    expect(`${status} ${text}`).toMatch(new RegExp(`^422 .*The file is no ${label}\\.`))
  }
})

test.each(Object.entries(ways))('a picture of too many pixels is refused with their number and the limit (%s)', async (_, send) => {
  const bytes = pngOf(1, 1)
  bytes.writeUInt32BE(30_000, 16)
  bytes.writeUInt32BE(30_000, 20)
  const refused = await send({ name: 'Poster.png', type: 'image/png', bytes }).then(
    ({ text }) => text,
    // The bytes of a direct upload are refused as they arrive.
    (error: unknown) => String(error),
  )
  expect(refused).toContain('The picture has too many pixels: 30,000 by 30,000. At most 100 million are taken, and 20,000 a side.')
})
