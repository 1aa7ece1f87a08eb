/** Accounts that statements name and that do not exist yet. Their vendor and place are given once per utility, not per account. */
import { useQuery } from '@tanstack/react-query'
import type { AccountsNeeded } from '#contract/bill-retrieval/bill-retrieval.ts'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { apiQuery } from '../kernel/query.ts'
import { useCan } from '../kernel/permissions.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { lackOf, lackOfPlans, startingPlan, type AccountPlans, type UtilityPlan } from './account-plans.ts'
import styles from './bill-retrieval.module.css'
import { FacilityFields } from './facility-fields.tsx'
import { UtilityFields } from './utility-fields.tsx'

interface PanelProps {
  readonly clientId: number
  readonly plans: AccountPlans
  readonly onChange: (plans: AccountPlans) => void
}

export function AccountsNeededPanel(props: PanelProps) {
  const asked = useQuery(apiQuery(billRetrievalCalls.accountsNeeded, { params: { client_id: props.clientId } }))
  if (asked.data && asked.data.utilities.length === 0) return null
  return (
    <details className={styles.details} open={props.plans.utilities.size > 0 || undefined}>
      <summary>{summaryOf(asked.data)}</summary>
      <RecordGate asked={asked}>{(needed) => <Panel {...props} needed={needed} />}</RecordGate>
    </details>
  )
}

function summaryOf(needed: AccountsNeeded | undefined): string {
  const title = 'Accounts that are not there yet'
  if (!needed) return title
  const utilities = needed.utilities.length
  return `${title}: ${needed.total.toLocaleString('en-US')} of ${utilities === 1 ? '1 utility' : `${utilities} utilities`}`
}

function Panel({ clientId, plans, onChange, needed }: PanelProps & { needed: AccountsNeeded }) {
  const makesAccounts = useCan('billable_account.create')
  const makesServices = useCan('service.create')
  const makesVendors = useCan('vendor.create')
  if (!makesAccounts || !makesServices)
    return (
      <>
        <p className={styles.quiet}>You may not make accounts. Ask somebody who may, or match these numbers to accounts that are there.</p>
        <Numbers needed={needed} />
      </>
    )
  const start = (utility: AccountsNeeded['utilities'][number]): [string, UtilityPlan] => [
    utility.provider_name,
    startingPlan(utility.provider_name, utility.vendor, makesVendors),
  ]
  const set = (name: string, plan: UtilityPlan | null) => onChange({ ...plans, utilities: changed(plans.utilities, name, plan) })
  const all = needed.utilities.every(({ provider_name }) => plans.utilities.has(provider_name))
  const toggleAll = () => onChange({ ...plans, utilities: all ? new Map() : new Map([...needed.utilities.map(start), ...plans.utilities]) })
  const lack = plans.utilities.size === 0 ? null : lackOfPlans(plans)
  return (
    <div className={styles.panel}>
      <p className={styles.quiet}>
        Choose the utilities whose accounts shall be made with their bills. Services come from the statements’ meters, the billing cycle
        from their dates.
      </p>
      <FacilityFields clientId={clientId} plans={plans} onChange={onChange} />
      <div className={styles.utilities} role="group" aria-label="Utilities">
        <div className={styles.utilityHead}>
          <Button small kind="quiet" onClick={toggleAll}>
            {all ? 'Choose no utility' : `Choose all ${needed.utilities.length} utilities`}
          </Button>
          <span role="status" className={lack === null ? styles.quiet : styles.warn}>
            {lack ?? (plans.utilities.size > 0 ? 'Complete: choose the statements below and create their bills.' : '')}
          </span>
        </div>
        {needed.utilities.map((utility) => {
          const plan = plans.utilities.get(utility.provider_name)
          const name = utility.provider_name
          return (
            <div key={name} className={styles.utility}>
              <CheckboxField
                label={name}
                checked={plan !== undefined}
                hint={wordsOf(utility)}
                onChange={(on) => set(name, on ? start(utility)[1] : null)}
              />
              {plan && (
                <UtilityFields
                  clientId={clientId}
                  name={name}
                  plan={plan}
                  lack={lackOf(plans, name)}
                  mayMakeVendor={makesVendors}
                  onChange={(next) => set(name, next)}
                />
              )}
            </div>
          )
        })}
      </div>
      <Numbers needed={needed} />
    </div>
  )
}

function wordsOf({ accounts, statements, commodities }: AccountsNeeded['utilities'][number]): string {
  const count = (many: number, one: string, more: string) => `${many.toLocaleString('en-US')} ${many === 1 ? one : more}`
  const kinds = commodities.length === 0 ? '' : ` · ${commodities.join(', ').replaceAll('_', ' ')}`
  return `${count(accounts, 'account', 'accounts')}, ${count(statements, 'statement', 'statements')}${kinds}`
}

function changed(plans: AccountPlans['utilities'], name: string, plan: UtilityPlan | null): AccountPlans['utilities'] {
  const next = new Map(plans)
  if (plan) next.set(name, plan)
  else next.delete(name)
  return next
}

/** Maximum number of account numbers that are listed; more are only counted. */
const NUMBERS_SHOWN = 200

function Numbers({ needed }: { needed: AccountsNeeded }) {
  const shown = needed.accounts.slice(0, NUMBERS_SHOWN)
  return (
    <details className={styles.details}>
      <summary>Account numbers</summary>
      <ul className={styles.numbers}>
        {shown.map((account) => (
          <li key={`${account.provider_name} ${account.account_number}`}>
            <span className="num">{account.account_number}</span> {account.provider_name}{' '}
            <span className={styles.quiet}>
              {account.statements === 1 ? '1 statement' : `${account.statements} statements`}
              {account.service_address === null ? '' : `, ${account.service_address}`}
            </span>
          </li>
        ))}
      </ul>
      {needed.total > shown.length && <p className={styles.quiet}>And {(needed.total - shown.length).toLocaleString('en-US')} more.</p>}
    </details>
  )
}
