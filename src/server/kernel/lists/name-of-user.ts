import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the SQL of a user's name: first and last name, or `otherwise` of a user without one. `alias` is the name of `users` in the
 * statement. It is null in a left join if the user no longer exists.
 */
export function nameOfUser(alias: string, otherwise: 'email' | 'username' = 'email'): RawBuilder<string | null> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`)
  return sql`coalesce(nullif(trim(concat_ws(' ', ${column('first_name')}, ${column('last_name')})), ''), ${column(otherwise)})`
}
