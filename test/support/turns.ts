/**
 * Equivalent things take turns by the day: an ordinary run tries a part of them, and as many days as there are turns try each. `TURN=all`, which
 * the deep run sets, tries all of them; `TURN=20789` repeats the run of that day, which is counted from 1970.
 */
import { crc32 } from 'node:zlib'

const DAY_MS = 86_400_000
const chosen = process.env['TURN']
const triesAll = chosen === 'all'

/** The day whose turns these are. A run names it where one of its faults may be another day's. */
export const turn = chosen === undefined || triesAll ? Math.floor(Date.now() / DAY_MS) : Number(chosen)
if (!Number.isSafeInteger(turn)) throw new Error(`TURN is a day counted from 1970, or all; it is ${chosen}`)

/** Returns true on one day of so many, which follows from the name. */
export function hasTurnToday(name: string, turns: number): boolean {
  return triesAll || (crc32(name) + turn) % turns === 0
}
