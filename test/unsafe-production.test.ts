import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../src/server/access/access.ts'
import { demoPassword, knownPasswordHolders } from '../src/server/demo/demo.ts'
import { makePerson, startTestApp } from './support/app.ts'

const { ask, database } = await startTestApp({ NODE_ENV: 'production' })
const { app: open } = await startTestApp({ NODE_ENV: 'production', DOCS_PUBLIC: 'true' }, database)
const { db } = database

describe('the documentation of the API in production', () => {
  test.each(['/docs', '/openapi.json'])('%s is for who is signed in, by a sign-in or a token', async (path) => {
    const refused = await ask(null, 'GET', path)
    expect([refused.status, refused.body['message']]).toEqual([401, expect.stringContaining('Sign in to read the documentation')])
    expect((await ask(null, 'GET', path, undefined, { authorization: 'Bearer mb_invented' })).status).toBe(401)
    expect((await ask(null, 'GET', path, undefined, { 'access-token': 'x', client: 'y', uid: 'z@example.test' })).status).toBe(401)
    const who = await makePerson(db, 'read_only_user')
    const answer = await ask(who, 'GET', path)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-cache'])
    const token = `mb_${'t'.repeat(40)}${path.length}`
    const hash = createHash('sha256').update(token).digest()
    await sql`insert into api_tokens (user_id, name, token_hash, token_last4, expires_on)
      values (${who.id}, 'For tools', ${hash}, 'tttt', '2099-01-01')`.execute(db)
    expect((await ask(null, 'GET', path, undefined, { authorization: `Bearer ${token}` })).status).toBe(200)
  })

  test('is open where whoever runs the server has opened it', async () => {
    expect((await open.server.inject('/api/v5/docs')).statusCode).toBe(200)
    expect((await open.server.inject('/api/v5/openapi.json')).statusCode).toBe(200)
  })
})

describe('the password of the demo data', () => {
  beforeEach(async () => {
    await sql`update users set password_hash = null`.execute(db)
  })

  test('is found at whoever the demo data have made, also under another address, unless they are inactive', async () => {
    const hash = await hashPassword(demoPassword)
    const own = await hashPassword(demoPassword)
    const [first, renamed, gone, theirs, other] = await Promise.all(Array.from({ length: 5 }, () => makePerson(db, 'super_admin')))
    if (!first || !renamed || !gone || !theirs || !other) throw new Error('nobody was made')
    const set = (id: number, password: string, status = 'active') =>
      sql`update users set password_hash = ${password}, status = ${status} where id = ${id}`.execute(db)
    await set(first.id, hash)
    await set(renamed.id, hash)
    await set(gone.id, hash, 'in_active')
    await set(theirs.id, own)
    await set(other.id, await hashPassword('a password of their own'))
    expect(await knownPasswordHolders(db)).toEqual([first.email, renamed.email])
    // The start does not know people who have chosen the password themselves; the doctor looks at everybody.
    expect(await knownPasswordHolders(db, { everybody: true })).toEqual([first.email, renamed.email, theirs.email])
    await set(renamed.id, await hashPassword('a password of their own'))
    await set(gone.id, own, 'in_active')
    // A single one is found by what it had in common with somebody who is inactive.
    expect(await knownPasswordHolders(db)).toEqual([theirs.email])
    await sql`update users set email = 'super_admin@demo.test' where id = ${first.id}`.execute(db)
    expect(await knownPasswordHolders(db)).toEqual(['super_admin@demo.test', theirs.email])
  })
})

/** A process of its own starts in seconds, and in half a minute where the machine is full. */
const DOCTOR_MS = 240_000

describe('npm run doctor', { timeout: DOCTOR_MS }, () => {
  const folders: string[] = []
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  })
  const doctor = async (environment: Record<string, string> = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'meterbook-doctor-'))
    folders.push(folder)
    await mkdir(join(folder, 'files'), { mode: 0o755 })
    await writeFile(join(folder, 'secret-key'), 'ZjR2lA9wPq0sXc7vBn3mKd8yTg5hLe1uRo6iWj2aQkY', { mode: 0o644 })
    await chmod(join(folder, 'files'), 0o755)
    const { promise, resolve } = Promise.withResolvers<{ code: number; lines: string[] }>()
    const words = [join(import.meta.dirname, '../src/server/doctor.ts')]
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: folder, ...environment }
    const child = execFile(process.execPath, words, { env }, (_error, output, errors) =>
      resolve({ code: child.exitCode ?? -1, lines: `${output}${errors}`.trim().split('\n') }),
    )
    return { ...(await promise), folder }
  }

  test('says beforehand what production refuses, and exits with 1', async () => {
    expect(await doctor({ DEMO_DATA: 'true' })).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('REFUSED DEMO_DATA must not'), expect.any(String)],
    })
    expect(await doctor({ SECRET_KEY: 'a'.repeat(40) })).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('REFUSED SECRET_KEY is too easily'), expect.any(String)],
    })
    await sql`update users set password_hash = ${await hashPassword(demoPassword)}, status = 'active' where email = 'super_admin@demo.test'`.execute(
      db,
    )
    const found = await doctor({ DATABASE_URL: database.url, SECRET_KEY: 'ZjR2lA9wPq0sXc7vBn3mKd8yTg5hLe1uRo6iWj2aQkY' })
    expect(found.code).toBe(1)
    expect(found.lines).toContainEqual(
      expect.stringMatching(/^REFUSED This database has people with the password of the demo data.*super_admin@demo\.test/),
    )
    await sql`update users set password_hash = null`.execute(db)
  })

  test('names what is unsafe: the key beside the data, no https, open files, a role that may change the trail; and changes nothing', async () => {
    const { code, lines, folder } = await doctor()
    expect(code).toBe(0)
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^UNSAFE  The secret key lies in .* beside the data/),
        expect.stringMatching(/^UNSAFE  PUBLIC_URL is not an https address/),
        expect.stringMatching(/^UNSAFE  SMTP_URL is not set/),
        expect.stringContaining(`Other accounts can read ${join(folder, 'files')}, ${join(folder, 'secret-key')}`),
        expect.stringMatching(/^good {4}There is no database yet/),
      ]),
    )
    expect((await stat(join(folder, 'files'))).mode & 0o777).toBe(0o755)
    expect((await readdir(folder)).toSorted()).toEqual(['files', 'secret-key'])
    const settled = await doctor({
      DATABASE_URL: database.url.replace('127.0.0.1', 'localhost'),
      SECRET_KEY: 'ZjR2lA9wPq0sXc7vBn3mKd8yTg5hLe1uRo6iWj2aQkY',
      PUBLIC_URL: 'https://meterbook.example.com',
    })
    expect(settled.lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^good {4}The secret key is set from outside/),
        expect.stringMatching(/^good {4}PUBLIC_URL is an https address/),
        expect.stringMatching(/^good {4}Nobody has the password of the demo data/),
        expect.stringMatching(/^UNSAFE  The program works in the database as meterbook, which is a superuser and may change the audit log/),
      ]),
    )
  })
})
