import { useInfiniteQuery } from '@tanstack/react-query'
import { historyCalls, type HistoryVersion } from '#contract/audit-log/audit-log.ts'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialogs/modal.tsx'
import { EmptyState, ErrorState, ForbiddenState, Skeleton } from '../../ui/states.tsx'
import { ApiProblem } from '../api-problem.ts'
import { callApi } from '../api.ts'
import { ChangedFields } from './changed-fields.tsx'
import type { HistoryOf } from './history-of.ts'
import styles from './history.module.css'
import { keyOf } from '../query.ts'
import { NewYorkTime } from '../new-york-time.tsx'

/** Number of versions loaded at a time. */
const PER = 10

/** A record's changes with user and time, newest first, in a drawer beside the page. */
export function HistoryPanel({ onClose, ...of }: HistoryOf & { onClose: () => void }) {
  return (
    <Modal open drawer title="History" width={560} onClose={onClose}>
      <Versions {...of} />
    </Modal>
  )
}

function Versions(of: HistoryOf) {
  const asked = useHistory(of)
  if (asked.error && !asked.data) return <Problem error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Waiting />
  const versions = asked.data.pages.flatMap((page) => page.history)
  const total = asked.data.pages[0]?.total ?? 0
  const left = total - versions.length
  if (versions.length === 0)
    return <EmptyState title="Nothing is known of this record yet">It shows here who changes what from now on.</EmptyState>
  return (
    <>
      <div className={styles.top}>
        <span className="num">
          {total.toLocaleString('en-US')} {total === 1 ? 'version' : 'versions'}
        </span>
        <Button small busy={asked.isRefetching} onClick={() => void asked.refetch()}>
          Refresh
        </Button>
      </div>
      <ol className={styles.versions} aria-label="Versions">
        {versions.map((version) => (
          <Version key={version.id} version={version} item={of.item} />
        ))}
      </ol>
      {left > 0 && (
        <Button busy={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
          Show {Math.min(left, PER)} older
        </Button>
      )}
    </>
  )
}

/** Describes what happened to the record, or to one that belongs to it. */
function words({ event, item_type, item_label, item_name }: HistoryVersion, item: string): string {
  const what = item_type === item ? 'it' : ['the', item_label.toLowerCase(), item_name].filter(Boolean).join(' ')
  if (event === 'create') return `created ${what}`
  if (event === 'update') return `changed ${what}`
  if (event === 'destroy') return `deleted ${what}`
  return event === 'login' ? 'signed in' : 'looked at what is kept secret'
}

function Version({ version, item }: { version: HistoryVersion; item: string }) {
  return (
    <li className={styles.version}>
      <p className={styles.line}>
        <strong>{version.user}</strong> {words(version, item)}
        <NewYorkTime at={version.created_at} className={styles.time} />
      </p>
      <ChangedFields version={version} />
    </li>
  )
}

/** Pages are appended; newer versions appear on the first page only after it is loaded again. */
function useHistory({ item, id, clientId }: HistoryOf) {
  return useInfiniteQuery({
    queryKey: [...keyOf(historyCalls.ofRecord, { item, id, clientId }), 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const query = { page: pageParam, per: PER }
      return clientId === undefined
        ? callApi(historyCalls.ofRecord, { params: { item_type: item, id }, query, signal })
        : callApi(historyCalls.ofClientRecord, { params: { client_id: clientId, item_type: item, id }, query, signal })
    },
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PER < last.total ? pages.length + 1 : undefined),
    // The record can be changed on this very page, so its history is loaded each time it is opened.
    staleTime: 0,
    gcTime: 0,
  })
}

function Problem({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiProblem && error.forbidden) return <ForbiddenState what="the history of this record" />
  if (error instanceof ApiProblem && error.notFound)
    return <EmptyState title="No history is kept of this">It may have been deleted, or it is outside what you may see.</EmptyState>
  return <ErrorState title="The history could not be loaded" message={error.message} onRetry={retry} />
}

function Waiting() {
  return (
    <div className={styles.waiting} aria-busy="true">
      <Skeleton width="60%" />
      <Skeleton height={60} />
      <Skeleton width="50%" />
      <Skeleton height={60} />
    </div>
  )
}
