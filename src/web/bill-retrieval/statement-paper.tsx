/** The statement's PDF beside its figures. */
import { useEffect, useRef, useState } from 'react'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { API_BASE, pathOf, sessionHeaders } from '../kernel/api.ts'
import { problemOfAnswer } from '../kernel/api-problem.ts'
import { Skeleton } from '../ui/states.tsx'
import styles from './bill-retrieval.module.css'

type Drawn =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly pages: number }

/** Needs a separate `key` for each file, because it draws only once. */
export function StatementPaper({ clientId, fileId, name }: { clientId: number; fileId: string; name: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<Drawn>({ kind: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    const draw = async () => {
      const bytes = await readPdf(clientId, fileId, stop.signal)
      const { drawPdf } = await import('../ui/preview/draw-pdf.ts')
      if (holder.current) setState({ kind: 'ready', pages: await drawPdf(bytes, holder.current, stop.signal) })
    }
    draw().catch((error: unknown) => {
      if (!stop.signal.aborted) setState({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    })
    return () => stop.abort()
  }, [clientId, fileId])
  return (
    <>
      {state.kind === 'loading' && <Skeleton height={400} />}
      {state.kind === 'failed' && <p role="alert">The PDF could not be shown. {state.message}</p>}
      <div
        ref={holder}
        className={styles.sheets}
        role="img"
        aria-label={state.kind === 'ready' ? `${name}, ${state.pages === 1 ? '1 page' : `${state.pages} pages`}` : name}
      />
    </>
  )
}

async function readPdf(client_id: number, file_id: string, signal: AbortSignal): Promise<Uint8Array> {
  const { path } = billRetrievalCalls.pdf
  const answer = await fetch(`${API_BASE}${pathOf(path, { client_id, file_id })}`, { headers: sessionHeaders(), cache: 'no-store', signal })
  if (!answer.ok) throw await problemOfAnswer(answer)
  return new Uint8Array(await answer.arrayBuffer())
}
