/** Node's error codes for a socket that broke or never connected, whatever the peer is. */
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
