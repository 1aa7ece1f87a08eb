/**
 * Caches the slowest parts of a dashboard until something of the client changes: its meters, leaders, sums of a part, and the months that both
 * windows cover.
 */
import { sql } from 'kysely'
import type { ChildrenAnswer } from '#contract/dashboard/dashboard-children.ts'
import type { CostChange } from '#contract/dashboard/dashboard-cost-change.ts'
import { dashboardScopeMay } from '#contract/dashboard/dashboard.ts'
import type { Context } from '../kernel/context.ts'
import { reachOf } from '../kernel/principal.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import type { Leaders } from './read-leaders.ts'
import type { MeterCount, MeterRegister, RetiredMonth } from './read-meters.ts'
import type { BilledDays } from './read-billed-days.ts'
import type { MonthSums } from './read-sums.ts'

/** Cached values of one kind. They take a few hundred bytes each, a client's retired meters some kilobytes. */
const keptMax = 500
/** Answers of a thousand rows with their months are some hundred kilobytes each. */
const CHILDREN_KEPT_MAX = 40

/** The scope's meters. */
export const rememberedRegister = memory<MeterRegister>()

/** Coverage of the scope's retired meters; `more` names the window. */
export const rememberedRetired = memory<RetiredMonth[]>()

/** The leaders of a scope's rankings; `more` names the window and the service. */
export const rememberedLeaders = memory<Leaders>()

/** Months and active meters of a part of a client, which has no precomputed sums; `more` names the window. */
export const rememberedPart = memory<{ readonly months: MonthSums[]; readonly active: MeterCount[] }>()

/** Months limited to what both windows cover, which need every meter's months; `more` names the window. */
export const rememberedComparable = memory<MonthSums[]>()

/** Days of the lines of bills that count whole; `more` names the window and the service. */
export const rememberedDays = memory<BilledDays | null>()

/** The answer about a scope's children; `more` names the window, the service, the kind and what else the reader reaches. */
export const rememberedChildren = memory<ChildrenAnswer>(CHILDREN_KEPT_MAX)

/** The split of the change of cost over a scope's children; `more` as above. */
export const rememberedCostChange = memory<CostChange>(CHILDREN_KEPT_MAX)

/** The version of the client's data and of the reference data. It is read before the answer, so an answer may be newer than its version: then it is only read again. */
export async function versionOf({ tx }: Context, clientId: number): Promise<string> {
  const { rows } = await sql<{
    version: string
  }>`select coalesce(sum(version), 0)::text as version from data_versions where client_id in (0, ${clientId})`.execute(tx)
  return rows[0]?.version ?? '0'
}

function memory<Kept>(most = keptMax) {
  const kept = new Map<string, { version: string; answer: Kept }>()
  return async ({ principal }: Context, part: ScopedPart, version: string, more: string, read: () => Promise<Kept>): Promise<Kept> => {
    const reach = part.reached === null ? 'all' : reachOf(principal, dashboardScopeMay[part.scope])
    const key = JSON.stringify([part.client_id, part.scope, part.id, part.basis, reach, more])
    const known = kept.get(key)
    if (known?.version === version) return known.answer
    const answer = await read()
    if (kept.size >= most) kept.clear()
    kept.set(key, { version, answer })
    return answer
  }
}
