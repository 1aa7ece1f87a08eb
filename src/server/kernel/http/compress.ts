/**
 * Compresses JSON answers in one step at the fastest level. Streaming through a plugin costs more than compressing a page of rows, and an
 * answer under a kilobyte is not worth compressing.
 */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compressFromBytes = 1024

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < compressFromBytes || reply.hasHeader('content-encoding')) return done(null, payload)
    const encoding = acceptedEncoding(request.headers['accept-encoding'], ['zstd', 'br', 'gzip'])
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).header('vary', 'accept-encoding').removeHeader('content-length')
    done(null, compressed(Buffer.from(payload), encoding))
  })
}

type Encoding = 'zstd' | 'br' | 'gzip'

/** Returns the first of these encodings that the header names, or undefined if it names none. */
export function acceptedEncoding<E extends Encoding>(header: string | readonly string[] | undefined, offered: readonly E[]): E | undefined {
  const names = [header ?? '']
    .flat()
    .flatMap((one) => one.split(','))
    .map((part) => part.split(';')[0]?.trim())
  return offered.find((name) => names.includes(name))
}

function compressed(bytes: Buffer, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'zstd':
      return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    case 'br':
      return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
    case 'gzip':
      return gzipSync(bytes, { level: 1 })
  }
}
