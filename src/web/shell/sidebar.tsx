import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { allows } from '#contract/kernel/permission.ts'
import { callApi } from '../kernel/api.ts'
import { usePath } from '../kernel/navigation.tsx'
import { usePermissions } from '../kernel/permissions.tsx'
import { useScopeId } from '../kernel/scope.ts'
import { useDebounced } from '../kernel/use-debounced.ts'
import { cx } from '../ui/class-names.ts'
import { placeInSidebar, recordHref, recordsOf, sidebarCall, sidebarKinds, SIDEBAR_PER_PAGE, type SidebarKind } from './sidebar-lists.ts'
import styles from './sidebar.module.css'
import { ListFailure, SkeletonLines, Lines, type Records } from './sidebar-lines.tsx'

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
