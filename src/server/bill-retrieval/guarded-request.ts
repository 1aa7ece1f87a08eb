/**
 * One GET or POST to a service outside that cannot be led astray: only to hosts on a list, over TLS, to addresses that are public (looked
 * at after the name is resolved, and the connection goes to the very address that was looked at), no redirects, and limits on time and
 * size. Private addresses are allowed for hosts that are listed as private.
 */
import { lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { ProviderError } from './provider.ts'

export interface RequestLimits {
  readonly connectMs: number
  readonly totalMs: number
  readonly maxBytes: number
}

/** 3 s to connect, 30 s in all, 50 MB. */
export const requestLimits: RequestLimits = { connectMs: 3_000, totalMs: 30_000, maxBytes: 50_000_000 }

export interface AllowedHosts {
  /** Host names that may be asked, without port. */
  readonly hosts: readonly string[]
  /** Those of them that may lie in a private network and may be asked without TLS. */
  readonly privateHosts?: readonly string[]
}

export interface OutsideRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface OutsideAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** Throws a ProviderError: refused where we don't go, unavailable where nobody answers in time, bad_answer where it is too large. */
export async function guardedRequest(
  outside: OutsideRequest,
  allowed: AllowedHosts,
  limits: RequestLimits = requestLimits,
): Promise<OutsideAnswer> {
  refuseForbiddenUrl(outside.url, allowed)
  const answer = await send(outside, isPrivateAllowed(outside.url, allowed), limits)
  if (answer.status >= 300 && answer.status < 400)
    throw new ProviderError('refused', `The service answered with a redirect (${answer.status}), which is not followed.`)
  return answer
}

/** True for loopback, private, link-local, multicast, documentation and other ranges that no public service has. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  return notPublic.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** The check of BlockList covers IPv4 addresses that are written as IPv6 (::ffff:127.0.0.1) too. */
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
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6')
}

function refuseForbiddenUrl(url: URL, allowed: AllowedHosts): void {
  const host = hostOf(url)
  if (!allowed.hosts.includes(host)) throw new ProviderError('refused', `The host ${host} is not on the list of allowed hosts.`)
  const isPrivate = isPrivateAllowed(url, allowed)
  if (url.protocol !== 'https:' && !(isPrivate && url.protocol === 'http:'))
    throw new ProviderError('refused', `${url.protocol} is not allowed, only https:.`)
  if (isIP(host) !== 0 && !isPrivate && isPrivateAddress(host)) throw new ProviderError('refused', `The address ${host} is not public.`)
}

function isPrivateAllowed(url: URL, allowed: AllowedHosts): boolean {
  return allowed.privateHosts?.includes(hostOf(url)) ?? false
}

/** Without the brackets of an IPv6 address. */
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
      // A connection of its own: a kept one would skip the look at the address.
      agent: false,
      signal: AbortSignal.timeout(limits.totalMs),
    })
    const connecting = setTimeout(
      () => request.destroy(new ProviderError('unavailable', `No connection within ${limits.connectMs} ms.`)),
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
      readAll(response, limits.maxBytes).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
        fail,
      )
    })
    request.end(outside.body)
  })
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = (): ProviderError => new ProviderError('bad_answer', `The answer is larger than ${maxBytes} bytes.`)
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw tooLarge()
  }
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response) {
    const bytes = Buffer.from(part)
    size += bytes.length
    // Leaving the loop by an error destroys the response and with it the connection.
    if (size > maxBytes) throw tooLarge()
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/** Resolves a name and passes its addresses on only if all of them are public: a name with one private address is a trap. */
function publicLookup(privateAllowed: boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const bad = privateAllowed ? undefined : addresses.find((one) => isPrivateAddress(one.address))
      if (bad) return done(new ProviderError('refused', `${hostname} resolves to ${bad.address}, which is not public.`), '')
      if (options.all) return done(null, addresses)
      const [first] = addresses
      return first ? done(null, first.address, first.family) : done(new ProviderError('unavailable', `${hostname} has no address.`), '')
    })
  }
}

function faultOf(error: unknown, limits: RequestLimits): ProviderError {
  if (error instanceof ProviderError) return error
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  if (isTimeout) return new ProviderError('unavailable', `No complete answer within ${limits.totalMs} ms.`, { cause: error })
  return new ProviderError('unavailable', `The service cannot be reached: ${error instanceof Error ? error.message : 'unknown reason'}`, {
    cause: error,
  })
}
