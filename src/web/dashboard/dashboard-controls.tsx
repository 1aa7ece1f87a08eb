import { lazy, Suspense } from 'react'
import { basisLabels, dashboardBases } from '#contract/dashboard/basis.ts'
import { graphTypeLabels, graphTypes, type DashboardAnswer } from '#contract/dashboard/dashboard.ts'
import { dateRangeLabels, dateRanges } from '#contract/dashboard/date-range.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { Chips } from '../ui/page-header.tsx'
import styles from './dashboard.module.css'
import { DashboardWindows } from './dashboard-windows.tsx'
import { comparisonsFor, monthsOf, shownComparison, type ComparisonChoice, type DashboardChoices } from './use-dashboard.ts'

interface ControlsProps {
  readonly choices: DashboardChoices
  readonly choose: (changed: Partial<DashboardChoices>) => void
  readonly answer: DashboardAnswer | undefined
}

const comparisonLabels: Readonly<Record<ComparisonChoice, string>> = {
  previous: 'Compare to previous period',
  last_year: 'Compare to last year',
  none: 'No comparison',
}

const OwnRange = lazy(() => import('./own-range.tsx').then((module) => ({ default: module.OwnRange })))
const OWN_RANGE = 'own'

/** A range of one's own begins with the months that are chosen now, whether or not they have been answered yet. */
function rangeChosen(wanted: string, choices: DashboardChoices, compare: ComparisonChoice): Partial<DashboardChoices> {
  if (wanted === OWN_RANGE) return { ...monthsOf(choices), compare }
  return { date_range_type: dateRanges.find((range) => range === wanted) ?? choices.date_range_type, from_month: '', to_month: '', compare }
}

/** Controls for service, months, the graph's values, comparison and basis. */
export function DashboardControls({ choices, choose, answer }: ControlsProps) {
  const services = (answer?.service_options ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  // A service named in the address stays chosen while the options load, and if the scope does not have it.
  const unknown =
    choices.service && !services.some(({ value }) => value === choices.service)
      ? [{ value: choices.service, label: `Service ${choices.service}` }]
      : []
  // The shown comparison stays selected when another range is chosen.
  const shown = shownComparison(choices)
  return (
    <section className={styles.controls} aria-label="What the dashboard shows">
      <SelectField
        label="Service"
        name="service"
        value={choices.service}
        emptyLabel="All services"
        options={[...services, ...unknown]}
        onChange={(service) => choose({ service })}
      />
      <SelectField
        label="Date range"
        name="date_range_type"
        value={choices.from_month === '' ? choices.date_range_type : OWN_RANGE}
        options={[...dateRanges.map((value) => ({ value, label: dateRangeLabels[value] })), { value: OWN_RANGE, label: 'Custom Months' }]}
        onChange={(wanted) => choose(rangeChosen(wanted, choices, shown))}
      />
      <SelectField
        label="Graph"
        name="graph_data_type"
        value={choices.graph_data_type}
        options={graphTypes.map((value) => ({ value, label: graphTypeLabels[value] }))}
        onChange={(chosen) => choose({ graph_data_type: graphTypes.find((type) => type === chosen) ?? choices.graph_data_type })}
      />
      <SelectField
        label="Comparison"
        name="compare"
        value={shown}
        options={comparisonsFor(choices).map((value) => ({ value, label: comparisonLabels[value] }))}
        onChange={(wanted) => choose({ compare: comparisonsFor(choices).find((one) => one === wanted) ?? shown })}
      />
      <SelectField
        label="Basis"
        name="basis"
        value={choices.basis}
        options={dashboardBases.map((value) => ({ value, label: basisLabels[value] }))}
        onChange={(wanted) => choose({ basis: dashboardBases.find((basis) => basis === wanted) ?? choices.basis })}
      />
      {choices.from_month !== '' && (
        <Suspense>
          <OwnRange choices={choices} choose={choose} />
        </Suspense>
      )}
      {answer && <DashboardWindows answer={answer} compared={shown !== 'none'} />}
      <Chips
        label="In force"
        items={[
          ...(choices.as_of
            ? [{ key: 'as_of', name: 'As of', text: formatDate(choices.as_of), onRemove: () => choose({ as_of: '' }) }]
            : []),
          ...(answer?.scope.partial ? [{ key: 'partial', text: 'Showing only what you may see' }] : []),
        ]}
      />
    </section>
  )
}
