/**
 * The rows of the exports of lines, under the name `bills`. What belongs to a bill is computed once for the bill, and what belongs to a line once
 * for the line: the bills are put in order before their lines are read, and no row is joined with its bill again.
 */
import { sql, type RawBuilder } from 'kysely'
import { accountingStatusColumn, fullStatusColumn, paymentStatusColumn } from '../bills/bills.ts'
import { divisionScope } from '../estate/estate.ts'
import { and, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { isNarrowed } from '../kernel/principal.ts'
import { lineKilograms, measuredElsewhere } from '../month-facts/month-facts.ts'
import { effectiveLedgers } from '../services/services.ts'
import { hasChildren } from './bill-choice.ts'
import type { AskedReport } from './report-table.ts'

type Sql = RawBuilder<unknown>
export type Cells = Readonly<Record<string, Sql>>

/** The ledger accounts of a row of `services` in words: 'Heat 0.6000; Water 0.4000'. */
export const ledgerAccountsText: Sql = sql`(select string_agg(concat(booked ->> 'ledger_account_name', case when (booked ->> 'share_ratio')::numeric <> 1 then ' ' || (booked ->> 'share_ratio') end), '; ')
  from json_array_elements(${effectiveLedgers}) booked)`

/** What lines may have beside their own columns, each read once for a line. */
export interface LineValues {
  readonly fields: readonly { readonly id: number }[]
  readonly factors: readonly { readonly name: string }[]
}

/** The cells of a row that has been read. `further` are those of `LineValues`, under the same names. */
export const cellOf = (key: string): Sql => sql`bills.${sql.ref(`cell_${key}`)}`

/** The order of the rows, which ends in an id. */
export const rowOrder = sql`bills.client_id, bills.account_number, bills.date, bills.id, bills.bill_row`

/** Each line of the bills that match, and one row for what the account is charged beyond its lines. */
export function lineRows(asked: AskedReport, client: Sql, matching: readonly Condition[], values: LineValues): Sql {
  const { all, ofLine } = cellsByLevel(asked, client, values)
  return sql`from (select bills.client_id, bills.account_number, bills.date, bills.id, part.bill_row, ${sql.join(all)}
    from (select bills.*, ${hasChildren(client)} as has_children, ${named(billCells(asked, client))}
      from bills ${billJoins(client)} where ${and(matching)} order by bills.client_id, bills.account_number, bills.date, bills.id) bills
    cross join lateral (
      with charged as (${chargedLines(client, values)})
      select row_number() over (order by line.position nulls last, line.id nulls last) as bill_row, ${named(ofLine)}
      from (${partsOf(asked, client)}) part left join charged line on line.id = part.id ${lineJoins(client, values)}) part) bills`
}

function cellsByLevel(asked: AskedReport, client: Sql, values: LineValues): { all: Sql[]; ofLine: Cells } {
  const ofBill = Object.keys(billCells(asked, client))
  const ofLine = { ...lineCells(client), ...valueCells(values) }
  const onFirst = (key: string) => (onFirstRow.includes(key) ? sql`case when part.bill_row = 1 then ${inBill(key)} end` : inBill(key))
  const inBill = (key: string) => sql`bills.${sql.ref(`cell_${key}`)}`
  const as = (cell: Sql, key: string) => sql`${cell} as ${sql.ref(`cell_${key}`)}`
  return {
    all: [
      ...ofBill.map((key) => as(onFirst(key), key)),
      ...Object.keys(ofLine).map((key) => sql`part.${sql.ref(`cell_${key}`)}`),
      as(sql`part.bill_row`, 'bill_row'),
    ],
    ofLine,
  }
}

function named(cells: Cells): Sql {
  return sql.join(Object.entries(cells).map(([key, cell]) => sql`${cell} as ${sql.ref(`cell_${key}`)}`))
}

/** The lines of one bill with what their meters are charged. */
function chargedLines(client: Sql, { fields }: LineValues): Sql {
  const charges = fields.map(({ id }) => sql`sum(value.value) filter (where value.entry_field_id = ${id}) as ${sql.ref(`field_${id}`)}`)
  return sql`select own.*, charges.*, additional.charges as additional, (coalesce(charges.total, 0) + coalesce(additional.charges, 0))::numeric(14,2) as cost
    from service_bills own
    left join lateral (select ${sql.join([sql`sum(value.value) as total`, ...charges])} from service_bill_entry_values value
      where value.client_id = ${client} and value.service_bill_id = own.id) charges on true
    left join lateral (select sum(round(value.value, 2)) as charges from service_bill_additional_values value
      where value.client_id = ${client} and value.service_bill_id = own.id) additional on true
    where own.client_id = ${client} and own.bill_id = bills.id`
}

/** The ids and totals of the chosen lines, and the rest of the bill without an id. */
function partsOf({ data: { utility_service_ids: services } }: AskedReport, client: Sql): Sql {
  if (services.length > 0)
    return sql`select charged.id, charged.cost as total from charged where exists (select from services wanted where wanted.client_id = ${client}
      and wanted.id = charged.service_id and wanted.utility_service_id = any(${services}::bigint[]))`
  return sql`select charged.id, charged.cost as total from charged
    union all select null::bigint, bills.current_charges - coalesce(sum(charged.cost), 0) from charged
    having count(*) = 0 or bills.current_charges <> coalesce(sum(charged.cost), 0)`
}

function billJoins(client: Sql): Sql {
  return sql`join clients client on client.id = bills.client_id
    left join divisions division on division.client_id = ${client} and division.id = bills.division_id
    left join facilities facility on facility.client_id = ${client} and facility.id = bills.facility_id
    left join billable_accounts billable on billable.client_id = ${client} and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = ${client} and supply.id = bills.supply_account_id
    left join vendors vendor on vendor.id = bills.vendor_id
    left join client_vendor_numbers known on known.client_id = ${client} and known.vendor_id = bills.vendor_id
    left join accounting_batches accounting_batch on accounting_batch.client_id = ${client} and accounting_batch.id = bills.accounting_batch_id
    left join vendor_payments payment on payment.client_id = ${client} and payment.id = bills.vendor_payment_id
    left join payment_batches payment_batch on payment_batch.client_id = ${client} and payment_batch.id = payment.payment_batch_id`
}

function lineJoins(client: Sql, { factors }: LineValues): Sql {
  const measured = factors.map(
    ({ name }, place) => sql`max(own.value) filter (where factor.name = ${name}) as ${sql.ref(`factor_${place}`)}`,
  )
  const measures =
    factors.length === 0
      ? sql``
      : sql`left join lateral (select ${sql.join(measured)} from service_bill_usage_factors own join usage_factors factor on factor.id = own.usage_factor_id
        where own.client_id = ${client} and own.service_bill_id = line.id) factors on true`
  return sql`left join services on services.client_id = ${client} and services.id = line.service_id
    left join utility_services kind on kind.id = services.utility_service_id
    left join units unit on unit.id = line.unit_id
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    left join units standard_unit on standard_unit.id = standard.unit_id ${measures}`
}

/** Amounts of the bill, and what costs a question of its own. */
const onFirstRow: readonly string[] = [
  'balance_forward',
  'current_charges',
  'late_fee',
  'amount_due',
  'amount_paid',
  'flags',
  'file_link',
  'notes',
]

/**
 * The amount paid, as the Month End counts it: a bill that no payment has reached, or whose payment was taken back, may hold an amount that was meant
 * for it. The bill of a group is paid for its children.
 */
const paidAmount = sql`case when bills.paid or bills.finalized then coalesce(bills.amount_paid, case when bills.group_bill_id is null then bills.amount_due end) end`

/** Figures of a whole client need reach over it. A report for a division is read by people of that division. */
function ofWholeClient({ reach, divisionId }: AskedReport, text: Sql): Sql {
  if (divisionId !== null) return sql`null::text`
  if (!reach.some(isNarrowed)) return text
  return sql`(case when ${scopeCondition({ scope: { client: sql.ref('bills.client_id'), levels: {} } }, { reach })} then ${text} end)`
}

/** The code of a division is for who reaches the division itself. */
function divisionCode({ reach }: AskedReport): Sql {
  if (!reach.some(isNarrowed)) return sql`division.code`
  return sql`(select divisions.code from divisions where divisions.client_id = bills.client_id and divisions.id = bills.division_id
    and ${scopeCondition({ scope: divisionScope }, { reach })})`
}

const billCounts = sql`(bills.superseded_by_id is null and not bills.has_children)`

function billCells(asked: AskedReport, client: Sql): Cells {
  return {
    client: sql`client.name`,
    division: sql`division.name`,
    division_code: divisionCode(asked),
    facility: sql`facility.name`,
    facility_number: sql`facility.number`,
    account_type: sql`case when bills.billable_account_id is null then 'Supply' else 'Billable' end`,
    account_number: sql`bills.account_number`,
    account: sql`coalesce(billable.name, supply.name)`,
    vendor: sql`vendor.name`,
    vendor_number: sql`coalesce(${ofWholeClient(asked, sql`known.vendor_number`)}, vendor.short_code)`,
    bill_id: sql`bills.id`,
    invoice_number: sql`bills.invoice_number`,
    bill_date: sql`bills.date`,
    due_date: sql`bills.due_date`,
    balance_forward: sql`bills.balance_forward`,
    current_charges: sql`bills.current_charges`,
    late_fee: sql`bills.late_fee`,
    amount_due: sql`bills.amount_due`,
    amount_paid: paidAmount,
    status: fullStatusColumn,
    accounting_status: accountingStatusColumn,
    payment_status: paymentStatusColumn,
    batch_code: ofWholeClient(asked, sql`accounting_batch.batch_code`),
    payment_batch: sql`payment_batch.id`,
    check_number: sql`payment.check_number`,
    payment_date: sql`payment.payment_date`,
    group_bill_id: sql`bills.group_bill_id`,
    flags: sql`(select string_agg(distinct finding.message, '; ') from bill_findings finding
      where finding.client_id = ${client} and finding.bill_id = bills.id and finding.resolved_at is null and finding.severity <> 'I')`,
    file_link: sql`(select '/api/v5/clients/' || bills.client_id || '/bills/' || bills.id || '/files/' || min(copy.position) from bill_files copy
      where copy.client_id = ${client} and copy.bill_id = bills.id having count(*) > 0)`,
    notes: sql`bills.notes`,
  }
}

function lineCells(client: Sql): Cells {
  const counts = sql`(line.id is not null and not coalesce(${measuredElsewhere(client, 'line', 'services')}, false) and ${billCounts})`
  return {
    utility_service: sql`case when line.id is null then 'Account charges' else kind.name end`,
    meter: sql`services.meter_number`,
    service_name_1: sql`services.service_name_1`,
    service_name_2: sql`services.service_name_2`,
    rate_schedule: sql`coalesce(line.rate_schedule, services.rate_schedule)`,
    previous_read_date: sql`coalesce(line.previous_read_date, case when line.id is null then bills.previous_read_date end)`,
    read_date: sql`coalesce(line.read_date, case when line.id is null then bills.read_date end)`,
    next_read_date: sql`coalesce(line.next_read_date, bills.next_read_date)`,
    fiscal_month: sql`coalesce(line.fiscal_month, bills.fiscal_month)`,
    days: sql`line.read_date - line.previous_read_date`,
    previous_reading: sql`trim_scale(line.previous_reading)`,
    meter_reading: sql`trim_scale(line.meter_reading)`,
    multiplier: sql`trim_scale(line.multiplier)`,
    usage: sql`trim_scale(line.usage)`,
    unit: sql`coalesce(unit.symbol, line.raw_unit)`,
    standard_usage: sql`trim_scale(line.standard_usage)`,
    standard_unit: sql`case when line.standard_usage is not null then standard_unit.symbol end`,
    usage_counts: sql`case when line.id is null then null when ${counts} then 'Yes' else 'No' end`,
    amount_counts: sql`case when ${billCounts} then 'Yes' else 'No' end`,
    estimated: sql`case when line.id is null then null when line.estimated then 'Yes' else 'No' end`,
    line_total: sql`part.total::numeric(14,2)`,
    kg_co2e: sql`case when line.standard_usage is null then null when kind.inventoriable and ${counts} then trim_scale(coalesce(${lineKilograms(client)}, 0)) else 0 end`,
    additional_charges: sql`line.additional`,
    ledger_accounts: ledgerAccountsText,
  }
}

function valueCells({ fields, factors }: LineValues): Cells {
  return Object.fromEntries([
    ...fields.map(({ id }) => [`entry_field_${id}`, sql`line.${sql.ref(`field_${id}`)}`] as const),
    ...factors.map(({ name }, place) => [`factor ${name}`, sql`trim_scale(factors.${sql.ref(`factor_${place}`)})`] as const),
  ])
}
