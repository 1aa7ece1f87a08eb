/** The Trial Balance in plain SQL: the ledger lines of bills from their lines and charges, or as closed client batches froze them. */
import { amount } from './day-rows.ts'

interface AskedBalance {
  readonly clientId: number
  /** The bills dated in this range, or those of these client batches. */
  readonly bills: { readonly from: string; readonly to: string } | { readonly batches: readonly number[] }
  /** Names of the ledger fields that have a column each; empty without details. */
  readonly fields: readonly string[]
}

/** `booking`: the ledger accounts of each service with their ratios. A supply service may take those of the service that it supplies. */
export function bookingRows(clientId: number): string {
  return `home as (
      select service.id, case when service.billable_ledgers and service.supply_account_id is not null then (select delivery.id from supply_account_billable_services link
          join services delivery on delivery.client_id = ${clientId} and delivery.id = link.service_id and delivery.utility_service_id = service.utility_service_id
          where link.client_id = ${clientId} and link.supply_account_id = service.supply_account_id order by delivery.id limit 1) else service.id end as booked_by
      from services service where service.client_id = ${clientId}),
    booking as (
      select home.id as service_id, share.position as place, share.ledger_account_id, share.share_ratio as ratio from home
      join shared_accounts share on share.client_id = ${clientId} and share.service_id = home.booked_by
      union all select home.id, 0, service.ledger_account_id, 1 from home join services service on service.client_id = ${clientId} and service.id = home.booked_by
      where service.ledger_account_id is not null
        and not exists (select from shared_accounts share where share.client_id = ${clientId} and share.service_id = home.booked_by))`
}

/** `entry`: the ledger lines of the bills in `asked`, in cents, debits above zero. */
function entryRows(clientId: number): string {
  return `settings as (select coalesce(max(late_fee_ledger_account_id), 0) as late_account, coalesce(max(prior_balance_ledger_account_id), 0) as prior_account,
      coalesce(max(payable_ledger_account_id), 0) as payable_account from client_ledger_settings where client_id = ${clientId}),
    bill as (select asked.*, current_charges * 100 as current, late_fee * 100 as late, amount_due * 100 as due,
      case when late_account > 0 then late_fee * 100 else 0 end as own_late from asked cross join settings),
    entered as (
      select line.id, line.bill_id, line.service_id, line.position, line.usage, line.unit_id, bill.division_id, bill.current + bill.late - bill.own_late as whole,
        100 * coalesce((select sum(own.value) from service_bill_entry_values own where own.client_id = ${clientId} and own.service_bill_id = line.id), 0)
          + 100 * coalesce((select sum(round(own.value, 2)) from service_bill_additional_values own where own.client_id = ${clientId} and own.service_bill_id = line.id), 0) as cents
      from bill join service_bills line on line.client_id = ${clientId} and line.bill_id = bill.id),
    weighed as (
      select entered.*, whole - sum(cents) over one as beside, case when sum(abs(cents)) over one <> 0 then abs(cents)
          when sum(abs(coalesce(usage, 0))) over one <> 0 and bool_and(unit_id is not null) over one and min(unit_id) over one = max(unit_id) over one
          then abs(coalesce(usage, 0)) * 1000 else 1 end as weight
      from entered window one as (partition by bill_id)),
    parted as (
      select weighed.*, trunc(abs(beside) * weight / sum(weight) over one) as part, mod(abs(beside) * weight, sum(weight) over one) as remainder from weighed
      window one as (partition by bill_id)),
    costs as (
      select id, bill_id, division_id, service_id, cents + sign(beside) * (part + (row_number() over (partition by bill_id order by remainder desc, weight desc, position, id)
        <= abs(beside) - sum(part) over (partition by bill_id))::int) as cents
      from parted),
    sides as (
      select costs.*, booking.ledger_account_id, booking.place, booking.ratio * 10000 as weight, sum(booking.ratio * 10000) over (partition by costs.id) as weights
      from costs join booking on booking.service_id = costs.service_id),
    split as (select sides.*, trunc(abs(cents) * weight / weights) as part, mod(abs(cents) * weight, weights) as remainder from sides),
    entry as (
      select bill_id, division_id, ledger_account_id, 'expense' as kind, sign(cents) * (part + (row_number() over (partition by id order by remainder desc, weight desc, place)
        <= abs(cents) - sum(part) over (partition by id))::int) as cents from split
      union all select bill_id, division_id, null, 'expense', cents from costs where not exists (select from booking where booking.service_id = costs.service_id)
      union all select id, division_id, null, 'expense', current + late - own_late from bill where not exists (select from entered where entered.bill_id = bill.id)
      union all select id, division_id, late_account, 'late_fee', own_late from bill cross join settings
      union all select id, division_id, nullif(prior_account, 0), 'prior_balance', due - current - late from bill cross join settings
      union all select id, division_id, nullif(payable_account, 0), 'payable', -due from bill cross join settings)`
}

