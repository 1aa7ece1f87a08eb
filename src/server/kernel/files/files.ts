/**
 * Files under generated keys, on disk or in S3, behind the five methods of the store, and the signed URLs under which browsers reach them.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileCalls } from '#contract/uploads/upload.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Disk } from 'flydrive'
import { z } from 'zod'
import { answered, handle, type Handler } from '../handler.ts'
import { isNoRoom } from './no-room.ts'
import { forbidden, NoRoom } from '../problem.ts'
import type { FileAddress, FileStore, Machinery, StoredFile } from '../machinery.ts'
import { noteEvent } from '../http/security-facts.ts'
import { openToken } from '../http/signed-token.ts'
import { OWN_FILE_MODE, OWN_FOLDER_MODE } from './private-modes.ts'
import { askStore, fromStore } from './store-away.ts'
import {
  purposes,
  diskStore,
  measuring,
  readable,
  checkedKey,
  readFrom,
  removeOld,
  filesBelow,
  addressSeconds,
  downloadPath,
  listed,
  holder,
} from './disk-store.ts'

export interface S3Settings {
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly endpoint?: string | undefined
  readonly forcePathStyle: boolean
}

export interface FileStoreSettings {
  /** Folder for files on disk. It is not used with S3. */
  readonly folder: string
  readonly s3?: S3Settings | undefined
  readonly secretKey: string
}

/** Seconds for which a bucket's own URL works, to which a browser is sent on at once. */
const directSeconds = 30

export type FilePurpose = (typeof purposes)[number]
/** Folders of files that came from outside. */
const ofOthers: readonly FilePurpose[] = ['uploads', 'imports', 'scans', 'statements', 'bill_documents']
/** Objects of a bucket requested at once: the most that S3 returns. */
const objectsAtOnce = 1_000

/**
 * Creates the file store of this installation. URLs for files on disk are paths of this server, so that they work under every host name it
 * has.
 */
export function createFileStore(settings: FileStoreSettings): FileStore {
  return settings.s3 ? s3Store(settings.s3, settings.secretKey) : diskStore(settings.folder, settings.secretKey)
}

/** Returns a key that nobody can guess, in a folder for its purpose: `exports/2f/2f0c…`. */
export function generatedKey(folder: FilePurpose): string {
  const id = randomUUID()
  return `${folder}/${id.slice(0, 2)}/${id}`
}

function s3Store(s3: S3Settings, secretKey: string): FileStore {
  // S3 needs the length before the first byte. If the length is unknown, a spool file keeps memory flat. Each account of the machine has
  // its own folder, because a folder of another account cannot be written.
  const spools = join(tmpdir(), `meterbook-spool-${process.getuid?.() ?? 'own'}`)
  let opened: Promise<Disk> | undefined
  const disk = (): Promise<Disk> => (opened ??= openS3(s3))
  const ask = async <T>(work: (disk: Disk) => Promise<T>): Promise<T> => {
    const driver = await disk()
    return askStore(() => work(driver))
  }
  return {
    async put(key, content, contentType) {
      const { measured, through } = measuring()
      const spool = join(spools, randomUUID())
      const source = readable(content)
      try {
        mkdirSync(spools, { recursive: true, mode: OWN_FOLDER_MODE })
        await pipeline(source, through, createWriteStream(spool, { mode: OWN_FILE_MODE }))
        const { size } = await stat(spool)
        await ask((bucket) => bucket.putStream(checkedKey(key), createReadStream(spool), { contentType, contentLength: size }))
      } catch (error) {
        source.destroy()
        throw isNoRoom(error) ? new NoRoom() : error
      } finally {
        await rm(spool, { force: true })
      }
      return measured()
    },
    read: async (key) => fromStore(await ask((bucket) => readFrom(bucket, key))),
    remove: (key) => ask((bucket) => bucket.delete(checkedKey(key))),
    async *list() {
      for (const purpose of purposes) yield* objectsBelow(await disk(), `${purpose}/`)
    },
    changedAt: (key) =>
      ask(async (bucket) => ((await bucket.exists(checkedKey(key))) ? (await bucket.getMetaData(key)).lastModified : null)),
    // A file is sent in one request, which the bucket stores entirely or not at all. Only the spool file of a killed process can stay
    // behind.
    removeHalfWritten: (before) => removeOld(filesBelow(spools), before, () => true),
    async uploadUrl({ key, contentType, byteSize, checksum }) {
      const url = await (
        await disk()
      ).getSignedUploadUrl(checkedKey(key), { expiresIn: addressSeconds, contentType, ContentLength: byteSize, ContentMD5: checksum })
      return { url, headers: { 'content-type': contentType, 'content-md5': checksum } }
    },
    downloadUrl: (file) => downloadPath(secretKey, file),
    async directUrl({ key, filename, contentType, inline }) {
      return (await disk()).getSignedUrl(checkedKey(key), {
        expiresIn: directSeconds,
        contentType,
        contentDisposition: disposition(filename, inline ?? false),
      })
    },
    // The driver decides whether the bucket stands in the host or in the path; signing asks nobody.
    origin: async () => new URL(await (await disk()).getSignedUploadUrl(generatedKey('uploads'))).origin,
  }
}

