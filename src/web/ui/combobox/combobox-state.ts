/** What a combobox remembers and how keys change it: pure, so that each rule of the keyboard has a test without a page. */

export type ComboboxState = {
  readonly open: boolean
  /** What is typed; null shows what is chosen. */
  readonly term: string | null
  /** Place of the option that a key or the pointer made active; null leaves it to `activePlace`. */
  readonly pointed: number | null
  /** What was typed when Enter or Tab asked for its first match before there was one. */
  readonly hurried: string | null
  /** Where the pointer was seen since the last key: what moves under a resting pointer must not take the active row. */
  readonly pointer: { readonly x: number; readonly y: number } | null
}

export const closed: ComboboxState = { open: false, term: null, pointed: null, hurried: null, pointer: null }

/** The list as it is shown. */
export type ShownList = {
  readonly count: number
  /** How many of them are options; acts such as "Add new …" follow. */
  readonly options: number
  /** Place of the first option that can be chosen and is no act of its own; −1 for none. */
  readonly first: number
  /** Place of the option that is chosen already; −1 for none. */
  readonly chosen: number
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** The lookup failed and may go well another time. */
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

/** The place that Enter takes: what a key or the pointer named, else the first match of what is typed; −1 for none. */
export function activePlace(state: ComboboxState, list: ShownList): number {
  if (state.pointed !== null) return Math.min(state.pointed, list.count - 1)
  return typedTerm(state) === '' ? -1 : list.first
}

/** What the component does besides taking the new state. */
export type KeyEffect = 'take' | 'load_more' | 'remove_last' | 'clear' | 'retry' | null
export type KeyAnswer = {
  readonly state: ComboboxState
  readonly effect: KeyEffect
  /** The key belongs to the list: the field, the form and the dialog around do not get it. */
  readonly keeps: boolean
}

export type PressedKey = {
  readonly key: string
  readonly shift: boolean
  readonly alt: boolean
  /** Ctrl or Command. */
  readonly mod: boolean
}

/** Options that PageUp and PageDown pass over. */
const PAGE_STEP = 8

/** Answers one key press; `removes` says whether Backspace in an empty field takes the last of several away. */
export function pressKey(state: ComboboxState, pressed: PressedKey, list: ShownList, removes: boolean): KeyAnswer {
  const { key, shift, mod } = pressed
  const passed: KeyAnswer = { state, effect: null, keeps: false }
  if (key === 'ArrowDown' || key === 'ArrowUp') return pressArrow(state, pressed, list)
  if (key === 'Backspace') return removes && !state.term ? { ...passed, effect: 'remove_last' } : passed
  if (key === 'Escape') return pressEscape(state)
  if (!state.open) return passed
  // With Shift they mark the text, as everywhere.
  if (key === 'Home' || key === 'End') return shift || mod ? passed : moved(state, key === 'Home' ? 0 : list.count - 1, list)
  if (key === 'PageDown') return moved(state, Math.min(activePlace(state, list) + PAGE_STEP, list.count - 1), list)
  if (key === 'PageUp') return moved(state, Math.max(activePlace(state, list) - PAGE_STEP, 0), list)
  if (key === 'Enter' && !mod) return pressEnter(state, list)
  if (key === 'Tab' && !shift) return pressTab(state, list)
  return passed
}

function moved(state: ComboboxState, place: number, list: ShownList, effect: KeyEffect = null): KeyAnswer {
  // A list that is still being read shows nothing yet: its first one is active as soon as it is there.
  const pointed = list.count === 0 ? (list.isLoading || !state.open ? 0 : null) : place
  return { state: { ...state, open: true, pointed, hurried: null, pointer: null }, effect, keeps: true }
}

function pressArrow(state: ComboboxState, { key, alt }: PressedKey, list: ShownList): KeyAnswer {
  const last = list.count - 1
  if (alt) return { state: key === 'ArrowDown' ? { ...state, open: true } : closed, effect: null, keeps: true }
  // A closed list opens where the chosen one is.
  if (!state.open && list.chosen >= 0) return moved(state, list.chosen, list)
  const named = activePlace(state, list)
  const here = named < 0 ? list.chosen : named
  if (key === 'ArrowUp') return moved(state, here <= 0 ? last : here - 1, list)
  // Whoever presses Down before Enter means the one match, not the act below it.
  if (state.pointed === null && named >= 0 && list.options === 1) return moved(state, named, list)
  if (here < last) return moved(state, here + 1, list)
  return list.hasMore ? moved(state, here, list, 'load_more') : moved(state, 0, list)
}

/** Never sends the form: the key belongs to the list while that is open. */
function pressEnter(state: ComboboxState, list: ShownList): KeyAnswer {
  if (activePlace(state, list) >= 0) return { state, effect: 'take', keeps: true }
  const term = typedTerm(state)
  if (list.hasFailed) return { state, effect: 'retry', keeps: true }
  if (term === '') return { state: closed, effect: null, keeps: true }
  return { state: list.isLoading ? { ...state, hurried: term } : state, effect: null, keeps: true }
}

/** Takes the active one and goes on; what is still being looked up would be thrown away by going on, so the key waits for it. */
function pressTab(state: ComboboxState, list: ShownList): KeyAnswer {
  if (activePlace(state, list) >= 0) return { state, effect: 'take', keeps: false }
  const term = typedTerm(state)
  if (term === '' || !list.isLoading) return { state, effect: null, keeps: false }
  return { state: { ...state, hurried: term }, effect: null, keeps: true }
}

/** Closes the list and gives up what was typed; the next one clears what is chosen, where the field lets it. */
function pressEscape(state: ComboboxState): KeyAnswer {
  if (state.open || state.term) return { state: closed, effect: null, keeps: true }
  return { state, effect: 'clear', keeps: false }
}
