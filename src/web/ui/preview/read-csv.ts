/** Reads the first rows of a text table. A preview reads a file only as far as it is shown. */

export interface CsvStart {
  readonly rows: readonly (readonly string[])[]
  /** Whether the file has further rows. */
  readonly more: boolean
}

const separators = [',', ';', '\t', '|'] as const

/**
 * Reads up to `rowsMax` rows. Quoted cells may hold separators, line ends and doubled quotes. The separator is the most frequent one of the
 * first line.
 */
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

/** Parses cells copied from a spreadsheet: separated by tabs, and quoted if they contain one. Empty rows are kept. */
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

/** Skips text between a closing quote and the end of the line. */
function afterLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const counts = separators.map((separator) => line.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Decodes text as UTF-8, or as Windows-1252 if it is not valid UTF-8. The last character may be cut off, because a file may be read in part. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
