import { Suspense, useState, type ReactNode } from 'react'
import styles from './bill-entry.module.css'
import { useFormPlace } from './form-context.ts'

export interface FoldProps {
  readonly summary: string
  /** Names the contents. */
  readonly what: string
  readonly open?: boolean
  /** Renders the contents. `opened` is true once the part has been open. The code loads when the form is idle or the part is opened. */
  readonly children: (opened: boolean) => ReactNode
}

/** A folded part of the form. Its fields are rendered while it is closed, so that an error in one of them can be focused. */
export function Fold({ summary, what, open = false, children }: FoldProps) {
  const [opened, setOpened] = useState(open)
  const { atRest } = useFormPlace()
  return (
    <details className={styles.more} open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        {summary} <span className={styles.quiet}>{what}</span>
      </summary>
      {(opened || atRest) && <Suspense>{children(opened)}</Suspense>}
    </details>
  )
}
