/** The dialog that asks for the password anew. */
import { useState } from 'react'
import { authCalls } from '#contract/access/auth.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { callApi } from './api.ts'
import { ApiProblem } from './api-problem.ts'

export function ProofDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
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
