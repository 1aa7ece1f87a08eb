/** Draws a PDF into an element. The library is large, so this file is loaded only where a PDF is looked at. */
import { getDocument, GlobalWorkerOptions, type PDFPageProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** A bill has a page or two; a longer file is read in its own program. */
const PAGES_MAX = 12
/** Pixels of the canvas for one pixel of the page: sharp on dense screens, not endless in memory. */
const DENSITY_MAX = 2

/** Draws the first pages of the file at an address, or of its bytes, as wide as the element. @returns how many pages the file has. Throws where it is no PDF. */
export async function drawPdf(source: string | Uint8Array, holder: HTMLElement, signal: AbortSignal): Promise<number> {
  GlobalWorkerOptions.workerPort ??= startWorker()
  const document = await getDocument(typeof source === 'string' ? { url: source } : { data: source }).promise
  signal.addEventListener('abort', () => void document.loadingTask.destroy(), { once: true })
  const width = holder.clientWidth || 600
  const canvases: HTMLCanvasElement[] = []
  for (let number = 1; number <= Math.min(document.numPages, PAGES_MAX) && !signal.aborted; number++)
    canvases.push(await drawPage(await document.getPage(number), width))
  if (!signal.aborted) holder.replaceChildren(...canvases)
  return document.numPages
}

async function drawPage(page: PDFPageProxy, width: number): Promise<HTMLCanvasElement> {
  const natural = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: (width / natural.width) * Math.min(window.devicePixelRatio, DENSITY_MAX) })
  const canvas = window.document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  canvas.style.width = '100%'
  await page.render({ canvas, viewport }).promise
  return canvas
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
