/**
 * Answers that never change while the process lives. They are made at the first request without blocking others, compressed once, and then
 * sent as they are, or as 304 to clients that have them.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { breather } from '../breathe.ts'
import { acceptedEncoding } from './compress.ts'

/** Seconds for which a browser or proxy may use the answer without asking again. */
const freshSeconds = 300
const brotliQuality = 9

export interface FixedAnswer {
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  /** Throws for who may not have it. Absent or null where everybody may. */
  readonly guard?: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | null
  readonly pieces: () => Iterable<string>
}

interface Made {
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

export function serveFixed(server: FastifyInstance, url: string, answer: FixedAnswer): void {
  let made: Promise<Made> | undefined
  const forgetFailed = (error: unknown): never => {
    made = undefined
    throw error
  }
  // No cache on the way keeps an answer that not everybody may have.
  const freshness = answer.guard ? 'private, no-cache' : `public, max-age=${freshSeconds}`
  server.get(url, async (request, reply) => {
    await answer.guard?.(request, reply)
    const { etag, plain, ...compressed } = await (made ??= make(answer).catch(forgetFailed))
    reply.headers({ ...answer.headers, etag, vary: 'accept-encoding', 'cache-control': freshness })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(answer.type)
    const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    return encoding ? reply.header('content-encoding', encoding).send(compressed[encoding]) : reply.send(plain)
  })
}

async function make({ pieces }: FixedAnswer): Promise<Made> {
  const breathe = breather()
  const texts: string[] = []
  for (const text of pieces()) {
    texts.push(text)
    await breathe()
  }
  const plain = Buffer.from(texts.join(''))
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    promisify(gzip)(plain),
  ])
  // The tag is weak: the same answer in any encoding.
  return { etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`, plain, br, gzip: zipped }
}

function isKnown(given: string | undefined, etag: string): boolean {
  const strong = etag.slice('W/'.length)
  return (given ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === strong)
}
