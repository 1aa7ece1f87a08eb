/** Positions of the lines of a long list, so that only the visible ones are rendered. */

/** Heights (px) of a line with one text, with two texts, and of a heading; the style sheet has the same values. */
export const LINE_PX = { one: 30, two: 44, touch: 44, touchTwo: 52, head: 28 } as const
/** Lists up to this many lines are rendered completely. */
const WHOLE_UP_TO = 120
/** Lines rendered beyond the visible edges. */
const OVERSCAN = 10

export type Line<Item> = { readonly head: string } | { readonly item: Item; readonly place: number }

/** The items in their order, with the heading of each group before its first. */
export function linesOf<Item extends { readonly group?: string | undefined }>(items: readonly Item[]): readonly Line<Item>[] {
  let group: string | undefined
  return items.flatMap((item, place): Line<Item>[] => {
    const isNew = item.group !== undefined && item.group !== group
    group = item.group
    return isNew && item.group !== undefined ? [{ head: item.group }, { item, place }] : [{ item, place }]
  })
}

/** Returns the top of each line, and the total height as the last number. */
export function edgesOf(lines: readonly Line<unknown>[], linePx: number): readonly number[] {
  const edges = [0]
  let edge = 0
  for (const line of lines) {
    edge += 'head' in line ? LINE_PX.head : linePx
    edges.push(edge)
  }
  return edges
}

/** Returns the lines visible in a window of `height` px that is scrolled by `top` px; `to` is exclusive. */
export function linesInSight(edges: readonly number[], top: number, height: number): { from: number; to: number } {
  const count = edges.length - 1
  if (count <= WHOLE_UP_TO) return { from: 0, to: count }
  const from = lineAt(edges, top) - OVERSCAN
  const to = lineAt(edges, top + height) + 1 + OVERSCAN
  return { from: Math.max(0, from), to: Math.min(count, to) }
}

/** Returns the scroll position (px) at which the line is visible; unchanged if it is visible already. */
export function scrollTo(edges: readonly number[], line: number, top: number, height: number): number {
  const [upper = 0, lower = 0] = [edges[line], edges[line + 1]]
  if (upper < top) return upper
  return lower > top + height ? lower - height : top
}

/** Returns the line at this distance (px) from the top. */
function lineAt(edges: readonly number[], distance: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((edges[middle] ?? 0) <= distance) low = middle
    else high = middle - 1
  }
  return low
}
