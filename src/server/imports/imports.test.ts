/** Tests CSV imports over HTTP on a real PostgreSQL: stored, refused and undone rows. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { importKindNames, importKinds } from '#contract/imports/import.ts'
import { importFileCalls } from '#contract/imports/import-calls.ts'
import { importExample, importGuide, importTemplate } from '#contract/kernel/import-guide.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'
import { formOf } from '../../../test/support/forms.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  app,
  database: { db },
} = testApp
const { post, send, commit, undo, rows } = importsOf(testApp)
let staff: Person
let acme: number

beforeAll(async () => {
  acme = await makeClient(db, { name: 'Acme' })
  staff = await makePerson(db, 'super_admin')
})

/** The machine may be busy with other test files. */
const patience = { timeout: 15_000 }
/** Thirty-odd calls and imports in one test. */
const templatesTimeout = 60_000

const divisions = (client = acme) => `/clients/${client}/divisions/import`
const facilities = (client = acme) => `/clients/${client}/facilities/import`

async function stored(table: string, client: number, columns: string) {
  const { rows: found } = await sql<
    Record<string, unknown>
  >`select ${sql.raw(columns)} from ${sql.table(table)} where client_id = ${client} order by id`.execute(db)
  return found
}

/** Ordered so that each kind finds the records it refers to. */
const importFileKinds = [
  'vendor',
  'client',
  'division',
  'facility',
  'billableAccount',
  'supplyAccount',
  'ledger_field',
  'ledger_account',
  'clientVendorNumber',
  'budget',
  'bills',
] as const

describe('templates and examples', () => {
  it(
    'are served for all kinds, and every import takes its own [IMPORT-API-013] [IMPORT-API-001] [IMPORT-API-002] [IMPORT-API-003] [IMPORT-API-004] [IMPORT-API-008] [IMPORT-API-005] [IMPORT-API-006] [IMPORT-API-007] [IMPORT-API-009] [FAC-IMPORT-001] [CVN-IMPORT-001]',
    async () => {
      const client = await makeClient(db)
      for (const name of importKindNames) {
        const template = await ask(staff, 'GET', `/imports/templates/${name}.csv`)
        expect(template.text).toBe(`\uFEFF${importTemplate(importKinds[name])}`)
        expect((await ask(staff, 'GET', `/imports/examples/${name}.csv`)).text).toBe(`\uFEFF${importExample(importKinds[name])}`)
      }
      expect((await ask(staff, 'GET', '/imports/templates/nothing.csv')).status).toBe(404)
      for (const kind of importFileKinds) {
        const path = importFileCalls[kind].path.replace(':client_id', String(client))
        expect((await send(staff, path, importTemplate(importKinds[kind]))).faults).toEqual(['The file has no rows below its header.'])
        const done = await send(staff, path, (await ask(staff, 'GET', `/imports/examples/${kind}.csv`)).text)
        expect({
          kind,
          state: done.state,
          counts: done.counts,
          // Findings of the audits on the example's bills are not faults of its file.
          warnings: done.warnings.filter((warning) => !warning.startsWith('Findings: ')),
          first: (await rows(staff, done.id))[0]?.errors,
        }).toEqual({
          kind,
          state: 'committed',
          counts: { rows: 2, create: 2, update: 0, unchanged: 0, refused: 0 },
          warnings: [],
          first: [],
        })
      }
    },
    templatesTimeout,
  )

  it('have a guide that says of every column what it means, what it takes and an example', () => {
    for (const name of importKindNames)
      for (const line of importGuide(importKinds[name]))
        expect([name, line.name, line.meaning !== '', line.allowed !== '']).toEqual([name, line.name, true, true])
    expect(importGuide(importKinds.billableAccount).find((line) => line.name === 'billing_period')?.allowed).toBe(
      '0 or Weekly, 1 or Bi-Weekly, 2 or Monthly, 3 or Quarterly',
    )
  })
})

