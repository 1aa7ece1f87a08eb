/** The Ledger tab of a batch: its lines by ledger account, their totals, and the faults that keep them from being booked. */

import type { BatchLedgerRow, UncodedService, BatchLedger } from '#contract/accounting-batches/batch-contents.ts'
import { batchLinesMax, type BatchLine } from '#contract/accounting-batches/booked-line.ts'
import { sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { AskedBatch } from './batch-bills.ts'
import { shownLine } from './bill-books.ts'
import { codingFaults, type CodingFault } from './coding-faults.ts'
import type { LedgerLine } from './ledger-line.ts'
import { ledgerAccountsOf } from './ledger-lines.ts'
import { linesOf } from './upload-lines.ts'

/** Returns the ledger of a batch: frozen lines if it is closed, computed ones while it is open. */
export async function readLedger(
  tx: Tx,
  batch: AskedBatch & { readonly closed: boolean; readonly bills_total: string },
): Promise<BatchLedger> {
  const accounts = await ledgerAccountsOf(tx, batch.client_id)
  const groups = new Map<string, Group>()
  const faults: CodingFault[] = []
  let reversals = 0
  for await (const lines of linesOf(tx, batch)) {
    for (const line of lines) gather(groups, line)
    reversals += sumCents(lines.filter((line) => line.reverses_id !== null && line.kind !== 'payable').map((line) => line.amount))
    if (!batch.closed) faults.push(...codingFaults(lines, accounts))
  }
  const before = await lastAmounts(tx, batch)
  const all = [...groups.values()].toSorted(byName)
  return {
    rows: all.map((group) => rowOf(group, before)),
    uncoded: await uncodedServices(tx, batch.client_id, faults),
    faults: [...new Set(faults.filter((fault) => fault.service_id === null).map((fault) => fault.message))],
    debits: wireOf(sumCents(all.map((group) => group.debit))),
    credits: wireOf(sumCents(all.map((group) => group.credit))),
    booked: wireOf(sumCents(all.filter((group) => group.kind !== 'payable').map((group) => group.debit - group.credit))),
    bills_total: batch.bills_total,
    reversals: wireOf(reversals),
    frozen: batch.closed,
  }
}

/** Returns the lines of the batch that one row of its ledger sums up, each with its bill; the first of them, and the number of all. */
export async function linesOfRow(
  tx: Tx,
  batch: AskedBatch & { readonly closed: boolean },
  row: Pick<BatchLedgerRow, 'kind' | 'ledger_account_id'>,
): Promise<{ lines: BatchLine[]; line_count: number }> {
  const found: LedgerLine[] = []
  let line_count = 0
  for await (const lines of linesOf(tx, batch)) {
    const own = lines.filter((line) => line.kind === row.kind && line.ledger_account_id === row.ledger_account_id)
    found.push(...own.slice(0, batchLinesMax - found.length))
    line_count += own.length
  }
  const { rows } = await sql<
    BillOfLine & { id: number }
  >`select bills.id, bills.account_number, vendor.name as vendor_name, bills.date as bill_date
    from bills left join vendors vendor on vendor.id = bills.vendor_id
    where bills.client_id = ${batch.client_id} and bills.id = any(${[...new Set(found.map((line) => line.bill_id))]}::bigint[])`.execute(tx)
  const bills = new Map(rows.map(({ id, ...bill }) => [id, bill]))
  return {
    lines: found.flatMap((line) => {
      const bill = bills.get(line.bill_id)
      return bill === undefined ? [] : [{ ...shownLine(line), ...bill }]
    }),
    line_count,
  }
}

type BillOfLine = Pick<BatchLine, 'account_number' | 'vendor_name' | 'bill_date'>

interface Group {
  readonly ledger_account_id: number | null
  readonly ledger_account_name: string
  readonly kind: LedgerLine['kind']
  debit: Cents
  credit: Cents
  lines: number
}

function gather(groups: Map<string, Group>, line: LedgerLine): void {
  const key = `${line.kind} ${line.ledger_account_id}`
  const group = groups.get(key) ?? {
    ledger_account_id: line.ledger_account_id,
    ledger_account_name: line.ledger_account_name,
    kind: line.kind,
    debit: 0,
    credit: 0,
    lines: 0,
  }
  if (line.amount > 0) group.debit += line.amount
  else group.credit -= line.amount
  group.lines += 1
  groups.set(key, group)
}

const kinds: readonly LedgerLine['kind'][] = ['expense', 'late_fee', 'prior_balance', 'payable']

/** Sorts lines without a ledger account first, since they must be fixed, and the payable last. */
function byName(a: Group, b: Group): number {
  const isMissing = (group: Group): number => (group.ledger_account_id === null && group.kind !== 'payable' ? 0 : 1)
  return (
    isMissing(a) - isMissing(b) ||
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
    naturalOrder(a.ledger_account_name, b.ledger_account_name)
  )
}

function rowOf(group: Group, before: ReadonlyMap<string, string> | null): BatchLedgerRow {
  const { ledger_account_id, ledger_account_name, kind, debit, credit, lines } = group
  return {
    ledger_account_id,
    ledger_account_name,
    kind,
    debit: wireOf(debit),
    credit: wireOf(credit),
    line_count: lines,
    before: before === null ? null : (before.get(`${kind} ${ledger_account_id}`) ?? '0.00'),
  }
}

/** Returns the net amounts of the previous closed batch of the same group, or null if there is none. */
async function lastAmounts(tx: Tx, { client_id: clientId, id, batch_group_id }: AskedBatch): Promise<Map<string, string> | null> {
  const { rows: found } = await sql<{ id: number }>`select other.id from accounting_batches other, accounting_batches batch
    where batch.client_id = ${clientId} and batch.id = ${id} and other.client_id = ${clientId} and other.id <> ${id} and other.closed
      and other.batch_group_id is not distinct from ${batch_group_id}::bigint and (batch.closed_at is null or other.closed_at < batch.closed_at)
    order by other.closed_at desc, other.id desc limit 1`.execute(tx)
  const [last] = found
  if (last === undefined) return null
  const { rows } = await sql<{
    kind: string
    ledger_account_id: number | null
    amount: string
  }>`select kind, ledger_account_id, sum(amount) as amount from gl_lines
    where client_id = ${clientId} and accounting_batch_id = ${last.id} group by kind, ledger_account_id`.execute(tx)
  return new Map(rows.map((row) => [`${row.kind} ${row.ledger_account_id}`, row.amount]))
}

/** Returns each service at fault once, with the total of its lines in this batch. */
async function uncodedServices(tx: Tx, clientId: number, faults: readonly CodingFault[]): Promise<UncodedService[]> {
  const byService = Map.groupBy(
    faults.filter((fault) => fault.service_id !== null),
    (fault) => fault.service_id ?? 0,
  )
  if (byService.size === 0) return []
  const { rows } = await sql<Omit<UncodedService, 'reason' | 'amount'>>`select services.id as service_id,
      case when services.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(services.billable_account_id, services.supply_account_id) as account_id, coalesce(billable.account_number, supply.account_number) as account_number,
      services.meter_number, services.utility_service_id, utility.name as utility_service_name, services.lock_version
    from services
    left join billable_accounts billable on billable.client_id = ${clientId} and billable.id = services.billable_account_id
    left join supply_accounts supply on supply.client_id = ${clientId} and supply.id = services.supply_account_id
    left join utility_services utility on utility.id = services.utility_service_id
    where services.client_id = ${clientId} and services.id = any(${[...byService.keys()]}::bigint[])
    order by utility.name, account_number, services.id`.execute(tx)
  return rows.map((row) => {
    const own = byService.get(row.service_id) ?? []
    return {
      ...row,
      reason: own[0]?.code === 'inactive_account' ? 'Its ledger account is inactive' : 'No ledger account',
      amount: wireOf(sumCents(own.map((fault) => fault.line.amount))),
    }
  })
}
