import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { startReceiver, type Received } from '../../../test/support/receiver.ts'
import { writeAudit } from '../kernel/audit.ts'
import { allowedHosts } from '../kernel/http/outside-request.ts'
import { feedDeliveries } from './feed-deliveries.ts'
import { delayBefore, retryDelays } from './note-attempt.ts'
import { sendDeliveries } from './send-deliveries.ts'
import { sweepDeliveries } from './webhook-jobs.ts'

const started = await startTestApp()
const {
  ask,
  app: { machinery },
  database: { db },
} = started
const receiver = await startReceiver()
const [near, far] = [await makeClient(db, { name: 'Near' }), await makeClient(db, { name: 'Far' })]
const boss = await makePerson(db, 'super_admin')
const bound = await makePerson(db, 'muc_admin', { clients: [near] })
const local = allowedHosts(false, [])

// The test triggers the scheduled work itself: nothing is sent in the background.
beforeAll(() => machinery.jobs.stop())
beforeEach(async () => {
  await sql`delete from webhooks`.execute(db)
  receiver.received.length = 0
  receiver.answerBy((response) => void response.writeHead(200).end('thanks'))
})

interface Made {
  readonly id: number
  readonly secret: string
}

async function make(wishes: object = {}, who: Person = boss): Promise<Made> {
  const answer = await ask(who, 'POST', '/settings/webhooks', {
    webhook: { name: 'Ledger', url: `${receiver.url}/hooks`, all_events: true, ...wishes },
  })
  expect(answer.text).toContain('"success":true')
  return { id: Number(answer.body['id']), secret: String(answer.body['secret']) }
}

/** Does the scheduled work; the test waits for it, and nothing else sends meanwhile. */
async function deliver(): Promise<void> {
  await feedDeliveries(machinery)
  await sendDeliveries({ machinery, hosts: local, limits: { connectMs: 500, totalMs: 500, maxBytes: 2_000, excerpt: true } })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it does not come')
}

const divisionOf = (clientId: number, name: string) =>
  ask(boss, 'POST', `/clients/${clientId}/divisions`, { division: { name, short_code: 'D', code: 'D' } })

