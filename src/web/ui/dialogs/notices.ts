export type NoticeKind = 'success' | 'error' | 'info' | 'warning'

/** `keys` do the same as the button, as long as the notice is in sight: `mod+z`. */
export type NoticeAction = { label: string; run: () => void; keys?: string | undefined }

export type Notice = {
  id: string
  kind: NoticeKind
  title: string
  message?: string | undefined
  /** Seconds that it stays in sight; 0 stays until closed. */
  duration: number
  link?: { href: string; label: string } | undefined
  action?: NoticeAction | undefined
  /** When it was said, in milliseconds since 1970. */
  at: number
}

export type NoticeInput = {
  /** A notice with the id of one in sight replaces it. */
  id?: string | undefined
  kind: NoticeKind
  title: string
  message?: string | undefined
  /** Seconds; DEFAULT_NOTICE_SECONDS unless told, 0 stays until closed. */
  duration?: number | undefined
  link?: { href: string; label: string } | undefined
  /** For an undo and the like. */
  action?: NoticeAction | undefined
}

export const DEFAULT_NOTICE_SECONDS = 0.8
/** Notices kept for the bell. */
const HISTORY_LIMIT = 100
/** Notices in sight at once; older ones leave (they stay in the history). */
const IN_SIGHT_LIMIT = 5

let inSight: readonly Notice[] = []
let history: readonly Notice[] = []
let patience = 1
let counter = 0
const listeners = new Set<() => void>()

/** Says something in the corner of the page and keeps it in the history. Answers its id. */
export function notify(input: NoticeInput): string {
  const id = input.id ?? `notice-${++counter}`
  const notice: Notice = { ...input, id, duration: input.duration ?? DEFAULT_NOTICE_SECONDS, at: Date.now() }
  inSight = [...inSight.filter((one) => one.id !== id), notice].slice(-IN_SIGHT_LIMIT)
  history = [notice, ...history.filter((one) => one.id !== id)].slice(0, HISTORY_LIMIT)
  tell()
  return id
}

/** Takes a notice out of sight; the history keeps it. */
export function dismissNotice(id: string): void {
  inSight = inSight.filter((notice) => notice.id !== id)
  tell()
}

/** The notices in sight, oldest first. The list changes only when its content does. */
export function noticesInSight(): readonly Notice[] {
  return inSight
}

/** Everything said in this tab, newest first. The list changes only when its content does. */
export function noticeHistory(): readonly Notice[] {
  return history
}

/** Puts what was said before this page was loaded under what was said since. The ids of both count from 1, so the former get a sign. */
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

/** Lengthens every duration by this factor (1 and above), for people who read slowly. */
export function setNoticePatience(factor: number): void {
  patience = Math.max(1, factor)
}

/** Milliseconds that a notice stays; undefined when it stays until closed. */
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
