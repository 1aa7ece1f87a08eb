/** The columns of the comparison: how its rows sort, and the file of all rows and months. Pure. */
import { forecastLabels } from '#contract/budgets/budget-figures.ts'
import { budgetPartLabels, type BudgetMonth, type BudgetRow, type BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { compareDecimals } from '#contract/kernel/decimal.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { csvText } from '../kernel/csv-text.ts'

export const varianceColumns = [
  { key: 'budget', label: 'Budget' },
  { key: 'actual', label: 'Actual' },
  { key: 'variance', label: 'Variance' },
  { key: 'variance_percent', label: 'Variance %' },
  { key: 'forecast', label: 'Forecast' },
  { key: 'forecast_variance', label: 'Forecast − Budget' },
] as const
export type VarianceKey = (typeof varianceColumns)[number]['key']
export const DEFAULT_ORDER = '-variance'

/** Rows without a value are last in either direction of the sort. */
export function sortedRows(rows: readonly BudgetRow[], order: string): readonly BudgetRow[] {
  const sign = order.startsWith('-') ? -1 : 1
  const key = varianceColumns.find((column) => column.key === order.replace('-', ''))?.key
  if (key === undefined) return rows.toSorted((a, b) => sign * naturalOrder(a.name, b.name))
  return rows.toSorted((a, b) => {
    const [one, other] = [a[key], b[key]]
    if (one === null || other === null) return one === other ? naturalOrder(a.name, b.name) : one === null ? 1 : -1
    return sign * compareDecimals(one, other) || naturalOrder(a.name, b.name)
  })
}

/** A line for each row and month, with all digits. */
export function varianceCsv({ parts }: Pick<BudgetVariance, 'parts'>, rows: readonly BudgetRow[]): string {
  const head = [
    budgetPartLabels[parts],
    'Place',
    'Month',
    'Budget',
    'Actual',
    'Billed',
    'Complete',
    'Compared Budget',
    'Compared Actual',
    'Variance',
    'Variance %',
    'Forecast',
    'Forecast By',
  ]
  return csvText([head, ...rows.flatMap((row) => row.months.map((month) => [row.name, row.place ?? '', ...cellsOf(month)]))])
}

function cellsOf(month: BudgetMonth): string[] {
  return [
    month.month,
    month.budget ?? '',
    month.actual,
    month.coverage ?? '',
    month.complete ? 'Yes' : 'No',
    month.compared_budget ?? '',
    month.compared_actual ?? '',
    month.variance ?? '',
    month.variance_percent ?? '',
    month.forecast ?? '',
    month.forecast_basis === null ? '' : forecastLabels[month.forecast_basis],
  ]
}
