/** Why the cost changed against the year before: a sentence, a chart by service, and a table that leads to the bills. */
import { useState } from 'react'
import { basisLabels } from '#contract/dashboard/basis.ts'
import { type ChildKind } from '#contract/dashboard/dashboard-children.ts'
import type { CostChange, ServiceSplit } from '#contract/dashboard/dashboard-cost-change.ts'
import { formatMonth, monthOf } from '#contract/kernel/date.ts'
import { approximately } from '#contract/kernel/decimal.ts'
import { saveDrawing, saveText } from '../kernel/open-file.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import type { ChartSeries } from '../ui/charts/chart-types.ts'
import { Chart } from '../ui/charts/chart.tsx'
import type { FigureOf } from './bills-behind.ts'
import { CostChangeTable } from './cost-change-table.tsx'
import { changeSentence, costChangeCsv, DEFAULT_CHANGE_ORDER, signedMoney, sortedChanges } from './cost-change-columns.ts'
import { basisInName, fileNameOf } from './graph-csv.ts'
import styles from './dashboard.module.css'
import { useCostChange, type DashboardChoices, type DashboardSubject } from './use-dashboard.ts'
import { weatherHref } from './use-weather.ts'

export interface CostChangeProps {
  readonly subject: DashboardSubject
  readonly choices: DashboardChoices
  readonly kind: ChildKind
  /** The subject of the figures; null if the person may not read their bills. */
  readonly bills: FigureOf | null
  readonly scopeName: string
}

/** Services with a bar of their own: those whose cost changed most. */
const BARS_MAX = 8

export function CostChangeSection({ subject, choices, kind, bills, scopeName }: CostChangeProps) {
  const asked = useCostChange(subject, choices, kind)
  return (
    <section aria-label="Why did cost change?" className={styles.ranked} aria-busy={asked.isPlaceholderData}>
      <RecordGate asked={asked}>
        {(answer) => <Answer answer={answer} bills={bills} scopeName={scopeName} weather={weatherOf(subject, choices)} />}
      </RecordGate>
    </section>
  )
}

/** The page that compares a facility's usage in the same weather; null for another scope. */
function weatherOf(
  { client_id, scope_type, scope_id }: DashboardSubject,
  { service, from_month, to_month }: DashboardChoices,
): string | null {
  return scope_type === 'facility' ? weatherHref(client_id, scope_id, { service, from_month, to_month }) : null
}

interface AnswerProps {
  readonly answer: CostChange
  readonly bills: FigureOf | null
  readonly scopeName: string
  readonly weather: string | null
}

function Answer({ answer, bills, scopeName, weather }: AnswerProps) {
  const [order, setOrder] = useState(DEFAULT_CHANGE_ORDER)
  const rows = sortedChanges(answer.rows, order)
  const file = fileNameOf([
    scopeName,
    'why-cost-changed',
    answer.children,
    monthOf(answer.windows.current.from),
    ...basisInName(answer.basis),
  ])
  return (
    <>
      <div className={styles.rankedBar}>
        <h2>Why did cost change?</h2>
        <span className={styles.rankedActs}>
          {weather !== null && (
            <ButtonLink small href={weather}>
              In the Same Weather
            </ButtonLink>
          )}
          <Button
            small
            disabledReason={rows.length === 0 ? 'Nothing is billed' : undefined}
            onClick={() => saveText(`${file}.csv`, costChangeCsv(answer, rows))}
          >
            Export Changes
          </Button>
        </span>
      </div>
      {rows.length === 0 ? (
        <p className={styles.quiet}>Nothing is billed in either year.</p>
      ) : (
        <>
          <p className="num">{changeSentence(answer.total)}</p>
          <p className={styles.note}>{formText(answer)}</p>
          <ServicesChart answer={answer} file={file} scopeName={scopeName} />
          <PartsLegend />
          <CostChangeTable answer={answer} rows={rows} order={order} onOrder={setOrder} bills={bills} />
        </>
      )}
    </>
  )
}

function formText({ windows, basis }: CostChange): string {
  const { current, previous } = windows
  return [
    `${spanText(current)} against ${spanText(previous)}, ${basisLabels[basis].toLowerCase()}.`,
    'By usage: change of usage × former unit cost. By price: change of unit cost × present usage.',
    'Both are of the days that bills of both years cover, account by account and service by service.',
  ].join(' ')
}

function spanText({ from, to }: CostChange['windows']['current']): string {
  return `${formatMonth(monthOf(from))} – ${formatMonth(monthOf(to))}`
}

/** The parts of each service's change, stacked: what rose stands above the line, what fell below it. */
function ServicesChart({ answer, file, scopeName }: { answer: CostChange; file: string; scopeName: string }) {
  const services = answer.services.slice(0, BARS_MAX)
  const title = 'Change of cost by service'
  const one = (
    name: string,
    shade: number,
    look: NonNullable<ChartSeries['looks']>[number],
    of: (service: ServiceSplit) => string,
  ): ChartSeries => ({
    name,
    color: 'telecom',
    shade,
    values: services.map((service) => approximately(of(service))),
    looks: services.map(() => look),
  })
  return (
    <Chart
      title={title}
      kind="stacked"
      namedBeside
      categories={services.map(({ name }) => name)}
      series={[
        one('By usage', 0, {}, (service) => service.by_usage),
        one('By price', 0, { outlined: true }, (service) => service.by_price),
        one('Not split', 2, { hatched: true }, (service) => service.unsplit),
      ]}
      valueText={(value) => signedMoney(value.toFixed(2))}
      scalePrefix="$"
      height={220}
      saving={{
        lines: [scopeName, formText(answer)],
        onPicture: (svg) => saveDrawing(`${file}.svg`, svg),
        onValues: () => saveText(`${file}.csv`, costChangeCsv(answer, answer.rows)),
      }}
    />
  )
}

/** The parts of a change have one colour; their looks tell them apart. */
function PartsLegend() {
  return (
    <ul className={styles.legend} aria-label="Parts of a change">
      <li>
        <span className={styles.filledMark} aria-hidden="true" />
        Filled: by usage
      </li>
      <li>
        <span className={styles.outlinedMark} aria-hidden="true" />
        Outlined: by price
      </li>
      <li>
        <span className={styles.hatchedMark} aria-hidden="true" />
        Hatched: not split
      </li>
    </ul>
  )
}
