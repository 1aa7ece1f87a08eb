/** The columns of the table of parts: what stands in them, how they sort, and what of them goes into the file. Pure. */
import { basisLabels, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { benchmarkMeasures, type BenchmarkMeasure, type ChildFigures, type ChildRow } from '#contract/dashboard/dashboard-children.ts'
import type { Compared } from '#contract/dashboard/dashboard.ts'
import { bandLabels } from '#contract/dashboard/benchmark.ts'
import { compareDecimals, minus } from '#contract/kernel/decimal.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { csvText } from '../kernel/csv-text.ts'
import type { MetricKind } from './metric-text.ts'

export type MeasureKey = 'cost' | 'cost_per_sqft' | 'energy_per_sqft' | 'usage_per_sqft' | 'usage' | 'mtc02e'

export interface Measure {
  readonly key: MeasureKey
  readonly label: string
  readonly kind: MetricKind
}

/** `isEnergy`: usage is energy of several services, not one service's own. */
export function measuresOf(isEnergy: boolean, unit: string | null): readonly Measure[] {
  const usage = isEnergy ? 'Energy' : 'Usage'
  return [
    { key: 'cost', label: 'Cost', kind: 'money' },
    { key: 'cost_per_sqft', label: '$/sq ft', kind: 'per_area' },
    { key: 'energy_per_sqft', label: 'kBtu/sq ft', kind: 'ratio' },
    ...(isEnergy ? [] : [{ key: 'usage_per_sqft', label: `${unit ?? 'Usage'}/sq ft`, kind: 'small_ratio' } as const]),
    { key: 'usage', label: unit === null ? usage : `${usage}, ${unit}`, kind: 'usage' },
    { key: 'mtc02e', label: 'Tonnes CO2e', kind: 'tonnes' },
  ]
}

/** The amount of a change, like for like; null where no change can be told. */
export function amountOf({ like_for_like: like, change }: Compared): string | null {
  return change === null || like.current === null || like.previous === null ? null : minus(like.current, like.previous)
}

/** Sort keys: 'name', 'area', 'coverage', a measure, or its change as 'cost_change'. With a minus the largest come first. */
export function sortedChildren(rows: readonly ChildRow[], order: string): readonly ChildRow[] {
  const isDown = order.startsWith('-')
  const key = isDown ? order.slice(1) : order
  if (key === 'name') return rows.toSorted((a, b) => (isDown ? -1 : 1) * naturalOrder(a.name, b.name))
  const valueOf = valueFor(key)
  return rows.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)]
    // Rows without a value are last in either direction of the sort.
    if (one === null || other === null) return one === other ? naturalOrder(a.name, b.name) : one === null ? 1 : -1
    return (isDown ? -1 : 1) * compareDecimals(one, other) || naturalOrder(a.name, b.name)
  })
}

function valueFor(key: string): (row: ChildFigures) => string | null {
  if (key === 'area') return (row) => row.area
  if (key === 'coverage') return (row) => row.coverage.current
  const measure = measuresOf(false, null).find((one) => key === one.key || key === `${one.key}_change`)?.key ?? 'cost'
  return (row) => (key.endsWith('_change') ? amountOf(row[measure]) : row[measure].current)
}

/** The file: every figure with all its digits, both periods and the change, and the basis, a line a row. */
export function childrenCsv(rows: readonly ChildRow[], kind: string, basis: DashboardBasis): string {
  const measures = measuresOf(false, null)
  const isCompared = rows.some((row) => row.benchmark !== null)
  const head = [
    kind,
    'Place',
    'Square Footage',
    'Usage Unit',
    ...measures.flatMap(({ label }) => [label, `${label} Previous`, `${label} Change %`]),
    'Billed',
    'Billed Previous',
    ...(isCompared ? benchmarkHead : []),
    'Basis',
  ]
  const lines = rows.map((row) => [
    row.name,
    row.place ?? '',
    row.area ?? row.notes.cost_per_sqft ?? '',
    row.unit_symbol ?? '',
    ...measures.flatMap(({ key }) => [row[key].current ?? '', row[key].previous ?? '', row[key].change ?? '']),
    row.coverage.current ?? '',
    row.coverage.previous ?? '',
    ...(isCompared ? benchmarkCells(row) : []),
    basisLabels[basis],
  ])
  return csvText([head, ...lines])
}

export const benchmarkLabels: Readonly<Record<BenchmarkMeasure, string>> = {
  cost_per_sqft: '$/sq ft',
  energy_per_sqft: 'kBtu/sq ft',
  usage_per_sqft: 'Usage/sq ft',
}
const benchmarkHead = [
  'Not Ranked',
  ...benchmarkMeasures.flatMap((measure) => [`${benchmarkLabels[measure]} Rank`, `${benchmarkLabels[measure]} Band`]),
]

function benchmarkCells({ benchmark }: ChildRow): string[] {
  return [
    benchmark?.unranked ?? '',
    ...benchmarkMeasures.flatMap((measure) => {
      const standing = benchmark?.[measure]
      return standing ? [String(standing.rank), bandLabels[standing.band]] : ['', '']
    }),
  ]
}
