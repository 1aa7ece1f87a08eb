import { Check } from 'lucide-react'
import { notificationCalls } from '#contract/notifications/notification.ts'
import { callApi } from '../kernel/api.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { problemNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { NoticeIcon } from '../ui/dialogs/notice-stack.tsx'
import { runNoticeAction } from '../ui/dialogs/notices.ts'
import { UiLink } from '../ui/link.tsx'
import type { BellItem } from './bell-days.ts'
import styles from './shell.module.css'

/** One message with its link. Following the link marks it as read, and so does its button. */
export function BellLine({ item, close }: { item: BellItem; close: () => void }) {
  const { id, title, lines, link, unread } = item
  const read = () => id !== undefined && unread && void markRead(id)
  return (
    <li className={styles.bellLine}>
      <NoticeIcon kind={item.kind} />
      <div>
        <div className={cx(unread && styles.bellUnread)}>
          {unread && <span className="sr-only">Unread: </span>}
          {title}
        </div>
        {lines.map((line) => (
          <div key={line} className={styles.bellMore}>
            {line}
          </div>
        ))}
        {link && (
          <UiLink
            href={link.href}
            onClick={() => {
              read()
              close()
            }}
          >
            {link.label}
          </UiLink>
        )}
        {item.action && <OfferedAction {...item.action} of={item.lines[0] ?? title} />}
      </div>
      <div className={styles.bellEnd}>
        <NewYorkTime show="time" at={item.at} className={styles.bellTime} />
        {unread && <IconButton small label={`Mark as read: ${title}`} icon={<Check size={14} aria-hidden="true" />} onClick={read} />}
      </div>
    </li>
  )
}

function OfferedAction({ noticeId, label, of }: NonNullable<BellItem['action']> & { of: string }) {
  return (
    <Button small aria-label={`${label}: ${of}`} onClick={() => runNoticeAction(noticeId)}>
      {label}
    </Button>
  )
}

async function markRead(id: number): Promise<void> {
  try {
    await callApi(notificationCalls.read, { params: { id } })
    refresh('notifications')
  } catch (error) {
    problemNotice(error)
  }
}
