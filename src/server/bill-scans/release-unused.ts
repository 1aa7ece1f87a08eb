/** Files that documents no longer use. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { releaseFile } from '../uploads/uploads.ts'

/** Files that no inbox document and no bill shows any more are swept within a day. */
export async function releaseUnused(context: Context, fileIds: readonly (number | null)[]): Promise<void> {
  const given = [...new Set(fileIds.flatMap((id) => id ?? []))]
  const { rows } = await sql<{ id: number }>`select id from unnest(${given}::bigint[]) as given(id)
    where not exists (select from bill_scans where file_id = given.id) and not exists (select from bill_scans where origin_file_id = given.id)
      and not exists (select from bill_files where file_id = given.id)`.execute(context.tx)
  for (const { id } of rows) await releaseFile(context, id)
}
