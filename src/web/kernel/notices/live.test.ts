import { beforeEach, expect, test } from 'vitest'
import { noticeKinds } from '#contract/notifications/notification.ts'
import { clearNoticeHistory, noticeHistory } from '../../ui/dialogs/notices.ts'
import { linkLabel, receive, unseenCount, type LiveEvent } from './live.ts'

let lastId = 0
const message = (changes: Partial<LiveEvent> = {}): LiveEvent => ({
  id: ++lastId,
  type: 'csv_export',
  notification_type: 'success',
  message: 'Vendors export is ready',
  description: ['25 rows.', 'Kept for a week.'],
  error: false,
  link: null,
  payload: {},
  created_at: '2026-11-21T10:00:00Z',
  connection_id: 'w1',
  missed: false,
  muted: false,
  ...changes,
})

beforeEach(clearNoticeHistory)

test('a message shows a toast with its text, its description and its link [LIVE-RULE-003] [LIVE-RULE-005]', () => {
  receive(message({ link: '/api/v5/tasks/7/file' }))
  expect(noticeHistory()).toMatchObject([
    {
      title: 'Vendors export is ready',
      message: '25 rows. Kept for a week.',
      link: { href: '/api/v5/tasks/7/file', label: 'Download' },
    },
  ])
  expect(linkLabel('/clients/5/bills')).toBe('Open')
})

test.each(noticeKinds)('notification_type %s is the kind of the toast [LIVE-RULE-006]', (kind) => {
  receive(message({ notification_type: kind }))
  expect(noticeHistory().map((notice) => notice.kind)).toEqual([kind])
})

test('a message with the error flag stays, any other lasts under a second [LIVE-CONST-001] [LIVE-CONST-002]', () => {
  receive(message({ error: true, notification_type: 'error' }))
  for (const kind of noticeKinds) receive(message({ notification_type: kind }))
  const [failed, ...others] = noticeHistory().toReversed()
  expect(failed?.duration).toBe(0)
  expect(others).toHaveLength(4)
  for (const { duration } of others) {
    expect(duration).toBeGreaterThan(0)
    expect(duration).toBeLessThan(1)
  }
})

test('the bell counts one more for each new message, once, and says nothing of what was missed [NOTIF-TRANS-001]', () => {
  const before = unseenCount()
  const first = message()
  receive(first)
  receive(first)
  expect(unseenCount()).toBe(before + 1)
  receive(message({ missed: true }))
  expect(unseenCount()).toBe(before + 2)
  expect(noticeHistory()).toHaveLength(1)
})
