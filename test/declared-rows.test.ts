/** The judge of declared rows itself: each kind of fault is found, and a row that is right has none. */
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { testDatabase } from './support/cluster.ts'
import { rowsOf } from './support/rows/declared-rows.ts'
import { parseModule } from './support/rows/module-types.ts'
import { takeReceived } from './support/rows/received-rows.ts'
import { rowFaults } from './support/rows/row-faults.ts'
import { reasonsOf } from './support/rows/shape.ts'

const { db } = await testDatabase()

const HEAD = `import type { AuditAccount } from '#contract/bill-audits/bill-audits.ts'
interface Named<T> { readonly id: T; readonly name: string }
const kinds = ['one', 'two'] as const
`

function declare(type: string, statement: string) {
  const [row] = rowsOf(parseModule('src/server/made/made.ts', `${HEAD}sql<${type}>\`${statement}\``))
  if (!row) throw new Error(`no row is declared by ${type}`)
  return row
}

async function faultsOf(type: string, statement: string): Promise<string[]> {
  const row = declare(type, statement)
  takeReceived()
  await sql.raw(statement).execute(db)
  const received = takeReceived().filter(({ key }) => key === row.key)
  expect(received).toHaveLength(1)
  return received.flatMap((one) => rowFaults(row, one, inject('nullableColumns')).map((fault) => fault.replace(/^.*: /, '')))
}

test.each([
  ['{ id: number; name: string }', "select 1::bigint as id, 'a' as name"],
  ['{ sum: string; on: string; at: string | null }', 'select 1.5 as sum, current_date as on, now() as at'],
  ['{ ids: readonly number[]; days: string[] }', 'select array[1]::bigint[] as ids, array[current_date] as days'],
  ["Omit<Named<number>, 'name'> & { kind: (typeof kinds)[number] }", "select 1 as id, 'one' as kind"],
  ["Pick<AuditAccount, 'active'>", 'select true as active'],
  ['{ raw: unknown; value: { a: number } | null; key?: string }', "select '{}'::jsonb as raw, '{}'::json as value"],
  ['{ password_hash: string }', 'select password_hash from users where password_hash is not null'],
  ['{ password_hash: string | null }', 'select password_hash from users'],
])('a right row has no fault: %s', async (type, statement) => {
  expect(await faultsOf(type, statement)).toEqual([])
})

test.each([
  ['{ id: string }', 'select 1::bigint as id', 'id is declared as string, and PostgreSQL answers number'],
  ['{ sum: number }', 'select 1.5 as sum', 'sum is declared as number, and PostgreSQL answers string'],
  ['{ at: Date | null }', 'select now() as at', 'at is declared as date or null, and PostgreSQL answers string'],
  ['{ ids: string[] }', 'select array[1]::bigint[] as ids', 'ids is declared as array of string, and PostgreSQL answers array of number'],
  ['Named<number>', 'select 1 as id', 'name is declared, and PostgreSQL does not answer it'],
  ['{ id: number }', "select 1 as id, 'a' as name", 'name is answered by PostgreSQL, and not declared'],
  [
    '{ password_hash: string }',
    'select password_hash from users',
    'password_hash is declared as string, and users.password_hash may be null',
  ],
  ['{ name: string }', 'select null::text as name', 'name is declared as string, and PostgreSQL answered null'],
])('a wrong row is named with its member: %s', async (type, statement, fault) => {
  expect(await faultsOf(type, statement)).toEqual([fault])
})

test('a type that the reader does not understand is not taken for a compared one', () => {
  expect(reasonsOf(declare('Strange<number>', 'select 1').shape)).toEqual(['Strange<number>'])
  expect(reasonsOf(declare('{ id: number; kind: Strange }', 'select 1').shape)).toEqual(['kind: Strange'])
})
