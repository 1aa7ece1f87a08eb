/** Answers a year of budgets beside what was billed: of a client or a part of it, and of what that is made of. */
import { fiscalYearOf, monthsOfYear, MONTHS_A_YEAR, type YearRatio } from '#contract/budgets/budget-figures.ts'
import {
  budgetPartsOf,
  budgetRowsMax,
  type BudgetParts,
  type BudgetRow,
  type BudgetScope,
  type BudgetVariance,
  type BudgetVarianceQuery,
} from '#contract/budgets/budget-variance.ts'
import { addToMonth, monthOf, type CalendarMonth } from '#contract/kernel/date.ts'
import { dividedBy } from '#contract/kernel/decimal.ts'
import { compareMoney, wireOf } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { invalid } from '../kernel/problem.ts'
import { readPlaceNames, readScope, type PlaceNames } from './budget-places.ts'
import { composeYear } from './compose-variance.ts'
import { plannedOwners, type PlannedOwner } from './planned-cells.ts'
import { readFiscalYearStart, readPlannedAccounts } from './read-planned-accounts.ts'

const RATIO_SCALE = 4

/** Throws 422 where the scope cannot be divided so, 404 where its record is missing or out of reach. */
export async function varianceOf(context: Context, clientId: number, query: BudgetVarianceQuery): Promise<BudgetVariance> {
  const type = query.scope_type ?? 'client'
  const scope = await readScope(context, clientId, type, query.scope_id)
  const parts = partsAsked(type, query.parts)
  const start = await readFiscalYearStart(context.tx, clientId)
  const first = query.first_month ?? fiscalYearOf(today(), start)
  const months = monthsOfYear(first)
  const last = addToMonth(first, MONTHS_A_YEAR - 1)
  const lastComplete = addToMonth(monthOf(today()), -1)
  const accounts = await readPlannedAccounts(context, {
    clientId,
    from: addToMonth(first, -MONTHS_A_YEAR),
    to: last,
    lastComplete,
    plannedFrom: first,
    plannedTo: last,
    placed: scope.placed,
  })
  const names = await readPlaceNames(context, clientId, accounts)
  const owners = plannedOwners(accounts, months).filter(({ owner }) => isInside(type, scope.id, owner, names))
  const rows = rowsOf(owners, parts, names, months)
  return {
    scope: { type, id: scope.id, name: scope.name, partial: type === 'client' && !reachesWhole(context.reach, clientId) },
    parts,
    first_month: first,
    last_month: last,
    fiscal_year_start: start,
    last_complete_month: lastComplete,
    total: composeYear(
      owners.flatMap(({ cells }) => cells),
      months,
    ),
    rows: rows.slice(0, budgetRowsMax),
    count: rows.length,
    hidden_groups: accounts.filter(({ is_hidden_group, budgets }) => is_hidden_group && budgets.size > 0).length,
  }
}

function partsAsked(type: BudgetScope, parts: BudgetParts | undefined): BudgetParts {
  const possible = budgetPartsOf[type]
  const [usual = 'accounts'] = possible
  if (parts !== undefined && !possible.includes(parts)) throw invalid({ parts: [`parts must be one of ${possible.join(', ')}`] })
  return parts ?? usual
}

/** A group with its subaccounts stands where the group stands, and everything else where its account does. */
function isInside(type: BudgetScope, id: number, owner: PlannedOwner['owner'], names: PlaceNames): boolean {
  switch (type) {
    case 'client':
      return true
    case 'division':
      return names.facilities.get(owner.facility_id)?.division_id === id
    case 'facility':
      return owner.facility_id === id
    case 'billable_account':
      return owner.id === id || owner.group_id === id
  }
}

function rowsOf(owners: readonly PlannedOwner[], parts: BudgetParts, names: PlaceNames, months: readonly CalendarMonth[]): BudgetRow[] {
  const placed = Map.groupBy(owners, (one) => JSON.stringify(placeOf(one, parts, names)))
  const rows = [...placed.values()].flatMap((own): BudgetRow[] => {
    const [first] = own
    if (!first) return []
    const cells = own.flatMap((one) => one.cells)
    return [{ ...placeOf(first, parts, names), ratio: parts === 'accounts' ? ratioText(first.ratio) : null, ...composeYear(cells, months) }]
  })
  return rows.toSorted(
    (a, b) => compareMoney(b.budget ?? '0', a.budget ?? '0') || compareMoney(b.actual, a.actual) || naturalOrder(a.name, b.name),
  )
}

type Place = Pick<BudgetRow, 'id' | 'name' | 'place' | 'is_group'>

function placeOf({ owner }: PlannedOwner, parts: BudgetParts, names: PlaceNames): Place {
  const facility = names.facilities.get(owner.facility_id)
  const division = facility && names.divisions.get(facility.division_id)
  const shown = facility?.is_named ? facility.name : null
  switch (parts) {
    case 'accounts':
      return { id: owner.id, name: `${owner.account_number} ${owner.name}`, place: shown, is_group: owner.is_group }
    case 'facilities':
      return {
        id: shown === null ? null : owner.facility_id,
        name: shown ?? 'Facilities that you may not read',
        place: division ?? null,
        is_group: false,
      }
    case 'divisions':
      return {
        id: division === undefined ? null : (facility?.division_id ?? null),
        name: division ?? 'Divisions that you may not read',
        place: null,
        is_group: false,
      }
  }
}

function ratioText(ratio: YearRatio | null): string | null {
  return ratio === null ? null : dividedBy(wireOf(ratio.now), wireOf(ratio.before), RATIO_SCALE)
}
