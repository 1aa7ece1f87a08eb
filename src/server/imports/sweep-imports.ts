/** Removes the rows of old imports: the import stays with its counts, but its report and undo end. */
import { sql } from 'kysely'
import type { Machinery } from '../kernel/machinery.ts'
import { removeReceived } from './receive-file.ts'

const keptDays = 90
const importsAtOnce = 50

export async function sweepImports(machinery: Machinery): Promise<void> {
  await sweepReceived(machinery)
  await sweepRows(machinery)
}

/** The sealed file of a failed import is useless: a failed import is never started again. */
async function sweepReceived(machinery: Machinery): Promise<void> {
  const { db } = machinery.jobsDatabase
  const { rows } = await sql<{ id: number; file_key: string }>`select id, file_key from imports
    where state = 'failed' and file_key is not null order by id limit ${importsAtOnce}`.execute(db)
  for (const { id, file_key: key } of rows) {
    await removeReceived(machinery, key)
    await sql`update imports set file_key = null where id = ${id}`.execute(db)
  }
}

async function sweepRows(machinery: Machinery): Promise<void> {
  const { db } = machinery.jobsDatabase
  const { rows } = await sql<{
    id: number
    refused_file_id: number | null
    key: string | null
  }>`select imports.id, refused_file_id, files.key from imports
    left join files on files.id = refused_file_id where rows_removed_at is null and imports.created_at < now() - make_interval(days => ${keptDays}::int)
    order by imports.created_at limit ${importsAtOnce}`.execute(db)
  for (const { key } of rows) if (key !== null) await machinery.files.remove(key)
  const ids = rows.map(({ id }) => id)
  const files = rows.flatMap(({ refused_file_id: file }) => (file === null ? [] : [file]))
  await db.transaction().execute(async (tx) => {
    for (const table of ['import_rows', 'import_outcomes', 'import_part_outcomes'])
      await sql`delete from ${sql.table(table)} where import_id = any(${ids}::bigint[])`.execute(tx)
    await sql`update imports set rows_removed_at = now(), refused_file_id = null where id = any(${ids}::bigint[])`.execute(tx)
    await sql`delete from files where id = any(${files}::bigint[])`.execute(tx)
  })
}
