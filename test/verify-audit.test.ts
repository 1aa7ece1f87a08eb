import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sealAudit, writeAudit } from '../src/server/kernel/audit.ts'
import { testDatabase } from './support/cluster.ts'

const { db, url } = await testDatabase()

test('audit:verify walks the chains of a database, names the first altered row of one and exits with 1', async () => {
  const write = (clientId: number, ids: readonly number[]) =>
    writeAudit(
      db,
      { user_id: 1, ip: '10.0.0.1' },
      ids.map((id) => ({
        event: 'update' as const,
        item_type: 'toy',
        item_id: id,
        client_id: clientId,
        changes: { name: { from: 'a', to: 'b' } },
      })),
    )
  await write(0, [1])
  await write(4, [2, 3])
  await db.transaction().execute((tx) => sealAudit(tx))
  await write(4, [5])
  expect(await verify()).toEqual({ code: 0, output: ['3 sealed rows in 2 chains, 0 chains broken, 1 rows not yet sealed'] })

  await sql`update audit_records set ip_address = '10.0.0.2' where item_id = 3`.execute(db)
  const { rows } = await sql<{ id: number }>`select id from audit_records where item_id = 3`.execute(db)
  expect(await verify()).toEqual({
    code: 1,
    output: [
      `The chain of client 4 is broken at audit record ${rows[0]?.id}.`,
      '3 sealed rows in 2 chains, 1 chains broken, 1 rows not yet sealed',
    ],
  })
})

test('audit:verify without a database says so in one line', async () => {
  const unreachable = await run({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' })
  expect(unreachable).toMatchObject({ code: 1, errors: expect.stringMatching(/^[^\n]*127\.0\.0\.1:1[^\n]*\n$/) })
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-none-'))
  expect(await run({ DATA_DIR: folder })).toMatchObject({
    code: 1,
    errors: expect.stringContaining(`There is no database in ${folder} yet.`),
  })
  expect(await readdir(folder)).not.toContain('pg18')
  await rm(folder, { recursive: true })
})

async function verify() {
  const { code, output } = await run({ DATABASE_URL: url })
  return { code, output: output.trim().split('\n') }
}

function run(environment: Record<string, string>): Promise<{ code: number; output: string; errors: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string; errors: string }>()
  const words = [join(import.meta.dirname, '../src/server/verify-audit.ts')]
  const child = execFile(process.execPath, words, { env: { PATH: '/usr/bin:/bin', ...environment } }, (_error, output, errors) =>
    resolve({ code: child.exitCode ?? -1, output, errors }),
  )
  return promise
}
