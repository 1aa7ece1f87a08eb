/** Whether a row of user_roles reaches its clients as a whole, as a condition. */
import { sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../kernel/lists/list.ts'

const parts = ['user_role_divisions', 'user_role_facilities', 'user_role_billable_accounts', 'user_role_supply_accounts'] as const

/** `held` is the name under which the statement reads user_roles. */
export function isWholeRole(held: string): Condition {
  return and(
    parts.map(
      (table) => sql<SqlBool>`not exists (select from ${sql.table(table)} part where part.user_role_id = ${sql.ref(`${held}.id`)})`,
    ),
  )
}