describe('an import', () => {
  it('answers at once, works on, and tells the window that asked what came of it [IMPORT-RULE-001] [IMPORT-RULE-002] [IMPORT-JOB-001] [DIV-IMPORT-001]', async () => {
    const client = await makeClient(db)
    const answer = await post(staff, divisions(client), 'code,name,short_code\nA,East,E\nB,,\n', { connection_id: 'window-7' })
    expect(answer.body).toMatchObject({ success: true, message: 'Starting Import Process' })
    await expect
      .poll(async () => {
        const { rows: found } = await sql`select connection_id, message, description, payload from notifications
          where type = 'import' and payload->>'import_id' = ${String(answer.body['import_id'])}`.execute(db)
        return found
      }, patience)
      .toMatchObject([
        {
          connection_id: 'window-7',
          message: 'Import successful!',
          description: ['The import has been made successfully.', '2 rows read: 1 created, 0 updated, 0 unchanged, 1 refused'],
          payload: { kind: 'division', state: 'committed', counts: { rows: 2, create: 1, refused: 1 } },
        },
      ])
    expect(await rows(staff, Number(answer.body['import_id']), 'action=refused')).toMatchObject([
      {
        line: 3,
        label: 'B',
        errors: [
          { column: 'name', message: 'Name is required' },
          { column: 'short_code', message: 'Short Code is required' },
        ],
      },
    ])
  })

  it('takes one CSV file and nothing else [IMPORT-RULE-001]', async () => {
    const file = { filename: 'rows.csv', type: 'text/csv', bytes: Buffer.from('code\nA\n') }
    const asked = async (values: Parameters<typeof formOf>[0]) => {
      const { payload, headers } = formOf(values)
      const response = await app.server.inject({
        method: 'POST',
        url: `/api/v5${divisions()}`,
        headers: { ...staff.headers, ...headers },
        payload,
      })
      return [response.statusCode, response.body]
    }
    expect(await asked({ file: [file, file] })).toMatchObject([422, expect.stringContaining('file')])
    expect(await asked({ mode: 'dry_run' })).toMatchObject([422, expect.stringContaining('File is required')])
    expect(await asked({ file: 'text' })).toMatchObject([422, expect.stringContaining('File must be a file')])
    expect(await asked({ file, mode: 'some' })).toMatchObject([422, expect.stringContaining('Mode must be one of')])
    expect(await asked({ file: { ...file, filename: 'rows.pdf' } })).toMatchObject([422, expect.stringContaining('must be a CSV file')])
    expect(await asked({ file: { ...file, bytes: Buffer.from('PK\u0003\u0004 and so on') } })).toMatchObject([
      422,
      expect.stringContaining('Excel workbook'),
    ])
    expect(await asked({ file: { ...file, bytes: Buffer.from([0x25, 0, 1, 2]) } })).toMatchObject([
      422,
      expect.stringContaining('no CSV file'),
    ])
    expect((await ask(staff, 'POST', divisions(), { file: 'x' })).status).toBe(400)
    const { rows: left } = await sql`select key from files where key like 'imports/%' and state <> 'attached'`.execute(db)
    expect(left).toEqual([])
  })

  it.each([
    ['an empty header', 'x,y\n1,2\n', 'The first row names no column of this import. Its columns are code, name, short_code, batch_group.'],
    ['no key', 'name\nEast\n', 'The column code is missing: it says which record a row means.'],
    ['no rows', 'code,name\n', 'The file has no rows below its header.'],
    ['an open quotation mark', 'code,name\nA,"East\n', expect.stringContaining('is never closed')],
  ])('says what is wrong with a file of %s and stores nothing', async (_, csv, fault) => {
    const before = await stored('divisions', acme, 'id')
    const done = await send(staff, divisions(), csv)
    expect(done).toMatchObject({ state: 'failed', faults: [fault], may_commit: false, may_undo: false })
    expect((await ask(staff, 'POST', `/imports/${done.id}/commit`, { mode: 'valid' })).status).toBe(409)
    expect(await stored('divisions', acme, 'id')).toEqual(before)
  })

  it('reads what spreadsheets write: marks, line ends, separators, encodings, quotes, and headers in any case', async () => {
    const client = await makeClient(db)
    const latin = Buffer.concat([Buffer.from('CODE;Name;Short Code\r\nL1;Caf'), Buffer.from([0xe9, 0x20, 0x80]), Buffer.from(';L\r\n')])
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('code\tname\tshort_code\r\nW1\tZürich\tW\r\n', 'utf16le')])
    const quoted = '\uFEFFcode, NAME ,short-code\nQ1,"North, ""old""\nwing",Q\n\n"Q2",South,Q\n'
    const done = [
      await send(staff, divisions(client), latin),
      await send(staff, divisions(client), wide),
      await send(staff, divisions(client), quoted),
    ]
    expect(done.map(({ separator, encoding, counts }) => [separator, encoding, counts.create])).toEqual([
      [';', 'windows-1252', 1],
      ['\t', 'utf-16le', 1],
      [',', 'utf-8', 2],
    ])
    expect(await stored('divisions', client, 'code, name')).toEqual([
      { code: 'L1', name: 'Café €' },
      { code: 'W1', name: 'Zürich' },
      { code: 'Q1', name: 'North, "old"\nwing' },
      { code: 'Q2', name: 'South' },
    ])
    expect((await rows(staff, done[2]?.id ?? 0)).map(({ line }) => line)).toEqual([2, 5])
  })

  it('names headers that mean nothing, and columns that new rows need', async () => {
    const done = await send(staff, divisions(), 'code,nmae\nX9,East\n', { mode: 'dry_run' })
    expect(done.warnings).toEqual([
      'The file lacks name, short_code: rows that would be new are refused.',
      'The column "nmae" means nothing here and is passed over.',
    ])
    expect(done.headers).toEqual([
      { header: 'code', column: 'code' },
      { header: 'nmae', column: null },
    ])
    expect(done.counts).toMatchObject({ create: 0, refused: 1 })
  })

  it('is refused to whoever may not create, and 404 where the client is not theirs', async () => {
    const reader = await makePerson(db, 'read_only_user', { clients: [acme] })
    const other = await makePerson(db, 'client_admin', { clients: [await makeClient(db)] })
    expect((await post(reader, divisions(), 'code\nA\n')).status).toBe(403)
    expect((await post(other, divisions(), 'code\nA\n')).status).toBe(404)
    expect((await post(other, '/vendors/import', 'short_code\nA\n')).status).toBe(403)
  })
})

