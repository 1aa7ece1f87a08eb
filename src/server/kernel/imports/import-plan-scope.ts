/** Inputs of the parts of the plan's one statement, and small shared pieces of SQL. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import type { ImportTarget } from './import-target.ts'
import { scopeCondition, type Condition } from '../lists/list.ts'
import { reachesWhole, type Reach } from '../principal.ts'
import { sourceOf, type Reachable } from '../lists/sources.ts'

export interface PlanParts {
  readonly importId: number
  /** Undefined for records that belong to no client. */
  readonly clientId: number | undefined
  /** Columns that the file has. */
  readonly columns: readonly ImportColumn[]
  readonly context: Context
  /** Temporary table: of the records themselves, or of their parts. */
  readonly plan: PlanTable
}

export type PlanTable = 'import_plan' | 'import_plan_part'

/** True for the row that brings the record; further rows of the record bring only its parts. */
export const isFirstRow = sql`coalesce(twin.line, staged.line) = staged.line`

/** Key under which a row keeps the values of its part. */
export const partKey = 'part'

export type Sql = RawBuilder<unknown>

export interface PlanScope {
  readonly target: ImportTarget
  readonly parts: PlanParts
  /** Reach for new records, and reach for changing existing ones. */
  readonly create: Reach
  readonly update: Reach
  readonly table: string
  /** Columns that updates may change. A key identifies the record and changes nothing. */
  readonly changing: readonly ImportColumn[]
}

export function scope(plan: PlanScope, reach: Reach): Condition {
  return scopeCondition(plan.target.source, { reach, clientId: plan.parts.clientId })
}

export function has(plan: PlanScope, key: string): boolean {
  return plan.parts.columns.some((column) => column.key === key)
}

export function isNarrowed(plan: PlanScope): boolean {
  const { clientId } = plan.parts
  return clientId !== undefined && plan.target.source.scope !== 'shared' && !reachesWhole(plan.create, clientId)
}

export interface NamedSource {
  readonly table: string
  /** Text by which cells name the records. */
  readonly by: Sql
  /** Condition for the records that the import reaches. */
  readonly where: Condition
}

/** Returns the source of the records that a column names. */
export function singleSource({ reference }: ImportColumn, clientId: number | undefined, reach: Reach): NamedSource {
  const source: Reachable | undefined = sourceOf(reference?.refers ?? '')
  if (!source || !reference) throw new Error(`nothing is known as ${reference?.refers}`)
  const where = scopeCondition(source, { reach, clientId: source.scope === 'shared' ? undefined : clientId })
  return { table: source.table, by: sql`${sql.ref(`${source.table}.${reference.by}`)}::text`, where }
}

export function draft(key: string): Sql {
  return sql`(staged.draft ->> ${sql.lit(key)})`
}

export function alias(word: string, at: number): Sql {
  return sql.ref(`${word}_${at}`)
}

export function ref(word: string, at: number, column: string): Sql {
  return sql.ref(`${word}_${at}.${column}`)
}
