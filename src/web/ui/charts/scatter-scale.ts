/** Where the points of a chart stand, as shares of its drawing. Pure. */
interface Point {
  readonly x: number
  readonly y: number
}

export interface ScatterScale {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
  /** The share at which the vertical scale stands. */
  readonly axis: number
  readonly x: (value: number) => number
  readonly y: (value: number) => number
}

/** Room for the numbers of the scales, and for half a point at the other ends. */
const LEFT_ROOM = 0.12
const RIGHT_ROOM = 0.03
const TOP_ROOM = 0.04
const BOTTOM_ROOM = 0.1
const TICKS = 5

export function scatterScale(points: readonly Point[], line: ((x: number) => number) | null): ScatterScale {
  const [left, right] = widened(
    points.map(({ x }) => x),
    false,
  )
  const [bottom, top] = widened([...points.map(({ y }) => y), ...(line ? [line(left), line(right)] : [])], true)
  return {
    left,
    right,
    bottom,
    top,
    axis: LEFT_ROOM,
    x: (value) => LEFT_ROOM + ((value - left) / (right - left)) * (1 - LEFT_ROOM - RIGHT_ROOM),
    y: (value) => 1 - BOTTOM_ROOM - ((value - bottom) / (top - bottom)) * (1 - TOP_ROOM - BOTTOM_ROOM),
  }
}

/** The ends of a scale at whole ticks; one that must begin at zero does. */
function widened(values: readonly number[], fromZero: boolean): [number, number] {
  const [low, high] = [Math.min(...values, fromZero ? 0 : Infinity), Math.max(...values)]
  const step = stepOf(low, high)
  const [first, last] = [Math.floor(low / step) * step, Math.ceil(high / step) * step]
  return first === last ? [first - step, last + step] : [first, last]
}

/** Numbers of a scale at steps of 1, 2 or 5 of a power of ten, from end to end. */
export function ticksOf(low: number, high: number): number[] {
  const step = stepOf(low, high)
  const first = Math.ceil(low / step - EDGE)
  const count = Math.floor(high / step + EDGE) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, place) => (first + place) * step)
}
const EDGE = 1e-6

function stepOf(low: number, high: number): number {
  const rough = Math.max(high - low, Math.abs(high), 1e-9) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((times) => times * power >= rough) ?? 10) * power
}
