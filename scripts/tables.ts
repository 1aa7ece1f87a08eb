import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { openDatabase } from '../src/server/kernel/postgres/database.ts'
import { startThrowawayPostgres } from '../src/server/kernel/postgres/embedded-postgres.ts'
import { migrate } from '../src/server/kernel/postgres/migrate.ts'

/** Path of the generated types. */
export const TABLES_FILE = join(import.meta.dirname, '../src/server/tables.ts')

interface Column {
  table_name: string
  column_name: string
  type_name: string
  nullable: boolean
  has_default: boolean
  always_generated: boolean
}

const HEAD = "// Written by `npm run tables` from the migrated database; a test compares it. Don't edit."

/** Generates the types of every table of a migrated database as TypeScript, which `Tables` in kernel/postgres/database.ts extends. */
export async function generateTables(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(COLUMNS)
  const tables = Map.groupBy(rows, ({ table_name }) => table_name)
  const interfaces = [...tables].map(([table, columns]) => `export interface ${typeName(table)} {\n${columns.map(columnLine).join('')}}\n`)
  const entries = [...tables.keys()].map((table) => `    ${table}: ${typeName(table)}\n`)
  const used = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => interfaces.some((text) => text.includes(`${name}<`)))
  const head = `${HEAD}\nimport type { ${used.join(', ')} } from 'kysely'\n`
  return `${[head, ...interfaces].join('\n')}\ndeclare module './kernel/postgres/database.ts' {\n  interface Tables {\n${entries.join('')}  }\n}\n`
}

const COLUMNS = `
  select class.relname as table_name, attribute.attname as column_name, type.typname as type_name,
    not attribute.attnotnull as nullable,
    attribute.atthasdef or attribute.attidentity <> '' as has_default,
    attribute.attgenerated <> '' or attribute.attidentity = 'a' as always_generated
  from pg_class class
  join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
  join pg_type type on type.oid = attribute.atttypid
  where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and class.relname <> 'schema_migrations'
  order by class.relname, attribute.attnum`

const TYPES = new Map([
  ...['int2', 'int4', 'int8', 'float4', 'float8'].map((name) => [name, 'number'] as const),
  ...['text', 'varchar', 'bpchar', 'citext', 'uuid', 'numeric', 'date', 'timestamp', 'timestamptz', 'interval', 'inet'].map(
    (name) => [name, 'string'] as const,
  ),
  ['bool', 'boolean'],
  ['bytea', 'Buffer'],
])

function columnLine(column: Column): string {
  return `  ${column.column_name}: ${columnType(column)}\n`
}

function columnType(column: Column): string {
  if (/^jsonb?$/.test(column.type_name)) return jsonType(column)
  const isArray = column.type_name.startsWith('_')
  const element = TYPES.get(isArray ? column.type_name.slice(1) : column.type_name)
  if (element === undefined)
    throw new Error(
      `${column.table_name}.${column.column_name} has the type ${column.type_name}: say in scripts/tables.ts what it is in TypeScript`,
    )
  const type = `${element}${isArray ? '[]' : ''}${column.nullable ? ' | null' : ''}`
  if (column.always_generated) return `GeneratedAlways<${type}>`
  return column.has_default ? `Generated<${type}>` : type
}

/** Read as unknown, to be parsed; written as JSON text, because pg would turn an array into a PostgreSQL array. */
function jsonType({ nullable, has_default }: Column): string {
  const written = nullable ? 'string | null' : 'string'
  return `ColumnType<unknown, ${written}${has_default ? ' | undefined' : ''}, ${written}>`
}

function typeName(table: string): string {
  return `${table.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Table`
}

async function main(): Promise<void> {
  const postgres = await startThrowawayPostgres()
  const { pool, close } = openDatabase({ url: postgres.url, size: 2 })
  try {
    await migrate(pool)
    await writeFile(TABLES_FILE, await generateTables(pool))
    console.log(`wrote ${TABLES_FILE}`)
  } finally {
    await close()
    await postgres.stop()
  }
}

if (import.meta.main) await main()
