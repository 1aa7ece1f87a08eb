/** Streams a statement's rows from the database into the store as CSV: whatever their number, memory holds a few blocks of them. */
import { Transform } from 'node:stream'
import { to as copyTo } from 'pg-copy-streams'
import type { TaskRun } from './task.ts'

export interface CopiedRows {
  readonly key: string
  /** The heading's line. Lines end as those that the database writes. */
  readonly header: string
  /** Without parameters. */
  readonly statement: string
  /** The state of the database that is read, as another transaction has exported it; without one the present state. */
  readonly snapshot?: string
}

/** Throws where the run was stopped. */
export async function copyToStore(
  run: TaskRun,
  { key, header, statement, snapshot }: CopiedRows,
): Promise<{ bytes: number; sha256: Buffer; rows: number }> {
  const { files, jobsDatabase } = run.machinery
  const client = await jobsDatabase.pool.connect()
  let whole = false
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    if (snapshot !== undefined) await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`)
    const through = tellingLines(run)
    const copy = client.query(copyTo(`copy (${statement}) to stdout with (format csv)`))
    copy.once('error', (error) => through.destroy(error))
    const stop = (): void => void through.destroy(new Error('the work was stopped'))
    run.signal.addEventListener('abort', stop, { once: true })
    if (run.signal.aborted) stop()
    through.write(header.replace(/\r\n$/, '\n'))
    const stored = await files.put(key, copy.pipe(through), 'text/csv')
    // The database tells the number of rows after the last of them, and answers this question after that.
    await client.query('commit')
    whole = true
    return { ...stored, rows: copy.rowCount }
  } finally {
    // A connection in the middle of a COPY is of no more use.
    client.release(!whole)
  }
}

const NEWLINE = 0x0a

/**
 * Tells how far the work is, by the ends of lines. A cell with several lines counts more than once: to know it, each byte would have to be looked
 * at, which takes as long as everything else that this process does for an export.
 */
function tellingLines(run: TaskRun): Transform {
  let lines = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1
      // The heading's line is not a row.
      run.progress(Math.max(0, lines - 1))
      done(null, chunk)
    },
  })
}
