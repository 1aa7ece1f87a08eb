/** The filters of the search: the most used ones visible, the others behind a button. Enter searches. */
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { noFilterMessage } from '#contract/advanced-search/advanced-search.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import type { GridFilters } from '../ui/grid/grid-types.ts'
import styles from './advanced-search.module.css'
import { moreNames, type FieldsProps, MainFields, MoreFields, moreWords } from './search-fields.tsx'

interface FormProps {
  readonly clientId: number | undefined
  /** The filters in the address. */
  readonly filters: GridFilters
  readonly onSearch: (filters: GridFilters) => void
  readonly onClear: () => void
}

export function SearchForm({ clientId, filters, onSearch, onClear }: FormProps) {
  const [values, setValues] = useFollowing(filters)
  const [opened, setMore] = useState<boolean | null>(null)
  const more = opened ?? moreNames.some((name) => filters[name] !== undefined)
  const form = useRef<HTMLFormElement>(null)
  const focusFirst = () => form.current?.querySelector('input')?.focus()
  // An empty search gets the focus; a page with results keeps its scroll position.
  const arrive = useEffectEvent(() => Object.keys(filters).length === 0 && focusFirst())
  useEffect(() => void arrive(), [])
  const fields: FieldsProps = { clientId, values, set: (name, value) => setValues((before) => ({ ...before, [name]: value })) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = givenOf(values)
    if (Object.keys(given).length > 0) return onSearch(given)
    notify({ kind: 'warning', title: messages.search_error, message: noFilterMessage, duration: seconds.usual })
    focusFirst()
  }
  const clear = () => {
    setValues({})
    onClear()
  }
  return (
    <form ref={form} role="search" aria-label="Advanced Search" className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <MainFields {...fields} />
        {more && <MoreFields {...fields} />}
      </div>
      <div className={styles.actions}>
        <Button type="submit" kind="primary">
          <Search size={14} aria-hidden="true" />
          Search
        </Button>
        <Button
          onClick={clear}
          disabledReason={Object.keys(givenOf({ ...filters, ...values })).length === 0 ? 'No filter is set' : undefined}
          reasonHidden
        >
          <X size={14} aria-hidden="true" />
          Clear Search
        </Button>
        <Button kind="quiet" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? <ChevronUp size={14} aria-hidden="true" /> : <ChevronDown size={14} aria-hidden="true" />}
          {more ? 'Fewer filters' : moreWords(values)}
        </Button>
      </div>
    </form>
  )
}

/** Holds the typed filters until the address changes: Back and a saved view bring their own texts, and the focus stays. */
function useFollowing(filters: GridFilters) {
  const [typed, setTyped] = useState({ values: filters, of: filters })
  if (!sameFilters(typed.of, filters)) setTyped({ values: filters, of: filters })
  const set = (next: GridFilters | ((before: GridFilters) => GridFilters)) =>
    setTyped(({ values, of }) => ({ values: typeof next === 'function' ? next(values) : next, of }))
  return [typed.values, set] as const
}

function sameFilters(one: GridFilters, other: GridFilters): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

function givenOf(values: GridFilters): GridFilters {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])))
}
