/** The stored choices of layouts, and the versions of a profile's own ones. */
import { fileFormats, layout, presetNames, type FileFormat, type LayoutChoices } from '#contract/payment-files/layout.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'

const storedChoices = z.partialRecord(
  z.enum(fileFormats),
  z.union([z.strictObject({ preset: z.enum(presetNames) }), z.strictObject({ version: z.int().positive() })]),
)
export type StoredChoices = z.infer<typeof storedChoices>

const ownVersions = z.array(z.object({ format: z.enum(fileFormats), id: z.int(), version: z.int(), layout }))

export interface ProfileKey {
  readonly id: number
  /** 0 is the provider. */
  readonly client_id: number
}

/** Selects the versions that are in force, as one value beside the columns of originating_profiles. */
export const ownLayoutsOf = sql<unknown>`(select coalesce(json_agg(json_build_object('format', own.format, 'id', own.id, 'version', own.version,
    'layout', own.layout)), '[]'::json) from originating_profile_layouts own
  where own.client_id = originating_profiles.client_id and own.originating_profile_id = originating_profiles.id
    and (originating_profiles.layouts -> own.format ->> 'version')::int = own.version)`

/** Returns the choice of each format. Throws if a version that is in force is not there. */
export function layoutChoicesOf(clientId: number, stored: unknown, own: unknown): LayoutChoices {
  const versions = ownVersions.parse(own)
  return Object.fromEntries(
    Object.entries(storedChoices.parse(stored)).map(([format, choice]) => {
      if ('preset' in choice) return [format, choice]
      const found = versions.find((one) => one.format === format && one.version === choice.version)
      if (!found) throw new Error(`version ${choice.version} of the layout ${format} is not there`)
      return [format, { own: found.layout, version: { id: found.id, client_id: clientId, version: found.version } }]
    }),
  )
}

export async function readChoices({ tx }: Context, { client_id, id }: ProfileKey): Promise<StoredChoices> {
  const { rows } = await sql<{
    layouts: unknown
  }>`select layouts from originating_profiles where client_id = ${client_id} and id = ${id}`.execute(tx)
  return storedChoices.parse(rows[0]?.layouts ?? {})
}

/** Returns the number of the newest version; 0 if there is none. */
export async function newestVersion({ tx }: Context, { client_id, id }: ProfileKey, format: FileFormat): Promise<number> {
  const { rows } = await sql<{ version: number }>`select coalesce(max(version), 0)::int as version from originating_profile_layouts
    where client_id = ${client_id} and originating_profile_id = ${id} and format = ${format}`.execute(tx)
  return rows[0]?.version ?? 0
}
