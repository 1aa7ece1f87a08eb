/**
 * US dollars. On the wire and in PostgreSQL an amount is text with two decimals ('-12.50'); in code it is a whole number of cents. Cents are
 * plain numbers, not bigint: the largest amount of numeric(14,2) is 10^14 cents, ninety times below the largest safe integer, and numbers
 * survive JSON, sorting and charts. Every entry point refuses unsafe values, so a sum that would lose a cent throws instead. Only products (an
 * amount times a weight) use bigint.
 */

/** A whole number of US cents. */
export type Cents = number

const WIRE = /^(-?)(\d+)(?:\.(\d+))?$/
/** Minus before the dollar sign, after it or at the end; whole dollars with or without separators; cents. */
const TYPED = /^(-?)\s*\$?\s*(-?)(\d+|\d{1,3}(?:,\d{3})+|)(?:\.(\d{0,2}))?\s*(-?)$/
/** Digits of numeric(14,2) before the point. */
const WHOLE_DIGITS = 12

/** Returns the cents of an amount from the wire or from PostgreSQL. Throws a RangeError for anything finer than a cent or not a number. */
export function centsOf(wire: string): Cents {
  const match = WIRE.exec(wire)
  if (!match) throw new RangeError(`not an amount: ${wire}`)
  const [, sign = '', whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(2))) throw new RangeError(`finer than a cent: ${wire}`)
  const cents = safe(Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')))
  return sign === '-' && cents !== 0 ? -cents : cents
}

/** Returns the cents of an optional amount; a missing one is zero, such as a late fee. */
export function centsOrZero(wire: string | null | undefined): Cents {
  return wire === null || wire === undefined || wire === '' ? 0 : centsOf(wire)
}

/** The wire text of an amount, always with two decimals. */
export function wireOf(cents: Cents): string {
  const digits = String(Math.abs(safe(cents))).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Parses a typed amount into wire text: '1,234.50', '$1,234.50', '(12.00)', '-5', '5-', '.5'. Null if it cannot be read as dollars with at most
 * two decimals; nothing is rounded, because a third decimal in money is a typing error.
 */
export function parseMoney(typed: string): string | null {
  const text = typed.trim().replace(/\u2212/g, '-')
  const bracketed = /^\((.*)\)$/.exec(text)?.[1]?.trim()
  const match = TYPED.exec(bracketed ?? text)
  if (!match) return null
  const [, before = '', within = '', whole = '', fraction = '', after = ''] = match
  const signs = `${bracketed === undefined ? '' : '-'}${before}${within}${after}`
  const digits = whole.replaceAll(',', '')
  if (signs.length > 1 || `${digits}${fraction}` === '' || digits.replace(/^0+/, '').length > WHOLE_DIGITS) return null
  const cents = centsOf(`${digits || '0'}.${fraction.padEnd(2, '0')}`)
  return wireOf(signs === '-' && cents !== 0 ? -cents : cents)
}

/** Formats for people: '$1,234.50', '-$5.00'; a missing amount is a dash. */
export function formatMoney(wire: string | null | undefined): string {
  const amount = formatAmount(wire)
  if (amount === '–') return amount
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`
}

/** Formats for columns of amounts, without the currency sign: '1,234.50'; a missing amount is a dash. */
export function formatAmount(wire: string | null | undefined): string {
  if (wire === null || wire === undefined || wire === '') return '–'
  const [whole = '', fraction = ''] = wireOf(centsOf(wire)).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
}

/** Sum of wire amounts; missing ones count as zero. */
export function sumMoney(wires: Iterable<string | null | undefined>): string {
  let cents = 0
  for (const wire of wires) cents = safe(cents + centsOrZero(wire))
  return wireOf(cents)
}

/** Sum of the given amounts on the wire. */
export function addMoney(...wires: readonly (string | null | undefined)[]): string {
  return sumMoney(wires)
}

/** a − b on the wire. */
export function subtractMoney(a: string, b: string): string {
  return wireOf(safe(centsOf(a) - centsOf(b)))
}

/** −1, 0 or 1, by value and not by text. */
export function compareMoney(a: string, b: string): -1 | 0 | 1 {
  const difference = centsOf(a) - centsOf(b)
  return difference < 0 ? -1 : difference > 0 ? 1 : 0
}

/** Sum of cents; throws a RangeError if a cent could be lost. */
export function sumCents(cents: Iterable<Cents>): Cents {
  let sum = 0
  for (const one of cents) sum = safe(sum + one)
  return sum
}

/**
 * Splits an amount by weights so that the parts add up to it exactly: each part is truncated toward zero, then the remaining cents go one by one
 * to the largest remainders; ties go to the larger weight, then to the earlier position. A credit splits as the mirror image of the charge.
 * Weights are non-negative whole numbers of any one unit; if all are zero the amount is spread evenly.
 */
export function allocate(cents: Cents, weights: readonly (number | bigint)[]): Cents[] {
  if (weights.length === 0) throw new RangeError('an amount cannot be split over nothing')
  const scaled = weights.map(wholeWeight)
  const total = scaled.reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n) return spreadEvenly(cents, weights.length)
  const magnitude = BigInt(Math.abs(safe(cents)))
  const parts = scaled.map((weight, place) => {
    const product = magnitude * weight
    return { place, weight, cents: product / total, remainder: product % total }
  })
  const left = magnitude - parts.reduce((sum, part) => sum + part.cents, 0n)
  const luckyPlaces = new Set(
    parts
      .toSorted(byRemainder)
      .slice(0, Number(left))
      .map((part) => part.place),
  )
  return parts.map((part) => signed(Number(part.cents) + (luckyPlaces.has(part.place) ? 1 : 0), cents))
}

/** Splits an amount into `count` parts that differ by at most one cent; the earlier ones take the remaining cents. */
export function spreadEvenly(cents: Cents, count: number): Cents[] {
  return allocate(
    cents,
    Array.from({ length: count }, () => 1),
  )
}

interface Part {
  place: number
  weight: bigint
  remainder: bigint
}

function byRemainder(a: Part, b: Part): number {
  if (a.remainder !== b.remainder) return a.remainder > b.remainder ? -1 : 1
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1
  return a.place - b.place
}

function wholeWeight(weight: number | bigint): bigint {
  const whole = typeof weight === 'bigint' ? weight : BigInt(safe(weight))
  if (whole < 0n) throw new RangeError(`a weight is not negative: ${weight}`)
  return whole
}

function signed(magnitude: number, like: Cents): Cents {
  return like < 0 && magnitude !== 0 ? -magnitude : magnitude
}

function safe(cents: number): Cents {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not a whole number of cents that can be kept exactly: ${cents}`)
  return cents
}
