import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#contract/kernel/date.ts'
import { uploadKindNames, uploadKinds, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { loadPrincipal } from '../access/access.ts'
import { setClock, today } from '../kernel/clock.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import { generatedKey, type FilePurpose } from '../kernel/files/files.ts'
import { sweepFiles } from '../kernel/work/housekeeping.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { letter, pngHead, workbook, zipOf } from '../../../test/support/forms.ts'
import { plainName } from './file-names.ts'
import { attachUpload, downloadLink } from './uploads.ts'

const { app, database, ask, dataFolder } = await startTestApp()
const { db } = database
let person: Person
beforeAll(async () => {
  person = await makePerson(db, 'client_admin')
})
afterEach(() => setClock())

const png = pngHead(10, 10)
const samples: Record<UploadKind, Buffer> = {
  pdf: Buffer.from('%PDF-1.7\n%%EOF\n'),
  png,
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
  webp: Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'latin1'),
  gif: Buffer.from('GIF89a\u000a\u0000\u000a\u0000', 'latin1'),
  tiff: Buffer.from([0x49, 0x49, 0x2a, 0x00, 8, 0, 0, 0]),
  text: Buffer.from('a,b\r\n1,2\r\n'),
  xlsx: workbook,
  docx: letter,
}
const hugeWebp = Buffer.from(
  'RIFF\u0000\u0000\u0000\u0000WEBPVP8X\u000a\u0000\u0000\u0000\u0000\u0000\u0000\u0000'.padEnd(30, '\u00ff'),
  'latin1',
)
const hugeJpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3])
const manySheets = {
  'xl/workbook.xml': 10,
  ...Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`xl/worksheets/sheet${at}.xml`, 1_048_576])),
}
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64')
const blobOf = (kind: UploadKind, bytes: Buffer) => ({
  filename: `file.${uploadKinds[kind].endings[0]}`,
  content_type: uploadKinds[kind].types[0],
  byte_size: bytes.length,
  checksum: md5(bytes),
})

const announce = async (blob: object, who = person) => {
  const asked = await ask(who, 'GET', '/direct_upload_url')
  const url = String(asked.body['direct_upload_url'])
  const response = await app.server.inject({ method: 'POST', url, payload: { blob } })
  return {
    status: response.statusCode,
    body: response.json<{ signed_id: string; id: number; direct_upload: { url: string; headers: Record<string, string> } }>(),
  }
}
const put = (upload: { url: string; headers: Record<string, string> }, bytes: Buffer, headers = upload.headers) =>
  app.server.inject({ method: 'PUT', url: upload.url, headers, payload: bytes })
