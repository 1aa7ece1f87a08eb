/** The ranked parts of a dashboard: sorted by any figure or by its change, filtered by name, exported and printed. */
import { useState } from 'react'
import { childKindLabels, type ChildKind, type ChildRow, type ChildrenAnswer } from '#contract/dashboard/dashboard-children.ts'
import { formatCoverage } from '#contract/dashboard/metrics.ts'
import { formatDecimal, approximately } from '#contract/kernel/decimal.ts'
import { saveText } from '../kernel/open-file.ts'
import { Button } from '../ui/button.tsx'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import { cx } from '../ui/class-names.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { UiLink } from '../ui/link.tsx'
import { SortHead } from '../ui/sort-head.tsx'
import { ChildChange, ChildFigure } from './child-figure.tsx'
import { BenchmarkSummary, StandingText } from './benchmark-summary.tsx'
import { childrenCsv, measuresOf, sortedChildren, type Measure, type MeasureKey } from './child-columns.ts'
import { basisInName } from './graph-csv.ts'
import styles from './dashboard.module.css'

export interface ChildrenTableProps {
  readonly answer: ChildrenAnswer
  readonly kinds: readonly ChildKind[]
  readonly order: string
  readonly compared: boolean
  readonly isEnergy: boolean
  readonly monthsNow: number
  /** Begins the name of the file. */
  readonly fileName: string
  readonly hrefOf: (row: ChildRow) => string | null
  /** The bills of a row; null where the reader may not read them. */
  readonly billsOf: (row: ChildRow) => string | null
  readonly onKind: (kind: ChildKind) => void
  readonly onOrder: (order: string) => void
}

/** Rows that are drawn at once; the others come when they are asked for. */
const SHOWN_FIRST = 50

export function ChildrenTable(props: ChildrenTableProps) {
  const { answer, kinds, order, compared, isEnergy, fileName, onKind, onOrder } = props
  const [typed, setTyped] = useState('')
  const [all, setAll] = useState(false)
  const wanted = typed.trim().toLowerCase()
  const matching = answer.rows.filter((row) => `${row.name} ${row.place ?? ''}`.toLowerCase().includes(wanted))
  const sorted = sortedChildren(matching, order || '-cost')
  const shown = all ? sorted : sorted.slice(0, SHOWN_FIRST)
  const label = childKindLabels[answer.children]
  const units = new Set(answer.rows.map((row) => row.unit_symbol))
  const measures = measuresOf(isEnergy, units.size === 1 ? answer.total.unit_symbol : null)
  const head = (key: string, text: string) => (
    <SortHead
      key={key}
      label={text}
      sortKey={key}
      order={order || '-cost'}
      className={key === 'name' ? undefined : styles.right}
      onOrder={onOrder}
    />
  )
  return (
    <section aria-label="Ranked" className={styles.ranked}>
      <div className={styles.rankedBar}>
        <h2>{label}</h2>
        {kinds.length > 1 && (
          <SelectField
            label="Show"
            name="by"
            value={answer.children}
            options={kinds.map((value) => ({ value, label: childKindLabels[value] }))}
            onChange={(chosen) => onKind(kinds.find((kind) => kind === chosen) ?? answer.children)}
          />
        )}
        <TextField label="Find" name="find" type="search" value={typed} onChange={setTyped} />
        <span className={styles.rankedActs}>
          <Button small onClick={() => saveText(fileOf(fileName, answer), childrenCsv(sorted, label, answer.basis))}>
            Export CSV
          </Button>
          <Button small onClick={() => window.print()}>
            Print
          </Button>
        </span>
      </div>
      <p className={styles.note}>{countText(answer, matching.length, compared)}</p>
      {answer.benchmark && (
        <BenchmarkSummary benchmark={answer.benchmark} rows={answer.rows} unit={answer.total.unit_symbol} onOrder={onOrder} />
      )}
      <div className={styles.tableFrame}>
        <table className={cx(styles.ledger, styles.children)}>
          <caption className="sr-only">{`${label}, ranked`}</caption>
          <thead>
            <tr>
              {head('name', 'Name')}
              {head('area', 'sq ft')}
              {measures.map(({ key, label: text }) => (
                <SortHead
                  key={key}
                  label={text}
                  sortKey={key}
                  order={order || '-cost'}
                  className={styles.right}
                  onOrder={onOrder}
                  change={compared ? `${key}_change` : undefined}
                />
              ))}
              {head('coverage', 'Billed')}
              <th scope="col">24 months</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={`${row.account_type} ${row.id}`} row={row} {...props} measures={measures} isMixed={units.size > 1} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < sorted.length && (
        <Button small onClick={() => setAll(true)}>
          {`Show all ${sorted.length.toLocaleString('en-US')}`}
        </Button>
      )}
      {matching.length === 0 && <p className={styles.quiet}>Nothing with this name.</p>}
    </section>
  )
}

function fileOf(name: string, { children, basis }: ChildrenAnswer): string {
  return `${[name, children, ...basisInName(basis)].join('-')}.csv`
}

function countText({ rows, count }: ChildrenAnswer, matching: number, compared: boolean): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const which =
    count > rows.length ? `The ${number(rows.length)} that cost most of ${number(count)}` : `${number(count)} with bills in these periods`
  const found = matching === rows.length ? '' : `, ${number(matching)} shown`
  return `${which}${found}. Figures per square foot are of the period, not of a year.${compared ? ' A change sorts by its amount.' : ''}`
}

interface RowProps extends ChildrenTableProps {
  readonly row: ChildRow
  readonly measures: readonly Measure[]
  /** The rows differ in their units, so that each says its own. */
  readonly isMixed: boolean
}

function Row({ row, measures, isMixed, compared, monthsNow, hrefOf, billsOf }: RowProps) {
  const href = hrefOf(row)
  const bills = billsOf(row)
  return (
    <tr>
      <th scope="row">
        {href === null ? row.name : <UiLink href={href}>{row.name}</UiLink>}
        {row.place !== null && <span className={styles.note}>{row.place}</span>}
      </th>
      <td className={cx(styles.right, 'num')}>
        {row.area === null ? <span className={styles.quiet}>no area</span> : formatDecimal(row.area, 0)}
      </td>
      {measures.map(({ key, kind }) => (
        <td key={key} className={styles.right}>
          <ChildFigure
            values={row[key]}
            kind={kind}
            note={noteOf(row, key)}
            href={key === 'cost' || key === 'usage' ? bills : null}
            unit={key === 'usage' && isMixed && row.usage.current !== null ? row.unit_symbol : null}
          />
          {compared && <ChildChange values={row[key]} kind={kind} state={row.comparison.state} withAmount={key === 'cost_per_sqft'} />}
          <StandingText row={row} measure={key} />
        </td>
      ))}
      <td className={cx(styles.right, 'num')}>
        {formatCoverage(row.coverage.current)}
        {compared && <span className={styles.delta}>{`${formatCoverage(row.coverage.previous)} before`}</span>}
      </td>
      <td className={styles.sparkCell}>
        <Sparkline
          values={row.spark.map((cost) => (cost === null ? null : approximately(cost)))}
          label={`Cost of ${row.name} by month`}
          from={Math.max(0, row.spark.length - monthsNow)}
        />
      </td>
    </tr>
  )
}

function noteOf({ notes }: ChildRow, key: MeasureKey): string | null {
  return key === 'cost' ? null : notes[key]
}
