/** The items of a list: recently chosen options, then the other options, then actions. */
import type { OptionId, PickerOption } from './option-types.ts'

/** An action besides choosing, listed last. */
export type ListAct = {
  id: string
  label: string
  run: () => void
  group?: string | undefined
  /** Enter takes it if nothing was found. */
  isFallback?: boolean | undefined
}

/** An item of the list that can be taken. */
export type ListItem<Id extends OptionId> = PickerOption<Id> | ListAct

/** Shorter lists show no recent options, because all options are visible anyway. */
const RECENT_FROM = 8

/** Returns the index of the first option that can be chosen; if nothing was found, that of the fallback action. */
export function firstMatch<Id extends OptionId>(items: readonly ListItem<Id>[], isLoading: boolean): number {
  const option = items.findIndex((item) => !('run' in item) && item.disabledReason === undefined)
  if (option >= 0 || isLoading) return option
  return items.findIndex((item) => 'run' in item && item.isFallback)
}

/** Puts recently chosen options first under their own heading and leaves them out below. */
export function withRecent<Id extends OptionId>(options: readonly PickerOption<Id>[], recent: readonly PickerOption<Id>[]) {
  if (recent.length === 0 || options.length < RECENT_FROM) return options
  const isRecent = new Set(recent.map(({ id }) => id))
  return [
    ...recent.map((option) => ({ ...option, group: 'Recent' })),
    ...options.filter(({ id }) => !isRecent.has(id)).map((option) => ({ ...option, group: option.group ?? 'All' })),
  ]
}
