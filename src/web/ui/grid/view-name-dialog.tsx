import { useState, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Modal } from '../dialogs/modal.tsx'
import { CheckboxField } from '../fields/choice-fields.tsx'
import { TextField } from '../fields/text-field.tsx'

type ViewNameDialogProps = {
  title: string
  /** The name at first. */
  start: string
  shareLabel: string | undefined
  saving: boolean
  /** The message about the last attempt, with a way to repeat it (`again`). */
  foot: (again: () => void) => ReactNode
  onClose: () => void
  /** Resolves to whether it was saved; if not, the dialog stays open. */
  onSave: (view: { name: string; shared: boolean }) => Promise<boolean>
}

/** Asks for the name of a view. */
export function ViewNameDialog({ title, start, shareLabel, saving, foot, onClose, onSave }: ViewNameDialogProps) {
  const [name, setName] = useState(start)
  const [shared, setShared] = useState(false)
  const [tried, setTried] = useState(false)
  const missing = name.trim() === ''
  const save = async () => {
    setTried(true)
    if (!missing && (await onSave({ name: name.trim(), shared }))) onClose()
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          {foot(() => void save())}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={saving} onClick={() => void save()}>
            {title}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Name"
          required
          autoFocus
          value={name}
          onChange={setName}
          maxLength={60}
          error={tried && missing ? 'Give the view a name' : undefined}
        />
        {shareLabel !== undefined && <CheckboxField label={shareLabel} checked={shared} onChange={setShared} />}
      </form>
    </Modal>
  )
}
