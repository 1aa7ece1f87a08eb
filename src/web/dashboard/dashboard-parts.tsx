/** The figures at a glance, the graphs, and the table of the scope's divisions, facilities, accounts or services. */
import { lazy, Suspense } from 'react'
import { childKindsOf, type ChildKind, type ChildRow } from '#contract/dashboard/dashboard-children.ts'
import type { DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { useCan } from '../kernel/permissions.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Skeleton } from '../ui/states.tsx'
import { billsBehind, billsOfRow, type FigureOf } from './bills-behind.ts'
import { DashboardTiles } from './dashboard-tiles.tsx'
import styles from './dashboard.module.css'
import { addressOf, shownComparison, useChildren, type DashboardChoices, type DashboardSubject } from './use-dashboard.ts'

const DashboardCharts = lazy(() => import('./dashboard-charts.tsx').then((module) => ({ default: module.DashboardCharts })))
/** The table stands below the graphs, so its code comes after theirs. */
const ChildrenTable = lazy(() => import('./children-table.tsx').then((module) => ({ default: module.ChildrenTable })))

const CostChangeSection = lazy(() => import('./cost-change.tsx').then((module) => ({ default: module.CostChangeSection })))

export interface DashboardPartsProps {
  readonly answer: DashboardAnswer
  readonly subject: DashboardSubject
  readonly choices: DashboardChoices
  readonly choose: (changed: Partial<DashboardChoices>) => void
  readonly by: ChildKind
}

export function DashboardParts({ answer, subject, choices, choose, by }: DashboardPartsProps) {
  const kinds = useKinds(subject)
  const kind = [choices.by, by, ...kinds].find((one): one is ChildKind => kinds.some((known) => known === one)) ?? 'services'
  const asked = useChildren(subject, choices, kind)
  const path = usePath()
  const compared = shownComparison(choices) !== 'none'
  const isEnergy = choices.service === ''
  const monthsNow = answer.graphs.coverage.length
  const bills = useBills(answer, subject, choices)
  const hrefOf = (row: ChildRow) => hrefTo(row, kind, subject.client_id, path, choices)
  const parts = asked.data
  return (
    <>
      {parts && (
        <DashboardTiles answer={parts} compared={compared} isEnergy={isEnergy} monthsNow={monthsNow} bills={bills && billsBehind(bills)} />
      )}
      <Suspense fallback={<Skeleton height={420} />}>
        <DashboardCharts graphs={answer.graphs} basis={answer.basis} compared={compared} bills={bills} scopeName={answer.scope.name} />
      </Suspense>
      <RecordGate asked={asked}>
        {(found) => (
          <div aria-busy={asked.isPlaceholderData} className={styles.rankedFrame}>
            <Suspense fallback={<Skeleton height={320} />}>
              <ChildrenTable
                answer={found}
                kinds={kinds}
                order={choices.order}
                compared={compared}
                isEnergy={isEnergy && found.children !== 'services'}
                monthsNow={monthsNow}
                fileName={answer.scope.name.replaceAll(/[^\w-]+/g, '-').toLowerCase()}
                hrefOf={hrefOf}
                billsOf={(row) => bills && billsOfRow(bills, kind, row)}
                onKind={(chosen) => choose({ by: chosen === by ? '' : chosen })}
                onOrder={(order) => choose({ order: order === '-cost' ? '' : order })}
              />
            </Suspense>
          </div>
        )}
      </RecordGate>
      <Suspense fallback={<Skeleton height={240} />}>
        <CostChangeSection subject={subject} choices={choices} kind={kind} bills={bills} scopeName={answer.scope.name} />
      </Suspense>
    </>
  )
}

/** The figures of the whole period, as the list of their bills asks for them; null for whoever may not read bills. */
function useBills(
  { basis, windows, scope, service_options }: DashboardAnswer,
  subject: DashboardSubject,
  choices: DashboardChoices,
): FigureOf | null {
  const path = usePath()
  const reads = useCan('bill.read')
  if (!reads) return null
  const service = service_options.find(({ id }) => String(id) === choices.service)?.name
  const of = service === undefined ? scope.name : `${scope.name}, ${service}`
  return { subject, basis, service: choices.service, ...windows.current, of, back: addressOf(path, choices) }
}

/** Kinds of children that the scope has and the reader may read. */
function useKinds({ scope_type }: DashboardSubject): readonly ChildKind[] {
  const divisions = useCan('division.read')
  const facilities = useCan('facility.read')
  return childKindsOf[scope_type].filter((kind) => (kind !== 'divisions' || divisions) && (kind !== 'facilities' || facilities))
}

/** The dashboard of a row, with the same choices; of a service it is this one, narrowed to it. */
function hrefTo({ id, account_type }: ChildRow, kind: ChildKind, clientId: number, path: string, choices: DashboardChoices): string | null {
  if (id === null) return null
  const own = { ...choices, by: '', order: '' } as const
  if (kind === 'services') return addressOf(path, { ...choices, service: String(id) })
  const section = kind === 'accounts' ? (account_type === 'SupplyAccount' ? 'supply_accounts' : 'billable_accounts') : kind
  return addressOf(`/clients/${clientId}/${section}/${id}/dashboard`, own)
}
