import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { TextField } from '../fields/text-field.tsx'
import styles from './dialogs.module.css'
import { Modal } from './modal.tsx'

export type ConfirmQuestion = {
  /** Heading; 'Please confirm' by default. */
  title?: string | undefined
  /** The question itself. */
  message: ReactNode
  /** The consequences in words and figures (count, total, payer, date). */
  consequence?: ReactNode
  confirmLabel?: string | undefined
  cancelLabel?: string | undefined
  danger?: boolean | undefined
  /** A word that must be typed to confirm, for actions that move money. */
  typed?: string | undefined
}

export type ConfirmDialogProps = ConfirmQuestion & {
  open: boolean
  busy?: boolean | undefined
  onConfirm: () => void
  onCancel: () => void
}

/** A question before an action. The focus starts on the safe answer and returns to where it was. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return props.open ? <OpenConfirm {...props} /> : null
}

function OpenConfirm(props: ConfirmDialogProps) {
  const { title = 'Please confirm', message, consequence, confirmLabel = 'OK', cancelLabel = 'Cancel', danger, typed, busy } = props
  const [text, setText] = useState('')
  const wanted = typed !== undefined && text.trim() !== typed ? `Type ${typed} first` : undefined
  return (
    <Modal
      open
      onClose={props.onCancel}
      title={title}
      role="alertdialog"
      footer={
        <>
          <Button onClick={props.onCancel} autoFocus={typed === undefined}>
            {cancelLabel}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} disabledReason={wanted} reasonHidden onClick={props.onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.message}>{message}</div>
      {consequence && <div className={styles.consequence}>{consequence}</div>}
      {typed !== undefined && <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} autoFocus />}
    </Modal>
  )
}

type Asked = ConfirmQuestion & { answer: (yes: boolean) => void }
let asked: Asked | null = null
const listeners = new Set<() => void>()

/** Asks in a dialog and resolves to true if confirmed. Needs one `ConfirmHost` on the page; a second question cancels the first. */
export function confirm(question: ConfirmQuestion): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    setAsked({
      ...question,
      answer: (yes) => {
        setAsked(null)
        resolve(yes)
      },
    })
  })
}

/** Shows the questions of `confirm`; rendered once on the page. */
export function ConfirmHost() {
  const question = useSyncExternalStore(subscribe, () => asked)
  if (!question) return null
  return <ConfirmDialog {...question} open onConfirm={() => question.answer(true)} onCancel={() => question.answer(false)} />
}

function setAsked(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
