import { describe, expect, it } from 'vitest'
import { firstPaymentText, unconfirmed } from './first-payment.ts'

const all = Array.from({ length: 4 }, (_, place) => ({ vendor_id: place + 1, changed_at: `2026-11-2${place}T15:00:00.000Z` }))
const subsets = Array.from({ length: 16 }, (_, bits) => all.filter((_one, place) => bits & (1 << place)))

describe('first payments', () => {
  it('leave open exactly those whose vendor and change are both confirmed by nobody, in their order', () => {
    for (const first of subsets)
      for (const confirmed of subsets)
        expect(unconfirmed(first, confirmed.toReversed())).toEqual(first.filter((one) => !confirmed.includes(one)))
    const other = all.map(({ vendor_id }) => ({ vendor_id, changed_at: '2026-11-19T15:00:00.000Z' }))
    expect(unconfirmed(all, other)).toEqual(all)
  })

  it('name the New York day of the change and who asked for it', () => {
    expect(firstPaymentText({ changed_at: '2026-11-21T04:59:59.000Z', changed_by_name: 'Ann Lee' })).toBe(
      'First payment since the bank details changed on 11/20/2026 by Ann Lee',
    )
  })
})
