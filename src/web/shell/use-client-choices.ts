/** The clients to choose from, a page at a time, by what is typed; and where the keyboard is among them. */
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../kernel/query.ts'
import { scopeCalls } from '../kernel/scope-calls.ts'
import { useDebounced } from '../kernel/use-debounced.ts'

/** Clients loaded at a time. */
const CLIENTS_PER_PAGE = 20
/** Characters that a search starts at. */
export const SEARCH_FROM = 3
const SEARCH_PAUSE_MS = 1000

export type ClientChoicesState = ReturnType<typeof useClientChoices>

/** While something is typed its first match is active: Enter takes it, and waits for it where it is still on its way. */
export function useClientChoices(choose: (id: number) => void) {
  const [term, setTerm] = useState('')
  const [page, setPage] = useState(1)
  const [pointed, setPointed] = useState(-1)
  const [hurried, setHurried] = useState(false)
  const typed = term.trim()
  const asked = useDebounced(typed, typed === '' || hurried ? 0 : SEARCH_PAUSE_MS)
  const query = { ...(asked.length >= SEARCH_FROM ? { search_term: asked } : {}), page, per: CLIENTS_PER_PAGE }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...apiQuery(scopeCalls.choices, { query }),
    placeholderData: keepPreviousData,
  })
  const clients = data?.clients ?? []
  const short = typed.length > 0 && typed.length < SEARCH_FROM
  const isAnswered = data !== undefined && !isPlaceholderData && asked === typed
  const here = pointed < 0 && typed !== '' && !short && isAnswered && clients.length > 0 ? 0 : Math.min(pointed, clients.length - 1)
  const takeFirst = useEffectEvent(() => {
    const [first] = clients
    if (first) choose(first.id)
  })
  useEffect(() => {
    if (hurried && isAnswered) takeFirst()
  }, [hurried, isAnswered])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const client = clients[here]
    if (event.key !== 'Enter') setPointed(stepped(event.key, here, clients.length))
    else if (client && isAnswered) choose(client.id)
    else if (typed !== '' && !short && !isAnswered) setHurried(true)
  }
  return {
    term,
    short,
    here,
    page,
    setPage: (next: number) => {
      setPage(next)
      setPointed(-1)
    },
    clients,
    total: data?.total ?? clients.length,
    status: error ? 'failed' : data ? 'ready' : 'loading',
    again: () => void refetch(),
    choose,
    onKeyDown,
    type: (text: string) => {
      setTerm(text)
      setPage(1)
      setPointed(-1)
      setHurried(false)
    },
  } as const
}

function stepped(key: 'ArrowDown' | 'ArrowUp', here: number, count: number): number {
  if (count === 0) return -1
  return key === 'ArrowDown' ? (here + 1) % count : (Math.max(here, 0) - 1 + count) % count
}
