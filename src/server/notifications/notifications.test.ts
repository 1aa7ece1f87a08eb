import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { kindOfNotification } from '#contract/notifications/notification-preference.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
let person: Person

beforeEach(async () => {
  await sql`truncate notifications, mails`.execute(db)
  person = await makePerson(db, 'client_admin')
})

const tell = (type: string, message: string, link: string | null = null) =>
  db
    .transaction()
    .execute((tx) =>
      app.machinery.live.tell(tx, { userId: person.id, connectionId: null }, { type, message, notification_type: 'success', link }),
    )
interface Told {
  id: number
  message: string
  seen: boolean
  read: boolean
}
async function bell(query = ''): Promise<{ told: Told[]; words: string[]; body: Record<string, unknown> }> {
  const { status, body, text } = await ask(person, 'GET', `/notifications${query}`)
  expect(status, text).toBe(200)
  const told: Told[] = JSON.parse(text).notifications
  return { told, words: told.map(({ message }) => message), body }
}
const mails = async () =>
  (
    await sql<{
      to_address: string
      subject: string
      text_body: string
    }>`select to_address, subject, text_body from mails order by id`.execute(db)
  ).rows

describe('the bell', () => {
  test('tells what is seen from what is read: opening it sees all, following one reads that one', async () => {
    for (const message of ['One', 'Two', 'Three']) await tell('csv_export', message)
    expect((await bell()).body).toMatchObject({ total: 3, unseen: 3, unread: 3 })
    const [three, two] = (await bell()).told
    await ask(person, 'POST', '/notifications/seen', { up_to_id: three?.id })
    expect((await bell()).body).toMatchObject({ unseen: 0, unread: 3 })
    await ask(person, 'POST', `/notifications/${String(two?.id)}/read`)
    expect((await bell()).told.map(({ read }) => read)).toEqual([false, true, false])
    expect((await bell('?unread=true')).words).toEqual(['Three', 'One'])
  })

  test('“mark all” reads up to the newest in sight, and nothing that came meanwhile', async () => {
    await tell('csv_export', 'One')
    const newest = (await bell()).told[0]?.id
    await tell('csv_export', 'Two')
    await ask(person, 'POST', '/notifications/read', { up_to_id: newest })
    expect((await bell('?unread=true')).words).toEqual(['Two'])
  })

  test('lists one kind alone', async () => {
    await tell('csv_export', 'Export')
    await tell('retrieval_import', 'Import')
    await tell('generated_report', 'Report')
    await tell('something_new', 'News')
    expect((await bell('?kind=exports')).words).toEqual(['Export'])
    expect((await bell('?kind=imports')).body).toMatchObject({ total: 1, unread: 4 })
    expect((await bell('?kind=reports')).words).toEqual(['Report'])
    expect((await bell('?kind=other')).words).toEqual(['News'])
    expect((await bell('?kind=sign_in')).words).toEqual([])
    expect((await ask(person, 'GET', '/notifications?kind=cats')).status).toBe(422)
  })

  test('knows the kind of each type by its name', () => {
    const kinds = [
      'csv_export',
      'csv_import',
      'retrieval_fetch',
      'bill_documents',
      'accounting_batch_upload_file',
      'sign_in_alert',
      'webhook',
    ].map(kindOfNotification)
    expect(kinds).toEqual(['exports', 'imports', 'retrieval', 'reports', 'reports', 'sign_in', 'other'])
  })

  test('nobody marks what is another person’s', async () => {
    await tell('csv_export', 'Mine')
    const id = (await bell()).told[0]?.id
    const other = await makePerson(db, 'super_admin')
    expect((await ask(other, 'POST', `/notifications/${String(id)}/read`)).status).toBe(404)
    await ask(other, 'POST', '/notifications/read', {})
    expect((await bell()).body).toMatchObject({ unread: 1, unseen: 1 })
  })
})

describe('what a person wants to hear of', () => {
  const choose = (preferences: object) => ask(person, 'PUT', '/notifications/preferences', { preferences })

  test('is all in the console and only sign-in alerts by mail, until they choose', async () => {
    const { body } = await ask(person, 'GET', '/notifications/preferences')
    expect(body['preferences']).toMatchObject({ exports: { in_app: true, mail: false }, sign_in: { in_app: true, mail: true } })
    await tell('csv_export', 'Export')
    await tell('sign_in_alert', 'Somebody signed in')
    expect((await mails()).map(({ to_address, subject }) => [to_address, subject])).toEqual([[person.email, 'Somebody signed in']])
  })

  test('is changed kind by kind, and two windows lose nothing of each other', async () => {
    await Promise.all([choose({ exports: { in_app: false, mail: false } }), choose({ imports: { in_app: true, mail: true } })])
    const { body } = await ask(person, 'GET', '/notifications/preferences')
    expect(body['preferences']).toMatchObject({
      exports: { in_app: false, mail: false },
      imports: { in_app: true, mail: true },
      reports: { in_app: true, mail: false },
    })
    await ask(person, 'PATCH', '/users/preferences', { preferences: { density: 'compact' } })
    expect((await ask(person, 'GET', '/notifications/preferences')).body).toEqual(body)
    expect((await choose({ cats: { in_app: true, mail: true } })).status).toBe(422)
    expect((await choose({ exports: { in_app: 'no', mail: true } })).status).toBe(422)
  })

  test('what is switched off reaches neither bell nor toast, while screens still hear that there is news', async () => {
    await choose({ exports: { in_app: false, mail: false } })
    await tell('csv_export', 'Quiet')
    await tell('retrieval_import', 'Loud')
    expect(await bell()).toMatchObject({ words: ['Loud'], body: { total: 1, unseen: 1, unread: 1 } })
    const { rows } = await sql<{ message: string; muted: boolean }>`select message, muted from notifications order by id`.execute(db)
    expect(rows).toEqual([
      { message: 'Quiet', muted: true },
      { message: 'Loud', muted: false },
    ])
    expect(await mails()).toEqual([])
  })

  test('a mail leads to the page that the message is about, in the transaction of the message', async () => {
    await choose({ reports: { in_app: true, mail: true } })
    await tell('generated_report', 'The report is ready', '/clients/1/reports')
    const [mail] = await mails()
    expect(mail?.text_body).toContain('/clients/1/reports')
    expect(mail?.text_body).toContain('/users/profile')
    await expect(
      db.transaction().execute(async (tx) => {
        await app.machinery.live.tell(
          tx,
          { userId: person.id, connectionId: null },
          { type: 'generated_report', message: 'Lost', notification_type: 'info' },
        )
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await mails()).toHaveLength(1)
  })
})