const upload = async (kind: UploadKind, bytes = samples[kind], who = person) => {
  const { body } = await announce(blobOf(kind, bytes), who)
  const stored = await put(body.direct_upload, bytes)
  return { ...body, status: stored.statusCode }
}
const signInOf = async ({ id }: Person): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from sessions where user_id = ${id}`.execute(db)
  return rows[0]?.id ?? 0
}
const inContext = <T>(who: Person, work: (context: Context) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .execute(async (tx) =>
      work(
        unitOfWork(
          tx,
          { principal: await loadPrincipal(tx, who.id, await signInOf(who)), ip: null, requestId: 'r', connectionId: null },
          [],
          app.machinery,
        ).context,
      ),
    )
const filesOnDisk = (): string[] => {
  const folder = join(dataFolder, 'files')
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : []
}

describe('direct upload', () => {
  test('[CLIENT-API-012] [CLIENT-API-013] [CPART-API-006] [BILL-API-005] announces, takes the bytes and gives a signed id that a record takes once', async () => {
    const { body } = await announce({ ...blobOf('pdf', samples.pdf), filename: '../../Bill März.pdf' })
    expect(body).toMatchObject({
      filename: 'Bill März.pdf',
      content_type: 'application/pdf',
      byte_size: samples.pdf.length,
      direct_upload: { headers: { 'content-type': 'application/pdf' } },
    })
    expect((await put(body.direct_upload, samples.pdf)).statusCode).toBe(204)
    const fileId = await inContext(person, (context) => attachUpload(context, body.signed_id, { kinds: ['pdf'] }))
    expect(fileId).toBe(body.id)
    const file = await app.server.inject({ method: 'GET', url: await inContext(person, (context) => downloadLink(context, fileId)) })
    expect(file.rawPayload.equals(samples.pdf)).toBe(true)
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="Bill M_rz.pdf"; filename*=UTF-8''Bill%20M%C3%A4rz.pdf`,
    })
    expect(String(file.headers['content-security-policy'])).toContain('sandbox')
    await expect(inContext(person, (context) => attachUpload(context, body.signed_id, { kinds: ['pdf'] }))).rejects.toThrow('used already')
  })

  test('a file that the program wrote says that it is UTF-8; one that somebody uploaded has the type that it came with', async () => {
    const typeOf = async (folder: FilePurpose) => {
      const key = generatedKey(folder)
      await app.machinery.files.put(key, Buffer.from('a,b\n'), 'text/csv')
      const url = app.machinery.files.downloadUrl({ key, filename: 'a.csv', contentType: 'text/csv', reader: null })
      const { headers } = await app.server.inject({ method: 'GET', url })
      await app.machinery.files.remove(key)
      return headers['content-type']
    }
    expect([await typeOf('exports'), await typeOf('reports'), await typeOf('uploads')]).toEqual([
      'text/csv; charset=utf-8',
      'text/csv; charset=utf-8',
      'text/csv',
    ])
  })

  test.each(uploadKindNames)('%s is taken', async (kind) => {
    expect((await upload(kind)).status).toBe(204)
  })

  test('bytes of one kind under the name of another are refused, for all pairs, and leave no file', async () => {
    const before = filesOnDisk()
    for (const named of uploadKindNames)
      for (const real of uploadKindNames.filter((kind) => kind !== named)) {
        expect((await upload(named, samples[real])).status, `${real} as ${named}`).toBe(422)
      }
    expect(filesOnDisk()).toEqual(before)
    await sql`delete from files where state = 'waiting'`.execute(db)
  }, 40_000)

  test.each([
    ['a page as text', 'text', Buffer.from(' \n<!doctype html><script>alert(1)</script>')],
    ['a drawing as text', 'text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF with a script', 'pdf', Buffer.from(`%PDF-1.7\n${' '.repeat(70_000)}/S /JavaScript /JS (app.alert)`)],
    [
      'a picture with a side of a million',
      'png',
      Buffer.concat([png.subarray(0, 16), Buffer.from([0, 0x0f, 0x42, 0x40, 0, 0, 0, 1, 8, 6, 0, 0, 0])]),
    ],
    ['a GIF of four billion pixels', 'gif', Buffer.from('GIF89a\u00ff\u00ff\u00ff\u00ff', 'latin1')],
    ['a WebP of three hundred billion pixels', 'webp', hugeWebp],
    ['a JPEG of four billion pixels', 'jpeg', hugeJpeg],
    ['another archive as XLSX', 'xlsx', zipOf({ 'evil.txt': 5 })],
    ['a workbook with a program', 'xlsx', zipOf({ 'xl/workbook.xml': 10, 'xl/vbaProject.bin': 10 })],
    ['a workbook that unpacks to 4 GB', 'xlsx', zipOf({ 'xl/workbook.xml': 10, 'xl/worksheets/sheet1.xml': 4_000_000_000 })],
    ['a workbook of a thousand sheets of 1 MB', 'xlsx', zipOf(manySheets)],
    ['a workbook without its end', 'xlsx', workbook.subarray(0, -8)],
    ['a text that becomes something else', 'text', Buffer.concat([Buffer.from('a,b\n'.repeat(30_000)), Buffer.from([0, 1, 2])])],
  ] as const)('%s is refused', async (_what, kind, bytes) => {
    expect((await upload(kind, bytes)).status).toBe(422)
  })

  test.each([
    ['logo.svg', 'image/svg+xml'],
    ['page.html', 'text/html'],
    ['bill.pdf', 'image/png'],
    ['bill.exe', 'application/pdf'],
    ['bill', 'application/pdf'],
  ])('%s as %s is refused when it is announced', async (filename, content_type) => {
    expect((await announce({ filename, content_type, byte_size: 5, checksum: md5(Buffer.from('12345')) })).status).toBe(422)
  })

  test('more than 25 MB, nothing and a wrong checksum form are refused when announced', async () => {
    const blob = blobOf('pdf', samples.pdf)
    for (const wrong of [{ byte_size: 25 * 1024 * 1024 + 1 }, { byte_size: 0 }, { byte_size: -1 }, { checksum: 'abc' }])
      expect((await announce({ ...blob, ...wrong })).status).toBe(422)
  })

  test('bytes that are not those announced leave nothing: more, fewer, damaged, of another type', async () => {
    const before = filesOnDisk()
    const { body } = await announce(blobOf('pdf', samples.pdf))
    const { direct_upload: target } = body
    expect((await put(target, Buffer.concat([samples.pdf, Buffer.from('x')]))).statusCode).toBe(413)
    expect((await put(target, samples.pdf.subarray(0, 10))).statusCode).toBe(422)
    expect((await put(target, Buffer.from(samples.pdf.toString().replace('1.7', '1.6')))).statusCode).toBe(422)
    expect((await put(target, samples.pdf, { 'content-type': 'image/png' })).statusCode).toBe(422)
    await expect(inContext(person, (context) => attachUpload(context, body.signed_id, { kinds: ['pdf'] }))).rejects.toThrow('not finished')
    expect(filesOnDisk()).toEqual(before)
    expect((await put(target, samples.pdf)).statusCode).toBe(204)
    expect((await put(target, samples.pdf)).statusCode).toBe(422)
  })

  test('addresses end: 10 minutes to announce, 5 for the bytes, an hour to use; forged ones never work', async () => {
    const url = String((await ask(person, 'GET', '/direct_upload_url')).body['direct_upload_url'])
    const { body } = await announce(blobOf('gif', samples.gif))
    const used = await upload('gif')
    const link = await inContext(person, async (context) => downloadLink(context, used.id))
    const forged = (address: string) =>
      address.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/\/[^/.]+\./, (part) => `${part.slice(0, -2)}x.`)
    expect((await put({ ...body.direct_upload, url: forged(body.direct_upload.url) }, samples.gif)).statusCode).toBe(403)
    expect((await app.server.inject({ method: 'GET', url: forged(link) })).statusCode).toBe(403)
    expect((await app.server.inject({ method: 'GET', url: body.direct_upload.url.replace('uploads', 'files') })).statusCode).toBe(403)
    setClock(new Date(Date.now() + 301_000))
    expect((await put(body.direct_upload, samples.gif)).statusCode).toBe(403)
    expect((await app.server.inject({ method: 'GET', url: link })).statusCode).toBe(403)
    setClock(new Date(Date.now() + 601_000))
    expect((await app.server.inject({ method: 'POST', url, payload: { blob: blobOf('gif', samples.gif) } })).statusCode).toBe(403)
    setClock(new Date(Date.now() + 3_601_000))
    await expect(inContext(person, (context) => attachUpload(context, used.signed_id, { kinds: ['gif'] }))).rejects.toThrow(
      'not valid any more',
    )
  })

  test('the address of a file ends with the sign-in, the token, the account or any right of who asked for it', async () => {
    const client = await makeClient(db)
    const reader = () => makePerson(db, 'client_admin', { clients: [client] })
    const linkOf = async (who: Person): Promise<string> => {
      const { body } = await ask(who, 'GET', `/clients/${client}/divisions/export_csv`)
      const file = () => ask(who, 'GET', `/tasks/${String(body['task_id'])}/file`)
      await expect.poll(async () => (await file()).status).toBe(200)
      return String((await file()).body['url'])
    }
    const endings: Record<string, (who: Person) => Promise<unknown>> = {
      'signed out': (who) => ask(who, 'DELETE', '/auth/sign_out'),
      'a narrower role': ({ id }) =>
        sql`update user_roles set role_id = (select id from roles where name = 'read_only_user') where user_id = ${id}`.execute(db),
      'another client': async ({ id }) =>
        sql`update user_role_clients set client_id = ${await makeClient(db)} where user_role_id in (select id from user_roles where user_id = ${id})`.execute(
          db,
        ),
      deactivated: ({ id }) => sql`update users set status = 'in_active' where id = ${id}`.execute(db),
      'without payments': () =>
        sql`update clients set utility_payment_management = not utility_payment_management where id = ${client}`.execute(db),
    }
    for (const [ending, end] of Object.entries(endings)) {
      const who = await reader()
      const link = await linkOf(who)
      expect((await app.server.inject({ method: 'GET', url: link })).statusCode, ending).toBe(200)
      await end(who)
      const after = await app.server.inject({ method: 'GET', url: link })
      expect([after.statusCode, after.json<{ message: string }>().message], ending).toEqual([
        403,
        'This address is over. Please open the file again.',
      ])
    }
    const owner = await reader()
    const draft = { name: 'a', access: 'read', expires_on: addDays(today(), 1) }
    const { body } = await ask(owner, 'POST', '/users/profile/api_tokens', { api_token: draft })
    const program = { ...owner, headers: { authorization: `Bearer ${String(body['token'])}` } }
    const narrowed = await linkOf(program)
    const roleIs = (name: string) =>
      sql`update user_roles set role_id = (select id from roles where name = ${name}) where user_id = ${owner.id}`.execute(db)
    await roleIs('read_only_user')
    expect((await app.server.inject({ method: 'GET', url: narrowed })).statusCode).toBe(403)
    await roleIs('client_admin')
    const link = await linkOf(program)
    expect((await app.server.inject({ method: 'GET', url: link })).statusCode).toBe(200)
    await ask(owner, 'DELETE', `/users/profile/api_tokens/${String(body['id'])}`)
    expect((await app.server.inject({ method: 'GET', url: link })).statusCode).toBe(403)
  })

  test('somebody else’s upload, another kind and too many bytes are refused at the field', async () => {
    const other = await makePerson(db, 'client_admin')
    const theirs = await upload('png', png, other)
    await expect(inContext(person, (context) => attachUpload(context, theirs.signed_id, { kinds: ['png'] }, 'logo'))).rejects.toMatchObject(
      { fields: { logo: [expect.stringContaining('not valid')] } },
    )
    const mine = await upload('png')
    await expect(inContext(person, (context) => attachUpload(context, mine.signed_id, { kinds: ['pdf'] }))).rejects.toThrow(
      'cannot be taken here, only PDF',
    )
    await expect(inContext(person, (context) => attachUpload(context, mine.signed_id, { kinds: ['png'], maxBytes: 10 }))).rejects.toThrow(
      'more than',
    )
    await expect(inContext(person, (context) => attachUpload(context, 'nonsense', { kinds: ['png'] }))).rejects.toThrow('not valid')
  })

  test('nobody asks for an address without credentials', async () => {
    expect((await ask(null, 'GET', '/direct_upload_url')).status).toBe(401)
  })

  test('what no record took is swept after 24 hours, the rest stays', async () => {
    const [kept, fresh, left] = [await upload('gif'), await upload('gif'), await upload('gif')]
    await inContext(person, (context) => attachUpload(context, kept.signed_id, { kinds: ['gif'] }))
    await sql`update files set created_at = now() - interval '25 hours' where id in (${kept.id}, ${left.id})`.execute(db)
    const before = filesOnDisk().length
    await sweepFiles(app.machinery)
    const { rows } = await sql<{ id: number }>`select id from files where id in (${kept.id}, ${fresh.id}, ${left.id}) order by id`.execute(
      db,
    )
    expect(rows.map((row) => row.id)).toEqual([kept.id, fresh.id])
    expect(filesOnDisk().length).toBe(before - 1)
  })
})

describe('a file’s name', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\bill.pdf', 'bill.pdf'],
    ['a\u0000b.pdf', 'ab.pdf'],
    ['evil\u202efdp.exe', 'evilfdp.exe'],
    ['.htaccess', 'file.htaccess'],
    ['', 'file'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
  ])('%j is kept as %j', (given, kept) => {
    expect(plainName(given)).toBe(kept)
  })

  test('keys are never made of it, and a key that leads out of the folder is refused', async () => {
    for (const key of ['../evil', 'a/../../evil', '/etc/passwd', 'a//b', '.hidden', 'a/.b', 'a\u0000b']) {
      await expect(app.machinery.files.put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow('not a file')
      await expect(app.machinery.files.read(key)).rejects.toThrow('not a file')
    }
    const { rows } = await sql<{ key: string }>`select key from files where key not like 'exports/%'`.execute(db)
    expect(rows.every(({ key }) => /^uploads\/[0-9a-f]{2}\/[0-9a-f-]{36}$/.test(key))).toBe(true)
  })
})
