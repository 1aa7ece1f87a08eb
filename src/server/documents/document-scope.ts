/** Documents in a role's reach: those of the records in its reach. Documents of the client itself are visible to roles for the whole client. */
import { attachables, type Attachable, type AttachableModel } from '#contract/documents/document.ts'
import type { Action } from '#contract/kernel/permission.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { or, scopeCondition, type Asked, type Condition, type ScopeRule } from '../kernel/lists/list.ts'
import { reachOf, type Reach } from '../kernel/principal.ts'

export const documentScope: ScopeRule = {
  client: sql.ref('documents.client_id'),
  levels: {
    division: (ids, client) =>
      or([
        within('division_id', ids),
        sql<SqlBool>`exists (select 1 from facilities where facilities.client_id = ${client}
          and facilities.id = documents.facility_id and facilities.division_id = any(${ids}::bigint[]))`,
        onAccount('billable_account', inDivision(ids, client), client),
        onAccount('supply_account', inDivision(ids, client), client),
      ]),
    facility: (ids, client) =>
      or([
        within('facility_id', ids),
        onAccount('billable_account', sql<SqlBool>`account.facility_id = any(${ids}::bigint[])`, client),
        onAccount('supply_account', sql<SqlBool>`account.facility_id = any(${ids}::bigint[])`, client),
      ]),
    billable_account: (ids) => within('billable_account_id', ids),
    supply_account: (ids) => within('supply_account_id', ids),
  },
}

/** The column that is set if a document belongs to a record of this model. */
export function columnOf(model: AttachableModel): string {
  return model === 'client' ? 'on_client' : `${model}_id`
}

/** The documents of one record; null means of all records of the type. */
export const ofAttachable = defineWhere(
  'documents_of_attachable',
  z.object({ model: z.enum(['client', 'division', 'facility', 'billable_account', 'supply_account']), id: z.int().nullable() }),
  ({ model, id }): Condition => {
    const column = sql.ref(`documents.${columnOf(model)}`)
    if (model === 'client') return sql<SqlBool>`${column}`
    return id === null ? sql<SqlBool>`${column} is not null` : sql<SqlBool>`${column} = ${id}`
  },
)

const reachSchema = z.array(
  z.object({ clients: z.union([z.literal('all'), z.array(z.number())]), narrowed: z.record(z.string(), z.array(z.number())) }),
)
const byRights = defineWhere(
  'documents_by_rights',
  z.array(z.object({ column: z.string().regex(/^[a-z_]+$/), reach: reachSchema })),
  (parts): Condition =>
    or(
      parts.map(({ column, reach }) => {
        const ref = sql.ref(`documents.${column}`)
        const hangs = column === 'on_client' ? sql`${ref}` : sql`${ref} is not null`
        return sql<SqlBool>`(${hangs} and ${scopeCondition({ scope: documentScope }, { reach })})`
      }),
    ),
)

/**
 * The documents that the caller may read or update. If the rights at the five levels have the same reach, as for most roles, that is one
 * condition.
 */
export function askedFor({ principal }: Pick<Context, 'principal'>, action: Extract<Action, 'read' | 'update'>): Asked {
  const parts = attachables.map(({ model }) => ({ column: columnOf(model), reach: reachOf(principal, `${model}.${action}`) }))
  const [first] = parts
  if (first && parts.every(({ reach }) => JSON.stringify(reach) === JSON.stringify(first.reach))) return { reach: first.reach }
  const reach: Reach = parts.flatMap((part) => part.reach)
  return { reach, ...byRights(JSON.parse(JSON.stringify(parts))) }
}

/** Combines both conditions, so that an export can rebuild them. */
export function both(one: Asked, other: Pick<Asked, 'where' | 'whereKey'>): Asked {
  return {
    ...one,
    where: [...(one.where ?? []), ...(other.where ?? [])],
    whereKey: [one.whereKey, other.whereKey].filter((text) => text !== undefined && text !== '').join('\n'),
  }
}

/** Returns the values of the five columns for a document of this record. */
export function attachedTo({ model }: Pick<Attachable, 'model'>, id: number): Readonly<Record<string, number | boolean | null>> {
  const ids = attachables
    .filter((one) => one.model !== 'client')
    .map((one) => [columnOf(one.model), one.model === model ? id : null] as const)
  return { on_client: model === 'client', ...Object.fromEntries(ids) }
}

function within(column: string, ids: readonly number[]): Condition {
  return sql<SqlBool>`${sql.ref(`documents.${column}`)} = any(${ids}::bigint[])`
}

function onAccount(model: 'billable_account' | 'supply_account', condition: Condition, client: RawBuilder<unknown>): Condition {
  return sql<SqlBool>`exists (select 1 from ${sql.table(`${model}s`)} account where account.client_id = ${client}
    and account.id = ${sql.ref(`documents.${model}_id`)} and ${condition})`
}

function inDivision(ids: readonly number[], client: RawBuilder<unknown>): Condition {
  return sql<SqlBool>`exists (select 1 from facilities where facilities.client_id = ${client}
    and facilities.id = account.facility_id and facilities.division_id = any(${ids}::bigint[]))`
}
