/** The vote of one bill on one rule of its layout. */
import type { LayoutRule } from './layout-rules.ts'
import type { Hit } from './line-items.ts'
import { placeOf, type Sheet } from './page-lines.ts'
import { PLACE_OF_END } from './read-heads.ts'

export interface Vote extends Pick<LayoutRule, 'field' | 'relation' | 'phrase' | 'page' | 'x' | 'y'> {
  readonly isRight: boolean
}

/** Place of a rule about words, which has none. */
export const none = { page: 0, x: 0, y: 0 } as const

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000

/** Returns the places where these values begin and where they end, since longer figures begin farther left. */
export function placeVotes(hits: readonly Hit[], field: Vote['field'], sheets: readonly Sheet[]): Vote[] {
  return hits.flatMap(({ printed, sheet }): Vote[] => {
    const place = placeOf(printed.tokens, sheet)
    if (place === null) return []
    const vote = { field, relation: 'place', page: sheets.indexOf(sheet), y: rounded(place.y), isRight: true } as const
    return [
      { ...vote, phrase: '', x: rounded(place.x) },
      { ...vote, phrase: PLACE_OF_END, x: rounded(place.x + place.width) },
    ]
  })
}
