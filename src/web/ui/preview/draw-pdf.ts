/** Draws a PDF into an element, once and at the element's width. Loaded only where a PDF is shown. */
import { openPdf } from './pdf-source.ts'

/** A bill has a page or two; longer files are better read in their own program. */
const PAGES_MAX = 12

/** Draws the first pages of a file, given by address or bytes. @returns the file's number of pages. Throws if it is not a PDF. */
export async function drawPdf(source: string | Uint8Array, holder: HTMLElement, signal: AbortSignal): Promise<number> {
  const file = await openPdf(source, signal)
  const width = holder.clientWidth || 600
  const canvases: HTMLCanvasElement[] = []
  for (let number = 1; number <= Math.min(file.pages.length, PAGES_MAX) && !signal.aborted; number++) {
    const canvas = await file.draw(number, width, 0, signal)
    canvas.style.width = '100%'
    canvases.push(canvas)
  }
  if (!signal.aborted) holder.replaceChildren(...canvases)
  file.close()
  return file.pages.length
}
