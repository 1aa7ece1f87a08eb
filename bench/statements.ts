/** The best hand-written SQL for the lists. Raw figures run it over one driver, the thin server responds with it. */
import { estateTexts } from './estate-statements.ts'

/** The columns of a bill that its wire row contains. */
const columns = `id, lock_version, vendor_id, billable_account_id, supply_account_id, account_number, client_id, division_id, facility_id, accounting_batch_id, date, due_date,
  assumed_due_date, created_at, invoice_number, balance_forward, current_charges, late_fee, amount_due, amount_paid, previous_read_date, read_date, next_read_date, fiscal_month,
  rebill_adjustment, qc, parked, paid, finalized, open_errors, open_blocking, open_warnings, bill_id, group_bill_id, superseded_by_id, vendor_payment_id, notes`

/** Names for the row, looked up row by row: best for ten rows. */
const lookedUp = `(select name from vendors where id = page.vendor_id) as vendor_name, (select name from clients where id = page.client_id) as client_name,
  (select name from divisions where client_id = page.client_id and id = page.division_id) as division_name,
  (select name from facilities where client_id = page.client_id and id = page.facility_id) as facility_name,
  (select name from billable_accounts where client_id = page.client_id and id = page.billable_account_id) as account_name,
  (select filename from bill_files where client_id = page.client_id and bill_id = page.id and position = 1) as filename,
  exists (select from service_bills where client_id = page.client_id and bill_id = page.id and estimated) as estimated,
  case when open_errors + open_warnings > 0 then (select jsonb_object_agg(code, message) from bill_findings where client_id = page.client_id and bill_id = page.id and resolved_at is null) end as flags`

/** The same by joins: best for a thousand rows. */
const joined = `vendor.name as vendor_name, client.name as client_name, division.name as division_name, facility.name as facility_name, account.name as account_name, file.filename,
  exists (select from service_bills where client_id = page.client_id and bill_id = page.id and estimated) as estimated,
  case when open_errors + open_warnings > 0 then (select jsonb_object_agg(code, message) from bill_findings where client_id = page.client_id and bill_id = page.id and resolved_at is null) end as flags`
const joins = `left join vendors vendor on vendor.id = page.vendor_id left join clients client on client.id = page.client_id
  left join divisions division on division.client_id = page.client_id and division.id = page.division_id
  left join facilities facility on facility.client_id = page.client_id and facility.id = page.facility_id
  left join billable_accounts account on account.client_id = page.client_id and account.id = page.billable_account_id
  left join bill_files file on file.client_id = page.client_id and file.bill_id = page.id and file.position = 1`

const accounts = `accounts as materialized (select id from billable_accounts where client_id = 1 and account_number ilike $1)`
const contained = `client_id = 1 and account_number ilike $1 and due_date >= $2`
const ofAccounts = `client_id = 1 and billable_account_id in (select id from accounts)`
const unswept = `not paid and not finalized and not parked and vendor_payment_id is null and superseded_by_id is null and due_date <= $1`
const owing = `not paid and superseded_by_id is null and due_date <= $1 and amount_due >= $2`

/** Ten rows by due date. */
function page(where: string, rest: string, before = ''): string {
  return `with ${before} page as materialized (select ${columns} from bills where ${where} order by due_date, id ${rest}) select page.*, ${lookedUp} from page order by due_date, id`
}

/** Every statement by name. */
export const texts: ReadonlyMap<string, string> = new Map([
  ...estateTexts,
  ['contains', page(contained, 'limit 10')],
  ['contains_narrowed', page(`${contained} and division_id = any($3)`, 'limit 10')],
  ['contains_page', page(contained, 'limit 10 offset $3')],
  ['contains_total', `select count(*) from bills where ${contained} and amount_due >= $3`],
  ['contains_beside', page(`${contained} and amount_due >= $3`, 'limit 10')],
  ['owing', page(owing, 'limit 10')],
  ['unswept', page(unswept, 'limit 10')],
  [
    'unswept_sums',
    `select sum(amount_due), sum(coalesce(amount_paid, amount_due)), min(amount_due), max(amount_due) from bills where ${unswept}`,
  ],
  [
    'deep',
    `with found as materialized (select id from bills order by due_date, id limit 10 offset $1), page as materialized (select bills.* from found join bills using (id))
      select ${columns}, ${lookedUp} from page order by due_date, id`,
  ],
  ['first_of_all', page('true', 'limit 10')],
  ['walk', page('client_id = 1 and account_number ilike $1', 'limit 10')],
  ['walk_total', 'select count(*) from bills where client_id = 1 and account_number ilike $1'],
  ['two_step', page(ofAccounts, 'limit 10', `${accounts},`)],
  ['two_step_total', `with ${accounts} select count(*) from bills where ${ofAccounts}`],
  [
    'thousand',
    `with page as materialized (select ${columns} from bills where client_id = 1 order by due_date, id limit 1000 offset $1)
      select page.*, ${joined} from page ${joins} order by page.due_date, page.id`,
  ],
])

/** All bills of client 1 as sent by COPY; `where` restricts them. */
export function exportText(where = 'true'): string {
  return `copy (with page as (select ${columns} from bills where client_id = 1 and ${where} order by created_at desc, id desc)
    select page.*, ${joined} from page ${joins} order by page.created_at desc, page.id desc) to stdout with (format csv, header)`
}

