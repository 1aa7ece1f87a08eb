/**
 * The trail: every write leaves its row in the same transaction, append-only. A job seals the rows into a hash chain a client, with a key that
 * is not in the database; `audit-heads.ts` keeps the ends of the chains outside of it.
 */
import { createHash, createHmac, hkdfSync } from 'node:crypto'
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
/** Rows that one seal run takes. A run repeats until nothing is left. */
const sealBatch = 5_000
/** Seals of this version are keyed. Those of version 1, from before there was a key, are plain hashes. */
const keyedVersion = 2

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

interface Unsealed {
  client_id: number
  id: number
  /** The row as canonical text. The database makes it, so that every reader hashes the same bytes. */
  body: string
}

/**
 * Seals rows that have no seal yet, in id order, one chain a client: hash = HMAC-SHA-256(key, previous hash, canonical row).
 * A transaction that commits late is sealed by the next run; the chain's order is the order of its seals, kept in `position`.
 * `newerThan` leaves older rows to another run, for who cannot wait for a look through all of them.
 * @returns the number of rows sealed.
 */
export async function sealAudit(tx: Tx, key: Buffer, newerThan?: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('audit-seal'))`.execute(tx)
  const { rows } = await sql<Unsealed>`
    select record.client_id, record.id, ${canonicalRow} as body
    from audit_records record
    left join audit_seals seal on seal.client_id = record.client_id and seal.audit_record_id = record.id
    where seal.audit_record_id is null ${newerThan === undefined ? sql`` : sql`and record.created_at > ${newerThan}`}
    order by record.client_id, record.id limit ${sealBatch}`.execute(tx)
  if (rows.length === 0) return 0
  const heads = await chainHeads(tx, [...new Set(rows.map((row) => row.client_id))])
  const seals = rows.map((row) => {
    const hash = nextHash(key, keyedVersion, heads.get(row.client_id), row.body)
    heads.set(row.client_id, hash)
    return { client_id: row.client_id, audit_record_id: row.id, hash: hash.toString('hex') }
  })
  await sql`insert into audit_seals (client_id, audit_record_id, hash, version)
    select client_id, audit_record_id, decode(hash, 'hex'), ${keyedVersion}::int from jsonb_to_recordset(${JSON.stringify(seals)}::jsonb) as seal(client_id bigint, audit_record_id bigint, hash text)`.execute(
    tx,
  )
  return rows.length
}

/** Where a chain must have come to: what was kept of it outside the database. */
export interface ChainHead {
  readonly client_id: number
  /** Seals up to and with this one. */
  readonly count: number
  readonly position: number
  readonly hash: Buffer
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

/** Returns the number of rows that the sealing job has not reached yet. Nothing vouches for them. */
export async function unsealedAudit(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_records record
    where not exists (select from audit_seals seal where seal.client_id = record.client_id and seal.audit_record_id = record.id)`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export interface Kept {
  readonly chains: readonly ChainHead[]
  /** From this position on a seal without the key is a forgery; null where no keyed seal was kept in mind. */
  readonly keyed_from: number | null
}

interface Walked {
  audit_record_id: number
  position: number
  version: number
  hash: Buffer
  body: string | null
}

/** Walks every chain again, and holds it against what was kept of it. */
export async function verifyAudit(tx: Tx, key: Buffer, kept: Kept = { chains: [], keyed_from: null }): Promise<AuditVerdict> {
  const heads = new Map(kept.chains.map((head) => [head.client_id, head]))
  const { rows: sealed } = await sql<{ client_id: number }>`select distinct client_id from audit_seals order by client_id`.execute(tx)
  const clientIds = new Set([...sealed.map(({ client_id }) => client_id), ...heads.keys()])
  const broken: ChainFault[] = []
  let checked = 0
  for (const client_id of [...clientIds].toSorted((a, b) => a - b)) {
    const { rows } = await sql<Walked>`
      select seal.audit_record_id, seal.position, seal.version, seal.hash, case when record.id is null then null else ${canonicalRow} end as body
      from audit_seals seal left join audit_records record on record.client_id = seal.client_id and record.id = seal.audit_record_id
      where seal.client_id = ${client_id} order by seal.position`.execute(tx)
    checked += rows.length
    const head = heads.get(client_id)
    const fault = faultIn(rows, key, kept.keyed_from, head)
    if (fault !== undefined) broken.push({ client_id, left: rows.length, kept: head?.count ?? 0, ...fault })
  }
  return { chains: clientIds.size, checked, broken }
}

function faultIn(
  rows: readonly Walked[],
  key: Buffer,
  keyedFrom: number | null,
  kept: ChainHead | undefined,
): Pick<ChainFault, 'kind' | 'audit_record_id'> | undefined {
  let head: Buffer | undefined
  let isKeyed = false
  for (const [at, row] of rows.entries()) {
    const altered = { kind: 'altered', audit_record_id: row.audit_record_id } as const
    // Without this check, a person without the key could write seals of the former kind, which need none.
    if (row.version < keyedVersion && (isKeyed || row.position >= (keyedFrom ?? Infinity))) return altered
    isKeyed ||= row.version >= keyedVersion
    if (row.body === null) return altered
    head = nextHash(key, row.version, head, row.body)
    if (!head.equals(row.hash)) return altered
    if (at + 1 === kept?.count && (row.position !== kept.position || !head.equals(kept.hash))) return altered
  }
  if (kept === undefined || rows.length >= kept.count) return undefined
  return rows.length === 0
    ? { kind: 'gone', audit_record_id: null }
    : { kind: 'cut', audit_record_id: rows.at(-1)?.audit_record_id ?? null }
}

async function chainHeads(tx: Tx, clientIds: readonly number[]): Promise<Map<number, Buffer>> {
  const { rows } = await sql<{ client_id: number; hash: Buffer }>`
    select distinct on (client_id) client_id, hash from audit_seals where client_id = any(${clientIds}::bigint[]) order by client_id, position desc`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.client_id, row.hash]))
}

function nextHash(key: Buffer, version: number, previous: Buffer | undefined, body: string): Buffer {
  const hash = version < keyedVersion ? createHash('sha256') : createHmac('sha256', key)
  return hash
    .update(previous ?? Buffer.alloc(32))
    .update(body)
    .digest()
}

/** The sealed columns of a row. */
export const canonicalRow = sql<string>`jsonb_build_array(record.client_id, record.id, record.user_id, record.event, record.item_type, record.item_id, record.object_changes, record.ip_address, to_char(record.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))::text`
