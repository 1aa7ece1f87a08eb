import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditReport } from '../src/server/audit-report.ts'
import { auditKeyOf, writeAudit } from '../src/server/kernel/audit.ts'
import { canonicalRow, sealAudit } from '../src/server/kernel/audit-chain.ts'
import { anchorHeads, createHeadsStore, headsKey } from '../src/server/kernel/audit-heads.ts'
import { testDatabase } from './support/cluster.ts'

const { db, pool, url } = await testDatabase()

const secretKey = 'a key for tests, long enough to pass'
const key = auditKeyOf(secretKey)
const folder = await mkdtemp(join(tmpdir(), 'meterbook-trail-'))
const files = createHeadsStore({ dataDir: folder, s3: undefined, secretKey })
const headsFile = join(folder, headsKey)
let formerHeads = ''
const settings = { publicUrl: '', secretKey, production: true }
const anchor = (accept = false) => anchorHeads({ jobsDatabase: { db, pool, close: () => Promise.resolve() }, settings }, files, { accept })
const seal = () => db.transaction().execute((tx) => sealAudit(tx, key))
const write = (clientId: number, ids: readonly number[]) =>
  writeAudit(
    db,
    { user_id: 1, ip: '10.0.0.1' },
    ids.map((id) => ({
      event: 'update' as const,
      item_type: 'toy',
      item_id: id,
      client_id: clientId,
      changes: { name: { from: 'a', to: `b${id}` } },
    })),
  )
afterAll(() => rm(folder, { recursive: true, force: true }))

beforeAll(async () => {
  expect(await anchor()).toMatchObject({ done: 'anchored' })
  await write(0, [1])
  await write(4, [2, 3, 4, 5])
  await write(7, [6, 7])
  await seal()
  await anchor()
  formerHeads = await readFile(headsFile, 'utf8')
  await write(4, [8, 9])
  await seal()
  expect(await anchor()).toMatchObject({ done: 'anchored', heads: { number: 3 } })
  expect(await anchor()).toMatchObject({ done: 'same' })
  await write(4, [10])
})

const idOf = async (item: number) => {
  const { rows } = await sql<{ id: number }>`select id from audit_records where item_id = ${item}`.execute(db)
  return rows[0]?.id
}
const rewound = async <T>(work: () => Promise<T>): Promise<T> => {
  const tables = ['audit_records', 'audit_seals', 'audit_anchors']
  for (const table of tables) await sql`create table ${sql.table(`${table}_kept`)} as table ${sql.table(table)}`.execute(db)
  const heads = await readFile(headsFile, 'utf8')
  try {
    return await work()
  } finally {
    for (const table of tables) {
      await sql`truncate ${sql.table(table)}`.execute(db)
      await sql`insert into ${sql.table(table)} select * from ${sql.table(`${table}_kept`)}`.execute(db)
      await sql`drop table ${sql.table(`${table}_kept`)}`.execute(db)
    }
    await writeFile(headsFile, heads)
  }
}

/** Rows of a chain sealed anew by who has read the program and not the key: with plain hashes, as they were once made. */
async function recompute(clientId: number, version: number): Promise<void> {
  const { rows } = await sql<{ audit_record_id: number; body: string }>`select seal.audit_record_id, ${canonicalRow} as body
    from audit_seals seal join audit_records record on record.client_id = seal.client_id and record.id = seal.audit_record_id
    where seal.client_id = ${clientId} order by seal.position`.execute(db)
  let hash = Buffer.alloc(32)
  for (const { audit_record_id, body } of rows) {
    hash = createHash('sha256').update(hash).update(body).digest()
    await sql`update audit_seals set hash = ${hash}, version = ${version} where client_id = ${clientId} and audit_record_id = ${audit_record_id}`.execute(
      db,
    )
  }
}

