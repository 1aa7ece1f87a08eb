/** The four figures at the top of a dashboard, each with the course of two years and what bills cover of both periods. */
import type { ReactNode } from 'react'
import { SPARK_MONTHS, type ChildrenAnswer } from '#contract/dashboard/dashboard-children.ts'
import { formatCoverage } from '#contract/dashboard/metrics.ts'
import { formatMonth } from '#contract/kernel/date.ts'
import { approximately } from '#contract/kernel/decimal.ts'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import { ChildChange, ChildFigure } from './child-figure.tsx'
import styles from './dashboard.module.css'

export interface DashboardTilesProps {
  readonly answer: ChildrenAnswer
  readonly compared: boolean
  /** Usage is energy of several services. */
  readonly isEnergy: boolean
  /** Months of the current period. */
  readonly monthsNow: number
  /** The bills behind the figures; null where the reader may not read them. */
  readonly bills: string | null
}

export function DashboardTiles({ answer, compared, isEnergy, monthsNow, bills }: DashboardTilesProps) {
  const { total, months } = answer
  const { state } = total.comparison
  const spark = (key: 'cost' | 'usage' | 'cost_per_sqft' | 'mtc02e', name: string) => (
    <Sparkline
      values={months.map((month) => (month[key] === null ? null : approximately(month[key])))}
      label={`${name} by month, ${formatMonth(months[0]?.month)} – ${formatMonth(months.at(-1)?.month)}`}
      from={Math.max(0, SPARK_MONTHS - monthsNow)}
    />
  )
  const change = (
    key: 'cost' | 'usage' | 'cost_per_sqft' | 'energy_per_sqft' | 'mtc02e',
    kind: Parameters<typeof ChildChange>[0]['kind'],
  ) => compared && <ChildChange values={total[key]} kind={kind} state={state} />
  const covered = `${formatCoverage(total.coverage.current)} billed${compared ? `, ${formatCoverage(total.coverage.previous)} before` : ''}`
  return (
    <section className={styles.tiles} aria-label="At a glance">
      <Tile label="Cost" spark={spark('cost', 'Cost')} covered={covered}>
        <ChildFigure values={total.cost} kind="money" note={null} href={bills} />
        {change('cost', 'money')}
      </Tile>
      <Tile label={isEnergy ? 'Energy' : 'Usage'} spark={spark('usage', isEnergy ? 'Energy' : 'Usage')} covered={covered}>
        <ChildFigure
          values={total.usage}
          kind="usage"
          note={total.notes.usage}
          href={bills}
          unit={total.usage.current === null ? null : total.unit_symbol}
        />
        {change('usage', 'usage')}
      </Tile>
      <Tile label="Per square foot" spark={spark('cost_per_sqft', 'Cost per square foot')} covered={covered}>
        <span>
          <ChildFigure values={total.cost_per_sqft} kind="per_area" note={total.notes.cost_per_sqft} href={bills} />{' '}
          {change('cost_per_sqft', 'per_area')}
        </span>
        {total.area !== null && (
          <span>
            <ChildFigure
              values={total.energy_per_sqft}
              kind="ratio"
              note={total.notes.energy_per_sqft}
              unit={total.energy_per_sqft.current === null ? null : 'kBtu'}
            />{' '}
            {change('energy_per_sqft', 'ratio')}
          </span>
        )}
      </Tile>
      <Tile label="Emissions" spark={spark('mtc02e', 'Emissions')} covered={covered}>
        <ChildFigure
          values={total.mtc02e}
          kind="tonnes"
          note={total.notes.mtc02e}
          href={bills}
          unit={total.mtc02e.current === null ? null : 'Tonnes'}
        />
        {change('mtc02e', 'tonnes')}
      </Tile>
    </section>
  )
}

function Tile({ label, spark, covered, children }: { label: string; spark: ReactNode; covered: string; children: ReactNode }) {
  return (
    <div className={styles.tile} role="group" aria-label={label}>
      <p className={styles.tileLabel}>{label}</p>
      <div className={styles.tileFigures}>{children}</div>
      {spark}
      <p className={styles.note}>{covered}</p>
    </div>
  )
}
