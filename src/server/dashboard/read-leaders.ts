/** The leaders of a dashboard's rankings. */
import { isWithin, type ComparedWindows, type MonthWindow } from '#contract/dashboard/date-range.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { ALL_SERVICES } from '../month-facts/month-facts.ts'
import { factRows, isSummed } from './fact-source.ts'
import { readComparable } from './read-comparable.ts'
import { within, type MonthSums } from './read-sums.ts'

/** The first record of a ranking, its value (cents or millionths of a kilogram) and its value in the previous window. */
export interface Leader {
  readonly id: number
  readonly name: string
  readonly current: bigint
  readonly previous: bigint
  /** Both values over the meters and days that both windows cover; null if there are none. */
  readonly like: { readonly current: bigint; readonly previous: bigint } | null
}

export interface Leaders {
  readonly facility_by_cost: Leader | null
  readonly facility_by_emissions: Leader | null
  readonly division_by_cost: Leader | null
}

export async function readLeaders(tx: Tx, part: ScopedPart, windows: ComparedWindows, serviceId: number | null): Promise<Leaders> {
  const base = rankedFacts(part, serviceId)
  const { rows } = await sql<{ kind: keyof Leaders; id: number; name: string; value: string }>`
    with sums as materialized (select facility_id, sum(cost) as cost, sum(kg_co2e) as kg from ${base} and ${within(windows.current)} group by facility_id),
    named as materialized (select facility.id, facility.name, facility.division_id, sums.cost, sums.kg
      from sums join facilities facility on facility.client_id = ${part.client_id} and facility.id = sums.facility_id)
    (select 'facility_by_cost' as kind, id, name, (cost * 100)::numeric(30)::text as value from named order by cost desc, name, id limit 1)
    union all (select 'facility_by_emissions', id, name, (kg * 1000000)::numeric(30)::text from named where kg > 0 order by kg desc, name, id limit 1)
    union all (select 'division_by_cost', division.id, division.name, (sum(named.cost) * 100)::numeric(30)::text
      from named join divisions division on division.client_id = ${part.client_id} and division.id = named.division_id
      group by division.id, division.name order by sum(named.cost) desc, division.name, division.id limit 1)`.execute(tx)
  const found = new Map(rows.map((row) => [row.kind, row]))
  const before = await readLeadersBefore(tx, part, windows, base, found)
  const leader = async (kind: keyof Leaders): Promise<Leader | null> => {
    const row = found.get(kind)
    if (!row) return null
    const like = await readLike(tx, part, windows, serviceId, kind, row.id)
    return { id: row.id, name: row.name, current: BigInt(row.value), previous: BigInt(before[kind]), like }
  }
  const [facility_by_cost, facility_by_emissions, division_by_cost] = await Promise.all([
    leader('facility_by_cost'),
    leader('facility_by_emissions'),
    leader('division_by_cost'),
  ])
  return { facility_by_cost, facility_by_emissions, division_by_cost }
}

/** Reads the leader's months limited to what both windows cover. */
async function readLike(
  tx: Tx,
  part: ScopedPart,
  windows: ComparedWindows,
  serviceId: number | null,
  kind: keyof Leaders,
  id: number,
): Promise<Leader['like']> {
  const { client_id } = part
  const place =
    kind === 'division_by_cost'
      ? sql`fact.facility_id = any(array(select id from facilities where client_id = ${client_id} and division_id = ${id}))`
      : sql`fact.facility_id = ${id}`
  const condition = sql<SqlBool>`${part.facts} and ${place} ${ofService(serviceId)}`
  const rows = await readComparable(tx, { ...part, facts: condition }, windows)
  if (rows.length === 0) return null
  const valueOf = (row: MonthSums) => (kind === 'facility_by_emissions' ? row.kg : BigInt(row.cost))
  const sumIn = (window: MonthWindow) => rows.filter((row) => isWithin(row.month, window)).reduce((sum, row) => sum + valueOf(row), 0n)
  return { current: sumIn(windows.current), previous: sumIn(windows.previous) }
}

type LeaderRows = ReadonlyMap<keyof Leaders, { readonly id: number }>
const nothingBefore: Readonly<Record<keyof Leaders, string>> = { facility_by_cost: '0', facility_by_emissions: '0', division_by_cost: '0' }

async function readLeadersBefore(
  tx: Tx,
  part: ScopedPart,
  windows: ComparedWindows,
  base: RawBuilder<unknown>,
  found: LeaderRows,
): Promise<Record<keyof Leaders, string>> {
  if (found.size === 0) return { ...nothingBefore }
  const idOf = (kind: keyof Leaders) => found.get(kind)?.id ?? 0
  const inDivision = sql`facility_id in (select id from facilities where client_id = ${part.client_id} and division_id = ${idOf('division_by_cost')})`
  const { rows } = await sql<Record<keyof Leaders, string>>`select
      (coalesce(sum(cost) filter (where facility_id = ${idOf('facility_by_cost')}), 0) * 100)::numeric(30)::text as facility_by_cost,
      (coalesce(sum(kg_co2e) filter (where facility_id = ${idOf('facility_by_emissions')}), 0) * 1000000)::numeric(30)::text as facility_by_emissions,
      (coalesce(sum(cost) filter (where ${inDivision}), 0) * 100)::numeric(30)::text as division_by_cost
    from ${base} and ${within(windows.previous)} and (facility_id in (${idOf('facility_by_cost')}, ${idOf('facility_by_emissions')}) or ${inDivision})`.execute(
    tx,
  )
  return rows[0] ?? { ...nothingBefore }
}

function rankedFacts(part: ScopedPart, serviceId: number | null): RawBuilder<unknown> {
  if (isSummed(part))
    return sql`facility_month_facts fact where fact.client_id = ${part.client_id} and fact.utility_service_id = ${serviceId ?? ALL_SERVICES}`
  return sql`${factRows(part.basis)} where ${part.facts} ${ofService(serviceId)}`
}

function ofService(serviceId: number | null): RawBuilder<unknown> {
  return serviceId === null ? sql`` : sql`and fact.utility_service_id = ${serviceId}`
}
