/**
 * Plans every row of a file in one statement over all rows: the record it means, the records it names, its changes and its errors. The
 * result is in the temporary table `import_plan`, and is valid for the transaction.
 */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import { changes, links, owns, refs, secretsBefore } from './import-plan-changes.ts'
import { errors } from './import-plan-errors.ts'
import { foundRecords } from './import-plan-found.ts'
import { joins } from './import-plan-joins.ts'
import { nameFollowers, partStatement, refuseSameRecords, settling } from './import-plan-part.ts'
import type { PlanParts, PlanScope, PlanTable } from './import-plan-scope.ts'
import { placeOf, type ImportPartTarget, type ImportTarget } from './import-target.ts'
import { reachOf } from '../principal.ts'

export { singleSource, type PlanParts } from './import-plan-scope.ts'

/** Fills `import_plan`, and `import_plan_part` if the target has a part. New records get their ids if `withIds` is true. */
export async function makePlan(target: ImportTarget, parts: PlanParts, withIds: boolean): Promise<void> {
  const { tx } = parts.context
  await makeTable(tx, 'import_plan')
  const own = { ...parts, columns: parts.columns.filter((column) => !column.part) }
  await statement(scopeOf(target, own), withIds ? await sequenceOf(tx, target.source.table) : null).execute(tx)
  if (target.match) await refuseSameRecords.execute(tx)
  await sql`analyze import_plan`.execute(tx)
  if (target.part) await planPart(target.part, parts, withIds)
}

/** Returns the inputs for the plan of the parts: its columns, by the keys under which they are stored. */
export function partParts({ target, always }: ImportPartTarget, parts: PlanParts): PlanParts {
  const columns = target.kind.columns.filter(
    ({ name, key }) => always.includes(key) || parts.columns.some((column) => column.name === name),
  )
  return { ...parts, columns, plan: 'import_plan_part' }
}

/** Reconciles the refusals made since: a record is stored with all of its rows or not at all. */
export async function settlePlan(target: ImportTarget, { context: { tx } }: PlanParts): Promise<void> {
  if (target.part) for (const step of settling) await step.execute(tx)
}

async function planPart(part: ImportPartTarget, parts: PlanParts, withIds: boolean): Promise<void> {
  const { tx } = parts.context
  await nameFollowers.execute(tx)
  await makeTable(tx, 'import_plan_part')
  const sequence = withIds ? await sequenceOf(tx, part.target.source.table) : null
  await partStatement(scopeOf(part.target, partParts(part, parts)), part, sequence).execute(tx)
  await sql`analyze import_plan_part`.execute(tx)
  await part.complete?.(parts.context, parts.clientId ?? 0)
}

async function makeTable(tx: Tx, name: PlanTable): Promise<void> {
  await sql`create temp table ${sql.table(name)} (line int not null, leader int not null, is_new boolean, parent_id bigint, action text not null, row_action text not null,
    item_id bigint, lock_version int, refs bigint[], links jsonb, own jsonb, draft jsonb not null, secrets jsonb, errors jsonb, changes jsonb, secrets_before jsonb) on commit drop`.execute(
    tx,
  )
}

async function sequenceOf(tx: Tx, table: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pg_get_serial_sequence(${table}, 'id') as name`.execute(tx)
  return rows[0]?.name ?? ''
}

/** Returns the references with one value per cell, in the order of `refs`. */
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
  const action = sql`case when errors is not null then 'refused' when leader < line then 'unchanged' when found_id is null then 'create'
    when changes is not null then 'update' else 'unchanged' end`
  // New records get their ids in the order of the file.
  const order = sequence === null ? sql`` : sql`order by line`
  return sql`insert into import_plan (line, leader, is_new, action, row_action, item_id, lock_version, refs, links, own, draft, secrets, errors, changes, secrets_before)
    select line, leader, found_id is null, action, action, case when action = 'create' then ${id} else found_id end, lock_version, refs, links, own, draft, secrets, errors,
      case when leader = line then changes end, secrets_before
    from (select *, ${action} as action from (${rows(plan)}) judged ${order}) planned`
}

function rows(plan: PlanScope): RawBuilder<unknown> {
  const { importId } = plan.parts
  const leader = plan.target.part ? sql`coalesce(twin.line, staged.line)` : sql`staged.line`
  const head = plan.target.match ? foundRecords(plan, plan.target.match) : sql``
  return sql`${head} select staged.line, ${leader} as leader, item.id as found_id, item.lock_version, ${refs(plan)} as refs, ${links(plan)} as links, ${owns(plan)} as own, staged.draft, staged.secrets,
      ${errors(plan)} as errors, ${changes(plan)} as changes, ${secretsBefore(plan)} as secrets_before
    from import_rows staged ${joins(plan)} where staged.import_id = ${importId}`
}
