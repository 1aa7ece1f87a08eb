/** A statement against the payments: its figures, which must agree, and its lines. */
import { useQuery } from '@tanstack/react-query'
import { bankStatementCalls } from '#contract/bank-statements/bank-statement.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { Can } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import styles from './bank-statements.module.css'
import { outstandingHref, statementsHref } from './refresh-statements.ts'
import { StatementLines } from './statement-lines.tsx'
import { settle } from './settle.ts'

type Read = ReplyOf<typeof bankStatementCalls.get>

export function Reconciliation() {
  const asked = useQuery(apiQuery(bankStatementCalls.get, { params: { id: usePathId('statement_id') } }))
  return <RecordGate asked={asked}>{(read) => <Statement key={read.bank_statement.id} read={read} />}</RecordGate>
}

function Statement({ read }: { read: Read }) {
  const { id, bank_name, account_last4, from_day, to_day, payer_name } = read.bank_statement
  const days = from_day === to_day ? formatDate(to_day) : `${formatDate(from_day)} to ${formatDate(to_day)}`
  return (
    <section className={styles.page} aria-label="Reconciliation">
      <Breadcrumbs items={[{ label: 'Bank Statements', href: statementsHref }, { label: days }]} />
      <PageHeader
        title={`${bank_name || 'Account'} …${account_last4}, ${days}`}
        count={payer_name}
        actions={
          <>
            <ButtonLink href={outstandingHref}>Outstanding</ButtonLink>
            <Can do="global_batch.update">
              <Button onClick={() => void settle(() => callApi(bankStatementCalls.match, { params: { id } }))}>Look Again</Button>
            </Can>
          </>
        }
      />
      <Figures read={read} />
      <StatementLines statement={read.bank_statement} />
    </section>
  )
}

const difference = '+ Difference'

/** The closing balance is the sum of the figures before it. */
function Figures({ read: { bank_statement: row, outstanding, balance_after } }: { read: Read }) {
  const figures = [
    ['Opening balance', row.opening],
    ['+ Cleared', row.cleared],
    ['+ Explained', row.explained],
    [difference, row.difference],
    ['= Closing balance', row.closing],
    [`Outstanding (${outstanding.count.toLocaleString('en-US')})`, outstanding.total],
    ['Closing less outstanding', balance_after],
  ] as const
  return (
    <dl className={styles.figures} aria-label="Figures of the statement">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={label === difference && value !== '0.00' ? `num ${styles.off}` : 'num'}>{formatMoney(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
