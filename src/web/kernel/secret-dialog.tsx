/** The dialog that asks for one secret before an act: a password, or a code. */
import { useState } from 'react'
import { joinedMessages } from '#contract/kernel/problem.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { ApiProblem } from './api-problem.ts'

interface SecretDialogProps {
  readonly title: string
  readonly about: string
  readonly button: string
  readonly danger?: boolean
  readonly label: string
  readonly type?: 'password'
  readonly autoComplete: 'current-password' | 'one-time-code'
  /** Shown where nothing was entered. */
  readonly missing: string
  /** Shown where the secret could not be checked at all. */
  readonly unchecked: string
  readonly onClose: () => void
  /** Sends the secret. A refusal that it throws is shown at the field, and the dialog stays. */
  readonly onSecret: (secret: string) => Promise<void>
}

export function SecretDialog(props: SecretDialogProps) {
  const { title, about, button, danger = false, label, type = 'text', autoComplete, missing, unchecked, onClose, onSecret } = props
  const [secret, setSecret] = useState('')
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (secret === '') return setError(missing)
    setBusy(true)
    try {
      await onSecret(secret)
    } catch (problem) {
      setError(problem instanceof ApiProblem ? joinedMessages(problem.messages) : unchecked)
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void send()}>
            {button}
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
        <p>{about}</p>
        <TextField
          label={label}
          type={type}
          autoComplete={autoComplete}
          required
          autoFocus
          value={secret}
          onChange={(value) => {
            setSecret(value)
            setError(undefined)
          }}
          error={error}
        />
      </form>
    </Modal>
  )
}