describe('a dry run', () => {
  it('stores nothing and says of each row what it would do; the commit does just that, the undo takes it back', async () => {
    const client = await makeClient(db)
    await send(staff, divisions(client), 'code,name,short_code\nD1,East,E\nD2,West,W\n')
    const before = await stored('divisions', client, 'id, code, name, short_code, batch_group_id')
    const dry = await send(staff, divisions(client), 'code,name,short_code\nd1,Far East,\nD2,West,W\nD3,North,N\nD4,,N\n', {
      mode: 'dry_run',
    })
    expect(dry).toMatchObject({ state: 'checked', may_commit: true, counts: { rows: 4, create: 1, update: 1, unchanged: 1, refused: 1 } })
    expect(await stored('divisions', client, 'id, code, name, short_code, batch_group_id')).toEqual(before)
    expect((await rows(staff, dry.id)).map(({ line, action, changes }) => [line, action, changes])).toEqual([
      [5, 'refused', {}],
      [2, 'update', { name: { from: 'East', to: 'Far East' } }],
      [3, 'unchanged', {}],
      [4, 'create', {}],
    ])
    expect((await ask(staff, 'POST', `/imports/${dry.id}/commit`, { mode: 'all' })).status).toBe(409)
    const done = await commit(staff, dry.id)
    expect(done).toMatchObject({ state: 'committed', may_commit: false, may_undo: true })
    expect(await stored('divisions', client, 'code, name, short_code, lock_version')).toEqual([
      { code: 'D1', name: 'Far East', short_code: 'E', lock_version: 1 },
      { code: 'D2', name: 'West', short_code: 'W', lock_version: 0 },
      { code: 'D3', name: 'North', short_code: 'N', lock_version: 0 },
    ])
    expect((await ask(staff, 'POST', `/imports/${dry.id}/commit`, { mode: 'valid' })).status).toBe(409)
    expect(await undo(staff, dry.id)).toMatchObject({ state: 'undone', may_undo: false })
    expect(await stored('divisions', client, 'id, code, name, short_code, batch_group_id')).toEqual(before)
  })

  it('binds the commit: a row that would do something else by then is refused', async () => {
    const client = await makeClient(db)
    await send(staff, divisions(client), 'code,name,short_code\nD1,East,E\n')
    const dry = await send(staff, divisions(client), 'code,name,short_code\nD1,Far East,E\nD2,West,W\nD3,North,N\n', { mode: 'dry_run' })
    await ask(staff, 'POST', `/clients/${client}/divisions`, { division: { code: 'D2', name: 'Mine', short_code: 'W' } })
    await sql`update divisions set name = 'Near East', lock_version = lock_version + 1 where client_id = ${client} and code = 'D1'`.execute(
      db,
    )
    const done = await commit(staff, dry.id)
    expect(done.counts).toEqual({ rows: 3, create: 1, update: 0, unchanged: 0, refused: 2 })
    expect((await stored('divisions', client, 'name')).map(({ name }) => name)).toEqual(['Near East', 'Mine', 'North'])
  })
})

