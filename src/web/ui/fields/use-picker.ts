import { useState, type ChangeEvent, type FocusEvent, type KeyboardEvent } from 'react'
import { useOptions, type LookupState, type OptionId, type OptionSearch, type PickerOption } from './use-options.ts'

export type PickerInput<Id extends OptionId> = {
  search: OptionSearch<Id>
  single: PickerOption<Id> | null | undefined
  picked: readonly PickerOption<Id>[]
  onPick: (option: PickerOption<Id>) => void
  onRemove: (option: PickerOption<Id>) => void
  onBlur?: (() => void) | undefined
  minChars?: number | undefined
  debounceMs?: number | undefined
  per?: number | undefined
}

export type Picker<Id extends OptionId> = {
  open: boolean
  /** Place of the option under the keyboard, −1 for none. */
  here: number
  term: string
  lookup: LookupState<Id>
  choose: (option: PickerOption<Id>) => void
  setHere: (index: number) => void
  inputProps: {
    value: string
    onChange: (event: ChangeEvent<HTMLInputElement>) => void
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
    onClick: () => void
    onFocus: (event: FocusEvent<HTMLInputElement>) => void
    onBlur: () => void
  }
}

/** What a lookup field remembers while it is used: the typed term, whether its list is open and where the keyboard is in it. */
export function usePicker<Id extends OptionId>(input: PickerInput<Id>): Picker<Id> {
  const { search, single, picked, minChars = 3, debounceMs = 1000, per = 10 } = input
  const [term, setTerm] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [pointed, setHere] = useState(-1)
  // What was typed when Enter or Tab asked for its first match before there was one.
  const [hurried, setHurried] = useState<string | null>(null)
  const typed = (term ?? '').trim()
  const isHurried = hurried !== null && hurried === typed
  const shut = () => {
    setOpen(false)
    setTerm(null)
    setHere(-1)
    setHurried(null)
  }
  const choose = (option: PickerOption<Id>) => {
    if (option.disabledReason) return
    input.onPick(option)
    setHurried(null)
    if (single === undefined) setTerm(null)
    else shut()
  }
  const lookup = useOptions(search, typed, open, {
    minChars,
    debounceMs: isHurried ? 0 : debounceMs,
    per,
    onFound: (options) => {
      const first = options[firstFree(options)]
      if (isHurried && first) choose(first)
    },
  })
  const here = pointed < 0 && typed !== '' ? firstFree(lookup.options) : pointed
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = lookup.options[here]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setHere(stepped(event.key, here, lookup))
    } else if (event.key === 'Enter' && open && !event.ctrlKey && !event.metaKey) {
      // Never sends the form: the key belongs to the list while that is open.
      event.preventDefault()
      if (option) choose(option)
      else if (lookup.status === 'loading' && typed !== '') setHurried(typed)
      else if (typed === '') shut()
    } else if (event.key === 'Tab' && !event.shiftKey && open && typed !== '') {
      if (option) return choose(option)
      if (lookup.status !== 'loading') return
      // What was typed is still being looked up: going on now would throw it away.
      event.preventDefault()
      setHurried(typed)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      shut()
    } else if (event.key === 'Backspace' && !term) {
      const last = picked.at(-1)
      if (last) input.onRemove(last)
    }
  }
  return {
    open,
    here,
    term: typed,
    lookup,
    choose,
    setHere,
    inputProps: {
      value: term ?? single?.label ?? '',
      onChange: (event) => {
        setTerm(event.currentTarget.value)
        setOpen(true)
        setHere(-1)
      },
      onKeyDown,
      onClick: () => setOpen(true),
      // Typing replaces what was chosen.
      onFocus: (event) => event.currentTarget.select(),
      onBlur: () => {
        shut()
        input.onBlur?.()
      },
    },
  }
}

/** Place of the first option that can be chosen, −1 for none. */
function firstFree<Id extends OptionId>(options: readonly PickerOption<Id>[]): number {
  return options.findIndex((option) => option.disabledReason === undefined)
}

/** The next place for an arrow key; at the end of the list it asks for the next page. */
function stepped<Id extends OptionId>(key: 'ArrowDown' | 'ArrowUp', here: number, lookup: LookupState<Id>): number {
  const last = lookup.options.length - 1
  if (key === 'ArrowUp') return here <= 0 ? last : here - 1
  if (here < last) return here + 1
  if (lookup.hasMore) lookup.loadMore()
  return lookup.hasMore ? here : 0
}