/**
 * Lists the files of a bucket whose keys begin with the prefix, one page at a time: memory holds one page, however many files there are.
 */
async function* objectsBelow(disk: Disk, prefix: string): AsyncGenerator<StoredFile> {
  for (let token: string | undefined; ;) {
    const asked = { recursive: true, maxResults: objectsAtOnce, ...(token === undefined ? {} : { paginationToken: token }) }
    const { objects, paginationToken: next } = await askStore(() => disk.listAll(prefix, asked))
    for (const object of objects)
      // The driver queries the prefix without its trailing slash.
      if (object.isFile && object.key.startsWith(prefix)) yield* listed(object.key, (await object.getMetaData()).lastModified)
    if (next === undefined) return
    if (next === token) throw new Error(`the bucket answers the same page of ${prefix} again`)
    token = next
  }
}

/** The driver and the AWS client are heavy, so only installations that use them load them. */
async function openS3(s3: S3Settings): Promise<Disk> {
  const { S3Driver } = await import('flydrive/drivers/s3')
  return new Disk(
    new S3Driver({
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
      region: s3.region,
      ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
      forcePathStyle: s3.forcePathStyle,
      bucket: s3.bucket,
      visibility: 'private',
      supportsACL: false,
      // The SDK's own checksums are unknown to many S3-compatible stores, and wrong in presigned URLs.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 3_000, requestTimeout: 30_000 },
      maxAttempts: 4,
    }),
  )
}

const download = z.object({ key: z.string(), name: z.string(), type: z.string(), inline: z.boolean(), holder: holder.nullable() })

export const fileHandlers: Handler[] = [
  handle(fileCalls.download, async ({ machinery }, { params, http }) => {
    const file = openToken(machinery.settings.secretKey, 'download', params.token, download)
    const isOver = !file || (file.holder !== null && !(await machinery.sessions.stillHolds(file.holder)))
    // The address says whose it was, and nobody is signed in with it.
    if (file?.holder && isOver) noteEvent(http.request, 'denied', file.holder.user_id)
    if (isOver) throw forbidden('This address is over. Please open the file again.')
    const { key, name: filename, type: contentType, inline } = file
    return sendFile(machinery, http.reply, { key, filename, contentType, inline })
  }),
]

/**
 * Sends bytes that a browser must never run: always with their own type, never sniffed, in a sandbox. With a bucket it leads on to the
 * bucket for an attachment; a file that is shown passes through here, since a bucket sends neither header. Whoever calls it has checked that
 * the reader may have the file.
 */
export async function sendFile({ files }: Pick<Machinery, 'files'>, reply: FastifyReply, asked: FileAddress): Promise<typeof answered> {
  const file = { ...asked, contentType: typeOf(asked) }
  const direct = file.inline ? null : await files.directUrl(file)
  if (direct !== null) {
    void reply.header('cache-control', 'private, no-store').redirect(direct)
    return answered
  }
  const stream = await files.read(file.key)
  void reply
    .headers({
      'content-disposition': disposition(file.filename, file.inline ?? false),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type(file.contentType)
    .send(stream)
  return answered
}

/** What this program writes is UTF-8, and says so. Text of others keeps the type that it came with, since nobody knows its characters. */
function typeOf({ key, contentType }: FileAddress): string {
  const isOurs = !ofOthers.some((purpose) => key.startsWith(`${purpose}/`))
  return isOurs && contentType.startsWith('text/') && !contentType.includes('charset') ? `${contentType}; charset=utf-8` : contentType
}

/** Passes the bytes of uploads through as a stream. Without it Fastify answers 415, and reads plain text into memory. */
export function acceptUploadBytes(server: FastifyInstance): void {
  server.removeContentTypeParser('text/plain')
  server.addContentTypeParser(/^(application\/(pdf|csv|vnd\.|octet-stream)|image\/|text\/)/, (_request, payload, done) =>
    done(null, payload),
  )
}

/** Gives the file name in ASCII for old clients and unchanged for all others (RFC 6266). */
export function disposition(filename: string, inline: boolean): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
