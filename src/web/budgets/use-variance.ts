/** The choices of the comparison are in its address; this file reads and changes them. */
import {
  budgetParts,
  budgetScopes,
  type BudgetParts,
  type BudgetRow,
  type BudgetScope,
  type BudgetVariance,
  type BudgetVarianceQuery,
} from '#contract/budgets/budget-variance.ts'
import { monthsOfYear } from '#contract/budgets/budget-figures.ts'
import { addToMonth, firstDayOf, isCalendarMonth, lastDayOf, nameOfMonth, type CalendarMonth } from '#contract/kernel/date.ts'
import { isZero } from '#contract/kernel/decimal.ts'
import { useSearchText, withSearch } from '../kernel/navigation.tsx'
import { budgetsOf } from './budget-tabs.tsx'

export interface VarianceChoices {
  readonly first_month: string
  readonly scope_type: BudgetScope
  readonly scope_id: string
  readonly parts: BudgetParts | ''
  readonly order: string
}

/** Unknown values of the address fall back to the defaults. */
export function useVarianceChoices(): VarianceChoices {
  const search = useSearchText()
  const { first_month = '', scope_id = '', order = '' } = search
  const scope = budgetScopes.find((one) => one === search['scope_type'])
  const isPart = scope !== undefined && scope !== 'client' && /^[1-9]\d{0,14}$/.test(scope_id)
  return {
    first_month: isCalendarMonth(first_month) ? first_month : '',
    scope_type: isPart ? scope : 'client',
    scope_id: isPart ? scope_id : '',
    parts: budgetParts.find((one) => one === search['parts']) ?? '',
    order: /^-?[a-z_]{1,40}$/.test(order) ? order : '',
  }
}

export function varianceHref(clientId: number, { scope_type, ...choices }: VarianceChoices): string {
  return withSearch(`${budgetsOf(clientId)}/variance`, { ...choices, scope_type: scope_type === 'client' ? '' : scope_type })
}

export function queryOf({ first_month, scope_type, scope_id, parts }: VarianceChoices): BudgetVarianceQuery {
  return {
    first_month: first_month || undefined,
    scope_type,
    scope_id: scope_id || undefined,
    parts: parts || undefined,
  }
}

/** The comparison of one row alone; null where the row has no record, or is the one that is shown. */
export function insideOf({ scope, parts }: BudgetVariance, { id }: BudgetRow, choices: VarianceChoices): VarianceChoices | null {
  if (id === null || scope.type === 'billable_account') return null
  const types = { divisions: 'division', facilities: 'facility', accounts: 'billable_account' } as const
  return { ...choices, scope_type: types[parts], scope_id: String(id), parts: '' }
}

type Filters = Readonly<Record<string, string | number>>
const scopeFilters: Readonly<Record<BudgetScope, (id: number) => Filters>> = {
  client: () => ({ account_type_eq: 'BillableAccount' }),
  division: (id) => ({ account_type_eq: 'BillableAccount', division_id_eq: id }),
  facility: (id) => ({ account_type_eq: 'BillableAccount', facility_id_eq: id }),
  billable_account: (id) => ({ billable_account_id_eq: id }),
}

export interface Spent {
  readonly type: BudgetScope
  readonly id: number
  readonly isGroup: boolean
  readonly name: string
  readonly actual: string
  readonly from: CalendarMonth
  readonly to: CalendarMonth
}

/** The bills behind an actual, and the way back; null where nothing was billed. */
export function billsOf(clientId: number, { type, id, isGroup, name, actual, from, to }: Spent, back: string): string | null {
  if (isZero(actual)) return null
  return withSearch(`/clients/${clientId}/bills`, {
    ...(isGroup ? { group_account_id_eq: id } : scopeFilters[type](id)),
    counted_on_gteq: firstDayOf(from),
    counted_on_lteq: lastDayOf(to),
    of: name,
    back,
  })
}

/** Years to choose from: those around the one of today, and the one that is shown. */
export function yearOptions({ first_month: shown, fiscal_year_start: start, last_complete_month: last }: BudgetVariance) {
  const now = addToMonth(last, 1)
  const begins = `${now.slice(0, 4)}-${String(start).padStart(2, '0')}`
  const years = [-3, -2, -1, 0, 1].map((years) => addToMonth(begins, years * 12))
  return [...new Set([...years, shown])].toSorted((a, b) => (a < b ? -1 : 1)).map((value) => ({ value, label: yearName(value) }))
}

export function yearName(first: CalendarMonth): string {
  const last = monthsOfYear(first).at(-1) ?? first
  return first.endsWith('-01') ? first.slice(0, 4) : `${nameOfMonth(first)} to ${nameOfMonth(last)}`
}
