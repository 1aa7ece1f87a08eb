/** Zoom of a document: fitted to the width, or percent of its size on paper. */
export type Zoom = 'width' | number

/** Percent. */
export const zoomSteps = [25, 50, 75, 100, 125, 150, 200, 300, 400] as const
/** Screen pixels per point of paper at 100%. */
const PIXELS_A_POINT = 96 / 72

/** Returns the next step up or down; `shown` is the current zoom in percent. */
export function stepZoom(shown: number, direction: 1 | -1): number {
  const found = direction > 0 ? zoomSteps.find((step) => step > shown + 0.5) : zoomSteps.findLast((step) => step < shown - 0.5)
  return found ?? (direction > 0 ? 400 : 25)
}

/** Returns the percentage after a turn of the wheel, which zooms in finer steps than the keys. */
export function wheelZoom(shown: number, delta: number): number {
  return Math.round(Math.min(400, Math.max(25, shown * Math.exp(-delta / 500))))
}

/** Returns the width in pixels of a page of this many points. */
export function widthAt(zoom: Zoom, points: number, room: number): number {
  return Math.max(40, Math.round(zoom === 'width' ? room : (points * PIXELS_A_POINT * zoom) / 100))
}

/** Returns the zoom in percent of a page width. */
export function percentAt(width: number, points: number): number {
  return (width / (points * PIXELS_A_POINT)) * 100
}
