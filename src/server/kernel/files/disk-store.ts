/** Stores files in a folder. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Disk, errors } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { z } from 'zod'
import { isNoRoom } from './no-room.ts'
import { NoRoom, notFound } from '../problem.ts'
import type { FileAddress, FileStore, StoredFile } from '../machinery.ts'
import { linkHolderOf, type Principal } from '../principal.ts'
import { signToken } from '../http/signed-token.ts'
import { OWN_FILE_MODE, OWN_FOLDER_MODE } from './private-modes.ts'
import { isStoreAway } from './store-away.ts'

const fileIsGone = 'This file is gone.'

/** Four times what a stream reads by itself: a file is hashed before each download, and a portion costs more than its bytes. */
const bytesReadAtOnce = 256 * 1024

/** Seconds for which a signed URL works. */
export const addressSeconds = 300

const apiBase = '/api/v5'
/** Prefixes of keys. Nothing else in the folder is listed, because it may belong to another program. */
export const purposes = [
  'uploads',
  'imports',
  'exports',
  'scans',
  'statements',
  'bill_documents',
  'retrieval-imports',
  'accounting_batches',
  'payment_batches',
  'reports',
  'site_surveys',
] as const

/** A file that is being written beside its key: `….part-` and a UUID. */
const halfWritten = /\.part-[0-9a-f-]{36}$/

export function diskStore(folder: string, secretKey: string): FileStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    async put(key, content) {
      // The file has another name until it is complete, so that a file under its key is never half written.
      const path = join(folder, checkedKey(key))
      const part = `${path}.part-${randomUUID()}`
      const { measured, through } = measuring()
      const source = readable(content)
      try {
        // Nothing is awaited before the pipeline listens: a source that breaks meanwhile would end the process.
        mkdirSync(dirname(path), { recursive: true, mode: OWN_FOLDER_MODE })
        // Not the driver's own: it answers an error before its file is closed, which then stays behind.
        await pipeline(source, through, createWriteStream(part, { flush: true, mode: OWN_FILE_MODE }))
        await rename(part, path)
      } catch (error) {
        source.destroy()
        await rm(part, { force: true })
        throw isNoRoom(error) ? new NoRoom() : error
      }
      return measured()
    },
    async read(key) {
      if (!(await disk.exists(checkedKey(key)))) throw notFound(fileIsGone)
      return createReadStream(join(folder, key), { highWaterMark: bytesReadAtOnce })
    },
    remove: (key) => disk.delete(checkedKey(key)),
    async *list() {
      for (const purpose of purposes)
        for await (const path of filesBelow(join(folder, purpose)))
          if (!halfWritten.test(path)) yield* listed(relative(folder, path).split(sep).join('/'), await changedAt(path))
    },
    changedAt: (key) => changedAt(join(folder, checkedKey(key))),
    removeHalfWritten: (before) => removeOld(filesBelow(folder), before, (path) => halfWritten.test(path)),
    uploadUrl: ({ key, contentType, byteSize, checksum }) => {
      const token = signToken(
        secretKey,
        'upload_bytes',
        { key: checkedKey(key), type: contentType, size: byteSize, md5: checksum },
        addressSeconds,
      )
      return Promise.resolve({ url: `${apiBase}/uploads/${token}`, headers: { 'content-type': contentType } })
    },
    downloadUrl: (file) => downloadPath(secretKey, file),
    directUrl: () => Promise.resolve(null),
    origin: () => Promise.resolve(null),
  }
}

export function downloadPath(
  secretKey: string,
  { key, filename, contentType, inline, reader }: FileAddress & { reader: Principal | null },
): string {
  const holder = reader && linkHolderOf(reader)
  const file = { key: checkedKey(key), name: filename, type: contentType, inline: inline ?? false, holder }
  return `${apiBase}/files/${signToken(secretKey, 'download', file, addressSeconds)}`
}

/** Returns the paths of the files in a folder and its subfolders. Returns none if the folder does not exist or cannot be read. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return []
    throw error
  })
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

async function changedAt(path: string): Promise<Date | null> {
  return stat(path).then(
    ({ mtime }) => mtime,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
}

/** Returns nothing for a name that this program does not give, for a file that no longer exists, and for a file of unknown age. */
export function listed(key: string, changed: Date | null): StoredFile[] {
  return isKey(key) && changed && !Number.isNaN(changed.getTime()) ? [{ key, changedAt: changed }] : []
}

export async function removeOld(paths: AsyncIterable<string>, before: Date, isMeant: (path: string) => boolean): Promise<number> {
  let removed = 0
  for await (const path of paths) {
    if (!isMeant(path)) continue
    const changed = await changedAt(path)
    if (!changed || changed >= before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

export async function readFrom(disk: Disk, key: string): Promise<Readable> {
  const checked = checkedKey(key)
  try {
    if (!(await disk.exists(checked))) throw notFound(fileIsGone)
    return await disk.getStream(checked)
  } catch (error) {
    if (error instanceof errors.E_CANNOT_READ_FILE && !isStoreAway(error)) throw notFound(fileIsGone)
    throw error
  }
}

/** Rejects a key that this program did not generate. Such a key is a bug, whatever wrote it. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a file's key: ${key}`)
  return key
}

function isKey(key: string): boolean {
  return /^[a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9._-]*)*$/i.test(key) && !key.includes('..')
}

export function readable(content: Readable | Uint8Array): Readable {
  return content instanceof Readable ? content : Readable.from([content])
}

/** Counts and hashes the bytes that pass through. */
export function measuring(): { through: Transform; measured: () => { bytes: number; sha256: Buffer } } {
  const hash = createHash('sha256')
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { through, measured: () => ({ bytes, sha256: hash.digest() }) }
}

export const holder = z.object({ user_id: z.int(), session_id: z.int(), api_token_id: z.int().nullable(), rights: z.string() })
