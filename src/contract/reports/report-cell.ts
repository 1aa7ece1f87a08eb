import { formatDate, formatMonth } from '../kernel/date.ts'
import { formatDecimal } from '../kernel/decimal.ts'
import { formatAmount } from '../kernel/money.ts'
import type { ReportColumnKind } from './report-form.ts'

/** More decimals than this nobody reads; the CSV has them all. */
const DECIMALS_MAX = 4

/** A cell of a report as people read it, on paper and in the preview. */
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
      return `${formatDecimal(cell, 2)} %`
  }
}
