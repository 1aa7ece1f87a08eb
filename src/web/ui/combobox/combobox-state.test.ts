import { describe, expect, test } from 'vitest'
import { activePlace, closed, comboboxReducer, pressKey, type ComboboxState, type PressedKey, type ShownList } from './combobox-state.ts'

const ten: ShownList = { count: 10, options: 10, first: 0, chosen: -1, hasMore: false, isLoading: false, hasFailed: false }
const empty: ShownList = { ...ten, count: 0, options: 0, first: -1 }
const loading: ShownList = { ...empty, isLoading: true }
const open: ComboboxState = { ...closed, open: true }
const typed = (text: string) => comboboxReducer(closed, { type: 'typed', text })
const at = (place: number): ComboboxState => ({ ...open, pointed: place })
const key = (name: string, more: Partial<PressedKey> = {}): PressedKey => ({ key: name, shift: false, alt: false, mod: false, ...more })
const press = (state: ComboboxState, name: string, list = ten, removes = false) => pressKey(state, key(name), list, removes)
const place = (state: ComboboxState, name: string, list = ten) => press(state, name, list).state.pointed

describe('the active option', () => {
  test('is the first match as soon as something is typed, and none before', () => {
    expect(activePlace(open, ten)).toBe(-1)
    expect(activePlace(typed('n'), ten)).toBe(0)
    expect(activePlace(typed('n'), { ...ten, first: 3 })).toBe(3)
    expect(activePlace(typed('n'), empty)).toBe(-1)
  })

  test('is the first match again after each letter, whatever was active before', () => {
    expect(activePlace(comboboxReducer({ ...typed('n'), pointed: 6 }, { type: 'typed', text: 'no' }), ten)).toBe(0)
  })

  test('is not taken by a pointer that rests while the list moves under it, and is by one that moves', () => {
    const seen = comboboxReducer(typed('n'), { type: 'pointed', place: 5, x: 10, y: 10 })
    expect(activePlace(seen, ten)).toBe(0)
    const resting = comboboxReducer(seen, { type: 'pointed', place: 7, x: 10, y: 10 })
    expect(activePlace(resting, ten)).toBe(0)
    expect(activePlace(comboboxReducer(resting, { type: 'pointed', place: 7, x: 10, y: 12 }), ten)).toBe(7)
  })

  test('stays inside a list that became shorter', () => {
    expect(activePlace(at(9), { ...ten, count: 4 })).toBe(3)
  })
})

describe('arrows', () => {
  test('make the first option active where the list is still being read when the key opens it', () => {
    expect(activePlace(press(closed, 'ArrowDown', loading).state, loading)).toBe(-1)
    expect(activePlace(press(closed, 'ArrowDown', loading).state, ten)).toBe(0)
  })

  test('open a closed list at the chosen option, else at the first or the last', () => {
    expect(press(closed, 'ArrowDown').state).toMatchObject({ open: true, pointed: 0 })
    expect(press(closed, 'ArrowUp').state).toMatchObject({ open: true, pointed: 9 })
    expect(press(closed, 'ArrowDown', { ...ten, chosen: 4 }).state).toMatchObject({ open: true, pointed: 4 })
  })

  test('go on from the first match and from the chosen option, and around the ends', () => {
    expect(place(typed('n'), 'ArrowDown')).toBe(1)
    expect(place(open, 'ArrowDown', { ...ten, chosen: 0 })).toBe(1)
    expect(place(at(9), 'ArrowDown')).toBe(0)
    expect(place(at(0), 'ArrowUp')).toBe(9)
  })

  test('ask for the next page at the end of what is loaded', () => {
    expect(press(at(9), 'ArrowDown', { ...ten, hasMore: true })).toMatchObject({ effect: 'load_more', state: { pointed: 9 } })
  })

  test('stay on the one match at first, before they go on to "Add new"', () => {
    const one = { ...ten, count: 2, options: 1 }
    expect(place(typed('n'), 'ArrowDown', one)).toBe(0)
    expect(place({ ...typed('n'), pointed: 0 }, 'ArrowDown', one)).toBe(1)
  })

  test('with Alt open and close, and name nothing in an empty list', () => {
    expect(pressKey(closed, key('ArrowDown', { alt: true }), ten, false).state).toMatchObject({ open: true, pointed: null })
    expect(pressKey(open, key('ArrowUp', { alt: true }), ten, false).state.open).toBe(false)
    expect(place(open, 'ArrowDown', empty)).toBeNull()
  })
})

test('Home, End, PageUp and PageDown move in an open list and belong to the text in a closed one; with Shift they mark it', () => {
  expect(['Home', 'End', 'PageDown', 'PageUp'].map((name) => place(at(3), name, { ...ten, count: 30 }))).toEqual([0, 29, 11, 0])
  for (const name of ['Home', 'End', 'PageDown', 'PageUp'])
    expect(press(closed, name)).toEqual({ state: closed, effect: null, keeps: false })
  expect(pressKey(at(3), key('Home', { shift: true }), ten, false).keeps).toBe(false)
})

describe('Enter', () => {
  test('takes the active option and never reaches the form while the list is open', () => {
    expect(press(typed('n'), 'Enter')).toMatchObject({ effect: 'take', keeps: true })
    expect(press(typed('n'), 'Enter', empty)).toMatchObject({ effect: null, keeps: true })
    expect(press(open, 'Enter')).toMatchObject({ effect: null, keeps: true, state: closed })
  })

  test('sends the form where the list is closed, and with Ctrl always', () => {
    expect(press(closed, 'Enter').keeps).toBe(false)
    expect(pressKey(typed('n'), key('Enter', { mod: true }), ten, false)).toMatchObject({ effect: null, keeps: false })
  })

  test('waits for the first match where that is on its way, and asks again where the search failed', () => {
    expect(press(typed('nor'), 'Enter', loading).state.hurried).toBe('nor')
    expect(press(typed('nor'), 'Enter', { ...empty, hasFailed: true })).toMatchObject({ effect: 'retry', keeps: true })
  })
})

describe('Tab', () => {
  test('takes the active option and goes on', () => {
    expect(press(typed('n'), 'Tab')).toMatchObject({ effect: 'take', keeps: false })
    expect(press(at(2), 'Tab')).toMatchObject({ effect: 'take', keeps: false })
  })

  test('waits where going on would throw away what was typed, and takes nothing that was not named', () => {
    expect(press(typed('nor'), 'Tab', loading)).toMatchObject({ keeps: true, state: { hurried: 'nor' } })
    expect(press(open, 'Tab')).toMatchObject({ effect: null, keeps: false })
    expect(pressKey(typed('n'), key('Tab', { shift: true }), ten, false)).toMatchObject({ effect: null, keeps: false })
  })
})

test('Escape closes the list and gives up what was typed, and clears only then', () => {
  expect(press(typed('nor'), 'Escape')).toEqual({ state: closed, effect: null, keeps: true })
  expect(press(closed, 'Escape')).toMatchObject({ effect: 'clear', keeps: false })
})

test('Backspace takes the last of several away where nothing is typed', () => {
  expect(press(open, 'Backspace', ten, true).effect).toBe('remove_last')
  expect(press(typed('n'), 'Backspace', ten, true).effect).toBeNull()
  expect(press(open, 'Backspace', ten, false).effect).toBeNull()
})

test('taking one of several leaves the list open and empties the text; taking the one closes it', () => {
  expect(comboboxReducer(typed('nor'), { type: 'taken', staysOpen: true })).toMatchObject({ open: true, term: null })
  expect(comboboxReducer(typed('nor'), { type: 'taken', staysOpen: false })).toEqual(closed)
})
