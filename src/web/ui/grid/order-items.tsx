import { MenuItem, MenuSeparator } from '../menu.tsx'
import type { GridOrder } from './grid-types.ts'

export type OrderItemsProps<Row> = { order: GridOrder<Row>; row: Row; move: (row: Row, by: number) => void }

const moves = [
  { by: -1, label: 'Move up', keys: 'alt+arrowup' },
  { by: 1, label: 'Move down', keys: 'alt+arrowdown' },
  { by: Number.NEGATIVE_INFINITY, label: 'Move to the top' },
  { by: Number.POSITIVE_INFINITY, label: 'Move to the bottom' },
] as const

/** Menu items that move the row. */
export function OrderItems<Row>({ order, row, move }: OrderItemsProps<Row>) {
  return (
    <>
      <MenuSeparator />
      {moves.map((one) => (
        <MenuItem
          key={one.label}
          keys={'keys' in one ? one.keys : undefined}
          disabledReason={order.refused?.(row, one.by)}
          onSelect={() => move(row, one.by)}
        >
          {one.label}
        </MenuItem>
      ))}
    </>
  )
}
