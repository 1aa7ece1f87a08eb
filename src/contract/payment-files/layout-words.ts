/** A layout in words, for people who read no columns. */
import type { Layout, LayoutColumn } from './layout.ts'
import { columnSources } from './layout-sources.ts'

export const delimiterLabels = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '|', label: 'Pipe' },
  { value: '\t', label: 'Tab' },
] as const

/** 'Text with commas, one row for each bill, 16 columns, with a heading and a last row of totals; dates as MM/DD/YYYY; amounts in dollars.' */
export function layoutWords(layout: Layout): string {
  const { columns, grain } = layout
  const size = columns.reduce((sum, { width }) => sum + (width ?? 0), 0)
  const delimiter = delimiterLabels.find(({ value }) => value === layout.delimiter)?.label.toLowerCase() ?? 'delimiter'
  const kind = layout.kind === 'fixed' ? `Lines of ${size} characters` : `Text with a ${delimiter} between columns`
  const count = columns.length === 1 ? '1 column' : `${columns.length} columns`
  return `${[kind, `one row for each ${grain}`, count, edges(layout)].filter(Boolean).join(', ')}; ${formats(columns)}.`
}

function edges({ heading, total_row }: Layout): string {
  const parts = [...(heading ? ['a heading'] : []), ...(total_row ? ['a last row of totals'] : [])]
  return parts.length === 0 ? 'without a heading' : `with ${parts.join(' and ')}`
}

function formats(columns: readonly LayoutColumn[]): string {
  const kindOf = ({ source }: LayoutColumn) => (source === null ? 'text' : columnSources[source].kind)
  const dates = [...new Set(columns.filter((column) => kindOf(column) === 'date').map(({ date }) => date))]
  const amounts = [...new Set(columns.filter((column) => kindOf(column) === 'amount').map(({ amount }) => amount))]
  return [
    dates.length === 0 ? 'no dates' : `dates as ${dates.join(' and ')}`,
    `amounts ${amounts.map((amount) => (amount === 'point' ? 'with a point' : 'in whole cents')).join(' and ')}`,
  ].join('; ')
}
