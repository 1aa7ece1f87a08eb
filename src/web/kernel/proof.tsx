/**
 * Asks for the password where the server wants it given anew. The request that was refused waits meanwhile; once the password is accepted it
 * is sent again, so the page that sent it knows nothing of it.
 */
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { onNotProven } from './api.ts'

const ProofDialog = lazy(() => import('./proof-dialog.tsx').then((module) => ({ default: module.ProofDialog })))

interface Asked {
  readonly answer: (proven: boolean) => void
}

let asked: Asked | null = null
/** All requests that wait for one password. */
let pending: Promise<boolean> | null = null
const listeners = new Set<() => void>()

/** Whether the person has given their password; false where they would rather not. */
function askForProof(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    setAsked({
      answer: (proven) => {
        setAsked(null)
        pending = null
        resolve(proven)
      },
    })
  })
  return pending
}

onNotProven(askForProof)

/** Shows the dialog; once on the page. */
export function ProofHost() {
  const question = useSyncExternalStore(subscribe, () => asked)
  if (!question) return null
  return (
    <Suspense>
      <ProofDialog onAnswer={question.answer} />
    </Suspense>
  )
}

function setAsked(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
