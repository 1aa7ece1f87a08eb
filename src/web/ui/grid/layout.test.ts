import { expect, test } from 'vitest'
import {
  boundedWidth,
  columnWidth,
  growsFreely,
  resolveLayout,
  widthByContent,
  withMoved,
  withPinned,
  withVisible,
  withWidth,
} from './layout.ts'

const columns = [
  { key: 'account', label: 'Account', pinned: true, fixed: true },
  { key: 'vendor', label: 'Vendor' },
  { key: 'amount', label: 'Amount', kind: 'money' as const },
  { key: 'notes', label: 'Notes', hidden: true },
]

test('without a layout the columns speak for themselves', () => {
  expect(resolveLayout(columns, null)).toEqual({
    order: ['account', 'vendor', 'amount', 'notes'],
    hidden: ['notes'],
    pinned: ['account'],
    widths: {},
  })
})

test('a stored layout survives columns that came and went', () => {
  const stored = { order: ['gone', 'amount', 'account'], hidden: ['gone', 'amount'], pinned: ['gone'], widths: { amount: 90 } }
  expect(resolveLayout(columns, stored)).toEqual({
    order: ['amount', 'account', 'vendor', 'notes'],
    hidden: ['amount', 'notes'],
    pinned: [],
    widths: { amount: 90 },
  })
})

test('a fixed column cannot be hidden by a stored layout', () => {
  const stored = { order: ['account'], hidden: ['account'], pinned: [], widths: {} }
  expect(resolveLayout(columns, stored).hidden).not.toContain('account')
})

test('each change touches its own part', () => {
  const layout = resolveLayout(columns, null)
  expect(withMoved(layout, 'vendor', 2).order).toEqual(['account', 'amount', 'vendor', 'notes'])
  expect(withMoved(layout, 'notes', -1).order[0]).toBe('notes')
  expect(withVisible(layout, 'notes', true).hidden).toEqual([])
  expect(withPinned(layout, 'account', false).pinned).toEqual([])
  expect(withWidth(withWidth(layout, 'vendor', 200), 'vendor', undefined)).toEqual(layout)
})

test('a column is as wide as the largest sum below it, unless the user has set its width', () => {
  const amount = columns.find(({ key }) => key === 'amount')
  const totals = [
    { label: 'Chosen', values: { amount: '$1.00' } },
    { label: 'All', values: { amount: '$1,183,096,123.45' } },
  ]
  expect(amount && columnWidth(amount, {}, totals)).toBe(Math.round(13 * 8.5 + 4 * 4.5 + 22))
  expect(amount && columnWidth(amount, {}, totals.slice(0, 1))).toBe(116)
  expect(amount && columnWidth(amount, { amount: 90 }, totals)).toBe(90)
})

test('widths stay within bounds, and a width that the user set does not grow', () => {
  const [, vendor] = columns
  expect(vendor && boundedWidth(vendor, 3)).toBe(56)
  expect(vendor && columnWidth(vendor, {})).toBe(160)
  const layout = resolveLayout(columns, null)
  expect(vendor && growsFreely(vendor, layout)).toBe(true)
  expect(vendor && growsFreely(vendor, withWidth(layout, 'vendor', 300))).toBe(false)
})

test('a column is as wide as its content: a short one gives room, a long one takes its share of what is free', () => {
  const text = { key: 'vendor', label: 'Vendor', filter: { kind: 'text', key: 'vendor_cont' } } as const
  const shared = (wanted: number | undefined) => widthByContent(text, { width: 160, wanted, grows: true })
  expect(shared(undefined)).toEqual({ width: 160, share: 160 })
  expect(shared(30)).toEqual({ width: 84, share: 84 })
  expect(shared(180)).toEqual({ width: 180, share: 180 })
  expect(shared(900)).toEqual({ width: 184, share: 420 })
  const own = (wanted: number) => widthByContent({ key: 'state', label: 'State' }, { width: 96, wanted, grows: false })
  expect(own(30)).toEqual({ width: 56, share: null })
  expect(own(130)).toEqual({ width: 130, share: null })
  expect(own(900)).toEqual({ width: 240, share: null })
})
