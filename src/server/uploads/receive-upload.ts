/** Receives the file of a form: streamed into the store and checked on the way, before the call's transaction begins. */
import { uploadRefusals } from '#contract/uploads/upload.ts'
import type { Readable } from 'node:stream'
import { uploadKindOf, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import type { FormFile } from '#contract/uploads/upload.ts'
import { sql } from 'kysely'
import type { Actor } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { generatedKey } from '../kernel/files/files.ts'
import type { Handler, Received, Receiving } from '../kernel/handler.ts'
import { readForm, type FormPart } from '../kernel/http/multipart.ts'
import { Failure, invalid, unavailable } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { checkedBytes } from './checked-bytes.ts'
import { notTaken, plainName, storedType } from './file-names.ts'
import { mustBeClean } from './scan-upload.ts'

/** The kinds and size allowed for a form's file. */
export interface FormRule {
  readonly kinds: readonly UploadKind[]
  readonly bytesMax: number
}

/** A received file. Only this module creates them, so that no body can pretend to be one. */
class StoredPart implements FormFile {
  readonly name: string
  readonly size: number
  readonly fileId: number
  readonly key: string
  readonly sha256: string

  constructor(file: { name: string; size: number; fileId: number; key: string; sha256: string }) {
    this.name = file.name
    this.size = file.size
    this.fileId = file.fileId
    this.key = file.key
    this.sha256 = file.sha256
  }
}

/** Adds the file receiver to the handler of a form. */
export function receiving(rule: FormRule, handler: Handler): Handler {
  return { ...handler, receive: (asking) => receiveForm(asking, rule) }
}

/**
 * Attaches a received file to a record, in the caller's transaction. Throws 422 if it is not a received file.
 * @returns its id.
 */
export async function attachReceived(context: Context, part: FormFile, field = 'file'): Promise<number> {
  if (!(part instanceof StoredPart)) throw invalid({ [field]: ['This must be a file'] })
  const { rows } = await sql`update files set state = 'attached', attached_at = now()
    where id = ${part.fileId} and state = 'stored' and user_id = ${context.principal.user_id} returning id`.execute(context.tx)
  if (rows.length === 0) throw invalid({ [field]: [uploadRefusals.invalid] })
  return part.fileId
}

/** Detaches a file from its record. It stays for a day as an unattached upload, and is then swept. */
export async function releaseFile({ tx }: Pick<Context, 'tx'>, fileId: number): Promise<void> {
  await sql`update files set state = 'stored', user_id = null, created_at = now(), attached_at = null where id = ${fileId}`.execute(tx)
}

async function receiveForm({ request, reply, principal, machinery }: Receiving, rule: FormRule): Promise<Received> {
  const giveBack = (part: StoredPart): Promise<void> => forget(machinery, part)
  const actor = { user_id: principal.user_id, ip: request.ip }
  const take = (part: FormPart): Promise<StoredPart> => storePart(machinery, actor, part, rule)
  const { body, file } = await readForm(request, reply, { bytesMax: rule.bytesMax, take, giveBack })
  return {
    body,
    fingerprint: JSON.parse(JSON.stringify(body, (_, value: unknown) => (value instanceof StoredPart ? value.sha256 : value))),
    discard: () => (file ? giveBack(file) : Promise.resolve()),
  }
}

/** Writes the row before the bytes, so that the sweep finds what a killed process leaves behind. */
async function storePart(machinery: Machinery, actor: Actor, part: FormPart, { kinds, bytesMax }: FormRule): Promise<StoredPart> {
  const name = plainName(part.filename)
  const kind = uploadKindOf(name, part.contentType)
  if (!kind || !kinds.includes(kind)) throw invalid({ file: [notTaken(name, kinds)] })
  const key = generatedKey('uploads')
  const type = storedType(kind, name)
  const { db } = machinery.database
  const { rows } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, user_id)
    values (${key}, ${name}, ${type}, 0, ${actor.user_id}) returning id`.execute(db)
  const fileId = rows[0]?.id ?? 0
  try {
    const { bytes, sha256 } = await storeChecked(machinery, key, type, part.stream, { kind, bytesMax })
    await mustBeClean(machinery, { key, actor }, () => machinery.files.read(key))
    await sql`update files set state = 'stored', byte_size = ${bytes}, sha256 = ${sha256} where id = ${fileId}`.execute(db)
    return new StoredPart({ name, size: bytes, fileId, key, sha256: sha256.toString('hex') })
  } catch (error) {
    await forget(machinery, { fileId, key })
    throw error
  }
}

async function storeChecked(
  machinery: Machinery,
  key: string,
  type: string,
  source: Readable,
  expected: Parameters<typeof checkedBytes>[0],
): Promise<{ bytes: number; sha256: Buffer }> {
  const cut = new Failure('unreadable', uploadRefusals.cut)
  try {
    return await machinery.files.put(key, throughCheck(source, expected, cut), type)
  } catch (error) {
    if (error instanceof Failure) throw error
    if (source.errored) throw cut
    // The remaining cause is the store: full, or unreachable.
    machinery.log.error('a file could not be stored', { key, error })
    throw unavailable(uploadRefusals.notStored)
  }
}

/** Pipes the source through the check. A sender that disconnects must abort the write, which would otherwise wait forever. */
export function throughCheck(source: Readable, expected: Parameters<typeof checkedBytes>[0], cut: Failure): Readable {
  const checked = checkedBytes(expected)
  source.once('error', (error) => checked.destroy(error))
  source.once('close', () => void (source.readableEnded || checked.destroy(cut)))
  return source.pipe(checked)
}

/** Removes an unattached file. The row goes last, so that a failed removal is swept later. */
async function forget(machinery: Machinery, { fileId, key }: Pick<StoredPart, 'fileId' | 'key'>): Promise<void> {
  try {
    const { rows } = await sql`select id from files where id = ${fileId} and state <> 'attached'`.execute(machinery.database.db)
    if (rows.length === 0) return
    await machinery.files.remove(key)
    await sql`delete from files where id = ${fileId} and state <> 'attached'`.execute(machinery.database.db)
  } catch (error) {
    machinery.log.error('an upload is left for the sweep', { file_id: fileId, error })
  }
}
