import { graphTypeLabels, graphTypes, type DashboardAnswer } from '#contract/dashboard.ts'
import { dateRangeLabels, dateRanges } from '#contract/date-range.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { SelectField, SwitchField } from '../ui/fields/choice-fields.tsx'
import { Chips } from '../ui/page-header.tsx'
import styles from './dashboard.module.css'
import type { DashboardChoices } from './use-dashboard.ts'

interface ControlsProps {
  readonly choices: DashboardChoices
  readonly choose: (changed: Partial<DashboardChoices>) => void
  readonly answer: DashboardAnswer | undefined
}

/** Which service, which months, compared with what, and what the graph shows. */
export function DashboardControls({ choices, choose, answer }: ControlsProps) {
  const services = (answer?.service_options ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  // A service of a kept address stays chosen while the options are on their way, and where the scope has none of it.
  const unknown =
    choices.service && !services.some(({ value }) => value === choices.service)
      ? [{ value: choices.service, label: `Service ${choices.service}` }]
      : []
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
        value={choices.date_range_type}
        options={dateRanges.map((value) => ({ value, label: dateRangeLabels[value] }))}
        onChange={(chosen) => choose({ date_range_type: dateRanges.find((range) => range === chosen) ?? choices.date_range_type })}
      />
      <SelectField
        label="Graph"
        name="graph_data_type"
        value={choices.graph_data_type}
        options={graphTypes.map((value) => ({ value, label: graphTypeLabels[value] }))}
        onChange={(chosen) => choose({ graph_data_type: graphTypes.find((type) => type === chosen) ?? choices.graph_data_type })}
      />
      <div className={styles.switch}>
        <SwitchField
          label="Compare to last year"
          name="compare_to_last_year"
          checked={choices.compare_to_last_year}
          onChange={(compare_to_last_year) => choose({ compare_to_last_year })}
        />
      </div>
      <p className={`${styles.windows} num`}>
        {answer && (
          <>
            {formatDate(answer.windows.current.from)} – {formatDate(answer.windows.current.to)}
            <span className={styles.quiet}>
              {' '}
              against {formatDate(answer.windows.previous.from)} – {formatDate(answer.windows.previous.to)}
            </span>
          </>
        )}
      </p>
      <Chips
        label="In force"
        items={[
          ...(choices.as_of
            ? [{ key: 'as_of', name: 'As of', text: formatDate(choices.as_of), onRemove: () => choose({ as_of: '' }) }]
            : []),
          ...(answer?.scope.partial ? [{ key: 'partial', text: 'Only the part that you may see' }] : []),
        ]}
      />
    </section>
  )
}
