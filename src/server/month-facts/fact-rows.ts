/**
 * The rows of `service_month_facts` and of `bill_line_facts` computed from the bills in SQL: one statement for any number of services.
 *
 * It repeats the arithmetic of `calendarize`, `spreadResidual`, `closeOneDayGaps`, `costBesideChildren` and `scaleSplits` of the contract, in
 * whole cents and whole millionths of a unit. It exists a second time because a rebuild of a million bills has no time to move their lines out
 * of the database and back; a test compares both.
 */
import { sql, type RawBuilder } from 'kysely'
import { billedMonth, fiscalMonth, isNear, kilograms, lineFacts } from './line-facts.ts'

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

const ever = sql`'-infinity'::date as first, 'infinity'::date as last`

/**
 * The bill of a line, looked up by key for each line. With a plain join and outdated statistics, the planner would start from all bills of the
 * client and read the lines of every changed service once per bill.
 */
function billOfLine(clientId: number): RawBuilder<unknown> {
  return sql`cross join lateral (select * from bills where client_id = ${clientId} and id = line.bill_id offset 0) bills`
}

/** The order of the index for a history: without statistics, the planner finds every index of the client's rows equally good. */
const inHistory = sql`order by read_date desc, id desc`

/** `carried.cents`: the part of a bill that its children carry; null if it has none. Void children carry nothing. */
export const besideOne = sql`left join lateral (select sum(child.current_charges + child.late_fee) * 100 as cents from bills child
  where child.client_id = bills.client_id and child.group_bill_id = bills.id and child.superseded_by_id is null) carried on true`

/** The same, computed once for all bills instead of once per bill. */
function carriedOfAll(clientId: number): RawBuilder<unknown> {
  return sql`carried as materialized (select group_bill_id, sum(current_charges + late_fee) * 100 as cents from bills
    where client_id = ${clientId} and group_bill_id is not null and superseded_by_id is null group by group_bill_id)`
}
const besideAll = sql`left join carried on carried.group_bill_id = bills.id`

/** The part of a bill that its children do not carry; it never crosses zero. */
const wholeCents = sql`(bills.current_charges + bills.late_fee) * 100`
const leftCents = sql`case when ${wholeCents} < 0 then least(${wholeCents} - carried.cents, 0) else greatest(${wholeCents} - carried.cents, 0) end`

/** Void bills never count, and a group's bill counts only for the part that its children do not carry. */
export const counts = sql`bills.superseded_by_id is null and (carried.cents is null or ${leftCents} <> 0)`

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

/**
 * `near`: the counted lines of wanted services that reach into their spans. `lines`: these and all other lines of their bills, over which a
 * bill's charges are split.
 */
function linesNear(clientId: number): RawBuilder<unknown> {
  return sql`near as materialized (
      select * from (
        select line.id, line.bill_id, wanted.first, wanted.last, bills.date as bill_date, ${daysOf}
        from wanted cross join lateral (
            (select * from service_bills line where client_id = ${clientId} and service_id = wanted.service_id and read_date >= wanted.floor ${inHistory})
            union all
            select * from service_bills line where client_id = ${clientId} and service_id = wanted.service_id and (read_date < wanted.floor or read_date is null) and ${coversNone}) line
          ${billOfLine(clientId)} ${besideOne}
        where ${counts} ${byRead}) line
      where ${isNear}),
    lines as materialized (
      select ${lineColumns}, near.starts_on, near.ends_on, near.first, near.last
      from (select distinct bill_id from near) changed
      cross join lateral (select * from service_bills where client_id = ${clientId} and bill_id = changed.bill_id order by position, id) line
      ${billOfLine(clientId)} left join near on near.id = line.id ${besideOne})`
}

function allLines(clientId: number, where: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  return sql`lines as materialized (
    select ${lineColumns}, ${daysOf}, ${ever}
    from bills join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id ${besideAll}
    where bills.client_id = ${clientId} and ${counts} and ${where} ${byRead})`
}

/**
 * Cost and usage of bills' lines, each with its share of the account's charges, in the form that facts are computed from: `service_bill_id`,
 * `bill_id`, `service_id`, `cost`, `usage` (null if another meter counts it). A bill without lines is one row without a service. `where` refers
 * to `bills`; all lines of a bill are included, because its charges are spread over them.
 */
