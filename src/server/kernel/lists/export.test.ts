import { sql } from 'kysely'
import readExcelFile from 'read-excel-file/node'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addRole, makePerson, startTestApp, type Person } from '../../../../test/support/app.ts'
import { setClock } from '../clock.ts'
import { asLiterals } from '../postgres/sql-literal.ts'
import { exportFileName } from './export-file.ts'
import { presentReach } from './export-reach.ts'
import type { Principal } from '../principal.ts'

const { app, database, ask } = await startTestApp()
const { db } = database

beforeAll(async () => {
  for (const id of [1, 2])
    await sql`insert into clients (id, name, short_code, identifier) overriding system value values (${id}, ${`Client ${id}`}, ${`C${id}`}, ${`id-${id}`})`.execute(
      db,
    )
  await sql`insert into divisions (client_id, id, name, short_code, code) overriding system value select 1, n, 'Division ' || lpad(n::text, 3, '0'), 'D' || n, 'X' || n from generate_series(1, 30) n`.execute(
    db,
  )
  await sql`insert into divisions (client_id, id, name, short_code, code) overriding system value values
    (1, 101, '=cmd|x', '+1', '-2'), (1, 102, E'Two\nlines, "quoted"', '@a', E'\ttab'), (2, 201, 'Foreign', 'F', 'F')`.execute(db)
})
afterEach(() => setClock())