describe('rows', () => {
  it('are all stored or none in the mode all', async () => {
    const client = await makeClient(db)
    const refused = await send(staff, divisions(client), 'code,name,short_code\nD1,East,E\nD2,,W\n', { mode: 'all' })
    expect(refused).toMatchObject({ state: 'checked', error: '1 of 2 rows are refused, so nothing was stored.', counts: { refused: 1 } })
    expect(await stored('divisions', client, 'id')).toEqual([])
    expect((await send(staff, divisions(client), 'code,name,short_code\nD1,East,E\nD2,West,W\n', { mode: 'all' })).state).toBe('committed')
  })

  it('leave what is blank and empty what says #CLEAR', async () => {
    const client = await makeClient(db)
    await makeDivision(db, client)
    const type = await sql<{ name: string }>`select name from facility_types order by id limit 1`.execute(db)
    const name = type.rows[0]?.name ?? ''
    await send(
      staff,
      facilities(client),
      `number,name,division_code,facility_type,square_footage\n1,One,D,${name},"1,200.5"\n2,Two,D,${name},9\n`,
    )
    const done = await send(
      staff,
      facilities(client),
      'number,name,division_code,facility_type,square_footage\n1,,,,\n2,#CLEAR,,#clear,#CLEAR\n3,,D,,\n',
    )
    expect((await rows(staff, done.id)).map(({ action, errors }) => [action, errors.map((error) => error.message)])).toEqual([
      ['refused', ['Name is required']],
      ['refused', ['Name is required']],
      ['unchanged', []],
    ])
    await send(staff, facilities(client), 'number,facility_type,square_footage\n2,#clear,#CLEAR\n')
    expect(await stored('facilities', client, 'number, square_footage, facility_type_id is null as untyped')).toEqual([
      { number: '1', square_footage: '1200.5000', untyped: false },
      { number: '2', square_footage: null, untyped: true },
    ])
  })

  it('that say the same key twice are refused but for the first, and so are those whose key several records have', async () => {
    const client = await makeClient(db)
    await makeDivision(db, client)
    await makeDivision(db, client)
    const done = await send(staff, divisions(client), 'code,name,short_code\nA,One,1\nB,Two,2\na,Three,3\nD,Four,4\n', { mode: 'dry_run' })
    expect((await rows(staff, done.id)).map(({ line, action, errors }) => [line, action, errors[0]?.message])).toEqual([
      [4, 'refused', 'Line 2 means the same record'],
      [5, 'refused', 'Several records have this code'],
      [2, 'create', undefined],
      [3, 'create', undefined],
    ])
  })

  it('that name what is not there are told what comes closest', async () => {
    const client = await makeClient(db)
    await send(staff, divisions(client), 'code,name,short_code\nEAST-01,East,E\nWEST-01,West,W\n')
    const done = await send(
      staff,
      facilities(client),
      'number,name,division_code,production_units\n1,One,EAST-1,\n2,Two,east-01,No such thing\n',
      { mode: 'dry_run' },
    )
    expect((await rows(staff, done.id)).map(({ errors }) => errors)).toEqual([
      [{ column: 'division_code', message: 'This record cannot be found', suggestions: ['EAST-01'] }],
      [{ column: 'production_units', message: 'This record cannot be found', suggestions: [] }],
    ])
  })

  it('that are refused come back as a CSV, and are stored once they are mended', async () => {
    const client = await makeClient(db)
    const done = await send(staff, divisions(client), 'code;name;short_code\nD1;East;E\nD2;;=W\nD3;"North; far";\n')
    const { body } = await ask(staff, 'GET', `/imports/${done.id}/refused.csv`)
    expect(body['filename']).toBe('rows_refused.csv')
    const { text } = await ask(null, 'GET', String(body['url']).replace(/^.*\/api\/v5/, ''))
    expect(text).toBe(
      '\uFEFFcode,name,short_code,errors\r\nD2,,\'=W,name: Name is required\r\nD3,"North; far",,short_code: Short Code is required\r\n',
    )
    const mended = await send(staff, divisions(client), text.replace('D2,,', 'D2,West,').replace('far",,', 'far",N,'))
    expect(mended).toMatchObject({ counts: { create: 2, refused: 0 }, warnings: [] })
    expect((await stored('divisions', client, 'short_code')).map(({ short_code: code }) => code)).toEqual(['E', '=W', 'N'])
    expect((await ask(staff, 'GET', `/imports/${mended.id}/refused.csv`)).status).toBe(404)
  })

  it('leave the trail that a form leaves', async () => {
    const client = await makeClient(db)
    const form = await ask(staff, 'POST', `/clients/${client}/divisions`, { division: { code: 'A', name: 'East', short_code: 'E' } })
    await ask(staff, 'PATCH', `/clients/${client}/divisions/${String(form.body['id'])}`, { division: { name: 'Far East' } })
    await send(staff, divisions(client), 'code,name,short_code\nB,East,E\n')
    await send(staff, divisions(client), 'code,name,short_code\nB,Far East,E\n')
    const { rows: trail } = await sql<{
      item_id: number
      event: string
      object_changes: Record<string, unknown>
    }>`select item_id, event, user_id, object_changes
      from audit_records where client_id = ${client} and item_type = 'division' order by id`.execute(db)
    const [byForm, byFile] = [
      trail.filter((one) => one.item_id === form.body['id']),
      trail.filter((one) => one.item_id !== form.body['id']),
    ]
    const said = (one: (typeof trail)[number]) => [one.event, { ...one.object_changes, code: undefined }]
    expect(byFile).toHaveLength(2)
    expect(byFile.map(said)).toEqual(byForm.map(said))
  })

  it('raise the data version of their client once, so that lists count anew', async () => {
    const client = await makeClient(db)
    const total = async () => (await ask(staff, 'GET', `/clients/${client}/divisions`)).body['total']
    expect(await total()).toBe(0)
    await send(staff, divisions(client), 'code,name,short_code\nA,East,E\nB,West,W\n')
    expect(await total()).toBe(2)
    expect(await stored('data_versions', client, 'version').catch(() => [])).toBeDefined()
  })
})