export function costedLines(clientId: number, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const bare = sql`case when carried.cents is null then ${wholeCents} else ${leftCents} end`
  // Each part is materialized: without good estimates, the planner would compute it again for each joined row.
  return sql`(with ${carriedOfAll(clientId)}, ${allLines(clientId, where)}, ${chargedLines(clientId)},
    costed as materialized (
      select counted.id as service_bill_id, counted.bill_id, counted.service_id, (utility_left + supply_left + other_left) * 0.01 as cost,
        case when left_cents is null and not ${measuredElsewhere(sql`${clientId}`, 'counted')} then counted.standard_usage end as usage
      from counted cross join lateral (select * from services where client_id = ${clientId} and id = counted.service_id offset 0) service
      union all
      select null, bills.id, null, ${bare} * 0.01, null from bills ${besideAll}
      where bills.client_id = ${clientId} and ${counts} and ${where}
        and not exists (select 1 from service_bills line where line.client_id = ${clientId} and line.bill_id = bills.id))
    select * from costed)`
}

/** Such lines have their own index, so that the few of them are found without reading a history. */
const coversNone = sql`(line.previous_read_date < line.read_date) is not true`

const lineColumns = sql`line.id, line.bill_id, line.service_id, line.position, line.usage, line.unit_id, line.standard_usage, line.supply_bill_id,
  bills.date as bill_date, ${fiscalMonth('bills', 'line')} as fiscal_month, ${wholeCents} as bill_cents, case when carried.cents is not null then ${leftCents} end as left_cents`

/** The days that a line covers. An end one day before the service's next start is moved to that start. */
const daysOf = sql`line.previous_read_date as starts_on,
  case when lead(line.previous_read_date) over by_read - line.read_date = 1 then lead(line.previous_read_date) over by_read else line.read_date end as ends_on`
const byRead = sql`window by_read as (partition by line.service_id order by coalesce(line.read_date, '-infinity'::date), line.id)`

/** Each line's cents by category, its share of the account-level charges by largest remainder, and the part that children do not carry. */
function chargedLines(clientId: number): RawBuilder<unknown> {
  return sql`entries as (
      select value.service_bill_id,
        coalesce(sum(value.value) filter (where field.category = 'utility'), 0) * 100 as utility,
        coalesce(sum(value.value) filter (where field.category = 'supply'), 0) * 100 as supply,
        coalesce(sum(value.value) filter (where field.category = 'other'), 0) * 100 as other
      from lines join service_bill_entry_values value on value.client_id = ${clientId} and value.service_bill_id = lines.id
        join entry_fields field on field.id = value.entry_field_id
      group by value.service_bill_id),
    additional as (
      select value.service_bill_id, sum(round(value.value, 2)) * 100 as other
      from lines join service_bill_additional_values value on value.client_id = ${clientId} and value.service_bill_id = lines.id
      group by value.service_bill_id),
    charged as (
      select lines.*, coalesce(entries.utility, 0) as utility, coalesce(entries.supply, 0) as supply,
        coalesce(entries.other, 0) + coalesce(additional.other, 0) as other
      from lines left join entries on entries.service_bill_id = lines.id left join additional on additional.service_bill_id = lines.id),
    weighed as (
      select charged.*, bill_cents - sum(utility + supply + other) over bill as residual,
        case when sum(abs(utility + supply + other)) over bill > 0 then abs(utility + supply + other)
          when sum(abs(coalesce(usage, 0))) over bill > 0 and count(unit_id) over bill = count(*) over bill and min(unit_id) over bill = max(unit_id) over bill then abs(coalesce(usage, 0)) * 1000 else 1 end as weight
      from charged window bill as (partition by bill_id)),
    parted as (
      select weighed.*, div(abs(residual) * weight, sum(weight) over bill) as part, mod(abs(residual) * weight, sum(weight) over bill) as remainder
      from weighed window bill as (partition by bill_id)),
    shared as (
      select parted.*, sign(residual) * (part + case when
        row_number() over (partition by bill_id order by remainder desc, weight desc, position, id) <= abs(residual) - sum(part) over (partition by bill_id) then 1 else 0 end) as share
      from parted),
    passed as (
      select shared.*, sum(utility + supply + other + share) over until - utility - supply - other - share as before_cents, row_number() over until = 1 as is_first
      from shared window until as (partition by bill_id order by position, id)),
    counted as (
      select passed.*, ${left(sql`utility`, sql`0`, sql`0`)} as utility_left, ${left(sql`supply`, sql`utility`, sql`0`)} as supply_left,
        ${left(sql`other + share`, sql`utility + supply`, sql`case when is_first then left_cents else 0 end`)} as other_left
      from passed)`
}

/**
 * The part of an amount that children do not carry, which comes after `before` on its line: rounded cumulatively over the bill, half away from
 * zero.
 */
function left(amount: RawBuilder<unknown>, before: RawBuilder<unknown>, ofNothing: RawBuilder<unknown>): RawBuilder<unknown> {
  const upTo = (cents: RawBuilder<unknown>) =>
    sql`sign((${cents}) * left_cents * bill_cents) * div(abs((${cents}) * left_cents) * 2 + abs(bill_cents), abs(bill_cents) * 2)`
  return sql`case when left_cents is null then ${amount} when bill_cents = 0 then ${ofNothing}
    else ${upTo(sql`before_cents + ${before} + ${amount}`)} - ${upTo(sql`before_cents + ${before}`)} end`
}

