import { Suspense, useState, type ReactNode } from 'react'
import styles from './bill-entry.module.css'
import { useFormPlace } from './form-context.ts'

export interface FoldProps {
  readonly summary: string
  /** What is in it. */
  readonly what: string
  readonly open?: boolean
  /** `opened` once it has been open. Its code comes when the form has come to rest, or when it is opened. */
  readonly children: (opened: boolean) => ReactNode
}

/** A folded part of the form. It is there though closed, so that a message at one of its fields can be led to. */
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
