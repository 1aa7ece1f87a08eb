import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { quietMachinery } from '../../../../test/support/toy-server.ts'
import { mailJobs } from './mail.ts'
import { createMailer } from './mailer.ts'
import type { Machinery } from '../machinery.ts'

const database = await testDatabase()
const { db } = database
const sent: string[] = []
const machinery: Machinery = {
  ...quietMachinery(database),
  jobs: { send: (_tx, name) => Promise.resolve(void sent.push(name)), isQueued: () => Promise.resolve(true) },
}
const folder = await mkdtemp(join(tmpdir(), 'meterbook-mail-'))
const received: { to: string[]; text: string }[] = []
let answer: Error | null = null
let isSilent = false
const smtp = new SMTPServer({
  authOptional: true,
  closeTimeout: 100,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      if (isSilent) return
      if (!answer) received.push({ to: session.envelope.rcptTo.map((to) => to.address), text: Buffer.concat(parts).toString() })
      done(answer)
    })
  },
})
const port = await new Promise<number>((resolve) => {
  const listening = smtp.listen(0, '127.0.0.1', () => {
    const address = listening.address()
    resolve(typeof address === 'object' && address ? address.port : 0)
  })
})
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
  await rm(folder, { recursive: true, force: true })
})

const from = 'Meterbook <no-reply@meterbook.test>'
const run = async (smtpUrl?: string, { production = false, timeoutMs }: { production?: boolean; timeoutMs?: number } = {}) => {
  const job = mailJobs({ smtpUrl, outbox: folder, from, timeoutMs })[0]
  const settings = { ...machinery.settings, production }
  await job?.run({ data: {}, machinery: { ...machinery, settings }, signal: new AbortController().signal })
}
const url = `smtp://127.0.0.1:${port}`
const send = (to = 'ada@example.test') =>
  db
    .transaction()
    .execute((tx) => createMailer(machinery.jobs).send(tx, { to, subject: 'Grüße', text: 'Hello\n.\nend', html: '<p>Hello</p>' }))
const mails = async () =>
  (
    await sql<{
      state: string
      attempts: number
      last_error: string | null
      waits: number
    }>`select state, attempts, last_error, round(extract(epoch from next_attempt_at - now()))::int as waits from mails order by id`.execute(
      db,
    )
  ).rows

beforeEach(async () => {
  await sql`delete from mails`.execute(db)
  received.length = 0
  sent.length = 0
  answer = null
  isSilent = false
})