/** The last stored month with a covered day before the span. */
function monthBefore(clientId: number): RawBuilder<unknown> {
  return sql`(select max(fact.month) from service_month_facts fact
    where fact.client_id = ${clientId} and fact.service_id = months.service_id and fact.month < months.first and fact.days_mask > 0)`
}

/** The lines of wanted services, with their whole cost and usage. A line without a span belongs to a service that is not wanted. */
function measuredLines(clientId: number): RawBuilder<unknown> {
  return sql`dated as (
      select id, bill_id, service_id, supply_bill_id, bill_date, fiscal_month, case when left_cents is null then standard_usage * 1000000 end as millionths,
        utility_left as utility, supply_left as supply, other_left as other, starts_on, ends_on, first, last
      from counted where first is not null),
    owners as materialized (
      select service.id, service.billable_account_id, service.supply_account_id, service.utility_service_id, coalesce(billable.facility_id, supply.facility_id) as facility_id,
        service.emissions_factor, kind.emissions_factor as kind_factor, kind.inventoriable
      from (select distinct service_id from dated) billed
      join services service on service.client_id = ${clientId} and service.id = billed.service_id
      left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = service.billable_account_id
      left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = service.supply_account_id
      left join utility_services kind on kind.id = service.utility_service_id),
    measured as materialized (
      select dated.*, ${measuredElsewhere(sql`${clientId}`, 'dated')} as again from dated join owners service on service.id = dated.service_id)`
}

/** `before` is the month before the first one of a service. */
function serviceMonths(before: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`months as (
      select service_id, month, min(line.first) as first, bit_or(mask)::int as days_mask, sum(${part('utility')}) as utility, sum(${part('supply')}) as supply, sum(${part('other')}) as other,
        sum(case when again then null else ${part('millionths')} end) * 0.000001 as usage, sum(case when again then ${part('millionths')} end) * 0.000001 as supply_usage
      from measured line
      cross join lateral (${monthsOf}) span
      where month between line.first and line.last
      group by service_id, month),
    followed as materialized (
      select months.*, coalesce(max(month) filter (where days_mask > 0) over (partition by service_id order by month rows between unbounded preceding and 1 preceding), ${before}) as previous_month
      from months)`
}

/**
 * A supplier's line meters again what the distribution line has metered: it adds cost but no usage. They belong together if the line is shown in
 * a billable bill, if supply_bill_id refers to its bill (from either side), or if the account names the services it supplies.
 */
