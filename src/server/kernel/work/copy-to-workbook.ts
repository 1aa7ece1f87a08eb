/** Streams a statement's rows from the database into the store as a workbook: whatever their number, memory holds a few blocks of them. */
import { addAbortSignal, Readable } from 'node:stream'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { parse } from 'csv-parse'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { now } from '../clock.ts'
import { workbookBytes, workbookType, type WorkbookColumn } from '../files/workbook.ts'
import type { TaskRun } from './task.ts'

export interface RowsOfWorkbook {
  readonly key: string
  /** The list's name; the sheet has as much of it as a sheet's name may have. */
  readonly sheet: string
  readonly columns: readonly WorkbookColumn[]
  /** Lines of the last sheet: a label and its value. */
  readonly about: readonly (readonly [string, string])[]
  /** Without parameters. */
  readonly statement: string
}

/** A sheet's name has at most 31 letters, and "12" may follow; these signs it may not have. */
const SHEET_NAME_MAX = 25
const notInSheets = /[[\]*?:/\\']/g
const ROWS_BETWEEN_REPORTS = 500

/** Throws where the run was stopped. */
export async function copyToWorkbook(
  run: TaskRun,
  { key, sheet, columns, about, statement }: RowsOfWorkbook,
): Promise<{ bytes: number; sha256: Buffer; rows: number }> {
  const { files, jobsDatabase } = run.machinery
  const client = await jobsDatabase.pool.connect()
  let whole = false
  try {
    const copy = client.query(copyTo(`copy (${statement}) to stdout with (format csv)`))
    const feed = rowsOf(run, copy)
    const workbook = workbookBytes({
      sheet: sheet.replaceAll(notInSheets, ' ').slice(0, SHEET_NAME_MAX),
      columns,
      rows: feed.rows,
      about,
      dates: 'MM/DD/YYYY',
      day: todayIn(NEW_YORK, now()),
    })
    const stored = await files.put(key, Readable.from(workbook, { objectMode: false }), workbookType)
    whole = true
    return { ...stored, rows: feed.count() }
  } finally {
    // A connection in the middle of a COPY is of no more use.
    client.release(!whole)
  }
}

const record = z.array(z.string())

function rowsOf(run: TaskRun, copy: Readable): { rows: AsyncGenerator<(string | null)[]>; count: () => number } {
  let done = 0
  // A stopped run ends at once, also while the database has not sent its first row.
  const reader = addAbortSignal(run.signal, parse())
  copy.once('error', (error) => reader.destroy(error))
  async function* rows(): AsyncGenerator<(string | null)[]> {
    try {
      for await (const cells of copy.pipe(reader)) {
        if (done % ROWS_BETWEEN_REPORTS === 0) run.progress(done)
        done += 1
        yield record.parse(cells).map((cell) => (cell === '' ? null : cell))
      }
    } finally {
      copy.destroy()
    }
  }
  return { rows: rows(), count: () => done }
}
