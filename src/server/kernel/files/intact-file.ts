/** Whether the file store still holds what was written: a store may lose a file or change its bytes behind this program's back. */
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Machinery } from '../machinery.ts'
import { Failure, refused } from '../problem.ts'

/** Reads the stored file once. False if it is gone or has another hash. */
export async function isIntact(files: Machinery['files'], key: string, sha256: Buffer): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    await pipeline(await files.read(key), hash)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return false
    throw error
  }
  return hash.digest().equals(sha256)
}

interface NamedFile {
  readonly key: string
  readonly filename: string
  readonly sha256: Buffer | null
}

/** Throws 409 if the stored file is not the one that was written, and writes that into the log. A file without a hash is not compared. */
export async function mustBeIntact({ files, log }: Pick<Machinery, 'files' | 'log'>, { key, filename, sha256 }: NamedFile): Promise<void> {
  if (sha256 === null || (await isIntact(files, key, sha256))) return
  log.error('a stored file is gone or was changed', { key, filename })
  throw refused(`${filename} is gone from the file store or was changed there, so it cannot be downloaded. Generate the file again.`)
}
