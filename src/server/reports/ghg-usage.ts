/** The sources of the GHG inventory: usage by factor, lines without usage that counts, and the days that meters should be billed. */
import type { MonthWindow } from '#contract/dashboard/date-range.ts'
import type { InventoryNote } from '#contract/reports/ghg-inventory.ts'
import { enteredEdition } from '#contract/reference/utility-service.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { and, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { measuredElsewhere } from '../month-facts/month-facts.ts'
import { factsAsked, inMonths } from './day-rows.ts'
import type { AskedReport } from './report-table.ts'
import { coveredDays, isConfigured, serviceJoins, servicesAsked } from './service-choice.ts'

/** Where a row belongs. */
export interface Placed {
  readonly scope: number | null
  readonly year: number
  readonly facility_id: number | null
  readonly facility: string | null
  readonly facility_number: string | null
  readonly utility_service_id: number | null
  readonly utility_service: string | null
}

export interface UsageRow extends Placed {
  readonly unit: string | null
  readonly inventoriable: boolean
  readonly is_own: boolean
  readonly factor: string
  readonly source: string
  readonly factor_year: number | null
  readonly supplier_factor: string | null
  readonly supplier_source: string | null
  readonly meters: number
  readonly usage: string
  readonly kg: string
}

/** Lines whose emissions cannot be computed. */
export interface GapRow extends Placed {
  readonly reason: Extract<InventoryNote, 'unit' | 'no usage'>
  readonly unit: string | null
  readonly usage: string | null
  readonly meters: number
}

export interface MeterYear extends Placed {
  readonly expected: number
  readonly covered: number
  /** Meters that nothing is billed of in the year. */
  readonly unbilled: number
}

/** After an update from a version without facts of whole bills, a job makes them. */
export async function refuseUnprepared(tx: Tx, clientId: number): Promise<void> {
  const { rows } = await sql`select from line_facts_due where client_id = ${clientId}`.execute(tx)
  if (rows.length > 0) throw refused('The figures of whole bills are being prepared. Try again in a few minutes.')
}

/** Utility services that emit. Telephone lines have no scope and are not inventoried: they are in no row. */
const emits = sql<SqlBool>`(kind.id is null or kind.inventoriable or kind.emissions_scope is not null)`

