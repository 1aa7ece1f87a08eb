/** The lines of the sidebar's list of records. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ApiProblem } from '../kernel/api-problem.ts'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { Skeleton } from '../ui/states.tsx'
import type { SidebarKind, SidebarRecord } from './sidebar-lists.ts'
import styles from './sidebar.module.css'

const LINE_PX = 30

/** A retry helps after a failure, but not if the server has no such list. */
export function ListFailure({ error, retry }: { error: Error; retry: () => void }) {
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
export function Lines({ found, kind, hrefOf, hereId }: LinesProps) {
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

export interface Records {
  readonly records: readonly SidebarRecord[]
  readonly total: number | undefined
  readonly loading: boolean
  readonly error: Error | null
  readonly loadMore: () => void
  readonly retry: () => void
}

export function SkeletonLines() {
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
