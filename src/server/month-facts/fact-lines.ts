/** The lines that facts are made of: what they cost, and where their usage is measured. */
import { sql, type RawBuilder } from 'kysely'
import { fiscalMonth, isNear } from './line-facts.ts'
import { counts, wholeCents, leftCents } from './fact-months.ts'

export const ever = sql`'-infinity'::date as first, 'infinity'::date as last`

/**
 * The bill of a line, looked up by key for each line. With a plain join and outdated statistics, the planner would start from all bills of the
 * client and read the lines of every changed service once per bill.
 */
export function billOfLine(clientId: number): RawBuilder<unknown> {
  return sql`cross join lateral (select * from bills where client_id = ${clientId} and id = line.bill_id offset 0) bills`
}

/** The order of the index for a history: without statistics, the planner finds every index of the client's rows equally good. */
export const inHistory = sql`order by read_date desc, id desc`

/** `carried.cents`: the part of a bill that its children carry; null if it has none. Void children carry nothing. */
export const besideOne = sql`left join lateral (select sum(child.current_charges + child.late_fee) * 100 as cents from bills child
  where child.client_id = bills.client_id and child.group_bill_id = bills.id and child.superseded_by_id is null) carried on true`

/** The same, computed once for all bills instead of once per bill. */
export function carriedOfAll(clientId: number): RawBuilder<unknown> {
  return sql`carried as materialized (select group_bill_id, sum(current_charges + late_fee) * 100 as cents from bills
    where client_id = ${clientId} and group_bill_id is not null and superseded_by_id is null group by group_bill_id)`
}
export const besideAll = sql`left join carried on carried.group_bill_id = bills.id`

/**
 * `near`: the counted lines of wanted services that reach into their spans. `lines`: these and all other lines of their bills, over which a
 * bill's charges are split.
 */
export function linesNear(clientId: number): RawBuilder<unknown> {
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

export function allLines(clientId: number, where: RawBuilder<unknown> = sql`true`, beside = besideAll): RawBuilder<unknown> {
  return sql`lines as materialized (
    select ${lineColumns}, ${daysOf}, ${ever}
    from bills join service_bills line on line.client_id = bills.client_id and line.bill_id = bills.id ${beside}
    where bills.client_id = ${clientId} and ${counts} and ${where} ${byRead})`
}

/**
 * Cost and usage of bills' lines, each with its share of the account's charges, in the form that facts are computed from: `service_bill_id`,
 * `bill_id`, `service_id`, `cost` with its parts `utility`, `supply` and `other`, `usage` (null if another meter counts it). A bill without lines is one row without a service. `where` refers
 * to `bills`; all lines of a bill are included, because its charges are spread over them. Of `few` bills, what their children carry is looked up
 * for each of them, and not computed for the whole client.
 */
export function costedLines(clientId: number, where: RawBuilder<unknown>, few = false): RawBuilder<unknown> {
  const beside = few ? besideOne : besideAll
  const carried = few ? sql`` : sql`${carriedOfAll(clientId)},`
  const bare = sql`case when carried.cents is null then ${wholeCents} else ${leftCents} end`
  // Each part is materialized: without good estimates, the planner would compute it again for each joined row.
  return sql`(with ${carried} ${allLines(clientId, where, beside)}, ${chargedLines(clientId)},
    costed as materialized (
      select counted.id as service_bill_id, counted.bill_id, counted.service_id, (utility_left + supply_left + other_left) * 0.01 as cost,
        utility_left * 0.01 as utility, supply_left * 0.01 as supply, other_left * 0.01 as other,
        case when left_cents is null and not ${measuredElsewhere(sql`${clientId}`, 'counted')} then counted.standard_usage end as usage
      from counted cross join lateral (select * from services where client_id = ${clientId} and id = counted.service_id offset 0) service
      union all
      select null, bills.id, null, ${bare} * 0.01, 0, 0, ${bare} * 0.01, null from bills ${beside}
      where bills.client_id = ${clientId} and ${counts} and ${where}
        and not exists (select 1 from service_bills line where line.client_id = ${clientId} and line.bill_id = bills.id))
    select * from costed)`
}

/** Such lines have their own index, so that the few of them are found without reading a history. */
export const coversNone = sql`(line.previous_read_date < line.read_date) is not true`

const lineColumns = sql`line.id, line.bill_id, line.service_id, line.position, line.usage, line.unit_id, line.standard_usage, line.supply_bill_id,
  bills.date as bill_date, ${fiscalMonth('bills', 'line')} as fiscal_month, ${wholeCents} as bill_cents, case when carried.cents is not null then ${leftCents} end as left_cents`

/** The days that a line covers. An end one day before the service's next start is moved to that start. */
const daysOf = sql`line.previous_read_date as starts_on,
  case when lead(line.previous_read_date) over by_read - line.read_date = 1 then lead(line.previous_read_date) over by_read else line.read_date end as ends_on`
const byRead = sql`window by_read as (partition by line.service_id order by coalesce(line.read_date, '-infinity'::date), line.id)`

/** Each line's cents by category, its share of the account-level charges by largest remainder, and the part that children do not carry. */
export function chargedLines(clientId: number): RawBuilder<unknown> {
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

/** The lines of wanted services, with their whole cost and usage. A line without a span belongs to a service that is not wanted. */
export function measuredLines(clientId: number): RawBuilder<unknown> {
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

/**
 * A supplier's line meters again what the distribution line has metered: it adds cost but no usage. They belong together if the line is shown in
 * a billable bill, if supply_bill_id refers to its bill (from either side), or if the account names the services it supplies.
 */
export function measuredElsewhere(client: RawBuilder<unknown>, line: string, service = 'service'): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${line}.${column}`)
  const meter = (column: string) => sql.ref(`${service}.${column}`)
  return sql`(${meter('supply_account_id')} is not null and (${of('supply_bill_id')} is not null
    or exists (select 1 from bill_linked_service_bills link where link.client_id = ${client} and link.service_bill_id = ${of('id')})
    or exists (select 1 from service_bills naming where naming.client_id = ${client} and naming.supply_bill_id = ${of('bill_id')})
    or exists (select 1 from supply_account_billable_services supplied
      join services delivery on delivery.client_id = supplied.client_id and delivery.id = supplied.service_id
      where supplied.client_id = ${client} and supplied.supply_account_id = ${meter('supply_account_id')}
        and delivery.utility_service_id is not distinct from ${meter('utility_service_id')})))`
}
