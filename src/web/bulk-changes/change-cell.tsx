import styles from './bulk-changes.module.css'

type Change = { readonly from: string | null; readonly to: string | null } | undefined

/** The current value struck through, and the new one. */
export function ChangeCell({ change }: { change: Change }) {
  if (!change) return null
  return (
    <span className={styles.change}>
      <del className={styles.old}>{change.from ?? '(empty)'}</del>
      <span aria-hidden="true">→</span>
      <ins className={styles.new}>{change.to ?? '(empty)'}</ins>
    </span>
  )
}

export function changeWords(change: Change): string | undefined {
  return change && `${change.from ?? '(empty)'} → ${change.to ?? '(empty)'}`
}