describe('a role that is narrowed', () => {
  it('changes and makes what lies in its part alone, and learns nothing of the rest', async () => {
    const client = await makeClient(db)
    await send(staff, divisions(client), 'code,name,short_code\nMINE,Mine,M\nTHEIRS,Theirs,T\n')
    await send(staff, facilities(client), 'number,name,division_code\n1,My own,MINE\n2,Their own,THEIRS\n')
    const [mine] = await stored('divisions', client, 'id')
    const manager = await makePerson(db, 'client_manager', { clients: [client], division: [[client, Number(mine?.['id'])]] })
    const done = await send(manager, facilities(client), 'number,name,division_code\n1,Renamed,\n2,Taken,\n3,New,MINE\n4,Far,THEIRS\n')
    expect((await rows(manager, done.id)).map(({ line, action, errors }) => [line, action, errors.map((error) => error.message)])).toEqual([
      // Records outside the reach count as missing: a row without a division is new, and lacks it.
      [3, 'refused', ['Division is required']],
      [5, 'refused', ['This record cannot be found']],
      [2, 'update', []],
      [4, 'create', []],
    ])
    expect((await stored('facilities', client, 'name')).map(({ name }) => name)).toEqual(['Renamed', 'Their own', 'New'])
    const outside = await send(manager, divisions(client), 'code,name,short_code\nNEW,New,N\nMINE,Ours,M\n')
    expect((await rows(manager, outside.id)).map(({ action, errors }) => [action, errors[0]?.message])).toEqual([
      ['refused', 'Your role reaches a part of this client only, and this would lie outside of it.'],
      ['update', undefined],
    ])
    const onFacility = await makePerson(db, 'client_manager', {
      clients: [client],
      facility: [[client, Number((await stored('facilities', client, 'id'))[0]?.['id'])]],
    })
    const none = await send(onFacility, facilities(client), 'number,name,division_code\n9,New,MINE\n')
    expect(none.counts.refused).toBe(1)
  })

  it('undoes no import, also not one that it made for the whole client before it was narrowed', async () => {
    const client = await makeClient(db)
    await send(staff, divisions(client), 'code,name,short_code\nMINE,Mine,M\nTHEIRS,Theirs,T\n')
    const [mine] = await stored('divisions', client, 'id')
    const manager = await makePerson(db, 'client_manager', { clients: [client] })
    const done = await send(manager, divisions(client), 'code,name,short_code\nTHEIRS,Renamed,T\n')
    expect(done).toMatchObject({ state: 'committed', may_undo: true })
    await sql`insert into user_role_divisions (client_id, user_role_id, division_id) select ${client}, id, ${Number(mine?.['id'])} from user_roles where user_id = ${manager.id}`.execute(
      db,
    )
    app.machinery.sessions.forgetUser(manager.id)
    expect((await ask(manager, 'GET', `/imports/${done.id}`)).body).toMatchObject({ import: { may_undo: false } })
    expect((await ask(manager, 'POST', `/imports/${done.id}/undo`)).status).toBe(409)
    // A task that was started before the narrowing.
    await sql`update imports set state = 'undoing' where id = ${done.id}`.execute(db)
    const { rows } = await sql<{ id: number }>`insert into tasks (client_id, user_id, kind, input)
      select ${client}, ${manager.id}, 'import_undo', jsonb_build_object('import_id', ${done.id}::int, 'labels', 'Divisions', 'committing', true) returning id`.execute(
      db,
    )
    await sql`update imports set task_id = ${rows[0]?.id} where id = ${done.id}`.execute(db)
    await app.machinery.jobs.send(db, 'task', { task_id: rows[0]?.id ?? 0, user_id: manager.id })
    await vi.waitFor(async () => {
      const { rows: tasks } = await sql`select state, error from tasks where id = ${rows[0]?.id}`.execute(db)
      expect(tasks).toEqual([{ state: 'failed', error: 'You may not undo this any more.' }])
    })
    expect((await stored('divisions', client, 'name')).map(({ name }) => name)).toEqual(['Mine', 'Renamed'])
  })

  it('sees its own imports; staff see all', async () => {
    const client = await makeClient(db)
    const admin = await makePerson(db, 'client_admin', { clients: [client] })
    const colleague = await makePerson(db, 'client_admin', { clients: [client] })
    const { id } = await send(admin, divisions(client), 'code,name,short_code\nA,East,E\n')
    expect((await ask(admin, 'GET', `/imports?kind=division&client_id=${client}`)).body).toMatchObject({
      total: 1,
      imports: [{ id, may_undo: true }],
    })
    expect((await ask(colleague, 'GET', '/imports')).body).toMatchObject({ total: 0, imports: [] })
    expect((await ask(staff, 'GET', `/imports?client_id=${client}`)).body).toMatchObject({ total: 1, imports: [{ id }] })
    for (const path of [`/imports/${id}`, `/imports/${id}/rows`, `/imports/${id}/refused.csv`])
      expect((await ask(colleague, 'GET', path)).status).toBe(404)
    expect((await ask(colleague, 'POST', `/imports/${id}/undo`)).status).toBe(404)
    await sql`delete from user_role_clients where client_id = ${client}`.execute(db)
    app.machinery.sessions.forgetAll()
    expect((await ask(admin, 'GET', `/imports/${id}`)).status).toBe(404)
  })
})

