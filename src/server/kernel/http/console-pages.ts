/** Serves the built console: hashed files are cached forever, and its two pages get the theme and nonce inserted. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

const immutableDays = 365
/** The build writes the addresses of the console's pages into it, in the order of its routes, as a list of text. */
export const addressesFile = 'addresses.json'

export interface ConsolePages {
  /** Folder of the build. */
  readonly folder: string
  /** Paths that the sign-in page serves. */
  readonly signInPaths: readonly string[]
  /** Where browsers upload files to, if it is not this server. */
  readonly storeOrigin: string | null
}

export async function serveConsole(app: FastifyInstance, pages: ConsolePages): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(pages.folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    // The name of a file changes with its content.
    lastModified: false,
    maxAge: immutableDays * 86_400_000,
    wildcard: true,
  })
  const page = await readFile(join(pages.folder, 'index.html'), 'utf8')
  const signIn = await readFile(join(pages.folder, 'login.html'), 'utf8')
  const isPage = addressMatcher(z.array(z.string()).parse(JSON.parse(await readFile(join(pages.folder, addressesFile), 'utf8'))))
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply | void => {
    const path = request.url.split('?')[0] ?? '/'
    if (pages.signInPaths.includes(path)) return sendPage(request, reply, signIn, null)
    if (isPage(path)) return sendPage(request, reply, page, pages.storeOrigin)
    if (isNoPage(path) || !asksForPage(request)) return reply.callNotFound()
    // Somebody mistyped: the console says so in its own words, and leads home.
    return sendPage(request, reply.code(404), page, pages.storeOrigin)
  }
  app.get('/', send)
  app.get('/*', send)
}

/** Calls, figures, files that are not there, and hidden ones (`/.git/HEAD`) are never answered with a page. */
function isNoPage(path: string): boolean {
  return path.startsWith('/api/') || path === '/metrics' || path.includes('.') || path.includes('%')
}

function asksForPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Whether a path is an address of the console: `/clients/:client_id/bills` stands for every client's. A slash at the end makes no difference. */
function addressMatcher(addresses: readonly string[]): (path: string) => boolean {
  const shapes = addresses.map((address) => address.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/.%]+'))
  const known = new RegExp(`^(?:${shapes.join('|')})/?$`)
  return (path) => known.test(path)
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: string, storeOrigin: string | null): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const theme = /(?:^|;\s*)theme=(light|system)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? 'dark'
  return reply
    .headers({ ...pageHeaders, 'content-security-policy': policyOf(nonce, storeOrigin), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll('%NONCE%', nonce).replaceAll('%THEME%', theme))
}

/**
 * No inline script, no eval, no foreign origin but the one that takes uploads. Styles need the nonce, since the UI kit adds style elements. What
 * is shown of the store comes from this server.
 */
function policyOf(nonce: string, storeOrigin: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${storeOrigin === null ? '' : ` ${storeOrigin}`}`,
    "worker-src 'self' blob:",
    "frame-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
} as const
