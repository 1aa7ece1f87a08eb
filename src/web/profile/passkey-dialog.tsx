/** The dialog that asks for the name of a passkey, and for a code where the account has an authenticator app. */
import { useState, type FormEvent } from 'react'
import { passkeyNameLengthMax } from '#contract/access/passkey.ts'
import { joinedMessages } from '#contract/kernel/problem.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { NoPasskey } from '../second-factor/second-factor.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextField } from '../ui/fields/text-field.tsx'

interface PasskeyDialogProps {
  readonly title: string
  readonly about: string
  readonly button: string
  readonly name?: string
  readonly asksCode?: boolean
  readonly onClose: () => void
  /** What it throws is shown, and the dialog stays. */
  readonly onSave: (name: string, code: string) => Promise<void>
}

export function PasskeyDialog({ title, about, button, name: before = '', asksCode = false, onClose, onSave }: PasskeyDialogProps) {
  const [name, setName] = useState(before)
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (name.trim() === '') return setFailure('Name is required')
    setBusy(true)
    setFailure('')
    try {
      await onSave(name, code)
      onClose()
    } catch (problem) {
      setFailure(reasonOf(problem))
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            {button}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <p>{about}</p>
        <TextField label="Name" required autoFocus maxLength={passkeyNameLengthMax} value={name} onChange={setName} />
        {asksCode && (
          <TextField label="Code of the app, or a recovery code" autoComplete="one-time-code" required value={code} onChange={setCode} />
        )}
        <button type="submit" hidden />
        <p role="alert">{failure}</p>
      </form>
    </Modal>
  )
}

function reasonOf(problem: unknown): string {
  if (problem instanceof ApiProblem) return joinedMessages(problem.messages)
  return problem instanceof NoPasskey ? problem.message : 'The passkey could not be saved'
}
