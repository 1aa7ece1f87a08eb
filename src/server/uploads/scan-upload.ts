/** Nothing that somebody sends becomes usable before the virus scanner has looked at it, where one is set. */
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { writeAudit, type Actor } from '../kernel/audit.ts'
import { invalid, unavailable } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'

/** A file that lies in the store under its key while its row still says that it is awaited. */
export interface Suspect {
  readonly key: string
  readonly actor: Actor
  /** The field of the form that the file stands in. */
  readonly field?: string
}

/**
 * Throws 422 at the field where a virus is in the bytes, which are gone then and noted in the audit log; and 503 where the scanner is out of
 * reach, too slow or unclear: an upload that nobody could look at is not taken. The bytes are read from the store and not on their way in,
 * so that a slow sender holds no place at the scanner.
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

/** In a transaction of its own: the request that brought the file fails, and what it wrote is taken back. @returns the file's id. */
async function noteFind({ database }: Machinery, { key, actor }: Suspect, found: string): Promise<number | null> {
  return database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; filename: string }>`select id, filename from files where key = ${key}`.execute(tx)
    const [file] = rows
    const changes = { filename: { from: file?.filename ?? null, to: null }, virus: { from: found, to: null } }
    // It belongs to no client: no record had taken it.
    await writeAudit(tx, actor, [{ event: 'destroy', item_type: 'upload', item_id: file?.id ?? null, client_id: 0, changes }])
    return file?.id ?? null
  })
}
