/** The stored row of an import, and its visibility. */
import { importKinds, type ImportKindName, type ImportMode, type ImportState } from '#contract/imports/import.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { covers, reachesEveryClient, wholeReach } from '../kernel/principal.ts'
import { noSuch } from '../kernel/problem.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export interface ImportRecord {
  readonly id: number
  readonly client_id: number
  readonly user_id: number
  readonly kind: ImportKindName
  readonly filename: string
  readonly byte_size: number
  readonly file_key: string | null
  readonly mode: ImportMode
  readonly state: ImportState
  readonly task_id: number | null
  readonly row_count: number
  readonly create_count: number
  readonly update_count: number
  readonly unchanged_count: number
  readonly refused_count: number
  readonly part_create_count: number
  readonly part_update_count: number
  readonly headers: readonly { readonly header: string; readonly column: string | null }[]
  readonly separator: string | null
  readonly encoding: string | null
  readonly faults: string[]
  readonly warnings: string[]
  readonly suggestions: Readonly<Record<string, Readonly<Record<string, string[]>>>>
  readonly note_counts: Readonly<Record<string, number>>
  readonly error: string | null
  readonly refused_file_id: number | null
  readonly created_at: string
  readonly checked_at: string | null
  readonly committed_at: string | null
  readonly undone_at: string | null
  readonly rows_removed_at: string | null
  readonly user_name: string
  readonly client_name: string | null
}

/** The record with its names. `where` refers to `imports`. */
export function importsSelect(where: RawBuilder<SqlBool>, rest: RawBuilder<unknown> = sql``): RawBuilder<ImportRecord> {
  return sql<ImportRecord>`select imports.*, coalesce(${nameOfUser('users')}, 'A former user') as user_name,
      clients.name as client_name
    from imports left join users on users.id = imports.user_id left join clients on clients.id = imports.client_id and imports.client_id <> 0
    where ${where} ${rest}`
}

/** Users see their own imports while they reach the client; users who reach every client see all. */
export function visibleImports({ principal }: Context): RawBuilder<SqlBool> {
  if (reachesEveryClient(wholeReach(principal))) return sql<SqlBool>`true`
  const clients = principal.grants.flatMap((grant) => (grant.clients === 'all' ? [] : grant.clients))
  const whole = principal.grants.some((grant) => grant.clients === 'all')
  return sql<SqlBool>`imports.user_id = ${principal.user_id} and (${whole} or imports.client_id = any(${[0, ...clients]}::bigint[]))`
}

/** Returns the import if the caller may see it. `lock` locks it for the transaction. Throws not-found. */
export async function readImport(context: Context, id: number, lock = false): Promise<ImportRecord> {
  if (lock) await sql`select id from imports where id = ${id} for update`.execute(context.tx)
  const { rows } = await importsSelect(sql<SqlBool>`imports.id = ${id} and ${visibleImports(context)}`).execute(context.tx)
  const found = rows[0]
  if (!found || !reaches(context, found.client_id)) throw noSuch('Import')
  return found
}

function reaches({ principal }: Context, clientId: number): boolean {
  return clientId === 0 || principal.grants.some((grant) => covers(grant.clients, clientId))
}

export function labelsOf(kind: ImportKindName): string {
  return importKinds[kind].labels
}
