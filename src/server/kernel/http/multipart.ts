/** Reads a form (multipart/form-data) with at most one file, whose bytes stream to their taker while the rest is still arriving. */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, invalid } from '../problem.ts'

const fieldsMax = 20
const fieldBytesMax = 65_536
/** Maximum size of the form around its file: its other fields and the boundaries. */
const aroundBytesMax = 131_072
/** Minimum number of bytes per number of milliseconds. A slower body is cut off, because it holds a socket and a file for nothing. */
const pace = { windowMs: 30_000, bytesMin: 8_192 }
export type Pace = typeof pace

export interface FormPart {
  readonly filename: string
  readonly contentType: string
  readonly stream: Readable
}

/** Content of a form: its fields nested by their brackets, with the taken file in its place among them. */
export interface ReadForm<Taken> {
  readonly body: Readonly<Record<string, unknown>>
  readonly file: Taken | null
}

/** Receiver of a form's file. */
export interface FileTaker<Taken> {
  /** Maximum size of the file. */
  readonly bytesMax: number
  take(part: FormPart): Promise<Taken>
  /** Discards the file, because the form turned out to be invalid after its file was taken. */
  giveBack(taken: Taken): Promise<void>
}

/**
 * Throws 400 for a body that is not a form, 413 beyond the file's limit, 422 for a second file or a repeated field, and any error of
 * `take`. A fault is answered once the rest of the body has arrived, since a browser that is cut off never reads the answer. A body larger
 * than a form may be is cut off all the same.
 */
export async function readForm<Taken>(request: FastifyRequest, reply: FastifyReply, taker: FileTaker<Taken>): Promise<ReadForm<Taken>> {
  const bytesMax = taker.bytesMax + aroundBytesMax
  if (!request.isMultipart()) throw new Failure('unreadable', 'This call takes a form (multipart/form-data).')
  refuseLonger(request, reply, bytesMax)
  const stop = cutSlowBody(request)
  const form: Form<Taken> = { fields: new Map(), file: null }
  try {
    await readParts(request, form, taker)
  } catch (error) {
    if (form.file) await taker.giveBack(form.file.value)
    await restOfBody(request, reply, bytesMax, error)
    throw error
  } finally {
    stop()
  }
  return { body: nested(form), file: form.file?.value ?? null }
}

interface Form<Taken> {
  readonly fields: Map<string, string>
  file: { readonly name: string; readonly value: Taken } | null
}

async function readParts<Taken>(request: FastifyRequest, form: Form<Taken>, taker: FileTaker<Taken>): Promise<void> {
  // A second file is refused here with our own message before the parser would refuse it. The taker counts the bytes of the file: at a
  // limit of its own the parser would read on and discard whatever arrives, however much it is.
  const limits = { files: 2, fields: fieldsMax, fieldSize: fieldBytesMax, fieldNameSize: 200, fileSize: Number.MAX_SAFE_INTEGER }
  const parts = request.parts({ limits })
  for (;;) {
    const part = await nextPart(parts)
    if (!part) return
    if (form.fields.has(part.fieldname) || form.file?.name === part.fieldname)
      throw invalid({ [innerName(part.fieldname)]: ['This was sent twice'] })
    if (part.type === 'field') {
      if (part.valueTruncated || typeof part.value !== 'string') throw invalid({ [innerName(part.fieldname)]: ['This is too long'] })
      form.fields.set(part.fieldname, part.value)
      continue
    }
    if (form.file) throw invalid({ [innerName(part.fieldname)]: ['One file can be sent, not several'] })
    // A form without a chosen file still sends an empty one.
    if (!part.filename) part.file.resume()
    else
      form.file = {
        name: part.fieldname,
        value: await taker.take({ filename: part.filename, contentType: part.mimetype, stream: part.file }),
      }
  }
}

type Parts = ReturnType<FastifyRequest['parts']>

/** Errors of the parser are about the sent data, never about the server. */
async function nextPart(parts: Parts) {
  try {
    const next = await parts.next()
    return next.done ? undefined : next.value
  } catch (error) {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 0
    if (status === 413) throw new Failure('too_large', 'What was sent is too large.')
    throw new Failure('unreadable', 'The form could not be read.')
  }
}

/**
 * Turns `document[title]` into `{ document: { title } }`. The objects have no prototype, so that no field name can collide with an
 * inherited one.
 */
function nested<Taken>({ fields, file }: Form<Taken>): Record<string, unknown> {
  const body: Record<string, unknown> = Object.create(null)
  const groups = new Map<string, Record<string, unknown>>()
  for (const [name, value] of [...fields, ...(file ? [[file.name, file.value] as const] : [])]) {
    const [, outer, inner] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? []
    if (outer === undefined || inner === undefined) {
      body[name] = value
      continue
    }
    const group: Record<string, unknown> = groups.get(outer) ?? Object.create(null)
    groups.set(outer, group)
    group[inner] = value
    body[outer] = group
  }
  return body
}

function innerName(name: string): string {
  return /\[([^[\]]+)\]$/.exec(name)?.[1] ?? name
}

/**
 * A client that announces too large a body need not send it. The connection closes with the answer, because the rest would be read
 * otherwise.
 */
export function refuseLonger(request: FastifyRequest, reply: FastifyReply, bytesMax: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= bytesMax) return
  reply.header('connection', 'close')
  throw new Failure('too_large', 'What was sent is too large.')
}

/**
 * Reads and discards the rest of a refused body, up to the size of a valid one. An oversized body is cut off at once; clients that send
 * Content-Length, as browsers do, were refused earlier.
 */
export async function restOfBody({ raw }: FastifyRequest, reply: FastifyReply, bytesMax: number, refusal: unknown): Promise<void> {
  raw.unpipe()
  if (raw.readableEnded || raw.destroyed) return
  if (refusal instanceof Failure && refusal.code === 'too_large') {
    reply.header('connection', 'close')
    raw.pause()
    return
  }
  await new Promise<void>((resolve) => {
    let bytes = 0
    const end = (): void => {
      raw.removeListener('data', count).removeListener('end', end).removeListener('close', end)
      resolve()
    }
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes <= bytesMax) return
      reply.header('connection', 'close')
      raw.pause()
      end()
    }
    raw.on('data', count).once('end', end).once('close', end).once('error', end)
    raw.resume()
  })
}

/** Closes the connection if a body arrives too slowly. @returns the function that stops the watch. */
export function cutSlowBody({ raw }: Pick<FastifyRequest, 'raw'>, { windowMs, bytesMin }: Pace = pace): () => void {
  const done = new AbortController()
  const watch = async (): Promise<void> => {
    for (let before = raw.socket.bytesRead; ; before = raw.socket.bytesRead) {
      await sleep(windowMs, undefined, { signal: done.signal, ref: false })
      if (raw.readableEnded || raw.socket.destroyed) return
      if (raw.socket.bytesRead - before < bytesMin) return void raw.destroy(new Failure('unreadable', 'The upload came too slowly.'))
    }
  }
  watch().catch(() => undefined)
  return () => done.abort()
}