interface Attack {
  readonly what: string
  readonly how: () => Promise<unknown>
  readonly told: RegExp
  readonly key?: string
}
const attacks: readonly Attack[] = [
  {
    what: 'a row is edited',
    how: () => sql`update audit_records set user_id = 2 where item_id = 3`.execute(db),
    told: /^The chain of client 4 is broken at audit record \d+\.$/,
  },
  {
    what: 'a row\u2019s time is moved by a microsecond',
    how: () => sql`update audit_records set created_at = created_at + interval '1 microsecond' where item_id = 6`.execute(db),
    told: /^The chain of client 7 is broken at/,
  },
  {
    what: 'a row is deleted with its seal in the middle',
    how: async () => {
      const id = await idOf(3)
      await sql`delete from audit_seals where audit_record_id = ${id}`.execute(db)
      await sql`delete from audit_records where id = ${id}`.execute(db)
    },
    told: /^The chain of client 4 is broken at/,
  },
  {
    what: 'the tail of a chain is cut, rows and seals',
    how: async () => {
      await sql`delete from audit_seals where audit_record_id in (select id from audit_records where item_id in (8, 9))`.execute(db)
      await sql`delete from audit_records where item_id in (8, 9)`.execute(db)
    },
    told: /^The chain of client 4 is cut after audit record \d+: 6 sealed rows were kept in mind, 4 are left\.$/,
  },
  {
    what: 'the chain of a client is deleted',
    how: async () => {
      await sql`delete from audit_seals where client_id = 7`.execute(db)
      await sql`delete from audit_records where client_id = 7`.execute(db)
    },
    told: /^The chain of client 7 is gone: 2 sealed rows were kept in mind\.$/,
  },
  {
    what: 'a row is edited and its chain recomputed without the key, as former seals',
    how: async () => {
      await sql`update audit_records set user_id = 2 where item_id = 6`.execute(db)
      await recompute(7, 1)
    },
    told: /^The chain of client 7 is broken at/,
  },
  {
    what: 'a row is edited and its chain recomputed without the key, as keyed seals',
    how: async () => {
      await sql`update audit_records set user_id = 2 where item_id = 6`.execute(db)
      await recompute(7, 2)
    },
    told: /^The chain of client 7 is broken at/,
  },
  {
    what: 'a row is moved to another client, with its seal',
    how: async () => {
      const id = await idOf(9)
      await sql`update audit_seals set client_id = 7 where audit_record_id = ${id}`.execute(db)
      await sql`update audit_records set client_id = 7 where id = ${id}`.execute(db)
    },
    told: /^The chain of client 7 is broken at/,
  },
  { what: 'the file of the heads is removed', how: () => rm(headsFile), told: /^The heads: none are kept\. They were taken away/ },
  {
    what: 'the file of the heads and its number in the database are removed',
    how: async () => {
      await rm(headsFile)
      await sql`delete from audit_anchors`.execute(db)
    },
    told: /^The heads: none are kept\. They were taken away/,
  },
  {
    what: 'rows are edited and deleted, all seals and heads are taken away, and the program seals what is left',
    how: async () => {
      await sql`update audit_records set user_id = 2 where item_id = 3`.execute(db)
      await sql`delete from audit_records where item_id = 4`.execute(db)
      await sql`truncate audit_seals, audit_anchors`.execute(db)
      await rm(headsFile)
      expect(await anchor()).toEqual({ fault: 'missing' })
      expect(await verify()).toEqual({ code: 1, output: expect.arrayContaining([expect.stringMatching(/^The heads: none are kept/)]) })
      await seal()
    },
    told: /^The heads: none are kept\. They were taken away/,
  },
  {
    what: 'an old file of heads is put back, after the tail was cut',
    how: async () => {
      await writeFile(headsFile, formerHeads)
      await sql`delete from audit_seals where audit_record_id in (select id from audit_records where item_id in (8, 9))`.execute(db)
      await sql`delete from audit_records where item_id in (8, 9)`.execute(db)
    },
    told: /^The heads: they are older than the database says/,
  },
  {
    what: 'the file of the heads is changed',
    how: async () => writeFile(headsFile, (await readFile(headsFile, 'utf8')).replace('"number":3', '"number":4')),
    told: /^The heads: they were changed/,
  },
  {
    what: 'the database is put back to an earlier state',
    how: async () => {
      await sql`delete from audit_seals where audit_record_id in (select id from audit_records where item_id in (8, 9))`.execute(db)
      await sql`delete from audit_records where item_id in (8, 9, 10)`.execute(db)
      await sql`update audit_anchors set number = 1`.execute(db)
    },
    told: /^The heads: they are ahead of the database/,
  },
  {
    what: 'the key is another one',
    how: () => Promise.resolve(),
    told: /^The heads: they were changed, or written with another SECRET_KEY/,
    key: 'another key for tests, long enough',
  },
]

test('audit:verify walks the chains, holds them against the heads, and says how many rows wait for their seal', async () => {
  const { code, output } = await verify()
  expect(code).toBe(0)
  expect(output).toEqual([
    expect.stringMatching(
      /^9 sealed rows in 3 chains, 0 chains broken, 1 rows not yet sealed, held against heads 3 of \d{4}-\d\d-\d\dT[\d:.]+Z$/,
    ),
  ])
})