const settled = async (taskId: unknown): Promise<{ state: string; error: string | null; rows_done: number }> => {
  for (let tries = 0; tries < 100; tries++) {
    const { rows } = await sql<{
      state: string
      error: string | null
      rows_done: number
    }>`select state, error, rows_done from tasks where id = ${Number(taskId)}`.execute(db)
    if (rows[0] && rows[0].state !== 'waiting' && rows[0].state !== 'running') return rows[0]
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the export did not end')
}
const download = async (person: Person, taskId: unknown) => {
  const { body, status } = await ask(person, 'GET', `/tasks/${String(taskId)}/file`)
  expect(status, JSON.stringify(body)).toBe(200)
  const file = await app.server.inject({ method: 'GET', url: String(body['url']) })
  return { ...file, text: file.body }
}

describe('a CSV export', () => {
  test('[LIST-EXPORT-001] [LIST-EXPORT-002] [LIST-JOB-001] takes the list’s own filters and comes as a link to the window that asked', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const started = await ask(
      person,
      'GET',
      '/clients/1/divisions/export_csv?q[name_cont]=Division%2001&q[s]=name%20desc&connection_id=window-1',
    )
    expect(started.body).toEqual({ success: true, message: 'Divisions export started', task_id: expect.any(Number) })
    expect(await settled(started.body['task_id'])).toEqual({ state: 'done', error: null, rows_done: 10 })
    const { rows } = await sql<{
      type: string
      connection_id: string
      link: string
      message: string
    }>`select type, connection_id, link, message from notifications where user_id = ${person.id}`.execute(db)
    expect(rows).toEqual([
      {
        type: 'csv_export',
        connection_id: 'window-1',
        link: `/api/v5/tasks/${String(started.body['task_id'])}/file`,
        message: 'Divisions export is ready',
      },
    ])
    const file = await download(person, started.body['task_id'])
    const lines = file.text.trimEnd().split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[0]).toMatch(/^ID,Name,/)
    expect(lines[1]).toMatch(/^19,Division 019,/)
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(file.headers['x-content-type-options']).toBe('nosniff')
    expect(String(file.headers['content-disposition'])).toMatch(/^attachment; filename="C1_divisions_\d{8}_\d{4}\.csv"/)
  })

  test('never holds rows outside the reach, and defuses what a spreadsheet would run', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const started = await ask(person, 'GET', '/clients/1/divisions/export_csv?q[id_in]=101,102,201')
    expect(await settled(started.body['task_id'])).toMatchObject({ state: 'done', rows_done: 2 })
    const { text } = await download(person, started.body['task_id'])
    expect(text).toContain("101,'=cmd|x")
    expect(text).toContain("'+1")
    expect(text).toContain('"Two\nlines, ""quoted"""')
    expect(text).toContain("'@a")
    expect(text).not.toContain('Foreign')
  })

  test('has the chosen columns in their order, without those that only an import needs', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const started = await ask(person, 'GET', '/clients/1/divisions/export_csv?columns=short_code,name&q[id_in]=102')
    expect(await settled(started.body['task_id'])).toMatchObject({ state: 'done', rows_done: 1 })
    expect((await download(person, started.body['task_id'])).text).toBe('Short Code,Name\n\'@a,"Two\nlines, ""quoted"""\n')
    const unknown = await ask(person, 'GET', '/clients/1/divisions/export_csv?columns=name,password')
    expect([unknown.status, unknown.body['errors']]).toEqual([
      422,
      expect.objectContaining({ fields: { columns: ['password is no column of this list'] } }),
    ])
    expect((await ask(person, 'GET', '/clients/1/divisions/export_csv?columns=')).status).toBe(422)
    expect((await ask(person, 'GET', '/clients/1/divisions/export_csv?format=ods')).status).toBe(422)
  })

  test('is a workbook on wish: the same rows, numbers as numbers, texts without the quote that keeps a CSV from running', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const started = await ask(person, 'GET', '/clients/1/divisions/export_csv?format=xlsx&columns=id,name,code&q[s]=id%20desc')
    expect(await settled(started.body['task_id'])).toMatchObject({ state: 'done', rows_done: 32 })
    const file = await download(person, started.body['task_id'])
    expect(file.headers['content-type']).toContain('spreadsheetml')
    expect(String(file.headers['content-disposition'])).toMatch(/^attachment; filename="C1_divisions_\d{8}_\d{4}\.xlsx"/)
    // The reader trims its texts.
    const sheets = new Map((await readExcelFile(file.rawPayload)).map(({ sheet, data }) => [sheet, data]))
    expect(sheets.get('Divisions')?.slice(0, 4)).toEqual([
      ['ID', 'Name', 'Code'],
      [102, 'Two\nlines, "quoted"', 'tab'],
      [101, '=cmd|x', '-2'],
      [30, 'Division 030', 'X30'],
    ])
    expect(sheets.get('About')?.slice(0, 2)).toEqual([
      ['List', 'Divisions'],
      ['Client', 'Client 1'],
    ])
  })

  test('runs with the rights of the moment: whoever lost them gets nothing', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const waiting = await sql<{
      id: number
    }>`insert into tasks (user_id, client_id, kind, input) select ${person.id}, 1, kind, jsonb_set(input, '{reach}', '[{"clients":[1],"narrowed":{}}]') from tasks where kind = 'csv_export' limit 1 returning id`.execute(
      db,
    )
    await sql`delete from user_role_clients where user_role_id in (select id from user_roles where user_id = ${person.id})`.execute(db)
    const id = waiting.rows[0]?.id ?? 0
    await app.machinery.jobs.send(db, 'task', { task_id: id, user_id: person.id })
    expect(await settled(id)).toMatchObject({ state: 'failed', error: 'You may not export this any more.' })
    const { rows } = await sql<{
      error: boolean
      description: string[]
    }>`select error, description from notifications where user_id = ${person.id}`.execute(db)
    expect(rows).toEqual([{ error: true, description: ['You may not export this any more.'] }])
  })

  test('its file is given to nobody who has lost a right that it was written with, and again to who has it back', async () => {
    const fileOf = async (person: Person, taskId: unknown) => {
      app.machinery.sessions.forgetUser(person.id)
      return (await ask(person, 'GET', `/tasks/${String(taskId)}/file`)).status
    }
    const written = async (person: Person, path: string) => {
      const { body } = await ask(person, 'GET', path)
      expect(await settled(body['task_id'])).toMatchObject({ state: 'done' })
      expect(await fileOf(person, body['task_id'])).toBe(200)
      return body['task_id']
    }
    const demoted = await makePerson(db, 'client_admin', { clients: [1] })
    const ofDemoted = await written(demoted, '/clients/1/divisions/export_csv')
    const roleTo = (role: string) =>
      sql`update user_roles set role_id = (select id from roles where name = ${role}) where user_id = ${demoted.id}`.execute(db)
    await roleTo('read_only_user')
    expect(await fileOf(demoted, ofDemoted)).toBe(403)
    await roleTo('client_admin')
    expect(await fileOf(demoted, ofDemoted)).toBe(200)
    const narrowed = await makePerson(db, 'client_manager', { clients: [1] })
    const ofNarrowed = await written(narrowed, '/clients/1/divisions/export_csv')
    await sql`insert into user_role_divisions (client_id, user_role_id, division_id) select 1, id, 101 from user_roles where user_id = ${narrowed.id}`.execute(
      db,
    )
    expect(await fileOf(narrowed, ofNarrowed)).toBe(403)
    // A file of no client, which was judged by nothing.
    const bound = await makePerson(db, 'muc_admin')
    const ofBound = await written(bound, '/vendors/export_csv')
    await addRole(db, bound.id, 'muc_admin', { clients: [1] })
    expect(await fileOf(bound, ofBound)).toBe(200)
    await sql`delete from user_roles where user_id = ${bound.id} and not exists (select from user_role_clients where user_role_id = user_roles.id)`.execute(
      db,
    )
    expect(await fileOf(bound, ofBound)).toBe(403)
  })

  test('two clicks within two seconds are one export; another window’s is another', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const click = (window: string) => ask(person, 'GET', `/clients/1/divisions/export_csv?connection_id=${window}`)
    const [first, second, other] = [await click('a'), await click('a'), await click('b')]
    expect(second.body['task_id']).toBe(first.body['task_id'])
    expect(other.body['task_id']).not.toBe(first.body['task_id'])
    await settled(first.body['task_id'])
    await settled(other.body['task_id'])
  })

  test('an unknown filter is refused by name, and nothing is started', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const refused = await ask(person, 'GET', '/clients/1/divisions/export_csv?q[nothing_cont]=x')
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('nothing_cont')
    const { rows } = await sql`select id from tasks where user_id = ${person.id}`.execute(db)
    expect(rows).toEqual([])
  })

  test('more than twelve that are open are refused with 429', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    await sql`insert into tasks (user_id, kind, input) select ${person.id}, 'csv_export', '{}' from generate_series(1, 12)`.execute(db)
    expect((await ask(person, 'GET', '/clients/1/divisions/export_csv')).status).toBe(429)
    await sql`delete from tasks where user_id = ${person.id}`.execute(db)
  })

  test('somebody else’s file is not found, and neither is one’s own of a client that was lost', async () => {
    const person = await makePerson(db, 'client_admin', { clients: [1] })
    const other = await makePerson(db, 'client_admin', { clients: [1] })
    const started = await ask(person, 'GET', '/clients/1/divisions/export_csv')
    await settled(started.body['task_id'])
    expect((await ask(other, 'GET', `/tasks/${String(started.body['task_id'])}/file`)).status).toBe(404)
    await sql`delete from user_roles where user_id = ${person.id}`.execute(db)
    await addRole(db, person.id, 'client_admin', { clients: [2] })
    app.machinery.sessions.forgetUser(person.id)
    expect((await ask(person, 'GET', `/tasks/${String(started.body['task_id'])}/file`)).status).toBe(404)
  })

  test('[BILL-MSG-001] [USER-MSG-002] [CVN-MSG-002] [CBATCH-MSG-003] [VBATCH-MSG-003] the start says the product’s words', async () => {
    const { exportStartedMessage } = await import('#contract/tasks/task.ts')
    expect([
      exportStartedMessage('bills', 'Bills'),
      exportStartedMessage('users', 'Users'),
      exportStartedMessage('client_vendor_numbers', 'Client Vendor Numbers'),
    ]).toEqual(['bills export started', 'Users export started', 'Client Vendor Numbers export started'])
    expect([exportStartedMessage('accounting_batches', 'x'), exportStartedMessage('payment_batches', 'x')]).toEqual([
      'Client batch export started',
      'Vendor batches export started',
    ])
  })

  test('the file is named by the New York minute', () => {
    setClock('2026-11-22T03:59:00Z')
    expect(exportFileName('bills')).toBe('bills_20261121_2259.csv')
    expect(exportFileName('bills', { ending: 'xlsx', code: 'A&B / Süd ' })).toBe('A-B-Süd_bills_20261121_2259.xlsx')
  })
})

