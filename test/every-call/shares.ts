/**
 * The part of a row that the daily run asks; `EVERY_CELL=1`, which the deep run sets, asks all of it.
 *
 * Every caller asks about the first relation, where he may have a right that others lack. Callers who reach the same places, and for whom the
 * row has the same letters, share the other relations in turn: each relation of each call is asked by one of them. So do the four who are not
 * signed in, because their requests are refused before the path is read. The turns begin elsewhere in each row.
 */
import { strangerNames, type ColumnName } from './principals.ts'
import { relationsOf, type Cell, type Relation, type Row } from './rows.ts'

const asksAll = process.env['EVERY_CELL'] === '1'

/** Columns that reach the same places. */
export const alike: readonly (readonly ColumnName[])[] = [
  ['super', 'muc'],
  ['admin', 'manager', 'reader'],
  ['narrow', 'user'],
]

/** `place` is the number of the row in the table. */
export function askedPart(row: Row, place: number, isWhole = asksAll): Row {
  return isWhole ? row : { ...row, cells: row.cells.flatMap((cell) => askedCell(row, cell, place)) }
}

function askedCell(row: Row, cell: Cell, place: number): Cell[] {
  const at = positionOf(row, cell.relation)
  if (cell.who === 'out') return strangersFor(row, cell, place + at)
  // Users who have lost their rights ask where they had them.
  if (cell.who === 'nobody') return [at === 0 ? cell : { ...cell, by: ['nobody'] }]
  return at === 0 || hasTurn(sharersOf(row, cell.who), cell.who, place + at) ? [cell] : []
}

/** Returns the columns that share the relations of this row with `who`, including it. */
export function sharersOf(row: Row, who: Cell['who']): readonly Cell['who'][] {
  const letters = lettersOf(row, who)
  return alike.find((columns) => columns.some((column) => column === who))?.filter((column) => lettersOf(row, column) === letters) ?? [who]
}

/** Returns true if it is this one's turn among all. */
export function hasTurn<T>(all: readonly T[], one: T, turn: number): boolean {
  return all[turn % all.length] === one
}

export function positionOf({ shape }: Row, relation: Relation): number {
  const relations: readonly Relation[] = relationsOf[shape]
  return relations.indexOf(relation)
}

function lettersOf({ cells }: Row, who: Cell['who']): string {
  return cells.flatMap((cell) => (cell.who === who ? [cell.expected] : [])).join('')
}

/** Each of the four asks about at least one relation, and each relation is asked about by at least one of them. */
function strangersFor(row: Row, cell: Cell, turn: number): Cell[] {
  // A call that is open to everybody answers each of them.
  if (cell.expected !== 'x') return [cell]
  const turns = Math.min(strangerNames.length, relationsOf[row.shape].length)
  const by = strangerNames.filter((_, one) => (one + turn) % turns === 0)
  return by.length === 0 ? [] : [{ ...cell, by }]
}
