/** The Accrual Report of a client in plain SQL: its rows under the labels of their columns, as text. */
import { amount, costedRows, plain } from './day-rows.ts'
import { bookingRows, parents } from './ledger.ts'

export type Method = 'seasonal' | 'last_bill' | 'trailing'

interface AskedAccruals {
  readonly clientId: number
  readonly from: string
  readonly to: string
  readonly method: Method
}

export function accrualRows(asked: AskedAccruals): string {
  return `with ${accrualSteps(asked)}
    select account_number as "Account", facility as "Facility", vendor as "Vendor", utility as "Utility Service", meter as "Meter", last_read::text as "Last Read", starts::text as "From",
      (stops - 1)::text as "To", days::text as "Days", ${plain('usage_per_day')} as "Usage / Day", ${plain('unit_cost')} as "Unit Cost", ${plain('used')} as "Usage",
      case when used is not null then symbol end as "Unit", ${amount('coalesce(cents, 0)')} as "Accrued", ${amount('unbooked')} as "Billed, not Booked", ${amount('coalesce(cents, 0) + unbooked')} as "Total",
      case when days is not null then how when meter is null then 'Bills without a meter' when not accrued then 'Not accrued' when last_read is null then 'No bill yet'
        else 'Billed to the end' end as "Method",
      confidence as "Confidence", ${amount('prior_cents')} as "Prior Accrual", ${amount('actual')} as "Actual", ${amount('actual - prior_cents')} as "Variance"
    from (select account_number, facility, vendor, utility, meter, symbol, accrued, last_read, unbooked, now.starts, now.stops, now.days, now.usage_per_day, now.unit_cost, now.used, now.cents,
        now.how, now.confidence, before.cents as prior_cents, case when before.of is not null then ${actualCents()} end as actual
      from meters left join said_now now on now.of = meters.service_id left join said_then before on before.of = meters.service_id
      union all select account_number, facility, vendor, null, null, null, false, null, unbooked ${', null'.repeat(11)} from bare_accounts) told`
}

/** The same by ledger account: `account`, the number of `meters` with a part in it, and its `amount`; and a row of all under the name 'All'. */
export function accruedByAccount(asked: AskedAccruals): string {
  const { clientId } = asked
  return `with ${accrualSteps(asked)},
    owed as (
      select row_number() over () as entry, service_id, cents from (
        select meters.service_id, coalesce(now.cents, 0) + unbooked as cents from meters left join said_now now on now.of = meters.service_id
        union all select null, unbooked from bare_accounts) each where cents <> 0),
    sides as (
      select owed.*, coalesce(account.name, 'No ledger account') as account, coalesce(booking.place, 0) as place, coalesce(booking.ratio, 1) as weight,
        sum(coalesce(booking.ratio, 1)) over (partition by entry) as weights
      from owed left join booking on booking.service_id = owed.service_id
      left join ledger_accounts account on account.client_id = ${clientId} and account.id = booking.ledger_account_id),
    split as (select sides.*, trunc(abs(cents) * weight / weights) as part, mod(abs(cents) * weight, weights) as remainder from sides),
    whole as (
      select entry, account, sign(cents) * (part + (row_number() over (partition by entry order by remainder desc, weight desc, place)
        <= abs(cents) - sum(part) over (partition by entry))::int) as cents from split)
    select account, count(distinct entry)::text as meters, ${amount('sum(cents)')} as amount from whole group by account
    union all select 'All', count(*)::text, ${amount('coalesce(sum(cents), 0)')} from owed`
}

