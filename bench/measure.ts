/** Throughput and latency: rounds that alternate between the compared variants, medians with minimum and maximum. */

export interface Spread {
  readonly least: number
  readonly median: number
  readonly most: number
}

export interface Load {
  readonly p50: number
  readonly p95: number
  readonly perSecond: number
  readonly count: number
}

/** Calls `ask` from `concurrency` callers for `ms` milliseconds; each call gets its number. All times are in milliseconds. */
export async function load(ask: (turn: number) => Promise<unknown>, concurrency: number, ms: number): Promise<Load> {
  const times: number[] = []
  const began = performance.now()
  const until = began + ms
  let turn = 0
  const worker = async (): Promise<void> => {
    for (let now = performance.now(); now < until;) {
      await ask(turn++)
      const then = performance.now()
      times.push(then - now)
      now = then
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - began) / 1_000
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), perSecond: times.length / seconds, count: times.length }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function spreadOf(values: readonly number[]): Spread {
  return { least: Math.min(...values), median: quantile(values, 0.5), most: Math.max(...values) }
}

/** '1.2 (1.0–1.9) ms'. */
export function shown({ least, median, most }: Spread, unit = 'ms'): string {
  return `${round(median)} (${round(least)}–${round(most)}) ${unit}`
}

/** Rounds to two significant digits. */
export function round(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
