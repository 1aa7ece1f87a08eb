/** Opens PDFs. The library is large, so this file is loaded only where a PDF is looked at. */
import { getDocument, PDFWorker, Util, type PDFPageProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import type { TextPiece } from './find-text.ts'

/** Pixels of the canvas for one pixel of the page: sharp on dense screens, not endless in memory. */
const DENSITY_MAX = 2
/** Pixels that one canvas may have; browsers draw nothing beyond their own limit. */
const AREA_MAX = 16_000_000

export interface PageSize {
  /** Points, as the page is read. */
  readonly width: number
  readonly height: number
}

/** A PDF that is open. `close` frees what it holds, in the worker too. */
export interface OpenPdf {
  readonly pages: readonly PageSize[]
  /** Draws a page, counted from 1, so wide (in pixels of the screen) and turned by so many quarters. Throws when the signal ends it. */
  draw(page: number, width: number, quarters: number, signal: AbortSignal): Promise<HTMLCanvasElement>
  /** The page's text with its places, in fractions of the page. */
  text(page: number): Promise<readonly TextPiece[]>
  close(): void
}

/** Opens the file at an address, or its bytes. Throws where it is no PDF. */
export async function openPdf(source: string | Uint8Array, signal: AbortSignal): Promise<OpenPdf> {
  const port = startWorker()
  const worker = PDFWorker.create({ port })
  const task = getDocument({ ...(typeof source === 'string' ? { url: source } : { data: source }), worker })
  const close = () => {
    // The document says goodbye through the worker, so the worker goes last.
    void task
      .destroy()
      .catch(() => undefined)
      .then(() => port.terminate())
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    const document = await task.promise
    const pages = await Promise.all(Array.from({ length: document.numPages }, (_, at) => document.getPage(at + 1)))
    return {
      pages: pages.map(sizeOf),
      draw: (number, width, quarters, stop) => drawPage(pageAt(pages, number), width, quarters, stop),
      text: (number) => textOf(pageAt(pages, number)),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function pageAt(pages: readonly PDFPageProxy[], number: number): PDFPageProxy {
  const page = pages[number - 1]
  if (!page) throw new RangeError(`no page ${number}`)
  return page
}

function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: 1 })
  return { width, height }
}

async function drawPage(page: PDFPageProxy, width: number, quarters: number, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const rotation = (page.rotate + quarters * 90) % 360
  const natural = page.getViewport({ scale: 1, rotation })
  const wanted = (width / natural.width) * Math.min(window.devicePixelRatio, DENSITY_MAX)
  const scale = Math.min(wanted, Math.sqrt(AREA_MAX / (natural.width * natural.height)))
  const viewport = page.getViewport({ scale, rotation })
  const canvas = window.document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  const drawing = page.render({ canvas, viewport })
  const stop = () => drawing.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await drawing.promise
    return canvas
  } finally {
    signal.removeEventListener('abort', stop)
    // Decoded pictures and fonts of the page are kept otherwise.
    page.cleanup()
  }
}

async function textOf(page: PDFPageProxy): Promise<TextPiece[]> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item)) return []
    const placed: unknown = Util.transform(viewport.transform, item.transform)
    const [, , shear, size, left, base] = numbersOf(placed)
    const height = Math.hypot(shear, size)
    return [
      {
        text: item.str,
        endsLine: item.hasEOL,
        x: left / viewport.width,
        y: (base - height) / viewport.height,
        width: item.width / viewport.width,
        // What hangs below the line, as in g, belongs to it.
        height: (height * 1.2) / viewport.height,
      },
    ]
  })
}

function numbersOf(value: unknown): readonly [number, number, number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.isArray(value) ? value.map(Number) : []
  return [a, b, c, d, e, f]
}

interface ScriptPolicies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown
}
declare global {
  interface Window {
    readonly trustedTypes?: ScriptPolicies
  }
}

/** The page's content policy refuses addresses of scripts that nobody vouches for. Only this worker, which our own build wrote, is vouched for. */
let policy: unknown
function startWorker(): Worker {
  policy ??= window.trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => {
      if (new URL(address, window.location.href).href !== new URL(workerUrl, window.location.href).href)
        throw new TypeError(`not a script of ours: ${address}`)
      return address
    },
  })
  return new Worker(workerUrl, { type: 'module' })
}
