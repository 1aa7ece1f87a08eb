import { useState } from 'react'
import { budgetPartLabels, type BudgetRow, type BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { saveText } from '../kernel/open-file.ts'
import { useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { UiLink } from '../ui/link.tsx'
import plain from '../ui/plain-table.module.css'
import { SortHead } from '../ui/sort-head.tsx'
import styles from './budgets.module.css'
import { billsOf, insideOf, varianceHref, type VarianceChoices } from './use-variance.ts'
import { DEFAULT_ORDER, sortedRows, varianceColumns, varianceCsv, type VarianceKey } from './variance-columns.ts'
import { VarianceFigure } from './variance-figure.tsx'

interface PartsProps {
  readonly clientId: number
  readonly answer: BudgetVariance
  readonly choices: VarianceChoices
  readonly back: string
  readonly onOrder: (order: string) => void
}

/** Rows that are drawn at once; the others come when they are asked for. */
const SHOWN_FIRST = 100

/** The divisions, facilities or accounts: sorted by any figure, found by name, saved with all their months. */
export function VarianceParts(props: PartsProps) {
  const { answer, choices, onOrder } = props
  const [typed, setTyped] = useState('')
  const [all, setAll] = useState(false)
  const wanted = typed.trim().toLowerCase()
  const order = choices.order || DEFAULT_ORDER
  const sorted = sortedRows(
    answer.rows.filter((row) => `${row.name} ${row.place ?? ''}`.toLowerCase().includes(wanted)),
    order,
  )
  const shown = all ? sorted : sorted.slice(0, SHOWN_FIRST)
  const label = budgetPartLabels[answer.parts]
  return (
    <section aria-label={label} className={styles.parts}>
      <div className={styles.partsBar}>
        <h2>{label}</h2>
        <TextField label="Find" name="find" type="search" value={typed} onChange={setTyped} />
        <span className={styles.acts}>
          <Button small onClick={() => saveText(`budgets-${answer.parts}-${answer.first_month}.csv`, varianceCsv(answer, sorted))}>
            Export CSV
          </Button>
          <Button small onClick={() => window.print()}>
            Print
          </Button>
        </span>
      </div>
      <p className={styles.quiet}>{countText(answer, sorted.length)}</p>
      <div className={plain.scroll}>
        <table className={plain.table}>
          <caption className="sr-only">{`${label}, budget against actual`}</caption>
          <thead>
            <tr>
              <SortHead label="Name" sortKey="name" order={order} onOrder={onOrder} />
              {varianceColumns.map(({ key, label: text }) => (
                <SortHead key={key} label={text} sortKey={key} order={order} onOrder={onOrder} className={plain.figure} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <PartRow key={row.id ?? 0} row={row} {...props} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < sorted.length && (
        <Button small onClick={() => setAll(true)}>
          {`Show all ${sorted.length.toLocaleString('en-US')}`}
        </Button>
      )}
      {sorted.length === 0 && <p className={styles.quiet}>Nothing with this name.</p>}
    </section>
  )
}

function countText({ rows, count }: BudgetVariance, shown: number): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const which = count > rows.length ? `The ${number(rows.length)} with the largest budgets of ${number(count)}` : `${number(count)} in all`
  return shown === rows.length ? which : `${which}, ${number(shown)} shown`
}

function PartRow({ row, answer, choices, clientId, back }: PartsProps & { row: BudgetRow }) {
  const mayOpen = useCan('bill.read')
  const inside = insideOf(answer, row, choices)
  const types = { divisions: 'division', facilities: 'facility', accounts: 'billable_account' } as const
  const { first_month: from, last_month: to, parts } = answer
  const spent = { type: types[parts], id: row.id ?? 0, isGroup: row.is_group, name: row.name, actual: row.actual, from, to }
  const bills = mayOpen && row.id !== null ? billsOf(clientId, spent, back) : null
  return (
    <tr>
      <th scope="row" className={plain.text}>
        {inside === null ? row.name : <UiLink href={varianceHref(clientId, inside)}>{row.name}</UiLink>}
        {row.place !== null && <span className={styles.note}>{row.place}</span>}
        {row.ratio !== null && <span className={styles.note}>{`${row.ratio} times last year`}</span>}
      </th>
      {varianceColumns.map(({ key }) => (
        <td key={key} className={cx(plain.figure, 'num')}>
          <Cell row={row} column={key} bills={bills} />
        </td>
      ))}
    </tr>
  )
}

function Cell({ row, column, bills }: { row: BudgetRow; column: VarianceKey; bills: string | null }) {
  const value = row[column]
  if (value === null) return <span className={styles.quiet}>{column === 'budget' ? 'no budget' : 'none'}</span>
  if (column === 'variance' || column === 'forecast_variance') return <VarianceFigure value={value} percent={null} />
  if (column === 'variance_percent') return `${value}%`
  if (column !== 'actual' || bills === null) return formatAmount(value)
  return (
    <UiLink href={bills} className={styles.figureLink} aria-label={`${formatAmount(value)}: the bills of ${row.name}`}>
      {formatAmount(value)}
    </UiLink>
  )
}
