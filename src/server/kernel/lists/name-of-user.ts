import { sql, type RawBuilder } from 'kysely'

/** The name of a user from a left join of `users`; null if the user no longer exists. */
export function nameOfUser(alias: string): RawBuilder<string | null> {
  return sql`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.last_name`)})), ''), ${sql.ref(`${alias}.email`)})`
}
