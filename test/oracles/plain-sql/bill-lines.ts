/** The Global and the Universal Data Export of a client in plain SQL: their rows under the labels of their columns, as text. */
import { amount, costedRows, plain } from './day-rows.ts'
import { bookingRows, parents } from './ledger.ts'

interface AskedLines {
  readonly clientId: number
  /** A condition on `bill`, a row of bills with the void ones. */
  readonly where: string
  /** Codes of utility services: their lines alone, and no charges of accounts. */
  readonly codes?: readonly string[]
  readonly entryFields: readonly string[]
  readonly usageFactors: readonly string[]
  readonly withLedger: boolean
}

export function billLineRows({ clientId, where, codes, entryFields, usageFactors, withLedger }: AskedLines): string {
  const onFirst = (value: string) => `case when spread.bill_row = 1 then ${value} end`
  const factor = `coalesce(service.emissions_factor, (select edition.value from emission_factors edition where edition.utility_service_id = kind.id
    and edition.effective_from <= month::date order by edition.effective_from desc limit 1), kind.emissions_factor)`
  const share = (bound: string) => `round(line.standard_usage * 1000000 * ${bound} / n) / 1000000`
  const isPaid = '(bill.paid or bill.finalized)'
  return `with ${costedRows(clientId)}, ${bookingRows(clientId)},
    line_total as (
      select line.id as line_id, line.bill_id, line.position, kind.code,
        coalesce((select sum(own.value) from service_bill_entry_values own where own.client_id = ${clientId} and own.service_bill_id = line.id), 0)
          + coalesce((select sum(round(own.value, 2)) from service_bill_additional_values own where own.client_id = ${clientId} and own.service_bill_id = line.id), 0) as total
      from service_bills line join services service on service.client_id = ${clientId} and service.id = line.service_id
      join utility_services kind on kind.id = service.utility_service_id where line.client_id = ${clientId}),
    every as (
      select bill_id, line_id, position, total from line_total where ${codes === undefined ? 'true' : `code in (${codes.map((code) => `'${code}'`).join(', ')})`}
      union all select bill.id, null, null, bill.current_charges - coalesce(sum(line_total.total), 0) from bills bill left join line_total on line_total.bill_id = bill.id
      where bill.client_id = ${clientId} and ${codes === undefined ? 'true' : 'false'} group by bill.id, bill.current_charges
      having count(line_total.line_id) = 0 or bill.current_charges <> sum(line_total.total)),
    spread as (select every.*, row_number() over (partition by bill_id order by position nulls last, line_id) as bill_row from every)
    select client.name as "Client", division.name as "Division", division.code as "Division Code", facility.name as "Facility", facility.number as "Facility Number",
      case when bill.billable_account_id is null then 'Supply' else 'Billable' end as "Account Type", bill.account_number as "Account Number", coalesce(billable.name, supply.name) as "Account",
      vendor.name as "Vendor", coalesce(known_as.vendor_number, vendor.short_code) as "Vendor Number", coalesce(kind.name, 'Account charges') as "Utility Service", service.meter_number as "Meter",
      service.service_name_1 as "Service Name 1", service.service_name_2 as "Service Name 2", coalesce(line.rate_schedule, service.rate_schedule) as "Rate Schedule",
      bill.id::text as "Bill ID", spread.bill_row::text as "Bill Row", bill.invoice_number as "Invoice Number", bill.date::text as "Bill Date", bill.due_date::text as "Due Date",
      (case when line.id is null then bill.previous_read_date else line.previous_read_date end)::text as "Previous Read Date",
      (case when line.id is null then bill.read_date else line.read_date end)::text as "Read Date", coalesce(line.next_read_date, bill.next_read_date)::text as "Next Read Date",
      coalesce(line.fiscal_month, bill.fiscal_month) as "Fiscal Month", (line.read_date - line.previous_read_date)::text as "Days", ${plain('line.previous_reading')} as "Previous Reading",
      ${plain('line.meter_reading')} as "Meter Reading", ${plain('line.multiplier')} as "Multiplier", ${plain('line.usage')} as "Usage", coalesce(unit.symbol, line.raw_unit) as "Unit",
      ${plain('round(line.usage * own_unit.conversion_factor, 6)')} as "Standard Usage", case when line.usage is not null and own_unit.id is not null then standard_symbol.symbol end as "Standard Unit",
      case when line.id is not null then case when counts and not costed.again then 'Yes' else 'No' end end as "Usage Counts", case when counts then 'Yes' else 'No' end as "Amount Counts",
      case when line.id is not null then case when line.estimated then 'Yes' else 'No' end end as "Estimated", ${amount('spread.total * 100')} as "Line Total",
      ${onFirst('bill.balance_forward::text')} as "Balance Forward", ${onFirst('bill.current_charges::text')} as "Current Charges", ${onFirst('bill.late_fee::text')} as "Late Fee",
      ${onFirst('bill.amount_due::text')} as "Amount Due",
      ${onFirst(`case when ${isPaid} then coalesce(bill.amount_paid, case when bill.group_bill_id is null then bill.amount_due end)::text end`)} as "Amount Paid",
      case when bill.superseded_by_id is not null then 'Void' when bill.finalized then 'Finalized' when bill.paid then 'Paid' when payment_batch.is_global then 'Global Batched'
        when payment.id is not null then 'Vendor Batched' when bill.parked then 'Parked' when bill.qc then 'QC' when bill.open_errors + bill.open_blocking > 0 then 'Flagged'
        when batch.closed or batch.invoiced then 'Client Batch Closed' when batch.id is not null then 'Client Batched' when cardinality(bill.missing_fields) > 0 then 'Draft' else 'Unbatched' end as "Status",
      case when batch.id is null then 'unbatched' when batch.invoiced then 'invoiced' when batch.closed then 'closed' else 'client_batched' end as "Accounting Status",
      case when ${isPaid} and payment_batch.paid_as = 'NP' then 'no_pay' when bill.finalized then 'finalized' when bill.paid then 'paid' when payment.id is not null
        then case when payment_batch.is_global then 'global_batched' else 'vendor_batched' end when bill.group_bill_id is not null then 'group_bill' else 'unpaid' end as "Payment Status",
      batch.batch_code as "Client Batch", payment_batch.id::text as "Vendor Batch", payment.check_number as "Payment ID", payment.payment_date::text as "Payment Date", bill.group_bill_id::text as "Group Bill ID",
      case when line.standard_usage is not null then case when not counts or costed.again or not kind.inventoriable then '0' else ${plain(`(
        select sum(round((${share('upto')} - ${share('before')}) * ${factor}, 6)) from (
          select month, greatest(costed.starts, month::date) - costed.starts as before, least(costed.stops, (month + interval '1 month')::date) - costed.starts as upto, costed.stops - costed.starts as n
          from generate_series(date_trunc('month', costed.starts::timestamp), costed.stops - 1, interval '1 month') month where costed.starts < costed.stops
          union all select date_trunc('month', bill.date::timestamp), 0, 1, 1 where (costed.starts < costed.stops) is not true) months)`)} end end as "kgCO2e",
      ${onFirst(`(select string_agg(distinct finding.message, '; ') from bill_findings finding where finding.client_id = ${clientId} and finding.bill_id = bill.id
        and finding.resolved_at is null and finding.severity <> 'I')`)} as "Flags",
      ${onFirst(`(select '/api/v5/clients/${clientId}/bills/' || bill.id || '/files/' || min(copy.position) from bill_files copy where copy.client_id = ${clientId} and copy.bill_id = bill.id)`)} as "File Link",
      ${onFirst('bill.notes')} as "Notes",
      ${entryFields.map((name) => `(select own.value::text from service_bill_entry_values own join entry_fields field on field.id = own.entry_field_id and field.name = '${name}' where own.client_id = ${clientId} and own.service_bill_id = line.id) as "${name}",`).join('\n')}
      (select sum(round(own.value, 2))::text from service_bill_additional_values own where own.client_id = ${clientId} and own.service_bill_id = line.id) as "Additional Charges"
      ${usageFactors.map((name) => `, (select ${plain('max(own.value)')} from service_bill_usage_factors own join usage_factors given on given.id = own.usage_factor_id and given.name = '${name}' where own.client_id = ${clientId} and own.service_bill_id = line.id) as "${name}"`).join('\n')}
      ${withLedger ? `, (select string_agg(account.name || case when booking.ratio = 1 then '' else ' ' || booking.ratio end, '; ' order by booking.place) from booking join ledger_accounts account on account.client_id = ${clientId} and account.id = booking.ledger_account_id where booking.service_id = line.service_id) as "Ledger Accounts"` : ''}
    from spread join bills bill on bill.client_id = ${clientId} and bill.id = spread.bill_id
    cross join lateral (select bill.superseded_by_id is null and bill.id not in (${parents(clientId)}) as counts) counted
    join clients client on client.id = ${clientId}
    left join service_bills line on line.client_id = ${clientId} and line.id = spread.line_id left join costed on costed.line_id = line.id
    left join services service on service.client_id = ${clientId} and service.id = line.service_id left join utility_services kind on kind.id = service.utility_service_id
    left join units unit on unit.id = line.unit_id left join usage_units own_unit on own_unit.utility_service_id = kind.id and own_unit.unit_id = line.unit_id
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard left join units standard_symbol on standard_symbol.id = standard.unit_id
    left join divisions division on division.client_id = ${clientId} and division.id = bill.division_id left join facilities facility on facility.client_id = ${clientId} and facility.id = bill.facility_id
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = bill.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = bill.supply_account_id left join vendors vendor on vendor.id = bill.vendor_id
    left join client_vendor_numbers known_as on known_as.client_id = ${clientId} and known_as.vendor_id = bill.vendor_id
    left join accounting_batches batch on batch.client_id = ${clientId} and batch.id = bill.accounting_batch_id
    left join vendor_payments payment on payment.client_id = ${clientId} and payment.id = bill.vendor_payment_id
    left join payment_batches payment_batch on payment_batch.client_id = ${clientId} and payment_batch.id = payment.payment_batch_id
    where ${where}`
}
