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
 * Cost of client 1 between two months, in cents, spread by day over the months that each line covers; computed from the lines, without facts.
 */
export const calendarizedText = `select coalesce(sum(round(cents * upto / days) - round(cents * before / days)), 0)::bigint as cents
  from (select line.previous_read_date as starts_on, line.read_date as ends_on, (line.read_date - line.previous_read_date)::numeric as days,
      (select sum(value) * 100 from service_bill_entry_values value where value.client_id = line.client_id and value.service_bill_id = line.id) as cents
    from service_bills line where line.client_id = 1) spread
  cross join lateral (select (greatest(starts_on, month::date) - starts_on)::numeric as before, (least(ends_on, (month + interval '1 month')::date) - starts_on)::numeric as upto, month
    from generate_series(date_trunc('month', starts_on::timestamp), ends_on::timestamp - interval '1 day', interval '1 month') month) part
  where month >= $1::date and month <= $2::date`
