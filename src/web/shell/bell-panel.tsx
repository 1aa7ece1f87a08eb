import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { notificationCalls, type Notification } from '#contract/notification.ts'
import { formatTime } from '#contract/kernel/zone.ts'
import { linkLabel } from '../kernel/live.ts'
import { usePermissions } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { useScopeId } from '../kernel/scope.ts'
import { cx } from '../ui/class-names.ts'
import { NoticeIcon, useNoticeHistory } from '../ui/dialogs/notice-stack.tsx'
import type { Notice } from '../ui/dialogs/notices.ts'
import { UiLink } from '../ui/link.tsx'
import { Skeleton } from '../ui/states.tsx'
import { alertLinks } from './menus.ts'
import styles from './shell.module.css'

/** Notifications that the popover lists. */
const LISTED = 20

/** What the bell leads to: the client's alert lists, what the server sent, and what was said in this window. */
export function BellPanel({ close }: { close: () => void }) {
  const { data, error } = useQuery(apiQuery(notificationCalls.list, { query: { per: LISTED } }))
  const said = useNoticeHistory()
  const kept = new Set(data?.notifications.map((one) => one.message))
  return (
    <div className={styles.bellPanel}>
      <AlertLinks close={close} />
      <h2 className={styles.bellHead}>Notifications</h2>
      {error && <p className={styles.pickerNote}>They could not be loaded.</p>}
      {!data && !error && <Skeleton width={220} />}
      {data?.notifications.length === 0 && <p className={styles.pickerNote}>Nothing has been sent to you yet.</p>}
      <ul className={styles.bellList}>
        {data?.notifications.map((one) => (
          <KeptLine key={one.id} one={one} close={close} />
        ))}
      </ul>
      {said.length > 0 && <h2 className={styles.bellHead}>Said in this window</h2>}
      <ul className={styles.bellList}>
        {said
          .filter((notice) => !kept.has(notice.title))
          .map((notice) => (
            <SaidLine key={notice.id} notice={notice} close={close} />
          ))}
      </ul>
    </div>
  )
}

function KeptLine({ one, close }: { one: Notification; close: () => void }) {
  return (
    <li className={styles.bellLine}>
      <NoticeIcon kind={one.error ? 'error' : one.notification_type} />
      <div>
        <div>{one.message}</div>
        {one.description.map((line) => (
          <div key={line} className={styles.bellMore}>
            {line}
          </div>
        ))}
        {one.link && (
          <UiLink href={one.link} onClick={close}>
            {linkLabel(one.link)}
          </UiLink>
        )}
      </div>
      <Time at={one.created_at} />
    </li>
  )
}

function SaidLine({ notice, close }: { notice: Notice; close: () => void }) {
  return (
    <li className={styles.bellLine}>
      <NoticeIcon kind={notice.kind} />
      <div>
        <div>{notice.title}</div>
        {notice.message && <div className={styles.bellMore}>{notice.message}</div>}
        {notice.link && (
          <UiLink href={notice.link.href} onClick={close}>
            {notice.link.label}
          </UiLink>
        )}
      </div>
      <Time at={new Date(notice.at).toISOString()} />
    </li>
  )
}

/** The time of today, the day before that, both as the reader's clock has them. */
function Time({ at }: { at: string }) {
  const when = new Date(at)
  const [now] = useState(() => new Date())
  const today = when.toDateString() === now.toDateString()
  const clock = formatTime(`${String(when.getHours()).padStart(2, '0')}:${String(when.getMinutes()).padStart(2, '0')}:00`)
  const day = when.toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' })
  return (
    <time dateTime={at} title={when.toLocaleString('en-US', { timeZoneName: 'short' })} className={cx(styles.bellTime, 'num')}>
      {today ? clock : day}
    </time>
  )
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
