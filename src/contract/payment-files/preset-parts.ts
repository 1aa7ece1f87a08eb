/** The parts that ready-made layouts are put together from. */
import { layout, type Layout, type LayoutColumn } from './layout.ts'
import type { ColumnSource } from './layout-sources.ts'

type Shape = Omit<Partial<Layout>, 'columns'>
type Column = readonly [heading: string, source: ColumnSource | null, more?: Partial<LayoutColumn>]

export const cut = { too_long: 'cut' } as const
export const needed = { required: true } as const

export const register: Shape = { kind: 'delimited', heading: true, total_row: true, formulas: 'quote' }

export function preset(shape: Shape, columns: readonly Column[]): Layout {
  return layout.parse({ ...shape, columns: columns.map(([heading, source, more]) => ({ heading, source, ...more })) })
}
