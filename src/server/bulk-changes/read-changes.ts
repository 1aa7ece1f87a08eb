/** Reads bulk changes, planned and done, for their previews, their list and their pages. */
import { bulkChange, bulkKindNames, bulkUndoDays, type BulkChange } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { clientScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhereOf } from '../kernel/lists/export.ts'
import { or, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { mayIn, reachOf, reachesWhole, type Principal } from '../kernel/principal.ts'
import { noSuch } from '../kernel/problem.ts'
import { exportHandler, listAnswer, resource } from '../kernel/lists/resource.ts'
import { namesOf, worded } from './change-words.ts'
import { targetOf } from './targets.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const personName = (alias: string) => sql`coalesce(${nameOfUser(alias)}, 'A former user')`
const isKept = sql`bulk_changes.rows_removed_at is null and bulk_changes.created_at > now() - make_interval(days => ${sql.lit(bulkUndoDays)})`

/** Visibility depends on more than the scope: see `visibleActs`. */
const bulkChanges = resource({
  entity: bulkChange,
  table: 'bulk_changes',
  scope: { client: sql.ref('bulk_changes.client_id'), levels: clientScope.levels },
  joins: {
    person: sql`left join users person on person.id = bulk_changes.user_id`,
    undoer: sql`left join users undoer on undoer.id = bulk_changes.undone_by`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    user_name: { sql: personName('person'), joins: ['person'] },
    undone_by_name: { sql: sql`case when bulk_changes.undone_at is not null then ${personName('undoer')} end`, joins: ['undoer'] },
    changed: { sql: sql.ref('bulk_changes.changes') },
    may_undo: { sql: sql`(bulk_changes.undone_at is null and ${isKept})` },
  },
  present: presentActs,
})

const seenBy = defineWhereOf('bulk_changes_seen_by', z.object({ client_id: z.int(), user_id: z.int() }), (principal, { client_id }) =>
  visibleActs(principal, client_id),
)

export function listActs(context: Context, clientId: number, query: ListInput) {
  return listAnswer(context, bulkChanges, query, {
    reach: context.reach,
    clientId,
    ...seenBy(context.principal, { client_id: clientId, user_id: context.principal.user_id }),
  })
}

export const actExport = exportHandler(bulkChangeCalls.exportCsv, bulkChanges, ({ reach, principal }, { client_id: clientId }) => ({
  reach,
  clientId,
  ...seenBy(principal, { client_id: clientId, user_id: principal.user_id }),
}))

/** Users who may change all records of a kind see all bulk changes of them; users who may change some see their own. */
function visibleActs(principal: Principal, clientId: number): Condition {
  return or(
    bulkKindNames.flatMap((name) => {
      const { may } = targetOf(name)
      if (!mayIn(principal, may, clientId)) return []
      const own = reachesWhole(reachOf(principal, may), clientId) ? sql`true` : sql`bulk_changes.user_id = ${principal.user_id}`
      return [sql<SqlBool>`(bulk_changes.kind = ${name} and ${own})`]
    }),
  )
}

export interface Act {
  readonly id: number
  readonly kind: string
  readonly item_count: number
  readonly undone_at: string | null
  readonly kept: boolean
}

/** Throws not-found for a missing or hidden bulk change. `lock` locks it for the transaction. */
export async function readAct(context: Context, clientId: number, id: number, lock = false): Promise<Act> {
  const { rows } = await sql<Act>`select id, kind, item_count, undone_at, ${isKept} as kept from bulk_changes
    where ${scopeCondition(bulkChanges, { reach: context.reach, clientId })} and ${visibleActs(context.principal, clientId)} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    context.tx,
  )
  if (!rows[0]) throw noSuch('Bulk Change')
  return rows[0]
}

/** Puts each bulk change into words, with the current names of the records that it refers to. */
async function presentActs(context: Context, acts: readonly BulkChange[]): Promise<BulkChange[]> {
  const presented = new Map<number, BulkChange['changed']>()
  for (const [kind, ofKind] of Map.groupBy(acts, (act) => act.kind)) {
    const { kind: described } = targetOf(kind)
    const [first] = ofKind
    if (!first) continue
    const names = await namesOf(context, described, first.client_id, (key) => ofKind.map((act) => storedOf(act)[key]))
    for (const act of ofKind) {
      const stored = storedOf(act)
      const changed = Object.entries(described.fields).filter(([key]) => key in stored)
      presented.set(
        act.id,
        changed.map(([key, field]) => ({ key, label: field.label, to: worded(field, key, stored[key], names) })),
      )
    }
  }
  return acts.map((act) => ({ ...act, changed: presented.get(act.id) ?? [] }))
}

/** The stored column `changes`, before it is put into words. */
function storedOf({ changed }: BulkChange): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(changed))
}
