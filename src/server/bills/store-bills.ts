/**
 * Writes audited bills with all their children: one statement per table, however many bills. Ids are taken beforehand, so nothing is read
 * back.
 */
import type { Finding } from '#contract/bill-audits/bill-audits.ts'
import { countOpen } from '#contract/bill-audits/bill-audits.ts'
import type { PreparedBill, StoredValue } from '#contract/bills/bill-prepare.ts'
import { servicePeriod } from '#contract/bill-audits/context.ts'
import { sql, type RawBuilder } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { keepLastBills, type BilledAccounts } from '../estate/estate.ts'
import type { AccountBook } from './account-books.ts'
import { accountColumn } from './account-scope.ts'
import { movedEntries, type Moved } from './moved-bills.ts'
import { moveChildren } from './move-children.ts'

/** A finding and, if a reason was given with the save, its resolution. */
export interface StoredFinding extends Finding {
  readonly resolution: { readonly reason: string; readonly comment: string | null } | null
}

export interface BillToStore extends PreparedBill<AccountBook> {
  readonly id: number
  readonly line_ids: readonly number[]
  readonly previous_bill_id: number | null
  readonly rebill_mode: 'replace' | 'add' | null
  readonly qc: boolean
  readonly findings: readonly StoredFinding[]
  readonly file_names: ReadonlyMap<number, string>
}

type FiledBill = Pick<BillToStore, 'id' | 'draft' | 'file_names'>

