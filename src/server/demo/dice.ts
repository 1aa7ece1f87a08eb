import { seededRandom } from '../kernel/seeded-random.ts'

/** Pseudorandom numbers that are always the same for the same seed, so that the demo data of a day is always the same. */
export interface Dice {
  /** From 0 up to, but excluding, 1. */
  next(): number
  /** An integer, both ends included. */
  whole(least: number, most: number): number
  /** 1 ± `spread`. */
  about(spread: number): number
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  digits(count: number): string
}

export function diceOf(seed: string): Dice {
  const next = seededRandom(seed)
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    about: (spread) => 1 + (next() * 2 - 1) * spread,
    chance: (share) => next() < share,
    pick: (list) => list[whole(0, list.length - 1)] ?? list[0],
    digits: (count) => Array.from({ length: count }, (_, place) => whole(place === 0 ? 1 : 0, 9)).join(''),
  }
}

/** Fills the placeholders of a pattern: each `#` becomes a digit, everything else stays. */
export function numberLike(pattern: string, dice: Dice): string {
  return pattern.replaceAll('#', () => dice.digits(1))
}
