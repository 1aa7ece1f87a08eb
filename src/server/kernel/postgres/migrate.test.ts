import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { emptyDatabase } from '../../../../test/support/cluster.ts'
import { openDatabase } from './database.ts'
import { isMigrated, migrate } from './migrate.ts'

const { pool, url } = await emptyDatabase()
const folders: string[] = []
let folder = ''

beforeEach(async () => {
  await pool.query('drop schema public cascade')
  await pool.query('create schema public')
  folder = await mkdtemp(join(tmpdir(), 'meterbook-migrations-'))
  folders.push(folder)
})
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true }))))

const write = (name: string, text: string) => writeFile(join(folder, name), text)
const tables = async () =>
  (await pool.query(`select tablename from pg_tables where schemaname = 'public' order by 1`)).rows.map((row) => row.tablename)

test('the product’s own migrations apply to an empty database, and a second run has nothing to do', async () => {
  const first = await migrate(pool)
  expect(first.applied[0]).toMatch(/^0001-/)
  expect(await migrate(pool)).toEqual({ applied: [] })
  expect(await isMigrated(pool)).toBe(true)
})

test('only what the database has not seen is applied, in order, and the data of before stays', async () => {
  await write('0001-tables.sql', 'create table bill (id int);\ninsert into bill values (1);\n')
  expect(await migrate(pool, { folder })).toEqual({ applied: ['0001-tables.sql'] })
  await write('0003-third.sql', "update bill set note = note || '!';\n")
  await write('0002-second.sql', "-- a note; with a semicolon\nalter table bill add note text;\nupdate bill set note = 'a;b';\n")
  expect(await isMigrated(pool, folder)).toBe(false)
  expect(await migrate(pool, { folder })).toEqual({ applied: ['0002-second.sql', '0003-third.sql'] })
  expect((await pool.query('select * from bill')).rows).toEqual([{ id: 1, note: 'a;b!' }])
})

test('a file that fails leaves nothing of itself, keeps the files before it, and is named', async () => {
  await write('0001-tables.sql', 'create table bill (id int);\n')
  await write('0002-broken.sql', 'create table half (id int);\nselect nothing_like_this;\n')
  await expect(migrate(pool, { folder })).rejects.toThrow(
    '0002-broken.sql failed and was rolled back: column "nothing_like_this" does not exist',
  )
  expect(await tables()).toEqual(['bill', 'schema_migrations'])
})

test('a database that is newer than the program is refused untouched', async () => {
  await write('0001-tables.sql', 'create table bill (id int);\n')
  await migrate(pool, { folder })
  await pool.query(`insert into schema_migrations (name, sha256) values ('0009-future.sql', 'x')`)
  await write('0010-later.sql', 'drop table bill;\n')
  await expect(migrate(pool, { folder })).rejects.toThrow('The database is newer than this program: it has 0009-future.sql')
  expect(await tables()).toContain('bill')
})

test('an applied file that was changed since is refused', async () => {
  await write('0001-tables.sql', 'create table bill (id int);\n')
  await migrate(pool, { folder })
  await write('0001-tables.sql', 'create table bill (id bigint);\n')
  await expect(migrate(pool, { folder })).rejects.toThrow('The migration 0001-tables.sql was changed after this database applied it')
})

test('a new file may not take a number before the last applied one, nor one that is taken', async () => {
  await write('0002-tables.sql', 'create table bill (id int);\n')
  await migrate(pool, { folder })
  await write('0001-late.sql', 'create table late (id int);\n')
  await expect(migrate(pool, { folder })).rejects.toThrow('0001-late.sql comes before 0002-tables.sql')
  await write('0002-twin.sql', 'create table twin (id int);\n')
  await expect(migrate(pool, { folder })).rejects.toThrow('Two migrations have the number 0002')
})

test('the distribution hook runs once, after the tables and before what follows them', async () => {
  await write('0001-tables.sql', 'create table bill (id int);\n')
  await write('0002-foreign-keys.sql', 'create table later (id int);\n')
  const seen: unknown[] = []
  const distribute = async () => void seen.push(await tables())
  await migrate(pool, { folder, distribute })
  await migrate(pool, { folder, distribute })
  expect(seen).toEqual([['bill', 'schema_migrations']])
})

test('nodes that start together apply each file once', async () => {
  await write('0001-tables.sql', 'create table bill (id int);\nselect pg_sleep(0.2);\n')
  const nodes = [1, 2, 3].map(() => openDatabase({ url, size: 1 }))
  const results = await Promise.all(nodes.map((node) => migrate(node.pool, { folder })))
  await Promise.all(nodes.map((node) => node.close()))
  expect(results.flatMap(({ applied }) => applied)).toEqual(['0001-tables.sql'])
})