export function trialBalanceRows({ clientId, bills, fields }: AskedBalance): string {
  const isFrozen = `exists (select from accounting_batches batch where batch.client_id = ${clientId} and batch.id = bills.accounting_batch_id and batch.closed)`
  const [computed, frozen] =
    'from' in bills
      ? [
          `superseded_by_id is null and date between '${bills.from}' and '${bills.to}' and not ${isFrozen} and id not in (${parents(clientId)})`,
          `line.reverses_id is null and line.bill_id in (select id from bills where client_id = ${clientId} and superseded_by_id is null
            and date between '${bills.from}' and '${bills.to}' and ${isFrozen} and id not in (${parents(clientId)}))`,
        ]
      : [
          `accounting_batch_id in (${bills.batches.join(', ')}) and not ${isFrozen}`,
          `line.accounting_batch_id in (${bills.batches.join(', ')})`,
        ]
  // An open batch takes back what a closed one has booked of a bill that one of its own has replaced.
  const takenBack =
    'from' in bills
      ? 'false'
      : `line.reverses_id is null and not exists (select from gl_lines taken where taken.client_id = ${clientId} and taken.reverses_id = line.id)
          and line.bill_id in (select void.id from bills void join bills fresh on fresh.client_id = ${clientId} and fresh.id = void.superseded_by_id
            join accounting_batches open on open.client_id = ${clientId} and open.id = fresh.accounting_batch_id and not open.closed
            where void.client_id = ${clientId} and open.id in (${bills.batches.join(', ')}))`
  const fieldOf = (name: string, values: string) =>
    `(select value ->> 'value' from jsonb_array_elements(${values}) value where (value ->> 'id')::bigint = (select id from ledger_fields where client_id = ${clientId} and name = '${name}'))`
  return `with asked as (select * from bills where client_id = ${clientId} and ${computed}), ${bookingRows(clientId)}, ${entryRows(clientId)},
    booked as (
      select entry.bill_id, entry.division_id, coalesce(account.name, '') as account, entry.kind, entry.cents,
        (select coalesce(jsonb_agg(jsonb_build_object('id', own.ledger_field_id, 'value', own.value)), '[]') from ledger_account_fields own
          where own.client_id = ${clientId} and own.ledger_account_id = account.id) as filled
      from entry left join ledger_accounts account on account.client_id = ${clientId} and account.id = entry.ledger_account_id where entry.cents <> 0 or entry.kind = 'payable'
      union all select bill_id, division_id, ledger_account_name, kind, amount * 100, ledger_values::jsonb from gl_lines line where line.client_id = ${clientId} and ${frozen}
      union all select bill_id, division_id, ledger_account_name, kind, -amount * 100, ledger_values::jsonb from gl_lines line where line.client_id = ${clientId} and ${takenBack}),
    named as (
      select booked.*, case when kind = 'payable' then '' else coalesce(division.name, '') end as division,
        case when account <> '' then account when kind = 'payable' then 'Accounts payable' else 'No ledger account' end as shown, kind = 'payable' as is_payable
        ${fields.map((name, place) => `, coalesce(${fieldOf(name, 'filled')}, '') as field_${place}`).join('')}
      from booked left join divisions division on division.client_id = ${clientId} and division.id = booked.division_id)
    select division as "Division", shown as "Ledger Account", ${fields.map((name, place) => `field_${place} as "${name}",`).join(' ')} count(distinct bill_id)::text as "Bills",
      ${amount('coalesce(sum(cents) filter (where cents > 0), 0)')} as "Debit", ${amount('coalesce(-sum(cents) filter (where cents < 0), 0)')} as "Credit", ${amount('sum(cents)')} as "Net"
    from named group by is_payable, division, shown ${fields.map((_, place) => `, field_${place}`).join('')}`
}

/** The bills of groups whose children carry them. */
export function parents(clientId: number): string {
  return `select group_bill_id from bills where client_id = ${clientId} and superseded_by_id is null and group_bill_id is not null`
}
