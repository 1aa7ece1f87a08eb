import { useState } from 'react'
import type { CellMark, GridColumn, RowId, RowMarks } from './grid-types.ts'

/** Milliseconds for which a cell is marked as saved. */
const SAVED_MARK_MS = 1500
/** Number of cells of a pasted block that are saved at a time. */
const PASTE_LANES = 4

export type CellEdits<Row, Id extends RowId> = {
  marks: ReadonlyMap<Id, RowMarks>
  /** Saves one cell; a value equal to the current one is not sent. */
  save: (row: Row, column: GridColumn<Row>, text: string) => Promise<void>
  /** Saves a pasted block cell by cell, a few at a time. */
  saveAll: (cells: ReadonlyArray<{ row: Row; column: GridColumn<Row>; text: string }>) => Promise<void>
}

/** Saves edited cells and keeps for each whether it is pending, saved or failed. */
export function useCellEdits<Row, Id extends RowId>(rowId: (row: Row) => Id): CellEdits<Row, Id> {
  const [marks, setMarks] = useState<ReadonlyMap<Id, RowMarks>>(new Map())
  const mark = (id: Id, key: string, next: CellMark | undefined) => setMarks((before) => withMark(before, id, key, next))

  const save = async (row: Row, column: GridColumn<Row>, text: string) => {
    if (!column.edit || column.edit.lockedReason?.(row) !== undefined) return
    const id = rowId(row)
    const meant = column.edit.parse?.(text, row) ?? { value: text }
    if ('error' in meant) return mark(id, column.key, { state: 'failed', text, message: meant.error })
    if (meant.value === column.edit.value(row)) return mark(id, column.key, undefined)
    mark(id, column.key, { state: 'saving', text })
    try {
      await column.edit.save(row, meant.value)
      mark(id, column.key, { state: 'saved', text })
      setTimeout(
        () =>
          setMarks((before) => (before.get(id)?.[column.key]?.state === 'saved' ? withMark(before, id, column.key, undefined) : before)),
        SAVED_MARK_MS,
      )
    } catch (error) {
      mark(id, column.key, { state: 'failed', text, message: error instanceof Error ? error.message : 'Not saved' })
    }
  }

  const saveAll: CellEdits<Row, Id>['saveAll'] = async (cells) => {
    const waiting = [...cells]
    const lane = async () => {
      for (let cell = waiting.shift(); cell; cell = waiting.shift()) await save(cell.row, cell.column, cell.text)
    }
    await Promise.all(Array.from({ length: PASTE_LANES }, lane))
  }
  return { marks, save, saveAll }
}

function withMark<Id extends RowId>(
  marks: ReadonlyMap<Id, RowMarks>,
  id: Id,
  key: string,
  next: CellMark | undefined,
): ReadonlyMap<Id, RowMarks> {
  const { [key]: _old, ...others } = marks.get(id) ?? {}
  return new Map(marks).set(id, next ? { ...others, [key]: next } : others)
}

/** Splits a pasted block into rows of cells; spreadsheets end it with a line break. */
export function parseBlock(text: string): readonly (readonly string[])[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()))
}
