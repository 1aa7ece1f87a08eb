import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { allows } from '#contract/kernel/permission.ts'
import { callApi } from '../kernel/api.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { usePath } from '../kernel/navigation.tsx'
import { usePermissions } from '../kernel/permissions.tsx'
import { useScopeId } from '../kernel/scope.ts'
import { useDebounced } from '../kernel/use-debounced.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { Skeleton } from '../ui/states.tsx'
import {
  placeInSidebar,
  recordHref,
  recordsOf,
  sidebarCall,
  sidebarKinds,
  SIDEBAR_PER_PAGE,
  type SidebarKind,
  type SidebarRecord,
} from './sidebar-lists.ts'
import styles from './sidebar.module.css'

const LINE_PX = 30
/** Shorter than the pause of lookups, because the filter searches a list that is already shown. */
const FILTER_PAUSE_MS = 250

/** The list on the left while a client is scoped: one kind of its records, to filter and to choose from. */
export function Sidebar() {
  const clientId = useScopeId()
  const map = usePermissions()
  const kinds = sidebarKinds.filter((kind) => allows(map, kind.may))
  const place = placeInSidebar(usePath())
  const [chosen, setChosen] = useState<string | null>(null)
  const [seen, setSeen] = useState(place?.plural)
  // A page of another section switches to its own list; a list chosen by hand stays until then.
  if (place && place.plural !== seen) {
    setSeen(place.plural)
    setChosen(null)
  }
  const kind = kinds.find((one) => one.plural === (chosen ?? place?.plural ?? seen)) ?? kinds[0]
  if (clientId === null || !kind) return null
  return (
    <aside className={styles.sidebar} aria-label="Records of the client">
      <select
        className={styles.kind}
        aria-label="What to list"
        value={kind.plural}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {kinds.map((one) => (
          <option key={one.plural} value={one.plural}>
            {one.label}
          </option>
        ))}
      </select>
      <RecordList
        key={`${clientId}/${kind.plural}`}
        clientId={clientId}
        kind={kind}
        hereId={place?.plural === kind.plural ? place.id : null}
        page={place?.page ?? null}
      />
    </aside>
  )
}

type RecordListProps = { clientId: number; kind: SidebarKind; hereId: number | null; page: string | null }

function RecordList({ clientId, kind, hereId, page }: RecordListProps) {
  const [text, setText] = useState('')
  const filter = useDebounced(text.trim(), text.trim() === '' ? 0 : FILTER_PAUSE_MS)
  const found = useRecords(clientId, kind, filter)
  return (
    <>
      <div className={styles.filterLine}>
        <input
          type="search"
          className={styles.filter}
          aria-label={`Filter ${kind.label} by ${kind.by === 'name' ? 'name' : 'account number'}`}
          placeholder={kind.by === 'name' ? 'Filter by name' : 'Filter by number'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <span className={cx(styles.count, 'num')} aria-live="polite" title="Results">
          <span className="sr-only">Results: </span>
          {found.total === undefined ? (found.error ? '–' : '…') : found.total.toLocaleString('en-US')}
        </span>
      </div>
      {found.error && <ListFailure error={found.error} retry={found.retry} />}
      {found.total === 0 && <p className={styles.note}>{filter ? 'No matches' : `No ${kind.label.toLowerCase()} yet.`}</p>}
      {/* Only one of the two is shown: lines below the skeleton would jump up when it disappears. */}
      {found.loading ? (
        <SkeletonLines />
      ) : (
        <Lines found={found} kind={kind} hrefOf={(id) => recordHref(kind, clientId, id, page)} hereId={hereId} />
      )}
    </>
  )
}

/** A retry helps after a failure, but not if the server has no such list. */
function ListFailure({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiProblem && error.notFound) return <p className={styles.note}>This list is not there yet.</p>
  return (
    <div className={styles.note} role="alert">
      <p>This list could not be loaded.</p>
      <Button small onClick={retry}>
        Try again
      </Button>
    </div>
  )
}

type LinesProps = { found: Records; kind: SidebarKind; hrefOf: (id: number) => string; hereId: number | null }

/** The visible records; further ones load when the end is near. */
function Lines({ found, kind, hrefOf, hereId }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: found.records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const lastSeen = items.at(-1)?.index ?? 0
  const { loadMore } = found
  const hereIndex = hereId === null ? -1 : found.records.findIndex((one) => one.id === hereId)
  const show = useEffectEvent((index: number) => virtual.scrollToIndex(index, { align: 'auto' }))
  useEffect(() => {
    if (hereIndex >= 0) show(hereIndex)
  }, [hereIndex])
  useEffect(() => {
    if (lastSeen >= found.records.length - 20) loadMore()
  }, [lastSeen, found.records.length, loadMore])
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.list} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const record = found.records[item.index]
          if (!record) return null
          const name = nameOf(record, kind)
          return (
            <li
              key={record.id}
              className={styles.line}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={found.total}
              aria-posinset={item.index + 1}
            >
              <UiLink
                href={hrefOf(record.id)}
                title={name}
                className={styles.link}
                aria-current={record.id === hereId ? 'true' : undefined}
              >
                {name}
              </UiLink>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function nameOf(record: SidebarRecord, kind: SidebarKind): string {
  return (kind.by === 'name' ? record.name : (record.account_number ?? record.name)) || `#${record.id}`
}

interface Records {
  readonly records: readonly SidebarRecord[]
  readonly total: number | undefined
  readonly loading: boolean
  readonly error: Error | null
  readonly loadMore: () => void
  readonly retry: () => void
}

function useRecords(clientId: number, kind: SidebarKind, filter: string): Records {
  const asked = useInfiniteQuery({
    queryKey: [kind.plural, `${kind.plural}.sidebar`, { clientId, filter }],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => loadPage(clientId, kind, filter, pageParam, signal),
    getNextPageParam: (last, all) => (last.rows.length < SIDEBAR_PER_PAGE ? undefined : all.length + 1),
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = asked
  return {
    records: asked.data?.pages.flatMap((one) => one.rows) ?? [],
    total: asked.data?.pages[0]?.total,
    loading: asked.isPending,
    error: asked.isError && !asked.data ? asked.error : null,
    loadMore: () => void (hasNextPage && !isFetchingNextPage && fetchNextPage()),
    retry: () => void asked.refetch(),
  }
}

async function loadPage(clientId: number, kind: SidebarKind, filter: string, number: number, signal: AbortSignal) {
  const q = { s: `${kind.by} asc`, ...(filter ? { [`${kind.by}_cont`]: filter } : {}) }
  const answer = await callApi(sidebarCall(kind), {
    params: { client_id: clientId },
    query: { q, page: number, per: SIDEBAR_PER_PAGE },
    signal,
  })
  const rows = recordsOf(answer, kind)
  return { rows, total: answer.total ?? rows.length }
}

function SkeletonLines() {
  return (
    <div className={styles.note}>
      {[150, 120, 160, 110, 140].map((width) => (
        <div key={width} style={{ height: LINE_PX }}>
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  )
}
