/** Writes of a resource: created, updated and deleted rows, each with its checks, its version and its row in the trail. */
import { writableKeys, type DraftOf, type Entity, type Field, type Fields, type RowOf } from '#contract/kernel/entity.ts'
import { sql, type SqlBool } from 'kysely'
import { changesBetween, secretMarker, type Changes } from '../audit.ts'
import type { Context } from '../context.ts'
import { goesAlong, goneEntries } from './goes-along.ts'
import { mustReachNew, mustReachStill } from './inside-reach.ts'
import { readOne, type Asked, type Source } from './list.ts'
import { invalid, notFound, stale, typedInFull } from '../problem.ts'
import { everything } from '../principal.ts'
import { refuseUsed } from './refuse-used.ts'
import { keepRules, type RowRule } from './row-rules.ts'
import { isMasked, secretColumns } from '../secret.ts'
import { mustReachRefs } from './sources.ts'

export interface Saved<Name extends string, Plural extends string, F extends Fields> extends Source {
  readonly entity: Entity<Name, Plural, F>
  /**
   * Rules that read other rows too, enforced by the form, files and bulk changes alike. Rules over values of one record belong to the
   * entity.
   */
  readonly rules?: readonly RowRule[]
  /** Checks that only the form makes; throws a refusal. `before` is null for a new record. */
  readonly check?: (context: Context, draft: Partial<DraftOf<F>>, before: RowOf<F> | null, clientId: number) => Promise<void>
}

/** Values that one entity saves besides the columns that its draft names. */
export interface Saving<F extends Fields> {
  /** Column values that the server adds. */
  readonly added?: (context: Context, draft: Partial<DraftOf<F>>, before: RowOf<F> | null) => Promise<Readonly<Record<string, unknown>>>
  /** Stores children and links after the row itself. The trail shows every list that this changes, before and after. */
  readonly children?: (
    context: Context,
    draft: Partial<DraftOf<F>>,
    row: { readonly id: number; readonly client_id: number },
    before: RowOf<F> | null,
  ) => Promise<void>
}

/**
 * Inserts a draft with the values that the server adds, and writes its audit row. `clientId` is undefined for records that belong to no
 * client.
 */
export async function createRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Saved<Name, Plural, F>,
  draft: DraftOf<F>,
  clientId: number | undefined,
  saving: Saving<F> = {},
): Promise<RowOf<F>> {
  const { fields } = of.entity
  const sent = partial<F>(draft)
  await mustReachRefs(context, fields, draft, null, clientId)
  await keepRules(context, of, sent, null, clientId ?? 0)
  await of.check?.(context, sent, null, clientId ?? 0)
  const added = (await saving.added?.(context, sent, null)) ?? {}
  const id = await insertRow(context, of, {
    ...storedValues(of, draft),
    ...added,
    ...(clientId === undefined ? {} : { client_id: clientId }),
  })
  await storeSecrets(context, of, id, draft, null)
  await saving.children?.(context, sent, { id, client_id: clientId ?? 0 }, null)
  await mustReachNew(context, of, id, clientId)
  const row = await storedRow(context, of, id, { reach: everything, clientId })
  const tracked = Object.fromEntries(trackedKeys(fields).map((key) => [key, isEmpty(row, key) ? null : valueOf(row, key)]))
  await context.audit.created(of.entity.name, id, clientOf(row), tracked, secretKeys(fields))
  return row
}

