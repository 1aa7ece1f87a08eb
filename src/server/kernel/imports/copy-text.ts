/** Values of staged rows in the format of COPY. */

/** Columns headed by records of the client keep their values together, by the ids of the records. */
export function withOne(values: unknown, id: number, value: unknown): object {
  return { ...(typeof values === 'object' ? values : null), [id]: value }
}

const shownLast = 4
/** Returns how the report and the file of refused rows show a secret. If it is sent again, it is recognised as a mask. */
export function maskedCell(cell: string): string {
  const text = cell.trim()
  return text === '' || text.startsWith('#') ? text : `•••••${text.slice(text.length - Math.min(shownLast, Math.floor(text.length / 2)))}`
}

export function lineEndsOf(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0
}

function escaped(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (letter) => copyEscapes[letter] ?? letter) : text
}
const copyEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** PostgreSQL cannot store NUL or lone surrogates; the cell itself was refused already. */
function storable(text: string): string {
  return text.includes('\u0000') || !text.isWellFormed() ? text.replaceAll('\u0000', '').toWellFormed() : text
}

export function arrayOf(cells: readonly string[]): string {
  const items = cells.map((cell) => `"${storable(cell).replaceAll(/[\\"]/g, (letter) => `\\${letter}`)}"`)
  return escaped(`{${items.join(',')}}`)
}

export function jsonOf(value: object): string {
  return escaped(JSON.stringify(value))
}

export function jsonOrNull(value: object): string {
  return Object.keys(value).length === 0 ? '\\N' : jsonOf(value)
}
