/** Explains why an address cannot be listened on. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { z } from 'zod'
import type { Config } from './config.ts'

/**
 * A port in use ends the start at once, before the database is started and the console is built. The check does not hold the port: another
 * program may take it before this one listens, which then fails with the same message, only later.
 */
export async function refuseTakenPorts(config: Config): Promise<void> {
  for (const port of [config.port, config.metricsPort ?? 0]) await tryPort(config.host, port).catch(explainListening(config))
}

async function tryPort(host: string, port: number): Promise<void> {
  if (port === 0) return
  const server = createServer()
  server.listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** Rejects with instructions if a port cannot be listened on; rethrows any other error. */
export function explainListening(config: Config): (error: unknown) => never {
  return (error) => {
    throw listenProblem(error, config)
  }
}

const failedListening = z.object({ code: z.string(), syscall: z.literal('listen'), port: z.int() })
const unknownHost = z.object({ code: z.literal('ENOTFOUND'), hostname: z.string() })

function listenProblem(error: unknown, { host, metricsPort }: Config): unknown {
  const { data: failed } = failedListening.safeParse(error)
  const setting = failed?.port === metricsPort ? 'METRICS_PORT' : 'PORT'
  if (failed?.code === 'EADDRINUSE')
    return new Error(`Port ${failed.port} on ${host} is taken by another program. Stop that, or set ${setting} (0 takes a free one).`, {
      cause: error,
    })
  if (failed?.code === 'EACCES')
    return new Error(`Port ${failed.port} is not open to this user. Set ${setting} to one above 1023.`, { cause: error })
  if (failed?.code === 'EADDRNOTAVAIL' || unknownHost.safeParse(error).data?.hostname === host)
    return new Error(`This machine has no address ${host}. Set HOST to one that it has.`, { cause: error })
  return error
}