/**
 * The lines of all bills of client 1 with the columns of the Global Data Export, as sent by COPY in the same order. What the world has none of,
 * such as suppliers and groups, is left out; charges are summed once for all lines.
 */
export const billLinesText = `copy (with charged as materialized (
    select own.service_bill_id, sum(own.value) as total, ${[1, 2, 3, 4, 5, 6].map((place) => `sum(own.value) filter (where field.place = ${place}) as field_${place}`).join(', ')}
    from service_bill_entry_values own join (select id, row_number() over (order by position, id) as place from entry_fields) field on field.id = own.entry_field_id
    where own.client_id = 1 group by own.service_bill_id),
  flagged as materialized (select bill_id, string_agg(distinct message, '; ') as flags from bill_findings where client_id = 1 and resolved_at is null and severity <> 'I' group by bill_id)
  select client.name, division.name, division.code, facility.name, facility.number, 'Billable', bill.account_number, account.name, vendor.name, coalesce(known.vendor_number, vendor.short_code),
    kind.name, service.meter_number, service.service_name_1, service.service_name_2, coalesce(line.rate_schedule, service.rate_schedule), bill.id, row_number() over (partition by bill.id order by line.position, line.id),
    bill.invoice_number, to_char(bill.date, 'MM/DD/YYYY'), to_char(bill.due_date, 'MM/DD/YYYY'), to_char(line.previous_read_date, 'MM/DD/YYYY'), to_char(line.read_date, 'MM/DD/YYYY'),
    to_char(coalesce(line.next_read_date, bill.next_read_date), 'MM/DD/YYYY'), coalesce(line.fiscal_month, bill.fiscal_month), line.read_date - line.previous_read_date,
    trim_scale(line.previous_reading), trim_scale(line.meter_reading), trim_scale(line.multiplier), trim_scale(line.usage), unit.symbol, trim_scale(line.standard_usage), unit.symbol, 'Yes', 'Yes',
    case when line.estimated then 'Yes' else 'No' end, charged.total, ${['balance_forward', 'current_charges', 'late_fee', 'amount_due', 'amount_paid'].map((name) => `case when line.position = 0 then bill.${name} end`).join(', ')},
    case when bill.finalized then 'Finalized' when bill.paid then 'Paid' when bill.open_errors > 0 then 'Flagged' else 'Unbatched' end, 'unbatched',
    case when bill.finalized then 'finalized' when bill.paid then 'paid' else 'unpaid' end, batch.batch_code, payment.payment_batch_id, payment.check_number, payment.payment_date, bill.group_bill_id,
    trim_scale(round(line.standard_usage * coalesce(service.emissions_factor, kind.emissions_factor), 6)), case when line.position = 0 then flagged.flags end,
    case when line.position = 0 then '/api/v5/clients/1/bills/' || bill.id || '/files/' || file.position end, case when line.position = 0 then bill.notes end,
    field_1, field_2, field_3, field_4, field_5, field_6
  from bills bill join service_bills line on line.client_id = 1 and line.bill_id = bill.id join services service on service.client_id = 1 and service.id = line.service_id
  join utility_services kind on kind.id = service.utility_service_id join clients client on client.id = 1 left join charged on charged.service_bill_id = line.id
  left join flagged on flagged.bill_id = bill.id left join units unit on unit.id = line.unit_id
  left join divisions division on division.client_id = 1 and division.id = bill.division_id left join facilities facility on facility.client_id = 1 and facility.id = bill.facility_id
  left join billable_accounts account on account.client_id = 1 and account.id = bill.billable_account_id left join vendors vendor on vendor.id = bill.vendor_id
  left join client_vendor_numbers known on known.client_id = 1 and known.vendor_id = bill.vendor_id left join accounting_batches batch on batch.client_id = 1 and batch.id = bill.accounting_batch_id
  left join vendor_payments payment on payment.client_id = 1 and payment.id = bill.vendor_payment_id left join bill_files file on file.client_id = 1 and file.bill_id = bill.id and file.position = 1
  where bill.client_id = 1 and bill.superseded_by_id is null order by bill.account_number, bill.date, bill.id, line.position, line.id) to stdout with (format csv, header)`

/**
 * Cost of client 1 between two months, in cents, spread by day over the months that each line covers; computed from the lines, without facts.
 */
export const calendarizedText = `select coalesce(sum(round(cents * upto / days) - round(cents * before / days)), 0)::bigint as cents
  from (select line.previous_read_date as starts_on, line.read_date as ends_on, (line.read_date - line.previous_read_date)::numeric as days,
      (select sum(value) * 100 from service_bill_entry_values value where value.client_id = line.client_id and value.service_bill_id = line.id) as cents
    from service_bills line where line.client_id = 1) spread
  cross join lateral (select (greatest(starts_on, month::date) - starts_on)::numeric as before, (least(ends_on, (month + interval '1 month')::date) - starts_on)::numeric as upto, month
    from generate_series(date_trunc('month', starts_on::timestamp), ends_on::timestamp - interval '1 day', interval '1 month') month) part
  where month >= $1::date and month <= $2::date`
