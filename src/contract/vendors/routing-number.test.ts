import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigitOf, routingNumberDoubt } from './routing-number.ts'

describe('a routing number', () => {
  it('is doubted by its length, its check digit and its first two digits, and by nothing else', () => {
    for (const good of ['021000021', '011401533', '076401251', '322271627', '121000248']) expect(routingNumberDoubt(good)).toBeNull()
    for (const odd of ['', '12345678', '1234567890', '02100002a', 'PO Box 12'])
      expect(routingNumberDoubt(odd)).toBe('A routing number has 9 digits.')
    expect(routingNumberDoubt('021000022')).toBe('The check digit of this routing number is wrong.')
    expect(routingNumberDoubt(withCheck('00000051'))).toBe('This routing number belongs to the government.')
    expect(routingNumberDoubt(withCheck('80000000'))).toBe('This routing number is for traveler’s checks.')
    expect(routingNumberDoubt(withCheck('45000000'))).toBe('No bank has a routing number that begins so.')
  })

  it('with one digit mistyped, or two unlike neighbours swapped by other than five, is doubted', () => {
    const eight = fc.integer({ min: 1_000_000, max: 12_999_999 }).map((number) => String(number).padStart(8, '0'))
    fc.assert(
      fc.property(eight, fc.nat(8), fc.integer({ min: 1, max: 9 }), (head, place, by) => {
        const digits = withCheck(head)
        const wrong = (Number(digits[place]) + by) % 10
        expect(routingNumberDoubt(digits.slice(0, place) + wrong + digits.slice(place + 1))).not.toBeNull()
      }),
    )
  })
})

function withCheck(eight: string): string {
  return `${eight}${checkDigitOf(eight)}`
}