/** `meters`, `bare_accounts`, and what the method says at the end of the period and of the one before. */
function accrualSteps({ clientId, from, to, method }: AskedAccruals): string {
  const priorEnd = `('${from}'::date - 1)`
  const isRead = `costed.bill_date >= date_trunc('month', '${to}'::date - interval '60 months')`
  const isUsed =
    'service.active and coalesce(billable.active, supply.active) and not service.accruals_off and not coalesce(billable.accruals_off, supply.accruals_off)'
  const places = `left join facilities facility on facility.client_id = ${clientId} and facility.id = coalesce(billable.facility_id, supply.facility_id)
    left join vendors vendor on vendor.id = coalesce(billable.vendor_id, supply.vendor_id)`
  return `${costedRows(clientId)}, ${bookingRows(clientId)},
    closed as (select * from accounting_batches batch where client_id = ${clientId} and closed and (closed_at is null or (closed_at at time zone 'America/New_York')::date <= '${to}')),
    since as (select least('${from}'::date, (select min(bill.date) from bills bill where bill.client_id = ${clientId} and bill.accounting_batch_id = (
      select id from closed where exists (select from bills held where held.client_id = ${clientId} and held.accounting_batch_id = closed.id) order by closed_at nulls first, id limit 1))) as day),
    unbooked as (
      select costed.service_id, bill.billable_account_id, bill.supply_account_id, costed.utility + costed.supply + costed.other as cents
      from costed join bills bill on bill.client_id = ${clientId} and bill.id = costed.bill_id
      where bill.date between (select day from since) and '${to}' and bill.id not in (${parents(clientId)}) and (bill.accounting_batch_id in (select id from closed)) is not true),
    meters as (
      select * from (
        select service.id as service_id, coalesce(billable.account_number, supply.account_number) as account_number, facility.name as facility, vendor.name as vendor, kind.name as utility,
          service.meter_number as meter, units.symbol, ${isUsed} as accrued, greatest(service.effective_from, billable.effective_from, supply.effective_from) as begins,
          least(service.effective_to, billable.effective_to, supply.effective_to) as ends,
          (select max(costed.read_date) from costed where costed.service_id = service.id and costed.starts < costed.read_date and costed.bill_date <= '${to}' and ${isRead}) as last_read,
          coalesce((select sum(cents) from unbooked where unbooked.service_id = service.id), 0) as unbooked
        from services service left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = service.billable_account_id
        left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = service.supply_account_id
        ${places} join utility_services kind on kind.id = service.utility_service_id
        left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units on units.id = standard.unit_id
        where service.client_id = ${clientId}) every where accrued or unbooked <> 0),
    bare_accounts as (
      select coalesce(billable.account_number, supply.account_number) as account_number, facility.name as facility, vendor.name as vendor, sum(unbooked.cents) as unbooked
      from unbooked left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = unbooked.billable_account_id
      left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = unbooked.supply_account_id ${places}
      where unbooked.service_id is null group by billable.id, supply.id, billable.account_number, supply.account_number, facility.name, vendor.name having sum(unbooked.cents) <> 0),
    line as (
      select service_id, starts, read_date as stops, bill_date, utility + supply + other as cents, array[utility, supply, other] as charges, case when not again then used end as used, line_id,
        exists (select from bill_findings finding where finding.client_id = ${clientId} and finding.service_bill_id = costed.line_id and finding.resolved_at is null
          and finding.severity in ('E', 'E!') and finding.code in ('usage_high', 'usage_low', 'cost_day_high', 'cost_day_low')) as odd
      from costed where service_id is not null and starts < read_date and ${isRead}),
    ${settled('ever', 'true')}, ${settled('now', `bill_date <= '${to}'`)}, ${settled('then', `bill_date <= ${priorEnd}`)},
    ${said(method, 'now', `'${to}'::date`)}, ${said(method, 'then', priorEnd)}`
}

/** Lines of the same days are one. A line that ends a day before the next one reaches to it, and then the last line ends a day later too. */
function settled(name: string, where: string): string {
  return `merged_${name} as (
      select service_id, starts, stops, sum(cents) as cents, sum(used) as used, bool_and(odd) as odd, min(line_id) as line_id from line where ${where} group by service_id, starts, stops),
    reached_${name} as (
      select *, case when lead(starts) over by_end - stops = 1 then stops + 1 else stops end as moved, count(*) over (partition by service_id) - row_number() over by_end + 1 as from_last
      from merged_${name} window by_end as (partition by service_id order by stops, line_id)),
    settled_${name} as (
      select one.service_id, one.starts, case when from_last = 1 and exists (select from reached_${name} prior where prior.service_id = one.service_id and prior.from_last = 2
          and prior.moved <> prior.stops) then one.moved + 1 else one.moved end as stops, one.stops as read_on, cents, used, odd, from_last
      from reached_${name} one)`
}

/** What a method says of the days that are not billed up to an end; no row where all are. */
function said(method: Method, name: 'now' | 'then', end: string): string {
  const each = { last_bill: byLastCost(name), seasonal: seasonal(name), trailing: trailing(name) } as const
  return `open_${name} as (
      select meters.service_id as of, last.starts as last_starts, last.stops as last_stops, last.cents as last_cents, last.used as last_used, greatest(last.stops, meters.begins) as starts,
        least(meters.ends, ${end}) + 1 as stops, least(meters.ends, ${end}) + 1 - greatest(last.stops, meters.begins) as days
      from meters join settled_${name} last on last.service_id = meters.service_id and last.from_last = 1
      where meters.accrued and greatest(last.stops, meters.begins) <= least(meters.ends, ${end})),
    said_${name} (of, starts, stops, days, usage_per_day, unit_cost, used, cents, how, confidence) as (${each[method]})`
}

