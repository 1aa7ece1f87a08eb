import { useMemo, useState } from 'react'
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
  type TableOptions,
} from '@tanstack/react-table'
import type { GridColumn, GridLayout, GridTotals, ShownColumn } from './grid-types.ts'
import { columnWidth, growsFreely, resolveLayout, widthByContent } from './layout.ts'
import { useWantedWidths, type WantedWidths } from './use-wanted-widths.ts'

const features = tableFeatures({ columnOrderingFeature, columnPinningFeature, columnSizingFeature, columnVisibilityFeature })
type Nothing = Record<string, never>
const noData: Nothing[] = []

export const SELECT_WIDTH = 36
export const ACTIONS_WIDTH = 40

export type ShownColumns<Row> = {
  /** The layout in use. */
  layout: GridLayout
  /** Visible columns in their order, pinned ones first. The same array as long as no column is added, removed or moved. */
  shown: readonly ShownColumn<Row>[]
  /** CSS variables that position the cells; a change of widths changes only these and rerenders no row. */
  style: Readonly<Record<`--${string}`, string>>
}

type Input<Row> = {
  root: HTMLElement | null
  rows: readonly Row[]
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
export function useColumns<Row>(input: Input<Row>): ShownColumns<Row> {
  const { root, rows, columns, layout: changed, resizing, hasSelect, hasActions, totals } = input
  const [wanted, setWanted] = useState<WantedWidths>({})
  const layout = useMemo(() => resolveLayout(columns, changed), [columns, changed])
  const defs = useMemo(() => columnDefs(columns), [columns])
  const widths = resizing ? { ...layout.widths, [resizing.key]: resizing.width } : layout.widths
  const { order, hidden, pinned } = layout
  const sizes = new Map(
    columns.map((column) => {
      const width = columnWidth(column, widths, totals)
      if (widths[column.key] !== undefined) return [column.key, { width, share: null }]
      const isSummed = totals?.some(({ values }) => typeof values[column.key] === 'string') === true
      const content = wanted[column.key]
      const widest = isSummed && content !== undefined ? Math.max(content, width) : content
      return [column.key, widthByContent(column, { width, wanted: widest, grows: growsFreely(column, layout) })]
    }),
  )
  const table = useTable({
    features,
    columns: defs,
    data: noData,
    state: {
      columnOrder: [...order],
      columnVisibility: Object.fromEntries(hidden.map((key) => [key, false])),
      columnPinning: { start: [...pinned], end: [] },
      columnSizing: Object.fromEntries([...sizes].map(([key, { width }]) => [key, width])),
    },
  })
  const leaves = [...table.getStartVisibleLeafColumns(), ...table.getCenterVisibleLeafColumns()]
  const structure = leaves.map((leaf) => `${leaf.id}${leaf.getIsPinned() ? '|' : ''}`).join('\n')
  const shown = useMemo(() => shownOf(columns, structure), [columns, structure])
  const lead = hasSelect ? SELECT_WIDTH : 0
  useWantedWidths({ root, rows, shown, lead: hasSelect ? 1 : 0, setWanted })
  const shareOf = (key: string) => sizes.get(key)?.share ?? null
  const tracks = leaves.map((leaf) => {
    const share = shareOf(leaf.id)
    return share === null ? `${leaf.getSize()}px` : `minmax(${leaf.getSize()}px, ${share}fr)`
  })
  const filler = tracks.some((track) => track.startsWith('minmax')) ? [] : ['1fr']
  const pins = table.getStartVisibleLeafColumns().map((leaf, index) => [`--pin-${index}`, `${lead + leaf.getStart('start')}px`])
  return {
    layout,
    shown,
    style: {
      '--tracks': [...(lead ? [`${lead}px`] : []), ...tracks, ...filler, ...(hasActions ? [`${ACTIONS_WIDTH}px`] : [])].join(' '),
      '--print-tracks': leaves.map((leaf) => `minmax(0, ${shareOf(leaf.id) ?? leaf.getSize()}fr)`).join(' '),
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
