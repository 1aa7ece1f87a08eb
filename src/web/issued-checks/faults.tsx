import { FailedAttempt, type Attempt } from '../kernel/attempt.tsx'
import styles from './issued-checks.module.css'

interface FaultsProps {
  readonly attempt: Attempt
  /** The field of the request whose messages are the faults. */
  readonly field: string
  readonly label: string
  readonly again: () => void
  readonly what: string
}

/** Shows why the last attempt failed: the faults of one field as a list, anything else as a sentence. */
export function Faults({ attempt, field, label, again, what }: FaultsProps) {
  const faults = attempt.failure?.fields[field] ?? []
  if (faults.length === 0) return <FailedAttempt attempt={attempt} again={again} what={what} />
  return (
    <ul className={styles.faults} role="alert" aria-label={label}>
      {faults.map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </ul>
  )
}
