/** The bell's items from both sources, newest first and grouped by day. Pure. */
import type { NoticeKind, Notification } from '#contract/notifications/notification.ts'
import { addDays, formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { linkLabel } from '../kernel/notices/live.ts'
import type { Notice } from '../ui/dialogs/notices.ts'

export interface BellItem {
  readonly key: string
  /** The notification's id; absent for a notice that was only shown on screen. */
  readonly id?: number
  readonly kind: NoticeKind
  readonly title: string
  readonly lines: readonly string[]
  readonly link?: { readonly href: string; readonly label: string }
  /** The act that a notice of this window still offers, such as an undo. */
  readonly action?: { readonly noticeId: string; readonly label: string }
  readonly at: string
  readonly unread: boolean
}

export interface BellDay {
  readonly day: string
  readonly items: readonly BellItem[]
}

/** A toast about a sent message is left out, so that the message is listed only once. */
export function bellDays(sent: readonly Notification[], said: readonly Notice[], now: Date): BellDay[] {
  const titles = new Set(sent.map((one) => one.message))
  const items = [...sent.map(itemOfSent), ...said.filter((notice) => !titles.has(notice.title)).map(itemOfSaid)]
  const newestFirst = items.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const days = Map.groupBy(newestFirst, (item) => dayWords(item.at, now))
  return [...days].map(([day, inside]) => ({ day, items: inside }))
}

function itemOfSent(one: Notification): BellItem {
  return {
    key: `sent-${one.id}`,
    id: one.id,
    kind: one.error ? 'error' : one.notification_type,
    title: one.message,
    lines: one.description,
    ...(one.link === null ? {} : { link: { href: one.link, label: linkLabel(one.link) } }),
    at: one.created_at,
    unread: !one.read,
  }
}

function itemOfSaid({ id, kind, title, message, link, action, at }: Notice): BellItem {
  return {
    key: `said-${id}`,
    kind,
    title,
    lines: message ? [message] : [],
    ...(link ? { link } : {}),
    ...(action ? { action: { noticeId: id, label: action.label } } : {}),
    at: new Date(at).toISOString(),
    unread: false,
  }
}

/** 'Today', 'Yesterday', else MM/DD/YYYY; days of New York, like the times. */
function dayWords(at: string, now: Date): string {
  const [day, today] = [todayIn(NEW_YORK, at), todayIn(NEW_YORK, now)]
  if (day === today) return 'Today'
  return day === addDays(today, -1) ? 'Yesterday' : formatDate(day)
}
