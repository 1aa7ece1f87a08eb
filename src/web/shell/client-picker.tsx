import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { useGo } from '../kernel/navigation.tsx'
import { messages, ownMessages } from '../kernel/messages.ts'
import { useAccess, useClientOnly, useIsProviderAdmin } from '../kernel/permissions.tsx'
import { apiQuery, queryClient } from '../kernel/query.ts'
import { scopeCalls } from '../kernel/scope-calls.ts'
import { setScope, useScopeClient } from '../kernel/scope.ts'
import { useDebounced } from '../kernel/use-debounced.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { Popover } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'
import { accessQuery } from '../kernel/permissions.tsx'
import { firstSectionOf } from '../home/landing.ts'
import styles from './shell.module.css'

/** Clients loaded at a time. */
export const CLIENTS_PER_PAGE = 20
/** What the pager counts by: half of what is loaded, as its total is half of what is reported (G-PAGER-HALF). */
const PAGER_SIZE = 10
const SEARCH_FROM = 3
const SEARCH_PAUSE_MS = 1000

/** The dropdown in the header that scopes the console to a client, or clears the scope. */
export function ClientPicker() {
  const { id, client } = useScopeClient()
  const clientOnly = useClientOnly()
  const nobody = clientOnly ? messages.select_a_client : ownMessages.admin_view
  const name = id === null ? (clientOnly === undefined ? '…' : nobody) : (client?.name ?? `Client ${id}`)
  return (
    <Popover
      label={`Client: ${name}`}
      className={cx(styles.picker)}
      kind="default"
      trigger={
        <>
          <span className={styles.pickerName}>{name}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      {(close) => <PickerPanel scopeId={id} close={close} />}
    </Popover>
  )
}

function PickerPanel({ scopeId, close }: { scopeId: number | null; close: () => void }) {
  const go = useGo()
  const { access } = useAccess()
  const mayLeave = access?.client_only_user === false
  const searches = useIsProviderAdmin()
  const [term, setTerm] = useState('')
  const [page, setPage] = useState(1)
  const asked = useDebounced(term.trim(), term.trim() === '' ? 0 : SEARCH_PAUSE_MS)
  const short = term.trim().length > 0 && term.trim().length < SEARCH_FROM
  const search_term = asked.length >= SEARCH_FROM ? asked : ''
  const choose = async (id: number) => {
    close()
    setScope(id)
    go(await placeOf(id, access?.client_only_user ?? false))
  }
  return (
    <div className={styles.pickerPanel}>
      {searches && (
        <TextField
          label={messages.search_by_client}
          type="search"
          value={term}
          autoFocus
          hint={short ? `Type ${SEARCH_FROM} or more characters` : undefined}
          onChange={(value) => {
            setTerm(value)
            setPage(1)
          }}
        />
      )}
      {mayLeave && (
        <Button
          kind="quiet"
          className={cx(styles.pickerLine, scopeId === null && styles.pickerHere)}
          onClick={() => {
            close()
            setScope(null)
            go('/')
          }}
        >
          {ownMessages.admin_view}
        </Button>
      )}
      <Choices search={search_term} page={page} onPage={setPage} scopeId={scopeId} onChoose={(id) => void choose(id)} />
    </div>
  )
}

type ChoicesProps = { search: string; page: number; onPage: (page: number) => void; scopeId: number | null; onChoose: (id: number) => void }

function Choices({ search, page, onPage, scopeId, onChoose }: ChoicesProps) {
  const query = { ...(search ? { search_term: search } : {}), page, per: CLIENTS_PER_PAGE }
  const { data, error, refetch } = useQuery({ ...apiQuery(scopeCalls.choices, { query }), placeholderData: keepPreviousData })
  if (error) {
    return (
      <div className={styles.pickerNote} role="alert">
        The clients could not be loaded.{' '}
        <Button small onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!data) return <PickerSkeleton />
  return (
    <>
      <ul className={styles.pickerList} aria-label="Clients">
        {data.clients.map((client) => (
          <li key={client.id}>
            <button
              type="button"
              className={cx(styles.pickerLine, client.id === scopeId && styles.pickerHere)}
              aria-current={client.id === scopeId || undefined}
              onClick={() => onChoose(client.id)}
            >
              {client.name}
            </button>
          </li>
        ))}
      </ul>
      {data.clients.length === 0 && <p className={styles.pickerNote}>{ownMessages.no_clients}</p>}
      <PickerPager total={data.total ?? data.clients.length} page={page} onPage={onPage} />
    </>
  )
}

/** Counts half the reported total, ten to a page: the same pages as the whole total by twenty. */
function PickerPager({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const pages = pickerPages(total)
  if (pages <= 1) return null
  return (
    <div className={styles.pickerPager} data-pager-total={pickerTotal(total)}>
      <IconButton
        small
        label="Previous clients"
        icon={<ChevronLeft size={14} aria-hidden="true" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span className="num">
        {page} of {pages}
      </span>
      <IconButton
        small
        label="Next clients"
        icon={<ChevronRight size={14} aria-hidden="true" />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
}

/** The total that the pager shows: half of the reported one, rounded up so that the last client of an odd number is reached. */
export function pickerTotal(total: number): number {
  return Math.ceil(total / 2)
}

export function pickerPages(total: number): number {
  return Math.ceil(pickerTotal(total) / PAGER_SIZE)
}

function PickerSkeleton() {
  return (
    <div className={styles.pickerNote}>
      <Skeleton width={180} />
    </div>
  )
}

/** A client opens on its dashboard, or for a client-only person on the first section that they may read in it. */
async function placeOf(id: number, clientOnly: boolean): Promise<string> {
  if (!clientOnly) return `/clients/${id}/dashboard`
  try {
    const access = await queryClient.fetchQuery(accessQuery(id))
    return firstSectionOf(id, access.permissions)
  } catch {
    return `/clients/${id}/dashboard`
  }
}
