/** What a version of an upload file keeps beside its bytes: who laid it out, what each bill comes to, and what differs from the version before. */
import { wireOf, type Cents } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { NamedLayout } from './export-profiles.ts'
import type { LedgerBatch } from './ledger-line.ts'

export interface NotedVersion {
  readonly batch: LedgerBatch
  /** Of accounting_batch_files. */
  readonly fileId: number
  readonly profile: NamedLayout
  /** Cents of each bill without its payable. */
  readonly bills: ReadonlyMap<number, Cents>
}

/** Notes both. A first version differs from none, and from a version that knows no bills nothing can be told. */
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
