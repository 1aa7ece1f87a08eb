/** Every list sorts names and numbers naturally: all text sorts of all lists, and the meaning of the collation. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import '../src/server/handlers.ts'
import { everything } from '../src/server/kernel/principal.ts'
import { joinsFor, sortExpression, type Source } from '../src/server/kernel/lists/list-source.ts'
import { registered } from '../src/server/kernel/lists/sources.ts'
import { testDatabase } from './support/cluster.ts'
import { readSources } from './support/imports.ts'

const { db } = await testDatabase()

/** Rows from a select of their own: its columns are those of the accounts, or of the users, that it reads. */
const made = ['exceptions', 'tied_pairs']
/** A row of several columns has the order of each. */
const rowsOfColumns = ['in_order']

const textSorts = [...registered].flatMap(([plural, source]) =>
  source.entity.list.sort
    .filter((key) => ['text', 'long_text', 'email'].includes(source.entity.fields[key]?.kind ?? '') && !rowsOfColumns.includes(key))
    .map((key) => ({ plural, key, source })),
)

test('every text that a list sorts by has the natural order', async () => {
  const faults: string[] = []
  for (const { plural, key, source } of textSorts.filter((one) => !made.includes(one.plural))) {
    const collation = await collationOf(source, key)
    if (collation !== 'natural_order') faults.push(`${plural} by ${key}: ${collation ?? 'none'}`)
  }
  console.log(`natural-order: ${textSorts.length} text sorts of ${new Set(textSorts.map(({ plural }) => plural)).size} lists`)
  expect(textSorts.length).toBeGreaterThan(100)
  expect(faults).toEqual([])
})

async function collationOf(source: Source, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ collation: string }>`select trim(both '"' from pg_collation_for(value)) as collation from
    (select (select ${sortExpression(source, key, { reach: everything })} from ${sql.ref(source.table)} ${joinsFor(source, [key])} limit 1) as value) one`.execute(
    db,
  )
  return rows[0]?.collation
}

const names = ['Store 10', 'AT&T', 'Store 2', 'Arizona Water', 'atmos', 'Xcel 002', 'Xcel 1', 'store 2', '435-641-859-6-5', '435-99']

test('the natural order puts letters before marks and numbers by their size, alike in the database and in code', async () => {
  const { rows } = await sql<{
    name: string
  }>`select name from unnest(${names}::text[]) as given (name) order by name collate natural_order`.execute(db)
  const sorted = rows.map(({ name }) => name)
  expect(sorted).toEqual(names.toSorted(naturalOrder))
  expect(sorted.indexOf('Arizona Water')).toBeLessThan(sorted.indexOf('AT&T'))
  expect(sorted.indexOf('Store 2')).toBeLessThan(sorted.indexOf('Store 10'))
})

test('texts are still the same only where each byte is, so unique keys and LIKE mean what they meant', async () => {
  const { rows } = await sql<{ same: boolean; like: boolean }>`select 'Store 2' = 'store 2' collate natural_order as same,
    'Store 2' collate natural_order like 'Store%' as like`.execute(db)
  expect(rows[0]).toEqual({ same: false, like: true })
})

test('names that are sorted in code, as those of dashboards, have the same order', async () => {
  const sources = await readSources(join(import.meta.dirname, '..'), ['src'])
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter(({ path, text }) => !path.includes('.test.') && /name\.localeCompare/i.test(text)).map(({ path }) => path)).toEqual(
    [],
  )
})
