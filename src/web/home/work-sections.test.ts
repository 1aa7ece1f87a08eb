import { expect, test } from 'vitest'
import type { Home, HomeFinding } from '#contract/home/home.ts'
import { sectionsOf } from './work-sections.ts'

const finding = (id: number): HomeFinding => ({
  id,
  client_id: 1,
  client_name: 'Harbor',
  bill_id: 5,
  severity: 'W',
  code: 'usage_high',
  message: 'High',
  account_number: 'A-1',
  vendor_name: null,
  amount_due: '10.00',
  created_at: '2026-11-20T12:00:00Z',
})
const home: Home = {
  exceptions: { rows: [], count: 1204, cost: '27862.00' },
  findings: [],
  inbox: [],
  approvals: [],
  releases: [],
  reports: [],
  user_id: 7,
  reports_since: '2026-11-20T12:00:00Z',
}
const all = { clientId: undefined, create: true }

test('a section that the reader has no right to is absent; the others keep their order', () => {
  expect(sectionsOf(home, all).map(({ key }) => key)).toEqual(['exceptions', 'findings', 'inbox', 'approvals', 'releases', 'reports'])
  expect(sectionsOf({ ...home, inbox: null, approvals: null, releases: null }, all).map(({ key }) => key)).toEqual([
    'exceptions',
    'findings',
    'reports',
  ])
  expect(
    sectionsOf({ ...home, exceptions: null, findings: null, inbox: null, approvals: null, releases: null, reports: null }, all),
  ).toEqual([])
})

test('more than 99 rows are counted as 99+', () => {
  const countOf = (rows: number) => sectionsOf({ ...home, findings: Array.from({ length: rows }, (_, id) => finding(id)) }, all)[1]?.count
  expect([countOf(0), countOf(99), countOf(100)]).toEqual(['0', '99', '99+'])
})

test('each section says what is empty, and leads to the reader’s own part of the whole list', () => {
  const sections = sectionsOf(home, all)
  expect(new Set(sections.map(({ empty }) => empty)).size).toBe(6)
  expect(sections.map(({ all: list }) => list?.href ?? null)).toEqual([
    '/alerts',
    '/bills/findings?state=open&assigned_to=7',
    null,
    null,
    '/global_batch/releases',
    null,
  ])
  expect(sectionsOf({ ...home, releases: null }, { ...all, clientId: 3 }).map(({ all: list }) => list?.href)).toEqual([
    '/clients/3/alerts/exceptions',
    '/clients/3/bills/findings?state=open&assigned_to=7',
    '/clients/3/bills/inbox',
    '/clients/3/payment_batches',
    '/clients/3/reports/generated-reports',
  ])
})
