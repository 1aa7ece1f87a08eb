/** The report of `npm run audit:verify`. */
import { auditKeyOf, type ChainFault } from './kernel/audit.ts'
import { unsealedAudit, verifyAudit } from './kernel/audit-chain.ts'
import { examinedHeads, storedHeads, type HeadsFault, type HeadsStore } from './kernel/audit-heads.ts'
import { openedHeads, type Heads } from './kernel/written-heads.ts'
import type { Tx } from './kernel/postgres/database.ts'

export interface AuditGround {
  readonly db: Tx
  readonly files: HeadsStore
  readonly secretKey: string
}

/** Walks all chains. `copy` holds them against the text of heads that were kept elsewhere. */
export async function auditReport({ db, files, secretKey }: AuditGround, copy?: string): Promise<{ lines: string[]; holds: boolean }> {
  const key = auditKeyOf(secretKey)
  const { heads, fault } = await examinedHeads(db, key, await storedHeads(files))
  const kept = copy === undefined ? heads : openedCopy(key, copy)
  const { chains, checked, broken } = await verifyAudit(db, key, kept ?? undefined)
  const waiting = await unsealedAudit(db)
  // A trail without a row has nothing to keep.
  const amiss = fault !== null && (checked + waiting > 0 || fault !== 'missing') ? [`The heads: ${headsWords[fault]}`] : []
  const from = kept === null ? '' : `, held against heads ${kept.number} of ${kept.made_at}`
  const sum = `${checked} sealed rows in ${chains} chains, ${broken.length} chains broken, ${waiting} rows not yet sealed${from}`
  return { lines: [...amiss, ...broken.map(faultWords), sum], holds: amiss.length === 0 && broken.length === 0 }
}

function openedCopy(key: Buffer, text: string): Heads {
  const heads = openedHeads(key, text.trim())
  if (heads === null) throw new Error('The copy holds no heads that this SECRET_KEY has made.')
  return heads
}

const headsWords: Readonly<Record<HeadsFault, string>> = {
  missing: 'none are kept. They were taken away, or a version before them wrote these rows: --accept keeps the chains as they are.',
  unreadable: 'they were changed, or written with another SECRET_KEY.',
  old_heads: 'they are older than the database says: an old file was put in the place of the last one.',
  old_database: 'they are ahead of the database: it was put back to an earlier state.',
  chain: 'they do not fit the chains.',
}

function faultWords({ client_id, kind, audit_record_id, left, kept }: ChainFault): string {
  const chain = client_id === 0 ? 'The chain of what belongs to no client' : `The chain of client ${client_id}`
  if (kind === 'gone') return `${chain} is gone: ${kept} sealed rows were kept in mind.`
  if (kind === 'cut')
    return `${chain} is cut after audit record ${audit_record_id}: ${kept} sealed rows were kept in mind, ${left} are left.`
  return `${chain} is broken at audit record ${audit_record_id}.`
}
