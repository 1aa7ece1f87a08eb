/** Splits a file into its lines and cells, as a reader of the bank would. */
import type { Layout } from './layout.ts'

export function decoded(bytes: Uint8Array, { kind, delimiter, characters, line_end }: Layout, faults: string[]): string | null {
  const end = line_end === 'crlf' ? '\r\n' : '\n'
  // Between columns a tab is no data. A tab inside a cell is refused with its line.
  const withoutTabs = (text: string) => (kind === 'delimited' && delimiter === '\t' ? text.replaceAll('\t', ' ') : text)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (characters === 'ascii' && /[^\x20-\x7e\r\n]/.test(withoutTabs(text)))
      faults.push('The file holds a character that is not plain ASCII.')
    if (/[\p{Cc}\p{Cf}]/u.test(withoutTabs(text.replaceAll(end, '')))) faults.push('The file holds a control character.')
    if (!text.endsWith(end)) faults.push('The last line is not ended.')
    return text
  } catch {
    faults.push('The file is not UTF-8.')
    return null
  }
}

/** Returns lines as cells; in a fixed layout each line is still one cell. */
export function splitLines(text: string, layout: Layout, faults: string[]): string[][] {
  const end = layout.line_end === 'crlf' ? '\r\n' : '\n'
  const lines = text.split(end).slice(0, -1)
  if (layout.kind === 'fixed') return lines.map((line) => [line])
  return lines.map((line, at) => {
    const cells = cellsOf(line, layout.delimiter)
    // Writing it again must give the same line: a stray quote, or unneeded quotes, are refused.
    const again = cells?.map((cell) => quoted(cell, layout.delimiter)).join(layout.delimiter)
    if (!cells || again !== line) faults.push(`Line ${at + 1} is not quoted as it should be.`)
    else if (cells.length !== layout.columns.length)
      faults.push(`Line ${at + 1} has ${cells.length} columns, not ${layout.columns.length}.`)
    if (cells?.some((cell) => cell.includes('\t'))) faults.push(`Line ${at + 1} has a tab inside a column.`)
    return cells ?? []
  })
}

function cellsOf(line: string, delimiter: string): string[] | null {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (line[at] === '"') {
      let end = at + 1
      for (;;) {
        const quote = line.indexOf('"', end)
        if (quote < 0) return null
        cell += line.slice(end, quote)
        end = quote + 1
        if (line[end] !== '"') break
        cell += '"'
        end += 1
      }
      at = end
    } else {
      const next = line.indexOf(delimiter, at)
      const stop = next < 0 ? line.length : next
      cell = line.slice(at, stop)
      at = stop
    }
    cells.push(cell)
    if (at >= line.length) return cells
    if (line[at] !== delimiter) return null
    at += 1
  }
}

function quoted(cell: string, delimiter: string): string {
  const isPlain = ![delimiter, '"', '\r', '\n'].some((one) => cell.includes(one)) && cell === cell.trim()
  return isPlain ? cell : `"${cell.split('"').join('""')}"`
}
