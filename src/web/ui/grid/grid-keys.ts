export type CellPlace = { row: number; col: number }
export type GridSize = { rows: number; cols: number; /** Rows that PageUp and PageDown move by. */ page: number }

/** Row −1 is the header. */
export const HEADER_ROW = -1

export type KeyStroke = { key: string; ctrlKey: boolean; metaKey: boolean }

/** Returns the cell that a key moves to; undefined for keys that don't move. The letters j and k move as in mail programs. */
export function movedPlace(stroke: KeyStroke, { row, col }: CellPlace, { rows, cols, page }: GridSize): CellPlace | undefined {
  const far = stroke.ctrlKey || stroke.metaKey
  const to = (nextRow: number, nextCol: number): CellPlace => ({
    row: Math.max(HEADER_ROW, Math.min(rows - 1, nextRow)),
    col: Math.max(0, Math.min(cols - 1, nextCol)),
  })
  switch (stroke.key) {
    case 'j':
      return far ? undefined : to(row + 1, col)
    case 'k':
      return far ? undefined : to(row - 1, col)
    case 'ArrowDown':
      return to(far ? rows - 1 : row + 1, col)
    case 'ArrowUp':
      return to(far ? 0 : row - 1, col)
    case 'ArrowRight':
      return to(row, far ? cols - 1 : col + 1)
    case 'ArrowLeft':
      return to(row, far ? 0 : col - 1)
    case 'Home':
      return to(far ? 0 : row, 0)
    case 'End':
      return to(far ? rows - 1 : row, cols - 1)
    case 'PageDown':
      return to(row + page, col)
    case 'PageUp':
      return to(Math.max(row === HEADER_ROW ? HEADER_ROW : 0, row - page), col)
    default:
      return undefined
  }
}