describe('what a form refuses', () => {
  const long = 'x'.repeat(300)
  it.each([
    ['division', 'name', long],
    ['division', 'short_code', long],
    ['facility', 'square_footage', '-1'],
    ['facility', 'square_footage', '1.23456'],
    ['facility', 'square_footage', 'many'],
    ['facility', 'number', long],
    ['billableAccount', 'state', 'Atlantis'],
    ['billableAccount', 'billing_cycle', '0'],
    ['billableAccount', 'billing_cycle', '1.5'],
    ['billableAccount', 'billing_period', 'Daily'],
    ['billableAccount', 'active', 'perhaps'],
    ['vendor', 'payment_terms_days', '400'],
    ['vendor', 'phone', long],
  ] as const)('%s: the %s %s is refused by the import in the same words', async (kind, key, value) => {
    const calls = { division: 'divisions', facility: 'facilities', billableAccount: 'billable_accounts', vendor: 'vendors' } as const
    const envelope = { division: 'division', facility: 'facility', billableAccount: 'billable_account', vendor: 'vendor' } as const
    const base = kind === 'vendor' ? '/vendors' : `/clients/${acme}/${calls[kind]}`
    const number = /^-?\d/.test(value) && ['billing_cycle', 'payment_terms_days'].includes(key) ? Number(value) : value
    const form = await ask(staff, 'POST', base, { [envelope[kind]]: { [key]: number } })
    const { errors } = form.body
    const said = typeof errors === 'object' && errors !== null && 'fields' in errors ? Reflect.get(Object(errors.fields), key) : undefined
    const { columns } = importKinds[kind]
    const name = columns.find((column) => column.key === key)?.name ?? key
    const others = columns
      .filter((column) => importKinds[kind].key.includes(column.name) && column.name !== name)
      .map((column) => column.name)
    const done = await send(staff, `${base}/import`, `${[name, ...others].join(',')}\n${[value, ...others.map(() => 'zz')].join(',')}\n`, {
      mode: 'dry_run',
    })
    const [row] = await rows(staff, done.id)
    const told = row?.errors.filter((error) => error.column === name).map((error) => error.message)
    expect(said).toBeDefined()
    expect(told).toEqual(said)
  })

  it('is required there too: each field that a new record needs', async () => {
    const form = await ask(staff, 'POST', `/clients/${acme}/billable_accounts`, { billable_account: {} })
    const { errors } = form.body
    const fields: unknown = typeof errors === 'object' && errors !== null && 'fields' in errors ? errors.fields : {}
    const done = await send(staff, `/clients/${acme}/billable_accounts/import`, 'account_number,vendor_short_code,notes\n,,x\n', {
      mode: 'dry_run',
    })
    const [row] = await rows(staff, done.id)
    const told = row?.errors.map(({ message }) => message).toSorted()
    expect(told).toEqual(Object.values(Object(fields)).flat().toSorted())
  })

  it('a subaccount or an account with meters becomes no group account by a file either', async () => {
    const client = await makeClient(db)
    const facility = await makeFacility(db, client, await makeDivision(db, client))
    const vendor = await makeVendor(db)
    const account = await makeBillableAccount(db, client, facility, vendor, { account_number: 'G-1' })
    await sql`insert into services (client_id, billable_account_id, meter_number) values (${client}, ${account}, 'M')`.execute(db)
    const { rows: code } = await sql<{ short_code: string }>`select short_code from vendors where id = ${vendor}`.execute(db)
    const done = await send(
      staff,
      `/clients/${client}/billable_accounts/import`,
      `account_number,vendor_short_code,is_group_account\nG-1,${code[0]?.short_code},Y\n`,
    )
    expect((await rows(staff, done.id))[0]?.errors).toEqual([
      { column: 'is_group_account', message: 'Group Account cannot change once the account has services', suggestions: [] },
    ])
  })
})

