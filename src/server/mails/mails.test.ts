import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { mailTo } from '../../../test/support/mails.ts'
import { makeUser } from '../../../test/support/sign-in.ts'

const app = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
const production = await startTestApp(
  { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'https://meterbook.example.test' },
  app.database,
)
const { ask, database } = app
const { db } = database
const keeper = await makePerson(db, 'muc_admin')

interface Given {
  to?: string
  state?: string
  error?: string | null
  expires?: string | null
}
async function makeMail({ to = 'ann@example.test', state = 'dead', error = 'refused', expires = null }: Given = {}): Promise<number> {
  // Far in the future, so that the background job leaves it alone.
  const { rows } = await sql<{
    id: number
  }>`insert into mails (to_address, subject, text_body, state, attempts, last_error, next_attempt_at, expires_at)
    values (${to}, 'Hello', 'secret https://example.test/link', ${state}, 24, ${error}, now() + interval '1 day', ${expires}::timestamptz) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}
beforeEach(() => sql`delete from mails`.execute(db).then(() => undefined))

describe('the mails', () => {
  it('are listed for whoever keeps the installation with state, tries, last error and next try, and without their text', async () => {
    const [dead, waiting, sent] = [await makeMail(), await makeMail({ state: 'waiting' }), await makeMail({ state: 'sent', error: null })]
    const { body } = await ask(keeper, 'GET', '/mails')
    expect(body).toMatchObject({
      total: 3,
      mails: [
        { id: sent, state: 'sent', next_attempt_at: null, can_send_again: false },
        { id: waiting, state: 'waiting', attempts: 24, next_attempt_at: expect.any(String), can_send_again: false },
        { id: dead, state: 'dead', last_error: 'refused', next_attempt_at: null, can_send_again: true },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('are filtered and sorted, and refuse what they do not know', async () => {
    const [dead] = [await makeMail({ to: 'zoe@example.test' }), await makeMail({ state: 'sent' })]
    expect((await ask(keeper, 'GET', '/mails?q[state_eq]=dead')).body).toMatchObject({ total: 1, mails: [{ id: dead }] })
    expect((await ask(keeper, 'GET', '/mails?q[to_address_cont]=ZOE')).body).toMatchObject({ total: 1, mails: [{ id: dead }] })
    expect((await ask(keeper, 'GET', '/mails?q[s]=to_address desc')).body).toMatchObject({ mails: [{ id: dead }, {}] })
    expect((await ask(keeper, 'GET', '/mails?q[text_body_cont]=secret')).status).toBe(422)
    expect((await ask(keeper, 'GET', '/mails?q[s]=text_body asc')).status).toBe(422)
  })

  it('show their text outside production only', async () => {
    const id = await makeMail()
    expect((await ask(keeper, 'GET', `/mails/${id}`)).body).toMatchObject({ mail: { id }, text_body: 'secret https://example.test/link' })
    const hidden = await production.ask(keeper, 'GET', `/mails/${id}`)
    expect(hidden.body).toMatchObject({ mail: { id }, text_body: null })
    expect(hidden.text).not.toContain('secret')
  })

  it('that could not be sent are tried again from the beginning; others, and those whose link is over, are not', async () => {
    const id = await makeMail()
    expect((await ask(keeper, 'POST', `/mails/${id}/send_again`)).body).toMatchObject({ success: true })
    // The server is still down, which the next attempt detects.
    await vi.waitFor(
      async () => {
        const { body } = await ask(keeper, 'GET', `/mails/${id}`)
        expect(body).toMatchObject({ mail: { state: 'waiting', attempts: 1, last_error: expect.stringContaining('ECONNREFUSED') } })
      },
      { timeout: 15_000 },
    )
    const { rows } = await sql`select event, user_id from audit_records where item_type = 'mail' and item_id = ${id}`.execute(db)
    expect(rows).toEqual([{ event: 'update', user_id: keeper.id }])
    expect((await ask(keeper, 'POST', `/mails/${id}/send_again`)).status).toBe(409)
    const over = await makeMail({ expires: '2020-01-01T00:00:00Z' })
    expect((await ask(keeper, 'GET', `/mails/${over}`)).body).toMatchObject({ mail: { can_send_again: false } })
    expect((await ask(keeper, 'POST', `/mails/${over}/send_again`)).body).toMatchObject({
      message: 'The link in this mail is over. Let its receiver ask for a new one.',
    })
  })
})

it('with the mail server down a request is answered as usual, and its mail waits', async () => {
  await makeUser(app, 'patient@example.test')
  expect((await ask(null, 'POST', '/auth/password', { email: 'patient@example.test' })).status).toBe(200)
  const { id } = await mailTo(db, 'patient@example.test')
  await vi.waitFor(
    async () => {
      const { body } = await ask(keeper, 'GET', `/mails/${id}`)
      expect(body).toMatchObject({ mail: { state: 'waiting', last_error: expect.stringContaining('ECONNREFUSED') } })
    },
    { timeout: 15_000 },
  )
})
