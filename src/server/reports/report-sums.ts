/** The sums under the columns of a report, exact: amounts in cents, quantities in billionths. */
import { decimalOfUnits, unitsOf } from '#contract/kernel/decimal.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import type { Cell, ReportRow } from './report-table.ts'

/** Decimals that sums of a kind are kept with. */
const scales = { integer: 0, money: 2, decimal: 9 } as const

export interface ReportSums {
  add(row: ReportRow): void
  rows(): number
  totals(): Cell[]
}

/** Adds rows up. Where no row has a value the sum is empty, as the rows are. */
export function reportSums(columns: readonly ReportColumn[]): ReportSums {
  const sums: (bigint | null)[] = columns.map(() => null)
  const scaleOf = columns.map((column) => scaleOfColumn(column))
  let rows = 0
  return {
    add(row) {
      rows += 1
      for (const [place, scale] of scaleOf.entries()) {
        const cell = row[place]
        if (scale !== null && cell !== null && cell !== undefined) sums[place] = (sums[place] ?? 0n) + unitsOf(cell, scale)
      }
    },
    rows: () => rows,
    totals: () => sums.map((sum, place) => totalText(sum, scaleOf[place] ?? null)),
  }
}

/** The decimals of a column's sum; null where it has none. */
export function scaleOfColumn({ kind, total }: ReportColumn): number | null {
  if (!total) return null
  return kind === 'integer' || kind === 'money' || kind === 'decimal' ? scales[kind] : null
}

function totalText(sum: bigint | null, scale: number | null): Cell {
  if (sum === null || scale === null) return null
  const text = decimalOfUnits(sum, scale)
  return scale === scales.decimal ? withoutZeros(text) : text
}

/** '12.500000' as '12.5': quantities lose the zeros that they end in. */
export function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
