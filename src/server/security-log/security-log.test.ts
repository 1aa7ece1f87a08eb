import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { alarmRules } from '#contract/security-log/security-kinds.ts'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { insert } from '../../../test/every-call/world.ts'
import { hashPassword } from '../access/access.ts'
import { alikePerMinute } from '../kernel/http/security-sampler.ts'
import { createLog } from '../kernel/log.ts'
import { createSecurityEvents, queueMax, type SecurityEventDraft } from '../kernel/security-events.ts'
import { raiseAlarms } from './raise-alarms.ts'
import { sweepEvents } from './security-log-jobs.ts'

const { app, ask, database } = await startTestApp({}, undefined, createLog({ level: 'error', write: () => undefined }))
const { db } = database
const second = await startTestApp({ RATE_LIMIT_FACTOR: '1' }, database, createLog({ level: 'error', write: () => undefined }))
const password = 'a password of their own'

interface Listed {
  readonly kind: string
  readonly severity: string
  readonly outcome: string
  readonly user_id: number | null
  readonly person: string | null
  readonly account: string | null
  readonly network: string | null
  readonly client_id: number | null
  readonly times: number
  readonly route: string | null
  readonly detail: string | null
}

async function listed(who: Person, query = ''): Promise<Listed[]> {
  // The event of a request is noted when its answer has left.
  await setImmediate()
  await app.securityEvents.flush()
  const { status, text } = await ask(who, 'GET', `/security_events?per=1000${query}`)
  expect(status, text).toBe(200)
  const rows: Listed[] = JSON.parse(text).security_events
  return rows
}
const signIn = (email: string, typed = 'wrong', headers = {}) => ask(null, 'POST', '/auth/sign_in', { email, password: typed }, headers)
const fromNetwork = (network: number) => ({ 'x-forwarded-for': `198.51.${network}.7` })

let boss: Person
beforeEach(async () => {
  await setImmediate()
  app.flushSecurityLog()
  await app.securityEvents.flush()
  await sql`truncate security_events, sign_in_failures, sign_in_windows, notifications, mails`.execute(db)
  boss = await makePerson(db, 'super_admin')
})

