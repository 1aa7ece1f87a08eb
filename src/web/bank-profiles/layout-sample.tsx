import { useMemo } from 'react'
import { layoutSample } from '#contract/payment-files/layout-sample.ts'
import { layoutWords } from '#contract/payment-files/layout-words.ts'
import type { Layout } from '#contract/payment-files/layout.ts'
import { FileText } from '../ui/preview/file-text.tsx'
import { ProblemList } from '../ui/problem-list.tsx'
import styles from '../ui/layout-editor.module.css'

interface SampleProps {
  readonly layout: Layout
  readonly payerName: string
  readonly isSound: boolean
}

/** Any day does: a sample pays nothing. */
const moment = { date: '2026-11-25', time: '09:30' } as const

/** The layout in words, and the file of three invented payments by the function that writes files. */
export function LayoutSample({ layout, payerName, isSound }: SampleProps) {
  const shown = useMemo(
    () => (isSound ? layoutSample(layout, { client_id: 0, name: payerName, short_code: 'PAYER' }, moment) : null),
    [isSound, layout, payerName],
  )
  return (
    <section className={styles.preview} aria-label="Preview">
      <h3 className={styles.title}>Preview</h3>
      <p className={styles.said}>{layoutWords(layout)}</p>
      {shown === null ? (
        <p className={styles.said}>The file comes when the layout is complete.</p>
      ) : (
        <FileText label="File of three invented payments" text={shown.text} ruled={layout.kind === 'fixed'} />
      )}
      <ProblemList label="Values that do not fit" role="status" problems={shown?.faults ?? []} />
    </section>
  )
}
