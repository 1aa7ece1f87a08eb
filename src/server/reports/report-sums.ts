/** The exact column totals of a report: amounts in cents, quantities in billionths. */
import { decimalOfUnits, unitsOf } from '#contract/kernel/decimal.ts'
import type { ReportColumn } from '#contract/reports/report-form.ts'
import type { Cell, ReportRow } from './report-table.ts'

/** Decimal places of totals by kind. */
const scales = { integer: 0, money: 2, decimal: 9 } as const

export interface ReportSums {
  add(row: ReportRow): void
  rows(): number
  totals(): Cell[]
}

/** Adds up rows. If no row has a value, the total is empty too. */
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

/** Returns the decimal places of a column's total; null if it has none. */
export function scaleOfColumn({ kind, total }: ReportColumn): number | null {
  if (!total) return null
  return kind === 'integer' || kind === 'money' || kind === 'decimal' ? scales[kind] : null
}

function totalText(sum: bigint | null, scale: number | null): Cell {
  if (sum === null || scale === null) return null
  const text = decimalOfUnits(sum, scale)
  return scale === scales.decimal ? withoutZeros(text) : text
}

/** Returns '12.5' for '12.500000': quantities lose their trailing zeros. */
export function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
