/** The export profiles of a client. At most one is the default; making another one the default clears the previous one. */
import {
  exportProfile,
  exportProfileCalls,
  exportProfilesMax,
  type ExportProfile,
  type ExportProfileDraft,
} from '#contract/accounting-batches/export-profile.ts'
import { uploadLayout, type UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import { genericLayout, genericName } from '#contract/accounting-batches/ready-layouts.ts'
import { sql } from 'kysely'
import { exportProfileScope } from '../estate/estate.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import {
  answerWrite,
  askedBy,
  createRow,
  crudHandlers,
  optionsHandler,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid, refused } from '../kernel/problem.ts'

export const exportProfiles = resource({
  entity: exportProfile,
  table: 'export_profiles',
  scope: exportProfileScope,
  columns: { kind: { sql: sql`export_profiles.layout ->> 'kind'` } },
  search: ['name'],
  check: checkProfile,
})

/** The layout is one JSON value, checked by the contract. */
const saving: Saving<typeof exportProfile.fields> = {
  added: async (_, sent) => (sent.layout === undefined ? {} : { layout: JSON.stringify(sent.layout) }),
}

export const exportProfileHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(exportProfileCalls, exportProfiles, saving),
  create: handle(exportProfileCalls.create, async (context, { params, body }) => {
    if (body.export_profile.is_default) await takeDefault(context, params.client_id, 0)
    return answerWrite(exportProfile, 'created', await createRow(context, exportProfiles, body.export_profile, params.client_id, saving))
  }),
  update: handle(exportProfileCalls.update, async (context, { params, body }) => {
    const asked = askedBy(context, params)
    await storedRow(context, exportProfiles, params.id, asked)
    if (body.export_profile.is_default) await takeDefault(context, params.client_id, params.id)
    return answerWrite(exportProfile, 'updated', await updateRow(context, exportProfiles, params.id, body.export_profile, asked, saving))
  }),
  selectOptions: optionsHandler(exportProfileCalls.selectOptions, exportProfiles, ['id', 'name', 'is_default']),
})

/** Profile names are unique in the client, ignoring case, and columns name ledger fields of the client. */
async function checkProfile(
  { tx }: Context,
  { name, layout }: Partial<ExportProfileDraft>,
  before: ExportProfile | null,
  clientId: number,
): Promise<void> {
  if (layout !== undefined) await checkFields(tx, layout, clientId)
  if (name === undefined) return
  const { rows } = await sql<{ taken: boolean; profiles: number }>`select
      coalesce(bool_or(lower(name) = lower(${name}) and id is distinct from ${before?.id ?? null}::bigint), false) as taken, count(*)::int as profiles
    from export_profiles where client_id = ${clientId}`.execute(tx)
  if (rows[0]?.taken) throw invalid({ name: [`An export profile of this client is called ${name} already`] })
  if (before === null && (rows[0]?.profiles ?? 0) >= exportProfilesMax)
    throw invalid({ name: [`A client has at most ${exportProfilesMax} export profiles`] })
}

async function checkFields(tx: Tx, { columns }: UploadLayout, clientId: number): Promise<void> {
  const named = columns.flatMap(({ field_id }) => field_id ?? [])
  if (named.length === 0) return
  const { rows } = await sql<{
    id: number
  }>`select id from ledger_fields where client_id = ${clientId} and id = any(${named}::bigint[])`.execute(tx)
  const known = new Set(rows.map((row) => row.id))
  const place = columns.findIndex(({ field_id }) => field_id !== null && !known.has(field_id))
  if (place >= 0) throw invalid({ layout: [`Column ${place + 1}: this ledger field cannot be found`] })
}

/** Clears the previous default, if any. If two people set a default at the same moment, the second waits for the first. */
async function takeDefault(context: Context, clientId: number, but: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('export_profiles', ${clientId}))`.execute(context.tx)
  const { rows } = await sql<{
    id: number
  }>`update export_profiles set is_default = false, lock_version = lock_version + 1, updated_at = ${now()}
    where client_id = ${clientId} and is_default and id <> ${but} returning id`.execute(context.tx)
  for (const { id } of rows) await context.audit.updated('export_profile', id, clientId, { is_default: { from: true, to: false } })
}

/** A layout with the name that a file version records for it. */
export interface NamedLayout {
  /** Null for the built-in layout that every client has. */
  readonly id: number | null
  readonly name: string
  readonly layout: UploadLayout
}

/**
 * Returns the profile with this id; without an id, the client's default profile, or else the generic layout. Throws 409 if the profile was
 * deleted.
 */
export async function namedLayout(tx: Tx, clientId: number, id: number | null): Promise<NamedLayout> {
  const { rows } = await sql<{ id: number; name: string; layout: unknown }>`select id, name, layout from export_profiles
    where client_id = ${clientId} and ${id === null ? sql`is_default` : sql`id = ${id}`}`.execute(tx)
  const [found] = rows
  if (found) return { ...found, layout: uploadLayout.parse(found.layout) }
  if (id !== null) throw refused('The export profile was deleted meanwhile.')
  return { id: null, name: genericName, layout: genericLayout }
}
