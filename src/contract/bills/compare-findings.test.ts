import { describe, expect, test } from 'vitest'
import type { Finding } from '../bill-audits/bill-audits.ts'
import { compareFindings, type StoredFindingState } from './compare-findings.ts'

const found = (change: Partial<Finding> = {}): Finding => ({
  code: 'duplicate_likely',
  severity: 'W',
  message: `Looks like bill ${change.actual ?? '1'}`,
  field: 'amount_due',
  service_id: null,
  line: null,
  expected: null,
  actual: '1',
  limit: null,
  other_bill_id: null,
  ...change,
})
const stored = (id: number, change: Partial<StoredFindingState> = {}): StoredFindingState => ({
  id,
  service_bill_id: null,
  service_id: null,
  code: 'duplicate_likely',
  severity: 'W',
  message: `Looks like bill ${change.actual ?? '1'}`,
  actual: '1',
  is_open: true,
  is_gone: false,
  ...change,
})
const ids = ({ renewed, reopened, gone, raised }: ReturnType<typeof compareFindings>) => ({
  raised: raised.map((one) => one.actual),
  renewed: renewed.map((one) => one.id),
  reopened: reopened.map((one) => one.id),
  gone: gone.map((one) => one.id),
})
const never = () => false
const nothing = { raised: [], renewed: [], reopened: [], gone: [] }

describe('what is found again', () => {
  test('keeps a settled finding settled beside an open one of the same rule and place, in whatever order they are found', () => {
    const known = [stored(1, { actual: '1', is_open: false }), stored(2, { actual: '2' })]
    for (const again of [
      [found({ actual: '1' }), found({ actual: '2' })],
      [found({ actual: '2' }), found({ actual: '1' })],
    ])
      expect(ids(compareFindings([], again, known, never))).toEqual(nothing)
  })

  test('takes nothing away from a finding that is still there when another of its rule comes first', () => {
    const again = [found({ actual: '9' }), found({ actual: '1' })]
    expect(ids(compareFindings([], again, [stored(1)], never))).toEqual({ ...nothing, raised: ['9'] })
  })

  test('opens a settled one whose value changed, and one that had gone', () => {
    expect(ids(compareFindings([], [found({ actual: '2' })], [stored(1, { is_open: false })], never))).toEqual({
      ...nothing,
      reopened: [1],
    })
    expect(ids(compareFindings([], [found()], [stored(1, { is_open: false, is_gone: true })], never))).toEqual({
      ...nothing,
      reopened: [1],
    })
  })

  test('renews an open one that says something else, lets go of one that is found no more, keeps what it cannot judge', () => {
    expect(ids(compareFindings([], [found({ actual: '2' })], [stored(1)], never))).toEqual({ ...nothing, renewed: [1] })
    expect(ids(compareFindings([], [], [stored(1)], never))).toEqual({ ...nothing, gone: [1] })
    expect(ids(compareFindings([], [], [stored(1)], (code) => code === 'duplicate_likely'))).toEqual(nothing)
  })

  test('tells the lines of a bill apart', () => {
    const known = [stored(1, { service_bill_id: 11, service_id: 5, is_open: false }), stored(2, { service_bill_id: 12, service_id: 5 })]
    const again = [found({ line: 1, service_id: 5 }), found({ line: 0, service_id: 5 })]
    expect(ids(compareFindings([11, 12], again, known, never))).toEqual(nothing)
  })
})
