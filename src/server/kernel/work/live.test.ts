import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveMessage } from '#contract/notifications/notification.ts'
import { makePerson, startTestApp, type Person } from '../../../../test/support/app.ts'
import { createLive } from './live.ts'
import { createLog } from '../log.ts'

const { app, database, ask, listen } = await startTestApp()
const { db } = database
const origin = await listen()
const open: AbortController[] = []

interface Block {
  readonly kind: string
  readonly data: Record<string, unknown>
}
interface Window {
  readonly status: number
  readonly blocks: Block[]
  ended: boolean
  close(): void
}

/** Reads a stream as a browser does, and keeps the events. */
const openWindow = async (person: Person | null, connectionId: string, headers: Record<string, string> = {}): Promise<Window> => {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${origin}/api/v5/live?connection_id=${connectionId}`, {
    signal: controller.signal,
    headers: { ...person?.headers, ...headers },
  })
  const window: Window = { status: response.status, blocks: [], ended: false, close: () => controller.abort() }
  if (!response.ok || !response.body) return window
  void (async () => {
    let rest = ''
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop() ?? ''
        for (const part of parts) {
          const [kind, data] = [/^event: (.*)$/m.exec(part)?.[1], /^data: (.*)$/m.exec(part)?.[1]]
          if (kind && data) window.blocks.push({ kind, data: JSON.parse(data) })
        }
      }
    } catch {
      // A closed window reads no more.
    }
    window.ended = true
  })()
  return window
}
const until = async (holds: () => boolean, ms = 5_000): Promise<void> => {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const say = (person: Person, message: string, connectionId: string | null = null) =>
  db.transaction().execute((tx) =>
    app.machinery.live.tell(
      tx,
      { userId: person.id, connectionId },
      {
        message,
        description: ['a', 'b'],
        notification_type: 'success',
        type: 'generated_report',
        link: '/reports/1',
        payload: { report_id: 1 },
      },
    ),
  )
const messages = (window: Window): unknown[] =>
  window.blocks.filter((block) => block.kind === 'message').map((block) => block.data['message'])

let person: Person
beforeAll(async () => {
  person = await makePerson(db, 'client_admin')
})
afterEach(async () => {
  for (const controller of open.splice(0)) controller.abort()
  await until(() => app.machinery.live.streamCount() === 0)
  await sql`delete from notifications`.execute(db)
})

describe('the live channel', () => {
  test('[LIVE-RULE-001] [LIVE-FIELD-001] a message reaches all windows of its user and nobody else', async () => {
    const other = await makePerson(db, 'super_admin')
    const [one, two, foreign] = [await openWindow(person, 'w1'), await openWindow(person, 'w2'), await openWindow(other, 'w1')]
    await say(person, 'Report is ready', 'w1')
    await until(() => one.blocks.length === 1 && two.blocks.length === 1)
    const event = liveMessage.parse(one.blocks[0]?.data)
    expect(event).toMatchObject({
      message: 'Report is ready',
      description: ['a', 'b'],
      notification_type: 'success',
      error: false,
      link: '/reports/1',
      type: 'generated_report',
      connection_id: 'w1',
      missed: false,
    })
    await db
      .transaction()
      .execute((tx) =>
        app.machinery.live.tell(
          tx,
          { userId: person.id, connectionId: null },
          { message: 'It failed', notification_type: 'error', type: 'x', error: true },
        ),
      )
    await until(() => one.blocks.length === 2)
    expect(liveMessage.parse(one.blocks[1]?.data)).toMatchObject({ notification_type: 'error', error: true, description: [], link: null })
    expect(foreign.blocks).toEqual([])
  })

  test('nobody is served without credentials, nor without a connection id', async () => {
    expect((await openWindow(null, 'w1')).status).toBe(401)
    expect((await ask(person, 'GET', '/live')).status).toBe(422)
  })

  test('a message of a transaction that fails is told to nobody', async () => {
    const window = await openWindow(person, 'w1')
    await expect(
      db.transaction().execute(async (tx) => {
        await app.machinery.live.tell(
          tx,
          { userId: person.id, connectionId: null },
          { message: 'Never', notification_type: 'info', type: 'x' },
        )
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await say(person, 'Then')
    await until(() => window.blocks.length > 0)
    expect(messages(window)).toEqual(['Then'])
  })

  test('[LIVE-RULE-002] [LIVE-CONST-003] a connection id has one stream: the second replaces the first', async () => {
    const first = await openWindow(person, 'w1')
    const second = await openWindow(person, 'w1')
    await until(() => first.ended)
    expect(app.machinery.live.streamCount()).toBe(1)
    await say(person, 'Once')
    await until(() => messages(second).length === 1)
    expect(messages(first)).toEqual([])
  })

  test('a window that comes back gets what came after its last id, each once and in order', async () => {
    const window = await openWindow(person, 'w1')
    await say(person, 'One')
    await until(() => messages(window).length === 1)
    window.close()
    await until(() => app.machinery.live.streamCount() === 0)
    await say(person, 'Two')
    await say(person, 'Three')
    const back = await openWindow(person, 'w1', { 'last-event-id': String(window.blocks[0]?.data['id']) })
    await until(() => messages(back).length >= 2)
    expect(messages(back)).toEqual(['Two', 'Three'])
    expect(back.blocks.every((block) => block.data['missed'] === false)).toBe(true)
  })

  test('a new window is told what was missed and not yet seen in the last week, and that it was missed', async () => {
    await say(person, 'Old')
    await sql`update notifications set created_at = now() - interval '8 days'`.execute(db)
    await say(person, 'Seen')
    expect((await ask(person, 'POST', '/notifications/seen', {})).status).toBe(200)
    await say(person, 'Missed')
    const window = await openWindow(person, 'new')
    await until(() => messages(window).length > 0)
    expect(window.blocks.map((block) => [block.data['message'], block.data['missed']])).toEqual([['Missed', true]])
  })

  test('a message for this very window is not missed, although its stream opened later: another window of the person has missed it', async () => {
    await say(person, 'Your export is ready', 'w1')
    for (const [connection, missed] of [
      ['w1', false],
      ['w2', true],
    ] as const) {
      const window = await openWindow(person, connection)
      await until(() => messages(window).length > 0)
      expect(window.blocks.map((block) => [block.data['message'], block.data['missed']])).toEqual([['Your export is ready', missed]])
    }
  })

  test('200 messages that are told at once from many transactions all arrive, in the order of their ids', async () => {
    const window = await openWindow(person, 'w1')
    await Promise.all(Array.from({ length: 200 }, (_, at) => say(person, `Message ${at}`)))
    await until(() => window.blocks.length === 200, 10_000)
    const ids = window.blocks.map((block) => Number(block.data['id']))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(200)
  })

  test('a passing state comes as progress, is not kept, and has a limit', async () => {
    const window = await openWindow(person, 'w1')
    await app.machinery.live.progress(db, { userId: person.id, connectionId: 'w1' }, { task_id: 1, rows_done: 5 })
    await until(() => window.blocks.length === 1)
    expect(window.blocks[0]).toEqual({ kind: 'progress', data: { task_id: 1, rows_done: 5 } })
    expect((await ask(person, 'GET', '/notifications')).body).toEqual({ notifications: [], total: 0, unseen: 0, unread: 0 })
    await expect(app.machinery.live.progress(db, { userId: person.id, connectionId: null }, { text: 'x'.repeat(7_600) })).rejects.toThrow(
      'at most 7500',
    )
  })

  test('the stream ends within five seconds of its sign-in, also when another process ended it', async () => {
    const leaving = await makePerson(db, 'client_admin')
    const window = await openWindow(leaving, 'w1')
    await sql`delete from sessions where user_id = ${leaving.id}`.execute(db)
    await until(() => window.ended, 5_000)
    expect(app.machinery.live.streamCount()).toBe(0)
  })

  test('signing out ends the stream within five seconds', async () => {
    const leaving = await makePerson(db, 'client_admin')
    const window = await openWindow(leaving, 'w1')
    expect((await ask(leaving, 'DELETE', '/auth/sign_out')).status).toBe(200)
    await until(() => window.ended, 5_000)
  })

  test('who is told to be forgotten loses streams of dead sign-ins at once', async () => {
    const leaving = await makePerson(db, 'client_admin')
    const window = await openWindow(leaving, 'w1')
    await sql`delete from sessions where user_id = ${leaving.id}`.execute(db)
    app.machinery.live.forget(leaving.id)
    await until(() => window.ended, 1_000)
  })

  test('a cut database connection loses nothing', async () => {
    const window = await openWindow(person, 'w1')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'meterbook-live' and datname = current_database()`.execute(
      db,
    )
    await say(person, 'While away')
    await until(() => messages(window).length === 1, 5_000)
    expect(messages(window)).toEqual(['While away'])
    await say(person, 'Back again')
    await until(() => messages(window).length === 2)
  })

  test('processes hear each other, and of sign-ins that may have died', async () => {
    const forgotten: (number | null)[] = []
    const second = createLive({
      url: database.url,
      database,
      log: createLog({ level: 'error' }),
      onForget: (userId) => forgotten.push(userId),
    })
    await second.start()
    // It may have missed any of them before it was connected.
    expect(forgotten.splice(0)).toEqual([null])
    try {
      const window = await openWindow(person, 'w1')
      await db
        .transaction()
        .execute((tx) =>
          second.tell(tx, { userId: person.id, connectionId: null }, { message: 'From the other', notification_type: 'info', type: 'x' }),
        )
      await until(() => messages(window).length === 1)
      app.machinery.live.forget(person.id)
      app.machinery.live.forget(null)
      await until(() => forgotten.length === 2)
      expect(forgotten.toSorted()).toEqual([person.id, null])
    } finally {
      await second.stop()
    }
  })

  test('twenty windows of one user are open at most', async () => {
    for (let at = 0; at < 20; at++) expect((await openWindow(person, `w${at}`)).status).toBe(200)
    expect((await openWindow(person, 'one more')).status).toBe(429)
  })
})

