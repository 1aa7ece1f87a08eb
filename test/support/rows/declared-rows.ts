/** Reads the rows that the program's statements declare: each `sql<Row>` of the sources, with the text between its parameters. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor, type ESTree } from 'vite'
import { moduleOf, type Module } from './module-types.ts'
import { resolveType } from './resolve-type.ts'
import type { Shape } from './shape.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** A statement with a declared row. Its name stays the same when lines move. */
export interface DeclaredRow {
  place: string
  name: string
  type: string
  shape: Shape
  /** The statement's text between its parameters, by which one that is sent is found. */
  key: string
}

/** Returns the key of a statement by the parts of its template. */
export function keyOf(parts: readonly string[]): string {
  return parts.join('\0')
}

/** Reads all of them, without those of single values, which are conditions and columns. */
export function readDeclaredRows(): DeclaredRow[] {
  const paths = globSync('src/server/**/*.ts', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  return paths
    .toSorted()
    .filter((path) => !path.endsWith('.test.ts') && readFileSync(join(ROOT, path), 'utf8').includes('sql<'))
    .flatMap((path) => numbered(rowsOf(moduleOf(path))))
}

/** A function may declare the same row twice. */
function numbered(rows: readonly DeclaredRow[]): DeclaredRow[] {
  return [...Map.groupBy(rows, ({ name }) => name).values()].flatMap((alike) =>
    alike.map((row, place) => (place === 0 ? row : { ...row, name: `${row.name} #${place + 1}` })),
  )
}

/** Returns the rows that a module declares. */
export function rowsOf(module: Module): DeclaredRow[] {
  const found: DeclaredRow[] = []
  const within: string[] = []
  const leave = (): void => void within.pop()
  new Visitor({
    FunctionDeclaration: (node) => void within.push(node.id?.name ?? ''),
    'FunctionDeclaration:exit': leave,
    VariableDeclarator: (node) => void within.push(node.id.type === 'Identifier' ? node.id.name : ''),
    'VariableDeclarator:exit': leave,
    TaggedTemplateExpression: (node) => {
      const row = rowOf(node, module, within.find((name) => name !== '') ?? '')
      if (row) found.push(row)
    },
  }).visit(module.program)
  return found
}

function rowOf(node: ESTree.TaggedTemplateExpression, module: Module, within: string): DeclaredRow | undefined {
  const [type] = node.typeArguments?.params ?? []
  if (!type || node.tag.type !== 'Identifier' || node.tag.name !== 'sql') return undefined
  const words = module.text.slice(type.start, type.end).replaceAll(/\s+/g, ' ')
  if (words === 'SqlBool') return undefined
  const shape = resolveType(type, module)
  if (!shape.kinds.has('object') && !shape.kinds.has('unresolved')) return undefined
  const path = module.path.replace('src/server/', '')
  const line = module.text.slice(0, node.start).split('\n').length
  const key = keyOf(node.quasi.quasis.map(({ value }) => value.cooked ?? ''))
  return { place: `${module.path}:${line}`, name: `${path}: ${within}: ${words}`, type: words, shape, key }
}