/** Takes the next ids of a table. */
export async function takeIds(tx: Tx, table: 'bills' | 'service_bills', count: number): Promise<number[]> {
  if (count === 0) return []
  // Materialized, because otherwise the sequence's name would be looked up for every id.
  const { rows } = await sql<{ id: number }>`with counter as materialized (select pg_get_serial_sequence(${table}, 'id')::regclass as name)
    select nextval(name) as id from counter, generate_series(1, ${count})`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Stores the bills. A bill of a statement from which another transaction has just made a bill is left out.
 * @returns the ids that were stored.
 */
export async function storeBills(context: Context, clientId: number, bills: readonly BillToStore[]): Promise<ReadonlySet<number>> {
  const { tx } = context
  const stored = await insertBills(tx, clientId, bills, context.visitor?.user_id ?? null)
  const kept = bills.filter((bill) => stored.has(bill.id))
  await insertLines(tx, clientId, kept)
  await insertValues(tx, clientId, kept)
  await insertBeside(tx, clientId, kept)
  await insertFindings(tx, clientId, kept, context.visitor?.user_id ?? null)
  await replaceOriginals(context, clientId, kept)
  await keepLastBills(tx, clientId, accountsOf(kept))
  await context.audit.many(kept.map((bill) => createdEntry(clientId, bill)))
  return stored
}

function accountsOf(bills: readonly BillToStore[]): BilledAccounts {
  const ids = (type: string) => [...new Set(bills.flatMap(({ draft }) => (draft.account_type === type ? [draft.account_id] : [])))]
  return { billable_account_ids: ids('BillableAccount'), supply_account_ids: ids('SupplyAccount') }
}

async function insertBills(tx: Tx, clientId: number, bills: readonly BillToStore[], userId: number | null): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    insert into bills (client_id, id, billable_account_id, supply_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, assumed_due_date, read_date, next_read_date,
      previous_read_date, fiscal_month, invoice_number, bill_id, balance_forward, current_charges, late_fee, amount_due, notes, rebill_adjustment, rebill_mode, rebill_of_id, qc, parked,
      group_bill_id, group_bill_chosen, missing_fields, open_errors, open_blocking, open_warnings, override_reason, source, retrieval_provider, statement_id, import_task_id, created_by, created_at, updated_at)
    select ${clientId}::bigint, id, billable_account_id, supply_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, assumed_due_date, read_date, next_read_date,
      previous_read_date, fiscal_month, invoice_number, bill_id, balance_forward, current_charges, late_fee, amount_due, notes, rebill_adjustment, rebill_mode, rebill_of_id, qc, parked,
      group_bill_id, group_bill_chosen, missing_fields, open_errors, open_blocking, open_warnings, override_reason, source, retrieval_provider, statement_id, import_task_id, ${userId}::bigint,
      coalesce(created_at, now()), coalesce(created_at, now())
    from jsonb_to_recordset(${JSON.stringify(bills.map(billRow))}::jsonb) as draft(id bigint, billable_account_id bigint, supply_account_id bigint, account_number text, vendor_id bigint,
      facility_id bigint, division_id bigint, date date, due_date date, assumed_due_date boolean, read_date date, next_read_date date, previous_read_date date, fiscal_month text,
      invoice_number text, bill_id bigint, balance_forward numeric, current_charges numeric, late_fee numeric, amount_due numeric, notes text, rebill_adjustment boolean, rebill_mode text,
      rebill_of_id bigint, qc boolean, parked boolean, group_bill_id bigint, group_bill_chosen boolean, missing_fields text[], open_errors int, open_blocking int, open_warnings int, override_reason text, source text,
      retrieval_provider text, statement_id text, import_task_id bigint, created_at timestamptz)
    on conflict (client_id, retrieval_provider, statement_id) where statement_id is not null and source = 'retrieval' do nothing
    returning id`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

export function billRow(bill: BillToStore): Readonly<Record<string, unknown>> {
  const { draft, book, lines } = bill
  const { from, to } = servicePeriod(lines)
  const { service_bills: _lines, bill_charges: _charges, file_ids: _files, resolutions: _settled, ...own } = draft
  return {
    ...own,
    ...countOpen(bill.findings.filter((finding) => finding.resolution === null)),
    id: bill.id,
    [accountColumn(draft.account_type)]: draft.account_id,
    account_number: book.account_number,
    vendor_id: book.vendor_id,
    facility_id: book.facility_id,
    division_id: book.division_id,
    previous_read_date: from ?? draft.previous_read_date,
    read_date: to ?? draft.read_date,
    next_read_date:
      draft.next_read_date ??
      lines
        .flatMap((line) => line.next_read_date ?? [])
        .toSorted()
        .at(-1) ??
      null,
    bill_id: draft.bill_id ?? bill.previous_bill_id,
    rebill_mode: bill.rebill_mode,
    qc: bill.qc,
    missing_fields: bill.missing_fields,
  }
}

async function insertLines(tx: Tx, clientId: number, bills: readonly BillToStore[]): Promise<void> {
  await writeLines(tx, clientId, bills.flatMap(lineRows), sql``)
}

const lineColumns = [
  'bill_id',
  'service_id',
  'position',
  'previous_read_date',
  'read_date',
  'next_read_date',
  'fiscal_month',
  'previous_reading',
  'meter_reading',
  'multiplier',
  'usage',
  'standard_usage',
  'unit_id',
  'raw_unit',
  'rate_schedule',
  'estimated',
  'notes',
  'supply_bill_id',
]

/** Writes lines that may be stored already: those keep their ids and get the new values. */
export async function replaceLines(tx: Tx, clientId: number, bill: BillToStore, written: ReadonlySet<number>): Promise<void> {
  const rows = lineRows(bill).filter((row) => written.has(row.id))
  const sets = lineColumns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  await writeLines(tx, clientId, rows, sql`on conflict (client_id, id) do update set ${sql.join(sets)}, updated_at = now()`)
  for (const { table } of valueTables)
    await sql`delete from ${sql.table(table)} where client_id = ${clientId} and service_bill_id = any(${[...written]}::bigint[])`.execute(
      tx,
    )
  await insertValues(tx, clientId, [bill], written)
}

type LineRow = { readonly id: number } & Readonly<Record<string, unknown>>

function lineRows(bill: BillToStore): LineRow[] {
  return bill.lines.map(
    (
      { service, service_bill_entry_fields: _e, service_bill_usage_factors: _f, service_bill_additional_entry_fields: _a, ...line },
      position,
    ) => ({
      ...line,
      id: bill.line_ids[position] ?? 0,
      bill_id: bill.id,
      service_id: service.id,
      position,
    }),
  )
}

async function writeLines(tx: Tx, clientId: number, rows: readonly LineRow[], conflict: RawBuilder<unknown>): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into service_bills (client_id, id, ${sql.join(lineColumns.map((column) => sql.ref(column)))})
    select ${clientId}::bigint, line.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line(id bigint, bill_id bigint, service_id bigint, position int, previous_read_date date,
      read_date date, next_read_date date, fiscal_month text, previous_reading numeric, meter_reading numeric, multiplier numeric, usage numeric, standard_usage numeric, unit_id bigint,
      raw_unit text, rate_schedule text, estimated boolean, notes text, supply_bill_id bigint) ${conflict}`.execute(tx)
}