describe('the bell', () => {
  test('[NOTIF-TRANS-002] opening it counts everything as seen up to what it showed; newest first, paged', async () => {
    for (const text of ['One', 'Two', 'Three']) await say(person, text)
    const before = await ask(person, 'GET', '/notifications?per=2')
    expect(before.body).toMatchObject({ total: 3, unseen: 3, notifications: [{ message: 'Three', seen: false }, { message: 'Two' }] })
    const { rows } = await sql<{ id: number }>`select id from notifications where message = 'Two'`.execute(db)
    await ask(person, 'POST', '/notifications/seen', { up_to_id: rows[0]?.id ?? 0 })
    expect((await ask(person, 'GET', '/notifications')).body).toMatchObject({ unseen: 1 })
    await ask(person, 'POST', '/notifications/seen', {})
    expect((await ask(person, 'GET', '/notifications?page=2&per=2')).body).toMatchObject({
      unseen: 0,
      notifications: [{ message: 'One', seen: true }],
    })
  })

  test('is everybody’s own', async () => {
    await say(person, 'Mine')
    const other = await makePerson(db, 'super_admin')
    expect((await ask(other, 'GET', '/notifications')).body).toEqual({ notifications: [], total: 0, unseen: 0, unread: 0 })
    await ask(other, 'POST', '/notifications/seen', {})
    expect((await ask(person, 'GET', '/notifications')).body).toMatchObject({ unseen: 1 })
    expect((await ask(null, 'GET', '/notifications')).status).toBe(401)
    expect((await ask(null, 'POST', '/notifications/seen', {})).status).toBe(401)
  })
})
