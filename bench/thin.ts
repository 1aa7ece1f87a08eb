/**
 * The cost of Node itself: node:http and pg, no sign-in, no rights, no audit. It runs the statements of statements.ts and returns their rows as
 * JSON. Runs as a process, so that its CPU time can be measured separately.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import { typeParsers } from '../src/server/kernel/postgres/database-types.ts'
import { lineOf, type Product } from './product.ts'
import { texts } from './statements.ts'

const poolSize = 10
/** Its turns are rare; a connection closed in between would otherwise be reused. */
const keepAliveMs = 120_000

/** Starts it on a database. */
export async function startThin(databaseUrl: string): Promise<Omit<Product, 'welcome' | 'liveMib'>> {
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const url = await lineOf(child.stdout)
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      process.off('exit', kill)
    },
  }
}

/** `/name?v=[…]` runs the statement of that name with these values. */
function serve(databaseUrl: string): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, types: typeParsers })
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const name = url.pathname.slice(1)
    const values: unknown = JSON.parse(url.searchParams.get('v') ?? '[]')
    pool
      .query({ name, text: texts.get(name) ?? '', values: Array.isArray(values) ? values : [] })
      .then(({ rows }) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ rows }))
      })
      .catch((error: unknown) => {
        response.statusCode = 500
        response.end(String(error))
      })
  })
  server.keepAliveTimeout = keepAliveMs
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
  })
}

if (import.meta.main) serve(process.env['DATABASE_URL'] ?? '')
