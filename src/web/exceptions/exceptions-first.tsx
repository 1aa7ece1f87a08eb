/** The most urgent exceptions of all clients in reach: the rows whose lateness costs most, each with its next step. */
import { useQuery } from '@tanstack/react-query'
import { allExceptionCalls, type ExceptionRow } from '#contract/exceptions/exception.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { figureText, StatusDot } from '../ui/status.tsx'
import { accountHref, labelOf, looks, reckoningOf, todoOf, whyOf } from './exception-words.ts'
import styles from './exceptions.module.css'

const FIRST_ROWS = 10

export function ExceptionsFirst() {
  const create = useCan('bill.create')
  const listed = useQuery(apiQuery(allExceptionCalls.list, { query: { per: FIRST_ROWS } }))
  const { data: sum } = useQuery(apiQuery(allExceptionCalls.summary, {}))
  return (
    <section aria-label="What cannot wait" className={styles.first}>
      <RecordGate asked={listed}>
        {({ exceptions }) => (
          <>
            <div className={styles.firstBar}>
              <h2>What cannot wait</h2>
              {sum && (
                <span className="num">{`${sum.count.toLocaleString('en-US')} in all, ${figureText(sum.cost, 2, true)} at stake`}</span>
              )}
              <UiLink href="/alerts">Exceptions of all clients</UiLink>
              {exceptions[0] && <NextStep row={exceptions[0]} create={create} />}
            </div>
            {exceptions.length === 0 ? (
              <p className={styles.formula}>
                Nothing waits: no bill is late or will be within a week, none has errors, and every bill that should be here is here.
              </p>
            ) : (
              <FirstRows rows={exceptions} create={create} />
            )}
          </>
        )}
      </RecordGate>
    </section>
  )
}

/** The step of the first row. What is done leaves the list, so that the next one stands here when somebody comes back. */
function NextStep({ row, create }: { row: ExceptionRow; create: boolean }) {
  const { label, href } = todoOf(row, { create })
  return (
    <ButtonLink kind="primary" href={href}>
      {`Next: ${label} · ${row.account_number}`}
    </ButtonLink>
  )
}

function FirstRows({ rows, create }: { rows: readonly ExceptionRow[]; create: boolean }) {
  return (
    <div className={styles.firstFrame}>
      <table className={styles.firstTable}>
        <caption className="sr-only">The first {rows.length} by what waiting costs</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Client</th>
            <th scope="col">Account</th>
            <th scope="col">Why</th>
            <th scope="col" className={styles.end}>
              Amount
            </th>
            <th scope="col" className={styles.end}>
              Late Cost
            </th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const todo = todoOf(row, { create })
            return (
              <tr key={row.id}>
                <td>
                  <StatusDot {...looks[row.kind]}>{labelOf(row.kind)}</StatusDot>
                </td>
                <td>{row.client_name}</td>
                <th scope="row">
                  <UiLink href={accountHref(row)}>{row.account_number}</UiLink>
                  <span className={styles.under}>{[row.vendor_name, row.facility_name].filter((name) => name !== null).join(' · ')}</span>
                </th>
                <td>{whyOf(row)}</td>
                <td className={`${styles.end} num`}>{row.amount === null ? 'not known' : formatMoney(row.amount)}</td>
                <td className={`${styles.end} num`} title={reckoningOf(row)}>
                  {row.amount === null ? 'not known' : formatMoney(row.cost)}
                </td>
                <td>
                  <UiLink href={todo.href}>{todo.label}</UiLink>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
