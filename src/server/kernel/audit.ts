/**
 * The trail: every write leaves its row in the same transaction, append-only. A job seals the rows into a hash chain a client, with a key that
 * is not in the database; `audit-heads.ts` keeps the ends of the chains outside of it.
 */
import { hkdfSync } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from './postgres/database.ts'

export type AuditEvent = 'create' | 'update' | 'destroy' | 'login' | 'access'
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

export interface AuditEntry {
  readonly event: AuditEvent
  readonly item_type: string
  readonly item_id: number | null
  /** 0 if the item belongs to no client. */
  readonly client_id: number
  readonly changes: Changes
}

export interface Actor {
  /** null for the System. */
  readonly user_id: number | null
  readonly ip: string | null
}

/** Replaces a value that must not be readable in the trail. A change of such a value still shows as a change. */
export const secretMarker = '[secret]'

/** The key of the seals. It is not in the database. */
export function auditKeyOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'meterbook', 'audit seal', 32))
}

/** Writes audit rows, many in one statement. */
export async function writeAudit(tx: Tx, actor: Actor, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = JSON.stringify(entries)
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes, ip_address)
    select client_id, ${actor.user_id}::bigint, event, item_type, item_id, changes, ${actor.ip}::text
    from jsonb_to_recordset(${rows}::jsonb) as entry(client_id bigint, event text, item_type text, item_id bigint, changes jsonb)`.execute(
    tx,
  )
}

/** Returns the differences between two states for the given keys. Secret keys show as markers only. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  secrets: readonly string[] = [],
): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  for (const key of keys) {
    const from = before[key] ?? null
    const to = after[key] ?? null
    if (JSON.stringify(from) === JSON.stringify(to)) continue
    changes[key] = secrets.includes(key) ? { from: masked(from), to: masked(to) } : { from, to }
  }
  return changes
}

function masked(value: unknown): string | null {
  return value === null || value === undefined ? null : secretMarker
}

export interface ChainFault {
  /** 0 is what belongs to no client. */
  readonly client_id: number
  /** altered: the first row that does not fit its seal, or is gone; cut: rows at the end are gone; gone: all of them. */
  readonly kind: 'altered' | 'cut' | 'gone'
  /** Null where there is no row to name. */
  readonly audit_record_id: number | null
  /** Sealed rows that are left of those that were kept in mind. */
  readonly left: number
  readonly kept: number
}

export interface AuditVerdict {
  chains: number
  /** Number of sealed rows that were checked. */
  checked: number
  /** One for each broken chain, empty where all hold. */
  broken: ChainFault[]
}
