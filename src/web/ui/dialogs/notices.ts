export type NoticeKind = 'success' | 'error' | 'info' | 'warning'

/** Action of a notice. `keys` (e.g. `mod+z`) trigger it while the notice is visible. */
export type NoticeAction = { label: string; run: () => void; keys?: string | undefined }

export type Notice = {
  id: string
  kind: NoticeKind
  title: string
  message?: string | undefined
  /** Seconds that it is visible; 0 keeps it until closed. */
  duration: number
  link?: { href: string; label: string } | undefined
  action?: NoticeAction | undefined
  /** Time at which the notice was shown, in milliseconds since 1970. */
  at: number
}

export type NoticeInput = {
  /** Replaces a visible notice that has the same id. */
  id?: string | undefined
  kind: NoticeKind
  title: string
  message?: string | undefined
  /** Seconds; DEFAULT_NOTICE_SECONDS by default, 0 keeps it until closed. */
  duration?: number | undefined
  link?: { href: string; label: string } | undefined
  /** For example an undo. */
  action?: NoticeAction | undefined
}

export const DEFAULT_NOTICE_SECONDS = 0.8
/** Number of notices kept for the bell. */
const HISTORY_LIMIT = 100
/** Number of notices visible at once; older ones disappear but stay in the history. */
const IN_SIGHT_LIMIT = 5

let inSight: readonly Notice[] = []
let history: readonly Notice[] = []
let patience = 1
let counter = 0
const listeners = new Set<() => void>()

/** Shows a notice in the corner of the page and adds it to the history. Returns its id. */
export function notify(input: NoticeInput): string {
  const id = input.id ?? `notice-${++counter}`
  const notice: Notice = { ...input, id, duration: input.duration ?? DEFAULT_NOTICE_SECONDS, at: Date.now() }
  inSight = [...inSight.filter((one) => one.id !== id), notice].slice(-IN_SIGHT_LIMIT)
  history = [notice, ...history.filter((one) => one.id !== id)].slice(0, HISTORY_LIMIT)
  tell()
  return id
}

/** Does what a notice offers, once: from its card, or later from the history. */
export function runNoticeAction(id: string): void {
  const action = history.find((notice) => notice.id === id)?.action
  if (!action) return
  history = history.map((notice) => (notice.id === id ? { ...notice, action: undefined } : notice))
  dismissNotice(id)
  action.run()
}

/** Hides a notice; the history keeps it. */
export function dismissNotice(id: string): void {
  inSight = inSight.filter((notice) => notice.id !== id)
  tell()
}

/** Returns the visible notices, oldest first. The list changes only when its content does. */
export function noticesInSight(): readonly Notice[] {
  return inSight
}

/** Returns all notices of this tab, newest first. The list changes only when its content does. */
export function noticeHistory(): readonly Notice[] {
  return history
}

/** Appends the notices from before the page was loaded. Ids count from 1 on each load, so the old ones get a prefix. */
export function keepNoticeHistory(former: readonly Notice[]): void {
  const known = new Set(history.map((notice) => `${notice.title} ${notice.at}`))
  const added = former
    .filter((notice) => !known.has(`${notice.title} ${notice.at}`))
    .map((notice) => ({ ...notice, id: `former-${notice.at}-${notice.id}` }))
  history = [...history, ...added].slice(0, HISTORY_LIMIT)
  tell()
}

export function clearNoticeHistory(): void {
  history = []
  tell()
}

/** Multiplies every duration by this factor (at least 1), for people who read slowly. */
export function setNoticePatience(factor: number): void {
  patience = Math.max(1, factor)
}

/** Returns how many milliseconds a notice is visible; undefined if it stays until closed. */
export function noticeMilliseconds(notice: Notice): number | undefined {
  return notice.duration === 0 ? undefined : notice.duration * 1000 * patience
}

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
