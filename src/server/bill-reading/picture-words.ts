/** The words of a picture, recognised on this machine: the language data comes with the program, and nothing is downloaded or sent. */
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import eng from '@tesseract.js-data/eng'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import type { ReadWord } from '#contract/bill-reading/bill-reading.ts'
import { pictureSize } from '../kernel/files/picture-size.ts'
import { ReadingError } from './reading-error.ts'
import type { PageWords } from './reading-message.ts'

/** Largest picture that is unpacked, in pixels; a phone's camera produces 12 to 50 million. */
const PIXELS_MAX = 60_000_000
/** Larger pictures are scaled down before they are read. */
const READ_PIXELS_MAX = 8_000_000
/** Words below this confidence of the recognition are specks and lines. */
const CONFIDENCE_MIN = 20
/** Resolution by which the size of letters is judged; without it the recognition guesses, and reports that on the error output. */
const RENDER_DPI = 200
/** Scanned pages are assumed to be Letter, 8.5 inches wide. */
const LETTER_WIDTH = 612

const onePixel = createCanvas(1, 1).toBuffer('image/png')

let engine: Promise<Worker> | null = null

/** Reads a PNG, JPEG, WebP or GIF as one page. Throws ReadingError for other files, and for pictures beyond the limit. */
export async function readPicture(bytes: Uint8Array, page: number): Promise<PageWords> {
  const size = pictureSize(bytes)
  if (size === null) throw new ReadingError('unsupported', 'Only PDF, PNG, JPEG, WebP and GIF documents are read.')
  if (size.width * size.height > PIXELS_MAX) {
    throw new ReadingError('too_large', `The picture has more than ${PIXELS_MAX / 1_000_000} million dots.`)
  }
  const { canvas, free } = await drawSmall(bytes)
  const points = LETTER_WIDTH / canvas.width
  const [png, height] = [canvas.toBuffer('image/png'), Math.round(canvas.height * points)]
  free()
  return { page, width: LETTER_WIDTH, height, source: 'ocr', words: await recognise(png, points) }
}

/** `free` releases the memory of both pictures, which the garbage collector counts as a few bytes. */
async function drawSmall(bytes: Uint8Array): Promise<{ canvas: Canvas; free: () => void }> {
  const image = await loadImage(Buffer.from(bytes)).catch(() => {
    throw new ReadingError('broken', 'The picture could not be read: it seems to be damaged.')
  })
  const shrink = Math.min(1, Math.sqrt(READ_PIXELS_MAX / (image.width * image.height)))
  const canvas = createCanvas(Math.max(1, Math.round(image.width * shrink)), Math.max(1, Math.round(image.height * shrink)))
  const drawn = canvas.getContext('2d')
  drawn.fillStyle = '#fff'
  drawn.fillRect(0, 0, canvas.width, canvas.height)
  drawn.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.src = onePixel
  const free = (): void => {
    canvas.width = 1
    canvas.height = 1
  }
  return { canvas, free }
}

/** @param points size of one pixel of the picture. @returns words from the upper left corner on, in points. */
export async function recognise(png: Buffer, points: number): Promise<ReadWord[]> {
  engine ??= startEngine()
  const worker = await engine
  const { data } = await worker.recognize(png, { rotateAuto: true }, { blocks: true, text: false })
  const words: ReadWord[] = []
  for (const block of data.blocks ?? [])
    for (const paragraph of block.paragraphs)
      for (const line of paragraph.lines)
        for (const { text, confidence, bbox } of line.words) {
          if (confidence < CONFIDENCE_MIN || text.trim() === '') continue
          words.push([
            text,
            rounded(bbox.x0 * points),
            rounded(bbox.y0 * points),
            rounded((bbox.x1 - bbox.x0) * points),
            rounded((bbox.y1 - bbox.y0) * points),
            Math.round(confidence) / 100,
          ])
        }
  return words
}

async function startEngine(): Promise<Worker> {
  const worker = await createWorker(eng.code, OEM.LSTM_ONLY, { langPath: eng.langPath, gzip: eng.gzip, cacheMethod: 'none' })
  // Bills are scattered short texts: the reading order matters less than completeness.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT, user_defined_dpi: String(RENDER_DPI) })
  return worker
}

const rounded = (points: number): number => Math.round(points * 10) / 10
