import type { OriginatingProfile } from '#contract/originating-profiles/originating-profile.ts'
import { StatusDot } from '../ui/status.tsx'
import styles from './bank-profiles.module.css'

/** Lists what the profile lacks for a NACHA file, each with a link to its field. */
export function ProfileGaps({ row }: { row: OriginatingProfile }) {
  const gaps = row.gaps ?? []
  if (gaps.length === 0) return null
  return (
    <div className={styles.gaps} role="status">
      <p>No ACH file can be written with this profile:</p>
      <ul>
        {gaps.map(({ field, sentence }) => (
          <li key={field}>
            <button type="button" onClick={() => focusField(field)}>
              {sentence}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The profile's state as a status, for the heading and for the list. */
export function ProfileState({ row }: { row: OriginatingProfile }) {
  const count = row.gaps?.length ?? 0
  if (!row.active) return <StatusDot tone="grey">Inactive</StatusDot>
  if (count === 0) return <StatusDot tone="ok">Complete</StatusDot>
  return (
    <StatusDot tone="warn" shape="ring">
      {count === 1 ? '1 field missing' : `${count} fields missing`}
    </StatusDot>
  )
}

function focusField(name: string): void {
  document.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}
