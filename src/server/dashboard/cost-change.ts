/** Answers why the cost of a scope changed against the same months a year before. */
import type { CostChange, CostChangeQuery } from '#contract/dashboard/dashboard-cost-change.ts'
import type { ComparedWindows } from '#contract/dashboard/date-range.ts'
import type { Context } from '../kernel/context.ts'
import { composeCostChange } from './compose-cost-change.ts'
import { namingReaches, partWithChildren } from './dashboard-children.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { readChildNames, readChildSums } from './read-children.ts'
import { readAlikeSides } from './read-cost-change.ts'
import { readServices } from './read-sums.ts'
import { rememberedCostChange, versionOf } from './remembered.ts'
import { windowsOfQuery } from './windows-of-query.ts'

/** Throws what `partWithChildren` throws. */
export async function costChangeOf(context: Context, clientId: number, query: CostChangeQuery): Promise<CostChange> {
  const part = await partWithChildren(context, clientId, query)
  const windows = windowsOfQuery({ ...query, compare_to_last_year: 'true' })
  const serviceId = query.service ? Number(query.service) : null
  const version = await versionOf(context, clientId)
  const more = JSON.stringify([windows, serviceId, query.children, namingReaches(context)])
  return rememberedCostChange(context, part, version, more, () => read(context, part, windows, serviceId, query.children))
}

async function read(
  context: Context,
  part: ScopedPart,
  windows: ComparedWindows,
  serviceId: number | null,
  kind: CostChangeQuery['children'],
): Promise<CostChange> {
  const { tx } = context
  const [sums, sides, services] = await Promise.all([
    readChildSums(tx, part, windows, 'accounts'),
    readAlikeSides(tx, part, windows),
    readServices(tx),
  ])
  const named = kind === 'accounts' ? sums : sums.map((row) => ({ ...row, account: null }))
  return composeCostChange({
    kind,
    basis: part.basis,
    windows,
    service_id: serviceId,
    sums,
    sides,
    services: new Map(services.map((service) => [service.id, service])),
    names: await readChildNames(context, part.client_id, kind, named),
  })
}
