/** The marks at a field: where its value comes from, how sure it was read, and its worst finding. */
import { CornerRightDown } from 'lucide-react'
import { confidentFrom, type ReadField } from '#contract/bill-reading/bill-reading.ts'
import { cx } from '../ui/class-names.ts'
import type { FormFinding } from './audit-form.ts'
import styles from './bill-fields.module.css'
import { severityWords } from './bill-words.ts'

/** Shows that the value was not typed. */
export function CarriedMark({ from, passed }: { from: string; passed: boolean }) {
  return (
    <span className={styles.carriedMark} title={passed ? `${from}. Enter passes it; Tab and Shift+Enter reach it.` : from}>
      <CornerRightDown size={11} aria-hidden="true" />
      <span className="sr-only">{from}</span>
    </span>
  )
}

/** The read confidence; a low one has another shape, not only another colour. */
export function ReadMark({ read }: { read: ReadField }) {
  const percent = `${Math.round(read.confidence * 100)}%`
  const sure = read.confidence >= confidentFrom
  const said = `Read from the document, ${percent} sure${sure ? '' : ': please check'}`
  return (
    <span className={cx(styles.readMark, !sure && styles.unsure)} title={said}>
      <span aria-hidden="true">{sure ? percent : `${percent}?`}</span>
      <span className="sr-only">{said}</span>
    </span>
  )
}

/** Marks the worst finding at this field; the messages are in the list below. */
export function FindingMark({ findings }: { findings: readonly FormFinding[] }) {
  const worst = findings.find((finding) => finding.severity.startsWith('E')) ?? findings[0]
  const text = findings.map((finding) => finding.message).join(' ')
  return (
    <span className={cx(styles.findingMark, worst?.severity === 'I' && styles.quiet)} title={text}>
      <span aria-hidden="true">{worst?.severity.startsWith('E') ? '▲' : '△'}</span>
      <span className="sr-only">
        {worst && severityWords[worst.severity].word}: {text}
      </span>
    </span>
  )
}
