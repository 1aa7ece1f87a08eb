/** What Node calls a socket that broke or was never connected, whoever the peer is. */
const codes = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

export function isBrokenSocket(error: Error): boolean {
  return 'code' in error && codes.has(error.code)
}
