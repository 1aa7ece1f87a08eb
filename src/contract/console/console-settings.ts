/** Settings of the installation that the console needs. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'

export const consoleSettingsCalls = {
  get: call({
    name: 'console_settings.get',
    method: 'GET',
    path: '/console_settings',
    may: 'signed_in',
    summary: 'What the console must know of the installation: where maps are looked up; `{query}` stands for the address',
    reply: z.object({ map_url: z.string() }),
  }),
}

/** Returns a map address: the template with the encoded address in it. Empty parts are left out. */
export function mapHref(template: string, parts: readonly (string | null | undefined)[]): string {
  return template.replace('{query}', encodeURIComponent(parts.filter(Boolean).join(', ')))
}
