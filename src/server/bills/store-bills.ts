/**
 * Writes audited bills with all their children: one statement per table, however many bills. Ids are taken beforehand, so nothing is read
 * back.
 */
import { countOpen } from '#contract/bill-audits/bill-audits.ts'
import { headFields } from '#contract/bills/bill-fields.ts'
import { servicePeriod } from '#contract/bill-audits/line-context.ts'
import { namesOf } from '#contract/kernel/record.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { keepLastBills, type BilledAccounts } from '../estate/estate.ts'
import { accountColumn } from './account-scope.ts'
import { movedEntries, type Moved } from './moved-bills.ts'
import { moveChildren } from './move-children.ts'
import type { BillToStore } from './bill-to-store.ts'
import { insertLines, insertValues } from './store-lines.ts'
import { insertFindings } from './store-findings.ts'
import { insertBeside } from './store-beside.ts'

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

/** Columns of a bill that a save writes, whether the bill is new or not. */
export const billColumns = [
  'billable_account_id',
  'supply_account_id',
  'account_number',
  'vendor_id',
  'facility_id',
  'division_id',
  'assumed_due_date',
  'previous_read_date',
  'read_date',
  'missing_fields',
  ...namesOf(headFields),
]
const findingCounts = ['open_errors', 'open_blocking', 'open_warnings']
const createdColumns = [...findingCounts, 'override_reason', 'source', 'retrieval_provider', 'statement_id', 'import_task_id']

async function insertBills(tx: Tx, clientId: number, bills: readonly BillToStore[], userId: number | null): Promise<Set<number>> {
  const columns = sql.join([...billColumns, ...createdColumns].map((column) => sql.ref(column)))
  const { rows } = await sql<{ id: number }>`insert into bills (client_id, id, ${columns}, created_by, created_at, updated_at)
    select ${clientId}::bigint, id, ${columns}, ${userId}::bigint, coalesce(created_at, now()), coalesce(created_at, now())
    from jsonb_populate_recordset(null::bills, ${JSON.stringify(bills.map(billRow))}::jsonb)
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