/** Verifies as a receiver's Standard Webhooks library does: the key follows whsec_, the text is id.timestamp.body. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

function typesOf(received: readonly Received[]): string[] {
  return received.map(({ body }) => String(Object(JSON.parse(body)).type))
}

describe('a webhook', () => {
  test('is told of what happened, signed, as the trail has it', async () => {
    const { secret } = await make()
    const { body } = await divisionOf(near, 'North')
    await deliver()
    const told = receiver.received.filter((one) => one.body.includes('division.created'))
    expect(told).toHaveLength(1)
    const [one] = told
    expect(one && isSigned(one, secret)).toBe(true)
    expect(one && isSigned({ ...one, body: one.body.replace('North', 'South') }, secret)).toBe(false)
    expect(one?.headers).toMatchObject({ 'content-type': 'application/json' })
    const now = Date.now() / 1_000
    expect(Math.abs(Number(one?.headers['webhook-timestamp']) - now)).toBeLessThan(30)
    const payload: unknown = JSON.parse(one?.body ?? '')
    expect(payload).toMatchObject({
      id: one?.headers['webhook-id'],
      type: 'division.created',
      client_id: near,
      data: { id: body['id'], changes: { name: { from: null, to: 'North' } } },
    })
    expect(Object.keys(Object(payload))).toEqual(['id', 'type', 'created_at', 'client_id', 'data'])
  })

  test('hears only its events, of its client, while it is on, and since it is there', async () => {
    await divisionOf(near, 'Before')
    await make({ name: 'Client', client_id: near, all_events: false, events: ['division.created'] })
    const { id: off } = await make({ name: 'Off', active: false, url: `${receiver.url}/off` })
    await divisionOf(near, 'Inside')
    await divisionOf(far, 'Elsewhere')
    const { body } = await divisionOf(near, 'Changed')
    await ask(boss, 'PATCH', `/clients/${near}/divisions/${Number(body['id'])}`, { division: { code: 'E' } })
    await ask(boss, 'POST', '/vendors', { vendor: { name: 'City', short_code: `C${Date.now()}` } })
    await deliver()
    expect(receiver.received.map(({ body: text }) => Object(JSON.parse(text)).data.changes.name.to)).toEqual(['Inside', 'Changed'])
    // After being switched on, it continues from now.
    await ask(boss, 'PATCH', `/settings/webhooks/${off}`, { webhook: { active: true } })
    await deliver()
    expect(
      receiver.received
        .filter(({ path }) => path === '/off')
        .map(({ body: text }) => text)
        .join(),
    ).not.toContain('Inside')
  })

  test('is not told of what was rolled back, and of each change once, in the order of the seals', async () => {
    await make({ all_events: false, events: ['division.created'] })
    const entry = (id: number) => ({ event: 'create', item_type: 'division', item_id: id, client_id: near, changes: {} }) as const
    await expect(
      db.transaction().execute(async (tx) => {
        await writeAudit(tx, { user_id: null, ip: null }, [entry(666)])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    for (const id of [1, 2, 3]) await db.transaction().execute((tx) => writeAudit(tx, { user_id: null, ip: null }, [entry(id)]))
    // Several feeders at once, as several processes have.
    await Promise.all([feedDeliveries(machinery), feedDeliveries(machinery), feedDeliveries(machinery)])
    const { rows } = await sql<{ body: string }>`select body from webhook_deliveries order by id`.execute(db)
    expect(rows.map(({ body }) => Object(JSON.parse(body)).data.id)).toEqual([1, 2, 3])
    await deliver()
    expect(receiver.received).toHaveLength(3)
  })

  test('a transaction that commits late, with a lower id, is told of too', async () => {
    await make({ all_events: false, events: ['division.created'] })
    const entry = (id: number) => ({ event: 'create', item_type: 'division', item_id: id, client_id: near, changes: {} }) as const
    const late = await db.startTransaction().execute()
    await writeAudit(late, { user_id: null, ip: null }, [entry(1)])
    await db.transaction().execute((tx) => writeAudit(tx, { user_id: null, ip: null }, [entry(2)]))
    await feedDeliveries(machinery)
    await late.commit().execute()
    await deliver()
    expect(receiver.received.map(({ body }) => Object(JSON.parse(body)).data.id)).toEqual([2, 1])
  })

  test('gets again what a killed process had in hand', async () => {
    await make()
    await divisionOf(near, 'North')
    await feedDeliveries(machinery)
    await sql`update webhook_deliveries set claimed_until = now() + interval '1 hour', attempts = 1`.execute(db)
    await sendDeliveries({ machinery, hosts: local })
    expect(receiver.received).toHaveLength(0)
    await sql`update webhook_deliveries set claimed_until = now() - interval '1 second'`.execute(db)
    await deliver()
    expect(typesOf(receiver.received)).toContain('division.created')
  })

  test('is tried again with the same id and a fresh time, further and further apart, for a day, and then given up', async () => {
    const { id } = await make({ all_events: false, events: ['division.created'] })
    receiver.answerBy((response) => void response.writeHead(503).end('busy'))
    await divisionOf(near, 'North')
    await deliver()
    for (let tries = 0; tries < retryDelays.length + 3; tries++) {
      await sql`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`.execute(db)
      await deliver()
    }
    expect(receiver.received).toHaveLength(retryDelays.length + 1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { body } = await ask(boss, 'GET', `/settings/webhooks/${id}/deliveries`)
    expect(body).toMatchObject({
      total: 1,
      webhook_deliveries: [{ state: 'failed', attempts: retryDelays.length + 1, last_status: 503, last_error: 'The answer was 503.' }],
    })
    expect((await ask(boss, 'GET', `/settings/webhooks/${id}`)).body['webhook']).toMatchObject({ state: 'failing', last_status: 503 })
    const total = retryDelays.reduce((sum, one) => sum + one, 0)
    expect(Math.abs(total - 86_400)).toBeLessThan(1_000)
    expect(delayBefore(1, undefined, () => 0)).toBe(4)
    expect(delayBefore(1, undefined, () => 1)).toBe(6)
    expect(delayBefore(1, '120')).toBe(120)
    expect(delayBefore(1, '999999')).toBe(3_600)
  })

  test.each([
    ['is slow', (response: { setTimeout(ms: number): unknown }) => void response.setTimeout(60_000), 'No complete answer within 500 ms.'],
    [
      'redirects',
      (response: ServerResponse) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'The answer was a redirect (302), which is not followed.',
    ],
    ['hangs up', (response: ServerResponse) => void response.destroy(), 'The service cannot be reached: ECONNRESET'],
  ])('a receiver that %s has failed', async (_, answer, problem) => {
    const { id } = await make({ all_events: false, events: ['division.created'] })
    receiver.answerBy(answer)
    await divisionOf(near, 'North')
    await deliver()
    const { body } = await ask(boss, 'GET', `/settings/webhooks/${id}/deliveries`)
    expect(body).toMatchObject({ webhook_deliveries: [{ state: 'waiting', attempts: 1, last_error: problem }] })
    expect(receiver.received).toHaveLength(1)
  })

  test('of a long answer only the beginning is kept', async () => {
    const { id } = await make({ all_events: false, events: ['division.created'] })
    receiver.answerBy((response) => void response.writeHead(200).end('x'.repeat(5_000_000)))
    await divisionOf(near, 'North')
    await deliver()
    const { body } = await ask(boss, 'GET', `/settings/webhooks/${id}/deliveries`)
    const [row] = Object(body).webhook_deliveries
    const one = await ask(boss, 'GET', `/settings/webhooks/${id}/deliveries/${row.id}`)
    expect(Object(one.body).attempts[0].response).toBe('x'.repeat(2_000))
    expect(JSON.parse(String(one.body['body']))).toMatchObject({ type: 'division.created' })
  })

  test('a slow receiver does not hold up another', async () => {
    await make({ name: 'Slow', url: `${receiver.url}/slow`, all_events: false, events: ['division.created'] })
    await make({ name: 'Quick', url: `${receiver.url}/quick`, all_events: false, events: ['division.created'] })
    receiver.answerBy((response, { path }) => void (path === '/slow' ? null : response.writeHead(200).end()))
    for (let at = 0; at < 8; at++) await divisionOf(near, `N${at}`)
    await feedDeliveries(machinery)
    const sending = sendDeliveries({
      machinery,
      hosts: local,
      limits: { connectMs: 1_000, totalMs: 1_500, maxBytes: 2_000, excerpt: true },
    })
    await until(async () => receiver.received.filter(({ path }) => path === '/quick').length === 8)
    expect(receiver.received.filter(({ path }) => path === '/slow').length).toBeLessThanOrEqual(2)
    await sql`update webhooks set active = false`.execute(db)
    await sending
  })

  test('is switched off after five days without a good answer, and at once where the receiver is gone, and its maker is told', async () => {
    const { id } = await make({ name: 'Dead' })
    receiver.answerBy((response) => void response.writeHead(500).end())
    await divisionOf(near, 'North')
    await deliver()
    await sql`update webhooks set failing_since = now() - interval '5 days 1 minute' where id = ${id}`.execute(db)
    await sql`update webhook_deliveries set next_attempt_at = now()`.execute(db)
    await deliver()
    expect((await ask(boss, 'GET', `/settings/webhooks/${id}`)).body['webhook']).toMatchObject({
      active: false,
      state: 'disabled',
      disabled_reason: 'Nothing could be delivered for 5 days.',
    })
    const gone = await make({ name: 'Gone' })
    receiver.answerBy((response) => void response.writeHead(410).end())
    await divisionOf(near, 'North')
    await deliver()
    expect((await ask(boss, 'GET', `/settings/webhooks/${gone.id}`)).body['webhook']).toMatchObject({ state: 'disabled' })
    const { rows } = await sql<{
      message: string
    }>`select message from notifications where user_id = ${boss.id} and type = 'webhook' order by id`.execute(db)
    expect(rows.map(({ message }) => message)).toEqual(['The webhook Dead was switched off', 'The webhook Gone was switched off'])
    expect((await ask(boss, 'POST', `/settings/webhooks/${id}/test`)).status).toBe(409)
    await ask(boss, 'PATCH', `/settings/webhooks/${id}`, { webhook: { active: true } })
    expect((await ask(boss, 'GET', `/settings/webhooks/${id}`)).body['webhook']).toMatchObject({ state: 'working', disabled_reason: null })
  })

  test('sends a test message, and anything again, under the same id', async () => {
    const { id, secret } = await make({ all_events: false, events: ['division.created'] })
    const { body } = await ask(boss, 'POST', `/settings/webhooks/${id}/test`)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect(typesOf(receiver.received)).toEqual(['webhook.test'])
    expect((await ask(boss, 'POST', `/settings/webhooks/${id}/deliveries/${Number(body['id'])}/send`)).status).toBe(200)
    await deliver()
    expect(receiver.received).toHaveLength(2)
    const [one, other] = receiver.received
    expect(one?.headers['webhook-id']).toBe(other?.headers['webhook-id'])
    expect(receiver.received.every((each) => isSigned(each, secret))).toBe(true)
    const delivery = await ask(boss, 'GET', `/settings/webhooks/${id}/deliveries/${Number(body['id'])}`)
    expect(Object(delivery.body).attempts).toHaveLength(2)
  })

  test('a renewed secret signs at once, the former one for a day more', async () => {
    const { id, secret } = await make({ all_events: false, events: ['division.created'] })
    const { body } = await ask(boss, 'POST', `/settings/webhooks/${id}/secret`)
    const fresh = String(body['secret'])
    expect(fresh).not.toBe(secret)
    await divisionOf(near, 'One')
    await deliver()
    await sql`update webhooks set previous_secret_until = now() - interval '1 second'`.execute(db)
    await divisionOf(near, 'Two')
    await deliver()
    expect(receiver.received.map((one) => [isSigned(one, fresh), isSigned(one, secret)])).toEqual([
      [true, true],
      [true, false],
    ])
  })

  test('its secret is shown once and lies nowhere as it is', async () => {
    const { id, secret } = await make()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await divisionOf(near, 'North')
    await deliver()
    for (const path of ['', `/${id}`, `/${id}/deliveries`])
      expect((await ask(boss, 'GET', `/settings/webhooks${path}`)).text).not.toContain(secret)
    expect(await placesOf(secret)).toEqual([])
    expect(receiver.received.map(({ body }) => body).join()).not.toContain(secret)
  })

  test('secrets of others travel as markers', async () => {
    await make({ all_events: false, events: ['vendor.created', 'vendor_bank_change.created'] })
    await ask(boss, 'POST', '/vendors', {
      vendor: { name: 'City', short_code: `S${Date.now()}`, po_box: '021000021', payment_identifier: '99887766' },
    })
    await deliver()
    const sent = receiver.received.map(({ body }) => body).join()
    expect(sent).toContain('[secret]')
    expect(sent).not.toMatch(/021000021|99887766/)
  })

  test('what was sent a month ago is swept away', async () => {
    await make()
    await divisionOf(near, 'North')
    await deliver()
    await sql`update webhook_deliveries set created_at = now() - interval '31 days'`.execute(db)
    await sweepDeliveries(machinery)
    const { rows } = await sql`select id from webhook_deliveries union all select id from webhook_attempts`.execute(db)
    expect(rows).toEqual([])
  })
})

describe('where a webhook may lead', () => {
  test.each([
    ['http://example.com/', 'http: is not allowed, only https:.'],
    ['ftp://example.com/', 'ftp: is not allowed, only https:.'],
    ['https://10.0.0.1/', 'The address 10.0.0.1 is not public.'],
    ['https://169.254.169.254/latest/meta-data', 'The address 169.254.169.254 is not public.'],
    ['https://[::ffff:10.0.0.1]/', 'The address ::ffff:a00:1 is not public.'],
    ['https://user:word@example.com/', 'An address with a user name or a password is not allowed.'],
    ['nowhere', 'URL must be an address like https://example.com/hooks'],
  ])('%s is refused', async (url, message) => {
    const answer = await ask(boss, 'POST', '/settings/webhooks', { webhook: { name: 'Bad', url, all_events: true } })
    expect([answer.status, answer.body['errors']]).toMatchObject([422, { fields: { url: [message] } }])
  })

  test('in production this machine is refused too, unless the operator names it', () => {
    expect(allowedHosts(true, []).privateHosts).toEqual([])
    expect(allowedHosts(true, ['hooks.internal']).privateHosts).toEqual(['hooks.internal'])
  })

  test('a public name that leads into the private network is refused when something is sent, and where it leads is not told', async () => {
    const { id } = await make({ url: 'https://localhost/', all_events: false, events: ['division.created'] })
    // A name of this machine takes the place of one that an attacker would point to an internal address.
    await divisionOf(near, 'North')
    await feedDeliveries(machinery)
    await sendDeliveries({ machinery, hosts: { privateHosts: [] } })
    const { rows } = await sql<{
      last_error: string
      status: number | null
    }>`select last_error, last_status as status from webhook_deliveries where webhook_id = ${id}`.execute(db)
    expect(rows[0]?.last_error).toBe('localhost has no public address.')
    expect(rows[0]?.status).toBeNull()
  })
})

describe('whose webhooks they are', () => {
  test('who administers some clients sees and makes those of them alone', async () => {
    const everywhere = await make({ name: 'Everywhere' })
    const there = await make({ name: 'There', client_id: far })
    const here = await make({ name: 'Here', client_id: near }, bound)
    const list = await ask(bound, 'GET', '/settings/webhooks')
    expect(list.body).toMatchObject({ total: 1, webhooks: [{ id: here.id, client_name: 'Near' }] })
    for (const { id } of [everywhere, there]) {
      expect((await ask(bound, 'GET', `/settings/webhooks/${id}`)).status).toBe(404)
      expect((await ask(bound, 'PATCH', `/settings/webhooks/${id}`, { webhook: { name: 'Mine' } })).status).toBe(404)
      expect((await ask(bound, 'POST', `/settings/webhooks/${id}/secret`)).status).toBe(404)
      expect((await ask(bound, 'GET', `/settings/webhooks/${id}/deliveries`)).status).toBe(404)
      expect((await ask(bound, 'DELETE', `/settings/webhooks/${id}`)).status).toBe(404)
    }
    const tries = [{}, { client_id: far }, { client_id: null }]
    for (const wishes of tries) {
      const answer = await ask(bound, 'POST', '/settings/webhooks', {
        webhook: { name: 'X', url: receiver.url, all_events: true, ...wishes },
      })
      expect([answer.status, Object(answer.body['errors']).fields]).toMatchObject([422, { client_id: [expect.any(String)] }])
    }
    const moved = await ask(bound, 'PATCH', `/settings/webhooks/${here.id}`, { webhook: { client_id: null } })
    expect(moved.status).toBe(422)
  })

  test('a delivery is reached through its own webhook only', async () => {
    const here = await make({ name: 'Here', client_id: near }, bound)
    const there = await make({ name: 'There', client_id: far, all_events: false, events: ['division.created'] })
    await divisionOf(far, 'Theirs')
    await deliver()
    const { rows } = await sql<{ id: number }>`select id from webhook_deliveries where webhook_id = ${there.id}`.execute(db)
    expect((await ask(bound, 'GET', `/settings/webhooks/${here.id}/deliveries/${rows[0]?.id}`)).status).toBe(404)
    expect((await ask(bound, 'POST', `/settings/webhooks/${here.id}/deliveries/${rows[0]?.id}/send`)).status).toBe(404)
  })

  test('its making, changing and ending stand in the trail', async () => {
    const { id } = await make({ client_id: near })
    await ask(boss, 'PATCH', `/settings/webhooks/${id}`, { webhook: { all_events: false, events: ['bill.created'] } })
    await ask(boss, 'DELETE', `/settings/webhooks/${id}`)
    const { rows } = await sql<{
      event: string
      client_id: number
      text: string
    }>`select event, client_id, object_changes::text as text from audit_records
      where item_type = 'webhook' and item_id = ${id} order by id`.execute(db)
    expect(rows.map(({ event, client_id }) => [event, client_id])).toEqual([
      ['create', near],
      ['update', near],
      ['destroy', near],
    ])
    expect(rows[1]?.text).toContain('bill.created')
  })

  test('something must be chosen, and only events that there are', async () => {
    const faults = async (wishes: object) =>
      Object(Object((await ask(boss, 'POST', '/settings/webhooks', { webhook: { name: 'X', url: receiver.url, ...wishes } })).body).errors)
        .fields
    expect(await faults({})).toMatchObject({ events: ['Choose at least one event, or all events'] })
    expect(await faults({ events: ['bill.exploded'] })).toEqual({ 'events.0': ['Events: bill.exploded is not an event'] })
  })
})

async function placesOf(secret: string): Promise<string[]> {
  const { rows: tables } = await sql<{
    name: string
  }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select 1 from ${sql.table(name)} row where row::text like ${`%${secret}%`} limit 1`.execute(db)
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}

describe('who answers for a webhook', () => {
  const stateOf = async (id: number) =>
    (
      await sql<{ active: boolean; disabled_reason: string | null }>`select active, disabled_reason from webhooks where id = ${id}`.execute(
        db,
      )
    ).rows[0]
  const off = { active: false, disabled_reason: expect.stringContaining('is not active any more, or may not') }

  test('every administrator of all clients is mailed a new webhook of all clients, and of no other', async () => {
    const elsewhere = await makePerson(db, 'muc_admin')
    const mailsOf = async ({ email }: Person) =>
      (
        await sql`select text_body from mails where to_address = ${email} and subject like 'A webhook of all clients%' and text_body like '%the webhook Everything.%'`.execute(
          db,
        )
      ).rows
    await make({ client_id: near })
    expect(await mailsOf(elsewhere)).toEqual([])
    await make({ name: 'Everything' })
    for (const who of [boss, elsewhere]) expect(await mailsOf(who)).toHaveLength(1)
    expect(await mailsOf(bound)).toEqual([])
  })

  test('a maker who is inactive, gone or without the right tells nothing more: it is switched off, and the administrators hear of it', async () => {
    const makers = await Promise.all([0, 1, 2].map(() => makePerson(db, 'muc_admin')))
    const [inactive = boss, demoted = boss, narrowed = boss] = makers
    const made = await Promise.all(makers.map((maker) => make({ name: `Of ${maker.email}` }, maker)))
    const kept = await make({ client_id: near }, bound)
    await sql`update users set status = 'in_active' where id = ${inactive.id}`.execute(db)
    await sql`update user_roles set role_id = (select id from roles where name = 'client_admin') where user_id = ${demoted.id}`.execute(db)
    await sql`insert into user_role_clients (client_id, user_role_id) select ${near}, id from user_roles where user_id = ${narrowed.id}`.execute(
      db,
    )
    await divisionOf(near, 'After the makers')
    await deliver()
    expect(typesOf(receiver.received).filter((type) => type !== 'webhook.created')).toEqual(['division.created'])
    for (const { id } of made) expect(await stateOf(id)).toEqual(off)
    expect(await stateOf(kept.id)).toEqual({ active: true, disabled_reason: null })
    const { rows } =
      await sql`select from notifications where user_id = ${boss.id} and message like 'The webhook Of % was switched off'`.execute(db)
    expect(rows).toHaveLength(3)
    // The user who switches it on becomes responsible for it.
    expect((await ask(boss, 'PATCH', `/settings/webhooks/${made[0]?.id}`, { webhook: { active: true } })).status).toBe(200)
    await divisionOf(near, 'After the new one')
    await deliver()
    expect(await stateOf(made[0]?.id ?? 0)).toEqual({ active: true, disabled_reason: null })
    await sql`delete from users where id = ${inactive.id}`.execute(db)
  })
})
