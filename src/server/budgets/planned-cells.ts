/** The months that are compared: each of one account, or of a group with its subaccounts where the group has the budget of the month. Pure. */
import {
  forecastOf,
  together,
  yearRatio,
  MONTHS_A_YEAR,
  type BilledMonth,
  type Forecast,
  type PlannedMonth,
  type YearRatio,
} from '#contract/budgets/budget-figures.ts'
import { addToMonth, type CalendarMonth } from '#contract/kernel/date.ts'
import type { PlannedAccount } from './read-planned-accounts.ts'

export interface PlannedCell {
  readonly owner: PlannedAccount
  readonly month: CalendarMonth
  readonly budget: number | null
  readonly now: BilledMonth
  readonly forecast: Forecast
}

export interface PlannedOwner {
  readonly owner: PlannedAccount
  readonly ratio: YearRatio | null
  readonly cells: readonly PlannedCell[]
}

/** Returns every account that holds something in these months. */
export function plannedOwners(accounts: readonly PlannedAccount[], months: readonly CalendarMonth[]): PlannedOwner[] {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const members = Map.groupBy(accounts, (account) => account.group_id)
  return accounts.flatMap((owner) => {
    const planned = months.flatMap((month): PlannedMonth[] => {
      const group = owner.group_id === null ? undefined : byId.get(owner.group_id)
      // Its cost and its budget are in the group's row.
      if (group && budgetOf(group, month) !== null) return []
      const budget = budgetOf(owner, month)
      const subaccounts = owner.is_group && budget !== null ? (members.get(owner.id) ?? []) : null
      const billedIn = (of: CalendarMonth) =>
        subaccounts === null
          ? owner.billedIn(of)
          : together(
              owner.billedIn(of),
              subaccounts.map((account) => account.billedIn(of)),
            )
      return [{ month, budget, now: billedIn(month), before: billedIn(addToMonth(month, -MONTHS_A_YEAR)) }]
    })
    const ratio = yearRatio(planned)
    const cells = planned
      .map(({ month, budget, now, before }) => ({ owner, month, budget, now, forecast: forecastOf({ month, budget, now, before }, ratio) }))
      .filter(holdsSomething)
    return cells.length === 0
      ? []
      : [{ owner, ratio: cells.some(({ forecast }) => forecast.basis === 'last_year_scaled') ? ratio : null, cells }]
  })
}

/** The budget that counts for the reader. */
export function budgetOf({ is_hidden_group, budgets }: PlannedAccount, month: CalendarMonth): number | null {
  return is_hidden_group ? null : (budgets.get(month) ?? null)
}

/** A group without a budget holds only what its subaccounts do not carry. */
function holdsSomething({ owner, budget, now, forecast }: PlannedCell): boolean {
  const isExpected = !owner.is_group && (now.billed || now.expected > 0)
  return budget !== null || now.actual !== 0 || isExpected || (forecast.cents ?? 0) !== 0
}
