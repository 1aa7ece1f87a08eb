/** The first rows of a table in text. A file that is looked at is read as far as it is shown, not to its end. */

export interface CsvStart {
  readonly rows: readonly (readonly string[])[]
  /** Whether more follows than was read. */
  readonly more: boolean
}

const separators = [',', ';', '\t', '|'] as const

/** Reads up to `rowsMax` rows. Quotes hold separators, line ends and doubled quotes; the separator is the one that the first line has most of. */
export function readCsv(text: string, rowsMax: number): CsvStart {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const separator = separatorOf(body)
  const rows: string[][] = []
  let at = 0
  while (at < body.length && rows.length < rowsMax) {
    const row = readRow(body, at, separator)
    at = row.end
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row.cells)
  }
  return { rows, more: body.slice(at).trim() !== '' }
}

/** The cells of a spreadsheet as it copies them: separated by tabs, quoted where they hold one. An empty row is a row. */
export function readTable(text: string): string[][] {
  const rows: string[][] = []
  for (let at = 0; at < text.length;) {
    const row = readRow(text, at, '\t')
    at = row.end
    rows.push(row.cells.map((cell) => cell.trim()))
  }
  return rows
}

function readRow(text: string, from: number, separator: string): { cells: string[]; end: number } {
  const cells: string[] = []
  for (let at = from; ;) {
    const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, separator)
    cells.push(cell.value)
    if (text[cell.end] !== separator) return { cells, end: afterLine(text, cell.end) }
    at = cell.end + 1
  }
}

function readPlain(text: string, from: number, separator: string): { value: string; end: number } {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { value: text.slice(from, end), end }
}

function readQuoted(text: string, from: number): { value: string; end: number } {
  let value = ''
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] !== '"') value += text[at]
    else if (text[at + 1] === '"') value += text[++at]
    else return { value, end: at + 1 }
  }
  return { value, end: text.length }
}

/** What stands between a closing quote and the end of the line is passed over. */
function afterLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const counts = separators.map((separator) => line.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Text as UTF-8, or where it is none as Windows writes it. The last letter may be cut in two, as it is where a file is read in part. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
