/** With a virus scanner configured, no upload becomes usable before it is scanned. */
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { writeAudit, type Actor } from '../kernel/audit.ts'
import { invalid, unavailable } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'

/** A file in the store whose row still has the state "awaited". */
export interface Suspect {
  readonly key: string
  readonly actor: Actor
  /** The form field of the file. */
  readonly field?: string
}

/**
 * Throws 422 at the field if the bytes contain a virus; they are deleted, and the audit log notes it. Throws 503 if the scanner is unreachable,
 * too slow or unclear: an unscanned upload is not accepted. The bytes are read from the store and not on arrival, so that a slow sender does not
 * occupy the scanner.
 */
export async function mustBeClean(machinery: Machinery, suspect: Suspect, open: () => Promise<Readable> | Readable): Promise<void> {
  const { scanner, log } = machinery
  if (!scanner) return
  const { key, field = 'file' } = suspect
  const source = await open()
  const verdict = await scanner.scan(source).catch((error: unknown) => {
    log.error('an upload could not be scanned for viruses', { key, error })
    throw unavailable('The file could not be checked for viruses. Please try again shortly.')
  })
  if (verdict.clean) return
  await machinery.files.remove(key)
  const file_id = await noteFind(machinery, suspect, verdict.found)
  log.warn('a virus was found in an upload', { file_id, key, user_id: suspect.actor.user_id, found: verdict.found })
  throw invalid({ [field]: [`The file holds a virus (${verdict.found}) and was not kept.`] })
}

/**
 * Writes in its own transaction, because the request that sent the file fails and is rolled back.
 * @returns the file's id.
 */
async function noteFind({ database }: Machinery, { key, actor }: Suspect, found: string): Promise<number | null> {
  return database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; filename: string }>`select id, filename from files where key = ${key}`.execute(tx)
    const [file] = rows
    const changes = { filename: { from: file?.filename ?? null, to: null }, virus: { from: found, to: null } }
    // It belongs to no client, because it was not attached to a record.
    await writeAudit(tx, actor, [{ event: 'destroy', item_type: 'upload', item_id: file?.id ?? null, client_id: 0, changes }])
    return file?.id ?? null
  })
}
