/**
 * The cost, usage and emissions of a client's bills by meter and month, in plain SQL over bills, lines and charges. It imports nothing of the
 * product and reads no table of sums. The reports' oracles begin with it.
 */

/** Months of days that bills cover, or whole in the fiscal month of the line, else of the bill, else in the month of the bill. */
export type SpreadBasis = 'calendarized' | 'billed'

/**
 * `live`: the bills that count, with the cents that the children of a group leave of them. `costed`: their lines, with the cents of utility,
 * supply and other charges, where `other` holds the share of the charges that no line carries. A bill without lines is a row without a service.
 */
export function costedRows(clientId: number): string {
  return `known as (
      select bill.*, (current_charges + late_fee) * 100 as whole, (select sum(child.current_charges + child.late_fee) * 100 from bills child
          where child.client_id = ${clientId} and child.group_bill_id = bill.id and child.superseded_by_id is null) as carried
      from bills bill where bill.client_id = ${clientId} and bill.superseded_by_id is null),
    live as (
      select known.*, case when carried is null then whole when whole < 0 then least(whole - carried, 0) else greatest(whole - carried, 0) end as remains from known),
    entered as (
      select line.*, live.whole, live.remains, live.carried is not null as has_children, live.date as bill_date, live.fiscal_month as bill_fiscal,
        ${charged(clientId, 'utility')} as utility, ${charged(clientId, 'supply')} as supply,
        ${charged(clientId, 'other')} + 100 * coalesce((select sum(round(own.value, 2)) from service_bill_additional_values own
          where own.client_id = ${clientId} and own.service_bill_id = line.id), 0) as other
      from live join service_bills line on line.client_id = ${clientId} and line.bill_id = live.id
      where not (live.carried is not null and live.remains = 0)),
    weighed as (
      select entered.*, whole - sum(utility + supply + other) over one as beside,
        case when sum(abs(utility + supply + other)) over one <> 0 then abs(utility + supply + other)
          when sum(abs(coalesce(usage, 0))) over one <> 0 and bool_and(unit_id is not null) over one and min(unit_id) over one = max(unit_id) over one
          then abs(coalesce(usage, 0)) * 1000 else 1 end as weight
      from entered window one as (partition by bill_id)),
    parted as (
      select weighed.*, trunc(abs(beside) * weight / sum(weight) over one) as part,
        abs(beside) * weight - trunc(abs(beside) * weight / sum(weight) over one) * sum(weight) over one as remainder
      from weighed window one as (partition by bill_id)),
    shared as (
      select parted.*, sign(beside) * (part + (row_number() over (partition by bill_id order by remainder desc, weight desc, position, id)
        <= abs(beside) - sum(part) over (partition by bill_id))::int) as share
      from parted),
    cut as (
      select shared.id, place, cents, whole, remains, has_children, sum(cents) over (partition by bill_id order by position, shared.id, place) as passed
      from shared cross join lateral (values (1, utility), (2, supply), (3, other + share)) amount(place, cents)),
    kept as (
      select id, place, case when not has_children then cents when whole = 0 then 0
        else round(passed * remains / whole) - round((passed - cents) * remains / whole) end as cents
      from cut),
    costed as (
      select shared.id as line_id, shared.bill_id, shared.service_id, shared.position, shared.bill_date, shared.bill_fiscal, shared.fiscal_month, shared.previous_read_date as starts,
        case when lead(shared.previous_read_date) over by_read - shared.read_date = 1 then shared.read_date + 1 else shared.read_date end as stops, shared.read_date,
        (select cents from kept where kept.id = shared.id and place = 1) as utility, (select cents from kept where kept.id = shared.id and place = 2) as supply,
        (select cents from kept where kept.id = shared.id and place = 3) as other,
        case when not has_children then round(shared.usage * unit.conversion_factor, 6) end as used,
        service.supply_account_id is not null and (shared.supply_bill_id is not null
          or exists (select from bill_linked_service_bills link where link.client_id = ${clientId} and link.service_bill_id = shared.id)
          or exists (select from service_bills naming where naming.client_id = ${clientId} and naming.supply_bill_id = shared.bill_id)
          or exists (select from supply_account_billable_services link join services delivery on delivery.client_id = ${clientId} and delivery.id = link.service_id
            where link.client_id = ${clientId} and link.supply_account_id = service.supply_account_id and delivery.utility_service_id = service.utility_service_id)) as again
      from shared join services service on service.client_id = ${clientId} and service.id = shared.service_id
      left join usage_units unit on unit.utility_service_id = service.utility_service_id and unit.unit_id = shared.unit_id
      window by_read as (partition by shared.service_id order by shared.read_date nulls first, shared.id)
      union all
      select null, live.id, null, null, live.date, live.fiscal_month, null, live.previous_read_date, live.read_date, live.read_date, 0, 0, live.remains, null, false
      from live where not (live.carried is not null and live.remains = 0)
        and not exists (select from service_bills line where line.client_id = ${clientId} and line.bill_id = live.id))`
}

