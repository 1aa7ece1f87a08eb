import { useState } from 'react'
import { ApiProblem } from '../kernel/api-problem.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextField } from '../ui/fields/text-field.tsx'

interface FactorCodeDialogProps {
  readonly title: string
  readonly about: string
  readonly button: string
  readonly danger?: boolean
  readonly onClose: () => void
  /** Sends the code. What it throws is shown at the field. */
  readonly onCode: (code: string) => Promise<void>
}

/** Asks for a code before a change of the second factor. */
export function FactorCodeDialog({ title, about, button, danger = false, onClose, onCode }: FactorCodeDialogProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (code.trim() === '') return setError('Enter a code')
    setBusy(true)
    try {
      await onCode(code)
      onClose()
    } catch (problem) {
      setError(problem instanceof ApiProblem ? problem.messages.join('. ') : 'The code could not be checked')
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
          label="Code of the app, or a recovery code"
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={(value) => {
            setCode(value)
            setError(undefined)
          }}
          error={error}
        />
      </form>
    </Modal>
  )
}
