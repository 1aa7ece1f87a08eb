/**
 * The application with its files in a bucket: unreferenced files are swept there too, and work that needs the bucket reports when it is
 * unavailable.
 */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { generatedKey } from '../src/server/kernel/files/files.ts'
import { headsKey } from '../src/server/kernel/audit-heads.ts'
import { housekeepingJobs } from '../src/server/kernel/work/housekeeping.ts'
import { createLog } from '../src/server/kernel/log.ts'
import { makePerson, startTestApp } from './support/app.ts'
import { startBucket } from './support/bucket.ts'

const HOUR_MS = 3_600_000
const bucket = await startBucket()
const { settings } = bucket
// The bucket is stopped on purpose.
const { app, database, ask } = await startTestApp(
  {
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    S3_REGION: settings.region,
    S3_ENDPOINT: settings.endpoint ?? '',
    S3_FORCE_PATH_STYLE: 'true',
  },
  undefined,
  createLog({ level: 'error', write: () => undefined }),
)
const { db } = database

async function sweep(): Promise<void> {
  const job = housekeepingJobs.find(({ name }) => name === 'sweep_strays')
  await job?.run({ data: {}, machinery: app.machinery, signal: new AbortController().signal })
}

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS)

it('a whole file that no row names is removed after a day; one that is named, young, or older than the database stays', async () => {
  const named = Array.from({ length: 700 }, () => generatedKey('uploads'))
  const strays = Array.from({ length: 1_300 }, () => generatedKey('exports'))
  const young = generatedKey('exports')
  const ancient = generatedKey('exports')
  for (const key of [...named, ...strays]) bucket.place(key, hoursAgo(30))
  bucket.place(young, hoursAgo(20))
  bucket.place(ancient, hoursAgo(80))
  bucket.place('somebody-else/file', hoursAgo(30))
  await sql`insert into files (key, filename, content_type, byte_size, state, attached_at)
    select key, 'a.pdf', 'application/pdf', 6, 'attached', now() from unnest(${named}::text[]) as key`.execute(db)
  await sweep()
  // The heads of the audit log lie in the bucket as well, and no sweep touches them.
  expect(bucket.keys()).toHaveLength(named.length + strays.length + 3 + 1)
  await sql`update schema_migrations set applied_at = ${hoursAgo(72)}`.execute(db)
  await sweep()
  expect(bucket.keys().toSorted()).toEqual([...named, young, ancient, 'somebody-else/file', headsKey].toSorted())
}, 120_000)

it('the address of a file leads on to the bucket while its reader has the rights, and nowhere afterwards', async () => {
  const person = await makePerson(db, 'super_admin')
  const { body } = await ask(person, 'GET', '/vendors/export_csv')
  const file = () => ask(person, 'GET', `/tasks/${String(body['task_id'])}/file`)
  await expect.poll(async () => (await file()).status).toBe(200)
  const url = String((await file()).body['url'])
  const sent = await app.server.inject({ method: 'GET', url })
  expect([sent.statusCode, new URL(String(sent.headers['location'])).origin]).toEqual([302, settings.endpoint])
  expect(await (await fetch(String(sent.headers['location']))).text()).toMatch(/^ID,/)
  await sql`delete from user_roles where user_id = ${person.id}`.execute(db)
  expect((await app.server.inject({ method: 'GET', url })).statusCode).toBe(403)
})

it('a task whose store is away fails by that reason after its usual tries, and a request is refused with 503', async () => {
  const person = await makePerson(db, 'super_admin')
  await bucket.stop()
  const { body } = await ask(person, 'GET', '/vendors/export_csv')
  const id = Number(body['task_id'])
  const read = async () => {
    const { rows } = await sql<{
      state: string
      error: string | null
      result: { runs: number; lost: number } | null
    }>`select state, error, result from tasks where id = ${id}`.execute(db)
    return rows[0]
  }
  // One run counts as a run, and none as one that the database interrupted.
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({ state: 'waiting', result: { runs: 1, lost: 0 } })
  await sql`update tasks set result = '{"runs": 3, "lost": 0}' where id = ${id}`.execute(db)
  await expect.poll(async () => (await read())?.state, { timeout: 60_000 }).toBe('failed')
  expect((await read())?.error).toBe('The store of the files cannot be reached. Please try again shortly.')
}, 150_000)
