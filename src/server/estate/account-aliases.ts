/** The aliases of an account. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { type AccountKind, accountTables } from './estate-accounts.ts'

/** Sets the aliases of an account to exactly these. */
export async function saveAliases(
  { tx, principal }: Context,
  kind: AccountKind,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  aliases: readonly string[] | undefined,
): Promise<void> {
  if (aliases === undefined) return
  const key = sql.ref(accountTables[kind].key)
  await sql`delete from account_aliases where client_id = ${client_id} and ${key} = ${id} and not (alias = any(${aliases}::text[]))`.execute(
    tx,
  )
  await sql`insert into account_aliases (client_id, ${key}, alias, created_by)
    select ${client_id}, ${id}, alias, ${principal.user_id} from unnest(${aliases}::text[]) with ordinality as given(alias, place) order by place
    on conflict do nothing`.execute(tx)
}

/**
 * Adds an alias that a user assigned to the account, whatever their number. It raises the version, so that a save of an open form gets the
 * stale error.
 */
export async function addAlias(context: Context, clientId: number, kind: AccountKind, id: number, alias: string): Promise<void> {
  const { tx, principal } = context
  const { table, key } = accountTables[kind]
  const { rows } = await sql<{ aliases: string[] }>`with added as (
      insert into account_aliases (client_id, ${sql.ref(key)}, alias, created_by)
      select client_id, id, ${alias}, ${principal.user_id} from ${sql.table(table)}
      where client_id = ${clientId} and id = ${id} and account_number <> ${alias} on conflict do nothing returning id),
    raised as (update ${sql.table(table)} set lock_version = lock_version + 1, updated_at = now()
      where client_id = ${clientId} and id = ${id} and exists (select from added) returning id)
    select array(select alias.alias from account_aliases alias where alias.client_id = ${clientId} and alias.${sql.ref(key)} = ${id} order by alias.id) as aliases
    from raised`.execute(tx)
  const [before] = rows
  if (before) await context.audit.updated(kind, id, clientId, { aliases: { from: before.aliases, to: [...before.aliases, alias] } })
}
