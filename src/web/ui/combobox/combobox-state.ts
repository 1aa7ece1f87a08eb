/** The state of a combobox and how keys change it. Pure, so that each keyboard rule is tested without a page. */

export type ComboboxState = {
  readonly open: boolean
  /** The typed text; null shows the chosen option. */
  readonly term: string | null
  /** Index of the item that a key or the pointer made active; null lets `activePlace` decide. */
  readonly pointed: number | null
  /** The typed text when Enter or Tab asked for its first match before the search had answered. */
  readonly hurried: string | null
  /** Pointer position since the last key. An item that moves under a resting pointer must not become active. */
  readonly pointer: { readonly x: number; readonly y: number } | null
}

export const closed: ComboboxState = { open: false, term: null, pointed: null, hurried: null, pointer: null }

/** The list as shown. */
export type ShownList = {
  readonly count: number
  /** Number of options among them; actions such as "Add new …" follow. */
  readonly options: number
  /** Index of the first option that can be chosen, or of the fallback action if nothing was found; −1 for none. */
  readonly first: number
  /** Index of the chosen option; −1 for none. */
  readonly chosen: number
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** The lookup failed and may succeed if retried. */
  readonly hasFailed: boolean
}

export type ComboboxEvent =
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'opened' }
  | { readonly type: 'shut' }
  | { readonly type: 'taken'; readonly staysOpen: boolean }
  | { readonly type: 'pointed'; readonly place: number; readonly x: number; readonly y: number }

export function comboboxReducer(state: ComboboxState, event: ComboboxEvent): ComboboxState {
  switch (event.type) {
    case 'typed':
      return { ...state, open: true, term: event.text, pointed: null, hurried: null, pointer: null }
    case 'opened':
      return state.open ? state : { ...state, open: true, pointed: null }
    case 'shut':
      return closed
    case 'taken':
      return event.staysOpen ? { ...state, term: null, pointed: null, hurried: null } : closed
    case 'pointed': {
      const pointer = { x: event.x, y: event.y }
      const hasMoved = state.pointer !== null && (state.pointer.x !== event.x || state.pointer.y !== event.y)
      return { ...state, pointer, pointed: hasMoved ? event.place : state.pointed }
    }
  }
}

export function typedTerm(state: ComboboxState): string {
  return (state.term ?? '').trim()
}

/** Returns the index that Enter takes: the one that a key or the pointer made active, else the first match of the typed text; −1 for none. */
export function activePlace(state: ComboboxState, list: ShownList): number {
  if (state.pointed !== null) return Math.min(state.pointed, list.count - 1)
  return typedTerm(state) === '' ? -1 : list.first
}

/** Effect that the component carries out besides the new state. */
export type KeyEffect = 'take' | 'load_more' | 'remove_last' | 'clear' | 'retry' | null
export type KeyAnswer = {
  readonly state: ComboboxState
  readonly effect: KeyEffect
  /** The list consumes the key: the field, the form and the dialog around it do not receive it. */
  readonly keeps: boolean
}

export type PressedKey = {
  readonly key: string
  readonly shift: boolean
  readonly alt: boolean
  /** Ctrl or Command. */
  readonly mod: boolean
}

/** Number of options that PageUp and PageDown move by. */
const PAGE_STEP = 8

/** Handles one key press. `removes` is true if Backspace in an empty field removes the last of several chosen options. */
export function pressKey(state: ComboboxState, pressed: PressedKey, list: ShownList, removes: boolean): KeyAnswer {
  const { key, shift, mod } = pressed
  const passed: KeyAnswer = { state, effect: null, keeps: false }
  if (key === 'ArrowDown' || key === 'ArrowUp') return pressArrow(state, pressed, list)
  if (key === 'Backspace') return removes && !state.term ? { ...passed, effect: 'remove_last' } : passed
  if (key === 'Escape') return pressEscape(state)
  if (!state.open) return passed
  // With Shift or Ctrl these keys select or move in the text, as in any field.
  if (key === 'Home' || key === 'End') return shift || mod ? passed : moved(state, key === 'Home' ? 0 : list.count - 1, list)
  if (key === 'PageDown') return moved(state, Math.min(activePlace(state, list) + PAGE_STEP, list.count - 1), list)
  if (key === 'PageUp') return moved(state, Math.max(activePlace(state, list) - PAGE_STEP, 0), list)
  if (key === 'Enter' && !mod) return pressEnter(state, list)
  if (key === 'Tab' && !shift) return pressTab(state, list)
  return passed
}

function moved(state: ComboboxState, place: number, list: ShownList, effect: KeyEffect = null): KeyAnswer {
  // A list that is still loading is empty; its first item becomes active once it arrives.
  const pointed = list.count === 0 ? (list.isLoading || !state.open ? 0 : null) : place
  return { state: { ...state, open: true, pointed, hurried: null, pointer: null }, effect, keeps: true }
}

function pressArrow(state: ComboboxState, { key, alt }: PressedKey, list: ShownList): KeyAnswer {
  const last = list.count - 1
  if (alt) return { state: key === 'ArrowDown' ? { ...state, open: true } : closed, effect: null, keeps: true }
  // A closed list opens at the chosen option.
  if (!state.open && list.chosen >= 0) return moved(state, list.chosen, list)
  const named = activePlace(state, list)
  const here = named < 0 ? list.chosen : named
  if (key === 'ArrowUp') return moved(state, here <= 0 ? last : here - 1, list)
  // Down before Enter means the single match, not the action below it.
  if (state.pointed === null && named >= 0 && list.options === 1) return moved(state, named, list)
  if (here < last) return moved(state, here + 1, list)
  return list.hasMore ? moved(state, here, list, 'load_more') : moved(state, 0, list)
}

/** Never submits the form, because an open list consumes the key. */
function pressEnter(state: ComboboxState, list: ShownList): KeyAnswer {
  if (activePlace(state, list) >= 0) return { state, effect: 'take', keeps: true }
  const term = typedTerm(state)
  if (list.hasFailed) return { state, effect: 'retry', keeps: true }
  if (term === '') return { state: closed, effect: null, keeps: true }
  return { state: list.isLoading ? { ...state, hurried: term } : state, effect: null, keeps: true }
}

/** Takes the active item and lets the focus move on. A pending lookup would be lost by that, so the key waits for it. */
function pressTab(state: ComboboxState, list: ShownList): KeyAnswer {
  if (activePlace(state, list) >= 0) return { state, effect: 'take', keeps: false }
  const term = typedTerm(state)
  if (term === '' || !list.isLoading) return { state, effect: null, keeps: false }
  return { state: { ...state, hurried: term }, effect: null, keeps: true }
}

/** Closes the list and drops the typed text. A second press clears the chosen option where the field allows it. */
function pressEscape(state: ComboboxState): KeyAnswer {
  if (state.open || state.term) return { state: closed, effect: null, keeps: true }
  return { state, effect: 'clear', keeps: false }
}
