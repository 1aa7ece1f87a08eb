/**
 * Loads the rows of a file into the database unchanged: read, checked cell by cell and written by COPY in one stream, so that memory holds
 * only a few blocks whatever their number.
 */
import { uploadRefusals } from '#contract/uploads/upload.ts'
import { pipeline } from 'node:stream/promises'
import { Transform, type Readable } from 'node:stream'
import { readCell } from '#contract/kernel/import-cell.ts'
import { importRowsMax, type ImportColumn, type ImportKind } from '#contract/kernel/import.ts'
import { CsvError, parse } from 'csv-parse'
import { from as copyFrom } from 'pg-copy-streams'
import type pg from 'pg'
import { readHeader, type HeaderReading } from './import-header.ts'
import { partKey } from './import-plan-scope.ts'
import { sealStaged } from './import-secrets.ts'
import { decoding, type TextKind } from './import-text.ts'
import { lineEndsOf, withOne, maskedCell, arrayOf, jsonOf, jsonOrNull } from './copy-text.ts'

export interface Staged extends Omit<HeaderReading, 'columns'> {
  readonly columns: readonly ImportColumn[]
  readonly rows: number
}

export interface StageParts {
  readonly importId: number
  readonly kind: ImportKind
  readonly text: TextKind
  readonly secretKey: string
  readonly signal: AbortSignal
  readonly progress: (rows: number) => void
}

/** Maximum number of characters of a row. */
const rowCharactersMax = 1_000_000
/** Characters of one write to the database. */
const blockCharacters = 65_536

/** Reads the file and fills import_rows. Errors of the whole file are returned in `faults`; its rows are of no use then. */
export async function stageRows(client: pg.ClientBase, file: Readable, parts: StageParts): Promise<Staged> {
  const rows = new RowWriter(parts)
  const parser = parse({
    delimiter: parts.text.separator,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: rowCharactersMax,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  const copy = client.query(copyFrom('copy import_rows (import_id, line, cells, draft, secrets, faults) from stdin'))
  try {
    await pipeline(file, decoding(parts.text.encoding), parser, rows.through, copy, { signal: parts.signal })
  } catch (error) {
    if (!(error instanceof CsvError) && !(error instanceof FileFault)) throw error
    const fault = error instanceof FileFault ? error.message : csvFault(error)
    return { ...rows.staged(), faults: [...new Set([...rows.staged().faults, fault])] }
  }
  return rows.staged()
}

/** The file cannot be read further. */
class FileFault extends Error {
  override name = 'FileFault'
}

function csvFault(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? ` near line ${error['lines']}` : ''
  return error.code === 'CSV_QUOTE_NOT_CLOSED'
    ? `A quotation mark${line} is never closed.`
    : `The file cannot be read as CSV${line}. Please check its quotation marks.`
}

/** Turns records into lines of COPY, one block at a time. */
class RowWriter {
  readonly through: Transform
  readonly #parts: StageParts
  #header: HeaderReading | undefined
  #line = 1
  #rows = 0
  #block: string[] = []
  #length = 0

  constructor(parts: StageParts) {
    this.#parts = parts
    this.through = new Transform({
      writableObjectMode: true,
      transform: (record: string[], _encoding, done) => {
        try {
          this.#take(record)
          done(null, this.#length >= blockCharacters ? this.#taken() : undefined)
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)))
        }
      },
      flush: (done) => {
        if (!this.#header) done(new FileFault(uploadRefusals.empty))
        else if (this.#rows === 0) done(new FileFault('The file has no rows below its header.'))
        else done(null, this.#taken())
      },
    })
  }

  staged(): Staged {
    const { headers = [], columns = [], faults = [], warnings = [] } = this.#header ?? {}
    return { headers, faults, warnings, columns: columns.map(({ column }) => column), rows: this.#rows }
  }

  #take(record: readonly string[]): void {
    const line = this.#line
    this.#line += 1 + record.reduce((sum, cell) => sum + lineEndsOf(cell), 0)
    if (record.every((cell) => cell.trim() === '')) return
    if (!this.#header) {
      this.#header = readHeader(this.#parts.kind, record)
      if (this.#header.faults.length > 0) throw new FileFault(this.#header.faults[0])
      return
    }
    if (this.#rows >= importRowsMax) throw new FileFault(`The file has more than ${importRowsMax.toLocaleString('en-US')} rows.`)
    this.#rows += 1
    this.#parts.progress(this.#rows)
    const text = this.#copyLine(line, record, this.#header)
    this.#block.push(text)
    this.#length += text.length
  }

  #taken(): string {
    const text = this.#block.join('')
    this.#block = []
    this.#length = 0
    return text
  }

  #copyLine(line: number, record: readonly string[], { headers, columns }: HeaderReading): string {
    const draft: Record<string, unknown> = {}
    const part: Record<string, unknown> = {}
    const secrets: Record<string, unknown> = {}
    const faults: { c: string | null; m: string }[] = []
    const shown = record.slice(0, headers.length)
    if (record.length > headers.length && record.slice(headers.length).some((cell) => cell.trim() !== ''))
      faults.push({ c: null, m: `The row has ${record.length} cells, the header ${headers.length}` })
    for (const { column, place } of columns) {
      const reading = readCell(column, record[place] ?? '')
      if (reading.blank) continue
      if (reading.faults) {
        for (const message of reading.faults) faults.push({ c: column.name, m: message })
        // A cell that is wrong is not a missing cell.
        const kept = column.part ? part : draft
        kept[column.key] = column.many ? [] : null
      } else if (column.field.kind === 'secret') {
        secrets[column.key] = sealStaged(this.#parts.secretKey, { importId: this.#parts.importId, line, key: column.key }, reading.value)
      } else if (column.part) part[column.key] = reading.value
      else draft[column.key] = column.of === undefined ? reading.value : withOne(draft[column.key], column.of, reading.value)
      if (column.field.kind === 'secret' && place < shown.length) shown[place] = maskedCell(record[place] ?? '')
    }
    if (Object.keys(part).length > 0) draft[partKey] = part
    return `${this.#parts.importId}\t${line}\t${arrayOf(shown)}\t${jsonOf(draft)}\t${jsonOrNull(secrets)}\t${faults.length > 0 ? jsonOf(faults) : '\\N'}\n`
  }
}
