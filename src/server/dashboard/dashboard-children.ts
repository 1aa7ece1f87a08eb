/** Answers what a dashboard is made of: one call for the table below it and for the figures at its top. */
import { childKindsOf, type ChildKind, type ChildQuery, type ChildrenAnswer } from '#contract/dashboard/dashboard-children.ts'
import { addToMonth } from '#contract/kernel/date.ts'
import { monthWindow, type ComparedWindows } from '#contract/dashboard/date-range.ts'
import type { DashboardQuery } from '#contract/dashboard/dashboard.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import type { Context } from '../kernel/context.ts'
import { mayIn, reachOf, type Reach } from '../kernel/principal.ts'
import { forbidden, invalid } from '../kernel/problem.ts'
import { composeChildren, sparkWindow } from './compose-children.ts'
import { scopedPart, type ScopedPart } from './dashboard-scope.ts'
import { readAreaMonths, readChildComparable, readChildMeters, readChildNames, readChildSums, readSparks } from './read-children.ts'
import { readMonths, readServices } from './read-sums.ts'
import { rememberedChildren, versionOf } from './remembered.ts'
import { windowsOfQuery } from './windows-of-query.ts'

/** The rights by which children are named; what a reader may not name is one row. */
const naming: readonly Permission[] = ['division.read', 'facility.read', 'billable_account.read', 'supply_account.read']
/** Rows of these kinds name nothing but records of one model, so that without the right there is nothing to show. */
const kindMay: Readonly<Partial<Record<ChildKind, Permission>>> = { divisions: 'division.read', facilities: 'facility.read' }

export async function childrenOf(context: Context, clientId: number, query: ChildQuery): Promise<ChildrenAnswer> {
  const part = await partWithChildren(context, clientId, query)
  const windows = windowsOfQuery(query)
  const serviceId = query.service ? Number(query.service) : null
  const version = await versionOf(context, clientId)
  const more = JSON.stringify([windows, serviceId, query.children, namingReaches(context)])
  return rememberedChildren(context, part, version, more, () => read(context, part, windows, serviceId, query.children))
}

/** Throws what `scopedPart` throws; 422 where the scope has no such children, 403 without the right to them. */
export async function partWithChildren(
  context: Context,
  clientId: number,
  query: DashboardQuery & Pick<ChildQuery, 'children'>,
): Promise<ScopedPart> {
  const part = await scopedPart(context, clientId, query)
  if (!childKindsOf[part.scope].includes(query.children))
    throw invalid({ children: [`children must be one of ${childKindsOf[part.scope].join(', ')}`] })
  const needed = kindMay[query.children]
  if (needed && !mayIn(context.principal, needed, clientId)) throw forbidden()
  return part
}

/** The reaches by which the children are named: they belong to what an answer is remembered by. */
export function namingReaches({ principal }: Context): readonly Reach[] {
  return naming.map((may) => reachOf(principal, may))
}

async function read(
  context: Context,
  part: ScopedPart,
  windows: ComparedWindows,
  serviceId: number | null,
  kind: ChildKind,
): Promise<ChildrenAnswer> {
  const { tx } = context
  const spark = sparkWindow(windows)
  const half = addToMonth(spark.last_month, -11)
  const years = { current: monthWindow(half, spark.last_month), previous: monthWindow(spark.first_month, addToMonth(half, -1)) }
  const [sums, comparable, meters, sparks, months, services] = await Promise.all([
    readChildSums(tx, part, windows, kind),
    readChildComparable(tx, part, windows, kind),
    readChildMeters(tx, part, kind),
    readSparks(tx, part, spark, kind, serviceId),
    readMonths(tx, part, years),
    readServices(tx),
  ])
  const names = await readChildNames(context, part.client_id, kind, sums)
  const areaMonths = await readAreaMonths(tx, part, spark, serviceId, [...names.facilities.values()])
  return composeChildren({
    kind,
    basis: part.basis,
    windows,
    service_id: serviceId,
    sums,
    comparable,
    meters,
    sparks,
    months,
    areaMonths,
    services: new Map(services.map((service) => [service.id, service])),
    names,
  })
}
