import { useState, type ChangeEvent, type KeyboardEvent } from 'react'
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
  chooseFirst?: boolean | undefined
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
    onBlur: () => void
  }
}

/** What a lookup field remembers while it is used: the typed term, whether its list is open and where the keyboard is in it. */
export function usePicker<Id extends OptionId>(input: PickerInput<Id>): Picker<Id> {
  const { search, single, picked, minChars = 3, debounceMs = 1000, chooseFirst = false, per = 10 } = input
  const [term, setTerm] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [pointed, setHere] = useState(-1)
  const lookup = useOptions(search, (term ?? '').trim(), open, { minChars, debounceMs, per })
  const here = pointed < 0 && chooseFirst && term && lookup.options.length > 0 ? 0 : pointed
  const shut = () => {
    setOpen(false)
    setTerm(null)
    setHere(-1)
  }
  const choose = (option: PickerOption<Id>) => {
    if (option.disabledReason) return
    input.onPick(option)
    if (single === undefined) setTerm(null)
    else shut()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = lookup.options[here]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setHere(stepped(event.key, here, lookup))
    } else if (event.key === 'Enter' && open && option) {
      event.preventDefault()
      choose(option)
    } else if (event.key === 'Enter' && open && chooseFirst && term) {
      // What was typed is still being looked up: going on now would leave the field empty.
      event.preventDefault()
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
    term: (term ?? '').trim(),
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
      onBlur: () => {
        shut()
        input.onBlur?.()
      },
    },
  }
}

/** The next place for an arrow key; at the end of the list it asks for the next page. */
function stepped<Id extends OptionId>(key: 'ArrowDown' | 'ArrowUp', here: number, lookup: LookupState<Id>): number {
  const last = lookup.options.length - 1
  if (key === 'ArrowUp') return here <= 0 ? last : here - 1
  if (here < last) return here + 1
  if (lookup.hasMore) lookup.loadMore()
  return lookup.hasMore ? here : 0
}
