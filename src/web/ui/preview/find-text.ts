/** Finds words in the text of a page and returns their places. */
import type { Box } from './boxes.ts'

/** Text of a page with its place, in fractions of the page. */
export interface TextPiece extends Box {
  readonly text: string
  readonly endsLine: boolean
}

/** One match of the words; it has several boxes if it extends over several pieces. */
export interface Hit {
  readonly page: number
  readonly boxes: readonly Box[]
}

/** Returns the matches on a page, in the order of its text. Case and the width of gaps are ignored. */
export function findOnPage(page: number, pieces: readonly TextPiece[], words: string): Hit[] {
  const wanted = words.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (wanted === '') return []
  const { text, places } = flatten(pieces)
  const hits: Hit[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    hits.push({ page, boxes: boxesOf(pieces, places.slice(at, at + wanted.length)) })
  }
  return hits
}

interface Place {
  /** Index of the piece that a letter belongs to, and its position in the piece. -1 is a gap between pieces. */
  readonly piece: number
  readonly at: number
}

/** Returns the page as one line of lower-case letters with single gaps, and the origin of each letter. */
function flatten(pieces: readonly TextPiece[]): { text: string; places: Place[] } {
  const letters: string[] = []
  const places: Place[] = []
  const push = (letter: string, place: Place) => {
    if (letter === ' ' && (letters.at(-1) ?? ' ') === ' ') return
    letters.push(letter)
    places.push(place)
  }
  for (const [piece, { text, endsLine }] of pieces.entries()) {
    // Letter by letter, because a few letters become two in lower case.
    for (const [at, letter] of Array.from(text).entries()) push(/\s/.test(letter) ? ' ' : (letter.toLowerCase()[0] ?? ' '), { piece, at })
    if (endsLine || isApart(pieces[piece], pieces[piece + 1])) push(' ', { piece: -1, at: 0 })
  }
  return { text: letters.join(''), places }
}

/** Whether there is a gap between two pieces; pieces of one word touch. */
function isApart(one: TextPiece | undefined, next: TextPiece | undefined): boolean {
  if (!one || !next) return true
  const gap = next.x - (one.x + one.width)
  return gap > one.height * 0.1 || gap < -one.height || Math.abs(next.y - one.y) > one.height * 0.5
}

function boxesOf(pieces: readonly TextPiece[], places: readonly Place[]): Box[] {
  const spans = new Map<number, { from: number; to: number }>()
  for (const { piece, at } of places) {
    if (piece < 0) continue
    const span = spans.get(piece)
    spans.set(piece, { from: Math.min(span?.from ?? at, at), to: Math.max(span?.to ?? at, at) })
  }
  return [...spans].flatMap(([index, { from, to }]) => {
    const piece = pieces[index]
    if (!piece) return []
    const length = Array.from(piece.text).length
    // Assumes equally wide letters, which is accurate enough for a mark.
    return [
      { x: piece.x + (piece.width * from) / length, y: piece.y, width: (piece.width * (to + 1 - from)) / length, height: piece.height },
    ]
  })
}