function charged(clientId: number, category: 'utility' | 'supply' | 'other'): string {
  return `100 * coalesce((select sum(own.value) from service_bill_entry_values own join entry_fields field on field.id = own.entry_field_id
    where own.client_id = ${clientId} and own.service_bill_id = line.id and field.category = '${category}'), 0)`
}

/** `owner`: each meter, and each account of bills without lines, with its place and the days on which it is in use. */
function ownerRows(clientId: number): string {
  return `owner as (
      select 'meter ' || service.id as owner, service.id as service_id, service.billable_account_id, service.supply_account_id, service.utility_service_id,
        coalesce(billable.facility_id, supply.facility_id) as facility_id, coalesce(billable.account_number, supply.account_number) as account_number,
        service.active and coalesce(billable.active, supply.active) as expected,
        greatest(service.effective_from, billable.effective_from, supply.effective_from) as since, least(service.effective_to, billable.effective_to, supply.effective_to) as until
      from services service left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = service.billable_account_id
      left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = service.supply_account_id where service.client_id = ${clientId}
      union all select 'billable ' || id, null, id, null, utility_service_id, facility_id, account_number, false, null, null from billable_accounts where client_id = ${clientId}
      union all select 'supply ' || id, null, null, id, null, facility_id, account_number, false, null, null from supply_accounts where client_id = ${clientId})`
}

/**
 * `monthly`: a row for each owner and month with cents, usage (millionths are kept), kilograms, and the days that bills cover. `covered`: each
 * of these days, once for an owner.
 */
export function dayRows(clientId: number, basis: SpreadBasis = 'calendarized'): string {
  const ownerOf = `coalesce('meter ' || costed.service_id, 'billable ' || bill.billable_account_id, 'supply ' || bill.supply_account_id)`
  const pieces =
    basis === 'calendarized'
      ? `select to_char(month, 'YYYY-MM') as month, greatest(costed.starts, month::date) - costed.starts as before, least(costed.stops, (month + interval '1 month')::date) - costed.starts as upto,
          costed.stops - costed.starts as n
        from generate_series(date_trunc('month', costed.starts::timestamp), costed.stops - 1, interval '1 month') month where costed.starts < costed.stops
        union all select to_char(costed.bill_date, 'YYYY-MM'), 0, 1, 1 where (costed.starts < costed.stops) is not true`
      : `select coalesce(costed.fiscal_month, costed.bill_fiscal, to_char(costed.bill_date, 'YYYY-MM')) as month, 0 as before, 1 as upto, 1 as n`
  const partOf = (amount: string) => `round(${amount} * upto / n) - round(${amount} * before / n)`
  return `${costedRows(clientId)}, ${ownerRows(clientId)},
    piece as (
      select ${ownerOf} as owner, month, ${partOf('costed.utility')} + ${partOf('costed.supply')} + ${partOf('costed.other')} as cents,
        case when not again then (${partOf('costed.used * 1000000')}) / 1000000 end as used
      from costed join bills bill on bill.client_id = ${clientId} and bill.id = costed.bill_id cross join lateral (${pieces}) spread),
    covered as (
      select distinct 'meter ' || costed.service_id as owner, day::date as day from costed
      cross join lateral generate_series(costed.starts, costed.stops - 1, interval '1 day') day
      where costed.service_id is not null and costed.starts < costed.stops),
    monthly as (
      select piece.owner, piece.month, sum(cents) as cents, sum(used) as used, ${kilograms(basis)} as kg
      from piece join owner on owner.owner = piece.owner left join utility_services kind on kind.id = owner.utility_service_id
      left join services own on own.client_id = ${clientId} and own.id = owner.service_id group by piece.owner, piece.month, kind.id, kind.inventoriable, kind.emissions_factor, own.emissions_factor)`
}

/** A month's sum is rounded where bills are spread over months; each line is rounded where lines count whole. */
function kilograms(basis: SpreadBasis): string {
  const factor = `coalesce(own.emissions_factor, (select edition.value from emission_factors edition where edition.utility_service_id = kind.id
    and edition.effective_from <= (piece.month || '-01')::date order by edition.effective_from desc limit 1), kind.emissions_factor)`
  const rounded = basis === 'calendarized' ? `round(coalesce(sum(used), 0) * ${factor}, 6)` : `sum(round(coalesce(used, 0) * ${factor}, 6))`
  return `case when kind.inventoriable then ${rounded} else 0 end`
}

/** Cents as an amount. */
export function amount(cents: string): string {
  return `((${cents}) / 100)::numeric(16,2)::text`
}

/** A decimal without the zeros that say nothing. */
export function plain(value: string): string {
  return `trim_scale((${value})::numeric)::text`
}

/** Rounded to some decimals, which are kept. */
export function fixed(value: string, decimals: number): string {
  return `round((${value})::numeric, ${decimals})::text`
}
