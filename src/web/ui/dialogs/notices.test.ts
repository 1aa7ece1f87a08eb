import { expect, test, vi } from 'vitest'
import {
  clearNoticeHistory,
  dismissNotice,
  noticeHistory,
  noticeMilliseconds,
  noticesInSight,
  notify,
  runNoticeAction,
  setNoticePatience,
  subscribeNotices,
} from './notices.ts'

test('a notice stays 0.8 s unless told, 0 stays until closed, and patience lengthens the rest', () => {
  notify({ id: 'a', kind: 'info', title: 'A' })
  notify({ id: 'b', kind: 'error', title: 'B', duration: 0 })
  const [a, b] = noticesInSight()
  expect(a && noticeMilliseconds(a)).toBe(800)
  expect(b && noticeMilliseconds(b)).toBeUndefined()
  setNoticePatience(3)
  expect(a && Math.round(noticeMilliseconds(a) ?? 0)).toBe(2400)
  setNoticePatience(1)
  dismissNotice('a')
  dismissNotice('b')
})

test('what left the page stays in the history, newest first', () => {
  clearNoticeHistory()
  dismissNotice(notify({ kind: 'success', title: 'One' }))
  notify({ kind: 'success', title: 'Two' })
  expect(noticeHistory().map((notice) => notice.title)).toEqual(['Two', 'One'])
  expect(noticesInSight().map((notice) => notice.title)).toEqual(['Two'])
})

test('the same id replaces the notice, and listeners hear of it', () => {
  const heard = vi.fn()
  const stop = subscribeNotices(heard)
  notify({ id: 'job', kind: 'info', title: 'Half' })
  notify({ id: 'job', kind: 'success', title: 'Done' })
  stop()
  expect(noticesInSight().filter((notice) => notice.id === 'job')).toHaveLength(1)
  expect(
    noticeHistory()
      .filter((notice) => notice.id === 'job')
      .map((notice) => notice.title),
  ).toEqual(['Done'])
  expect(heard).toHaveBeenCalledTimes(2)
})

test('what a notice offers is done once, also after it left the page', () => {
  const undo = vi.fn()
  const id = notify({ kind: 'success', title: 'Done', action: { label: 'Undo', run: undo } })
  dismissNotice(id)
  expect(noticeHistory().find((notice) => notice.id === id)?.action?.label).toBe('Undo')
  runNoticeAction(id)
  runNoticeAction(id)
  expect(undo).toHaveBeenCalledTimes(1)
  expect(noticeHistory().find((notice) => notice.id === id)?.action).toBeUndefined()
})
