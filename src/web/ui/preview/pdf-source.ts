/** Opens PDFs. The library is large, so this file is loaded only where a PDF is shown. */
import { getDocument, PDFWorker, Util, type PDFPageProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import type { TextPiece } from './find-text.ts'

/** Canvas pixels per page pixel: sharp on dense screens, with bounded memory. */
const DENSITY_MAX = 2
/** Maximum number of pixels of one canvas; browsers draw nothing beyond their own limit. */
const AREA_MAX = 16_000_000

export interface PageSize {
  /** In points, in reading orientation. */
  readonly width: number
  readonly height: number
}

/** An open PDF. `close` frees its memory, in the worker too. */
export interface OpenPdf {
  readonly pages: readonly PageSize[]
  /** Draws a page (counted from 1) at this width in screen pixels, rotated by this many quarters. Throws if the signal aborts it. */
  draw(page: number, width: number, quarters: number, signal: AbortSignal): Promise<HTMLCanvasElement>
  /** Returns the page's text with its places, in fractions of the page. */
  text(page: number): Promise<readonly TextPiece[]>
  close(): void
}

/** Opens a file, given by address or bytes. Throws if it is not a PDF. */
export async function openPdf(source: string | Uint8Array, signal: AbortSignal): Promise<OpenPdf> {
  const port = startWorker()
  const worker = PDFWorker.create({ port })
  const task = getDocument({ ...(typeof source === 'string' ? { url: source } : { data: source }), worker })
  const close = () => {
    // Destroying the document needs the worker, so the worker is terminated last.
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
    // Otherwise decoded pictures and fonts of the page stay in memory.
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
        // Includes descenders, as in g.
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

/**
 * The content policy rejects script addresses without a trusted-types policy. This policy allows only this worker, which our own build wrote.
 */
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
