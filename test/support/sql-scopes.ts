/** Reads the structure of a SQL statement: its queries, the tables of each, and what each compares `client_id` with. No full parser. */

/** A word, number, parameter or mark, or the content of a pair of parentheses. */
export type Item = string | readonly Item[]

/** A table in a query, with the name by which the query refers to it. */
export interface NamedTable {
  readonly table: string
  readonly alias: string
}

/** One `select`, `insert`, `update` or `delete`, without the queries inside it. */
export interface Scope {
  readonly items: readonly Item[]
  /** The tables that it reads or changes; the target of an insert is none of them. */
  readonly tables: readonly NamedTable[]
}

const TOKEN = /'(?:''|[^'])*'|"[^"]+"|--[^\n]*|\/\*[\s\S]*?\*\/|\$\d+|[\w$]+|::|[<>=!~@|&#?^*/%+-]+|\S/g
const COMMON_TABLE =
  /(?:\bwith|\brecursive|,|\))\s*(\w+)\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s*)?\(\s*(?:select|insert|update|delete|with|values)\b/gi
const VERBS = new Set(['select', 'insert', 'update', 'delete', 'with', 'values'])
const SET_OPERATIONS = new Set(['union', 'except', 'intersect'])
const ENDS_OF_FROM = new Set(['where', 'group', 'order', 'limit', 'offset', 'having', 'window', 'for', 'returning', 'set', 'select'])
const JOIN_WORDS = [
  'on',
  'join',
  'left',
  'right',
  'full',
  'inner',
  'cross',
  'using',
  'natural',
  'tablesample',
  'values',
  'as',
  'lateral',
  'overriding',
]
const NO_ALIAS = new Set([...ENDS_OF_FROM, ...JOIN_WORDS])

/** Returns the queries of a statement, the outer ones first. A common table expression is no table. */
export function scopesOf(text: string): Scope[] {
  const own = new Set([...text.matchAll(COMMON_TABLE)].map(([, name = '']) => name.toLowerCase()))
  return queriesIn(groupsOf(text)).map(({ items, tables }) => ({ items, tables: tables.filter(({ table }) => !own.has(table)) }))
}

/** Returns the words of a query with those in its parentheses, but not those of the queries inside it. */
export function wordsOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => (typeof item === 'string' ? [item] : isQuery(item) ? [] : ['(', ...wordsOf(item), ')']))
}

function groupsOf(text: string): Item[] {
  const root: Item[] = []
  const open: Item[][] = [root]
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (token === '(') {
      const group: Item[] = []
      open.at(-1)?.push(group)
      open.push(group)
    } else if (token === ')') open.pop()
    else open.at(-1)?.push(token.startsWith("'") ? token : token.replaceAll('"', '').toLowerCase())
  }
  return root
}

function isQuery(items: readonly Item[]): boolean {
  const [first] = items
  return typeof first === 'string' ? VERBS.has(first) : first !== undefined && isQuery(first)
}

function queriesIn(items: readonly Item[]): Scope[] {
  const own = isQuery(items) ? splitAtSets(items).map((part) => ({ items: part, tables: tablesOf(part) })) : []
  return [...own, ...items.flatMap((item) => (typeof item === 'string' ? [] : queriesIn(item)))]
}

function splitAtSets(items: readonly Item[]): (readonly Item[])[] {
  const at = items.findIndex((item) => typeof item === 'string' && SET_OPERATIONS.has(item))
  return at < 0 ? [items] : [items.slice(0, at), ...splitAtSets(items.slice(at + 1))]
}

function tablesOf(items: readonly Item[]): NamedTable[] {
  const found: NamedTable[] = []
  let isInFrom = false
  for (const [at, item] of items.entries()) {
    if (typeof item !== 'string') continue
    if (opensTables(items, at)) isInFrom = true
    else if (ENDS_OF_FROM.has(item)) isInFrom = false
    const isBefore = opensTables(items, at) || item === 'join' || (isInFrom && item === ',')
    if (isBefore) found.push(...tableAt(items, at + 1))
  }
  return found
}

/** `is distinct from` and `delete … using` are no place for the same word: the first names no table, the second does. */
function opensTables(items: readonly Item[], at: number): boolean {
  const [before, item] = [items[at - 1], items[at]]
  if (item === 'from') return before !== 'distinct'
  if (item === 'update') return before !== 'for' && before !== 'key' && before !== 'do'
  return item === 'using' && typeof items[at + 1] === 'string'
}

function tableAt(items: readonly Item[], at: number): NamedTable[] {
  const [name, next] = [items[at], items[at + 1]]
  if (name === 'only' || name === 'lateral') return tableAt(items, at + 1)
  // A name before parentheses is a function.
  if (typeof name !== 'string' || !/^[a-z_]\w*$/.test(name) || (next !== undefined && typeof next !== 'string')) return []
  const alias = next === 'as' ? items[at + 2] : next
  const isAlias = typeof alias === 'string' && /^[a-z_]\w*$/.test(alias) && !NO_ALIAS.has(alias)
  return [{ table: name, alias: isAlias ? alias : name }]
}
