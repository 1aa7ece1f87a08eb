/** Opens a document for viewing and closes it afterwards. */
import { useEffect, useState } from 'react'
import type { OpenPdf, PageSize } from './pdf-source.ts'

/** An address that needs no credentials, or a chosen file that is not uploaded yet. */
export type DocumentSource = string | Blob

export type OpenDocument =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'pdf'; readonly pages: readonly PageSize[]; readonly pdf: OpenPdf }
  /** A picture is a document of one page. */
  | { readonly kind: 'picture'; readonly pages: readonly PageSize[]; readonly url: string }

/** The component that uses it needs a separate `key` for each document. */
export function useDocument(source: DocumentSource, contentType: string): OpenDocument {
  const [state, setState] = useState<OpenDocument>({ kind: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    const open = contentType === 'application/pdf' ? openPdfDocument : openPicture
    open(source, stop.signal)
      .then((opened) => void (stop.signal.aborted || setState(opened)))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        console.warn('the document could not be opened', error)
        setState({ kind: 'failed' })
      })
    return () => stop.abort()
  }, [source, contentType])
  return state
}

async function openPdfDocument(source: DocumentSource, signal: AbortSignal): Promise<OpenDocument> {
  const { openPdf } = await import('./pdf-source.ts')
  const bytes = typeof source === 'string' ? source : new Uint8Array(await source.arrayBuffer())
  signal.throwIfAborted()
  const pdf = await openPdf(bytes, signal)
  return { kind: 'pdf', pdf, pages: pdf.pages }
}

async function openPicture(source: DocumentSource, signal: AbortSignal): Promise<OpenDocument> {
  const url = typeof source === 'string' ? source : URL.createObjectURL(source)
  if (typeof source !== 'string') signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true })
  const image = new Image()
  image.src = url
  await image.decode()
  // In points, so that at 100% one pixel of the picture is one pixel of the screen.
  return { kind: 'picture', url, pages: [{ width: image.naturalWidth * 0.75, height: image.naturalHeight * 0.75 }] }
}
