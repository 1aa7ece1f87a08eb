/** Settings of the installation that the console needs. */
import { consoleSettingsCalls } from '#contract/console/console-settings.ts'
import { handle, type Handler } from './kernel/handler.ts'

export function consoleSettingsHandlers({ mapUrl }: { readonly mapUrl: string }): Handler[] {
  return [handle(consoleSettingsCalls.get, () => Promise.resolve({ map_url: mapUrl }))]
}
