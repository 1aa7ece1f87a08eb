/** A PDF in the page: its pages are drawn here, since a browser's own viewer does not run in a sandboxed frame. */
import { useEffect, useRef, useState } from 'react'
import { Skeleton } from '../states.tsx'
import styles from './preview.module.css'

type Drawn = { readonly kind: 'loading' } | { readonly kind: 'failed' } | { readonly kind: 'ready'; readonly pages: number }

/** Give it a key of its own for each file: it draws once. `label` says what it is. */
export function PdfPages({ url, label, className }: { url: string; label: string; className?: string | undefined }) {
  const holder = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<Drawn>({ kind: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    const draw = async () => {
      const { drawPdf } = await import('./draw-pdf.ts')
      if (holder.current) setState({ kind: 'ready', pages: await drawPdf(url, holder.current, stop.signal) })
    }
    draw().catch(() => {
      if (!stop.signal.aborted) setState({ kind: 'failed' })
    })
    return () => stop.abort()
  }, [url])
  return (
    <>
      {state.kind === 'loading' && <Skeleton height={400} />}
      {state.kind === 'failed' && <p role="alert">This PDF could not be drawn; it can be downloaded.</p>}
      <div
        ref={holder}
        className={className ?? styles.sheets}
        role="img"
        aria-label={state.kind === 'ready' ? `${label}, ${state.pages === 1 ? '1 page' : `${state.pages} pages`}` : label}
      />
    </>
  )
}
