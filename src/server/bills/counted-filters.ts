/** The filters by which a figure opens its bills: the days and the utility service that it counts, which one line has together, and its basis. */
import { dashboardBases, DEFAULT_BASIS } from '#contract/dashboard/basis.ts'
import type { Filter } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import { or, type Condition } from '../kernel/lists/list.ts'
import { isCounted, type CountedDays } from '../month-facts/month-facts.ts'

const ever = { from: '-infinity', to: 'infinity', services: null, basis: DEFAULT_BASIS } as const

export const countedFilters: Readonly<
  Record<'counted_on' | 'counted_service_id' | 'counted_basis', (filter: Filter, all: readonly Filter[]) => Condition>
> = {
  counted_on: (filter, all) => {
    const { predicate } = filter
    if (predicate === 'eq' || predicate === 'gteq' || predicate === 'lteq') return together(filter, all)
    if (predicate === 'null') return isWanted(filter, isCounted(ever))
    const days = valuesOf(filter).map((day) => isCounted({ ...ever, from: String(day), to: String(day) }))
    return isWanted(filter, or(days))
  },
  counted_service_id: (filter, all) => {
    if (isTogether(filter)) return together(filter, all)
    const services = filter.predicate === 'null' ? null : valuesOf(filter).map(Number)
    return isWanted(filter, isCounted({ ...ever, services }))
  },
  // Each basis counts the same bills; only the days differ.
  counted_basis: (filter, all) => (filter.predicate === 'eq' ? together(filter, all) : isWanted(filter, isCounted(ever))),
}

/** The days, the services and the basis of the query as one condition, for the first of its filters; the others add nothing. */
function together(filter: Filter, all: readonly Filter[]): Condition {
  return all.find(isTogether) === filter ? isCounted(countedDays(all)) : sql<boolean>`true`
}

/** Several services count together too: one line has one of them. */
function isTogether({ key, predicate }: Filter): boolean {
  return key in countedFilters && (['eq', 'gteq', 'lteq'].includes(predicate) || (key === 'counted_service_id' && predicate === 'in'))
}

/** Returns the days, services and basis that the filters of a query name together. */
export function countedDays(all: readonly Filter[]): CountedDays {
  const own = all.filter(isTogether)
  const daysOf = (bound: 'gteq' | 'lteq') =>
    own
      .filter(({ key, predicate }) => key === 'counted_on' && (predicate === 'eq' || predicate === bound))
      .map(({ value }) => String(value))
      .toSorted()
  const services = own.filter(({ key }) => key === 'counted_service_id').flatMap((one) => valuesOf(one).map(Number))
  const basis = own.find(({ key }) => key === 'counted_basis')?.value
  return {
    basis: dashboardBases.find((one) => one === basis) ?? ever.basis,
    from: daysOf('gteq').at(-1) ?? ever.from,
    to: daysOf('lteq')[0] ?? ever.to,
    services: services.length === 0 ? null : services,
  }
}

function valuesOf({ value }: Filter): readonly (string | number)[] {
  return typeof value === 'object' ? value : [typeof value === 'boolean' ? 0 : value]
}

/** `not_eq`, and "is empty", ask for the bills that are not counted so. */
function isWanted({ predicate, value }: Filter, condition: Condition): Condition {
  const isNegated = predicate === 'not_eq' || (predicate === 'null' && value === true)
  return isNegated ? sql<boolean>`not ${condition}` : condition
}
