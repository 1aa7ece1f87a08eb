import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { Button, IconButton } from '../button.tsx'
import { cx } from '../class-names.ts'
import { KeyHint } from '../key-hint.tsx'
import { UiLink } from '../link.tsx'
import { useShortcuts, type Shortcut } from '../shortcuts.ts'
import styles from './notices.module.css'
import {
  dismissNotice,
  noticeHistory,
  noticeMilliseconds,
  noticesInSight,
  runNoticeAction,
  subscribeNotices,
  type Notice,
  type NoticeAction,
  type NoticeKind,
} from './notices.ts'

/** Shows the visible notices; rendered once on the page. Their timers pause while the pointer or the focus is on them. */
export function NoticeStack() {
  const notices = useSyncExternalStore(subscribeNotices, noticesInSight)
  const [held, setHeld] = useState(false)
  const stack = useRef<HTMLDivElement>(null)
  useShortcuts(actionShortcuts(notices))
  // A popover is drawn above modal dialogs, so a notice is never hidden by the dialog that caused it.
  useEffect(() => {
    const element = stack.current
    if (!element) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (notices.length > 0) element.showPopover()
  }, [notices])
  return (
    <div
      ref={stack}
      popover="manual"
      role="region"
      aria-label="Notices"
      className={styles.stack}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div aria-live="polite" className={styles.list}>
        {notices.map((notice) => (
          <NoticeCard key={notice.id + notice.at} notice={notice} held={held} />
        ))}
      </div>
    </div>
  )
}

/** Returns all notices of this tab, newest first, for the bell. */
export function useNoticeHistory(): readonly Notice[] {
  return useSyncExternalStore(subscribeNotices, noticeHistory)
}

export function NoticeIcon({ kind }: { kind: NoticeKind }) {
  const Icon = { success: CircleCheck, error: CircleAlert, info: Info, warning: TriangleAlert }[kind]
  return <Icon size={16} aria-label={kindWords[kind]} role="img" className={styles[kind]} />
}

const kindWords: Readonly<Record<NoticeKind, string>> = { success: 'Done', error: 'Error', info: 'Note', warning: 'Warning' }

function NoticeCard({ notice, held }: { notice: Notice; held: boolean }) {
  useLeaving(notice, held)
  return (
    <div className={cx(styles.card, styles[`card_${notice.kind}`])} role={notice.kind === 'error' ? 'alert' : 'status'}>
      <NoticeIcon kind={notice.kind} />
      <div className={styles.text}>
        <div className={styles.title}>{notice.title}</div>
        {notice.message && <div className={styles.message}>{notice.message}</div>}
        {notice.link && <UiLink href={notice.link.href}>{notice.link.label}</UiLink>}
        {notice.action && <NoticeButton id={notice.id} action={notice.action} />}
      </div>
      <IconButton small label="Close" icon={<X size={14} aria-hidden="true" />} onClick={() => dismissNotice(notice.id)} />
    </div>
  )
}

function NoticeButton({ id, action }: { id: string; action: NoticeAction }) {
  return (
    <div className={styles.action}>
      <Button small onClick={() => runNoticeAction(id)}>
        {action.label}
      </Button>
      {action.keys && <KeyHint keys={action.keys} />}
    </div>
  )
}

/** Returns the shortcuts of the notices' actions, newest first. */
function actionShortcuts(notices: readonly Notice[]): readonly Shortcut[] {
  return notices
    .toReversed()
    .flatMap(({ id, action }) =>
      action?.keys ? [{ keys: action.keys, label: action.label, group: 'Notices', run: () => runNoticeAction(id) }] : [],
    )
}

/** Dismisses the notice after its time, which is paused while `held`. */
function useLeaving(notice: Notice, held: boolean): void {
  const left = useRef(noticeMilliseconds(notice))
  const leave = useEffectEvent(() => dismissNotice(notice.id))
  useEffect(() => {
    if (held || left.current === undefined) return undefined
    const startedAt = performance.now()
    const timer = setTimeout(leave, left.current)
    return () => {
      clearTimeout(timer)
      if (left.current !== undefined) left.current = Math.max(0, left.current - (performance.now() - startedAt))
    }
  }, [held])
}
