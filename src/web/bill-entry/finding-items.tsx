/**
 * Findings with their figures. Each is resolved in place with a reason, which is sent with the save. Findings that were resolved before are
 * folded.
 */
import { findingReasons, type FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { StatusDot, wireText } from '../ui/status.tsx'
import type { FormFinding } from './audit-form.ts'
import billEntry from './bill-entry.module.css'
import styles from './finding-items.module.css'
import { settledKey } from './bill-values.ts'
import { fieldLabel, severityWords } from './bill-words.ts'
import { isOpen, useFormPlace } from './form-context.ts'

export function FindingItems({ findings }: { findings: readonly FormFinding[] }) {
  const now = findings.filter((finding) => finding.earlier === null)
  const earlier = findings.filter((finding) => finding.earlier !== null)
  return (
    <>
      {now.length > 0 && <Items findings={now} />}
      {earlier.length > 0 && (
        <details className={billEntry.more}>
          <summary>{earlier.length === 1 ? '1 finding was settled before' : `${earlier.length} findings were settled before`}</summary>
          <Items findings={earlier} />
        </details>
      )}
    </>
  )
}

function Items({ findings }: { findings: readonly FormFinding[] }) {
  return (
    <ul className={styles.findings}>
      {findings.map((finding, at) => (
        <FindingItem key={`${finding.code} ${at}`} finding={finding} />
      ))}
    </ul>
  )
}

function FindingItem({ finding }: { finding: FormFinding }) {
  const { settled: settledNow, entry } = useFormPlace()
  const settled = !isOpen(finding, settledNow)
  return (
    <li className={cx(settled && styles.settled)} data-finding={finding.code}>
      <FindingWords finding={finding} settled={settled} clientId={entry.client_id} />
      {finding.earlier && <Earlier {...finding.earlier} />}
      {finding.earlier === null && finding.severity !== 'I' && <Settle finding={finding} />}
    </li>
  )
}

interface FindingWordsProps {
  readonly finding: FormFinding
  readonly settled: boolean
  readonly clientId: number
}

/** The finding's severity, message and figures. */
export function FindingWords({ finding, settled, clientId }: FindingWordsProps) {
  const { word, tone, shape } = severityWords[finding.severity]
  const figures = [
    ['expected', finding.expected],
    ['actual', finding.actual],
    ['limit', finding.limit],
  ] as const
  const known = figures.flatMap(([label, value]) => (value === null ? [] : `${label} ${wireText(value)}`))
  return (
    <>
      <StatusDot tone={settled ? 'grey' : tone} shape={shape}>
        {word}
      </StatusDot>
      <span className={styles.findingText}>
        {finding.field && <span className={billEntry.quiet}>{fieldLabel(finding.field)}: </span>}
        {finding.message}
        {known.length > 0 && <span className={cx(billEntry.quiet, 'num')}> ({known.join(' · ')})</span>}
        {finding.other_bill_id !== null && (
          <>
            {' '}
            <UiLink href={`/clients/${clientId}/bills/${finding.other_bill_id}`} target="_blank">
              Open bill {finding.other_bill_id}
            </UiLink>
          </>
        )}
      </span>
    </>
  )
}

/** The earlier resolution of a finding, which only another value reopens. */
function Earlier({ reason, comment, resolved_by_name: by }: NonNullable<FormFinding['earlier']>) {
  // A reason that is not in the list was written by hand.
  const said = findingReasons.find((one) => one.value === reason)?.label ?? reason ?? 'Settled'
  return (
    <span className={billEntry.quiet} title={comment ?? undefined}>
      {[said, by && `by ${by}`].filter(Boolean).join(' ')}
    </span>
  )
}

/** Resolves a finding: the reason is chosen by its first letter, and a comment may follow. */
function Settle({ finding }: { finding: FormFinding }) {
  const { settled: settledNow, set } = useFormPlace()
  const key = settledKey(finding.code, finding.lineKey)
  const settled = settledNow[key]
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
