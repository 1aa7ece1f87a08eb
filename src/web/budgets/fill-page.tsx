/** Budgets of a year proposed from what was billed the year before. Nothing is stored until it is saved. */
import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { budgetFillCalls, fillPercent, type BudgetProposal } from '#contract/budgets/budget-fill.ts'
import { monthsOfYear } from '#contract/budgets/budget-figures.ts'
import { formatMonth, isCalendarMonth } from '#contract/kernel/date.ts'
import { formatAmount, formatMoney } from '#contract/kernel/money.ts'
import { callWith } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { counted } from '../kernel/counted.ts'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { notify } from '../ui/dialogs/notices.ts'
import { MonthField } from '../ui/fields/month-field.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { UiLink } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import { BudgetTabs, budgetsOf } from './budget-tabs.tsx'
import styles from './budgets.module.css'
import { yearName } from './use-variance.ts'

interface Asked {
  readonly first_month: string
  readonly percent: string
}

export function FillPage() {
  const clientId = usePathId('client_id')
  const [wanted, setWanted] = useState<Asked>({ first_month: '', percent: '' })
  const query = {
    first_month: isCalendarMonth(wanted.first_month) ? wanted.first_month : undefined,
    percent: fillPercent.safeParse(wanted.percent).success ? wanted.percent : undefined,
  }
  const asked = useQuery({
    ...apiQuery(budgetFillCalls.proposal, { params: { client_id: clientId }, query }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <BudgetTabs clientId={clientId} current="fill" />
      <div className={styles.page} aria-busy={asked.isPlaceholderData}>
        <PageHeader title="Fill Budgets from Last Year" />
        <RecordGate asked={asked}>
          {(proposal) => (
            <>
              <div className={styles.controls}>
                <MonthField
                  label="First month of the year"
                  name="first_month"
                  value={wanted.first_month || proposal.first_month}
                  onChange={(first_month) => setWanted({ ...wanted, first_month })}
                />
                <NumberField
                  label="Change in percent"
                  name="percent"
                  scale={2}
                  value={wanted.percent || proposal.percent}
                  onChange={(percent) => setWanted({ ...wanted, percent })}
                />
                <SaveButton
                  clientId={clientId}
                  proposal={proposal}
                  isOld={asked.isPlaceholderData}
                  onRefused={() => void asked.refetch()}
                />
              </div>
              <Summary proposal={proposal} />
              {proposal.rows.length > 0 && <ProposedRows clientId={clientId} proposal={proposal} />}
            </>
          )}
        </RecordGate>
      </div>
    </>
  )
}

interface SaveProps {
  readonly clientId: number
  readonly proposal: BudgetProposal
  /** The figures on the page are those of other choices. */
  readonly isOld: boolean
  readonly onRefused: () => void
}

function SaveButton({ clientId, proposal, isOld, onRefused }: SaveProps) {
  const go = useGo()
  const attempt = useAttempt()
  const { first_month, percent, budgets, total } = proposal
  const save = async () => {
    const body = { fill: { first_month, percent, budgets, total } }
    const result = await attempt.run(() => callWith(budgetFillCalls.fill, { params: { client_id: clientId }, body }))
    if (!result) return onRefused()
    refresh('budgets')
    notify({ kind: 'success', title: result.message })
    go(`${budgetsOf(clientId)}/variance?first_month=${first_month}`)
  }
  return (
    <>
      <Button kind="primary" busy={attempt.busy} disabled={budgets === 0 || isOld} onClick={() => void save()}>
        {`Save ${counted(budgets, 'budget')} · ${formatMoney(total)}`}
      </Button>
      <FailedAttempt attempt={attempt} again={() => void save()} />
    </>
  )
}

function Summary({ proposal }: { proposal: BudgetProposal }) {
  const { first_month, accounts, budgets, older, kept, without_month, without_actual } = proposal
  return (
    <ul className={styles.notes} aria-label="What is proposed">
      <li>{`${counted(budgets, 'budget')} of ${counted(accounts, 'account')} for ${yearName(first_month)}. Nothing is stored until you save.`}</li>
      <li>{`Without an actual: ${counted(without_actual, 'account')} in use, of which no month is complete. Nothing is proposed for them.`}</li>
      <li>{`Without a complete month to go by: ${counted(without_month, 'month')} of accounts, which stay empty.`}</li>
      {older > 0 && <li>{`From the year before last, because last year’s month is not complete: ${counted(older, 'budget')}.`}</li>}
      {kept > 0 && <li>{`Budgeted already and kept: ${counted(kept, 'month')} of accounts.`}</li>}
      <li>Where a subaccount of a group has an actual, the subaccounts are budgeted and the group is not.</li>
    </ul>
  )
}

function ProposedRows({ clientId, proposal: { first_month, rows, accounts } }: { clientId: number; proposal: BudgetProposal }) {
  return (
    <section aria-label="Proposed budgets">
      {accounts > rows.length && (
        <p className={styles.quiet}>{`The ${rows.length} largest of ${accounts.toLocaleString('en-US')} accounts`}</p>
      )}
      <div className={plain.scroll}>
        <table className={plain.table}>
          <caption className="sr-only">Proposed budgets by account and month</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              {monthsOfYear(first_month).map((month) => (
                <th key={month} scope="col" className={plain.figure}>
                  {formatMonth(month)}
                </th>
              ))}
              <th scope="col" className={plain.figure}>
                Year
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" className={plain.text}>
                  <UiLink href={`/clients/${clientId}/billable_accounts/${row.id}/dashboard`}>{row.name}</UiLink>
                </th>
                {row.amounts.map((amount, place) => (
                  <td key={monthsOfYear(first_month)[place]} className={cx(plain.figure, 'num')}>
                    {amount === null ? <span className={styles.quiet}>none</span> : formatAmount(amount)}
                  </td>
                ))}
                <td className={cx(plain.figure, 'num')}>{formatAmount(row.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
