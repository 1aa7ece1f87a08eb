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
  /** What came of it, in words and figures, or what was refused. */
  readonly details?: ReactNode
  readonly answers: readonly ResultAnswer[]
  readonly onClose: () => void
}

/** What came of an act. It is left by one of its answers, or by Escape. */
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

/** The sentences of a refusal, a line each; nothing where there is none. */
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

/** What a failed call says, as sentences. */
export function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof ApiProblem) return error.messages
  return [error instanceof Error ? error.message : String(error)]
}
