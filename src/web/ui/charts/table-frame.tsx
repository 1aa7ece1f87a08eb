import type { ReactNode } from 'react'
import styles from './charts.module.css'

/** The table of a drawing's values. It is for screen readers alone while the drawing is visible (`hidden`). */
export function TableFrame({ title, hidden, children }: { title: string; hidden: boolean; children: ReactNode }) {
  return (
    <div
      className={hidden ? 'sr-only' : styles.tableFrame}
      tabIndex={hidden ? undefined : 0}
      role={hidden ? undefined : 'region'}
      aria-label={hidden ? undefined : title}
    >
      <table className={styles.table}>
        <caption className="sr-only">{title}</caption>
        {children}
      </table>
    </div>
  )
}
