/** Answers input that never became a request, such as headers that are too long, in the common shape of refusals. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Failure, problemOf, tooMuch } from '../problem.ts'

/** Code of the HTTP parser and our answer to it, with the specific HTTP status if there is one. */
const known: Readonly<Record<string, { status: number; failure: () => Failure }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, failure: () => tooMuch('too_large', 'The address or the headers of this request are too long.') },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, failure: () => new Failure('unreadable', 'The request took too long to arrive.') },
}
const anythingElse = { status: 400, failure: () => new Failure('unreadable', 'This request cannot be read.') }

/** For Fastify's `clientErrorHandler`. The connection closes with the answer, since the start of the next request is unknown. */
export function refuseUnreadable(error: { readonly code?: string | undefined }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) return void socket.destroy(undefined)
  const { status, failure } = known[error.code ?? ''] ?? anythingElse
  const requestId = randomUUID()
  const body = JSON.stringify(problemOf(failure(), requestId).body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
