/** Plans the part of every row, and reconciles both plans: a record is stored with all of its rows or not at all. */
import { sql } from 'kysely'
import { changes, links, owns, refs } from './import-plan-changes.ts'
import { partErrors } from './import-plan-errors.ts'
import { namingJoins } from './import-plan-joins.ts'
import { ownJoin, ownJoined } from './import-plan-own.ts'
import { draft, partKey, ref, type PlanScope, type Sql } from './import-plan-scope.ts'
import type { ImportPartTarget } from './import-target.ts'
import { foldedText } from '../lists/folded-text.ts'

/** Returns the statement that fills `import_plan_part`. Ids of new records come from the sequence, if there is one. */
export function partStatement(plan: PlanScope, part: ImportPartTarget, sequence: string | null): Sql {
  const id = sequence === null ? sql`null::bigint` : sql`nextval(${sql.lit(sequence)})`
  const action = sql`case when errors is not null then 'refused' when found_id is null then 'create' when changes is not null then 'update' else 'unchanged' end`
  const order = sequence === null ? sql`` : sql`order by line`
  return sql`insert into import_plan_part (line, leader, parent_id, action, row_action, item_id, lock_version, refs, links, own, draft, errors, changes)
    select line, leader, parent_id, action, action, case when action = 'create' then ${id} else found_id end, lock_version, refs, links, own, draft, errors, changes
    from (select *, ${action} as action from (${rows(plan, part)}) judged ${order}) planned`
}

function rows(plan: PlanScope, part: ImportPartTarget): Sql {
  const joins = sql.join([namingJoins(plan), matching(plan, part), ...ownJoined(plan).map((own) => ownJoin(plan, own))], sql` `)
  return sql`select staged.line, staged.leader, staged.parent_id, item.id as found_id, item.lock_version, ${refs(plan)} as refs, ${links(plan)} as links, ${owns(plan)} as own,
      staged.draft, ${partErrors(plan)} as errors, ${changes(plan)} as changes
    from ${staged(plan, part)} staged ${joins}`
}

/** Returns the part of each row, with its parent record and how often the file has its key for that record. */
function staged(plan: PlanScope, { finer }: ImportPartTarget): Sql {
  const own = sql`lines.draft -> ${sql.lit(partKey)}`
  const key = foldedText(sql`${own} ->> ${sql.lit(keyOf(plan))}`)
  const told = sql`coalesce(${foldedText(sql`${own} ->> ${sql.lit(finer.reference)}`)}, ''), coalesce(${own} ->> ${sql.lit(finer.text)}, '')`
  return sql`(select lines.import_id, lines.line, record.leader, record.item_id as parent_id, ${own} as draft, null::jsonb as secrets, null::jsonb as faults,
      count(*) over (partition by record.leader, ${key})::int as same_key, min(lines.line) over (partition by record.leader, ${key}, ${told}) as first_line
    from import_rows lines join import_plan record on record.line = lines.line where lines.import_id = ${plan.parts.importId} and lines.draft ? ${sql.lit(partKey)})`
}

/**
 * If the file and the record have a key once each, it is a match whatever else the row contains. If several share the key, the finer
 * columns distinguish them.
 */
function matching(plan: PlanScope, { parent, finer }: ImportPartTarget): Sql {
  const { table, parts } = plan
  const own = (column: string): Sql => sql.ref(`${table}.${column}`)
  const from = sql`from ${sql.table(table)} where ${own('client_id')} = ${parts.clientId} and ${own(parent)} is not null`
  const shared = sql`${own(parent)} as parent_id, ${foldedText(own(keyOf(plan)))} as key, count(*)::int as found, min(${own('id')}) as id`
  const key = foldedText(draft(keyOf(plan)))
  const at = parts.columns.findIndex((column) => column.key === finer.reference)
  const named = at < 0 ? sql`null::bigint` : ref('ref', at, 'id')
  return sql`left join (select ${shared} ${from} group by 1, 2) by_key on by_key.parent_id = staged.parent_id and by_key.key = ${key}
    left join (select ${shared}, coalesce(${own(finer.reference)}, 0) as kind, coalesce(${own(finer.text)}, '') as said ${from} group by 1, 2, 5, 6) finer
      on finer.parent_id = staged.parent_id and finer.key = ${key} and finer.kind = coalesce(${named}, 0) and finer.said = coalesce(${draft(finer.text)}, '')
    left join lateral (select case when staged.same_key = 1 and by_key.found = 1 then by_key.id when finer.found = 1 then finer.id end as id,
      finer.found > 1 or (finer.found is null and by_key.found > 1 and staged.same_key = 1) as is_several) meant on true
    left join ${sql.table(table)} item on item.client_id = ${parts.clientId} and item.id = meant.id`
}

function keyOf({ target }: PlanScope): string {
  const [key] = target.kind.key
  if (key === undefined) throw new Error(`${target.kind.name}: what hangs on a record needs a key`)
  return key
}

/** Further rows of a record mean it as well. */
export const nameFollowers = sql`update import_plan plan set item_id = first.item_id from import_plan first
  where plan.leader <> plan.line and first.line = plan.leader and plan.action <> 'refused'`

/** Two rows that write a number in two ways may mean one record: the first is kept. */
export const refuseSameRecords = sql`update import_plan plan set action = 'refused', row_action = 'refused',
    errors = jsonb_build_array(jsonb_build_object('c', null, 'm', 'Line ' || twins.first || ' means the same record'))
  from (select line, min(line) over (partition by item_id) as first from import_plan where leader = line and not is_new and item_id is not null and action <> 'refused') twins
  where twins.line = plan.line and twins.first < plan.line`

/** Reconciles the two plans; the statements run in this order. */
export const settling: readonly Sql[] = [
  sql`update import_plan plan set action = 'refused', errors = coalesce(plan.errors, '[]') || part.errors
    from import_plan_part part where part.line = plan.line and part.action = 'refused' and part.errors is not null`,
  sql`update import_plan plan set action = 'refused', errors = jsonb_build_array(jsonb_build_object('c', null, 'm', 'Line ' || refused.line || ' of the same record is refused'))
    from (select leader, min(line) as line from import_plan where action = 'refused' group by leader) refused
    where refused.leader = plan.leader and plan.action <> 'refused'`,
  sql`update import_plan plan set item_id = null from import_plan first where first.line = plan.leader and first.is_new and plan.action = 'refused'`,
  sql`update import_plan_part part set action = 'refused', item_id = case when part.lock_version is null then null else part.item_id end
    from import_plan plan where plan.line = part.line and plan.action = 'refused'`,
  sql`update import_plan plan set row_action = case when plan.action = 'refused' then 'refused' when 'create' in (plan.action, part.action) then 'create'
      when 'update' in (plan.action, part.action) then 'update' else 'unchanged' end
    from import_plan one left join import_plan_part part on part.line = one.line where one.line = plan.line`,
]
