/** Direct upload by the Active Storage protocol, and the use of finished uploads by slices. */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uploadBytesMax, uploadKindOf, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import { uploadCalls, uploadRefusals, tooManyBytes } from '#contract/uploads/upload.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { answered, handle, type Handler } from '../kernel/handler.ts'
import { Failure, forbidden, invalid, notFound } from '../kernel/problem.ts'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import { checkedBytes } from './checked-bytes.ts'
import { notTaken } from './file-names.ts'
import { mustBeClean } from './scan-upload.ts'
import { announceFile, bytesToken, takeBytes, type FileRow, columns } from './announce-upload.ts'

export { plainName } from './file-names.ts'
export { attachReceived, receiving, releaseFile } from './receive-upload.ts'
export { mustBeClean } from './scan-upload.ts'

const announceSeconds = 600
const signedIdSeconds = 3_600

const announceToken = z.object({ user: z.int() })

const signedId = z.object({ file: z.int(), user: z.int() })

export const uploadHandlers: Handler[] = [
  handle(uploadCalls.directUploadUrl, (context) => {
    const token = signToken(context.machinery.settings.secretKey, 'direct_upload', { user: context.principal.user_id }, announceSeconds)
    return Promise.resolve({ direct_upload_url: `/api/v5/direct_uploads/${token}` })
  }),
  handle(uploadCalls.announce, async (context, { params, body }) => {
    const { settings, files } = context.machinery
    const who = openToken(settings.secretKey, 'direct_upload', params.token, announceToken)
    if (!who) throw forbidden(uploadRefusals.addressOver)
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
    if (!announced) throw forbidden(uploadRefusals.addressOver)
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
  if (!known || known.user !== principal.user_id) throw invalid({ [field]: [uploadRefusals.invalid] })
  const { rows } = await sql<FileRow>`select ${columns} from files where id = ${known.file} for update`.execute(tx)
  const file = rows[0]
  if (!file || file.user_id !== principal.user_id) throw invalid({ [field]: [uploadRefusals.invalid] })
  if (file.state === 'attached') throw invalid({ [field]: ['The upload was used already. Please choose the file again.'] })
  const kind = uploadKindOf(file.filename, file.content_type)
  if (!kind || !rule.kinds.includes(kind)) throw invalid({ [field]: [notTaken(file.filename, rule.kinds)] })
  if (file.byte_size > (rule.maxBytes ?? uploadBytesMax)) throw invalid({ [field]: [tooManyBytes(rule.maxBytes ?? uploadBytesMax)] })
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
