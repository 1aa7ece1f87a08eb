/**
 * The number of ledger lines of an open batch, and whether an upload file can be made of it. Both are computed in code from its bills, so they
 * are cached until something of the client changes.
 */
import type { AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { codingFaults } from './coding-faults.ts'
import { ledgerAccountsOf, ledgerLines } from './ledger-lines.ts'

/** Batches kept in the cache, a few bytes each. */
const KEPT_MAX = 2_000

interface Counted {
  readonly version: string
  readonly lines: number
  readonly coded: boolean
}
/** Keyed by the machinery of a running application, since two applications in one process may have two databases. */
const rememberedOf = new WeakMap<Machinery, Map<string, Counted>>()

/** Returns the rows of a page with the counts of their open batches filled in. */
export async function withLineCounts(context: Context, rows: readonly AccountingBatch[]): Promise<AccountingBatch[]> {
  const versions = await versionsOf(
    context,
    rows.filter((row) => !row.closed).map((row) => row.client_id),
  )
  const counted: AccountingBatch[] = []
  for (const row of rows) {
    const count = row.closed ? null : await countOf(context, row, versions.get(row.client_id) ?? '')
    counted.push(withCount(row, count ?? { version: '', lines: row.line_item_count, coded: true }))
  }
  return counted
}

function withCount(row: AccountingBatch, { lines, coded }: Counted): AccountingBatch {
  return { ...row, line_item_count: lines, can_generate_upload_file: coded && row.bill_count > 0 && !row.generating_file }
}

async function countOf(context: Context, batch: AccountingBatch, version: string): Promise<Counted> {
  const key = `${batch.client_id} ${batch.id}`
  const remembered = rememberedOf.get(context.machinery) ?? new Map<string, Counted>()
  rememberedOf.set(context.machinery, remembered)
  const known = remembered.get(key)
  if (known?.version === version) return known
  const counted = await count(context, batch, version)
  if (remembered.size >= KEPT_MAX) remembered.clear()
  remembered.set(key, counted)
  return counted
}

async function count({ tx }: Context, batch: AccountingBatch, version: string): Promise<Counted> {
  const accounts = await ledgerAccountsOf(tx, batch.client_id)
  let lines = 0
  let coded = true
  for await (const some of ledgerLines(tx, batch)) {
    lines += some.filter((line) => line.kind !== 'payable').length
    coded &&= codingFaults(some, accounts).length === 0
  }
  return { version, lines, coded }
}

async function versionsOf({ tx }: Context, clientIds: readonly number[]): Promise<Map<number, string>> {
  if (clientIds.length === 0) return new Map()
  const { rows } = await sql<{ client_id: number; version: string }>`select client_id, version::text from data_versions
    where client_id = any(${[...new Set(clientIds)]}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.client_id, row.version]))
}
