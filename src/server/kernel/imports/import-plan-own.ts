/** Columns that the slice resolves itself: their joins and parts of the plan's statement. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { alias, draft, ref, type PlanScope, type Sql } from './import-plan-scope.ts'
import { placeOf, type ImportOwn, type ImportOwnParts } from './import-target.ts'

interface OwnJoined {
  readonly column: ImportColumn
  readonly key: string
  readonly at: number
}

/** Returns the slice's own columns that the file has, each key once: several columns may be headed by records of the client. */
export function ownJoined({ target, parts }: PlanScope): OwnJoined[] {
  const seen = new Set<string>()
  return parts.columns.flatMap((column, at) => {
    const { key } = column
    if (placeOf(column) !== 'own' || !target.own?.[key] || seen.has(key)) return []
    seen.add(key)
    return [{ column, key, at }]
  })
}

/** Returns how the slice stores this key. Throws if it does not. */
export function ownOf({ target }: Pick<PlanScope, 'target'>, key: string): ImportOwn {
  const own = target.own?.[key]
  if (!own) throw new Error(`${target.kind.name}: nobody keeps ${key}`)
  return own
}

/** A value is looked up if the row gives one. */
export function ownJoin(plan: PlanScope, { key, at }: OwnJoined): Sql {
  const { given, fault } = ownOf(plan, key)
  const parts = ownParts(plan)
  return sql`left join lateral (select ${given(parts)} as value, ${fault?.(parts) ?? sql`null::text`} as fault) ${alias('own', at)} on staged.draft ? ${sql.lit(key)}`
}

export function ownParts(plan: PlanScope): ImportOwnParts {
  const { context, clientId, importId, columns } = plan.parts
  return {
    context,
    clientId,
    importId,
    reach: plan.create,
    item: (column) => sql.ref(`item.${column}`),
    draft,
    json: (key) => sql`(staged.draft -> ${sql.lit(key)})`,
    named: (key) => {
      const at = columns.findIndex((column) => column.key === key && placeOf(column) === 'reference')
      return at < 0 ? sql`null::bigint` : ref('ref', at, 'id')
    },
  }
}
