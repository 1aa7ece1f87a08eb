import { useState, type ReactNode } from 'react'
import { childKindLabels } from '#contract/dashboard/dashboard-children.ts'
import {
  unsplitReasonLabels,
  type CostChange,
  type CostChangeRow,
  type CostSplit,
  type ServiceSplit,
} from '#contract/dashboard/dashboard-cost-change.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { SortHead } from '../ui/sort-head.tsx'
import { billsOfRow, hasBills, type FigureOf } from './bills-behind.ts'
import { changeColumns, signedMoney, unitsSentence } from './cost-change-columns.ts'
import styles from './dashboard.module.css'

interface TableProps {
  readonly answer: CostChange
  readonly rows: readonly CostChangeRow[]
  readonly order: string
  readonly onOrder: (order: string) => void
  readonly bills: FigureOf | null
}

/** Rows that are drawn at once; the others come when they are asked for. */
const SHOWN_FIRST = 50

export function CostChangeTable({ answer, rows, order, onOrder, bills }: TableProps) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, SHOWN_FIRST)
  const label = childKindLabels[answer.children]
  return (
    <>
      {answer.count > rows.length && (
        <p
          className={styles.note}
        >{`The ${rows.length.toLocaleString('en-US')} whose cost changed most of ${answer.count.toLocaleString('en-US')}.`}</p>
      )}
      <div className={styles.tableFrame}>
        <table className={cx(styles.ledger, styles.children)}>
          <caption className="sr-only">{`Change of cost, ${label}`}</caption>
          <thead>
            <tr>
              <SortHead label={label} sortKey="name" order={order} onOrder={onOrder} />
              {changeColumns.map(({ key, label: text }) => (
                <SortHead key={key} label={text} sortKey={key} order={order} className={styles.right} onOrder={onOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={`${row.account_type} ${row.id}`} row={row} answer={answer} bills={bills} />
            ))}
          </tbody>
          <tfoot>
            <tr className={styles.strong}>
              <th scope="row">Total</th>
              <Amounts split={answer.total} hrefOf={() => null} of="the total" />
            </tr>
          </tfoot>
        </table>
      </div>
      {shown.length < rows.length && (
        <Button small onClick={() => setAll(true)}>
          {`Show all ${rows.length.toLocaleString('en-US')}`}
        </Button>
      )}
    </>
  )
}

type Window = keyof CostChange['windows']

/** A row, and on request a line for each of its services. A row that is a service has its units at once. */
function Row({ row, answer, bills }: { row: CostChangeRow; answer: CostChange; bills: FigureOf | null }) {
  const [open, setOpen] = useState(false)
  const { children: kind, windows } = answer
  const isService = kind === 'services'
  const hrefOf = (service: string | null) => (window: Window) =>
    bills && billsOfRow({ ...bills, ...windows[window], service: service ?? bills.service }, kind, row)
  const [only] = row.services
  return (
    <>
      <tr>
        <th scope="row">
          {row.name}
          {row.place !== null && <span className={styles.note}>{row.place}</span>}
          {isService && only && <span className={cx(styles.note, 'num')}>{unitsSentence(only)}</span>}
          {!isService && (
            <span className={styles.note}>
              <Button small kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? 'Hide services' : countText(row.services.length)}
                <span className="sr-only">{` of ${row.name}`}</span>
              </Button>
            </span>
          )}
        </th>
        <Amounts split={row} hrefOf={hrefOf(null)} of={row.name} />
      </tr>
      {open &&
        row.services.map((service) => (
          <ServiceLine key={service.service_id} service={service}>
            <Amounts
              split={service}
              hrefOf={service.service_id === null ? () => null : hrefOf(String(service.service_id))}
              of={`${row.name}, ${service.name}`}
            />
          </ServiceLine>
        ))}
    </>
  )
}

function countText(services: number): string {
  return services === 1 ? '1 service' : `${services} services`
}

function ServiceLine({ service, children }: { service: ServiceSplit; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className={styles.group}>
        {service.name}
        <span className={cx(styles.note, 'num')}>{unitsSentence(service)}</span>
      </th>
      {children}
    </tr>
  )
}

interface AmountsProps {
  readonly split: CostSplit
  /** The bills of a window; null where there are none to show. */
  readonly hrefOf: (window: Window) => string | null
  readonly of: string
}

function Amounts({ split, hrefOf, of }: AmountsProps) {
  return changeColumns.map(({ key, signed }) => {
    const text = signed ? signedMoney(split[key]) : formatMoney(split[key])
    const href = key === 'previous' || key === 'current' ? hrefOf(key) : null
    return (
      <td key={key} className={cx(styles.right, 'num')}>
        {href !== null && hasBills(split[key]) ? (
          <UiLink
            href={href}
            className={styles.figureLink}
            aria-label={`${text}: bills of ${of}, ${key === 'current' ? 'this year' : 'year before'}`}
          >
            {text}
          </UiLink>
        ) : (
          text
        )}
        {key === 'unsplit' &&
          split.reasons.map(({ reason, amount }) => (
            <span key={reason} className={styles.delta}>{`${unsplitReasonLabels[reason]} ${signedMoney(amount)}`}</span>
          ))}
      </td>
    )
  })
}
