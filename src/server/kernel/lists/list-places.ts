/** Which rows of long lists stand where, as pages were read: the next page and the one before start there and count nothing. */

/** A row of a list, counted from 0. */
export interface Place {
  readonly position: number
  readonly id: number
}

/** Where a walk to a page begins: at this row, in this direction, past so many rows. */
export interface Start {
  readonly from: number
  readonly backwards: boolean
  readonly offset: number
}

const listsMax = 1_000
/** Of one list, the newest. */
const placesMax = 16
const places = new Map<string, { readonly version: string; readonly found: readonly Place[] }>()

/** The nearest remembered row for the page at this offset, undefined where none is nearer than `most` rows. */
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

/** Keeps where rows stand as long as the data has this version. */
export function rememberPlaces(list: string, version: string, found: readonly Place[]): void {
  if (found.length === 0) return
  const known = places.get(list)
  const before = known?.version === version ? known.found.filter((one) => !found.some(({ position }) => position === one.position)) : []
  if (places.size >= listsMax) places.clear()
  places.set(list, { version, found: [...before, ...found].slice(-placesMax) })
}
