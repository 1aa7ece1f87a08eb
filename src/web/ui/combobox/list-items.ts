/** What a list offers: the options, what was chosen lately before them, and acts after them. */
import type { OptionId, PickerOption } from './option-types.ts'

/** What can be done besides choosing; it stands last. */
export type ListAct = {
  id: string
  label: string
  run: () => void
  group?: string | undefined
  /** Enter takes it where nothing was found. */
  isFallback?: boolean | undefined
}

/** One line of the list that can be taken. */
export type ListItem<Id extends OptionId> = PickerOption<Id> | ListAct

/** A list with fewer options needs no recent ones: they are in sight already. */
const RECENT_FROM = 8

/** Place of the first option that can be chosen; of an act only where it stands in for what was not found. */
export function firstMatch<Id extends OptionId>(items: readonly ListItem<Id>[], isLoading: boolean): number {
  const option = items.findIndex((item) => !('run' in item) && item.disabledReason === undefined)
  if (option >= 0 || isLoading) return option
  return items.findIndex((item) => 'run' in item && item.isFallback)
}

/** What was chosen lately stands first under its own heading, and not a second time below. */
export function withRecent<Id extends OptionId>(options: readonly PickerOption<Id>[], recent: readonly PickerOption<Id>[]) {
  if (recent.length === 0 || options.length < RECENT_FROM) return options
  const isRecent = new Set(recent.map(({ id }) => id))
  return [
    ...recent.map((option) => ({ ...option, group: 'Recent' })),
    ...options.filter(({ id }) => !isRecent.has(id)).map((option) => ({ ...option, group: option.group ?? 'All' })),
  ]
}
