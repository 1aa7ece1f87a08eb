/**
 * Says of every row of a file what it would do, in one statement over all rows: which record it means, whom its names name, what it
 * would change, what is wrong with it. The answer stands in the temporary table `import_plan`, and is true as long as its transaction.
 */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from './database.ts'
import { changes, links, refs, secretsBefore } from './import-plan-changes.ts'
import { errors } from './import-plan-errors.ts'
import { joins } from './import-plan-joins.ts'
import type { PlanParts, PlanScope } from './import-plan-scope.ts'
import { placeOf, type ImportTarget } from './import-target.ts'
import { reachOf } from './principal.ts'

export { singleSource, type PlanParts } from './import-plan-scope.ts'

/** Fills `import_plan`. New records get their ids where `withIds` says so. */
export async function makePlan(target: ImportTarget, parts: PlanParts, withIds: boolean): Promise<void> {
  const { tx } = parts.context
  await sql`create temp table import_plan (line int not null, action text not null, item_id bigint, lock_version int, refs bigint[], links jsonb,
    draft jsonb not null, secrets jsonb, errors jsonb, changes jsonb, secrets_before jsonb) on commit drop`.execute(tx)
  await statement(scopeOf(target, parts), withIds ? await sequenceOf(tx, target.source.table) : null).execute(tx)
  await sql`analyze import_plan`.execute(tx)
}

async function sequenceOf(tx: Tx, table: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`.execute(tx)
  return rows[0]?.name ?? ''
}

/** The references that have one value a cell, in the order of `refs`. */
export function singleReferences(columns: readonly ImportColumn[]): ImportColumn[] {
  return columns.filter((column) => placeOf(column) === 'reference')
}

function scopeOf(target: ImportTarget, parts: PlanParts): PlanScope {
  const { principal } = parts.context
  return {
    target,
    parts,
    create: reachOf(principal, target.may.create),
    update: reachOf(principal, target.may.update),
    table: target.source.table,
    changing: parts.columns.filter(({ name }) => !target.kind.key.includes(name)),
  }
}

function statement(plan: PlanScope, sequence: string | null): RawBuilder<unknown> {
  const id = sequence === null ? sql`null::bigint` : sql`nextval(${sql.lit(sequence)})`
  const action = sql`case when errors is not null then 'refused' when found_id is null then 'create' when changes is not null then 'update' else 'unchanged' end`
  // New records get their ids in the order of the file.
  const order = sequence === null ? sql`` : sql`order by line`
  return sql`insert into import_plan (line, action, item_id, lock_version, refs, links, draft, secrets, errors, changes, secrets_before)
    select line, action, case when action = 'create' then ${id} else found_id end, lock_version, refs, links, draft, secrets, errors, changes, secrets_before
    from (select *, ${action} as action from (${rows(plan)}) judged ${order}) planned`
}

function rows(plan: PlanScope): RawBuilder<unknown> {
  const { importId } = plan.parts
  return sql`select staged.line, item.id as found_id, item.lock_version, ${refs(plan)} as refs, ${links(plan)} as links, staged.draft, staged.secrets,
      ${errors(plan)} as errors, ${changes(plan)} as changes, ${secretsBefore(plan)} as secrets_before
    from import_rows staged ${joins(plan)} where staged.import_id = ${importId}`
}
