/**
 * The ends of the chains of the audit log, kept beside the files. Whoever has the database alone can cut rows off the end of a chain, delete
 * one, or put back an old state of all; here it says how far each chain had come. The file is authenticated with the key of the seals.
 */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { auditKeyOf } from './audit.ts'
import type { ChainHead } from './audit-chain.ts'
import { now } from './clock.ts'
import { createFileStore, type FileStoreSettings } from './files/files.ts'
import type { Machinery } from './machinery.ts'
import { Failure } from './problem.ts'
import type { Tx } from './postgres/database.ts'
import { type Heads, openedHeads, writtenHeads } from './written-heads.ts'

/** Below the data folder, or in the bucket. */
export const headsKey = 'audit-heads/heads.json'

/** Reason not to trust the heads. */
export type HeadsFault = 'missing' | 'unreadable' | 'old_heads' | 'old_database' | 'chain'

export type HeadsStore = Pick<Machinery['files'], 'put' | 'read'>

/** In the bucket where files are in one, which all nodes share; else in the data folder, beside the folder of the files. */
export function createHeadsStore({ dataDir, s3, secretKey }: HeadsPlace): HeadsStore {
  return createFileStore({ folder: dataDir, s3, secretKey })
}

export interface HeadsPlace {
  readonly dataDir: string
  readonly s3: FileStoreSettings['s3']
  readonly secretKey: string
}

/** The text as it is kept; null where there is none. */
export async function storedHeads(files: HeadsStore): Promise<string | null> {
  try {
    return (await buffer(await files.read(headsKey))).toString('utf8')
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

/** The heads as kept, and the reasons to reject them. The number in the database distinguishes an old file from the last one. */
export async function examinedHeads(tx: Tx, key: Buffer, text: string | null): Promise<{ heads: Heads | null; fault: HeadsFault | null }> {
  const { rows } = await sql<{ number: number }>`select number from audit_anchors`.execute(tx)
  const last = rows[0]?.number ?? 0
  if (text === null) return { heads: null, fault: 'missing' }
  const heads = openedHeads(key, text)
  if (heads === null) return { heads, fault: 'unreadable' }
  // One ahead is a process that was killed between the file and the commit.
  if (heads.number < last) return { heads, fault: 'old_heads' }
  return { heads, fault: heads.number > last + 1 ? 'old_database' : null }
}

export type Anchored = { readonly done: 'anchored' | 'same'; readonly heads: Heads | null } | { readonly fault: HeadsFault }

/**
 * Keeps how far the chains have come by now. Where what is kept does not fit the database it changes nothing and says so: to keep new heads
 * would hide what was done. `accept` keeps them nevertheless, for who has looked into it (a restored backup, say).
 */
export async function anchorHeads(
  { jobsDatabase, settings }: Pick<Machinery, 'jobsDatabase' | 'settings'>,
  files: HeadsStore,
  { accept = false } = {},
): Promise<Anchored> {
  const key = auditKeyOf(settings.secretKey)
  return jobsDatabase.db.transaction().execute(async (tx): Promise<Anchored> => {
    await sql`select pg_advisory_xact_lock(hashtext('audit-anchor'))`.execute(tx)
    const { rows: anchors } = await sql<{ number: number }>`select number from audit_anchors`.execute(tx)
    const { heads, fault } = await examinedHeads(tx, key, await storedHeads(files))
    // Only a trail without a row has never had heads. Rows without them mean that heads, number and seals were taken away together.
    const isNew = anchors.length === 0 && fault === 'missing' && (await isEmpty(tx))
    if (!accept && fault !== null && !isNew) return { fault }
    const former = accept ? null : heads
    if (former !== null && !(await stillThere(tx, former.chains))) return { fault: 'chain' }
    const chains = await chainsSince(tx, former?.position ?? 0)
    if (chains.length === 0 && !accept && !isNew) return { done: 'same', heads: former }
    const next: Heads = {
      number: Math.max(heads?.number ?? 0, anchors[0]?.number ?? 0) + 1,
      made_at: now().toISOString(),
      keyed_from: former?.keyed_from ?? (await firstKeyed(tx)),
      position: Math.max(former?.position ?? 0, ...chains.map(({ position }) => position)),
      chains: joined(former?.chains ?? [], chains),
    }
    const { text, mac } = writtenHeads(key, next)
    await sql`insert into audit_anchors (id, number, mac, anchored_at) values (1, ${next.number}, ${mac}, ${next.made_at})
      on conflict (id) do update set number = excluded.number, mac = excluded.mac, anchored_at = excluded.anchored_at`.execute(tx)
    // Before the commit: a number in the database without its file would look like an old file.
    await files.put(headsKey, Buffer.from(text), 'application/json')
    return { done: 'anchored', heads: next }
  })
}

/** Whether each chain still has the seal that was kept of it. The whole walk is for `npm run audit:verify`. */
async function stillThere(tx: Tx, chains: readonly ChainHead[]): Promise<boolean> {
  const given = JSON.stringify(chains.map(({ client_id, position, hash }) => ({ client_id, position, hash: hash.toString('hex') })))
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from jsonb_to_recordset(${given}::jsonb) as head(client_id bigint, position bigint, hash text)
    join audit_seals seal on seal.client_id = head.client_id and seal.position = head.position and seal.hash = decode(head.hash, 'hex')`.execute(
    tx,
  )
  return rows[0]?.count === chains.length
}

/** Seals are given one run after the other, so that no lower position is committed later. */
async function chainsSince(tx: Tx, position: number): Promise<ChainHead[]> {
  const { rows } = await sql<ChainHead>`with latest as (select client_id, count(*)::int as count, max(position) as position
      from audit_seals where position > ${position} group by client_id)
    select latest.client_id, latest.count, latest.position, seal.hash
    from latest join audit_seals seal on seal.client_id = latest.client_id and seal.position = latest.position order by latest.client_id`.execute(
    tx,
  )
  return rows
}

async function isEmpty(tx: Tx): Promise<boolean> {
  const { rows } = await sql`select from audit_records limit 1`.execute(tx)
  return rows.length === 0
}

async function firstKeyed(tx: Tx): Promise<number | null> {
  const { rows } = await sql<{ position: number | null }>`select min(position) as position from audit_seals where version > 1`.execute(tx)
  return rows[0]?.position ?? null
}

function joined(former: readonly ChainHead[], later: readonly ChainHead[]): ChainHead[] {
  const heads = new Map(former.map((head) => [head.client_id, head]))
  for (const head of later) heads.set(head.client_id, { ...head, count: head.count + (heads.get(head.client_id)?.count ?? 0) })
  return [...heads.values()].toSorted((a, b) => a.client_id - b.client_id)
}