const rate = (cents: string, used: string, decimals: number): string => `round(${cents} / 100.0 / nullif(${used}, 0), ${decimals})`

function byLastCost(name: string, where = 'true'): string {
  return `select of, starts, stops, days, round(last_used / (last_stops - last_starts), 6) as usage_per_day, ${rate('last_cents', 'last_used', 6)} as unit_cost,
      round(last_used * days / (last_stops - last_starts), 3) as used, round(last_cents * days / (last_stops - last_starts)) as cents, 'Cost of the last bill' as how,
      case when days > 62 or (select count(*) from settled_${name} usual where usual.service_id = of and not odd) < 3 then 'Low' else 'Medium' end as confidence
    from open_${name} where ${where}`
}

/** Each day is like those of the lines that overlap its month in three earlier years, or like the last line. */
function seasonal(name: string): string {
  return `${byLastCost(name, 'coalesce(last_used, 0) = 0')}
    union all
    select of, starts, stops, days, round(sum(own) / days, 6), ${rate('last_cents', 'last_used', 6)}, round(sum(own), 3), round(sum(own) * last_cents / last_used),
      case when max(years) > 0 then 'Same months of earlier years' else 'Usage of the last bill' end, case when days > 62 or min(years) = 0 then 'Low' when min(years) >= 2 then 'High' else 'Medium' end
    from (select open.*, like_it.years, coalesce(like_it.per_day, last_used / (last_stops - last_starts))
          * (least(stops, (month + interval '1 month')::date) - greatest(starts, month::date)) as own
        from open_${name} open cross join lateral generate_series(date_trunc('month', starts::timestamp), stops - 1, interval '1 month') month
        cross join lateral (select avg(usual.used / (usual.stops - usual.starts)) as per_day, count(distinct back) as years
          from generate_series(1, 3) back join settled_${name} usual on usual.service_id = of and not usual.odd and usual.used is not null
            and usual.starts < month - make_interval(years => back) + interval '1 month' and usual.stops > month - make_interval(years => back)) like_it
        where last_used <> 0) by_month
    group by of, starts, stops, days, last_cents, last_used`
}

/** The average of the lines that end after the first day of the month a year before; without any, the last line. */
function trailing(name: string): string {
  return `select of, starts, stops, days, round(used / covered, 6), ${rate('cents', 'used', 6)}, round(used * days / covered, 3), round(cents * days / covered), 'Last twelve months',
      case when days > 62 or covered < 90 then 'Low' when covered >= 300 then 'High' else 'Medium' end
    from (select open.of, open.starts, open.stops, open.days, sum(recent.cents) as cents, case when bool_and(recent.used is not null) then sum(recent.used) end as used,
          (select count(distinct day) from settled_${name} own cross join lateral generate_series(own.starts, own.stops - 1, interval '1 day') day
            where own.service_id = open.of and ${isRecent('own', 'open', name)}) as covered
        from open_${name} open join settled_${name} recent on recent.service_id = open.of and ${isRecent('recent', 'open', name)}
        group by open.of, open.starts, open.stops, open.days) recent`
}

function isRecent(line: string, open: string, name: string): string {
  const recent = (of: string) => `(not ${of}.odd and ${of}.stops > date_trunc('month', ${open}.starts - interval '12 months'))`
  return `(${recent(line)} or (${line}.from_last = 1 and not exists (select from settled_${name} other where other.service_id = ${open}.of and ${recent('other')})))`
}

/** The cents of all bills for the days that were accrued before, each kind of charge spread by itself; null unless each of these days is billed. */
function actualCents(): string {
  const upTo = (day: string) => `round(charge * (${day} - own.starts) / (own.stops - own.starts))`
  return `(select case when count(*) filter (where billed) = count(*) then (select coalesce(sum(${upTo('least(own.stops, before.stops)')} - ${upTo('greatest(own.starts, before.starts)')}), 0)
        from settled_ever own join line on line.service_id = own.service_id and line.starts = own.starts and line.stops = own.read_on cross join unnest(line.charges) charge
        where own.service_id = meters.service_id and own.starts < before.stops and own.stops > before.starts) end
      from (select exists (select from settled_ever own where own.service_id = meters.service_id and own.starts <= day::date and own.stops > day::date) as billed
        from generate_series(before.starts, before.stops - 1, interval '1 day') day) days)`
}
