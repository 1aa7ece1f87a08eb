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
    if (snapshot !== undefined) {
      await client.query('begin transaction isolation level repeatable read read only')
      await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`)
    }
    const { through, rows } = countingRows(run)
    const copy = client.query(copyTo(`copy (${statement}) to stdout with (format csv)`))
    copy.once('error', (error) => through.destroy(error))
    const stop = (): void => void through.destroy(new Error('the work was stopped'))
    run.signal.addEventListener('abort', stop, { once: true })
    if (run.signal.aborted) stop()
    through.write(header.replace(/\r\n$/, '\n'))
    const stored = await files.put(key, copy.pipe(through), 'text/csv')
    if (snapshot !== undefined) await client.query('commit')
    whole = true
    return { ...stored, rows: rows() }
  } finally {
    // A connection in the middle of a COPY is of no more use.
    client.release(!whole)
  }
}

const QUOTE = 0x22
const NEWLINE = 0x0a

/** Counts line ends outside quotes; the heading's is not a row. */
function countingRows(run: TaskRun): { through: Transform; rows: () => number } {
  let lines = 0
  let quoted = false
  const rows = (): number => Math.max(0, lines - 1)
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const byte of chunk) {
        if (byte === QUOTE) quoted = !quoted
        else if (byte === NEWLINE && !quoted) lines += 1
      }
      run.progress(rows())
      done(null, chunk)
    },
  })
  return { through, rows }
}
