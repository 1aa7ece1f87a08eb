/** Budget against actual: the year of a client or a part of it by month, and of what it is made of. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { budgetPartLabels, budgetPartsOf, budgetVarianceCalls, type BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { Chips, PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { BudgetTabs, budgetsOf } from './budget-tabs.tsx'
import styles from './budgets.module.css'
import { queryOf, useVarianceChoices, varianceHref, yearName, yearOptions, type VarianceChoices } from './use-variance.ts'
import { VarianceMonths } from './variance-months.tsx'
import { VarianceNotes } from './variance-notes.tsx'
import { VarianceParts } from './variance-parts.tsx'
import { VarianceTiles } from './variance-tiles.tsx'

export function VariancePage() {
  const clientId = usePathId('client_id')
  const choices = useVarianceChoices()
  const go = useGo()
  const asked = useQuery({
    ...apiQuery(budgetVarianceCalls.get, { params: { client_id: clientId }, query: queryOf(choices) }),
    placeholderData: keepPreviousData,
  })
  const answer = asked.data
  const title = answer ? `Budget against Actual: ${answer.scope.name}` : 'Budget against Actual'
  usePageTitle(title)
  const choose = (changed: Partial<VarianceChoices>) =>
    go(varianceHref(clientId, { ...choices, ...changed }), { replace: true, resetScroll: false })
  return (
    <>
      <BudgetTabs clientId={clientId} current="variance" />
      <div className={styles.page} aria-busy={asked.isPlaceholderData}>
        <PageHeader title={title} />
        <RecordGate asked={asked}>
          {(found) => (
            <>
              <Controls answer={found} choose={choose} />
              {found.count === 0 ? (
                <NothingYet clientId={clientId} answer={found} />
              ) : (
                <Comparison clientId={clientId} answer={found} choices={choices} choose={choose} />
              )}
            </>
          )}
        </RecordGate>
      </div>
    </>
  )
}

interface ShownProps {
  readonly clientId: number
  readonly answer: BudgetVariance
  readonly choices: VarianceChoices
  readonly choose: (changed: Partial<VarianceChoices>) => void
}

function Comparison({ clientId, answer, choices, choose }: ShownProps) {
  const back = varianceHref(clientId, { ...choices, first_month: answer.first_month })
  return (
    <>
      <VarianceTiles answer={answer} />
      <VarianceNotes answer={answer} />
      <VarianceMonths clientId={clientId} answer={answer} back={back} />
      <VarianceParts clientId={clientId} answer={answer} choices={choices} back={back} onOrder={(order) => choose({ order })} />
    </>
  )
}

function Controls({ answer, choose }: Pick<ShownProps, 'answer' | 'choose'>) {
  const { scope, parts } = answer
  const possible = budgetPartsOf[scope.type]
  return (
    <section className={styles.controls} aria-label="What the comparison shows">
      <SelectField
        label="Year"
        name="first_month"
        value={answer.first_month}
        options={yearOptions(answer)}
        onChange={(first_month) => choose({ first_month })}
      />
      {possible.length > 1 && (
        <SelectField
          label="Show"
          name="parts"
          value={parts}
          options={possible.map((value) => ({ value, label: budgetPartLabels[value] }))}
          onChange={(wanted) => choose({ parts: possible.find((one) => one === wanted) ?? parts })}
        />
      )}
      <Chips
        label="In force"
        items={[
          ...(scope.type === 'client'
            ? []
            : [
                {
                  key: 'scope',
                  name: 'Only',
                  text: scope.name,
                  onRemove: () => choose({ scope_type: 'client', scope_id: '', parts: '' }),
                },
              ]),
          ...(scope.partial ? [{ key: 'partial', text: 'Showing only what you may see' }] : []),
        ]}
      />
    </section>
  )
}

function NothingYet({ clientId, answer }: Pick<ShownProps, 'clientId' | 'answer'>) {
  return (
    <EmptyState
      title={`Nothing is budgeted or billed in ${yearName(answer.first_month)}`}
      actions={
        <Can do="billable_account.update">
          <ButtonLink kind="primary" href={`${budgetsOf(clientId)}/fill`}>
            Fill from Last Year
          </ButtonLink>
          <ButtonLink href={`${budgetsOf(clientId)}/import`}>Import Budgets</ButtonLink>
        </Can>
      }
    >
      Budgets stand here beside what the accounts cost, month by month.
    </EmptyState>
  )
}
