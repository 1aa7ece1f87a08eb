/** How large a document is shown: as wide as its place, or a share of its size on paper. */
export type Zoom = 'width' | number

/** Percent. */
export const zoomSteps = [25, 50, 75, 100, 125, 150, 200, 300, 400] as const
/** Pixels of the screen for a point of paper at 100 %. */
const PIXELS_A_POINT = 96 / 72

/** The next step above or below; `shown` is what the present zoom comes to in percent. */
export function stepZoom(shown: number, direction: 1 | -1): number {
  const found = direction > 0 ? zoomSteps.find((step) => step > shown + 0.5) : zoomSteps.findLast((step) => step < shown - 0.5)
  return found ?? (direction > 0 ? 400 : 25)
}

/** Percent after a turn of the wheel, which moves finer than the keys. */
export function wheelZoom(shown: number, delta: number): number {
  return Math.round(Math.min(400, Math.max(25, shown * Math.exp(-delta / 500))))
}

/** Pixels that a page of so many points is wide. */
export function widthAt(zoom: Zoom, points: number, room: number): number {
  return Math.max(40, Math.round(zoom === 'width' ? room : (points * PIXELS_A_POINT * zoom) / 100))
}

/** What a width comes to in percent. */
export function percentAt(width: number, points: number): number {
  return (width / (points * PIXELS_A_POINT)) * 100
}
