/** The services of a report on meters rather than bills: `services` with its accounts as `billable` and `supply`. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { serviceScope } from '../estate/estate.ts'
import { scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { AskedReport } from './report-table.ts'

/** Joins to `services` that the conditions below and most columns need. */
export function serviceJoins(clientId: number): RawBuilder<unknown> {
  return sql`left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = services.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = services.supply_account_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = coalesce(billable.facility_id, supply.facility_id)
    left join divisions division on division.client_id = ${clientId} and division.id = facility.division_id
    left join vendors vendor on vendor.id = coalesce(billable.vendor_id, supply.vendor_id)
    left join utility_services kind on kind.id = services.utility_service_id`
}

export function servicesAsked({ clientId, data, divisionId, reach }: AskedReport): Condition[] {
  const { billable_account_ids: billable, supply_account_ids: supply } = data
  const within = (column: RawBuilder<unknown>, ids: readonly number[]): Condition[] =>
    ids.length === 0 ? [] : [sql<SqlBool>`${column} = any(${ids}::bigint[])`]
  return [
    scopeCondition({ scope: serviceScope }, { reach, clientId }),
    sql<SqlBool>`services.client_id = ${clientId}`,
    ...within(sql`services.utility_service_id`, data.utility_service_ids),
    ...within(sql`coalesce(billable.vendor_id, supply.vendor_id)`, data.vendor_ids),
    ...within(sql`facility.division_id`, data.division_ids),
    ...within(sql`facility.id`, data.facility_ids),
    ...(divisionId === null ? [] : within(sql`facility.division_id`, [divisionId])),
    ...(billable.length + supply.length === 0
      ? []
      : [
          sql<SqlBool>`(services.billable_account_id = any(${billable}::bigint[]) or services.supply_account_id = any(${supply}::bigint[]))`,
        ]),
  ]
}

/** A meter with expected bills: it and its account are active. */
export const isConfigured = sql<SqlBool>`(services.active and coalesce(billable.active, supply.active))`

const isUsedFrom = sql`greatest(fact.month, services.effective_from, billable.effective_from, supply.effective_from)`
const isUsedTo = sql`least((fact.month + interval '1 month' - interval '1 day')::date, services.effective_to, billable.effective_to, supply.effective_to)`
/** The days of the month on which the meter and its account are in use, as a mask like `days_mask`. */
const daysInUse = sql`(((1::bigint << greatest(0, ${isUsedTo} - ${isUsedFrom} + 1)) - 1) << (extract(day from ${isUsedFrom})::int - 1))::int`

/**
 * The covered days of `fact`, a month of a meter. An expected meter counts on the days on which it is in use alone, so that neither another meter
 * nor another day is made up for.
 */
export const coveredDays: RawBuilder<unknown> = sql`case when ${isConfigured} then bit_count((fact.days_mask & ${daysInUse})::bit(32))::int else fact.days end`
