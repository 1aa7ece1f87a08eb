import type { ProfileForFile } from '#contract/payment-files/payment-file.ts'
import type { Context } from '../kernel/context.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { originatingProfiles } from '../originating-profiles/originating-profiles.ts'
import { readProfiles } from './export-data.ts'

/** Locks an active profile, so that its account stays as it is while a file is written. Throws not-found outside the reach. */
export async function holdProfile(context: Context, id: number): Promise<ProfileForFile> {
  const { client_id } = await storedRow(context, originatingProfiles, id, askedBy(context, {}), true)
  const profile = (await readProfiles(context, client_id === null ? [] : [client_id])).find((one) => one.id === id)
  if (!profile) throw notFound('Bank Profile not found.')
  if (!profile.active) throw refused(`${profile.name} is not active.`, id)
  return profile
}
