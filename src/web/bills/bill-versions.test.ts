import { expect, test } from 'vitest'
import type { HistoryVersion } from '#contract/audit-log/audit-log.ts'
import { changesBetweenVersions } from './bill-versions.ts'

function version(id: number, changes: Readonly<Record<string, readonly [string | null, string | null]>>): HistoryVersion {
  return {
    id,
    event: id === 1 ? 'create' : 'update',
    item_type: 'bill',
    item_label: 'Bill',
    item_id: 7,
    item_name: null,
    client_id: 1,
    created_at: `2026-01-0${id}T10:00:00Z`,
    object_changes: {},
    changes: Object.entries(changes).map(([key, [from, to]]) => ({ key, label: key, from, to })),
    user_id: 1,
    user: 'Ann',
  }
}

const versions = [
  version(4, { amount_due: ['110.00', '120.00'], notes: ['b', 'a'] }),
  version(3, { notes: ['a', 'b'] }),
  version(2, { amount_due: ['100.00', '110.00'] }),
  version(1, { amount_due: [null, '100.00'], notes: [null, 'a'] }),
]

test('two versions differ by what changed between them, and not by what was changed back', () => {
  const said = (from: number, to: number) => changesBetweenVersions(versions, from, to).map((one) => `${one.key} ${one.from} > ${one.to}`)
  expect(said(3, 0)).toEqual(['amount_due 100.00 > 120.00'])
  expect(said(3, 1)).toEqual(['amount_due 100.00 > 110.00', 'notes a > b'])
  expect(said(1, 0)).toEqual(['amount_due 110.00 > 120.00', 'notes b > a'])
  expect(said(2, 2)).toEqual([])
})
