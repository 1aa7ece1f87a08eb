/** Announces an upload and takes its bytes. */
import { uploadRefusals } from '#contract/uploads/upload.ts'
import { Readable } from 'node:stream'
import { uploadBytesMax, uploadKindOf } from '#contract/uploads/upload-kinds.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kernel/postgres/database.ts'
import { generatedKey } from '../kernel/files/files.ts'
import { cutSlowBody, refuseLonger, restOfBody } from '../kernel/http/multipart.ts'
import { Failure, invalid, notFound, tooMuch } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Expected } from './checked-bytes.ts'
import { plainName, storedType } from './file-names.ts'
import { throughCheck } from './receive-upload.ts'
import { mustBeClean } from './scan-upload.ts'

/** Announced uploads of one user that no record uses yet. */
const unattachedMax = 200

export const bytesToken = z.object({ key: z.string(), type: z.string(), size: z.int(), md5: z.string() })

export interface FileRow {
  id: number
  key: string
  filename: string
  content_type: string
  byte_size: number
  checksum: string | null
  user_id: number | null
  state: 'waiting' | 'stored' | 'attached'
}
export const columns = sql`id, key, filename, content_type, byte_size, checksum, user_id, state`

export async function announceFile(
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
export async function takeBytes(
  machinery: Machinery,
  announced: z.infer<typeof bytesToken>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { db } = machinery.database
  const { rows } = await sql<FileRow>`select ${columns} from files where key = ${announced.key}`.execute(db)
  const file = rows[0]
  const kind = file && uploadKindOf(file.filename, file.content_type)
  if (!file || !kind) throw notFound()
  if (file.state !== 'waiting') throw invalid({ file: [uploadRefusals.bytesAreHere] })
  if ((request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() !== announced.type)
    throw invalid({ file: [`The content type must be ${announced.type}.`] })
  refuseLonger(request, reply, announced.size)
  const expected = { kind, bytesMax: uploadBytesMax, bytes: announced.size, md5: announced.md5 }
  const { sha256 } = await storeBody(machinery, file, expected, request, reply)
  await mustBeClean(machinery, { key: file.key, actor: { user_id: file.user_id, ip: request.ip } }, () => machinery.files.read(file.key))
  const { rows: stored } =
    await sql`update files set state = 'stored', sha256 = ${sha256} where id = ${file.id} and state = 'waiting' returning id`.execute(db)
  if (stored.length === 0) throw invalid({ file: [uploadRefusals.bytesAreHere] })
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
    const cut = new Failure('unreadable', uploadRefusals.cut)
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
