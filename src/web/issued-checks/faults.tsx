import type { Attempt } from '../kernel/attempt.tsx'
import styles from './issued-checks.module.css'

/** Lists each reason that the last attempt was refused for at this field. */
export function Faults({ attempt: { failure }, field, label }: { attempt: Attempt; field: string; label: string }) {
  const faults = failure?.fields[field] ?? []
  if (faults.length === 0) return null
  return (
    <ul className={styles.faults} aria-label={label}>
      {faults.map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </ul>
  )
}
