/** The last five bills of a service, opened in place. */
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import styles from './bill-entry.module.css'

const LastFiveTable = lazy(() => import('./last-five-table.tsx').then((module) => ({ default: module.LastFiveTable })))

export function LastFiveBills(props: ComponentProps<typeof LastFiveTable>) {
  const [open, setOpen] = useState(false)
  return (
    <details className={styles.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Last five bills</summary>
      {open && (
        <Suspense>
          <LastFiveTable {...props} />
        </Suspense>
      )}
    </details>
  )
}
