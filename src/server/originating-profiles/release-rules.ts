/**
 * A super_admin sets when exports wait for a second person. Whoever exports could otherwise raise a limit, or pay by another profile, and
 * lower it again.
 */
import {
  originatingProfile,
  type OriginatingProfile,
  type OriginatingProfileDraft,
} from '#contract/originating-profiles/originating-profile.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { forbidden, invalid } from '../kernel/problem.ts'

const ruleFields = ['release_always', 'release_vendor_limit', 'release_export_limit', 'release_day_limit', 'release_apart'] as const
const none = {
  release_always: false,
  release_vendor_limit: null,
  release_export_limit: null,
  release_day_limit: null,
  release_apart: false,
} as const

export const isSuper = ({ principal }: Context): boolean => principal.grants.some(({ role }) => role === 'super_admin')

type Rules = Pick<OriginatingProfile, (typeof ruleFields)[number]>
const hasRules = (profile: Rules): boolean => ruleFields.some((key) => profile[key] !== none[key])

const onlySuper = 'Only a super_admin changes when exports wait for a release'

/** Throws 422 for a change of the rules, or of what decides whether a profile with rules pays, by anybody but a super_admin. */
export async function mustKeepRules(
  context: Context,
  draft: Partial<OriginatingProfileDraft>,
  before: OriginatingProfile | null,
  clientId: number,
): Promise<void> {
  for (const key of ['release_vendor_limit', 'release_export_limit', 'release_day_limit'] as const) refuseNegative(key, draft[key])
  if (isSuper(context)) return
  for (const key of ruleFields) {
    const after = draft[key]
    if (after !== undefined && after !== (before ?? none)[key]) throw invalid({ [key]: [onlySuper] })
  }
  if (before === null) return mustNotEvade(context, clientId)
  if (!hasRules(before)) {
    // A dormant profile without rules evades as a new one does.
    const turnsOn = (['active', 'is_default'] as const).some((key) => draft[key] === true && !before[key])
    return turnsOn ? mustNotEvade(context, clientId) : undefined
  }
  for (const key of ['active', 'is_default'] as const)
    if (draft[key] !== undefined && draft[key] !== before[key]) throw invalid({ [key]: [onlySuper] })
}

/** Throws 403 if a profile with rules would be deleted by anybody but a super_admin. */
export function mayDelete(context: Context, profile: OriginatingProfile): void {
  if (hasRules(profile) && !isSuper(context)) throw forbidden(`${onlySuper}, so only they delete this bank profile.`)
}

/** A profile without rules would pay instead of one that has them: that of the client, or the provider's own. */
async function mustNotEvade({ tx }: Context, clientId: number): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select name from originating_profiles where client_id = any(${[0, clientId]}::bigint[]) and active
    and (release_always or release_apart or release_vendor_limit is not null or release_export_limit is not null or release_day_limit is not null)
    order by client_id desc, id limit 1`.execute(tx)
  if (rows[0])
    throw invalid({ name: [`${onlySuper}, and so only they add or activate a bank profile without rules beside ${rows[0].name}`] })
}

/** Throws 422 for a limit below zero. */
export function refuseNegative(key: keyof typeof originatingProfile.fields, value: string | null | undefined): void {
  if (value?.startsWith('-') === true) throw invalid({ [key]: [`${originatingProfile.fields[key].label} must not be negative`] })
}
