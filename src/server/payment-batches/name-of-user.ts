import { sql, type RawBuilder } from 'kysely'

/** What a person is called, from a left join of `users`; null where there is no such person any more. */
export function nameOfUser(alias: string): RawBuilder<string | null> {
  return sql`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.last_name`)})), ''), ${sql.ref(`${alias}.email`)})`
}
