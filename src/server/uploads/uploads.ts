/** Direct upload by the Active Storage protocol, and the use of finished uploads by slices. */
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uploadBytesMax, uploadKindOf, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import { uploadCalls } from '#contract/uploads/upload.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { generatedKey } from '../kernel/files/files.ts'
import { answered, handle, type Handler } from '../kernel/handler.ts'
import { cutSlowBody, refuseLonger, restOfBody } from '../kernel/http/multipart.ts'
import { Failure, forbidden, invalid, notFound, tooMuch } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import { checkedBytes, type Expected } from './checked-bytes.ts'
import { notTaken, plainName, storedType } from './file-names.ts'
import { throughCheck } from './receive-upload.ts'
import { mustBeClean } from './scan-upload.ts'

export { plainName } from './file-names.ts'
export { attachReceived, receiving, releaseFile } from './receive-upload.ts'
export { mustBeClean } from './scan-upload.ts'

const announceSeconds = 600
const signedIdSeconds = 3_600
/** Announced uploads of one user that no record uses yet. */
const unattachedMax = 200

const announceToken = z.object({ user: z.int() })
const bytesToken = z.object({ key: z.string(), type: z.string(), size: z.int(), md5: z.string() })
const signedId = z.object({ file: z.int(), user: z.int() })

interface FileRow {
  id: number
  key: string
  filename: string
  content_type: string
  byte_size: number
  checksum: string | null
  user_id: number | null
  state: 'waiting' | 'stored' | 'attached'
}
const columns = sql`id, key, filename, content_type, byte_size, checksum, user_id, state`

export const uploadHandlers: Handler[] = [
  handle(uploadCalls.directUploadUrl, (context) => {
    const token = signToken(context.machinery.settings.secretKey, 'direct_upload', { user: context.principal.user_id }, announceSeconds)
    return Promise.resolve({ direct_upload_url: `/api/v5/direct_uploads/${token}` })
  }),
  handle(uploadCalls.announce, async (context, { params, body }) => {
    const { settings, files } = context.machinery
    const who = openToken(settings.secretKey, 'direct_upload', params.token, announceToken)
    if (!who) throw forbidden('This upload address is over. Please choose the file again.')
    const file = await announceFile(context.tx, who.user, body.blob)
    const upload = await files.uploadUrl({
      key: file.key,
      contentType: file.content_type,
      byteSize: file.byte_size,
      checksum: body.blob.checksum,
    })
    const { id, filename, content_type, byte_size } = file
    const signed_id = signToken(settings.secretKey, 'upload', { file: id, user: who.user }, signedIdSeconds)
    return { id, filename, content_type, byte_size, checksum: body.blob.checksum, signed_id, direct_upload: upload }
  }),
  handle(uploadCalls.bytes, async ({ machinery }, { params, http }) => {
    const announced = openToken(machinery.settings.secretKey, 'upload_bytes', params.token, bytesToken)
    if (!announced) throw forbidden('This upload address is over. Please choose the file again.')
    await takeBytes(machinery, announced, http)
    void http.reply.code(204).send()
    return answered
  }),
]

/** Requirements of a slice for an upload. */
export interface UploadRule {
  readonly kinds: readonly UploadKind[]
  readonly maxBytes?: number
}

/**
 * Attaches a finished upload to a record in the caller's transaction and returns the file's id. Throws 422 at `field` if the signed id is
 * forged, expired, another user's, already used or of another kind, or if its bytes never arrived.
 */
export async function attachUpload(context: Context, signed: string, rule: UploadRule, field = 'signed_id'): Promise<number> {
  const { machinery, tx, principal } = context
  const known = openToken(machinery.settings.secretKey, 'upload', signed, signedId)
  if (!known || known.user !== principal.user_id)
    throw invalid({ [field]: ['The upload is not valid any more. Please choose the file again.'] })
  const { rows } = await sql<FileRow>`select ${columns} from files where id = ${known.file} for update`.execute(tx)
  const file = rows[0]
  if (!file || file.user_id !== principal.user_id)
    throw invalid({ [field]: ['The upload is not valid any more. Please choose the file again.'] })
  if (file.state === 'attached') throw invalid({ [field]: ['The upload was used already. Please choose the file again.'] })
  const kind = uploadKindOf(file.filename, file.content_type)
  if (!kind || !rule.kinds.includes(kind)) throw invalid({ [field]: [notTaken(file.filename, rule.kinds)] })
  if (file.byte_size > (rule.maxBytes ?? uploadBytesMax))
    throw invalid({ [field]: [`The file has more than ${Math.floor((rule.maxBytes ?? uploadBytesMax) / 1_048_576)} MB.`] })
  if (file.state === 'waiting') await checkStored(context, file, kind, field)
  await sql`update files set state = 'attached', attached_at = now() where id = ${file.id}`.execute(tx)
  return file.id
}