test.each(attacks)('audit:verify notices that $what, the job keeps no new heads over it', async ({ how, told, key }) => {
  await rewound(async () => {
    await how()
    const before = await readFile(headsFile, 'utf8').catch(() => null)
    const { code, output } = await verify(key)
    expect(output).toContainEqual(expect.stringMatching(told))
    expect(code).toBe(1)
    if (key) return
    const { rows } = await sql<{ number: number }>`select number from audit_anchors`.execute(db)
    const anchored = await anchor()
    // Faults that only the whole walk finds are left to it; faults that the heads show stop the job.
    if (/heads|cut|gone/.test(told.source)) expect(anchored).toHaveProperty('fault')
    expect(await readFile(headsFile, 'utf8').catch(() => null)).toBe(before)
    expect((await sql<{ number: number }>`select number from audit_anchors`.execute(db)).rows).toEqual(rows)
  })
})

test('rows that a former version has sealed without a key still verify, and what is sealed now goes on from them', async () => {
  await rewound(async () => {
    await sql`delete from audit_anchors`.execute(db)
    await rm(headsFile)
    for (const client of [0, 4, 7]) await recompute(client, 1)
    // Only a person can distinguish a version that kept no heads from a theft.
    expect(await anchor()).toEqual({ fault: 'missing' })
    expect(await anchor(true)).toMatchObject({ done: 'anchored', heads: { keyed_from: null } })
    expect((await verify()).code).toBe(0)
    await seal()
    await anchor()
    const { code, output } = await verify()
    expect([code, output]).toEqual([0, [expect.stringMatching(/^10 sealed rows in 3 chains, 0 chains broken, 0 rows not yet sealed/)]])
    // A seal without the key is a forgery from here on, also in a chain that has no other.
    await write(9, [11])
    await sql`insert into audit_seals (client_id, audit_record_id, hash, version) select client_id, id, '', 1 from audit_records where client_id = 9`.execute(
      db,
    )
    await recompute(9, 1)
    expect(await anchor()).toMatchObject({ done: 'anchored' })
    expect((await verify()).output).toContainEqual(expect.stringMatching(/^The chain of client 9 is broken at/))
  })
})

test('a copy of the heads that was kept elsewhere finds what a whole set of old files and old rows hides', async () => {
  await rewound(async () => {
    const mailed = await readFile(headsFile, 'utf8')
    await sql`delete from audit_seals where audit_record_id in (select id from audit_records where item_id in (8, 9))`.execute(db)
    await sql`delete from audit_records where item_id in (8, 9)`.execute(db)
    await sql`update audit_anchors set number = 2`.execute(db)
    await writeFile(headsFile, formerHeads)
    expect((await verify()).code).toBe(0)
    const { code, output } = await verify(secretKey, `${mailed}\n`)
    expect(code).toBe(1)
    expect(output).toContainEqual(expect.stringMatching(/^The chain of client 4 is cut after/))
  })
})

test('who has looked into it keeps the chains as they are', async () => {
  await rewound(async () => {
    await sql`delete from audit_seals where client_id = 7`.execute(db)
    await sql`delete from audit_records where client_id = 7`.execute(db)
    expect(await anchor()).toEqual({ fault: 'chain' })
    const accepted = await command('--accept')
    expect([accepted.code, accepted.output]).toEqual([
      1,
      expect.stringMatching(/^The chain of client 7 is gone: .*\nThe chains are kept as they are now\.\n$/s),
    ])
    expect(await command()).toMatchObject({ code: 0, errors: '' })
    expect((await verify()).code).toBe(0)
    expect(await anchor()).toMatchObject({ done: 'same' })
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

/** Returns the report of the command, without starting a process. */
async function verify(key = secretKey, copy?: string) {
  const { lines, holds } = await auditReport({ db, files, secretKey: key }, copy)
  return { code: holds ? 0 : 1, output: lines }
}

const command = (...words: string[]) => run({ DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: secretKey }, words)

function run(environment: Record<string, string>, more: readonly string[] = []): Promise<{ code: number; output: string; errors: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string; errors: string }>()
  const words = [join(import.meta.dirname, '../src/server/verify-audit.ts'), ...more]
  const child = execFile(process.execPath, words, { env: { PATH: '/usr/bin:/bin', ...environment } }, (_error, output, errors) =>
    resolve({ code: child.exitCode ?? -1, output, errors }),
  )
  return promise
}
