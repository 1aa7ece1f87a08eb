/** Draws a PDF into an element, once and as wide as it is. Loaded only where a PDF is looked at. */
import { openPdf } from './pdf-source.ts'

/** A bill has a page or two; a longer file is read in its own program. */
const PAGES_MAX = 12

/** Draws the first pages of the file at an address, or of its bytes. @returns how many pages the file has. Throws where it is no PDF. */
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
