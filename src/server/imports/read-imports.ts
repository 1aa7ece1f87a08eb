/** Reads imports for their list and their page. */
import { importKinds, importsPerPageMax, type ImportKindName, type ImportSummary } from '#contract/imports/import.ts'
import { sql, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { mayIn, reachesEveryClient, reachesWhole, reachOf, type Principal } from '../kernel/principal.ts'
import { importsSelect, visibleImports, type ImportRecord } from './import-record.ts'
import { countsOf } from './import-messages.ts'
import { targetOf } from './targets.ts'

const perPage = 20

interface ListQuery {
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
  readonly kind?: ImportKindName | undefined
  readonly client_id?: string | undefined
}

export async function listImports(context: Context, query: ListQuery): Promise<{ imports: ImportSummary[]; total: number }> {
  const per = Math.min(Number(query.per ?? perPage), importsPerPageMax)
  const offset = (Number(query.page ?? 1) - 1) * per
  const kind = query.kind === undefined ? sql`` : sql`and imports.kind = ${query.kind}`
  const client = query.client_id === undefined ? sql`` : sql`and imports.client_id = ${query.client_id}::bigint`
  const where = sql<SqlBool>`${visibleImports(context)} ${kind} ${client}`
  const { rows } = await importsSelect(where, sql`order by imports.id desc limit ${per} offset ${offset}`).execute(context.tx)
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from imports where ${where}`.execute(context.tx)
  return { imports: rows.map((record) => summaryOf(context, record)), total: counts[0]?.total ?? 0 }
}

export function summaryOf({ principal }: Context, record: ImportRecord): ImportSummary {
  const target = targetOf(record.kind)
  const clientId = record.client_id === 0 ? undefined : record.client_id
  const may = mayIn(principal, target.may.create, clientId)
  const mayUndo = may && reachesItsRecords(principal, record)
  const refusal = undoRefusal(record)
  const { state, error, id, kind, client_id, client_name, filename, byte_size, user_id, user_name, mode, headers, separator, encoding } =
    record
  const { faults, warnings, task_id, created_at, checked_at, committed_at, undone_at } = record
  return {
    id,
    kind,
    client_id,
    client_name,
    filename,
    byte_size,
    user_id,
    user_name,
    state,
    mode,
    counts: countsOf(record),
    parts: importKinds[kind].part ? { create: record.part_create_count, update: record.part_update_count } : null,
    headers: [...headers],
    separator,
    encoding,
    faults,
    warnings: [...warnings, ...noteWords(record)],
    error,
    task_id,
    has_refused_file: record.refused_count > 0 && record.rows_removed_at === null,
    may_commit: may && state === 'checked' && faults.length === 0 && record.create_count + record.update_count > 0,
    may_undo: mayUndo && state === 'committed' && refusal === null,
    undo_refusal: refusal,
    created_at,
    checked_at,
    committed_at,
    undone_at,
  }
}

/** Returns texts such as 'Findings: 12 usage high, 3 Draft': the number of records with each kind of note. */
function noteWords({ kind, state, note_counts: counts }: ImportRecord): string[] {
  const said = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
  const { noted } = importKinds[kind]
  if (noted === undefined || said.length === 0 || (state !== 'checked' && state !== 'committed')) return []
  return [`${noted}: ${said.map(([about, many]) => `${many.toLocaleString('en-US')} ${about}`).join(', ')}.`]
}

/**
 * Whether the person may undo an import as a whole: its rows lie anywhere in the client, so a role that reaches a part of it would change
 * what it does not reach.
 */
export function reachesItsRecords(principal: Principal, { kind, client_id: clientId }: ImportRecord): boolean {
  const { may } = targetOf(kind)
  const reach = reachOf(principal, 'undo' in may ? may.undo : may.update)
  return clientId === 0 ? reachesEveryClient(reach) : reachesWhole(reach, clientId)
}

/** Returns a refusal that is known without reading the records; the others show when undo is tried. */
function undoRefusal(record: ImportRecord): string | null {
  if (record.state !== 'committed') return null
  if (record.rows_removed_at !== null) return 'This import is too old to be undone.'
  const target = targetOf(record.kind)
  const staysBecause = 'work' in target ? undefined : target.staysBecause
  if (staysBecause !== undefined && record.create_count > 0) return staysBecause
  return record.create_count + record.update_count === 0 ? 'This import has changed nothing.' : null
}
