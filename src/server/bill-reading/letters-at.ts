/** Returns how certainly the letters at a place of a document were recognised. */
import type { ReadPlace } from '#contract/bill-reading/bill-reading.ts'
import { placeOf, type Sheet } from './page-lines.ts'

const LETTERS_SURE = 0.88
/** Places are rounded. */
const ROUNDING = 0.0005

/** Returns 1 for a file's own text, else the lowest confidence of its words; 0 for a value without a place. */
export function lettersAt(sheets: readonly Sheet[], place: ReadPlace | null): number {
  const sheet = place === null ? undefined : sheets.find((one) => one.page === place.page)
  if (place === null || sheet === undefined) return 0
  if (sheet.source === 'text') return 1
  const own = sheet.lines.flatMap((line) =>
    line.tokens.filter((token) => {
      const at = placeOf([token], sheet)
      return at !== null && isInside(at, place)
    }),
  )
  return own.length === 0 ? 0 : Math.min(...own.map((token) => token.confidence))
}

function isInside(one: ReadPlace, whole: ReadPlace): boolean {
  const [x, y] = [one.x + one.width / 2, one.y + one.height / 2]
  return (
    x >= whole.x - ROUNDING && x <= whole.x + whole.width + ROUNDING && y >= whole.y - ROUNDING && y <= whole.y + whole.height + ROUNDING
  )
}

/** A misread digit of a scan may still match the other values, so its letters must be certain. */
export const areLettersSure = (trust: number): boolean => trust >= LETTERS_SURE
