/** Data stored with a version of an upload file: its layout, the total of each bill, and the differences from the previous version. */
import { wireOf, type Cents } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { NamedLayout } from './export-profiles.ts'
import type { LedgerBatch } from './ledger-line.ts'

export interface NotedVersion {
  readonly batch: LedgerBatch
  /** Id in accounting_batch_files. */
  readonly fileId: number
  readonly profile: NamedLayout
  /** Cents of each bill without its payable. */
  readonly bills: ReadonlyMap<number, Cents>
}

/** Stores both. A first version has no differences, and a previous version without bill amounts cannot be compared. */
export async function noteChanges(tx: Tx, { batch, fileId, profile, bills }: NotedVersion): Promise<void> {
  const { rows } = await sql<{ bill_amounts: Record<string, string> | null }>`select bill_amounts from accounting_batch_files
    where client_id = ${batch.client_id} and accounting_batch_id = ${batch.id} and kind = 'upload' and id <> ${fileId} order by version desc limit 1`.execute(
    tx,
  )
  const now = Object.fromEntries([...bills].map(([id, amount]) => [String(id), wireOf(amount)]))
  const changes = changesBetween(rows[0]?.bill_amounts ?? null, now)
  await sql`update accounting_batch_files set export_profile_id = ${profile.id}::bigint, profile_name = ${profile.name}, bill_amounts = ${JSON.stringify(now)}::jsonb,
      bills_added = ${changes?.added ?? null}::int, bills_removed = ${changes?.removed ?? null}::int, amounts_changed = ${changes?.changed ?? null}::int
    where client_id = ${batch.client_id} and id = ${fileId}`.execute(tx)
}

type Amounts = Readonly<Record<string, string>>

function changesBetween(before: Amounts | null, now: Amounts): { added: number; removed: number; changed: number } | null {
  if (before === null) return null
  return {
    added: Object.keys(now).filter((id) => !(id in before)).length,
    removed: Object.keys(before).filter((id) => !(id in now)).length,
    changed: Object.keys(now).filter((id) => id in before && before[id] !== now[id]).length,
  }
}
