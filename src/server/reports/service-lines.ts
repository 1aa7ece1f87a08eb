/**
 * The lines of bills with all their data: the rows of the Global and the Universal Data Export, as a statement that the database streams.
 * Account charges outside the lines have their own row, so that a bill's line totals add up to its current charges. Amounts of the bill are on
 * its first row only, so that no sum over rows counts them twice.
 */
import type { ReportControl } from '#contract/reports/generated-report.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { accountingStatusColumn, fullStatusColumn, paymentStatusColumn } from '../bills/bills.ts'
import { billScope, chosenBills, divisionScope } from '../estate/estate.ts'
import { and, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { isNarrowed } from '../kernel/principal.ts'
import { lineKilograms, measuredElsewhere } from '../month-facts/month-facts.ts'
import { effectiveLedgers } from '../services/services.ts'
import { chosenFilters, withoutVoid } from './bills-behind.ts'
import type { AskedReport, ReportTable } from './report-table.ts'

type Sql = RawBuilder<unknown>

export async function globalDataExport(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const further = await furtherColumns(tx, asked, asked.data.ledger_details)
  const cells = cellsOf(asked, further.cells)
  return lineTable(tx, asked, asked.columns.flatMap((column) => knownCell(cells, column.key)).concat(cells.further), further.joins)
}

/** Exports the chosen columns in their order, or all if none is named. Unknown names are left out. */
export async function universalDataExport(tx: Tx, asked: AskedReport): Promise<ReportTable> {
  const further = await furtherColumns(tx, asked, true)
  const cells = cellsOf(asked, further.cells)
  const all = [...asked.columns.flatMap((column) => knownCell(cells, column.key)), ...cells.further]
  const { utility_service_fields: fields } = asked.data
  if (fields.length === 0) return lineTable(tx, asked, all, further.joins)
  const chosen = fields.filter(({ checked }) => checked).flatMap(({ name }) => all.find(({ column }) => column.key === name) ?? [])
  return lineTable(tx, asked, chosen, further.joins)
}

/** Returns the columns that can be chosen, as the form names them. */
export async function chooseableColumns(tx: Tx, asked: AskedReport): Promise<readonly ReportColumn[]> {
  return [...asked.columns, ...(await furtherColumns(tx, asked, true)).cells.map(({ column }) => column)]
}

interface LineCell {
  readonly column: ReportColumn
  readonly sql: Sql
}

interface LineCells {
  readonly known: Readonly<Record<string, Sql>>
  readonly columns: readonly ReportColumn[]
  readonly further: readonly LineCell[]
}

function knownCell({ known, columns }: LineCells, key: string): LineCell[] {
  const cell = known[key]
  const column = columns.find((one) => one.key === key)
  return cell && column ? [{ column, sql: cell }] : []
}

function cellsOf(asked: AskedReport, further: readonly LineCell[]): LineCells {
  return { known: lineCells(asked), columns: asked.columns, further }
}

/** The client of every table: a constant, or the bill's client if the report covers several clients. */
function clientOf({ clientId, data }: AskedReport): Sql {
  return data.all_clients ? sql`bills.client_id` : sql`${clientId}::bigint`
}

interface FurtherColumns {
  readonly cells: readonly LineCell[]
  /** What the cells need beside the joins of all: each reads the values of a line once, however many columns they fill. */
  readonly joins: Sql
}

/** Returns a column for each entry field and usage factor, and the ledger accounts if the reader may see them. */
async function furtherColumns(tx: Tx, asked: AskedReport, withLedger: boolean): Promise<FurtherColumns> {
  const { rows: fields } = await sql<{ id: number; name: string }>`select id, name from entry_fields order by position, id`.execute(tx)
  const { rows: factors } = await sql<{ name: string }>`select distinct name from usage_factors order by name`.execute(tx)
  const money = fields.map(({ id, name }): LineCell => ({
    column: { key: `entry_field_${id}`, label: name, kind: 'money', total: true },
    sql: sql.ref(`charges.field_${id}`),
  }))
  const additional: LineCell = {
    column: { key: 'additional_charges', label: 'Additional Charges', kind: 'money', total: true },
    sql: sql`additional.charges`,
  }
  const measured = factors.map(({ name }, place): LineCell => ({
    column: { key: `factor ${name}`, label: name, kind: 'decimal' },
    sql: sql`trim_scale(${sql.ref(`factors.factor_${place}`)})`,
  }))
  const ledger: LineCell = {
    column: { key: 'ledger_accounts', label: 'Ledger Accounts', kind: 'text', needs: 'ledger' },
    sql: ledgerAccountsText,
  }
  const cells = [...money, additional, ...measured, ...(withLedger && asked.rights.ledger ? [ledger] : [])]
  return { cells, joins: valueJoins(clientOf(asked), fields, factors) }
}

function valueJoins(client: Sql, fields: readonly { id: number }[], factors: readonly { name: string }[]): Sql {
  const charges = fields.map(({ id }) => sql`sum(own.value) filter (where own.entry_field_id = ${id}) as ${sql.ref(`field_${id}`)}`)
  const measured = factors.map(
    ({ name }, place) => sql`max(own.value) filter (where factor.name = ${name}) as ${sql.ref(`factor_${place}`)}`,
  )
  return sql`left join lateral (select ${sql.join([sql`1`, ...charges])} from service_bill_entry_values own
      where own.client_id = ${client} and own.service_bill_id = line.id) charges on true
    left join lateral (select sum(round(own.value, 2)) as charges from service_bill_additional_values own
      where own.client_id = ${client} and own.service_bill_id = line.id) additional on true
    left join lateral (select ${sql.join([sql`1`, ...measured])} from service_bill_usage_factors own join usage_factors factor on factor.id = own.usage_factor_id
      where own.client_id = ${client} and own.service_bill_id = line.id) factors on true`
}

/** The ledger accounts of a row of `services` in words: 'Heat 0.6000; Water 0.4000'. */
export const ledgerAccountsText: Sql = sql`(select string_agg(concat(booked ->> 'ledger_account_name', case when (booked ->> 'share_ratio')::numeric <> 1 then ' ' || (booked ->> 'share_ratio') end), '; ')
  from json_array_elements(${effectiveLedgers}) booked)`

async function lineTable(tx: Tx, asked: AskedReport, cells: readonly LineCell[], joins: Sql): Promise<ReportTable> {
  const { control, children } = await controlOf(tx, asked, askedBills(asked, isOfBatches(asked)))
  const chosen = chosenFilters(asked)
  return {
    columns: cells.map(({ column }) => column),
    statement: {
      cells: cells.map((cell) => cell.sql),
      from: sql`from ${billRows(asked)} ${lineJoins(clientOf(asked))} ${joins}`,
      order: sql`bills.client_id, bills.account_number, bills.date, bills.id, bills.bill_row`,
    },
    control,
    controlBills: chosen && (isOfBatches(asked) ? chosen : { ...chosen, ...withoutVoid }),
    remarks: () => [
      ...(children === '0.00' ? [] : [`${children} of the amounts due is carried by the bill of a group as well.`]),
      ...(asked.data.utility_service_ids.length === 0
        ? []
        : ['Lines of other utility services are left out, and charges that belong to no meter.']),
    ],
  }
}

/** A client batch has booked bills that were replaced since: they are part of its sums. */
function isOfBatches({ data }: AskedReport): boolean {
  return data.accounting_batch_ids.length > 0
}

/** Condition on `bills`: a child has a bill that counts. Client batches refuse such a bill of a group, and book those of its children. */
export function hasChildren(client: Sql): Condition {
  return sql<SqlBool>`exists (select from bills child where child.client_id = ${client} and child.group_bill_id = bills.id and child.superseded_by_id is null)`
}

/** The conditions that select the bills. Void bills never count, except in a client batch, whose ledger lines include them. */
export function askedBills(asked: AskedReport, withVoid = false): Condition[] {
  const { clientId, data, divisionId, lastBillOnly, reach } = asked
  const ofOne = data.all_clients ? null : clientId
  return [
    scopeCondition({ scope: billScope }, ofOne === null ? { reach } : { reach, clientId: ofOne }),
    ...(withVoid ? [] : [sql<SqlBool>`bills.superseded_by_id is null`]),
    ...chosenBills(ofOne, data),
    ...(divisionId === null ? [] : [sql<SqlBool>`bills.division_id = ${divisionId}`]),
    ...(lastBillOnly ? [isLast(clientOf(asked), data.date_range.to)] : []),
  ]
}

/** The account has no later bill that counts, up to the end of the date range. */
function isLast(client: Sql, to: string | null): Condition {
  const upTo = to === null ? sql`` : sql`and later.date <= ${to}::date`
  const of = (
    key: string,
  ) => sql`not exists (select from bills later where later.client_id = ${client} and ${sql.ref(`later.${key}`)} = ${sql.ref(`bills.${key}`)}
    and later.superseded_by_id is null and (later.date, later.id) > (bills.date, bills.id) ${upTo})`
  return sql<SqlBool>`(${of('billable_account_id')} and ${of('supply_account_id')})`
}

/** The rows under the name `bills`: each line with its bill, and its position in the bill. */
function billRows(asked: AskedReport): Sql {
  const client = clientOf(asked)
  const { utility_service_ids: services } = asked.data
  const ofServices =
    services.length === 0
      ? sql``
      : sql`where exists (select from services wanted where wanted.client_id = ${client} and wanted.id = charged.service_id and wanted.utility_service_id = any(${services}::bigint[]))`
  const rest =
    services.length === 0
      ? sql`union all select null::bigint, null::int, bills.current_charges - coalesce(sum(charged.cost), 0) from charged
        having count(*) = 0 or bills.current_charges <> coalesce(sum(charged.cost), 0)`
      : sql``
  return sql`(select bills.*, part.line_id, part.line_total,
      row_number() over (partition by bills.client_id, bills.id order by part.position nulls last, part.line_id nulls last) as bill_row
    from (select bills.*, ${hasChildren(client)} as has_children from bills where ${and(askedBills(asked, isOfBatches(asked)))} offset 0) bills
    cross join lateral (
      with charged as (
        select own.id, own.position, own.service_id,
          coalesce((select sum(value.value) from service_bill_entry_values value where value.client_id = ${client} and value.service_bill_id = own.id), 0)
          + coalesce((select sum(round(value.value, 2)) from service_bill_additional_values value where value.client_id = ${client} and value.service_bill_id = own.id), 0) as cost
        from service_bills own where own.client_id = ${client} and own.bill_id = bills.id)
      select charged.id as line_id, charged.position, charged.cost::numeric(14,2) as line_total from charged ${ofServices}
      ${rest}) part) bills`
}

function lineJoins(client: Sql): Sql {
  return sql`join clients client on client.id = bills.client_id
    left join service_bills line on line.client_id = ${client} and line.id = bills.line_id
    left join services on services.client_id = ${client} and services.id = line.service_id
    left join services service on service.client_id = ${client} and service.id = line.service_id
    left join utility_services kind on kind.id = services.utility_service_id
    left join units unit on unit.id = line.unit_id
    left join usage_units standard on standard.utility_service_id = kind.id and standard.standard
    left join units standard_unit on standard_unit.id = standard.unit_id
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

const onFirst = (amount: Sql): Sql => sql`case when bills.bill_row = 1 then ${amount} end`

/**
 * What was paid, as the Month End counts it: a bill that no payment has reached, or whose payment was taken back, may hold an amount that was meant
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

function lineCells(asked: AskedReport): Record<string, Sql> {
  const client = clientOf(asked)
  const billCounts = sql`(bills.superseded_by_id is null and not bills.has_children)`
  const counts = sql`(line.id is not null and not coalesce(${measuredElsewhere(client, 'line')}, false) and ${billCounts})`
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
    utility_service: sql`case when line.id is null then 'Account charges' else kind.name end`,
    meter: sql`services.meter_number`,
    service_name_1: sql`services.service_name_1`,
    service_name_2: sql`services.service_name_2`,
    rate_schedule: sql`coalesce(line.rate_schedule, services.rate_schedule)`,
    bill_id: sql`bills.id`,
    bill_row: sql`bills.bill_row`,
    invoice_number: sql`bills.invoice_number`,
    bill_date: sql`bills.date`,
    due_date: sql`bills.due_date`,
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
    line_total: sql`bills.line_total`,
    balance_forward: onFirst(sql`bills.balance_forward`),
    current_charges: onFirst(sql`bills.current_charges`),
    late_fee: onFirst(sql`bills.late_fee`),
    amount_due: onFirst(sql`bills.amount_due`),
    amount_paid: onFirst(paidAmount),
    status: fullStatusColumn,
    accounting_status: accountingStatusColumn,
    payment_status: paymentStatusColumn,
    batch_code: ofWholeClient(asked, sql`accounting_batch.batch_code`),
    payment_batch: sql`payment_batch.id`,
    check_number: sql`payment.check_number`,
    payment_date: sql`payment.payment_date`,
    group_bill_id: sql`bills.group_bill_id`,
    kg_co2e: sql`case when line.standard_usage is null then null when kind.inventoriable and ${counts} then trim_scale(coalesce(${lineKilograms(client)}, 0)) else 0 end`,
    flags: onFirst(sql`(select string_agg(distinct finding.message, '; ') from bill_findings finding
      where finding.client_id = ${client} and finding.bill_id = bills.id and finding.resolved_at is null and finding.severity <> 'I')`),
    file_link:
      onFirst(sql`(select '/api/v5/clients/' || bills.client_id || '/bills/' || bills.id || '/files/' || min(copy.position) from bill_files copy
      where copy.client_id = ${client} and copy.bill_id = bills.id having count(*) > 0)`),
    notes: onFirst(sql`bills.notes`),
  }
}

/** Counts each of the selected bills once, and the amounts among them that a group's bill also carries. */
export async function controlOf(
  tx: Tx,
  asked: AskedReport,
  selected: readonly Condition[],
): Promise<{ control: ReportControl; children: string }> {
  const client = clientOf(asked)
  const { rows } = await sql<
    ReportControl & { children: string }
  >`select count(*)::int as bill_count, coalesce(sum(bills.amount_due), 0)::numeric(16,2) as amount_due,
      coalesce(sum(bills.current_charges), 0)::numeric(16,2) as current_charges,
      coalesce(sum(bills.amount_due) filter (where exists (select from bills parent where parent.client_id = ${client} and parent.id = bills.group_bill_id and parent.superseded_by_id is null)), 0)::numeric(16,2) as children
    from bills where ${and(selected)}`.execute(tx)
  const { children = '0.00', ...control } = rows[0] ?? { bill_count: 0, amount_due: '0.00', current_charges: '0.00' }
  return { control, children }
}
