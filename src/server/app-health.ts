/** The addresses for monitoring. */
import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Readiness } from './kernel/http/readiness.ts'
import type { RunningMachinery } from './machinery.ts'
import type { Ground } from './open-ground.ts'

interface HealthState {
  readonly draining: boolean
  readonly readiness: Readiness
}

export function addHealth(server: FastifyInstance, ground: Ground, machinery: RunningMachinery, state: HealthState): void {
  server.get('/livez', () => ({ status: 'ok' }))
  server.get('/readyz', (_request, reply) => {
    const faults = state.draining ? ['draining'] : state.readiness.faults()
    return reply.code(faults.length === 0 ? 200 : 503).send({ status: faults.length === 0 ? 'ok' : 'not ready', faults })
  })
  const { metricsToken, metricsPort } = ground.config
  if (metricsPort !== undefined || metricsToken === undefined) return
  server.get('/metrics', async (request, reply): Promise<FastifyReply> => {
    if (!isToken(request.headers.authorization, metricsToken)) return reply.code(401).send('')
    return reply.type(metricsType).send(await machinery.metrics.render())
  })
}

const metricsType = 'text/plain; version=0.0.4'

/** Compares in constant time, so that a token cannot be guessed letter by letter. */
function isToken(given: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(`Bearer ${token}`))
}

/** Serves the metrics on a separate port, which the operator keeps internal. Null if no port is set. */
export async function serveMetrics({ config }: Ground, machinery: RunningMachinery): Promise<FastifyInstance | null> {
  if (config.metricsPort === undefined) return null
  const own = Fastify({ logger: false, forceCloseConnections: true })
  own.get('/metrics', async (_request, reply) => reply.type(metricsType).send(await machinery.metrics.render()))
  await own.listen({ host: config.host, port: config.metricsPort })
  return own
}