export function measuredElsewhere(client: RawBuilder<unknown>, line: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${line}.${column}`)
  return sql`(service.supply_account_id is not null and (${of('supply_bill_id')} is not null
    or exists (select 1 from bill_linked_service_bills link where link.client_id = ${client} and link.service_bill_id = ${of('id')})
    or exists (select 1 from service_bills naming where naming.client_id = ${client} and naming.supply_bill_id = ${of('bill_id')})
    or exists (select 1 from supply_account_billable_services supplied
      join services delivery on delivery.client_id = supplied.client_id and delivery.id = supplied.service_id
      where supplied.client_id = ${client} and supplied.supply_account_id = service.supply_account_id
        and delivery.utility_service_id is not distinct from service.utility_service_id)))`
}

/** The months of [starts_on, ends_on) with the days before them and up to their end; without such days, the month of the bill. */
const monthsOf = sql`
  select month::date as month, greatest(starts_on, month::date) - starts_on as before, least(ends_on, (month + interval '1 month')::date) - starts_on as upto, ends_on - starts_on as n,
    (((1::bigint << (least(ends_on, (month + interval '1 month')::date) - greatest(starts_on, month::date))) - 1) << (extract(day from greatest(starts_on, month::date))::int - 1))::int as mask
  from generate_series(date_trunc('month', starts_on::timestamp), ends_on::timestamp - interval '1 day', interval '1 month') as month
  where starts_on < ends_on
  union all
  select date_trunc('month', bill_date::timestamp)::date, 0, 1, 1, 0 where (starts_on < ends_on) is not true`

/**
 * The whole units of an amount that fall into a month: the share up to its end minus the share before it, each rounded half away from zero. A
 * zero amount, the whole amount at its end and the zero before its start skip the division, which saves most of a rebuild's arithmetic.
 */
function part(amount: string): RawBuilder<unknown> {
  const whole = sql.ref(amount)
  const given = (days: 'upto' | 'before') => sql`div(abs(${whole}) * ${sql.ref(`span.${days}`)} * 2 + span.n, span.n * 2)`
  return sql`case when ${whole} = 0 then 0 else sign(${whole})
    * (case when span.upto = span.n then abs(${whole}) else ${given('upto')} end - case when span.before = 0 then 0 else ${given('before')} end) end`
}

/**
 * The emissions of a counted line in the usage and by the factors of the facts: of each month by the factor of its first day. It refers to
 * `bills`, `line`, `services` and `kind`, and is null for a line that facts do not count. The end of the line is named, because the key of its
 * fact begins with it.
 */
export function lineKilograms(client: RawBuilder<unknown>): RawBuilder<unknown> {
  const factor = sql`coalesce(services.emissions_factor, (select edition.value from emission_factors edition where edition.utility_service_id = kind.id
    and edition.effective_from <= span.month order by edition.effective_from desc limit 1), kind.emissions_factor)`
  return sql`(select sum(round(${part('millionths')} * 0.000001 * ${factor}, 6))
    from (select fact.starts_on, fact.ends_on, fact.starts_on as bill_date, fact.usage * 1000000 as millionths from bill_line_facts fact
      where fact.client_id = ${client} and fact.service_id = line.service_id and fact.account_key = 0
        and fact.ends_on = any(array[line.read_date, line.read_date + 1, bills.date]) and fact.bill_id = line.bill_id and fact.service_bill_id = line.id) own
    cross join lateral (${monthsOf}) span)`
}

function billsOfWanted(clientId: number): RawBuilder<unknown> {
  const of = (key: RawBuilder<unknown>) => sql`select * from bills where client_id = ${clientId} and ${key}`
  return sql`(select bills.*, wanted.first, wanted.last from wanted cross join lateral (
    ${of(sql`billable_account_id = wanted.account_key`)} union all ${of(sql`supply_account_id = -wanted.account_key`)}) bills where wanted.account_key <> 0) bills`
}

/** Bills without a line. `bills` names the months that are wanted of each. */
function bareBills(clientId: number, bills: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`bare as materialized (
    select bills.id, billable_account_id, supply_account_id, coalesce(billable.facility_id, supply.facility_id) as facility_id, billable.utility_service_id, bills.date as bill_date,
      ${fiscalMonth('bills')} as fiscal_month, previous_read_date as starts_on, read_date as ends_on,
      case when carried.cents is null then ${wholeCents} else ${leftCents} end as cents, first, last
    from ${bills}
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bills.supply_account_id
    where bills.client_id = ${clientId} and ${counts}
      and not exists (select 1 from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id))`
}

/** Their money is spread over the days of the bill, but covers none, since there is no meter. */
const accountMonths = sql`account_months as (
    select billable_account_id, supply_account_id, facility_id, utility_service_id, month, sum(${part('cents')}) as other
    from bare
    cross join lateral (${monthsOf}) span
    where month between bare.first and bare.last
    group by billable_account_id, supply_account_id, facility_id, utility_service_id, month)`

/** The edition of each utility service's factor for each month, looked up once and not per meter. */
const editions = sql`editions as materialized (
    select kind.id as utility_service_id, asked.month, edition.value
    from (select month from months union select ${billedMonth} from measured union select fiscal_month from measured) asked cross join utility_services kind
    cross join lateral (select value from emission_factors where utility_service_id = kind.id and effective_from <= asked.month order by effective_from desc limit 1) edition)`

/** A month's emissions use the factor of its first day: the service's own, or else the edition valid then, or else the utility service's. */
function serviceFacts(clientId: number): RawBuilder<unknown> {
  return sql`select ${clientId}::bigint as client_id, row.service_id, 0::bigint as account_key, row.month, service.billable_account_id, service.supply_account_id,
      service.facility_id, service.utility_service_id, row.days_mask, bit_count(row.days_mask::bit(32))::int as days,
      (row.utility + row.supply + row.other) * 0.01 as cost, row.utility * 0.01 as utility_cost, row.supply * 0.01 as supply_cost, row.other * 0.01 as other_cost,
      row.usage, row.supply_usage,
      ${kilograms(sql`row.usage`, 'edition')} as kg_co2e,
      case when row.days_mask > 0 then row.previous_month end as previous_month,
      row.days_mask > 0 and row.previous_month is distinct from (row.month - interval '1 month')::date as starts
    from followed row
    join owners service on service.id = row.service_id
    left join editions edition on edition.utility_service_id = service.utility_service_id and edition.month = row.month`
}

function accountFacts(clientId: number): RawBuilder<unknown> {
  return sql`select ${clientId}::bigint, 0::bigint, coalesce(billable_account_id, -supply_account_id), month, billable_account_id, supply_account_id,
      facility_id, utility_service_id, 0, 0, other * 0.01, 0, 0, other * 0.01, null::numeric, null::numeric, 0, null::date, false
    from account_months`
}