async function insertRow(context: Context, of: Source, values: Readonly<Record<string, unknown>>): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into ${sql.table(of.table)} (${sql.join(Object.keys(values).map((key) => sql.ref(key)))})
    values (${sql.join(Object.values(values).map(bound))}) returning id`.execute(context.tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`insert into ${of.table} answered no id`)
  return id
}

/** Applies a patch to a row inside the reach: locked, checked against its version, audited with what changed. */
export async function updateRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Saved<Name, Plural, F>,
  id: number,
  patch: Partial<DraftOf<F>> & { lock_version?: number | undefined },
  asked: Asked,
  saving: Saving<F> = {},
): Promise<RowOf<F>> {
  const { fields } = of.entity
  const before = await storedRow(context, of, id, asked, true)
  const { lock_version: version, ...draft } = patch
  refuseStale(of.entity, before, version, draft)
  const sent = partial<F>(draft)
  const clientId = clientOf(before)
  await mustReachRefs(context, fields, draft, before, of.scope === 'shared' ? undefined : clientId)
  await keepRules(context, of, sent, before, clientId)
  await of.check?.(context, sent, before, clientId)
  const values = { ...storedValues(of, draft), ...(await saving.added?.(context, sent, before)) }
  const changed = await storeValues(context, of, id, clientId, values, before)
  const secrets = await storeSecrets(context, of, id, draft, before)
  await saving.children?.(context, sent, { id, client_id: clientId }, before)
  await mustReachStill(context, of, { id, clientId, asked, before }, changed)
  const row = await storedRow(context, of, id, { reach: everything, clientId: of.scope === 'shared' ? undefined : clientId })
  const plain = trackedKeys(fields).filter((key) => fields[key]?.kind !== 'secret')
  await context.audit.updated(of.entity.name, id, clientId, { ...changesBetween(before, row, plain), ...secrets })
  return row
}

/**
 * Raises the version even if only children change, because an editor of the old form must get the stale error. @returns the columns that
 * changed.
 */
async function storeValues(
  context: Context,
  of: Source,
  id: number,
  clientId: number,
  values: Readonly<Record<string, unknown>>,
  before: object,
): Promise<string[]> {
  const changed = Object.keys(values).filter(
    (key) => !(key in before) || JSON.stringify(valueOf(before, key) ?? null) !== JSON.stringify(values[key] ?? null),
  )
  const sets = changed.map((key) => sql`${sql.ref(key)} = ${bound(values[key])}`)
  await sql`update ${sql.table(of.table)} set ${sql.join([...sets, sql`lock_version = lock_version + 1`, sql`updated_at = now()`])}
    where ${theRow(of, id, clientId)}`.execute(context.tx)
  return changed
}

/**
 * Deletes a row inside the reach. A row that others use is refused with their names; rows that are deleted with it are kept in the trail.
 */
export async function destroyRow<Name extends string, Plural extends string, F extends Fields>(
  context: Context,
  of: Saved<Name, Plural, F>,
  id: number,
  asked: Asked,
): Promise<void> {
  const { fields } = of.entity
  const before = await storedRow(context, of, id, asked, true)
  const clientId = clientOf(before)
  await refuseUsed(context.tx, { table: of.table, label: of.entity.label, clientId }, id)
  const along = (await goesAlong(context.tx, of.table, [id], clientId)).get(id) ?? {}
  await sql`delete from ${sql.table(of.table)} where ${theRow(of, id, clientId)}`.execute(context.tx)
  const tracked = trackedKeys(fields).filter((key) => fields[key]?.kind !== 'secret' && !isEmpty(before, key))
  const untold = Object.entries(along).filter(([table]) => !tracked.some((key) => table.endsWith(key.replace(/_ids$/, 's'))))
  const told = tracked.map((key): [string, unknown] => [key, valueOf(before, key)])
  await context.audit.destroyed(of.entity.name, id, clientId, Object.fromEntries([...told, ...untold]))
  await context.audit.many(untold.flatMap(([table, rows]) => goneEntries(table, rows, clientId)))
}

/** Returns the row as it is stored, before `present`. Throws not-found for absent and out of scope alike. */
export async function storedRow<Name extends string, Plural extends string, F extends Fields>(
  context: Pick<Context, 'tx'>,
  of: Source & { readonly entity: Entity<Name, Plural, F> },
  id: number,
  asked: Asked,
  lock = false,
): Promise<RowOf<F>> {
  const row = await readOne<RowOf<F>>(context.tx, of, id, asked, lock)
  if (!row) throw notFound(`${of.entity.label} not found.`)
  return row
}

/** Throws stale with the changes made meanwhile if the sent version is older than the row. A save without a version is accepted. */
export function refuseStale(
  entity: Pick<Entity, 'fields'>,
  before: { lock_version: number } & object,
  version: number | undefined,
  draft: Readonly<Record<string, unknown>>,
): void {
  if (version === undefined || version === before.lock_version) return
  const known = { ...before }
  throw stale(
    changesBetween(
      known,
      draft,
      Object.keys(draft).filter((key) => key in known),
      secretKeys(entity.fields),
    ),
  )
}

/** Returns a rule that gives a friendly message for what a unique index guarantees. */
export function isFree(table: string, key: string, label: string): RowRule {
  return {
    field: key,
    about: [key],
    message: `${label} is taken already`,
    when: ({ item, will }) => sql<SqlBool>`exists (select from ${sql.table(table)} other
      where ${sql.ref(`other.${key}`)} = ${will(key)} and other.id is distinct from ${item('id')})`,
  }
}

/** Encrypts the secrets that a draft sets. A masked value that is sent back means unchanged. @returns their changes for the trail. */
async function storeSecrets(context: Context, of: Source, id: number, draft: object, before: object | null): Promise<Changes> {
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  let columns: Record<string, unknown> = {}
  for (const key of secretKeys(of.entity.fields)) {
    const value = valueOf(draft, key)
    const masked = before === null ? null : (valueOf(before, key) ?? null)
    if (value === undefined || value === masked) continue
    if (value !== null && typeof value !== 'string') continue
    if (isMasked(value)) throw invalid({ [key]: [typedInFull(of.entity.fields[key]?.label ?? key)] })
    columns = { ...columns, ...secretColumns(context.machinery.settings.secretKey, { table: of.table, column: key, id }, value) }
    changes[key] = { from: masked === null ? null : secretMarker, to: value === null ? null : secretMarker }
  }
  const sets = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${bound(value)}`)
  if (sets.length > 0) await sql`update ${sql.table(of.table)} set ${sql.join(sets)} where id = ${id}`.execute(context.tx)
  return changes
}

