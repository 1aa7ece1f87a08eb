/** Splits the change of a cost into a part of the usage and a part of the price. Both add up to the change, to the cent. */
import type { Cents } from '../kernel/money.ts'

/** What one account's service costs in a period, and what it uses; the usage in whole millionths of the unit. */
export interface CostOfUsage {
  readonly cents: Cents
  readonly usage: bigint
}

export interface ChangeParts {
  readonly by_usage: Cents
  readonly by_price: Cents
}

/** A unit cost more than this many times the other is a fixed charge or a wrong reading, and no price. */
const UNLIKE_FACTOR = 10n

/**
 * Change of cost = change of usage × former unit cost + change of unit cost × present usage. The first part is rounded half away from zero to the
 * cent, and the second is what is left, so that it differs from its own exact value by at most half a cent. Null where there is no former or no
 * present unit cost above zero, or where one is more than ten times the other.
 */
export function splitChange(former: CostOfUsage, present: CostOfUsage): ChangeParts | null {
  if (former.usage <= 0n || present.usage <= 0n || former.cents <= 0 || present.cents <= 0) return null
  const [formerCost, presentCost] = [BigInt(former.cents), BigInt(present.cents)]
  // Unit costs are compared by their cross products, without a division.
  const [formerSide, presentSide] = [formerCost * present.usage, presentCost * former.usage]
  if (formerSide > presentSide * UNLIKE_FACTOR || presentSide > formerSide * UNLIKE_FACTOR) return null
  const byUsage = Number(roundedRatio((present.usage - former.usage) * formerCost, former.usage))
  return { by_usage: byUsage, by_price: present.cents - former.cents - byUsage }
}

/** a ÷ b of a positive b, rounded half away from zero. */
function roundedRatio(a: bigint, b: bigint): bigint {
  const size = a < 0n ? -a : a
  const rounded = (2n * size + b) / (2n * b)
  return a < 0n ? -rounded : rounded
}
