/** Money of avoided usage. Pure; amounts are whole cents, usage is whole millionths of the unit. */
import type { Cents } from '../kernel/money.ts'

/** The charges of the bills and the usage that they charge; the price of a unit is their quotient. */
export interface UnitPrice {
  readonly cents: Cents
  readonly usage: bigint
}

/** Whether there is a price: of no usage or of a credit there is none. */
export function hasPrice({ cents, usage }: UnitPrice): boolean {
  return usage > 0n && cents > 0
}

/** The cost of a usage at a price, rounded half away from zero to the cent. Throws where there is no price. */
export function costAt(price: UnitPrice, usage: bigint): Cents {
  if (!hasPrice(price)) throw new RangeError('there is no price without usage and cost')
  const exact = usage * BigInt(price.cents)
  const size = exact < 0n ? -exact : exact
  const rounded = (2n * size + price.usage) / (2n * price.usage)
  return Number(exact < 0n ? -rounded : rounded)
}

/**
 * The costs of parts of a usage, so that they add up to the cost of their sum: each part is rounded down, and the cents that are left go one by
 * one to the largest remainders, ties to the earlier part. No part is a cent away from its exact value.
 */
export function costsAt(price: UnitPrice, parts: readonly bigint[]): Cents[] {
  const whole = costAt(
    price,
    parts.reduce((sum, part) => sum + part, 0n),
  )
  const floors = parts.map((part, place) => {
    const exact = part * BigInt(price.cents)
    const remainder = ((exact % price.usage) + price.usage) % price.usage
    return { place, remainder, cents: Number((exact - remainder) / price.usage) }
  })
  const left = whole - floors.reduce((sum, { cents }) => sum + cents, 0)
  const lucky = new Set(
    floors
      .toSorted((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1))
      .slice(0, left)
      .map(({ place }) => place),
  )
  return floors.map(({ place, cents }) => cents + (lucky.has(place) ? 1 : 0))
}
