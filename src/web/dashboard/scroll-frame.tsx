import type { ReactNode } from 'react'
import styles from './dashboard.module.css'

/** A part without links that scrolls sideways is scrolled by the keys once it has the focus. */
const FOCUSABLE = 0

/** The frame of a table that holds nothing to focus. */
export function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.tableFrame} tabIndex={FOCUSABLE} role="region" aria-label={label}>
      {children}
    </div>
  )
}