describe('what is stored', () => {
  test('a failed sign-in: the person and their only client, or a masked address and its keyed hash; never a password', async () => {
    const clientId = await makeClient(db)
    const known = await makePerson(db, 'client_user', { clients: [clientId] })
    await signIn(known.email.toUpperCase(), 'guess number one')
    await signIn('thief@example.test', 'guess number two', fromNetwork(1))
    await signIn('correct horse battery', 'x', fromNetwork(2))
    const rows = await listed(boss, '&q[kind_eq]=sign_in_refused&q[s]=id asc')
    expect(rows.map(({ user_id, account, client_id, network }) => [user_id, account, client_id, network])).toEqual([
      [known.id, null, clientId, '127.0.0'],
      [null, 't***@e***.test', null, '198.51.1'],
      // It may be a password in the wrong field.
      [null, '[no address]', null, '198.51.2'],
    ])
    const { rows: raw } = await sql<{ text: string }>`select security_events::text as text from security_events`.execute(db)
    expect(raw.map(({ text }) => text).join('\n')).not.toMatch(/guess|thief|horse/)
    const { rows: hashes } = await sql<{ n: number }>`select length(account_hash) as n from security_events where user_id is null`.execute(
      db,
    )
    expect(hashes.map(({ n }) => n)).toContain(32)
  })

  test('denials, exports, changes of people and demanded passwords, with request, call and reason', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [await makeClient(db)] })
    const denied = await ask(reader, 'POST', '/vendors', { vendor: { name: 'A secret name' } })
    await ask(boss, 'GET', '/vendors/export_csv')
    const name = `new-${boss.id}`
    expect((await ask(boss, 'POST', '/users', { user: { email: `${name}@example.test`, username: name } })).status).toBe(200)
    await sql`update sessions set proven_at = now() - interval '1 day' where user_id = ${boss.id}`.execute(db)
    await ask(boss, 'POST', '/users/profile/api_tokens', { api_token: { name: 'T', access: 'read', expires_on: '2027-01-01' } })
    await ask(boss, 'POST', '/users/profile/proof', { password: 'wrong' })
    const rows = await listed(boss, '&q[s]=id asc')
    expect(rows.map(({ kind, outcome, user_id }) => [kind, outcome, user_id])).toEqual([
      ['denied', 'refused', reader.id],
      ['export', 'done', boss.id],
      ['people_changed', 'done', boss.id],
      ['proof_demanded', 'refused', boss.id],
      ['proof_refused', 'refused', boss.id],
    ])
    expect(rows[0]).toMatchObject({
      route: 'POST /api/v5/vendors',
      severity: 'warning',
      detail: 'reason forbidden, status 403',
      request_id: denied.headers['x-request-id'],
    })
  })

  test('a sign-in from a new device, a braked one, and the first use of a token from each network', async () => {
    const who = await makePerson(db, 'read_only_user')
    await sql`update users set password_hash = ${await hashPassword(password)}, last_sign_in_at = now() where id = ${who.id}`.execute(db)
    expect((await signIn(who.email, password)).status).toBe(200)
    for (let attempt = 0; attempt < 11; attempt += 1) await signIn(who.email)
    await sql`insert into api_tokens (user_id, name, token_hash, token_last4, expires_on) values (${boss.id}, 'T', sha256('mb_two'), 'xtwo', '2099-01-01')`.execute(
      db,
    )
    for (const network of [3, 3, 4, 3])
      await ask(null, 'GET', '/vendors', undefined, { authorization: 'Bearer mb_two', ...fromNetwork(network) })
    const rows = await listed(boss, '&q[s]=id asc')
    expect(rows.filter(({ kind }) => kind === 'sign_in_new_device')).toEqual([expect.objectContaining({ user_id: who.id, account: null })])
    expect(rows.some(({ kind }) => kind === 'sign_in_braked')).toBe(true)
    const networks = () => rows.filter(({ kind }) => kind === 'api_key_new_network').map(({ network }) => network)
    expect(networks()).toEqual(['198.51.3', '198.51.4'])
    // Another process finds the networks in the table.
    await second.ask(null, 'GET', '/vendors', undefined, { authorization: 'Bearer mb_two', ...fromNetwork(3) })
    await setImmediate()
    await second.app.securityEvents.flush()
    expect(await listed(boss, '&q[kind_eq]=api_key_new_network')).toHaveLength(2)
  })

  test('line breaks and ten thousand characters neither forge a row nor hinder one', async () => {
    const long = 'a'.repeat(10_000)
    await signIn(`x@example.test\r\n{"kind":"alarm"}`, 'x', { 'user-agent': `${long} forged` })
    // These are no input that the call takes.
    expect((await signIn(`${long}@example.test`)).status).toBe(422)
    expect((await signIn('nul\u0000@example.test')).status).toBe(422)
    await signIn('plain@example.test', 'x', { 'user-agent': long })
    const rows = await listed(boss, '&q[s]=id asc')
    expect(rows.map(({ kind, account }) => `${kind} ${account}`)).toEqual(
      ['[no address]', 'p***@e***.test'].map((account) => `sign_in_refused ${account}`),
    )
    const { rows: raw } = await sql<{ n: number }>`select max(length(security_events::text)) as n from security_events`.execute(db)
    expect(raw[0]?.n).toBeLessThan(600)
  })
})

describe('a flood', () => {
  test('of failed sign-ins has ten rows a minute and one that counts the rest, and others are still served', async () => {
    for (let attempt = 0; attempt < 16; attempt += 1) await signIn(`flood${attempt}@example.test`, 'x', fromNetwork(9))
    expect((await ask(boss, 'GET', '/vendors')).status).toBe(200)
    app.flushSecurityLog()
    const rows = (await listed(boss, '&q[s]=id asc')).filter(({ network }) => network === '198.51.9')
    expect(rows.map(({ times }) => times)).toEqual([...Array.from({ length: alikePerMinute }, () => 1), 6])
    expect(rows.at(-1)).toMatchObject({ kind: 'sign_in_refused', account: null })
  })

  const draft = (kind: SecurityEventDraft['kind'] = 'denied'): SecurityEventDraft => ({
    kind,
    outcome: 'refused',
    user_id: null,
    client_id: null,
    network: 'cut',
    ip_address: null,
    route: null,
    request_id: null,
  })
  const writer = () => createSecurityEvents({ database, log: createLog({ write: () => undefined }), secretKey: 'a key' })

  test('while the database is away waits up to a limit; what is lost is counted in a row', async () => {
    const events = writer()
    await sql`alter table security_events rename to security_events_away`.execute(db)
    for (let one = 0; one < queueMax + 42; one += 1) events.add(draft())
    await events.flush()
    await sql`alter table security_events_away rename to security_events`.execute(db)
    await events.flush()
    await events.stop()
    const { rows } = await sql<{ kind: string; n: number; times: number }>`select kind, count(*)::int as n, sum(times)::int as times
      from security_events group by kind order by kind`.execute(db)
    expect(rows).toEqual([
      { kind: 'denied', n: queueMax, times: queueMax },
      { kind: 'events_lost', n: 1, times: 42 },
    ])
  })

  test('a connection that is cut while the events are written: each is stored once afterwards', async () => {
    const events = writer()
    await db.transaction().execute(async (tx) => {
      await sql`lock table security_events in access exclusive mode`.execute(tx)
      events.add(draft())
      const flushed = events.flush()
      // A transaction sees the sessions as they were when it first looked, so another connection looks.
      await expect
        .poll(async () => {
          const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into security_events%'`.execute(db)
          return rows.length
        })
        .toBe(1)
      await flushed
    })
    await events.flush()
    await events.stop()
    expect((await sql<{ n: number }>`select count(*)::int as n from security_events where network = 'cut'`.execute(db)).rows).toEqual([
      { n: 1 },
    ])
  })
})

