/** Runs the whole program as a process, kills it while a receiver has not responded yet, and starts it again. */
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { makePerson } from '../../../test/support/app.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { programOn, START_MS } from '../../../test/support/launch.ts'
import { startReceiver } from '../../../test/support/receiver.ts'

const { db, url: databaseUrl } = await testDatabase()
const receiver = await startReceiver()
const EVENTS = 30
const BEFORE_KILL = 10
/** Concurrent requests of one webhook while no response arrives. */
const IN_FLIGHT = 2

const program = await programOn(databaseUrl)

it('delivers every event at least once, and none twice but what was under way when it was killed', { timeout: 400_000 }, async () => {
  const [boss, client] = [await makePerson(db, 'super_admin'), await makeClient(db)]
  let isHolding = true
  const slotsTaken = Promise.withResolvers<void>()
  // From the tenth on, no request is answered: the process dies with these in flight.
  receiver.answerBy((response) => {
    if (!isHolding || receiver.received.length < BEFORE_KILL) response.writeHead(200).end('thanks')
    // Both of its slots are then taken, so nothing else can be in flight. Requests without an answer end after ten seconds.
    if (receiver.received.length === BEFORE_KILL + IN_FLIGHT - 1) slotsTaken.resolve()
  })
  const url = await program.launch()
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { ...boss.headers, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v5${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, await answer.text()).toBe(200)
  }
  await post('/settings/webhooks', { webhook: { name: 'Ledger', url: `${receiver.url}/hooks`, events: ['division.created'] } })
  const names = Array.from({ length: EVENTS }, (_, at) => `D${at}`)
  await Promise.all(names.map((name) => post(`/clients/${client}/divisions`, { division: { name, short_code: name, code: name } })))
  await slotsTaken.promise
  await program.end('SIGKILL')
  const underWay = await unansweredIds()
  expect(underWay).toHaveLength(IN_FLIGHT)
  isHolding = false
  // The claim ends a minute after the process; the wait for it is not under test.
  await sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where claimed_until is not null`.execute(db)
  await program.launch()
  await vi.waitFor(async () => expect(await statesOf()).toEqual([{ state: 'delivered', count: EVENTS }]), {
    timeout: START_MS,
    interval: 100,
  })
  await program.end('SIGTERM')
  const times = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
  expect(times.size).toBe(EVENTS)
  const twice = [...times].filter(([, same]) => same.length > 1)
  expect(twice.map(([id]) => id).toSorted()).toEqual(underWay.toSorted())
  expect(twice.every(([, same]) => same.length === 2)).toBe(true)
})

/** Returns the ids that the receiver has and the sender does not know to be delivered. */
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
