/**
 * Remembers which rows of long lists are at which offset as pages are read: the next page and the previous one start there and skip the
 * counting.
 */

/** A row of a list and its offset, counted from 0. */
export interface Place {
  readonly position: number
  readonly id: number
}

/** Start of a walk to a page: a row, a direction, and the number of rows to skip. */
export interface Start {
  readonly from: number
  readonly backwards: boolean
  readonly offset: number
}

const listsMax = 1_000
/** Remembered places per list; the newest are kept. */
const placesMax = 16
const places = new Map<string, { readonly version: string; readonly found: readonly Place[] }>()

/** Returns the nearest remembered row for the page at this offset; undefined if none is nearer than `most` rows. */
export function placeNearby(list: string, version: string, offset: number, per: number, most: number): Start | undefined {
  const known = places.get(list)
  if (known?.version !== version) return undefined
  const last = offset + per - 1
  const starts = known.found.flatMap(({ position, id }): Start[] => {
    if (position <= offset) return [{ from: id, backwards: false, offset: offset - position }]
    return position >= last ? [{ from: id, backwards: true, offset: position - last }] : []
  })
  const [nearest] = starts.toSorted((a, b) => a.offset - b.offset)
  return nearest && nearest.offset < most ? nearest : undefined
}

/** Remembers the places of rows as long as the data has this version. */
export function rememberPlaces(list: string, version: string, found: readonly Place[]): void {
  if (found.length === 0) return
  const known = places.get(list)
  const before = known?.version === version ? known.found.filter((one) => !found.some(({ position }) => position === one.position)) : []
  if (places.size >= listsMax) places.clear()
  places.set(list, { version, found: [...before, ...found].slice(-placesMax) })
}
