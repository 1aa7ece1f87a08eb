import { join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { afterAll, expect, test } from 'vitest'
import { truthOf } from '../../../test/reading/layout.ts'
import { layoutNamed } from '../../../test/reading/layouts-seen.ts'
import { compareDraft } from '../../../test/reading/measure.ts'
import { paper } from '../../../test/reading/paper.ts'
import { sampleBill } from '../../../test/reading/sample-bill.ts'
import { scanned } from '../../../test/reading/scan.ts'
import { readPagesMax } from '#contract/bill-reading/bill-reading.ts'
import { readDocument, ReadingError, stopReading } from './bill-reading.ts'
import { ownFonts } from './own-fonts.ts'
import { readWords } from './read-words.ts'

afterAll(stopReading)

const faultOf = async (bytes: Uint8Array, options?: Parameters<typeof readDocument>[1]): Promise<string> => {
  const error = await readDocument(bytes, options).then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof ReadingError ? `${error.fault}: ${error.message}` : `no ReadingError: ${String(error)}`
}

const classic = layoutNamed('classic')
const bill = sampleBill(classic.kind, 4)
const pdf = await classic.draw(bill)
/** Recognising a page takes seconds: each scan is read once, and the first is stopped twice. */
const scan = await scanned(pdf, { dpi: 150, skew: 0.4, specks: 0.001 })

test('scanned pages are recognised: nine values of ten, and none is sure and wrong', { timeout: 300_000 }, async () => {
  const read: ReturnType<typeof compareDraft>[] = []
  for (const [place, name] of ['classic', 'blocks', 'stacked'].entries()) {
    const layout = layoutNamed(name)
    const own = sampleBill(layout.kind, 4 + place)
    const bytes = place === 0 ? scan : await scanned(await layout.draw(own), { dpi: 150, skew: 0.3 - place * 0.2, specks: 0.001 })
    const words = await readDocument(bytes)
    expect(words.pages.filter((page) => page.source === 'text')).toEqual([])
    read.push(compareDraft(truthOf(layout, own), readWords(words)))
  }
  const scores = read.flatMap((one) => one.scores)
  const right = scores.filter((score) => score.isRight).length
  expect(scores.length).toBeGreaterThan(45)
  expect(right / scores.length, `${right} of ${scores.length}`).toBeGreaterThanOrEqual(0.9)
  expect(read.map((one) => one.sureWrong)).toEqual([0, 0, 0])
})

test('a picture is read as a page is', { timeout: 180_000 }, async () => {
  const font = join(ownFonts.standardFontDataUrl, 'LiberationSans-Regular.ttf')
  expect(GlobalFonts.registerFromPath(font, 'Own Sans')).not.toBeNull()
  const canvas = createCanvas(1_000, 300)
  const drawn = canvas.getContext('2d')
  drawn.fillStyle = '#fff'
  drawn.fillRect(0, 0, 1_000, 300)
  drawn.fillStyle = '#000'
  drawn.font = '32px "Own Sans"'
  drawn.fillText('Total Amount Due  $1,234.56', 60, 120)
  for (const bytes of [canvas.toBuffer('image/png'), canvas.toBuffer('image/webp')]) {
    const words = await readDocument(bytes)
    expect(readWords(words).fields).toMatchObject([{ field: 'amount_due', value: '1234.56' }])
  }
})

test('what is no document says so in words', { timeout: 180_000 }, async () => {
  expect(await faultOf(pdf.slice(0, 300))).toBe('broken: The document could not be read: it is not a whole PDF.')
  expect(await faultOf(Buffer.from('name,amount\n'))).toBe('unsupported: Only PDF, PNG, JPEG, WebP and GIF documents are read.')
  const bomb = Buffer.alloc(40)
  bomb.write('89504e470d0a1a0a', 0, 'hex')
  bomb.writeUInt32BE(50_000, 16)
  bomb.writeUInt32BE(50_000, 20)
  expect(await faultOf(bomb)).toBe('too_large: The picture has more than 60 million dots.')
  const heads = {
    gif: '474946383961 50c3 50c3 00',
    simple: '52494646 00000000 57454250 56503820 00000000 000000 9d012a ff3f ff3f',
    lossless: '52494646 00000000 57454250 5650384c 00000000 2f ffffff0f 0000000000',
    extended: '52494646 00000000 57454250 56503858 0a000000 00000000 ffff00 ffff00',
  }
  for (const [name, hex] of Object.entries(heads))
    expect(await faultOf(Buffer.from(hex.replaceAll(' ', ''), 'hex')), name).toBe('too_large: The picture has more than 60 million dots.')
})

test('an empty page is read as empty, and a document of 300 pages is refused', { timeout: 180_000 }, async () => {
  const empty = await readDocument(await paper().finish())
  expect(empty.pages.map((page) => page.words)).toEqual([[]])
  expect(readWords(empty)).toMatchObject({ fields: [], meters: [], bills_begin_at: [1] })
  const long = paper()
  for (let page = 2; page <= 300; page += 1) long.nextPage()
  expect(await faultOf(await long.finish())).toBe(`too_many_pages: The document has 300 pages; at most ${readPagesMax} are read at once.`)
})

test('a thread that is ended, or too slow, fails its document only', { timeout: 180_000 }, async () => {
  const ended = faultOf(scan)
  const next = readDocument(pdf)
  // The first page of a scan takes far longer than this.
  setTimeout(() => void stopReading(), 100)
  expect(await ended).toMatch(/^stopped: /)
  expect((await next).pages).toHaveLength(1)
  expect(await faultOf(scan, { pageSeconds: 0.05 })).toBe('too_slow: A page took longer than 0.05 seconds to read.')
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  expect(await faultOf(scan, { signal: controller.signal })).toMatch(/^stopped: /)
  expect((await readDocument(pdf)).pages).toHaveLength(1)
})

test('only the pages that are asked for are read, with their numbers in the file', async () => {
  const layout = layoutNamed('summary')
  const words = await readDocument(await layout.draw(sampleBill(layout.kind, 2)), { fromPage: 2, toPage: 2 })
  expect(words.pages.map((page) => page.page)).toEqual([2])
})
