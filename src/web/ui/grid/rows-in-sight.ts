/** Rows rendered beyond the window's edges. */
const OVERSCAN = 8
/** The range moves by this many rows at once, so that a slow scroll does not render at every frame. */
const STEP = 4

export type RowsInSight = { from: number; to: number }

/** Returns the rows visible in a window of `height` px scrolled by `top` px, with some beyond its edges, in whole steps. */
export function rowsInSight(top: number, height: number, rowHeight: number): RowsInSight {
  const from = Math.floor(top / rowHeight) - OVERSCAN
  const to = Math.ceil((top + height) / rowHeight) + OVERSCAN
  return { from: Math.max(0, Math.floor(from / STEP) * STEP), to: Math.ceil(to / STEP) * STEP }
}
