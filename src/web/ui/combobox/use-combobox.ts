import { useEffect, useEffectEvent, useMemo, useReducer, type KeyboardEvent, type PointerEvent } from 'react'
import {
  activePlace,
  closed,
  comboboxReducer,
  pressKey,
  typedTerm,
  type ComboboxEvent,
  type ComboboxState,
  type KeyEffect,
} from './combobox-state.ts'
import { firstMatch, withRecent, type ListAct, type ListItem } from './list-items.ts'
import { matchOptions } from './match-options.ts'
import type { OptionId, OptionSource, PickerOption } from './option-types.ts'
import { useOptions, type LookupState } from './use-options.ts'

export type ComboboxInput<Id extends OptionId> = {
  source: OptionSource<Id>
  chosen: readonly PickerOption<Id>[]
  onPick: (option: PickerOption<Id>) => void
  /** Several options may be chosen: the list stays open, and Backspace removes the last one. */
  isMulti?: boolean | undefined
  onRemove?: ((option: PickerOption<Id>) => void) | undefined
  onClear?: (() => void) | undefined
  /** Actions for the typed text. */
  acts?: ((term: string) => readonly ListAct[]) | undefined
  /** The list is always open, inside a panel that opens and closes as a whole. */
  inline?: boolean | undefined
  minChars?: number | undefined
  debounceMs?: number | undefined
  per?: number | undefined
  turnsPages?: boolean | undefined
}

export type Combobox<Id extends OptionId> = {
  open: boolean
  /** Index of the active item, −1 for none. */
  here: number
  term: string
  minChars: number
  items: readonly ListItem<Id>[]
  lookup: LookupState<Id>
  within: string | undefined
  isChosen: (item: ListItem<Id>) => boolean
  take: (item: ListItem<Id>) => void
  point: (place: number, event: PointerEvent) => void
  type: (text: string) => void
  openList: () => void
  shut: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  /** The typed text; null while the field shows the chosen option. */
  shownTerm: string | null
}

/** Defaults: minimum characters of a search, milliseconds after the last key before it is sent, and options per page. */
const DEFAULTS = { minChars: 3, debounceMs: 1000, per: 10 } as const
const none: readonly never[] = []
const openFromTheStart: ComboboxState = { ...closed, open: true }

/** The combobox behind pickers, palette, client picker and filters: its state, options and keys. */
export function useCombobox<Id extends OptionId>(input: ComboboxInput<Id>): Combobox<Id> {
  const { source, chosen, isMulti = false, inline = false, minChars = DEFAULTS.minChars, per = DEFAULTS.per } = input
  const [kept, send] = useReducer(anyChange, inline ? openFromTheStart : closed)
  const state = inline && !kept.open ? openFromTheStart : kept
  const term = typedTerm(state)
  const isHurried = state.hurried !== null && state.hurried === term
  const debounceMs = isHurried ? 0 : (input.debounceMs ?? DEFAULTS.debounceMs)
  const lookup = useOptions(source, term, state.open, { minChars, debounceMs, per, turnsPages: input.turnsPages })
  // "Add new" is not offered while the lookup may still find the record.
  const isKnown = lookup.status === 'ready'
  const acts = state.open ? (input.acts?.(term) ?? none).filter(({ isFallback }) => isFallback || isKnown) : none
  const leads = useMemo(() => matchOptions(source.lead ?? none, term), [source.lead, term])
  const lead = lookup.page === 1 ? leads : none
  const { options, recent } = lookup
  const records = useMemo(() => [...lead, ...withRecent(options, recent)], [lead, options, recent])
  const items: readonly ListItem<Id>[] = acts.length === 0 ? records : [...records, ...acts]
  const isChosen = (item: ListItem<Id>) => chosen.some(({ id }) => id === item.id)
  const isLoading = lookup.status === 'loading'
  const list = {
    count: items.length,
    options: records.length,
    first: lookup.isStale ? -1 : firstMatch(items, isLoading),
    chosen: items.findIndex(isChosen),
    hasMore: lookup.hasMore,
    isLoading,
    hasFailed: lookup.status === 'failed' && lookup.options.length === 0,
  }
  const here = activePlace(state, list)
  const take = (item: ListItem<Id>) => {
    if ('run' in item) {
      send({ type: 'taken', staysOpen: false })
      return item.run()
    }
    if (item.disabledReason !== undefined) return
    send({ type: 'taken', staysOpen: isMulti })
    input.onPick(item)
  }
  const takeHurried = useEffectEvent(() => {
    const item = items[list.first]
    if (item) take(item)
  })
  const isFound = isHurried && lookup.status === 'ready' && list.first >= 0
  useEffect(() => {
    if (isFound) takeHurried()
  }, [isFound])
  const act = (effect: KeyEffect) => {
    const [item, last] = [items[here], chosen.at(-1)]
    if (effect === 'take' && item) take(item)
    if (effect === 'load_more') lookup.setPage(lookup.page + 1)
    if (effect === 'retry') lookup.retry()
    if (effect === 'remove_last' && last) input.onRemove?.(last)
    if (effect === 'clear' && input.onClear && chosen.length > 0) input.onClear()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    // The panel around an inline list handles closing itself.
    if (inline && (key === 'Escape' || key === 'Tab')) return
    const pressed = { key, shift: shiftKey, alt: altKey, mod: ctrlKey || metaKey }
    const answer = pressKey(state, pressed, list, isMulti)
    const clears = answer.effect === 'clear' && input.onClear !== undefined && chosen.length > 0
    if (answer.keeps || clears) event.preventDefault()
    // Keeps the surrounding dialog open if the combobox used the key.
    if (key === 'Escape' && (answer.keeps || clears)) event.stopPropagation()
    if (answer.state !== state) send(answer.state)
    act(answer.effect)
  }
  return {
    open: state.open,
    here,
    term,
    minChars,
    items,
    lookup,
    within: source.within,
    isChosen,
    take,
    point: (place, { screenX, screenY }) => place !== here && send({ type: 'pointed', place, x: screenX, y: screenY }),
    type: (text) => send({ type: 'typed', text }),
    openList: () => send({ type: 'opened' }),
    shut: () => send({ type: 'shut' }),
    onKeyDown,
    shownTerm: state.term,
  }
}

function anyChange(state: ComboboxState, change: ComboboxEvent | ComboboxState): ComboboxState {
  return 'type' in change ? comboboxReducer(state, change) : change
}
