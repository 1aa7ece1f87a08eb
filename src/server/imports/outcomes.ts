/** The outcomes of an import's rows, planned or done: counted, and stored for the report and for undo. */
import type { ImportCounts } from '#contract/imports/import.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import type { ImportRecord } from './import-record.ts'

export interface PlanCounts extends ImportCounts {
  readonly partCreate: number
  readonly partUpdate: number
}

const nothing: PlanCounts = { rows: 0, create: 0, update: 0, unchanged: 0, refused: 0, partCreate: 0, partUpdate: 0 }

/** Counts rows by what they do as a whole. */
export async function countPlan({ tx }: Context, { part }: ImportTarget): Promise<PlanCounts> {
  const partCount = (action: string) => (part ? sql`(select count(*)::int from import_plan_part where action = ${action})` : sql`0`)
  const { rows } = await sql<PlanCounts>`select count(*)::int as rows, count(*) filter (where row_action = 'create')::int as create,
    count(*) filter (where row_action = 'update')::int as update, count(*) filter (where row_action = 'unchanged')::int as unchanged,
    count(*) filter (where row_action = 'refused')::int as refused, ${partCount('create')} as "partCreate", ${partCount('update')} as "partUpdate" from import_plan`.execute(
    tx,
  )
  return rows[0] ?? nothing
}

/** Stores the plan's outcomes in place of earlier ones. */
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

interface Kept {
  readonly counts: PlanCounts
  readonly suggestions: ImportRecord['suggestions']
  readonly error: string | null
  readonly isStored: boolean
  readonly noteCounts: Readonly<Record<string, number>>
}

/** Stores the counts of the import and its new state, checked or stored. */
export async function keepCounts(
  { tx }: Context,
  { id }: ImportRecord,
  { counts, suggestions, error, isStored, noteCounts }: Kept,
): Promise<void> {
  await sql`update imports set state = ${isStored ? 'committed' : 'checked'}, row_count = ${counts.rows}, create_count = ${counts.create}, update_count = ${counts.update},
      part_create_count = ${counts.partCreate}, part_update_count = ${counts.partUpdate}, unchanged_count = ${counts.unchanged}, refused_count = ${counts.refused},
      suggestions = ${JSON.stringify(suggestions)}::jsonb, note_counts = ${JSON.stringify(noteCounts)}::jsonb, error = ${error}, refused_file_id = null,
      checked_at = coalesce(checked_at, clock_timestamp()), committed_at = ${isStored ? sql`clock_timestamp()` : sql`null`} where id = ${id}`.execute(
    tx,
  )
}

/** Counts the stored outcomes, when there is no plan any more. */
export async function countOutcomes(
  { tx }: Context,
  importId: number,
): Promise<{ counts: PlanCounts; noteCounts: Record<string, number> }> {
  const { rows } = await sql<PlanCounts>`select count(*)::int as rows, count(*) filter (where row_action = 'create')::int as create,
    count(*) filter (where row_action = 'update')::int as update, count(*) filter (where row_action = 'unchanged')::int as unchanged,
    count(*) filter (where row_action = 'refused')::int as refused, 0 as "partCreate", 0 as "partUpdate" from import_outcomes where import_id = ${importId}`.execute(
    tx,
  )
  // A record counts once per kind of note, however often it occurs.
  const { rows: notes } = await sql<{ about: string; many: number }>`select about, count(*)::int as many from import_outcomes
    cross join lateral (select distinct note ->> 'c' as about from jsonb_array_elements(notes) note) said
    where import_id = ${importId} and notes is not null group by about order by many desc, about`.execute(tx)
  return { counts: rows[0] ?? nothing, noteCounts: Object.fromEntries(notes.map(({ about, many }) => [about, many])) }
}
