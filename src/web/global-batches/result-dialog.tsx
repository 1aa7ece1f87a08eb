import type { ReactNode } from 'react'
import { ApiProblem } from '../kernel/api-problem.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import styles from './global-batches.module.css'

interface ResultAnswer {
  readonly label: string
  readonly primary?: boolean
  readonly run: () => void
}

interface ResultProps {
  readonly title: string
  /** The specification's sentence. */
  readonly message: string
  /** The result in words and figures, or what was rejected. */
  readonly details?: ReactNode
  readonly answers: readonly ResultAnswer[]
  readonly onClose: () => void
}

/** Shows the result of an action. It is closed by one of its answers, or by Escape. */
export function ResultDialog({ title, message, details, answers, onClose }: ResultProps) {
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      role="alertdialog"
      width={480}
      footer={answers.map(({ label, primary = false, run }) => (
        <Button key={label} kind={primary ? 'primary' : 'default'} autoFocus={primary} onClick={run}>
          {label}
        </Button>
      ))}
    >
      <p className={styles.message}>{message}</p>
      {details}
    </Modal>
  )
}

/** The reasons of a rejection, one per line; nothing if there are none. */
export function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <ul className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}

/** Returns the messages of a failed call as sentences. */
export function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof ApiProblem) return error.messages
  return [error instanceof Error ? error.message : String(error)]
}