describe('an undo', () => {
  it('is refused with a reason while something hangs on what was created, or a record was changed since', async () => {
    const client = await makeClient(db)
    const first = await send(staff, divisions(client), 'code,name,short_code\nA,East,E\nB,West,W\n')
    const second = await send(staff, facilities(client), 'number,name,division_code\n1,One,A\n')
    expect(await undo(staff, first.id)).toMatchObject({
      state: 'committed',
      error: 'Records that the import created are in use: facilities depend on them.',
    })
    const [facility] = await stored('facilities', client, 'id')
    await ask(staff, 'PATCH', `/clients/${client}/facilities/${String(facility?.['id'])}`, { facility: { name: 'Changed' } })
    expect(await undo(staff, second.id)).toMatchObject({
      state: 'committed',
      error: '1 record was changed since the import; the first is on line 2 of the file.',
    })
    await ask(staff, 'DELETE', `/clients/${client}/facilities/${String(facility?.['id'])}`)
    expect((await undo(staff, second.id)).error).toBe('1 record was deleted since the import; the first is on line 2 of the file.')
    expect(await undo(staff, first.id)).toMatchObject({ state: 'undone', error: null })
    expect(await stored('divisions', client, 'id')).toEqual([])
  })

  it('of the later import makes way for that of the earlier one', async () => {
    const client = await makeClient(db)
    const first = await send(staff, divisions(client), 'code,name,short_code\nA,East,E\n')
    const second = await send(staff, divisions(client), 'code,name,short_code\nA,Far East,E\n')
    expect((await undo(staff, first.id)).state).toBe('committed')
    expect((await undo(staff, second.id)).state).toBe('undone')
    expect((await undo(staff, first.id)).state).toBe('undone')
    expect(await stored('divisions', client, 'id')).toEqual([])
    const { rows: trail } = await sql<{
      event: string
    }>`select event from audit_records where client_id = ${client} and item_type = 'division' order by id`.execute(db)
    expect(trail.map(({ event }) => event)).toEqual(['create', 'update', 'update', 'destroy'])
  })

  it('keeps clients, which are never deleted', async () => {
    const made = await send(staff, '/clients/import', 'short_code,name,identifier\nUNDO-1,Undo me,U1\n')
    expect(made).toMatchObject({ may_undo: false, undo_refusal: 'Clients are never deleted. Deactivate them instead.' })
    const changed = await send(staff, '/clients/import', 'short_code,name,active\nUNDO-1,Renamed,N\n')
    expect((await undo(staff, changed.id)).state).toBe('undone')
    const { rows: found } = await sql`select name, active from clients where short_code = 'UNDO-1'`.execute(db)
    expect(found).toEqual([{ name: 'Undo me', active: true }])
  })
})

