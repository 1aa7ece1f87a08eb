/** Places on a page in fractions of it, so that they hold at every size and turn. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a place lies after the page was turned clockwise by so many quarters. */
export function turnBox({ x, y, width, height }: Box, quarters: number): Box {
  if (quarters === 1) return { x: 1 - y - height, y: x, width: height, height: width }
  if (quarters === 2) return { x: 1 - x - width, y: 1 - y - height, width, height }
  if (quarters === 3) return { x: y, y: 1 - x - width, width: height, height: width }
  return { x, y, width, height }
}

/** A place as CSS says it. */
export function boxStyle({ x, y, width, height }: Box): { left: string; top: string; width: string; height: string } {
  const percent = (part: number) => `${(part * 100).toFixed(3)}%`
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
}
