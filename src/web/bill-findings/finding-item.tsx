/** One finding on its bill's page: the error, the figures, the assignee, and the actions. */
import type { BillDetail, BillFinding } from '#contract/bills/bill-detail.ts'
import { reasonLabel } from '#contract/bill-findings/bill-finding.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { Button } from '../ui/button.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import { UiLink } from '../ui/link.tsx'
import { wireText } from '../ui/status.tsx'
import styles from './bill-findings.module.css'
import { SeverityMark } from './finding-look.tsx'
import { FindingPanel, type PanelMode } from './finding-panels.tsx'
import { FindingStory } from './finding-story.tsx'
import { useFindingActs, type FindingActs } from './use-finding-acts.ts'

export interface FindingItemProps {
  readonly finding: BillFinding
  readonly bill: BillDetail
  readonly mayChange: boolean
  readonly userId: number | undefined
  /** Whether the shortcuts apply to this finding. */
  readonly isCurrent: boolean
  readonly isOpen: boolean
  readonly mode: PanelMode | null
  readonly onToggle: () => void
  readonly onMode: (mode: PanelMode | null, done?: boolean) => void
}

export function FindingItem(props: FindingItemProps) {
  const { finding, bill, mayChange, userId, isCurrent, isOpen, mode, onToggle, onMode } = props
  const acts = useFindingActs(bill.client_id, finding.id)
  return (
    <li data-finding={finding.id} aria-current={isCurrent ? 'true' : undefined} data-current={isCurrent || undefined}>
      <SeverityMark severity={finding.severity} />
      <div className={styles.body}>
        <Message finding={finding} bill={bill} />
        <Arithmetic finding={finding} />
        <Standing finding={finding} />
        <div className={styles.acts}>
          {mayChange && <ActButtons finding={finding} acts={acts} hasKeys={isCurrent} onMode={onMode} />}
          <Button small kind="quiet" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? 'Hide history' : 'History'}
          </Button>
        </div>
        {mode && (
          <FindingPanel
            mode={mode}
            clientId={bill.client_id}
            assignedTo={finding.assigned_to}
            userId={userId}
            acts={acts}
            onClose={(done) => onMode(null, done)}
          />
        )}
        {isOpen && <FindingStory clientId={bill.client_id} id={finding.id} />}
      </div>
    </li>
  )
}

function Message({ finding, bill }: Pick<FindingItemProps, 'finding' | 'bill'>) {
  const line = bill.service_bills.find((one) => one.id === finding.service_bill_id)
  return (
    <>
      <p>
        {line && <span className={styles.quiet}>{`${line.service_utility_service_name ?? 'Service'} ${line.service_meter_number}: `}</span>}
        {finding.message}
      </p>
      {finding.other_bill_id !== null && (
        <p className={styles.links}>
          <UiLink href={`/clients/${bill.client_id}/bills/${finding.other_bill_id}`}>Open bill {finding.other_bill_id}</UiLink>
          {finding.code.startsWith('duplicate') && (
            <UiLink href={`/clients/${bill.client_id}/bills/${bill.id}/compare/${finding.other_bill_id}`}>Compare the two</UiLink>
          )}
        </p>
      )}
    </>
  )
}

function Arithmetic({ finding }: { finding: BillFinding }) {
  const figures = [
    ['Expected', finding.expected],
    ['Actual', finding.actual],
    ['Limit', finding.limit],
  ] as const
  const known = figures.filter(([, value]) => value !== null)
  if (known.length === 0) return null
  return <p className={`${styles.quiet} num`}>{known.map(([label, value]) => `${label} ${wireText(value ?? '')}`).join(' · ')}</p>
}

/** The assignee of an open finding, or how it was resolved. */
function Standing({ finding }: { finding: BillFinding }) {
  if (finding.resolved_at === null)
    return finding.assigned_to_name === null ? null : <p className={styles.quiet}>Assigned to {finding.assigned_to_name}</p>
  return (
    <p className={styles.quiet}>
      Settled {formatDate(todayIn(NEW_YORK, finding.resolved_at))}
      {finding.resolved_by_name ? ` by ${finding.resolved_by_name}` : ''}: {reasonLabel(finding.reason) ?? 'no reason given'}
      {finding.comment && <q className={styles.comment}>{finding.comment}</q>}
    </p>
  )
}

interface ActButtonsProps extends Pick<FindingItemProps, 'finding' | 'onMode'> {
  readonly acts: FindingActs
  readonly hasKeys: boolean
}

function ActButtons({ finding, acts, hasKeys, onMode }: ActButtonsProps) {
  const modes: readonly (readonly [PanelMode, string, string | null])[] =
    finding.resolved_at === null
      ? [
          ['resolve', 'Resolve', 'r'],
          ['assign', 'Assign', 'a'],
          ['comment', 'Comment', 'c'],
        ]
      : [
          ['reopen', 'Open again', null],
          ['comment', 'Comment', null],
        ]
  return modes.map(([mode, label, keys]) => (
    <Button key={mode} small disabled={acts.attempt.busy} onClick={() => onMode(mode)}>
      {label}
      {hasKeys && keys && <KeyHint keys={keys} />}
    </Button>
  ))
}
