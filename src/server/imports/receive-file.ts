/** Receives the file of an import from its form: stores it sealed, and checks what kind of text it is. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { importBytesMax } from '#contract/kernel/import.ts'
import { uploadRefusals, type FormFile } from '#contract/uploads/upload.ts'
import { sql } from 'kysely'
import type { Actor } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { generatedKey } from '../kernel/files/files.ts'
import type { Handler, Received, Receiving } from '../kernel/handler.ts'
import { watchingText, type TextKind } from '../kernel/imports/import-text.ts'
import { readForm, type FormPart } from '../kernel/http/multipart.ts'
import { Failure, invalid, unavailable } from '../kernel/problem.ts'
import { sealing, unsealing } from '../kernel/files/sealed-file.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { mustBeClean, plainName } from '../uploads/uploads.ts'

/** A received file. Only this module creates them, so that no body can pretend to be one. */
class ReceivedFile implements FormFile {
  readonly name: string
  readonly size: number
  readonly key: string
  readonly sha256: string
  readonly text: TextKind

  constructor(file: { name: string; size: number; key: string; sha256: string; text: TextKind }) {
    this.name = file.name
    this.size = file.size
    this.key = file.key
    this.sha256 = file.sha256
    this.text = file.text
  }
}

const endings = /\.(csv|txt|tsv)$/i

/** Adds the file receiver to the handler of an import's form. */
export function receivingImport(handler: Handler): Handler {
  return { ...handler, receive: receiveForm }
}

/** Attaches the received file to an import, in the caller's transaction. Throws 422 if it is none. */
export async function takeReceived({ tx, principal }: Context, file: FormFile): Promise<ReceivedFile> {
  if (!(file instanceof ReceivedFile)) throw invalid({ file: ['File must be a file'] })
  const { rows } = await sql`update files set state = 'attached', attached_at = now()
    where key = ${file.key} and state = 'stored' and user_id = ${principal.user_id} returning id`.execute(tx)
  if (rows.length === 0) throw invalid({ file: [uploadRefusals.invalid] })
  return file
}

/** Removes a file whose rows are staged, or that was never attached. The row goes last, so that a failed removal is swept later. */
export async function removeReceived(machinery: Machinery, key: string): Promise<void> {
  await machinery.files.remove(key)
  await sql`delete from files where key = ${key}`.execute(machinery.database.db)
}

async function receiveForm({ request, reply, principal, machinery }: Receiving): Promise<Received> {
  const { body, file } = await readForm(request, reply, {
    bytesMax: importBytesMax,
    take: (part) => storeFile(machinery, { user_id: principal.user_id, ip: request.ip }, part),
    giveBack: (received) => forget(machinery, received),
  })
  return {
    body,
    fingerprint: JSON.parse(JSON.stringify(body, (_, value: unknown) => (value instanceof ReceivedFile ? value.sha256 : value))),
    discard: () => (file ? forget(machinery, file) : Promise.resolve()),
  }
}

/** Writes the row before the bytes, so that the sweep finds what a killed process leaves behind. */
async function storeFile(machinery: Machinery, actor: Actor, part: FormPart): Promise<ReceivedFile> {
  const name = plainName(part.filename)
  if (!endings.test(name)) throw invalid({ file: ['The file must be a CSV file (.csv, .txt or .tsv)'] })
  const key = generatedKey('imports')
  const { db } = machinery.database
  await sql`insert into files (key, filename, content_type, byte_size, user_id) values (${key}, ${name}, 'text/csv', 0, ${actor.user_id})`.execute(
    db,
  )
  try {
    const { size, sha256, text } = await storeSealed(machinery, key, part)
    await mustBeClean(machinery, { key, actor }, () => unsealed(machinery, key))
    if ('fault' in text) throw invalid({ file: [text.fault] })
    await sql`update files set state = 'stored', byte_size = ${size}, sha256 = ${sha256} where key = ${key}`.execute(db)
    return new ReceivedFile({ name, size, key, sha256: sha256.toString('hex'), text })
  } catch (error) {
    await forget(machinery, { key })
    throw error
  }
}

async function storeSealed(machinery: Machinery, key: string, { stream }: FormPart) {
  const watched = watchingText(importBytesMax)
  const sealed = sealing(machinery.settings.secretKey)
  const cut = new Failure('unreadable', uploadRefusals.cut)
  stream.once('error', (error) => watched.through.destroy(error))
  stream.once('close', () => void (stream.readableEnded || watched.through.destroy(cut)))
  watched.through.once('error', (error) => sealed.destroy(error))
  try {
    const { sha256 } = await machinery.files.put(key, stream.pipe(watched.through).pipe(sealed), 'application/octet-stream')
    return { sha256, size: watched.bytes(), text: watched.kind() }
  } catch (error) {
    if (error instanceof Failure) throw error
    if (stream.errored) throw cut
    // The remaining cause is the store: full, or unreachable.
    machinery.log.error('a file could not be stored', { key, error })
    throw unavailable(uploadRefusals.notStored)
  }
}

async function unsealed({ files, settings }: Machinery, key: string): Promise<Readable> {
  const source = await files.read(key)
  const plain = unsealing(settings.secretKey)
  pipeline(source, plain).catch(() => undefined) // The reader of the plain bytes gets the error.
  return plain
}

async function forget(machinery: Machinery, { key }: { readonly key: string }): Promise<void> {
  try {
    const { rows } = await sql`select id from files where key = ${key} and state <> 'attached'`.execute(machinery.database.db)
    if (rows.length > 0) await removeReceived(machinery, key)
  } catch (error) {
    machinery.log.error('an upload is left for the sweep', { key, error })
  }
}
