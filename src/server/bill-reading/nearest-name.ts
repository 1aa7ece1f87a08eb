/** Finds which of a few names a document prints if letters of it were misread. */
import { lettersAndDigits } from './same-value.ts'

export interface Named {
  readonly id: number
  readonly name: string
}

/** One letter of this many may be wrong. */
const LETTERS_A_FAULT = 4
/** Names that are compared: each costs a scan of the document. */
const NAMES_MAX = 20

/**
 * Returns the name that the text contains with the fewest wrong letters; null if none is close, or if two different ones are equally close.
 * If two vendors share the name, the older one wins, as in every lookup of a name.
 * @param text letters and digits in lower case
 */
export function nearestName(names: readonly Named[], text: string): Named | null {
  const near = names
    .slice(0, NAMES_MAX)
    .map((named) => ({ named, plain: lettersAndDigits(named.name).toLowerCase() }))
    .map((one) => ({ ...one, faults: faultsWithin(one.plain, text) / Math.max(1, one.plain.length) }))
    .filter((one) => one.plain !== '' && one.faults <= 1 / LETTERS_A_FAULT)
    .toSorted((a, b) => a.faults - b.faults || a.named.id - b.named.id)
  const [best] = near
  if (best === undefined) return null
  const other = near.find((one) => one.plain !== best.plain)
  return other !== undefined && other.faults <= best.faults ? null : best.named
}

/** Returns the fewest letters to add, drop or change until the name occurs in the text. */
function faultsWithin(name: string, text: string): number {
  // One row per letter of the name; it may begin at any place of the text without a cost.
  let above = Array.from({ length: text.length + 1 }, () => 0)
  for (let letter = 1; letter <= name.length; letter += 1) {
    const row = [letter]
    for (let place = 1; place <= text.length; place += 1) {
      const changed = (above[place - 1] ?? 0) + (name[letter - 1] === text[place - 1] ? 0 : 1)
      row.push(Math.min(changed, (above[place] ?? 0) + 1, (row[place - 1] ?? 0) + 1))
    }
    above = row
  }
  return above.reduce((least, one) => Math.min(least, one), name.length)
}
