/** What the console must know of the installation. */
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

/** The address of a place on the map: the template with the place in it. Empty parts are left out. */
export function mapHref(template: string, parts: readonly (string | null | undefined)[]): string {
  return template.replace('{query}', encodeURIComponent(parts.filter(Boolean).join(', ')))
}