const valueTables = [
  { table: 'service_bill_entry_values', column: 'entry_field_id', list: 'entry_values' },
  { table: 'service_bill_usage_factors', column: 'usage_factor_id', list: 'usage_factors' },
  { table: 'service_bill_additional_values', column: 'additional_entry_field_id', list: 'additional_values' },
] as const

/** Inserts the values of all lines, or of the written ones. */
async function insertValues(tx: Tx, clientId: number, bills: readonly BillToStore[], written?: ReadonlySet<number>): Promise<void> {
  for (const { table, column, list } of valueTables) {
    const rows = bills.flatMap((bill) =>
      bill.lines.flatMap((line, place) =>
        written?.has(bill.line_ids[place] ?? 0) === false
          ? []
          : line[list].map((value: StoredValue) => ({ service_bill_id: bill.line_ids[place], ...value })),
      ),
    )
    if (rows.length === 0) continue
    await sql`insert into ${sql.table(table)} (client_id, service_bill_id, ${sql.ref(column)}, value) select ${clientId}::bigint, row.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(service_bill_id bigint, field_id bigint, value numeric)`.execute(tx)
  }
}

/** Inserts account-level charges, files and links. */
async function insertBeside(tx: Tx, clientId: number, bills: readonly BillToStore[]): Promise<void> {
  const charges = bills.flatMap((bill) => bill.draft.bill_charges.map((charge, position) => ({ bill_id: bill.id, position, ...charge })))
  if (charges.length > 0) {
    await sql`insert into bill_charges (client_id, bill_id, position, name, amount) select ${clientId}::bigint, charge.*
      from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as charge(bill_id bigint, position int, name text, amount numeric)`.execute(
      tx,
    )
  }
  await insertFiles(tx, clientId, bills)
  await insertLinks(tx, clientId, bills)
}

