/**
 * The forms of statements that run on PostgreSQL and on Citus alike. A statement about one client names it as a constant on each table of a
 * client, so that the planner reads one partition; the other forms are those that Citus refuses.
 */
import { scopesOf, wordsOf, type Item, type NamedTable, type Scope } from './sql-scopes.ts'

export interface Judged {
  /** True of a statement that compares `client_id` with one value. */
  readonly isOfOneClient: boolean
  /** The broken forms in words; none for a statement that keeps them all. */
  readonly broken: readonly string[]
}

/** Judges a statement. `tenantTables` are those with a `client_id`. */
export function judgeStatement(text: string, tenantTables: ReadonlySet<string>): Judged {
  const scopes = scopesOf(text)
  const readings = scopes.map((scope) => readingOf(scope, tenantTables))
  const isOfOneClient = readings.some(({ ones }) => ones.size > 0)
  const broken = [
    ...readings.flatMap(({ tables, bound, scope }) => [
      ...(isOfOneClient ? tables.filter(({ alias }) => !bound.has(alias)).map(({ table }) => `${table} without the constant client`) : []),
      ...(locks(scope) && tables.some(({ alias }) => !bound.has(alias)) ? ['locks rows by bare ids'] : []),
      ...otherForms(scope),
    ]),
    ...(isRecursive(text) && readings.some(({ tables }) => tables.length > 0) ? ['a recursive query over tables of clients'] : []),
  ]
  return { isOfOneClient, broken: [...new Set(broken)] }
}

/** The tables of clients in one query, and the aliases whose client is a constant or a list of constants. */
interface Reading {
  readonly scope: Scope
  readonly tables: readonly NamedTable[]
  readonly ones: ReadonlySet<string>
  readonly bound: ReadonlySet<string>
}

function readingOf(scope: Scope, tenantTables: ReadonlySet<string>): Reading {
  const tables = scope.tables.filter(({ table }) => tenantTables.has(table))
  const words = wordsOf(scope.items)
  const aliases = tables.map(({ alias }) => alias)
  const ones = new Set(namesWith(words, aliases, isOneValue))
  const bound = new Set([...ones, ...namesWith(words, aliases, isListOfValues)])
  const ties = tiesOf(words, scope)
  // A join by the client carries the constant over. Each round reaches the next table of a chain.
  for (let round = 0; round < aliases.length; round++)
    for (const [one, other] of ties) {
      if (bound.has(one)) bound.add(other)
      if (bound.has(other)) bound.add(one)
    }
  return { scope, tables, ones, bound }
}

const isValue = (word: string | undefined): boolean => word !== undefined && /^(\$\d+|\d+|'.*')$/s.test(word)
const isOneValue = (words: readonly string[], at: number): boolean => words[at] === '=' && isValue(words[at + 1])
const isListOfValues = (words: readonly string[], at: number): boolean =>
  (words[at] === '=' && words[at + 1] === 'any' && words[at + 2] === '(' && isValue(words[at + 3])) ||
  (words[at] === 'in' && words[at + 1] === '(' && isValue(words[at + 2]))

/** Returns the aliases whose `client_id` is followed by what `isMeant` accepts, also as the first of a row: `(a.client_id, a.id) = ($1, $2)`. */
function namesWith(words: readonly string[], aliases: readonly string[], isMeant: typeof isOneValue): string[] {
  return clientColumns(words).flatMap(({ alias, after }) => {
    const close = words[after] === ',' ? words.indexOf(')', after) : -1
    const rowOf = close < 0 ? [] : [words[close + 1] ?? '', ...words.slice(close + 3, close + 4)]
    if (!isMeant(words, after) && !(close >= 0 && words[close + 2] === '(' && isMeant(rowOf, 0))) return []
    return alias === undefined ? aliases.slice(0, 1) : [alias]
  })
}

/** Returns each `client_id` of the query: its alias, if it is named, and where the words after it begin. */
function clientColumns(words: readonly string[]): { alias: string | undefined; after: number }[] {
  return words.flatMap((word, at) => {
    if (word !== 'client_id') return []
    return [{ alias: words[at - 1] === '.' ? words[at - 2] : undefined, after: at + 1 }]
  })
}

/** Returns the pairs of aliases that have the same client: by `=`, by rows that begin with it, or by `using (client_id, …)`. */
function tiesOf(words: readonly string[], { tables }: Scope): [string, string][] {
  const columns = clientColumns(words)
  const equal = columns.flatMap(({ alias, after }, place): [string, string][] => {
    const next = columns[place + 1]
    if (alias === undefined || next?.alias === undefined) return []
    const between = words.slice(after, next.after - 3).join(' ')
    const isTie = between === '=' || /^, [\w$]+ \. \w+ \) = \($/.test(between)
    return isTie ? [[alias, next.alias]] : []
  })
  const isUsing = words.some((word, at) => word === 'using' && words[at + 1] === '(' && words[at + 2] === 'client_id')
  const [first, ...others] = tables
  return isUsing && first ? [...equal, ...others.map(({ alias }): [string, string] => [first.alias, alias])] : equal
}

function locks({ items }: Scope): boolean {
  return items.some((item, at) => item === 'for' && ['update', 'share', 'no', 'key'].includes(String(items[at + 1])))
}

function otherForms({ items }: Scope): string[] {
  const words = wordsOf(items)
  const isUpdate = words[0] === 'update'
  const changes = isUpdate ? words : words[0] === 'insert' ? words.slice(firstOf(words, ['do', 'returning'])) : []
  const rowValues = items.flatMap((item, at) => (typeof item !== 'string' && items[at - 1] === 'values' ? [item] : []))
  const forms: [boolean, string][] = [
    [
      changes.some((word) => ['now', 'clock_timestamp', 'make_interval', 'current_timestamp'].includes(word)),
      'the time of the database in a change',
    ],
    [isUpdate && words.some((word) => /^jsonb_(to|populate)_record/.test(word)), 'rows from JSON in an update'],
    [words[0] === 'select' && words[1] === 'from' && words.includes('limit'), 'a select without columns under a limit'],
    [rowValues.some(hasQuery), 'a query inside values'],
    [words.includes('lateral') && hasPairs(words), 'lateral over pairs of clients and ids'],
  ]
  return forms.flatMap(([isBroken, name]) => (isBroken ? [name] : []))
}

function firstOf(words: readonly string[], wanted: readonly string[]): number {
  const at = words.findIndex((word) => wanted.includes(word))
  return at < 0 ? words.length : at
}

function hasQuery(item: Item): boolean {
  return typeof item !== 'string' && (item[0] === 'select' || item.some(hasQuery))
}

/** Whether `unnest` returns clients together with other values: `unnest($1, $2) as asked (client_id, id)`. */
function hasPairs(words: readonly string[]): boolean {
  const at = words.indexOf('unnest')
  const names = at < 0 ? [] : words.slice(words.indexOf(')', at), words.indexOf(')', words.indexOf(')', at) + 1))
  return names.includes('client_id')
}

function isRecursive(text: string): boolean {
  return /\bwith\s+recursive\b/i.test(text)
}
