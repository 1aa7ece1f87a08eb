import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { testDatabase } from '../test/support/cluster.ts'
import { generateTables, TABLES_FILE } from './tables.ts'

const { pool } = await testDatabase()

test('the committed table types are those of the migrated database', async () => {
  expect(await readFile(TABLES_FILE, 'utf8'), 'run npm run tables and commit the file').toBe(await generateTables(pool))
})

test('nullable, defaulted, generated, JSON and array columns have their own types', async () => {
  await pool.query(`create table zz_probe (
    id bigint generated always as identity, name text, amount numeric(14,2) not null, day date not null default current_date,
    layout jsonb not null default '{}', result jsonb, ids bigint[] not null default '{}', hash bytea not null, twice int generated always as (1) stored)`)
  const text = await generateTables(pool)
  await pool.query('drop table zz_probe')
  expect(text).toContain(`export interface ZzProbeTable {
  id: GeneratedAlways<number>
  name: string | null
  amount: string
  day: Generated<string>
  layout: ColumnType<unknown, string | undefined, string>
  result: ColumnType<unknown, string | null, string | null>
  ids: Generated<number[]>
  hash: Buffer
  twice: GeneratedAlways<number | null>
}`)
  expect(text).toContain('    zz_probe: ZzProbeTable\n')
})

test('a column type without a TypeScript type stops the generator by name', async () => {
  await pool.query('create table zz_odd (place point)')
  await expect(generateTables(pool)).rejects.toThrow('zz_odd.place has the type point')
  await pool.query('drop table zz_odd')
})
