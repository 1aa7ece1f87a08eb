/** Reads the table. Its shape is checked here, so that an error in it is reported with its line. */
import { columnNames, type ColumnName } from './principals.ts'
import { table } from './table.ts'

/** In the order of the table's letters. */
export const relationsOf = {
  record: ['own', 'outside', 'sibling', 'foreign', 'crossed', 'missing', 'absent'],
  client: ['own', 'sibling', 'foreign', 'absent'],
  partner: ['own', 'foreign', 'missing'],
  shared: ['there', 'missing'],
  one: ['any'],
  person: ['mine', 'theirs', 'missing'],
  signed: ['valid', 'broken'],
} as const
export type Shape = keyof typeof relationsOf
export type Relation = (typeof relationsOf)[Shape][number]
export type Outcome = '+' | '!' | '-' | '.' | 'x'

/** One request: the caller, the target, and the expected outcome. */
export interface Cell {
  readonly who: ColumnName | 'out'
  readonly relation: Relation
  readonly expected: Outcome
  /** The callers among the users of a column; all of them unless it is set. */
  readonly by?: readonly string[]
}

export interface Row {
  /** As in the table, including `call#word`. */
  readonly name: string
  readonly callName: string
  readonly shape: Shape
  readonly cells: readonly Cell[]
}

export function readTable(text: string = table): Row[] {
  const rows: Row[] = []
  let shape: Shape | undefined
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/)
    if (words[0] === '' || words[0] === 'out') continue
    if (words[0] === '==') shape = shapeIn(line)
    else if (shape) rows.push(rowIn(words, shape))
    else throw new Error(`the table has a row before its section: ${line}`)
  }
  const twice = rows.filter((row, at) => rows.findIndex((other) => other.name === row.name) !== at)
  if (twice.length > 0) throw new Error(`the table has two rows for ${twice.map((row) => row.name).join(', ')}`)
  return rows
}

function shapeIn(line: string): Shape {
  for (const shape of ['record', 'client', 'partner', 'shared', 'one', 'person', 'signed'] as const) {
    if (line.trim() === `== ${shape}: ${relationsOf[shape].join(' ')}`) return shape
  }
  throw new Error(`the table has no such section: ${line}`)
}

function rowIn([name = '', out = '', ...columns]: readonly string[], shape: Shape): Row {
  const relations: readonly Relation[] = relationsOf[shape]
  if (columns.length !== columnNames.length) throw new Error(`${name} has ${columns.length} columns, not ${columnNames.length}`)
  const cells = [
    ['out', out.length === 1 ? out.repeat(relations.length) : out] as const,
    ...columnNames.map((who, at) => [who, columns[at] ?? ''] as const),
  ]
  return {
    name,
    callName: name.replace(/#.*/, ''),
    shape,
    cells: cells.flatMap(([who, letters]) => cellsOf(name, who, letters, relations)),
  }
}

function cellsOf(name: string, who: Cell['who'], letters: string, relations: readonly Relation[]): Cell[] {
  if (letters.length !== relations.length) throw new Error(`${name}: ${who} needs ${relations.length} letters, not ${letters}`)
  return relations.map((relation, at) => ({ who, relation, expected: outcomeOf(letters[at] ?? '', name) }))
}

function outcomeOf(letter: string, name: string): Outcome {
  for (const known of ['+', '!', '-', '.', 'x'] as const) if (letter === known) return known
  throw new Error(`${name} has a letter that means nothing: ${letter}`)
}
