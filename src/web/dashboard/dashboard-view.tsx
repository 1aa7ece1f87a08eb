/** The dashboard of one scope: its controls, its metrics as a ledger, its graphs and its summary. */
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import type { DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { formatDate } from '#contract/kernel/date.ts'
import type { ChildKind } from '#contract/dashboard/dashboard-children.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { usePath } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can } from '../kernel/permissions.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/states.tsx'
import { DashboardControls } from './dashboard-controls.tsx'
import { DashboardLedger } from './dashboard-ledger.tsx'
import { DashboardParts } from './dashboard-parts.tsx'
import styles from './dashboard.module.css'
import { UnbilledMeters } from './unbilled-meters.tsx'
import {
  addressOf,
  shownComparison,
  useChoose,
  useDashboard,
  useDashboardChoices,
  type DashboardChoices,
  type DashboardSubject,
} from './use-dashboard.ts'

/** The summary is the last part of the page, so its code comes after the others. */
const DashboardSummary = lazy(() => import('./dashboard-summary.tsx').then((module) => ({ default: module.DashboardSummary })))

export interface DashboardViewProps {
  readonly subject: DashboardSubject
  /** The title before the data arrives: 'Client Dashboard'. The name in the data is appended. */
  readonly title: string
  /** Breadcrumbs and tabs of the record. */
  readonly header?: ReactNode
  /** The preselected utility service. */
  readonly service?: string
  /** The kind of parts that the table lists first. */
  readonly by: ChildKind
}

export function DashboardView({ subject, title, header, service, by }: DashboardViewProps) {
  const choices = useDashboardChoices(service)
  const choose = useChoose(choices)
  const asked = useDashboard(subject, choices)
  const { data } = asked
  const answer = data && !('error' in data) ? data : undefined
  const refusal = data && 'error' in data ? data.message : undefined
  const full = answer ? `${title}: ${answer.scope.name}` : title
  usePageTitle(full)
  useRefusalNotice(refusal)
  return (
    <>
      {header}
      <div className={styles.page} aria-busy={asked.isPlaceholderData}>
        <PageHeader title={full} />
        <DashboardControls choices={choices} choose={choose} answer={answer} />
        <RecordGate asked={asked}>
          {() =>
            answer ? (
              <Answer answer={answer} subject={subject} choices={choices} choose={choose} by={by} />
            ) : (
              <ErrorState title={messages.response_error} message={refusal} onRetry={() => void asked.refetch()} />
            )
          }
        </RecordGate>
      </div>
    </>
  )
}

/** Shows the refusal as a notice, as specified; the page shows it too, permanently. */
function useRefusalNotice(refusal: string | undefined): void {
  useEffect(() => {
    if (refusal !== undefined) notify({ kind: 'error', title: messages.response_error, message: refusal, duration: seconds.usual })
  }, [refusal])
}

interface AnswerProps {
  readonly answer: DashboardAnswer
  readonly subject: DashboardSubject
  readonly choices: DashboardChoices
  readonly choose: (changed: Partial<DashboardChoices>) => void
  readonly by: ChildKind
}

function Answer({ answer, subject, choices, choose, by }: AnswerProps) {
  const path = usePath()
  const compared = shownComparison(choices) !== 'none'
  if (!answer.has_data && !answer.last_year_with_data)
    return <NoBills clientId={subject.client_id} filtered={choices.service !== ''} onAll={() => choose({ service: '' })} />
  return (
    <>
      {answer.last_year_with_data && <LookBack answer={answer} hint={answer.last_year_with_data} choose={choose} />}
      <UnbilledMeters count={answer.dashboard.total_active_meters.without_bills} subject={subject} choices={choices} />
      <DashboardParts answer={answer} subject={subject} choices={choices} choose={choose} by={by} />
      <DashboardLedger answer={answer} clientId={subject.client_id} compared={compared} />
      <Suspense fallback={<Skeleton height={240} />}>
        <DashboardSummary rows={answer.summary} compared={compared} hrefOf={(id) => addressOf(path, { ...choices, service: String(id) })} />
      </Suspense>
    </>
  )
}

function LookBack({
  answer,
  hint,
  choose,
}: {
  answer: DashboardAnswer
  hint: NonNullable<DashboardAnswer['last_year_with_data']>
  choose: AnswerProps['choose']
}) {
  const { from, to } = answer.windows.current
  return (
    <div className={styles.hint} role="status">
      <span>
        There are no bills from {formatDate(from)} to {formatDate(to)}. The last year that has some is {hint.year}.
      </span>
      <Button kind="primary" onClick={() => choose({ as_of: hint.as_of })}>
        {`Show ${hint.year}`}
      </Button>
    </div>
  )
}

function NoBills({ clientId, filtered, onAll }: { clientId: number; filtered: boolean; onAll: () => void }) {
  if (filtered)
    return (
      <EmptyState title="There are no bills of this service" actions={<Button onClick={onAll}>Show all services</Button>}>
        No bills in this period
      </EmptyState>
    )
  return (
    <EmptyState
      title="There are no bills yet"
      actions={
        <Can do="bill.create">
          <ButtonLink kind="primary" href={`/clients/${clientId}/bills/new`}>
            New Bill
          </ButtonLink>
          <ButtonLink href={`/clients/${clientId}/bills/import`}>Import Bills</ButtonLink>
        </Can>
      }
    >
      Cost, usage and emissions show here as soon as the first bill is saved.
    </EmptyState>
  )
}
