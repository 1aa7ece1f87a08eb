/** Inserts a statement's parameters into its text, for COPY, which accepts none. */
import pg from 'pg'

/** Quoted text, quoted names and comments are skipped; any remaining `$1` is a parameter. */
const pieces = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)/g

/**
 * Returns the statement with every `$n` as a literal. All become text of unknown type, just as the driver sends them, so that the server
 * infers the same types. Throws if a parameter is missing or of a kind that has no literal here.
 */
export function asLiterals(statement: { readonly sql: string; readonly parameters: readonly unknown[] }): string {
  return statement.sql.replace(pieces, (piece: string, number: string | undefined) => {
    if (number === undefined) return piece
    if (Number(number) < 1 || Number(number) > statement.parameters.length) throw new Error(`the statement has no parameter ${number}`)
    return literal(statement.parameters[Number(number) - 1])
  })
}

function literal(value: unknown): string {
  const text = textOf(value)
  // The leading space keeps `any($1::…)` and `-$1` two tokens.
  return text === null ? ' NULL' : ` ${pg.escapeLiteral(text)}`.replace(/^ {2}/, ' ')
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return storable(value)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`
  throw new TypeError(`a ${typeof value} has no literal`)
}

function elementOf(value: unknown): string {
  if (Array.isArray(value)) throw new TypeError('a list of lists has no literal here')
  const text = textOf(value)
  return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, (letter) => `\\${letter}`)}"`
}

function storable(text: string): string {
  if (text.includes('\u0000')) throw new TypeError('a text with NUL has no literal')
  return text
}
