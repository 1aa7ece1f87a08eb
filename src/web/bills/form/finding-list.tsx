/** What the audits say of the bill or of one line, with the arithmetic; each is settled in place with a reason, which travels with the save. */
import { findingReasons, type FindingReason } from '#contract/finding-reasons.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { UiLink } from '../../ui/link.tsx'
import { StatusDot } from '../../ui/status.tsx'
import styles from './bill-form.module.css'
import { settledKey } from './bill-values.ts'
import { fieldLabel, figureOf, severityWords } from './bill-words.ts'
import { besideThePath } from './field-steps.ts'
import { useFormPlace } from './form-context.ts'
import type { FormFinding } from './read-bill.ts'

/** `lineKey` null is the bill's own. */
export function FindingList({ lineKey }: { lineKey: string | null }) {
  const { findings } = useFormPlace()
  const own = findings.filter((finding) => finding.lineKey === lineKey)
  return (
    <div role="status" aria-label={lineKey === null ? 'Findings of the bill' : 'Findings of the line'} {...besideThePath}>
      {own.length > 0 && (
        <ul className={styles.findings}>
          {own.map((finding, at) => (
            <FindingItem key={`${finding.code} ${at}`} finding={finding} />
          ))}
        </ul>
      )}
    </div>
  )
}

function FindingItem({ finding }: { finding: FormFinding }) {
  const { values, entry } = useFormPlace()
  const { word, tone, shape } = severityWords[finding.severity]
  const settled = settledKey(finding.code, finding.lineKey) in values.settled
  const figures = [
    ['expected', finding.expected],
    ['actual', finding.actual],
    ['limit', finding.limit],
  ] as const
  const known = figures.flatMap(([label, value]) => (value === null ? [] : `${label} ${figureOf(value)}`))
  return (
    <li className={cx(settled && styles.settled)} data-finding={finding.code}>
      <StatusDot tone={settled ? 'grey' : tone} shape={shape}>
        {word}
      </StatusDot>
      <span className={styles.findingText}>
        {finding.field && <span className={styles.quiet}>{fieldLabel(finding.field)}: </span>}
        {finding.message}
        {known.length > 0 && <span className={cx(styles.quiet, 'num')}> ({known.join(' · ')})</span>}
        {finding.other_bill_id !== null && (
          <>
            {' '}
            <UiLink href={`/clients/${entry.client_id}/bills/${finding.other_bill_id}`} target="_blank">
              Open bill {finding.other_bill_id}
            </UiLink>
          </>
        )}
      </span>
      {finding.severity !== 'I' && <Settle finding={finding} />}
    </li>
  )
}

/** A reason is chosen by its first letter; a comment may follow. */
function Settle({ finding }: { finding: FormFinding }) {
  const { values, set } = useFormPlace()
  const key = settledKey(finding.code, finding.lineKey)
  const settled = values.settled[key]
  const choose = (chosen: string) => {
    const reason = findingReasons.find((one) => one.value === chosen)?.value
    set((before) => ({ ...before, settled: withReason(before.settled, key, reason) }))
  }
  return (
    <span className={styles.settle}>
      <select
        className={styles.reason}
        aria-label={`Settle: ${finding.message}`}
        data-settle=""
        value={settled?.reason ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{settled ? 'Open again' : 'Settle…'}</option>
        {findingReasons.map((reason) => (
          <option key={reason.value} value={reason.value}>
            {reason.label}
          </option>
        ))}
      </select>
      {settled && (
        <>
          <input
            className={styles.comment}
            aria-label={`Comment on: ${finding.message}`}
            placeholder="Comment"
            maxLength={2000}
            value={settled.comment}
            onChange={(event) => {
              const comment = event.currentTarget.value
              set((before) => ({ ...before, settled: { ...before.settled, [key]: { ...settled, comment } } }))
            }}
          />
          <Button small kind="quiet" onClick={() => choose('')}>
            Undo
          </Button>
        </>
      )}
    </span>
  )
}

type SettledValues = Readonly<Record<string, { reason: FindingReason; comment: string }>>

function withReason(settled: SettledValues, key: string, reason: FindingReason | undefined): SettledValues {
  const { [key]: before, ...others } = settled
  return reason === undefined ? others : { ...others, [key]: { reason, comment: before?.comment ?? '' } }
}