describe('mail', () => {
  test('is queued with the transaction and gone with it', async () => {
    await expect(
      db.transaction().execute(async (tx) => {
        await createMailer(machinery.jobs).send(tx, { to: 'a@b.test', subject: 's', text: 't' })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await mails()).toEqual([])
  })

  test('is sent once by SMTP, in both forms, under a Message-ID of its own', async () => {
    await send()
    expect(sent).toEqual(['mail'])
    await Promise.all([run(url), run(url), run(url)])
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ to: ['ada@example.test'] })
    expect(received[0]?.text).toMatch(/Message-ID: <mail-\d+@meterbook\.test>/)
    expect(received[0]?.text).toContain('text/html')
    expect(await mails()).toMatchObject([{ state: 'sent', attempts: 1 }])
  })

  test('with line breaks in its subject gets no further header, reader or body', async () => {
    const subject = 'Bills of Harbor\r\nBcc: thief@example.test\r\n\r\nSend the money'
    const mail = { to: 'ada@example.test', subject, text: 'Hello' }
    await db.transaction().execute((tx) => createMailer(machinery.jobs).send(tx, mail))
    await run(url)
    expect(received.map(({ to }) => to)).toEqual([['ada@example.test']])
    const [head = '', ...bodies] = (received[0]?.text ?? '').split('\r\n\r\n')
    expect(head).toMatch(/^Subject: Bills of Harbor/m)
    expect(head).not.toMatch(/^Bcc:/im)
    expect(bodies.join('')).not.toContain('money')
  })

  test('that the server refuses is tried again later and later', async () => {
    answer = Object.assign(new Error('try later'), { responseCode: 451 })
    await send()
    for (const least of [30, 60, 120]) {
      await run(url)
      const [mail] = await mails()
      expect(mail).toMatchObject({ state: 'waiting', last_error: expect.stringContaining('try later') })
      expect(mail?.waits).toBeGreaterThan(least - 5)
      expect(mail?.waits).toBeLessThanOrEqual(least)
      await run(url)
      expect((await mails())[0]?.attempts).toBe(mail?.attempts)
      await sql`update mails set next_attempt_at = now()`.execute(db)
    }
    answer = null
    await run(url)
    expect(await mails()).toMatchObject([{ state: 'sent', attempts: 4, last_error: null }])
  })

  test('is dead after 24 hours of trying, and stays to be seen', async () => {
    await send()
    await sql`update mails set queued_at = now() - interval '25 hours'`.execute(db)
    await run('smtp://127.0.0.1:1')
    expect(await mails()).toMatchObject([{ state: 'dead', last_error: expect.stringContaining('ECONNREFUSED') }])
  })

  test.each([
    ['refuses it for now', 421, 'come back later'],
    ['refuses it for good', 550, 'no such mailbox'],
  ])('that the server %s stays, with what was said and when it is tried next', async (_words, responseCode, said) => {
    answer = Object.assign(new Error(said), { responseCode })
    await send()
    await run(url)
    expect(await mails()).toMatchObject([{ state: 'waiting', attempts: 1, last_error: expect.stringContaining(`${responseCode} ${said}`) }])
    expect(received).toEqual([])
  })

  test('that finds no server stays, and goes out once there is one', async () => {
    await send()
    await run('smtp://127.0.0.1:1')
    expect(await mails()).toMatchObject([{ state: 'waiting', last_error: expect.stringContaining('ECONNREFUSED') }])
    await sql`update mails set next_attempt_at = now()`.execute(db)
    await run(url)
    expect(await mails()).toMatchObject([{ state: 'sent', attempts: 2, last_error: null }])
  })

  test('holds nobody up behind a server that takes it and says nothing', async () => {
    isSilent = true
    await send()
    await run(url, { timeoutMs: 300 })
    expect(await mails()).toMatchObject([{ state: 'waiting', last_error: 'The mail server was not done after 0.3 seconds' }])
  })

  test('whose link is over is not sent any more, and is dead with the reason', async () => {
    await db
      .transaction()
      .execute((tx) =>
        createMailer(machinery.jobs).send(tx, { to: 'a@b.test', subject: 's', text: 't', expiresAt: new Date(Date.now() - 1_000) }),
      )
    await run(url)
    expect(received).toEqual([])
    expect(await mails()).toMatchObject([{ state: 'dead', attempts: 0, last_error: 'Its link was over before it could be sent.' }])
  })

  test('keeps its text after the sending, but not in production, where it may hold a link', async () => {
    const texts = async () => (await sql`select text_body, html_body from mails order by id`.execute(db)).rows
    await send()
    await run(url)
    await send()
    await run(url, { production: true })
    expect(await texts()).toEqual([
      { text_body: 'Hello\n.\nend', html_body: '<p>Hello</p>' },
      { text_body: '', html_body: null },
    ])
    expect(received[1]?.text).toContain('<p>Hello</p>')
  })

  test('whose process was killed in the middle is sent when its lease is over', async () => {
    await send()
    await sql`update mails set attempts = 1, next_attempt_at = now() + interval '120 seconds'`.execute(db)
    await run(url)
    expect(received).toHaveLength(0)
    await sql`update mails set next_attempt_at = now()`.execute(db)
    await run(url)
    expect(received).toHaveLength(1)
  })

  test('becomes a file in the outbox where no server is set', async () => {
    await send()
    await run()
    const names = await readdir(folder)
    expect(names).toEqual([expect.stringMatching(/^\d{6,}\.eml$/)])
    const content = await readFile(join(folder, names[0] ?? ''), 'utf8')
    expect(content).toContain('To: ada@example.test')
    expect(content).toMatch(/Subject: =\?UTF-8\?/)
  })

  test.each([
    'a@b.test\r\nBcc: spy@b.test',
    'a@b.test, spy@b.test',
    'spy@b.test <a@b.test>',
    'a@b.test;spy@b.test',
    '"a@b.test" spy@b.test',
    'nobody',
    '',
  ])('%j is not one address, so nothing is sent', async (to) => {
    await expect(send(to)).rejects.toThrow('no email address')
    expect(await mails()).toEqual([])
  })
})
