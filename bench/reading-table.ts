/** Shares of correctly read values, as tables in the form of docs/reading.md. */
import { byField, type Measured } from '../test/reading/measure.ts'

/** Documents of one kind that were measured after this many others of their layout were confirmed. */
export interface ShareRow {
  readonly documents: string
  readonly taught: number
  readonly measured: readonly Measured[]
}

const share = (right: number, all: number): string => `${((100 * right) / Math.max(1, all)).toFixed(1)}% (${right} of ${all})`
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

export function shareOf(measured: readonly Measured[]): string {
  const scores = measured.flatMap((one) => one.scores)
  return share(scores.filter((score) => score.isRight).length, scores.length)
}

export function printShares(rows: readonly ShareRow[]): void {
  console.log('| documents | confirmed before | right | sure and right | sure and wrong |\n| --- | --- | --- | --- | --- |')
  for (const { documents, taught, measured } of rows)
    console.log(
      `| ${documents} | ${taught} | ${shareOf(measured)} | ${sum(measured.map((one) => one.sureRight))} | ${sum(measured.map((one) => one.sureWrong))} |`,
    )
}

/**
 * Prints a line for each layout and a column for each row of `printShares`, so the rows must have the same layouts; then the total of confident
 * but wrong values.
 */
export function printLayouts(title: string, rows: readonly ShareRow[]): void {
  console.log(`\n${title}\n\n| layout | ${rows.map((row) => `after ${row.taught}`).join(' | ')} | sure and wrong |`)
  console.log(`| --- |${' --- |'.repeat(rows.length + 1)}`)
  for (const layout of new Set(rows.flatMap((row) => row.measured.map((one) => one.layout)))) {
    const own = rows.map((row) => row.measured.filter((one) => one.layout === layout))
    console.log(`| ${layout} | ${own.map(shareOf).join(' | ')} | ${own.map((of) => sum(of.map((one) => one.sureWrong))).join(', ')} |`)
  }
}

/** Prints a column for each row of `printShares`, so the rows must be of the same documents. */
export function printFields(rows: readonly ShareRow[]): void {
  console.log(`\n| field | ${rows.map((row) => `after ${row.taught}`).join(' | ')} |\n| --- |${' --- |'.repeat(rows.length)}`)
  const tallies = rows.map((row) => byField(row.measured))
  for (const field of tallies[0]?.keys() ?? []) {
    const cells = tallies.map((tally) => `${tally.get(field)?.right ?? 0} of ${tally.get(field)?.all ?? 0}`)
    console.log(`| ${field} | ${cells.join(' | ')} |`)
  }
}