describe('a vendor import', () => {
  it('keeps bank numbers sealed from the first moment, and what they change waits for a second person [VEND-IMPORT-001]', async () => {
    const first = await send(
      staff,
      '/vendors/import',
      'short_code,name,po_box,payment_methods,aliases,exclusive\nBANK,Bank Co,021000021,Check;ACH,The Bank;Bankers,yes\n',
    )
    expect(first.counts).toMatchObject({ create: 1 })
    const [row] = await rows(staff, first.id)
    const id = row?.item_id ?? 0
    expect(row?.cells['po_box']).toBe('•••••0021')
    const { rows: kept } = await sql<{
      text: string
    }>`select import_rows::text as text from import_rows where import_id = ${first.id}`.execute(db)
    expect(kept[0]?.text).not.toContain('021000021')
    const { rows: trail } = await sql<{
      text: string
    }>`select object_changes::text as text from audit_records where item_type in ('vendor', 'vendor_bank_change') order by id desc limit 2`.execute(
      db,
    )
    expect(trail.some(({ text }) => text.includes('[secret]'))).toBe(true)
    expect(trail.some(({ text }) => text.includes('021000021'))).toBe(false)
    const read = await ask(staff, 'GET', `/vendors/${id}`)
    expect(read.body['vendor']).toMatchObject({ po_box: null, is_exclusive: true, payment_methods: [{ name: 'Check' }, { name: 'ACH' }] })
    const approve = async () => {
      const { rows: waiting } = await sql<{
        id: number
      }>`select id from vendor_bank_changes where vendor_id = ${id} and state = 'waiting'`.execute(db)
      const second = await makePerson(db, 'muc_admin')
      expect((await ask(second, 'POST', `/vendor_bank_changes/${waiting[0]?.id ?? 0}/approve`)).status).toBe(200)
    }
    await approve()
    const aliases = async () =>
      (await sql<{ alias: string }>`select alias from vendor_aliases where vendor_id = ${id} order by alias`.execute(db)).rows.map(
        ({ alias }) => alias,
      )
    expect(await aliases()).toEqual(['Bankers', 'The Bank'])
    const again = await send(staff, '/vendors/import', 'short_code,po_box\nBANK,021000021\n')
    expect(again.counts).toMatchObject({ unchanged: 1 })
    const masked = await send(staff, '/vendors/import', 'short_code,po_box\nBANK,•••••0021\nbank2,•••••0021\n')
    expect(masked.counts).toMatchObject({ unchanged: 1, refused: 1 })
    const changed = await send(staff, '/vendors/import', 'short_code,po_box,aliases\nBANK,011401533,Only\n')
    expect((await rows(staff, changed.id))[0]?.changes).toEqual({
      po_box: { from: '•••••', to: '•••••' },
      aliases: { from: 'Bankers; The Bank', to: 'Only' },
    })
    expect(await aliases()).toEqual(['Only'])
    expect((await undo(staff, changed.id)).state).toBe('undone')
    expect((await ask(staff, 'GET', `/vendors/${id}`)).body['vendor']).toMatchObject({ po_box: '•••••0021' })
    expect(await aliases()).toEqual(['Bankers', 'The Bank'])
  })
})

describe('a file', () => {
  it('of vendors is sent, stored and undone with a recent password; one of divisions without', async () => {
    const old = await makePerson(db, 'super_admin')
    const provenAt = (at: string) => sql`update sessions set proven_at = ${at} where user_id = ${old.id}`.execute(db)
    const dry = await send(old, '/vendors/import', 'short_code,name\nOLDP,Old Password\n', { mode: 'dry_run' })
    await provenAt('2020-01-01')
    const unproven = { status: 403, body: { code: 'not_proven' } }
    expect(await post(old, '/vendors/import', 'short_code,name\nOLDQ,Old\n')).toMatchObject(unproven)
    expect(await ask(old, 'POST', `/imports/${dry.id}/commit`, { mode: 'valid' })).toMatchObject(unproven)
    expect((await post(old, divisions(), 'code,name,short_code\nOLDP,Old,OP\n')).status).toBe(200)
    await provenAt('2100-01-01')
    expect(await commit(old, dry.id)).toMatchObject({ state: 'committed' })
    await provenAt('2020-01-01')
    expect(await ask(old, 'POST', `/imports/${dry.id}/undo`)).toMatchObject(unproven)
  })
})

describe('other names of a vendor', () => {
  it('are five at most, as in its form', async () => {
    const sent = await send(staff, '/vendors/import', 'short_code,name,aliases\nSIX,Six,1;2;3;4;5;6\nFIVE,Five,1;2;3;4;5\n')
    expect((await rows(staff, sent.id)).map(({ errors }) => errors.map(({ message }) => message))).toEqual([
      ['Aliases must have at most 5 entries'],
      [],
    ])
  })
})

describe('a move', () => {
  it('of a facility to another division takes the bills of its accounts along, and its undo brings them back', async () => {
    const client = await makeClient(db)
    await send(staff, divisions(client), 'code,name,short_code\nA,East,E\nB,West,W\n')
    await send(staff, facilities(client), 'number,name,division_code\n1,One,A\n')
    const [place] = await stored('facilities', client, 'id, division_id')
    const account = await makeBillableAccount(db, client, Number(place?.['id']), await makeVendor(db))
    await sql`insert into bills (client_id, billable_account_id, account_number, facility_id, division_id, date, due_date)
      values (${client}, ${account}, '1', ${Number(place?.['id'])}, ${Number(place?.['division_id'])}, '2026-01-01', '2026-01-20')`.execute(
      db,
    )
    const at = async () =>
      (
        await sql<{
          code: string
        }>`select divisions.code from bills join divisions on divisions.id = bills.division_id where bills.client_id = ${client}`.execute(
          db,
        )
      ).rows
    const moved = await send(staff, facilities(client), 'number,division_code\n1,B\n')
    expect((await rows(staff, moved.id))[0]?.changes).toEqual({ division_code: { from: 'A', to: 'B' } })
    expect(await at()).toEqual([{ code: 'B' }])
    await undo(staff, moved.id)
    expect(await at()).toEqual([{ code: 'A' }])
  })
})
