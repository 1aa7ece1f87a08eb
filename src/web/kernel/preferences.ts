/** Display preferences of the signed-in user, from the profile, applied to the page. */
import { z } from 'zod'
import { authCalls, type Profile } from '#contract/access/auth.ts'
import { DEFAULT_NOTICE_SECONDS, setNoticePatience } from '../ui/dialogs/notices.ts'
import { callApi } from './api.ts'
import { problemNotice } from './notices/notices.ts'
import { apiQuery, queryClient, refresh } from './query.ts'

export const densities = [
  { value: 'compact', label: 'Compact' },
  { value: 'normal', label: 'Normal' },
  { value: 'roomy', label: 'Roomy' },
] as const
export type Density = (typeof densities)[number]['value']

export interface Preferences {
  readonly density: Density
  /** Seconds for which the shortest notices are visible; longer ones grow in proportion. 0 means as specified. */
  readonly notice_seconds: number
  /** Zoom of documents: percent, or fitted to the width. */
  readonly document_zoom: 'width' | number
}

const stored = z.object({
  density: z.enum(['compact', 'normal', 'roomy']).catch('normal').default('normal'),
  notice_seconds: z.number().min(0).max(60).catch(0).default(0),
  document_zoom: z
    .union([z.literal('width'), z.int().min(25).max(400)])
    .catch('width')
    .default('width'),
})

export function preferencesOf(user: Pick<Profile, 'preferences'> | undefined): Preferences {
  return stored.parse(user?.preferences ?? {})
}

/** Applies preferences to the page. */
export function applyPreferences({ density, notice_seconds }: Pick<Preferences, 'density' | 'notice_seconds'>): void {
  applyDensity(density)
  setNoticePatience(notice_seconds / DEFAULT_NOTICE_SECONDS)
}

/** Applies a changed preference at once and saves it on the server. */
export async function changePreferences(changed: Partial<Preferences>): Promise<void> {
  if (changed.density) applyDensity(changed.density)
  try {
    await callApi(authCalls.preferences, { body: { preferences: changed } })
    refresh('users')
  } catch (error) {
    problemNotice(error)
    const kept = queryClient.getQueryData(apiQuery(authCalls.profile, {}).queryKey)
    applyPreferences(preferencesOf(kept?.user))
  }
}

// The kit's name for the highest rows is relaxed.
function applyDensity(density: Density): void {
  document.documentElement.dataset['density'] = density === 'roomy' ? 'relaxed' : density
}
