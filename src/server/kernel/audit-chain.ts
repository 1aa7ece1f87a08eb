/** The hash chains of the audit trail: sealing and verification. */
import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from './postgres/database.ts'
import type { AuditVerdict, ChainFault } from './audit.ts'

/** Rows that one seal run takes. A run repeats until nothing is left. */
const sealBatch = 5_000
/** Seals of this version are keyed. Those of version 1, from before there was a key, are plain hashes. */
const keyedVersion = 2

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

/** The end of a chain as it was kept outside the database; the chain must reach it. */
export interface ChainHead {
  readonly client_id: number
  /** Seals up to and with this one. */
  readonly count: number
  readonly position: number
  readonly hash: Buffer
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
