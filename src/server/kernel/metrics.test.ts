import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import { createMetrics } from './metrics.ts'

const database = await testDatabase()

test('figures are by route template, cumulative in their buckets, and include what waits in the database', async () => {
  const counts = () => Promise.resolve([{ name: 'task', state: 'waiting' as const, count: 3 }])
  const metrics = createMetrics({ database, jobsDatabase: database, jobs: { counts }, streamCount: () => 2 })
  const server = Fastify()
  metrics.observe(server)
  server.get('/bills/:id', (request, reply) => reply.code(request.url.endsWith('/2') ? 403 : 200).send('ok'))
  server.post('/auth/sign_in', (_request, reply) => reply.code(401).send('no'))
  for (const id of [1, 2, 3]) await server.inject({ method: 'GET', url: `/bills/${id}` })
  await server.inject({ method: 'POST', url: '/auth/sign_in' })
  await sql`insert into tasks (user_id, kind, created_at) values (1, 'x', now() - interval '90 seconds')`.execute(database.db)
  const text = await metrics.render()
  await server.close()
  const value = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    )
  const route = 'http_request_method="GET",http_route="/bills/:id",http_response_status_code="200"'
  expect(value(`http_server_request_duration_seconds_count{${route}}`)).toBe(2)
  expect(value(`http_server_request_duration_seconds_bucket{${route},le="+Inf"}`)).toBe(2)
  expect(value(`http_server_request_duration_seconds_bucket{${route},le="10"}`)).toBe(2)
  expect(text).not.toContain('/bills/1')
  expect(value('sign_in_failures_total')).toBe(1)
  expect(value('denied_decisions_total')).toBe(1)
  expect(value('live_connections')).toBe(2)
  expect(value('jobs{queue="task",state="waiting"}')).toBe(3)
  expect(value('tasks{state="waiting"}')).toBe(1)
  expect(value('tasks_oldest_waiting_seconds')).toBeGreaterThan(89)
  expect(value('database_up')).toBe(1)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('the process answers for itself while the database is away', async () => {
  const away = () => Promise.reject(new Error('no database'))
  const text = await createMetrics({ database, jobsDatabase: database, jobs: { counts: away }, streamCount: () => 0 }).render()
  expect(text).toContain('database_up 0')
  expect(text).toContain('process_resident_memory_bytes')
})
