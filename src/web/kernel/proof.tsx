/**
 * Asks for the password where the server wants it given anew. The request that was refused waits meanwhile; once the password is accepted it
 * is sent again, so the page that sent it knows nothing of it.
 */
import { useState, useSyncExternalStore } from 'react'
import { authCalls } from '#contract/access/auth.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { callApi, onNotProven } from './api.ts'
import { ApiProblem } from './api-problem.ts'

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
  return question ? <ProofDialog onAnswer={question.answer} /> : null
}

function ProofDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (password === '') {
      setError('Enter your password')
      return
    }
    setBusy(true)
    try {
      await callApi(authCalls.prove, { body: { password } })
      onAnswer(true)
    } catch (problem) {
      setError(problem instanceof ApiProblem ? problem.messages.join('. ') : 'The password could not be checked')
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      onClose={() => onAnswer(false)}
      title="Enter your password"
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            Continue
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <p>You signed in a while ago. Your password shows that it is you.</p>
        <TextField
          label="Current Password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(value) => {
            setPassword(value)
            setError(undefined)
          }}
          error={error}
        />
      </form>
    </Modal>
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
