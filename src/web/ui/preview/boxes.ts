/** Places on a page in fractions of its size, so that they are valid at every zoom and rotation. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Returns the place after the page was rotated clockwise by this many quarters. */
export function turnBox({ x, y, width, height }: Box, quarters: number): Box {
  if (quarters === 1) return { x: 1 - y - height, y: x, width: height, height: width }
  if (quarters === 2) return { x: 1 - x - width, y: 1 - y - height, width, height }
  if (quarters === 3) return { x: y, y: 1 - x - width, width: height, height: width }
  return { x, y, width, height }
}

/** Returns the place as CSS. */
export function boxStyle({ x, y, width, height }: Box): { left: string; top: string; width: string; height: string } {
  const percent = (part: number) => `${(part * 100).toFixed(3)}%`
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
}