describe('who reads it', () => {
  test('staff all; administrators of a client or a partner what concerns theirs; nobody who manages no people', async () => {
    const partnerId = await insert(db, 'channel_partners', { name: `P ${boss.id}` })
    const [own, foreign] = [await makeClient(db, { channel_partner_id: partnerId }), await makeClient(db)]
    const sibling = await makeClient(db, { channel_partner_id: partnerId })
    const division = await makeDivision(db, own)
    const admin = await makePerson(db, 'client_admin', { clients: [own] })
    const elsewhere = await makePerson(db, 'client_admin', { clients: [own] })
    await addRole(db, elsewhere.id, 'client_manager', { clients: [foreign] })
    const partner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: partnerId })
    const narrowedPartner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: partnerId, division: [[own, division]] })
    const acting = {
      user: await makePerson(db, 'client_user', { clients: [own] }),
      foreigner: await makePerson(db, 'client_user', { clients: [foreign] }),
      both: await makePerson(db, 'read_only_user', { clients: [own, foreign] }),
      siblings: await makePerson(db, 'read_only_user', { clients: [own, sibling] }),
      staff: await makePerson(db, 'muc_admin'),
    }
    for (const who of Object.values(acting)) await signIn(who.email, 'wrong', fromNetwork(who.id % 200))
    await signIn('nobody@example.test', 'wrong', fromNetwork(201))
    // An act of the provider's staff in a client belongs to that client.
    await ask(acting.staff, 'GET', `/clients/${own}/bills/export_csv`)
    await ask(acting.staff, 'GET', `/clients/${foreign}/bills/export_csv`)
    // A path that the person does not reach names no client, although the limit is judged before the path.
    for (let attempt = 0; attempt <= 60; attempt += 1) await second.ask(acting.foreigner, 'GET', `/clients/${own}/bills/export_csv`)
    await setImmediate()
    await second.app.securityEvents.flush()
    const names = new Map(Object.entries(acting).map(([name, { id }]) => [id, name]))
    const seen = async (who: Person) =>
      (await listed(who))
        .filter(({ kind }) => ['sign_in_refused', 'export', 'rate_limited'].includes(kind))
        .map(
          ({ kind, user_id, client_id }) =>
            `${kind} ${names.get(user_id ?? 0) ?? 'unknown'} ${client_id === own ? 'own' : client_id === foreign ? 'foreign' : '–'}`,
        )
        .toSorted()
    const ofOwn = ['export staff own', 'sign_in_refused user own']
    expect(await seen(admin)).toEqual(ofOwn)
    expect(await seen(elsewhere)).toEqual(ofOwn)
    expect(await seen(partner)).toEqual([...ofOwn, 'sign_in_refused siblings –'].toSorted())
    expect(await seen(narrowedPartner)).toEqual([])
    const all = [
      'export staff foreign',
      'export staff own',
      'rate_limited foreigner foreign',
      'sign_in_refused both –',
      'sign_in_refused foreigner foreign',
      'sign_in_refused siblings –',
      'sign_in_refused staff –',
      'sign_in_refused unknown –',
      'sign_in_refused user own',
    ]
    expect(await seen(boss)).toEqual(all)
    expect(await seen(acting.staff)).toEqual(all)
    for (const role of ['client_manager', 'client_user', 'read_only_user'] as const)
      expect((await ask(await makePerson(db, role, { clients: [own] }), 'GET', '/security_events')).status).toBe(403)
    // A filter finds nothing beyond.
    expect(await listed(admin, `&q[client_id_eq]=${foreign}`)).toEqual([])
    expect(await listed(admin, `&q[user_id_eq]=${acting.foreigner.id}`)).toEqual([])
    expect((await ask(admin, 'GET', '/security_events?q[password_eq]=x')).status).toBe(422)
  })
})

