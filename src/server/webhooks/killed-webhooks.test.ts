/** The whole program as a process, killed while a program elsewhere has not answered yet, and started again. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { makePerson } from '../../../test/support/app.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { startReceiver } from '../../../test/support/receiver.ts'

const { db, url: databaseUrl } = await testDatabase()
const receiver = await startReceiver()
const EVENTS = 30
const BEFORE_KILL = 10
/** Requests that one webhook has under way while nobody answers. */
const IN_FLIGHT = 2
const START_MS = 120_000

const folder = await mkdtemp(join(tmpdir(), 'meterbook-killed-hooks-'))
let running: ChildProcess | undefined
afterAll(async () => {
  running?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

it('delivers every event at least once, and none twice but what was under way when it was killed', { timeout: 400_000 }, async () => {
  const [boss, client] = [await makePerson(db, 'super_admin'), await makeClient(db)]
  let isHolding = true
  // From the tenth on nobody is answered: the process dies with these in hand.
  receiver.answerBy((response) => {
    if (!isHolding || receiver.received.length < BEFORE_KILL) response.writeHead(200).end('thanks')
  })
  const url = await launch()
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { ...boss.headers, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v5${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, await answer.text()).toBe(200)
  }
  await post('/settings/webhooks', { webhook: { name: 'Ledger', url: `${receiver.url}/hooks`, events: ['division.created'] } })
  for (let at = 0; at < EVENTS; at++)
    await post(`/clients/${client}/divisions`, { division: { name: `D ${at}`, short_code: `D${at}`, code: `D${at}` } })
  // Both of its places are taken then, so nothing else can be on its way.
  await vi.waitFor(() => expect(receiver.received.length).toBe(BEFORE_KILL + IN_FLIGHT - 1), { timeout: START_MS, interval: 20 })
  running?.kill('SIGKILL')
  if (running) await once(running, 'exit')
  const underWay = await unansweredIds()
  expect(underWay).toHaveLength(IN_FLIGHT)
  isHolding = false
  // The claim ends a minute after the process; that it is silent for so long is not what is tested.
  await sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where claimed_until is not null`.execute(db)
  await launch()
  await vi.waitFor(async () => expect(await statesOf()).toEqual([{ state: 'delivered', count: EVENTS }]), {
    timeout: START_MS,
    interval: 100,
  })
  running?.kill('SIGTERM')
  if (running) await once(running, 'exit')
  const times = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
  expect(times.size).toBe(EVENTS)
  const twice = [...times].filter(([, same]) => same.length > 1)
  expect(twice.map(([id]) => id).toSorted()).toEqual(underWay.toSorted())
  expect(twice.every(([, same]) => same.length === 2)).toBe(true)
})

/** Those that the receiver has and that the sender does not know to be delivered. */
async function unansweredIds(): Promise<string[]> {
  const heard = receiver.received.map(({ headers }) => String(headers['webhook-id']))
  const { rows } = await sql<{ event_id: string }>`select event_id from webhook_deliveries
    where state = 'waiting' and event_id::text = any(${heard}::text[])`.execute(db)
  return rows.map(({ event_id }) => event_id)
}

async function statesOf(): Promise<object[]> {
  const { rows } = await sql<object>`select state, count(*)::int as count from webhook_deliveries group by state`.execute(db)
  return rows
}

async function launch(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: '/usr/bin:/bin',
      NODE_ENV: 'test',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DEMO_DATA: 'false',
      SECRET_KEY: 'a key for tests, long enough to pass',
      RATE_LIMIT_FACTOR: '1000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  return vi.waitFor(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    if (found === undefined) throw new Error(`did not start: ${said}`)
    return found
  }, START_MS)
}
