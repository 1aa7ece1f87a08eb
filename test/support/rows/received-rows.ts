/** Records what PostgreSQL answers to the statements that the program writes as SQL text: the columns, and which of them were null. */
import { DefaultQueryCompiler, sql, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { asLiterals } from '../../../src/server/kernel/postgres/sql-literal.ts'
import { keyOf } from './declared-rows.ts'

export interface Column {
  name: string
  type: number
  /** The column of a table that is answered, as the oid of the table and a number; `0.0` for an expression. */
  source: string
  wasNull: boolean
}

/** The answers to one text of a statement. */
export interface Received {
  text: string
  /** The key of the statement in the sources. */
  key: string
  /** The source files that sent it, if its text between its parameters is empty: many statements have that key. */
  senders?: readonly string[]
  columns: Column[]
}

type Parts = readonly string[]
type Counted = Received & { rows: number }

/** Nulls are looked for in the first rows of a text. */
const ROWS_MAX = 5_000
const COMPILED_MAX = 50

/** The parts of the template that a text was compiled from. */
const partsOf = new Map<string, Parts>()
/** The source files that sent a text which is all parameters. */
const sendersOf = new Map<string, readonly string[]>()
const received = new Map<string, Counted>()
const answers = new WeakMap<object, Counted>()
/** Statements that were compiled by their sender, who may put them into a cursor. */
let compiledBySender: CompiledQuery[] = []
/** Statements of cursors, by the cursor's name as it is written. */
const cursors = new Map<string, { text: string; parts: Parts }>()

/** Returns what was received since the last call, and forgets it. */
export function takeReceived(): Received[] {
  const taken = [...received.values()]
  for (const map of [received, partsOf, sendersOf, cursors]) map.clear()
  compiledBySender = []
  return taken
}

let isRecording = false

/** Records from now on, once in a process. The cost of a statement is a look into a map, and that of a row as long as its columns are. */
export function recordRows(): void {
  if (isRecording) return
  isRecording = true
  after(DefaultQueryCompiler.prototype, 'compileQuery', (_, compiled) => noteCompiled(compiled))
  after(Object.getPrototypeOf(sql``), 'compile', (_, compiled) => noteSender(compiled))
  const { prototype } = Reflect.get(pg, 'Query')
  after(prototype, 'handleRowDescription', (query, _, message) => noteColumns(query, message))
  after(prototype, 'handleDataRow', (query, _, message) => noteNulls(query, message))
}

/** Lets the act follow each call of a method, with its object, its result and its first parameter. */
function after(prototype: object, name: string, act: (self: object, result: unknown, first: unknown) => void): void {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new Error(`there is no method ${name} to record rows by`)
  Reflect.set(prototype, name, function (this: object, ...parameters: unknown[]): unknown {
    const result: unknown = Reflect.apply(method, this, parameters)
    act(this, result, parameters[0])
    return result
  })
}

const CURSOR = /^declare ("[^"]+") no scroll cursor for /
const FETCH = /^fetch \d+ from ("[^"]+")$/

function noteCompiled(compiled: unknown): void {
  if (!isCompiled(compiled) || !('sqlFragments' in compiled.query)) return
  partsOf.set(compiled.sql, compiled.query.sqlFragments)
  if (compiled.query.sqlFragments.every((part) => part.trim() === '') && !sendersOf.has(compiled.sql))
    sendersOf.set(compiled.sql, senders())
  const [start, name] = CURSOR.exec(compiled.sql) ?? []
  if (start === undefined || name === undefined) return
  const text = compiled.sql.slice(start.length)
  const inside = compiledBySender.find((one) => asLiterals(one) === text)
  if (inside && 'sqlFragments' in inside.query) cursors.set(name, { text: inside.sql, parts: inside.query.sqlFragments })
}

function senders(): string[] {
  const { stack = '' } = new Error('who sends this')
  return [...stack.matchAll(/\/(src\/server\/[\w/.-]+\.ts)/g)].map(([, file = '']) => file)
}

function noteSender(compiled: unknown): void {
  if (isCompiled(compiled)) compiledBySender = [compiled, ...compiledBySender.slice(0, COMPILED_MAX - 1)]
}

function isCompiled(value: unknown): value is CompiledQuery {
  return typeof value === 'object' && value !== null && 'sql' in value && 'query' in value
}

function noteColumns(query: object, message: unknown): void {
  const text: unknown = Reflect.get(query, 'text')
  if (typeof text !== 'string') return
  const [, cursor] = FETCH.exec(text) ?? []
  const sent = cursor === undefined ? { text, parts: partsOf.get(text) } : cursors.get(cursor)
  if (!sent?.parts) return
  const from = sendersOf.get(sent.text)
  const fresh = { text: sent.text, key: keyOf(sent.parts), columns: columnsOf(message), rows: 0, ...(from ? { senders: from } : {}) }
  const known = received.get(sent.text) ?? fresh
  received.set(sent.text, known)
  answers.set(query, known)
}

function columnsOf(message: unknown): Column[] {
  return fieldsOf(message).map((field) => ({
    name: String(Reflect.get(field, 'name')),
    type: Number(Reflect.get(field, 'dataTypeID')),
    source: `${String(Reflect.get(field, 'tableID'))}.${String(Reflect.get(field, 'columnID'))}`,
    wasNull: false,
  }))
}

function noteNulls(query: object, message: unknown): void {
  const known = answers.get(query)
  if (!known || known.rows >= ROWS_MAX) return
  known.rows += 1
  const values = fieldsOf(message)
  for (const [place, column] of known.columns.entries()) if (values[place] === null) column.wasNull = true
}

function fieldsOf(message: unknown): readonly never[] {
  return typeof message === 'object' && message !== null ? Reflect.get(message, 'fields') : []
}
