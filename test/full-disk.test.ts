/** The program as a process on a full disk: refusals give the reason, nothing hangs, and everything works again when there is space. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { makePerson } from './support/app.ts'
import { testDatabase } from './support/cluster.ts'
import { makeClient, makeDivision } from './support/estate.ts'
import { hurryTries } from './support/hurry-tries.ts'
import {
  asking,
  endOf,
  expectDone,
  expectRefused,
  isAlive,
  maySeeFullDisk,
  noRoomMessage,
  paper,
  pathsBelow,
  rowsFile,
  type Answer,
  type Ask,
} from './support/room.ts'
import { startOnSmallDisk } from './support/small-disk.ts'
import { writeStatements } from './support/statement-files.ts'

const FILES_MIB = 12
const support = (name: string): string => join(import.meta.dirname, 'support', name)

/** Stores bytes as a browser does, by the protocol of direct uploads. */
async function directUpload(url: string, ask: Ask): Promise<Answer> {
  const bytes = Buffer.from(`%PDF-1.7\n${'y'.repeat(400_000)}\n%%EOF\n`)
  const address = String(expectDone('direct upload', await ask('GET', '/direct_upload_url')).direct_upload_url)
  const checksum = createHash('md5').update(bytes).digest('base64')
  const blob = { filename: 'direct.pdf', content_type: 'application/pdf', byte_size: bytes.length, checksum }
  const announced = await fetch(`${url}${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blob }),
  })
  const { direct_upload: put } = z
    .object({ direct_upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }) })
    .parse(await announced.json())
  const stored = await fetch(`${url}${put.url}`, { method: 'PUT', headers: put.headers, body: bytes })
  const text = await stored.text()
  return {
    status: stored.status,
    retryAfter: stored.headers.get('retry-after'),
    body: text === '' ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(text)),
  }
}

describe.skipIf(!maySeeFullDisk())('a full disk', () => {
  it(
    'of the files: uploads, imports, exports and statements are refused or fail by their reason, and work again with room',
    { timeout: 400_000 },
    async () => {
      const { db, url: databaseUrl } = await testDatabase()
      const set = await writeStatements({ utilities: 1, accounts: 2, months: 2 })
      onTestFinished(() => rm(set.folder, { recursive: true, force: true }))
      const disk = await startOnSmallDisk(support('api-process.ts'), FILES_MIB, {
        NODE_ENV: 'test',
        DATABASE_URL: databaseUrl,
        RETRIEVAL_STATEMENTS: set.folder,
      })
      const person = await makePerson(db, 'super_admin')
      const ask = asking(disk.url, person)
      const clientId = await makeClient(db)
      const division_id = await makeDivision(db, clientId)
      const retrieval = `/clients/${clientId}/bill_retrieval`
      expectDone('a document', await ask('POST', `/clients/${clientId}/documents`, paper()))
      await endOf(ask, expectDone('fetching', await ask('POST', `${retrieval}/fetch`, {})).task_id)

      await disk.fill(0)
      expect(await disk.freeBytes()).toBe(0)
      const exporting = expectDone('an export', await ask('GET', `/clients/${clientId}/divisions/export_csv`)).task_id
      expectRefused('a document', await ask('POST', `/clients/${clientId}/documents`, paper()))
      expectRefused('a direct upload', await directUpload(disk.url, ask))
      expectRefused('an import', await ask('POST', '/vendors/import', rowsFile('a', 2_000)))
      expectDone('a save, whose database has room', await ask('POST', '/vendors', { vendor: { name: 'Saved', short_code: 'SAVED' } }))
      const importing = expectDone(
        'an import of statements',
        await ask('POST', `/clients/${clientId}/bills/retrieval_import`, {
          all_matching: true,
          new_accounts: [
            {
              provider_name: 'Utility 1',
              new_vendor: { name: 'U', short_code: 'U1' },
              new_facility: { name: 'C', number: '1', division_id },
            },
          ],
        }),
      ).task_id
      const imported = await endOf(ask, importing)
      console.log(`bills of statements: ${imported.state} ${JSON.stringify(imported.result)}`)
      expect(imported).toMatchObject({ state: 'done', result: { created: set.statements.length } })
      const { rows } = await sql<{
        file_id: string
      }>`select file_id from retrieval_statements where client_id = ${clientId} order by id limit 1`.execute(db)
      const pdf = `${retrieval}/statements/${rows[0]?.file_id}/pdf`
      expectRefused('the PDF of a statement', await ask('GET', pdf))
      const hurried: Ask = async (method, path) => {
        await hurryTries(db)
        return ask(method, path)
      }
      const failed = await endOf(hurried, exporting)
      console.log(`an export: ${failed.state}, ${failed.error}`)
      expect(failed).toMatchObject({ state: 'failed', error: noRoomMessage })
      await isAlive(disk)

      await disk.empty()
      expectDone('the export again', await ask('POST', `/tasks/${String(exporting)}/retry`))
      expect(await endOf(ask, exporting)).toMatchObject({ state: 'done', has_file: true })
      expectDone('a document', await ask('POST', `/clients/${clientId}/documents`, paper()))
      expect((await directUpload(disk.url, ask)).status).toBe(204)
      const again = expectDone('an import', await ask('POST', '/vendors/import', rowsFile('a', 2_000)))
      expect(await endOf(ask, again.task_id)).toMatchObject({ state: 'done' })
      expect((await fetch(`${disk.url}/api/v5${pdf}`, { headers: person.headers })).status).toBe(200)
      expect((await pathsBelow(disk.path('files'))).filter((path) => path.includes('.part-'))).toEqual([])
      expect(await disk.stop()).toBe(0)
    },
  )
})
