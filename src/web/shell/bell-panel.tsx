import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { notificationKinds } from '#contract/notifications/notification-preference.ts'
import { notificationCalls, type NotificationKind } from '#contract/notifications/notification.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { usePermissions } from '../kernel/permissions.tsx'
import { keyOf, refresh } from '../kernel/query.ts'
import { useScopeId } from '../kernel/scope.ts'
import { Button } from '../ui/button.tsx'
import { useNoticeHistory } from '../ui/dialogs/notice-stack.tsx'
import { UiLink } from '../ui/link.tsx'
import { Skeleton } from '../ui/states.tsx'
import { BellLine } from './bell-line.tsx'
import { bellDays } from './bell-days.ts'
import { alertLinks } from './menus.ts'
import styles from './shell.module.css'

/** Number of notifications loaded at a time. */
const PER = 20
/** The filter for notices that were only shown on this window's screen. */
const ON_SCREEN = 'on_screen'
const kinds: readonly string[] = [...notificationKinds.map(({ value }) => value), ON_SCREEN]

/** The bell's panel: links to the client's alert lists, then the server's notifications and this window's notices by day. */
export function BellPanel({ close }: { close: () => void }) {
  const [kind, setKind] = useState('')
  const asked = useSent(notificationKinds.find(({ value }) => value === kind)?.value, kind !== ON_SCREEN)
  const said = useNoticeHistory()
  const [now] = useState(() => new Date())
  const pages = kind === ON_SCREEN ? [] : (asked.data?.pages ?? [])
  const sent = pages.flatMap((page) => page.notifications)
  const isWaiting = kind !== ON_SCREEN && !asked.data && !asked.error
  const days = bellDays(sent, kind === '' || kind === ON_SCREEN ? said : [], now)
  const newest = pages[0]?.notifications[0]?.id
  return (
    <div className={styles.bellPanel}>
      <AlertLinks close={close} />
      <div className={styles.bellTop}>
        <h2 className={styles.bellHead}>Notifications</h2>
        <KindChoice kind={kind} onKind={setKind} />
        <Button
          small
          disabledReason={(pages[0]?.unread ?? 0) === 0 ? 'Nothing is unread' : undefined}
          reasonHidden
          onClick={() => newest !== undefined && void markAllRead(newest)}
        >
          Mark all as read
        </Button>
      </div>
      {asked.error && kind !== ON_SCREEN && <p className={styles.pickerNote}>They could not be loaded.</p>}
      {isWaiting && <Skeleton width={220} />}
      {!isWaiting && !asked.error && days.length === 0 && (
        <p className={styles.pickerNote}>{kind === '' ? 'Nothing has been sent to you yet.' : 'Nothing of this kind.'}</p>
      )}
      {days.map(({ day, items }) => (
        <section key={day} aria-label={day}>
          <h3 className={styles.bellDay}>{day}</h3>
          <ul>
            {items.map((item) => (
              <BellLine key={item.key} item={item} close={close} />
            ))}
          </ul>
        </section>
      ))}
      {kind !== ON_SCREEN && asked.hasNextPage && (
        <Button busy={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
          Show older
        </Button>
      )}
    </div>
  )
}

function KindChoice({ kind, onKind }: { kind: string; onKind: (kind: string) => void }) {
  return (
    <select className={styles.bellKind} aria-label="Show" value={kind} onChange={(event) => onKind(event.currentTarget.value)}>
      <option value="">All</option>
      {kinds.map((value) => (
        <option key={value} value={value}>
          {notificationKinds.find((one) => one.value === value)?.label ?? 'Said on this screen'}
        </option>
      ))}
    </select>
  )
}

function useSent(kind: NotificationKind | undefined, enabled: boolean) {
  const query = { per: PER, ...(kind === undefined ? {} : { kind }) }
  return useInfiniteQuery({
    queryKey: [...keyOf(notificationCalls.list, { query }), 'pages'],
    queryFn: ({ pageParam, signal }) => callApi(notificationCalls.list, { query: { ...query, page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PER < last.total ? pages.length + 1 : undefined),
    enabled,
  })
}

/** Marks only up to the newest visible one, so that messages arriving meanwhile stay unread. */
async function markAllRead(upToId: number): Promise<void> {
  try {
    await callApi(notificationCalls.readAll, { body: { up_to_id: upToId } })
    refresh('notifications')
  } catch (error) {
    problemNotice(error)
  }
}

function AlertLinks({ close }: { close: () => void }) {
  const clientId = useScopeId()
  const map = usePermissions()
  const links = clientId === null ? [] : alertLinks(clientId, map)
  if (links.length === 0) return null
  return (
    <>
      <h2 className={styles.bellHead}>Alerts</h2>
      <ul className={styles.bellList}>
        {links.map((link) => (
          <li key={link.href}>
            <UiLink href={link.href} onClick={close}>
              {link.label}
            </UiLink>
          </li>
        ))}
      </ul>
    </>
  )
}
