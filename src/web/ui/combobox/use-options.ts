import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { matchOptions } from './match-options.ts'
import {
  OptionsForbidden,
  type OptionId,
  type OptionPage,
  type OptionSearch,
  type OptionSource,
  type PickerOption,
} from './option-types.ts'

export type LookupSettings = {
  minChars: number
  debounceMs: number
  per: number
  /** A further page replaces the previous one instead of being appended. */
  turnsPages?: boolean | undefined
}

/** Status of a lookup; `short` means that the typed text is too short for a search. */
export type LookupStatus = 'idle' | 'short' | 'loading' | 'ready' | 'failed' | 'forbidden'

export type LookupState<Id extends OptionId> = {
  options: readonly PickerOption<Id>[]
  recent: readonly PickerOption<Id>[]
  total: number
  status: LookupStatus
  /** The options belong to an earlier text; the answer for the current text is pending. */
  isStale: boolean
  hasMore: boolean
  page: number
  setPage: (page: number) => void
  retry: () => void
}

const none: readonly never[] = []

/**
 * Looks up options while the list is open. An empty term lists the first page at once. Typed text filters a complete list in the browser at
 * once. The server is asked too, after the pause and from the minimum number of characters on, because it also searches aliases, streets and
 * meters, which the list does not contain. Its results follow the matches of the list.
 */
export function useOptions<Id extends OptionId>(
  source: OptionSource<Id>,
  term: string,
  open: boolean,
  settings: LookupSettings,
): LookupState<Id> {
  const isShort = term.length < settings.minChars
  const all = useAnswers(source.search, { ...settings, term: '', wanted: open && source.list === undefined })
  const found = useAnswers(source.search, { ...settings, term, wanted: open && term !== '' && !isShort })
  const isWhole = source.list !== undefined || (all.status === 'ready' && all.page === 1 && all.options.length >= all.total)
  const known = source.list ?? all.options
  const near = useMemo(() => (term !== '' && isWhole ? matchOptions(known, term) : none), [known, term, isWhole])
  const further = found.isStale ? none : found.options
  const options = useMemo(() => (near.length === 0 ? further : followedBy(near, further)), [near, further])
  if (term === '' && source.list === undefined) return { ...all, status: open ? all.status : 'idle' }
  const calm = { ...found, isStale: false, recent: none }
  if (term === '') return { ...calm, options: known, total: known.length, status: open ? 'ready' : 'idle', hasMore: false }
  const answered: LookupState<Id> = { ...calm, options, total: Math.max(found.total, options.length) }
  if (!open) return { ...answered, status: 'idle' }
  if (source.search === undefined) return { ...answered, status: 'ready', hasMore: false }
  if (isShort) return { ...answered, options: near, status: near.length > 0 ? 'ready' : 'short', hasMore: false }
  // Old options stay visible while the next ones load; a complete list already knows that none of its options match.
  const waits = answered.status === 'loading' && options.length === 0 && !isWhole
  return waits ? { ...answered, options: found.isStale ? found.options : all.options, isStale: true } : answered
}

function followedBy<Id extends OptionId>(near: readonly PickerOption<Id>[], found: readonly PickerOption<Id>[]) {
  const known = new Set(near.map(({ id }) => id))
  return [...near, ...found.filter(({ id }) => !known.has(id))]
}

type Asked<Id extends OptionId> = OptionPage<Id> & { term: string; page: number }
type Wish = LookupSettings & { term: string; wanted: boolean }

/** Returns the search results for one term, page by page. */
function useAnswers<Id extends OptionId>(search: OptionSearch<Id> | undefined, wish: Wish): LookupState<Id> {
  const { term, wanted, debounceMs, per, turnsPages = false } = wish
  const [answer, setAnswer] = useState<Asked<Id> | null>(null)
  const [problem, setProblem] = useState<'failed' | 'forbidden' | null>(null)
  const [{ page, of, tries }, setTurn] = useState({ page: 1, of: term, tries: 0 })
  if (of !== term) {
    setTurn({ page: 1, of: term, tries: 0 })
    setProblem(null)
  }
  const load = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const next = await search?.({ term, page, per }, signal)
      if (signal.aborted || !next) return
      setProblem(null)
      setAnswer((before) => {
        const kept = page > 1 && !turnsPages && before?.term === term ? before.options : []
        return { ...next, options: [...kept, ...next.options], term, page }
      })
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof OptionsForbidden ? 'forbidden' : 'failed')
    }
  })
  const asks = wanted && search !== undefined
  useEffect(() => {
    if (!asks) return undefined
    const abort = new AbortController()
    const timer = setTimeout(() => void load(abort.signal), term === '' || page > 1 || tries > 0 ? 0 : debounceMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [asks, term, page, debounceMs, tries])
  const current = answer?.term === term ? answer : null
  const isStale = current === null && answer !== null
  const isWaiting = current === null || current.page !== page
  const shown = answer?.options ?? none
  return {
    options: shown,
    isStale,
    recent: page === 1 ? (current?.recent ?? none) : none,
    total: current?.total ?? 0,
    status: problem ?? (isWaiting ? 'loading' : 'ready'),
    hasMore: current !== null && !turnsPages && shown.length < current.total,
    page,
    setPage: (next) => current && !isWaiting && setTurn((turn) => ({ ...turn, page: next })),
    retry: () => {
      setProblem(null)
      setTurn((turn) => ({ ...turn, tries: turn.tries + 1 }))
    },
  }
}