/** Returns an address of a file that works for five minutes. The caller has checked that the reader may have it. Throws not-found. */
export async function downloadLink(context: Context, fileId: number, inline = false): Promise<string> {
  const { rows } = await sql<FileRow>`select ${columns} from files where id = ${fileId} and state <> 'waiting'`.execute(context.tx)
  const file = rows[0]
  if (!file) throw notFound('This file is gone.')
  return context.machinery.files.downloadUrl({
    key: file.key,
    filename: file.filename,
    contentType: file.content_type,
    inline,
    reader: context.principal,
  })
}

async function announceFile(
  tx: Tx,
  userId: number,
  blob: { filename: string; content_type: string; byte_size: number; checksum: string },
): Promise<FileRow> {
  const filename = plainName(blob.filename)
  const kind = uploadKindOf(filename, blob.content_type)
  if (!kind) throw invalid({ file: ['This kind of file is not taken. Taken are PDF, PNG, JPEG, WebP, GIF, TIFF, CSV, text and XLSX.'] })
  const { rows: open } = await sql<{
    count: number
  }>`select count(*) as count from files where user_id = ${userId} and state <> 'attached'`.execute(tx)
  if ((open[0]?.count ?? 0) >= unattachedMax) throw tooMuch('too_many', 'Too many uploads are waiting to be used.', 600)
  const { rows } = await sql<FileRow>`insert into files (key, filename, content_type, byte_size, checksum, user_id)
    values (${generatedKey('uploads')}, ${filename}, ${storedType(kind, filename)}, ${blob.byte_size}, ${blob.checksum}, ${userId}) returning ${columns}`.execute(
    tx,
  )
  const file = rows[0]
  if (!file) throw new Error('the file was not announced')
  return file
}

/** Stores the bytes and then records that in its own transaction. Any fault leaves no file behind. */
async function takeBytes(
  machinery: Machinery,
  announced: z.infer<typeof bytesToken>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { db } = machinery.database
  const { rows } = await sql<FileRow>`select ${columns} from files where key = ${announced.key}`.execute(db)
  const file = rows[0]
  const kind = file && uploadKindOf(file.filename, file.content_type)
  if (!file || !kind) throw notFound()
  if (file.state !== 'waiting') throw invalid({ file: ['The bytes of this file are here already.'] })
  if ((request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() !== announced.type)
    throw invalid({ file: [`The content type must be ${announced.type}.`] })
  refuseLonger(request, reply, announced.size)
  const expected = { kind, bytesMax: uploadBytesMax, bytes: announced.size, md5: announced.md5 }
  const { sha256 } = await storeBody(machinery, file, expected, request, reply)
  await mustBeClean(machinery, { key: file.key, actor: { user_id: file.user_id, ip: request.ip } }, () => machinery.files.read(file.key))
  const { rows: stored } =
    await sql`update files set state = 'stored', sha256 = ${sha256} where id = ${file.id} and state = 'waiting' returning id`.execute(db)
  if (stored.length === 0) throw invalid({ file: ['The bytes of this file are here already.'] })
}

/** A refused body is read to its end, within limits, so that the sender reads the response; a slow one is cut off. */
async function storeBody(
  machinery: Machinery,
  { key, content_type }: FileRow,
  expected: Expected,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ sha256: Buffer }> {
  const stop = cutSlowBody(request)
  try {
    const cut = new Failure('unreadable', 'The upload was cut off.')
    return await machinery.files.put(key, throughCheck(bodyOf(request), expected, cut), content_type)
  } catch (error) {
    await restOfBody(request, reply, uploadBytesMax, error)
    throw error
  } finally {
    stop()
  }
}

function bodyOf(request: FastifyRequest): Readable {
  const { body } = request
  if (body instanceof Readable) return body
  if (Buffer.isBuffer(body)) return Readable.from([body])
  return typeof body === 'string' ? Readable.from([Buffer.from(body)]) : request.raw
}

/** Bytes that a browser has put directly into S3 are read once before they are trusted. */
async function checkStored({ machinery, principal, ip }: Context, file: FileRow, kind: UploadKind, field: string): Promise<void> {
  const missing = invalid({ [field]: ['The upload has not finished. Please choose the file again.'] })
  const source = await machinery.files.read(file.key).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'not_found' ? missing : error
  })
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(source, checkedBytes({ kind, bytesMax: uploadBytesMax, bytes: file.byte_size, md5: file.checksum ?? '' }), nowhere)
  await mustBeClean(machinery, { key: file.key, actor: { user_id: principal.user_id, ip }, field }, () => machinery.files.read(file.key))
}
