/** Random numbers of a test. The same seed gives the same numbers. */
import { seededRandom } from '../../src/server/kernel/seeded-random.ts'

/** Returns whole numbers from 0 to below its argument. */
export type Dice = (below: number) => number

/** Returns a generator of numbers from 0 to below 1. */
export const randomOf = (seed: number): (() => number) => seededRandom(String(seed))

export function diceOf(seed: number): Dice {
  const random = randomOf(seed)
  return (below) => Math.floor(random() * below)
}
