/**
 * The layouts of a bank profile. A save adds a version and puts it in force; a version never changes, because files name the one that they were
 * written with.
 */
import type { OriginatingProfile } from '#contract/originating-profiles/originating-profile.ts'
import { layoutVersionsMax, type ProfileLayout, type ProfileLayoutDraft } from '#contract/originating-profiles/profile-layout.ts'
import { editableFormats, payingFormats } from '#contract/payment-files/layout-faults.ts'
import { chosenLayout, presetLabels, presetsOf, readyLayout } from '#contract/payment-files/layout-presets.ts'
import { fileFormatLabels, fileFormats, layout, type FileFormat, type Layout, type LayoutChoice } from '#contract/payment-files/layout.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { newestVersion, readChoices, type ProfileKey, type StoredChoices } from './own-layouts.ts'
import { isSuper } from './release-rules.ts'

const keyOf = ({ id, client_id }: OriginatingProfile): ProfileKey => ({ id, client_id: client_id ?? 0 })

export async function listLayouts(context: Context, profile: OriginatingProfile) {
  const key = keyOf(profile)
  const choices = await readChoices(context, key)
  const versions = Map.groupBy(await readVersions(context, key), ({ format }) => format)
  const { id, name, client_name } = profile
  return {
    profile: { id, name, client_name },
    profile_layouts: fileFormats.map((format) => described(format, choices, versions.get(format) ?? [])),
  }
}

/** Throws 422 for a layout that the format cannot take, and 409 if somebody else has saved a version meanwhile. */
export async function saveLayout(context: Context, profile: OriginatingProfile, draft: ProfileLayoutDraft) {
  const key = keyOf(profile)
  const { format, layout: own } = draft
  const newest = await newestVersion(context, key, format)
  if (newest !== draft.newest_version)
    throw refused(`Somebody else has saved version ${newest} of this layout meanwhile. Load the page again.`, profile.id)
  const before = await readChoices(context, key)
  if (own !== null) {
    if (newest >= layoutVersionsMax) throw invalid({ layout: [`A layout has at most ${layoutVersionsMax} versions`] })
    await refuseFixedTexts(context, key, { format, own, newest })
  }
  const version = own === null ? null : await addVersion(context, key, { format, own, version: newest + 1 })
  const { [format]: _, ...others } = before
  const after: StoredChoices = version === null ? others : { ...others, [format]: { version } }
  await sql`update originating_profiles set layouts = ${JSON.stringify(after)}::jsonb, lock_version = lock_version + 1, updated_at = ${now()}
    where client_id = ${key.client_id} and id = ${key.id}`.execute(context.tx)
  await context.audit.updated('originating_profile', key.id, key.client_id, {
    [`${format}_layout`]: { from: choiceName(format, before[format]), to: choiceName(format, after[format]) },
  })
  const label = fileFormatLabels[format]
  const message =
    version === null ? `${label}: the ready-made layout is in force` : `${label}: version ${version} of the layout is in force`
  return { success: true, message, version }
}

interface VersionRow {
  readonly format: FileFormat
  readonly version: number
  readonly layout: unknown
  readonly created_at: string
  readonly created_by_name: string | null
  readonly file_count: number
}

async function readVersions({ tx }: Context, { client_id, id }: ProfileKey): Promise<VersionRow[]> {
  const { rows } =
    await sql<VersionRow>`select own.format, own.version, own.layout, own.created_at, ${nameOfUser('users')} as created_by_name,
      (select count(*)::int from global_batch_files file where file.layout_client_id = own.client_id and file.layout_version_id = own.id) as file_count
    from originating_profile_layouts own left join users on users.id = own.created_by
    where own.client_id = ${client_id} and own.originating_profile_id = ${id} order by own.format, own.version desc, own.id`.execute(tx)
  return rows
}

function described(format: FileFormat, choices: StoredChoices, versions: readonly VersionRow[]): ProfileLayout {
  const choice = choices[format]
  const version = choice && 'version' in choice ? choice.version : null
  const own = versions.find((one) => one.version === version)
  const chosen = chosenLayout(format, own ? { own: layout.parse(own.layout) } : presetOf(choice))
  return {
    format,
    label: fileFormatLabels[format],
    in_force: choiceName(format, choice),
    version,
    newest_version: versions[0]?.version ?? 0,
    // The editor of a format that is written as NACHA records begins with the rows and columns of the format.
    layout: isEditable(format) ? (chosen.family === 'layout' ? chosen.layout : readyLayout(format)) : null,
    fixed_because: fixedBecause(format),
    versions: versions.map(({ version: number, created_at, created_by_name, file_count }) => ({
      version: number,
      created_at,
      created_by_name,
      file_count,
    })),
  }
}

const presetOf = (choice: StoredChoices[FileFormat]): LayoutChoice | undefined => (choice && 'preset' in choice ? choice : undefined)
const isEditable = (format: FileFormat): boolean => editableFormats.some((one) => one === format)

function fixedBecause(format: FileFormat): string | null {
  if (isEditable(format)) return null
  return format === 'accounting'
    ? 'One file of all clients goes to the provider’s books, so no profile has its own.'
    : 'The records of a NACHA file are fixed by the rules of the network.'
}

function choiceName(format: FileFormat, choice: StoredChoices[FileFormat]): string {
  if (choice && 'version' in choice) return `Own layout, version ${choice.version}`
  return presetLabels[choice?.preset ?? presetsOf(format)[0]]
}

async function addVersion(
  { tx, principal }: Context,
  { client_id, id }: ProfileKey,
  { format, own, version }: { readonly format: FileFormat; readonly own: Layout; readonly version: number },
): Promise<number> {
  await sql`insert into originating_profile_layouts (client_id, originating_profile_id, format, version, layout, created_by, created_at)
    values (${client_id}, ${id}, ${format}, ${version}, ${JSON.stringify(own)}::jsonb, ${principal.user_id}, ${now()})`.execute(tx)
  return version
}

/**
 * A fixed text in a file that somebody pays by could take the place of a payee or an account, which no second person would see. Throws 422 for
 * one that neither the ready-made layout nor the newest version has, unless a super_admin saves it.
 */
async function refuseFixedTexts(
  context: Context,
  { client_id, id }: ProfileKey,
  { format, own, newest }: { readonly format: FileFormat; readonly own: Layout; readonly newest: number },
): Promise<void> {
  if (!payingFormats.includes(format) || isSuper(context)) return
  const { rows } = await sql<{ layout: unknown }>`select layout from originating_profile_layouts
    where client_id = ${client_id} and originating_profile_id = ${id} and format = ${format} and version = ${newest}`.execute(context.tx)
  const known = new Set(['', ...fixedTexts(readyLayout(format)), ...rows.flatMap((row) => fixedTexts(layout.parse(row.layout)))])
  const place = own.columns.findIndex(({ source, text }) => source === null && !known.has(text))
  if (place >= 0)
    throw invalid({
      [`layout.columns.${place}.text`]: [`Column ${place + 1}: only a super_admin adds a fixed text to a file that somebody pays by`],
    })
}

const fixedTexts = (of: Layout | null): string[] => (of?.columns ?? []).flatMap(({ source, text }) => (source === null ? text : []))