describe('the rights of an export', () => {
  const principal = (grants: Principal['grants']): Principal => ({ user_id: 1, email: '', grants, masked: new Map(), session_id: 0 })
  const grant = (clients: 'all' | number[], narrowed: Record<string, number[]> = {}) => ({
    role: 'client_admin',
    permissions: { bill: ['read'] as const },
    clients,
    narrowed,
  })

  test('are what was reached then and is reached now', () => {
    const now = principal([grant([2, 3])])
    expect(presentReach([{ clients: [1, 2], narrowed: {} }], now, 'bill.read')).toEqual([{ clients: [2], narrowed: {} }])
    expect(presentReach([{ clients: 'all', narrowed: {} }], now, 'bill.read')).toEqual([{ clients: [2, 3], narrowed: {} }])
    expect(presentReach([{ clients: [2], narrowed: {} }], now, 'bill.destroy')).toEqual([])
    expect(presentReach([{ clients: [2], narrowed: {} }], principal([grant([2], { division: [7] })]), 'bill.read')).toEqual([
      { clients: [2], narrowed: { division: [7] } },
    ])
    expect(presentReach([{ clients: [2], narrowed: { division: [8] } }], principal([grant([2], { division: [7] })]), 'bill.read')).toEqual(
      [],
    )
  })
})

describe('literals of a statement', () => {
  test.each([["it's", 'back\\slash', '$1', "'; drop table x; --", 'ü🙂', '']])(
    'mean to the database what its parameters mean',
    async (...texts) => {
      const statement = sql`select ${texts}::text[] as list, ${texts[0]}::text as one, ${null}::text as none, ${-5}::bigint + 1 as number, ${true}::boolean as yes, '$2' as quoted, ${Buffer.from([0, 255])}::bytea as bytes`
      const { rows: bound } = await statement.execute(db)
      const { rows: written } = await database.pool.query(asLiterals(statement.compile(db)))
      expect(written).toEqual(bound)
    },
  )

  test('a parameter that is not there, or has no literal, is a fault', () => {
    expect(() => asLiterals({ sql: 'select $2', parameters: [1] })).toThrow('no parameter 2')
    expect(() => asLiterals({ sql: 'select $1', parameters: [{}] })).toThrow('no literal')
    expect(() => asLiterals({ sql: 'select $1', parameters: ['a\u0000b'] })).toThrow('NUL')
  })
})
