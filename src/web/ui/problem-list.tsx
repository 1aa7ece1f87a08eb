import styles from './layout-editor.module.css'

interface ProblemListProps {
  readonly label: string
  /** An alert is read out at once, a status when there is a pause. */
  readonly role: 'alert' | 'status'
  readonly problems: readonly string[]
}

/** A list of what is wrong, read out when it appears. The role is that of the frame, because a list with another role is no list. */
export function ProblemList({ label, role, problems }: ProblemListProps) {
  if (problems.length === 0) return null
  return (
    <div role={role} aria-label={label}>
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  )
}
