/** Creates the HTTP server with its limits. */
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { readBracketQuery } from './kernel/http/bracket-query.ts'
import { compressAnswers } from './kernel/http/compress.ts'
import { refuseUnreadable } from './kernel/http/unreadable-request.ts'

const bodyBytesMax = 10 * 1024 * 1024
const uploadBytesMax = 25 * 1024 * 1024
const keepAliveMs = 72_000
const headersTimeoutMs = 10_000
/** Time for a whole request, including the largest upload on a slow line. */
const bodyTimeoutMs = 120_000

/** `refuse` responds to addresses that no route can parse, which the error handler never sees. */
export async function createServer(refuse: NonNullable<FastifyServerOptions['frameworkErrors']>): Promise<FastifyInstance> {
  const server = Fastify({
    frameworkErrors: refuse,
    clientErrorHandler: refuseUnreadable,
    bodyLimit: bodyBytesMax,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: bodyTimeoutMs,
    http: { headersTimeout: headersTimeoutMs },
    // Open streams of the live channel would delay the end of the process.
    forceCloseConnections: true,
    trustProxy: 'loopback',
    logger: false,
    // Some of the specification's addresses end in a slash, others do not; both are the same route.
    routerOptions: { querystringParser: readBracketQuery, maxParamLength: 2_000, ignoreTrailingSlash: true },
  })
  await server.register(helmet, {
    contentSecurityPolicy: { directives: apiPolicy, useDefaults: false },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // These headers concern documents: the console's pages set them, and no response of the API may be framed (`frame-ancestors`).
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xFrameOptions: false,
    // These are for Flash, Internet Explorer, and a filter that no browser has any more.
    xPermittedCrossDomainPolicies: false,
    xDownloadOptions: false,
    xDnsPrefetchControl: false,
    xXssProtection: false,
  })
  await server.register(multipart, { limits: { fileSize: uploadBytesMax, files: 1, fields: 20 } })
  compressAnswers(server)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  return server
}

/** Responses of the API are data: nothing in them may load or run anything. The console's pages have their own policy. */
const apiPolicy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] }
