/**
 * Reads delimited text as RFC 4180 describes it: a record ends with CR LF, and a quoted cell may hold everything. It shares no code with the
 * writer of upload files, because it checks what that one wrote.
 */
const recordEnd = '\r\n'

/**
 * Yields of each record the cells at these places, which are in ascending order, in portions. Throws a RangeError for a quote inside an unquoted
 * cell, for text after a quoted cell, for a text that ends inside a record, and for a record with another number of cells than the first one.
 */
export async function* delimitedRecords(
  parts: AsyncIterable<string>,
  delimiter: string,
  places: readonly number[],
): AsyncGenerator<readonly string[][]> {
  let rest = ''
  let width: number | null = null
  for await (const part of parts) {
    const { records, read } = recordsIn((rest += part), delimiter, places)
    rest = rest.slice(read)
    for (const record of records) {
      width ??= record.width
      if (record.width !== width) throw new RangeError(`a record has ${record.width} cells, and the first one has ${width}`)
    }
    yield records.map(({ cells }) => cells)
  }
  if (rest !== '') throw new RangeError('the text ends inside a record')
}

interface ReadRecord {
  /** The cells at the wanted places. */
  readonly cells: string[]
  /** Number of all cells. */
  readonly width: number
  /** Position of the next record. */
  readonly after: number
}

/** Returns the records that the text holds whole, and how much of it they are. */
function recordsIn(text: string, delimiter: string, places: readonly number[]): { records: ReadRecord[]; read: number } {
  const records: ReadRecord[] = []
  const delimiterCode = delimiter.charCodeAt(0)
  let read = 0
  let quote = text.indexOf('"')
  for (;;) {
    const end = text.indexOf(recordEnd, read)
    if (end === -1) return { records, read }
    if (quote !== -1 && quote < read) quote = text.indexOf('"', read)
    const isPlain = quote === -1 || quote > end
    const record = isPlain ? plainRecord(text.slice(read, end), delimiterCode, places, end) : quotedRecord(text, read, delimiter, places)
    if (record === null) return { records, read }
    records.push(record)
    read = record.after
  }
}

/** Makes strings of the wanted cells only: the others are counted. */
function plainRecord(line: string, delimiterCode: number, places: readonly number[], end: number): ReadRecord {
  const cells: string[] = []
  let width = 0
  let start = 0
  for (let at = 0; at <= line.length; at += 1) {
    if (at < line.length && line.charCodeAt(at) !== delimiterCode) continue
    if (places[cells.length] === width) cells.push(line.slice(start, at))
    width += 1
    start = at + 1
  }
  return { cells, width, after: end + recordEnd.length }
}

/** Reads a record with quotes. Returns null if the text ends before the record does. */
function quotedRecord(text: string, start: number, delimiter: string, places: readonly number[]): ReadRecord | null {
  const cells: string[] = []
  let width = 0
  let at = start
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
    if (cell === null) return null
    if (places[cells.length] === width) cells.push(cell.value)
    width += 1
    if (text.startsWith(recordEnd, cell.after)) return { cells, width, after: cell.after + recordEnd.length }
    if (text[cell.after] !== delimiter) {
      if (recordEnd.startsWith(text.slice(cell.after))) return null
      throw new RangeError(`text stands after a quoted cell: ${text.slice(at, cell.after + 1)}`)
    }
    at = cell.after + 1
  }
}

interface ReadCell {
  readonly value: string
  /** Position of the delimiter or the end of the record. */
  readonly after: number
}

function quotedCell(text: string, start: number): ReadCell | null {
  let from = start + 1
  for (;;) {
    const close = text.indexOf('"', from)
    // A quote at the end of the text may be the first of two.
    if (close === -1 || close + 1 === text.length) return null
    if (text[close + 1] !== '"') return { value: text.slice(start + 1, close).replaceAll('""', '"'), after: close + 1 }
    from = close + 2
  }
}

function plainCell(text: string, start: number, delimiter: string): ReadCell | null {
  const end = text.indexOf(recordEnd, start)
  const next = text.indexOf(delimiter, start)
  const after = next === -1 || (end !== -1 && end < next) ? end : next
  if (after === -1) return null
  const value = text.slice(start, after)
  if (value.includes('"')) throw new RangeError(`a quote stands inside an unquoted cell: ${value}`)
  return { value, after }
}
