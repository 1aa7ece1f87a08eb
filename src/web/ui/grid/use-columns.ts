import { useMemo } from 'react'
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
  type TableOptions,
} from '@tanstack/react-table'
import type { GridColumn, GridLayout, GridTotals } from './grid-types.ts'
import { columnWidth, growsFreely, resolveLayout } from './layout.ts'

const features = tableFeatures({ columnOrderingFeature, columnPinningFeature, columnSizingFeature, columnVisibilityFeature })
type Nothing = Record<string, never>
const noData: Nothing[] = []

export const SELECT_WIDTH = 36
export const ACTIONS_WIDTH = 40

export type ShownColumn<Row> = {
  column: GridColumn<Row>
  pinned: boolean
  /** The last pinned column, after which the scrolling part begins. */
  lastPinned: boolean
}

export type ShownColumns<Row> = {
  /** The layout in use. */
  layout: GridLayout
  /** Visible columns in their order, pinned ones first. The same array as long as no column is added, removed or moved. */
  shown: readonly ShownColumn<Row>[]
  /** CSS variables that position the cells; a change of widths changes only these and rerenders no row. */
  style: Readonly<Record<`--${string}`, string>>
}

type Input<Row> = {
  columns: readonly GridColumn<Row>[]
  layout: GridLayout | null | undefined
  /** The temporary width (px) of a column that is being resized. */
  resizing: { key: string; width: number } | null
  hasSelect: boolean
  hasActions: boolean
  /** A column is wide enough for the sums below it. */
  totals: readonly GridTotals[] | undefined
}

/** Returns the shown columns with their order and widths. */
export function useColumns<Row>({ columns, layout: changed, resizing, hasSelect, hasActions, totals }: Input<Row>): ShownColumns<Row> {
  const layout = useMemo(() => resolveLayout(columns, changed), [columns, changed])
  const defs = useMemo(() => columnDefs(columns), [columns])
  const widths = resizing ? { ...layout.widths, [resizing.key]: resizing.width } : layout.widths
  const { order, hidden, pinned } = layout
  const table = useTable({
    features,
    columns: defs,
    data: noData,
    state: {
      columnOrder: [...order],
      columnVisibility: Object.fromEntries(hidden.map((key) => [key, false])),
      columnPinning: { start: [...pinned], end: [] },
      columnSizing: Object.fromEntries(columns.map((column) => [column.key, columnWidth(column, widths, totals)])),
    },
  })
  const leaves = [...table.getStartVisibleLeafColumns(), ...table.getCenterVisibleLeafColumns()]
  const structure = leaves.map((leaf) => `${leaf.id}${leaf.getIsPinned() ? '|' : ''}`).join('\n')
  const shown = useMemo(() => shownOf(columns, structure), [columns, structure])
  const lead = hasSelect ? SELECT_WIDTH : 0
  const tracks = leaves.map((leaf) => {
    const column = columns.find((one) => one.key === leaf.id)
    const grows = column && resizing?.key !== leaf.id && growsFreely(column, layout)
    return grows ? `minmax(${leaf.getSize()}px, ${leaf.getSize()}fr)` : `${leaf.getSize()}px`
  })
  const filler = tracks.some((track) => track.startsWith('minmax')) ? [] : ['1fr']
  const pins = table.getStartVisibleLeafColumns().map((leaf, index) => [`--pin-${index}`, `${lead + leaf.getStart('start')}px`])
  return {
    layout,
    shown,
    style: {
      '--tracks': [...(lead ? [`${lead}px`] : []), ...tracks, ...filler, ...(hasActions ? [`${ACTIONS_WIDTH}px`] : [])].join(' '),
      '--print-tracks': leaves.map((leaf) => `minmax(0, ${leaf.getSize()}fr)`).join(' '),
      '--width': `${lead + table.getTotalSize() + (hasActions ? ACTIONS_WIDTH : 0)}px`,
      '--pinned-width': `${lead + table.getStartTotalSize()}px`,
      ...Object.fromEntries(pins),
    },
  }
}

function columnDefs<Row>(columns: readonly GridColumn<Row>[]): TableOptions<typeof features, Nothing>['columns'] {
  return columns.map((column) => ({ id: column.key, header: column.label, minSize: 0 }))
}

function shownOf<Row>(columns: readonly GridColumn<Row>[], structure: string): readonly ShownColumn<Row>[] {
  return structure.split('\n').flatMap((name, index, names) => {
    const pinned = name.endsWith('|')
    const key = pinned ? name.slice(0, -1) : name
    const column = columns.find((one) => one.key === key)
    return column ? [{ column, pinned, lastPinned: pinned && !names[index + 1]?.endsWith('|') }] : []
  })
}