const place = (facility: string, year: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`kind.emissions_scope as scope, ${year} as year, ${sql.ref(facility)} as facility_id, facility.name as facility, facility.number as facility_number,
    kind.id as utility_service_id, kind.name as utility_service`

/** Usage that counts, by what it is multiplied by. A month has the factor of its first day, as in the facts. */
export async function readUsage(tx: Tx, asked: AskedReport, window: MonthWindow): Promise<UsageRow[]> {
  const { clientId } = asked
  const year = sql`extract(year from fact.month)::int`
  const { rows } =
    await sql<UsageRow>`select ${place('fact.facility_id', year)}, unit.symbol as unit, coalesce(kind.inventoriable, false) as inventoriable,
      services.emissions_factor is not null as is_own, coalesce(services.emissions_factor, edition.value, kind.emissions_factor, 0)::text as factor,
      case when services.emissions_factor is not null then coalesce(services.emissions_factor_source, 'Own factor')
        when edition.edition = ${enteredEdition} then edition.source else coalesce(edition.source || ', ' || edition.edition, 'Utility service') end as source,
      case when services.emissions_factor is not null then services.emissions_factor_year else edition.year end as factor_year,
      supplier.value::text as supplier_factor, supplier.source as supplier_source,
      count(distinct fact.service_id)::int as meters, sum(fact.usage)::text as usage, sum(fact.kg_co2e)::text as kg
    from ${factsOf(asked)} fact
    left join utility_services kind on kind.id = fact.utility_service_id
    left join services on services.client_id = ${clientId} and services.id = fact.service_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = fact.facility_id
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    left join units unit on unit.id = standard.unit_id
    left join ${editions(window)} edition on edition.utility_service_id = kind.id and edition.month = fact.month
    left join service_supplier_factors supplier on supplier.client_id = ${clientId} and supplier.service_id = fact.service_id and supplier.year = ${year}
    where ${and([...factsAsked(asked), inMonths(window), sql<SqlBool>`fact.usage is not null`, emits])}
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15`.execute(tx)
  return rows
}

/** The facts of the basis: by the days of each line, or each line whole in its fiscal month. */
function factsOf({ clientId, data }: AskedReport): RawBuilder<unknown> {
  if (data.basis === 'calendarized') return sql`service_month_facts`
  return sql`(select client_id, service_id, billable_account_id, supply_account_id, facility_id, utility_service_id, fiscal_month as month, usage, fiscal_kg as kg_co2e
    from bill_line_facts where client_id = ${clientId})`
}

/** The factor of each utility service in force on the first day of each month. */
function editions({ from, to }: MonthWindow): RawBuilder<unknown> {
  return sql`(select kind.id as utility_service_id, month::date as month, found.value, found.source, found.edition, found.year
    from utility_services kind cross join generate_series(${from}::timestamp, ${to}::timestamp, interval '1 month') month
    cross join lateral (select known.value, known.source, known.edition, known.year from emission_factors known
      where known.utility_service_id = kind.id and known.effective_from <= month::date order by known.effective_from desc limit 1) found)`
}

/**
 * Lines whose unit does not convert, and those without any usage. A line that reaches into several years is in each of them. What only corrects
 * the cost of days whose usage counts is no gap, and neither is the bill of a group, whose children carry the usage.
 */
export async function readGaps(tx: Tx, asked: AskedReport, window: MonthWindow): Promise<GapRow[]> {
  const { clientId } = asked
  const { rows } =
    await sql<GapRow>`select ${place('fact.facility_id', sql`gap.year`)}, case when line.usage is null then 'no usage' else 'unit' end as reason,
      case when line.usage is not null then coalesce(unit.symbol, line.raw_unit) end as unit,
      sum(line.usage)::text as usage, count(distinct case when fact.service_id = 0 then -abs(fact.account_key) else fact.service_id end)::int as meters
    from bill_line_facts fact
    cross join lateral (${yearsOf(asked, window)}) gap
    left join utility_services kind on kind.id = fact.utility_service_id
    left join service_bills line on line.client_id = ${clientId} and line.id = fact.service_bill_id
    left join services service on service.client_id = ${clientId} and service.id = fact.service_id
    left join billable_accounts account on account.client_id = ${clientId} and account.id = fact.billable_account_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = fact.facility_id
    left join units unit on unit.id = line.unit_id
    where ${and([...factsAsked(asked), emits, ...gapConditions(clientId)])} group by 1, 2, 3, 4, 5, 6, 7, 8, 9`.execute(tx)
  return rows
}

/** The years of the window that a line counts in. */
function yearsOf({ data }: AskedReport, { from, to }: MonthWindow): RawBuilder<unknown> {
  const [first, last] =
    data.basis === 'billed'
      ? [sql`fact.fiscal_month`, sql`fact.fiscal_month`]
      : [sql`fact.starts_on`, sql`greatest(fact.starts_on, fact.ends_on - 1)`]
  return sql`select generate_series(extract(year from greatest(${first}, ${from}::date))::int, extract(year from least(${last}, ${to}::date))::int) as year
    where ${first} <= ${to}::date and ${last} >= ${from}::date`
}

function gapConditions(clientId: number): Condition[] {
  return [
    sql<SqlBool>`fact.usage is null and fact.supply_usage is null and line.standard_usage is null and kind.id is not null`,
    sql<SqlBool>`not coalesce(${measuredElsewhere(sql`${clientId}`, 'line')}, false)`,
    sql<SqlBool>`not (fact.service_id = 0 and coalesce(account.is_group_account, true))`,
    sql<SqlBool>`(line.usage is not null or not exists (select from bill_line_facts beside where beside.client_id = ${clientId} and beside.usage is not null
      and case when fact.service_id = 0 then beside.billable_account_id = fact.billable_account_id else beside.service_id = fact.service_id end
      and beside.starts_on < greatest(fact.ends_on, fact.starts_on + 1) and greatest(beside.ends_on, beside.starts_on + 1) > fact.starts_on))`,
  ]
}

/**
 * Days on which meters in use should be billed in each year of the window, and on which they are. A supplier's meter that meters again what the
 * delivery meter has metered is not expected to have usage.
 */
export async function readMeterYears(tx: Tx, asked: AskedReport, window: MonthWindow): Promise<MeterYear[]> {
  const { clientId } = asked
  const years = yearsIn(window)
  const until = sql`least(year.ends, services.effective_to, billable.effective_to, supply.effective_to)`
  const since = sql`greatest(year.starts, services.effective_from, billable.effective_from, supply.effective_from)`
  const expected = sql`case when ${isConfigured} then greatest(0, ${until} - ${since} + 1) else billed.covered end`
  const { rows } =
    await sql<MeterYear>`select ${place('facility.id', sql`year.year`)}, sum(${expected})::int as expected, sum(billed.covered)::int as covered,
      (count(*) filter (where ${expected} > 0 and billed.facts = 0))::int as unbilled
    from services ${serviceJoins(clientId)}
    cross join unnest(${years.map((one) => one.year)}::int[], ${years.map((one) => one.from)}::date[], ${years.map((one) => one.to)}::date[]) year(year, starts, ends)
    cross join lateral (select coalesce(sum(${coveredDays}), 0)::int as covered, count(*) as facts from service_month_facts fact
      where fact.client_id = ${clientId} and fact.service_id = services.id and fact.month between year.starts and year.ends) billed
    where ${and([...servicesAsked(asked), emits, sql<SqlBool>`kind.id is not null`, sql<SqlBool>`(${isConfigured} or billed.covered > 0)`, metersItself(clientId)])}
    group by 1, 2, 3, 4, 5, 6, 7`.execute(tx)
  return rows
}

function metersItself(clientId: number): Condition {
  return sql<SqlBool>`not exists (select from supply_account_billable_services supplied
    join services delivery on delivery.client_id = ${clientId} and delivery.id = supplied.service_id
    where supplied.client_id = ${clientId} and supplied.supply_account_id = services.supply_account_id
      and delivery.utility_service_id is not distinct from services.utility_service_id)`
}

function yearsIn({ from, to }: MonthWindow): { readonly year: number; readonly from: string; readonly to: string }[] {
  const first = Number(from.slice(0, 4))
  return Array.from({ length: Number(to.slice(0, 4)) - first + 1 }, (_, at) => {
    const year = first + at
    return { year, from: at === 0 ? from : `${year}-01-01`, to: to.startsWith(`${year}-`) ? to : `${year}-12-31` }
  })
}
