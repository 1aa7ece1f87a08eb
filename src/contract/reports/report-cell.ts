import { formatDate, formatMonth } from '../kernel/date.ts'
import { formatDecimal } from '../kernel/decimal.ts'
import { formatAmount } from '../kernel/money.ts'
import type { ReportColumnKind } from './report-form.ts'

/** Most decimals that are shown; the CSV has all of them. */
const DECIMALS_MAX = 4

/** Formats a cell of a report for people, on paper and in the preview. */
export function shownCell(kind: ReportColumnKind, cell: string | null): string {
  if (cell === null || cell === '') return ''
  switch (kind) {
    case 'text':
      return cell
    case 'date':
      return formatDate(cell)
    case 'month':
      return formatMonth(cell)
    case 'money':
      return formatAmount(cell)
    case 'integer':
      return formatDecimal(cell, 0)
    case 'decimal':
      return formatDecimal(cell, Math.min(DECIMALS_MAX, cell.split('.')[1]?.length ?? 0))
    case 'percent':
      return `${formatDecimal(cell, 2)}%`
  }
}
