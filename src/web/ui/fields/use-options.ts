import { useEffect, useEffectEvent, useState } from 'react'

export type OptionId = string | number
export type PickerOption<Id extends OptionId = number> = {
  id: Id
  label: string
  /** A second, quieter text: the vendor beside the account. */
  hint?: string | undefined
  /** Why it cannot be chosen. */
  disabledReason?: string | undefined
}
export type OptionQuery = { term: string; page: number; per: number }
export type OptionPage<Id extends OptionId> = { options: readonly PickerOption<Id>[]; total: number }
/** Asks the server; an empty term lists all. */
export type OptionSearch<Id extends OptionId> = (query: OptionQuery, signal: AbortSignal) => Promise<OptionPage<Id>>

export type LookupSettings<Id extends OptionId> = {
  minChars: number
  debounceMs: number
  per: number
  /** Told each answer as it comes. */
  onFound: (options: readonly PickerOption<Id>[]) => void
}

type Found<Id extends OptionId> = OptionPage<Id> & { term: string; page: number }

export type LookupState<Id extends OptionId> = {
  options: readonly PickerOption<Id>[]
  total: number
  /** `short`: one or two characters, which search nothing. */
  status: 'idle' | 'short' | 'loading' | 'ready' | 'failed'
  hasMore: boolean
  loadMore: () => void
}

/** Looks options up while the list is open: at once for an empty term, after the pause for a typed one, never for a short one. */
export function useOptions<Id extends OptionId>(
  search: OptionSearch<Id>,
  term: string,
  open: boolean,
  { minChars, debounceMs, per, onFound }: LookupSettings<Id>,
): LookupState<Id> {
  const [found, setFound] = useState<Found<Id> | null>(null)
  const [failed, setFailed] = useState(false)
  const [page, setPage] = useState(1)
  const [seenTerm, setSeenTerm] = useState(term)
  const short = term.length > 0 && term.length < minChars
  if (seenTerm !== term) {
    setSeenTerm(term)
    setPage(1)
  }
  const tell = useEffectEvent(onFound)
  const load = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const answer = await search({ term, page, per }, signal)
      if (signal.aborted) return
      setFailed(false)
      setFound((before) => {
        const kept = page > 1 && before?.term === term ? before.options : []
        return { options: [...kept, ...answer.options], total: answer.total, term, page }
      })
      tell(answer.options)
    } catch {
      if (!signal.aborted) setFailed(true)
    }
  })
  useEffect(() => {
    if (!open || short) return undefined
    const abort = new AbortController()
    const timer = setTimeout(() => void load(abort.signal), term === '' || page > 1 ? 0 : debounceMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [open, short, term, page, debounceMs])
  const current = found?.term === term && !short ? found : null
  const waiting = current === null || current.page !== page
  return {
    options: current?.options ?? [],
    total: current?.total ?? 0,
    status: lookupStatus({ open, short, failed, waiting }),
    hasMore: current !== null && current.options.length < current.total,
    loadMore: () => current && !waiting && setPage(page + 1),
  }
}

function lookupStatus({ open, short, failed, waiting }: { open: boolean; short: boolean; failed: boolean; waiting: boolean }) {
  if (!open) return 'idle'
  if (short) return 'short'
  if (failed) return 'failed'
  return waiting ? 'loading' : 'ready'
}
