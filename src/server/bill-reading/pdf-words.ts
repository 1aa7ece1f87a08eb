/** The words of a PDF: those that the file contains; a page without any is drawn, and its letters are recognised. */
import { getDocumentProxy, getResolvedPDFJS, renderPageAsImage } from 'unpdf'
import type { ReadWord } from '#contract/bill-reading/bill-reading.ts'
import { holdsHugePicture, refuseBombs } from './inflated-size.ts'
import { ownFonts } from './own-fonts.ts'
import { ReadingError, tooMuchMemory } from './reading-error.ts'
import type { PageWords } from './reading-message.ts'
import { recognise } from './picture-words.ts'

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

export interface OpenPdf {
  readonly document: PdfDocument
  /** True if a picture would not fit into memory: its page is not drawn. */
  readonly hasHugePicture: boolean
}

const POINTS_AN_INCH = 72
/** Letters of 8 points are recognised well from this resolution on; a higher one only takes longer. */
const RENDER_DPI = 200
const RENDER_PIXELS_MAX = 12_000_000
/** Longest side of a drawn page; the drawing library accepts no more than 32,767. */
const RENDER_SIDE_MAX = 30_000
/** A page with fewer words of its own is a picture with a stamp on it. */
const TEXT_WORDS_MIN = 8
/** Above this fraction of characters that are not letters, the file's own text is meaningless. */
const UNREADABLE_MAX = 0.3

/** @throws ReadingError for a file that is not a PDF, is locked, or unpacks to too much. */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  refuseBombs(bytes)
  const hasHugePicture = holdsHugePicture(bytes)
  try {
    return { document: await getDocumentProxy(bytes, { ...ownFonts, verbosity: 0, stopAtErrors: false }), hasHugePicture }
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new ReadingError('locked', 'The document is locked with a password.')
    }
    throw new ReadingError('broken', 'The document could not be read: it is not a whole PDF.')
  }
}

/** Returns the words of a page; null if they need recognition and it was not requested. */
export async function readPdfPage({ document, hasHugePicture }: OpenPdf, number: number, mayRecognise: boolean): Promise<PageWords | null> {
  const page = await document.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  if (!(width > 0 && height > 0)) throw new ReadingError('broken', `Page ${number} has no size.`)
  try {
    const words = await textWords(page)
    if (isText(words)) return { page: number, width, height, source: 'text', words }
    if (!mayRecognise) return null
    if (hasHugePicture) throw tooMuchMemory()
    if (!(await hasPicture(page))) return { page: number, width, height, source: 'text', words }
    const scale = scaleOf(number, width, height)
    const picture = await renderPageAsImage(document, number, { canvasImport: () => import('@napi-rs/canvas'), scale })
    const recognised = await recognise(Buffer.from(picture), 1 / scale)
    return { page: number, width, height, source: 'ocr', words: recognised.length > words.length ? recognised : words }
  } finally {
    page.cleanup()
  }
}

/** Returns the pixels per point in the drawn page. Throws if no letter of the page would be drawn. */
function scaleOf(number: number, width: number, height: number): number {
  const scale = Math.min(RENDER_DPI / POINTS_AN_INCH, Math.sqrt(RENDER_PIXELS_MAX / (width * height)))
  if (Math.max(width, height) * scale > RENDER_SIDE_MAX) throw new ReadingError('too_large', `Page ${number} is too long to be read.`)
  return scale
}

function isText(words: readonly ReadWord[]): boolean {
  if (words.length < TEXT_WORDS_MIN) return false
  const text = words.map((word) => word[0]).join('')
  const unreadable = text.replace(/[\p{L}\p{N}\p{P}\p{S}]/gu, '').length + (text.match(/[\uFFFD\uE000-\uF8FF]/g)?.length ?? 0)
  return unreadable / text.length < UNREADABLE_MAX
}

/** Letters that were turned into curves are at least this many. */
const CURVES_MIN = 100

/** Returns true if there is anything to recognise: a blank page, or one with a few words and lines, is complete as it is. */
async function hasPicture(page: PdfPage): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray } = await page.getOperatorList()
  const pictures = new Set([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject, OPS.paintImageXObjectRepeat])
  return (
    fnArray.some((operation) => pictures.has(operation)) ||
    fnArray.filter((operation) => operation === OPS.constructPath).length >= CURVES_MIN
  )
}

async function textWords(page: PdfPage): Promise<ReadWord[]> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , skewX, skewY, left, baseline] = multiply(viewport.transform, item.transform)
    const height = Math.hypot(skewX, skewY) || item.height
    return splitRun(item.str, { x: left, y: baseline - height * ASCENT, width: item.width, height })
  })
}

/** Fraction of a font's height above its base line. */
const ASCENT = 0.8

type Matrix = readonly [number, number, number, number, number, number]

function multiply(outer: readonly number[], inner: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** Splits one run of text into words. The file gives only the width of the run, so each word gets its share of it by its letters. */
function splitRun(text: string, box: { x: number; y: number; width: number; height: number }): ReadWord[] {
  const total = widthOf(text)
  const words: ReadWord[] = []
  for (const match of text.matchAll(/\S+/g)) {
    const before = (widthOf(text.slice(0, match.index)) / total) * box.width
    words.push([
      match[0],
      rounded(box.x + before),
      rounded(box.y),
      rounded((widthOf(match[0]) / total) * box.width),
      rounded(box.height),
      1,
    ])
  }
  return words
}

/** Returns the usual width of letters in a proportional font, in fractions of an em. */
function widthOf(text: string): number {
  let sum = 0
  for (const letter of text)
    sum += /[iljtfrI.,:;'|!() ]/.test(letter) ? 0.31 : /[mwMW@%]/.test(letter) ? 0.86 : /[A-Z#&$]/.test(letter) ? 0.68 : 0.54
  return sum
}

const rounded = (points: number): number => Math.round(points * 10) / 10
