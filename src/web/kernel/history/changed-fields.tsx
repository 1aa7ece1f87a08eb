import type { HistoryVersion } from '#contract/audit-log/audit-log.ts'
import { cx } from '../../ui/class-names.ts'
import { Missing } from '../../ui/status.tsx'
import styles from './history.module.css'

/** The fields that a version changed, with old and new values. A new record has no old values, a deleted one no new values. */
export function ChangedFields({ version: { event, changes } }: { version: Pick<HistoryVersion, 'event' | 'changes'> }) {
  if (changes.length === 0) return null
  const sides = [
    ...(event === 'create' ? [] : [{ key: 'from', label: event === 'destroy' ? 'Was' : 'From' } as const]),
    ...(event === 'destroy' ? [] : [{ key: 'to', label: event === 'create' ? 'Value' : 'To' } as const]),
  ]
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {sides.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.key}>
            <th scope="row">{change.label}</th>
            {sides.map(({ key }) => (
              <td key={key} className={cx(key === 'from' && event === 'update' && styles.before)}>
                {change[key] === null ? <Missing word="empty" /> : change[key]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