describe('an alarm', () => {
  const alarms = (who: Person) => listed(who, '&q[kind_eq]=alarm')
  const bell = async (who: Person): Promise<string[]> => {
    const { text } = await ask(who, 'GET', '/notifications')
    const told: { message: string; type: string }[] = JSON.parse(text).notifications
    return told.filter(({ type }) => type === 'security_alarm').map(({ message }) => message)
  }

  test('of one rule and subject is raised once an hour, also by two processes at once, and is told to the administrators that it concerns', async () => {
    const [own, foreign] = [await makeClient(db), await makeClient(db)]
    const admin = await makePerson(db, 'client_admin', { clients: [own] })
    const foreigner = await makePerson(db, 'client_admin', { clients: [foreign] })
    const victim = await makePerson(db, 'client_user', { clients: [own] })
    const most = alarmRules.find(({ name }) => name === 'sign_ins_of_account')?.count ?? 0
    for (let attempt = 1; attempt < most; attempt += 1) await signIn(victim.email, 'wrong', fromNetwork(20 + (attempt % 2)))
    await alarms(boss)
    await raiseAlarms(app.machinery)
    expect(await alarms(boss)).toEqual([])
    await sql`truncate sign_in_failures, sign_in_windows`.execute(db)
    await signIn(victim.email, 'wrong', fromNetwork(22))
    await alarms(boss)
    await Promise.all([raiseAlarms(app.machinery), raiseAlarms(second.app.machinery), raiseAlarms(app.machinery)])
    await raiseAlarms(app.machinery)
    const raised = await alarms(boss)
    expect(raised).toEqual([expect.objectContaining({ severity: 'critical', user_id: victim.id, client_id: own })])
    expect(raised[0]?.detail).toBe(`alarm Failed sign-ins of one account, events ${most}, minutes 10`)
    for (const who of [boss, admin]) expect(await bell(who)).toEqual(['Security alarm: failed sign-ins of one account'])
    expect(await alarms(admin)).toHaveLength(1)
    for (const who of [foreigner, victim]) expect(await bell(who)).toEqual([])
    expect(await alarms(foreigner)).toEqual([])
    const { rows } = await sql<{
      to_address: string
    }>`select to_address from mails where subject like 'Security alarm%' order by 1`.execute(db)
    expect(rows.map(({ to_address }) => to_address)).toEqual(expect.arrayContaining([boss.email, admin.email]))
    await sql`update security_events set created_at = created_at - interval '61 minutes' where kind = 'alarm'`.execute(db)
    await raiseAlarms(app.machinery)
    expect(await alarms(boss)).toHaveLength(2)
  })

  test('of more than three subjects at once is one message, which names the first three and how many more the log has', async () => {
    const add = (networks: number) =>
      sql`insert into security_events (kind, outcome, times, network) select 'sign_in_refused', 'refused', 50 + at, '203.0.' || at
        from generate_series(1, ${networks}::int) at`.execute(db)
    await add(3)
    await raiseAlarms(app.machinery)
    expect(await bell(boss)).toHaveLength(3)
    await sql`truncate security_events, notifications, mails`.execute(db)
    await add(40)
    await raiseAlarms(app.machinery)
    expect(await alarms(boss)).toHaveLength(40)
    expect(await bell(boss)).toEqual(['40 security alarms'])
    const { rows } = await sql<{ text: string }>`select text_body as text from mails where to_address = ${boss.email}`.execute(db)
    expect(rows.map(({ text }) => text)).toEqual([
      expect.stringMatching(/Network 203\.0\.40: 90 events in 10 minutes\.[^]*37 more are in the security log/),
    ])
  })

  test('each rule is raised at its threshold and not below', async () => {
    const who = await makePerson(db, 'muc_admin')
    for (const { name, kinds, by, count, minutes } of alarmRules) {
      await sql`truncate security_events`.execute(db)
      const add = (times: number, age: number) =>
        sql`insert into security_events (kind, outcome, times, created_at, user_id, network)
        values (${kinds[0]}, 'refused', ${times}, now() - make_interval(secs => ${age}::int), ${by === 'network' ? null : who.id}::bigint, '192.0.2')`.execute(
          db,
        )
      await add(count - 1, 1)
      await add(5, minutes * 60 + 1)
      await raiseAlarms(app.machinery)
      expect(await alarms(boss), name).toEqual([])
      await add(1, 1)
      await raiseAlarms(app.machinery)
      expect(
        (await alarms(boss)).map(({ user_id, network }) => user_id ?? network),
        name,
      ).toEqual([by === 'network' ? '192.0.2' : who.id])
    }
  })
})

test('an event is deleted after its days, and not before', async () => {
  await sql`insert into security_events (kind, outcome, created_at) values
    ('denied', 'refused', now() - interval '401 days'), ('export', 'done', now() - interval '399 days')`.execute(db)
  await sweepEvents(app.machinery, 400)
  expect((await listed(boss)).map(({ kind }) => kind)).toEqual(['export'])
})
