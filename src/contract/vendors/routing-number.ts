/** Checks of a routing number. A vendor's form only warns; a payment file checks again and refuses. */

const weights = [3, 7, 1, 3, 7, 1, 3, 7]
/** Ranges of the first two digits: the Federal Reserve's districts, thrift institutions, electronic payments. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [1, 12],
  [21, 32],
  [61, 72],
]

/** Returns a sentence with the fault, or null. */
export function routingNumberDoubt(written: string): string | null {
  const digits = written.trim()
  if (!/^\d{9}$/.test(digits)) return 'A routing number has 9 digits.'
  if (checkDigitOf(digits.slice(0, 8)) !== Number(digits[8])) return 'The check digit of this routing number is wrong.'
  const district = Number(digits.slice(0, 2))
  if (district === 0) return 'This routing number belongs to the government.'
  if (district === 80) return 'This routing number is for traveler’s checks.'
  return ranges.some(([from, to]) => district >= from && district <= to) ? null : 'No bank has a routing number that begins so.'
}

/** Returns the ninth digit for the first eight. */
export function checkDigitOf(eight: string): number {
  const sum = weights.reduce((total, weight, place) => total + weight * Number(eight[place]), 0)
  return (10 - (sum % 10)) % 10
}
