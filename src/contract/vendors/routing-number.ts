/** What speaks against a routing number. It warns where a vendor is kept and stops nothing there; a payment file checks again, and stops. */

const weights = [3, 7, 1, 3, 7, 1, 3, 7]
/** First two digits by what they are good for: the Federal Reserve's districts, thrift institutions, electronic payments. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [1, 12],
  [21, 32],
  [61, 72],
]

/** A sentence that says what is wrong; null where nothing is. */
export function routingNumberDoubt(written: string): string | null {
  const digits = written.trim()
  if (!/^\d{9}$/.test(digits)) return 'A routing number has 9 digits.'
  if (checkDigitOf(digits.slice(0, 8)) !== Number(digits[8])) return 'The check digit of this routing number is wrong.'
  const district = Number(digits.slice(0, 2))
  if (district === 0) return 'This routing number belongs to the government.'
  if (district === 80) return 'This routing number is for traveler’s checks.'
  return ranges.some(([from, to]) => district >= from && district <= to) ? null : 'No bank has a routing number that begins so.'
}

/** The ninth digit for eight others. */
export function checkDigitOf(eight: string): number {
  const sum = weights.reduce((total, weight, place) => total + weight * Number(eight[place]), 0)
  return (10 - (sum % 10)) % 10
}
