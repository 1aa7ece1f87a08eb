/**
 * One request to an external service with protection against misdirection: over TLS, only to public addresses (checked after the name is
 * resolved, and the connection goes to the address that was checked), without following redirects, with limits on time and size. Private
 * addresses and plain HTTP are allowed only for hosts that the operator has listed as private.
 */
import { lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface RequestLimits {
  readonly connectMs: number
  readonly totalMs: number
  readonly maxBytes: number
  /** Keeps the beginning of an answer that is too large, instead of refusing it. */
  readonly excerpt?: boolean
}

export interface AllowedHosts {
  /** Host names that may be requested, without port. If absent, any public host is allowed. */
  readonly hosts?: readonly string[]
  /** Hosts that may be in a private network and may be requested without TLS. */
  readonly privateHosts?: readonly string[]
}

export interface OutsideRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface OutsideAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** refused: the address is not allowed; unavailable: no answer in time; too_large: the answer exceeds the limit. */
export class OutsideProblem extends Error {
  readonly fault: 'refused' | 'unavailable' | 'too_large'

  constructor(fault: OutsideProblem['fault'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutsideProblem'
    this.fault = fault
  }
}

/** Throws an OutsideProblem and nothing else. A redirect is an answer like any other. */
export async function outsideRequest(outside: OutsideRequest, allowed: AllowedHosts, limits: RequestLimits): Promise<OutsideAnswer> {
  const reason = refusedUrl(outside.url, allowed)
  if (reason !== null) throw new OutsideProblem('refused', reason)
  return send(outside, isPrivateAllowed(outside.url, allowed), limits)
}

/** Returns the reason why a URL is refused, as far as it can be decided without resolving its name; null if it is allowed. */
export function refusedUrl(url: URL, allowed: AllowedHosts): string | null {
  const host = hostOf(url)
  const isPrivate = isPrivateAllowed(url, allowed)
  if (!isPrivate && allowed.hosts?.includes(host) === false) return `The host ${host} is not on the list of allowed hosts.`
  if (url.protocol !== 'https:' && !(isPrivate && url.protocol === 'http:')) return `${url.protocol} is not allowed, only https:.`
  if (url.username !== '' || url.password !== '') return 'An address with a user name or a password is not allowed.'
  return isIP(host) !== 0 && !isPrivate && isPrivateAddress(host) ? `The address ${host} is not public.` : null
}

/** Names of this machine, for people who try things out. */
const ownMachine = ['localhost', '127.0.0.1', '::1']

/** Allows any public host over TLS and the hosts that the operator has named; outside production also this machine. */
export function allowedHosts(production: boolean, privateHosts: readonly string[]): AllowedHosts {
  return { privateHosts: production ? privateHosts : [...privateHosts, ...ownMachine] }
}

/** Returns true for loopback, private, link-local, multicast, documentation and other ranges that no public service has. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  return notPublic.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** The check of BlockList also covers IPv4 addresses that are written as IPv6 (::ffff:127.0.0.1). */
const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  // With them all that is written as an IPv4 address at the end of nothing.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6')
}

function isPrivateAllowed(url: URL, allowed: AllowedHosts): boolean {
  return allowed.privateHosts?.includes(hostOf(url)) ?? false
}

/** Returns the host name without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function send(outside: OutsideRequest, privateAllowed: boolean, limits: RequestLimits): Promise<OutsideAnswer> {
  return new Promise((resolve, reject) => {
    const start = outside.url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = start(outside.url, {
      method: outside.method,
      headers: { ...outside.headers, ...(outside.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(outside.body)) }) },
      lookup: publicLookup(privateAllowed),
      // A new connection for each request: a kept one would skip the check of the address.
      agent: false,
      signal: AbortSignal.timeout(limits.totalMs),
    })
    const connecting = setTimeout(
      () => request.destroy(new OutsideProblem('unavailable', `No connection within ${limits.connectMs} ms.`)),
      limits.connectMs,
    )
    const fail = (error: unknown): void => {
      clearTimeout(connecting)
      reject(faultOf(error, limits))
    }
    request.on('socket', (socket) => {
      socket.once(outside.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.on('error', fail)
    request.on('response', (response) => {
      clearTimeout(connecting)
      readAll(response, limits).then((bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }), fail)
    })
    request.end(outside.body)
  })
}

async function readAll(response: IncomingMessage, { maxBytes, excerpt = false }: RequestLimits): Promise<Buffer> {
  const tooLarge = (): OutsideProblem => new OutsideProblem('too_large', `The answer is larger than ${maxBytes} bytes.`)
  if (!excerpt && Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw tooLarge()
  }
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response) {
    const bytes = Buffer.from(part)
    size += bytes.length
    // Leaving the loop destroys the response and with it the connection.
    if (size > maxBytes && !excerpt) throw tooLarge()
    parts.push(bytes)
    if (size > maxBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

/**
 * Resolves a name and passes its addresses on only if all of them are public: a name with one private address is a trap. What the name
 * resolves to is not said: whoever may set an address must not learn from it how the network inside is laid out.
 */
function publicLookup(privateAllowed: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(new OutsideProblem('unavailable', notReached(hostname), { cause: error }), '')
      const bad = privateAllowed ? undefined : addresses.find((one) => isPrivateAddress(one.address))
      if (bad) return done(new OutsideProblem('refused', notReached(hostname)), '')
      if (options.all) return done(null, addresses)
      const [first] = addresses
      return first ? done(null, first.address, first.family) : done(new OutsideProblem('unavailable', notReached(hostname)), '')
    })
  }
}

/** One sentence for a name that does not exist, and one that exists inside only. */
function notReached(hostname: string): string {
  return `${hostname} has no public address.`
}

/** The system's own words name the address that was tried; its code says as much to whoever has to mend it. */
function faultOf(error: unknown, limits: RequestLimits): OutsideProblem {
  if (error instanceof OutsideProblem) return error
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  if (isTimeout) return new OutsideProblem('unavailable', `No complete answer within ${limits.totalMs} ms.`, { cause: error })
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason'
  return new OutsideProblem('unavailable', `The service cannot be reached: ${code}`, { cause: error })
}
