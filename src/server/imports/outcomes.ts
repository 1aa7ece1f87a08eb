/** What the rows of an import would do or have done: counted, and kept for the report and for taking it back. */
import type { ImportCounts } from '#contract/import.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { ImportTarget } from '../kernel/import-target.ts'
import type { ImportRecord } from './import-record.ts'

export interface PlanCounts extends ImportCounts {
  readonly partCreate: number
  readonly partUpdate: number
}

const nothing: PlanCounts = { rows: 0, create: 0, update: 0, unchanged: 0, refused: 0, partCreate: 0, partUpdate: 0 }

/** Rows are counted by what they do as a whole. */
export async function countPlan({ tx }: Context, { part }: ImportTarget): Promise<PlanCounts> {
  const partCount = (action: string) => (part ? sql`(select count(*)::int from import_plan_part where action = ${action})` : sql`0`)
  const { rows } = await sql<PlanCounts>`select count(*)::int as rows, count(*) filter (where row_action = 'create')::int as create,
    count(*) filter (where row_action = 'update')::int as update, count(*) filter (where row_action = 'unchanged')::int as unchanged,
    count(*) filter (where row_action = 'refused')::int as refused, ${partCount('create')} as "partCreate", ${partCount('update')} as "partUpdate" from import_plan`.execute(
    tx,
  )
  return rows[0] ?? nothing
}

/** Keeps the plan's outcome in the place of an earlier one. */
export async function storeOutcomes({ tx }: Context, { id }: ImportRecord, { part }: ImportTarget, isStored: boolean): Promise<void> {
  await sql`delete from import_outcomes where import_id = ${id}`.execute(tx)
  const item = isStored ? sql`item_id` : sql`case when action <> 'create' and not is_new then item_id end`
  const version = isStored ? sql`case action when 'create' then 0 when 'update' then lock_version + 1 end` : sql`null::int`
  const before = isStored ? sql`case action when 'update' then lock_version end` : sql`null::int`
  await sql`insert into import_outcomes (import_id, line, action, row_action, item_id, version_before, lock_version, errors, changes, secrets_before)
    select ${id}::bigint, line, action, row_action, ${item}, ${before}, ${version}, errors, case when action = 'update' then changes end, case when action = 'update' then secrets_before end
    from import_plan`.execute(tx)
  if (!part) return
  await sql`delete from import_part_outcomes where import_id = ${id}`.execute(tx)
  const partItem = isStored ? sql`item_id` : sql`case when action <> 'create' then item_id end`
  await sql`insert into import_part_outcomes (import_id, line, action, item_id, version_before, lock_version, errors, changes)
    select ${id}::bigint, line, action, ${partItem}, ${before}, ${version}, errors, case when action = 'update' then changes end from import_plan_part`.execute(
    tx,
  )
}
