/** Which bills the facts of some days count: the condition by which a list shows the bills behind a figure. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { DEFAULT_BASIS, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { besideOne } from './fact-lines.ts'
import { counts } from './fact-months.ts'
import { fiscalMonth } from './line-facts.ts'

export interface CountedDays {
  /** First and last day, both included; '-infinity' and 'infinity' for all. */
  readonly from: string
  readonly to: string
  /** Ids of utility services; null for all, and for what belongs to none. */
  readonly services: readonly number[] | null
  readonly basis: DashboardBasis
}

/**
 * A condition on `bills`: a line of one of these services has a day among these. A line without days, and a bill without lines, count as in
 * the facts: a line without days on the day of its bill, a bill without lines on its own days or else on its date.
 */
export function isCounted(days: CountedDays): RawBuilder<SqlBool> {
  const isThen = days.basis === DEFAULT_BASIS ? sql`${hasCountedLine(days)} or ${isCountedBare(days)}` : countsWhole(days)
  return sql<SqlBool>`(exists (select from (select) one ${besideOne} where ${counts}) and (${isThen}))`
}

/** A bill, or on the basis of fiscal months a line, that counts whole in these days: by the bill's date, or by the first day of the month. */
function countsWhole({ from, to, services, basis }: CountedDays): RawBuilder<SqlBool> {
  const isThen = (line?: string) =>
    sql`${basis === 'fiscal' ? fiscalMonth('bills', line) : sql`bills.date`} between ${from}::date and ${to}::date`
  return sql<SqlBool>`exists (select from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id
      and ${isLineOf(services)} and ${isThen('line')}) or (${isThen()} and ${isBareOf(services)})`
}

/** The ends of lines are moved as in the facts; the cheap bounds come first, so that few lines look for the next one of their meter. */
function hasCountedLine({ from, to, services }: CountedDays): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select from service_bills line
    cross join lateral (select case when ${nextStart} - line.read_date = 1 then line.read_date + 1 else line.read_date end as ends_on) moved
    where line.client_id = bills.client_id and line.bill_id = bills.id
      and (line.read_date >= ${from}::date and line.previous_read_date <= ${to}::date or (line.previous_read_date < line.read_date) is not true)
      and ${isLineOf(services)} and ${isAmong(sql`line.previous_read_date`, sql`moved.ends_on`, from, to)})`
}

/** The first day of the next counted line of the same meter. */
const nextStart = sql`(select next.previous_read_date from service_bills next
  cross join lateral (select * from bills where client_id = next.client_id and id = next.bill_id offset 0) bills ${besideOne}
  where next.client_id = line.client_id and next.service_id = line.service_id and (next.read_date, next.id) > (line.read_date, line.id) and ${counts}
  order by next.read_date, next.id limit 1)`

function isCountedBare({ from, to, services }: CountedDays): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${isAmong(sql`bills.previous_read_date`, sql`bills.read_date`, from, to)} and ${isBareOf(services)})`
}

function isLineOf(services: readonly number[] | null): RawBuilder<unknown> {
  if (services === null) return sql`true`
  return sql`exists (select from services service where service.client_id = line.client_id and service.id = line.service_id
    and service.utility_service_id = any(${services}::bigint[]))`
}

function isBareOf(services: readonly number[] | null): RawBuilder<unknown> {
  const isOfService =
    services === null
      ? sql`true`
      : sql`exists (select from billable_accounts account where account.client_id = bills.client_id and account.id = bills.billable_account_id
          and account.utility_service_id = any(${services}::bigint[]))`
  return sql`${isOfService} and not exists (select from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id)`
}

function isAmong(starts: RawBuilder<unknown>, ends: RawBuilder<unknown>, from: string, to: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`case when ${starts} < ${ends} then ${starts} <= ${to}::date and ${ends} > ${from}::date
    else bills.date between ${from}::date and ${to}::date end`
}