export async function insertFiles(tx: Tx, clientId: number, bills: readonly FiledBill[]): Promise<void> {
  const files = bills.flatMap((bill) =>
    bill.draft.file_ids.map((file_id, place) => ({
      bill_id: bill.id,
      position: place + 1,
      file_id,
      filename: bill.file_names.get(file_id),
    })),
  )
  if (files.length > 0) {
    await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) select ${clientId}::bigint, file.*
      from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as file(bill_id bigint, position int, file_id bigint, filename text)`.execute(
      tx,
    )
    await sql`update files set state = 'attached', attached_at = coalesce(attached_at, now()) where id = any(${files.map((file) => file.file_id)}::bigint[])`.execute(
      tx,
    )
  }
}

export async function insertLinks(tx: Tx, clientId: number, bills: readonly Pick<BillToStore, 'id' | 'draft'>[]): Promise<void> {
  const links = bills.flatMap((bill) =>
    [...new Set(bill.draft.linked_service_bill_ids)].map((service_bill_id) => ({ bill_id: bill.id, service_bill_id })),
  )
  if (links.length > 0) {
    await sql`insert into bill_linked_service_bills (client_id, bill_id, service_bill_id) select ${clientId}::bigint, link.*
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(bill_id bigint, service_bill_id bigint)`.execute(tx)
  }
}

async function insertFindings(tx: Tx, clientId: number, bills: readonly BillToStore[], userId: number | null): Promise<void> {
  const rows = bills.flatMap((bill) => bill.findings.map((finding) => findingRow(bill.id, bill.line_ids, finding, userId)))
  await writeFindings(tx, clientId, rows)
}

/** Returns a finding as a row of its table. */
export function findingRow(
  billId: number,
  lineIds: readonly number[],
  finding: StoredFinding,
  userId: number | null,
): Readonly<Record<string, unknown>> {
  const { resolution, line, limit, ...found } = finding
  return {
    ...found,
    bill_id: billId,
    service_bill_id: line === null ? null : lineIds[line],
    limit_value: limit,
    reason: resolution?.reason ?? null,
    comment: resolution?.comment ?? null,
    resolved_by: resolution ? userId : null,
    resolved: resolution !== null,
  }
}

export async function writeFindings(tx: Tx, clientId: number, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into bill_findings (client_id, bill_id, service_bill_id, service_id, code, severity, field, message, expected, actual, limit_value, other_bill_id, reason, comment, resolved_by, resolved_at)
    select ${clientId}::bigint, bill_id, service_bill_id, service_id, code, severity, field, message, expected, actual, limit_value, other_bill_id, reason, comment, resolved_by,
      case when resolved then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as finding(bill_id bigint, service_bill_id bigint, service_id bigint, code text, severity text, field text, message text,
      expected text, actual text, limit_value text, other_bill_id bigint, reason text, comment text, resolved_by bigint, resolved boolean)`.execute(
    tx,
  )
}

/** Voids replaced bills, which keep their lines and history. The bills that they carried are carried by the replacement. */
export async function replaceOriginals(context: Context, clientId: number, bills: readonly BillToStore[]): Promise<void> {
  const { tx } = context
  const rows = bills
    .filter((bill) => bill.rebill_mode === 'replace')
    .map((bill) => ({ id: bill.draft.rebill_of_id, superseded_by_id: bill.id }))
  if (rows.length === 0) return
  const moved =
    await sql<Moved>`update bills set superseded_by_id = rebill.superseded_by_id, lock_version = bills.lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as rebill(id bigint, superseded_by_id bigint) where bills.client_id = ${clientId} and bills.id = rebill.id
    returning bills.id, old.superseded_by_id as "from", new.superseded_by_id as "to"`.execute(tx)
  await context.audit.many(movedEntries(clientId, 'superseded_by_id', moved.rows))
  await moveChildren(
    context,
    clientId,
    rows.map(({ id, superseded_by_id }) => ({ from: id, to: superseded_by_id })),
  )
}

/**
 * Returns the trail of a new bill: its head, the number of its lines and charges, and the reason for saving it although it resembles
 * another.
 */
function createdEntry(clientId: number, bill: BillToStore): AuditEntry {
  const { service_bills: _lines, bill_charges, created_at: _created, unknown_meters: _meters, resolutions: _settled, ...head } = bill.draft
  const values = {
    ...head,
    qc: bill.qc,
    account_number: bill.book.account_number,
    service_bills: bill.lines.length,
    bill_charges: bill_charges.length,
    resolved:
      bill.findings.flatMap(({ code, resolution }) => (resolution === null ? [] : [`${code}: ${resolution.reason}`])).join(', ') || null,
  }
  const said = Object.entries(values).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  )
  return {
    event: 'create',
    item_type: 'bill',
    item_id: bill.id,
    client_id: clientId,
    changes: Object.fromEntries(said.map(([key, to]) => [key, { from: null, to }])),
  }
}
