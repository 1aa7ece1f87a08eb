/**
 * A program for the tests of start and stop: the real start around a small application, which answers with the greatest stored number and
 * takes as long for `/slow?ms=` as requested. `DEFECT` makes it throw outside of any request. `TAKEN_LATE` is a port that another program
 * takes between the early check and the listening.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../src/server/run.ts'
import type { RunningApp } from '../../src/server/start.ts'
import type { Ground } from '../../src/server/open-ground.ts'

await run({
  createApp,
  buildConsole: takePort,
  demo: {
    make: async ({ database }) => {
      await database.pool.query(`insert into users (email, username) values ('demo@example.com', 'demo')`)
    },
    signIns: async () => [{ email: 'demo@example.com', password: 'a demo password' }],
    knownPasswords: async ({ database }) =>
      (await database.pool.query<{ email: string }>('select email from users')).rows.map(({ email }) => email),
  },
  inviteFirstAdmin: async ({ config }, url) => (config.adminEmail ? `${url}/first?to=${config.adminEmail}` : undefined),
})

async function takePort(): Promise<void> {
  const port = process.env['TAKEN_LATE']
  if (port !== undefined) await once(createServer().listen(Number(port), '127.0.0.1'), 'listening')
}

async function createApp({ config, database }: Ground): Promise<RunningApp> {
  if (config.metricsPort !== undefined) await once(createServer().listen(config.metricsPort, config.host), 'listening')
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/defect')
      setTimeout(() => {
        throw new Error('planted defect')
      })
    if (url.pathname === '/slow') await sleep(Number(url.searchParams.get('ms')))
    const { rows } = await database.pool.query('select count(*) as users from users')
    response.setHeader('connection', 'close') // otherwise the test's own keep-alive would count as a request to wait for
    response.end(JSON.stringify(rows[0]))
  })
  return {
    listen: async () => {
      server.listen(config.port, config.host)
      await once(server, 'listening')
      const address = server.address()
      return `http://${config.host}:${typeof address === 'object' && address ? address.port : config.port}`
    },
    close: async () => {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}