function theRow(of: Source, id: number, clientId: number) {
  return of.scope === 'shared' ? sql`id = ${id}` : sql`${of.scope.client} = ${clientId} and id = ${id}`
}

function partial<F extends Fields>(draft: object): Partial<DraftOf<F>>
function partial(draft: object): object {
  return draft
}

/** Returns the part of a draft that the entity's own table stores: no children, no lists of ids, no write-only helpers. */
function storedValues({ entity: { fields }, columns = {} }: Source, draft: object): Record<string, unknown> {
  // Texts with an expression are stored in a table of their own.
  const isOwn = (key: string): boolean =>
    isColumn(fields[key]) && !(fields[key]?.kind === 'texts' && key in columns) && columns[key]?.isStoredApart !== true
  const keys = writableKeys(fields).filter((key) => isOwn(key) && valueOf(draft, key) !== undefined)
  return Object.fromEntries(keys.map((key) => [key, valueOf(draft, key)]))
}

function isColumn(field: Field<unknown> | undefined): boolean {
  return field !== undefined && field.use !== 'write_only' && field.kind !== 'refs' && field.kind !== 'list' && field.kind !== 'secret'
}

/** Returns the keys that the trail follows: all that a person may set, and every list, since children show as lists. */
function trackedKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => {
    const field = fields[key]
    if (field === undefined || field.use === 'write_only' || field.shown_only) return false
    return field.use !== 'derived' || field.kind === 'list' || field.kind === 'refs' || field.kind === 'texts'
  })
}

function isEmpty(row: object, key: string): boolean {
  const value = valueOf(row, key)
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function secretKeys(fields: Fields): string[] {
  return Object.keys(fields).filter((key) => fields[key]?.kind === 'secret')
}

function clientOf(row: object): number {
  const clientId = valueOf(row, 'client_id')
  return typeof clientId === 'number' ? clientId : 0
}

function valueOf(row: object, key: string): unknown {
  return Object.hasOwn(row, key) ? Reflect.get(row, key) : undefined
}

/** Binds a value as a parameter of its own. Lists and objects become JSON only if the column is JSON, which plain entities do not have. */
function bound(value: unknown) {
  return sql`${value}`
}
