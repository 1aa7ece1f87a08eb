/** A kind of import with the columns of one client's files. */
import { importKinds, type ImportKindName } from '#contract/imports/import.ts'
import { clientKind, type HeadingRecord, type ImportKind } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { sourceOf } from '../kernel/lists/sources.ts'

/** Returns the records that define columns, in the order of the client's lists. */
export async function kindOf({ tx }: Pick<Context, 'tx'>, name: ImportKindName, clientId: number): Promise<ImportKind> {
  const kind = importKinds[name]
  const { clientColumns } = kind
  const source = clientColumns && sourceOf(clientColumns.of)
  if (!source) return kind
  const { rows } = await sql<HeadingRecord>`select id, name from ${sql.table(source.table)} where client_id = ${clientId}
    order by "order", id limit ${clientColumns.max}`.execute(tx)
  return clientKind(kind, rows)
}
