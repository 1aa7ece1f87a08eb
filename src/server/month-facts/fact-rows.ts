/**
 * The rows of `service_month_facts` and of `bill_line_facts` computed from the bills in SQL: one statement for any number of services.
 *
 * It repeats the arithmetic of `calendarize`, `spreadResidual`, `closeOneDayGaps`, `costBesideChildren` and `scaleSplits` of the contract, in
 * whole cents and whole millionths of a unit. It exists a second time because a rebuild of a million bills has no time to move their lines out
 * of the database and back; a test compares both.
 */
import { sql, type RawBuilder } from 'kysely'
import { billedMonth, lineFacts } from './line-facts.ts'
import { bareBills, serviceMonths, accountMonths, serviceFacts, accountFacts, counts } from './fact-months.ts'
import {
  carriedOfAll,
  allLines,
  chargedLines,
  measuredLines,
  ever,
  besideAll,
  linesNear,
  besideOne,
  inHistory,
  billOfLine,
  coversNone,
} from './fact-lines.ts'

/** A range of months of a service, or of an account's bills without a line. */
export interface FactSpan {
  /** 0 for an account. */
  readonly service_id: number
  /** As stored in the facts: 0 for a service; a supply account is its negated id. */
  readonly account_key: number
  /** First and last month, both included; '-infinity' and 'infinity' for all months. */
  readonly first: string
  readonly last: string
  /** First and last read date of the added, removed or changed lines; null if there is none. */
  readonly first_read: string | null
  readonly last_read: string | null
}

/** The columns in the order of `fresh`. */
export const factColumns = [
  'client_id',
  'service_id',
  'account_key',
  'month',
  'billable_account_id',
  'supply_account_id',
  'facility_id',
  'utility_service_id',
  'days_mask',
  'days',
  'cost',
  'utility_cost',
  'supply_cost',
  'other_cost',
  'usage',
  'supply_usage',
  'kg_co2e',
  'previous_month',
  'starts',
] as const

/**
 * Common table expressions that end in `fresh` and `fresh_lines`, the rows as they should be: those of `wanted`, or for 'all' those of every
 * owner in the client.
 */
export function freshFacts(clientId: number, spans: readonly FactSpan[] | 'all'): RawBuilder<unknown> {
  const steps =
    spans === 'all'
      ? [
          carriedOfAll(clientId),
          allLines(clientId),
          chargedLines(clientId),
          measuredLines(clientId),
          bareBills(clientId, sql`(select *, ${ever} from bills) bills ${besideAll}`),
          serviceMonths(sql`null::date`),
          editions,
          accountMonths,
        ]
      : [
          wantedSpans(clientId, spans),
          linesNear(clientId),
          chargedLines(clientId),
          measuredLines(clientId),
          bareBills(clientId, sql`${billsOfWanted(clientId)} ${besideOne}`),
          serviceMonths(monthBefore(clientId)),
          editions,
          accountMonths,
        ]
  return sql`${sql.join(steps, sql`, `)}, fresh as materialized (${serviceFacts(clientId)} union all ${accountFacts(clientId)}),
    fresh_lines as materialized (${lineFacts(clientId)})`
}

/**
 * `wanted`: the spans to recompute. They start before each line whose end the changed lines can move (the lines read between them and the last
 * one before), and reach to the next month with a covered day, which stores the previous covered month. `floor` is the first reading to
 * consider: a line that covers no day counts in the month of its bill, however long ago it was read.
 */
function wantedSpans(clientId: number, spans: readonly FactSpan[]): RawBuilder<unknown> {
  const given = (column: keyof FactSpan, type: string) => sql`${spans.map((span) => span[column])}::${sql.raw(type)}[]`
  return sql`given as materialized (
      select service_id, account_key, min(first) as first, max(last) as last, min(first_read) as first_read, max(last_read) as last_read
      from unnest(${given('service_id', 'bigint')}, ${given('account_key', 'bigint')}, ${given('first', 'date')}, ${given('last', 'date')}, ${given('first_read', 'date')},
        ${given('last_read', 'date')}) as one(service_id, account_key, first, last, first_read, last_read)
      group by 1, 2),
    widened as materialized (
      select given.service_id, given.account_key, least(given.first, date_trunc('month', min(beside.starts_on))::date) as first,
        greatest(given.last, date_trunc('month', max(beside.ends_on))::date) as last
      from given left join lateral (
        select least(line.previous_read_date, case when line.previous_read_date >= line.read_date then bills.date end) as starts_on,
          greatest(line.read_date, case when line.previous_read_date >= line.read_date then bills.date end) as ends_on
        from (
          (select * from service_bills where client_id = ${clientId} and service_id = given.service_id and read_date between given.first_read and given.last_read
            ${inHistory})
          union all
          (select line.* from service_bills line ${billOfLine(clientId)} ${besideOne}
            where line.client_id = ${clientId} and line.service_id = given.service_id and line.read_date < given.first_read and ${counts}
            order by line.read_date desc, line.id desc limit 1)) line
        ${billOfLine(clientId)}) beside on given.first_read is not null
      group by given.service_id, given.account_key, given.first, given.last),
    wanted as materialized (
      select service_id, account_key, first, until.last, least(first, (
          select min(line.read_date) from service_bills line ${billOfLine(clientId)}
          where line.client_id = ${clientId} and line.service_id = widened.service_id and line.read_date < widened.first
            and ${coversNone} and bills.date >= widened.first)) as floor
      from widened cross join lateral (select coalesce((
          select min(fact.month) from service_month_facts fact where widened.service_id <> 0 and fact.client_id = ${clientId} and fact.service_id = widened.service_id
            and fact.month > widened.last and fact.days_mask > 0), widened.last) as last) until)`
}

/** The last stored month with a covered day before the span. */
function monthBefore(clientId: number): RawBuilder<unknown> {
  return sql`(select max(fact.month) from service_month_facts fact
    where fact.client_id = ${clientId} and fact.service_id = months.service_id and fact.month < months.first and fact.days_mask > 0)`
}

function billsOfWanted(clientId: number): RawBuilder<unknown> {
  const of = (key: RawBuilder<unknown>) => sql`select * from bills where client_id = ${clientId} and ${key}`
  return sql`(select bills.*, wanted.first, wanted.last from wanted cross join lateral (
    ${of(sql`billable_account_id = wanted.account_key`)} union all ${of(sql`supply_account_id = -wanted.account_key`)}) bills where wanted.account_key <> 0) bills`
}

/** The edition of each utility service's factor for each month, looked up once and not per meter. */
const editions = sql`editions as materialized (
    select kind.id as utility_service_id, asked.month, edition.value
    from (select month from months union select ${billedMonth} from measured union select fiscal_month from measured) asked cross join utility_services kind
    cross join lateral (select value from emission_factors where utility_service_id = kind.id and effective_from <= asked.month order by effective_from desc limit 1) edition)`
