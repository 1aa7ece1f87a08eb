import type { CardPart, GridColumn } from './grid-types.ts'

type AnyColumn = Pick<GridColumn<never>, 'key' | 'kind' | 'filter' | 'card'>

/** The order in which a card is read. */
const ORDER: readonly CardPart[] = ['title', 'figure', 'second', 'badge', 'rest']

/**
 * Returns the part of each column in a card, by key. What the list does not say follows from its columns: the name, else the first one, is the title, the first
 * amount the figure, the first choice the badge, and the next text and the first date are the second line.
 */
export function cardParts(columns: readonly AnyColumn[]): ReadonlyMap<string, CardPart> {
  const parts = new Map<string, CardPart>(columns.flatMap(({ key, card }) => (card ? [[key, card]] : [])))
  const has = (part: CardPart) => columns.some(({ key }) => parts.get(key) === part)
  const give = (part: CardPart, fits: (column: AnyColumn) => boolean) => {
    const found = columns.find((column) => !parts.has(column.key) && fits(column))
    if (found) parts.set(found.key, part)
  }
  const isTuned = has('second')
  if (!has('title')) give('title', ({ key }) => key === 'name')
  if (!has('title')) give('title', () => true)
  if (!has('figure')) give('figure', ({ kind }) => kind === 'money')
  if (!has('badge')) give('badge', ({ filter }) => filter?.kind === 'choice' || filter?.kind === 'boolean')
  if (!isTuned) {
    give('second', ({ kind }) => kind === undefined || kind === 'text')
    give('second', ({ kind }) => kind === 'date')
  }
  return new Map(columns.map(({ key }) => [key, parts.get(key) ?? 'rest']))
}

/** Returns the columns in the order in which a card is read, each with its part. */
export function inCardOrder<Shown extends { readonly column: AnyColumn }>(
  shown: readonly Shown[],
): (Shown & { readonly card: CardPart })[] {
  const parts = cardParts(shown.map(({ column }) => column))
  const cards = shown.map((one) => ({ ...one, card: parts.get(one.column.key) ?? 'rest' }))
  return ORDER.flatMap((part) => cards.filter(({ card }) => card === part))
}
