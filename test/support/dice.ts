import { seededRandom } from '../../src/server/kernel/seeded-random.ts'

/** Returns a generator of numbers from 0 to below 1 that the seed reproduces. */
export const randomOf = (seed: number): (() => number) => seededRandom(String(seed))

/** Returns a generator of whole numbers from 0 to below `to` that the seed reproduces. */
export function diceOf(seed: number): (to: number) => number {
  const random = randomOf(seed)
  return (to) => Math.floor(random() * to)
}
