import { useEffect, useState } from 'react'
import { ErrorState, Skeleton } from '../states.tsx'
import styles from './preview.module.css'
import { decodeText, readCsv, type CsvStart } from './read-csv.ts'

/** Maximum number of rows shown, and of bytes read for them. */
const ROWS_MAX = 200
const BYTES_MAX = 1_000_000

type Read = { readonly start: CsvStart } | { readonly failure: string } | null

/** The first rows of a CSV or text file as a table, whose first row is the heading. Needs a separate `key` for each file. */
export function CsvTable({ url, label }: { url: string; label: string }) {
  const [read, setRead] = useState<Read>(null)
  useEffect(() => {
    const stop = new AbortController()
    firstBytes(url, stop.signal)
      .then((bytes) => setRead({ start: readCsv(decodeText(bytes), ROWS_MAX + 1) }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setRead({ failure: error instanceof Error ? error.message : String(error) })
      })
    return () => stop.abort()
  }, [url])
  if (!read) return <Skeleton height={200} />
  if ('failure' in read) return <ErrorState title="This file could not be read" message={read.failure} />
  return <Rows start={read.start} label={label} />
}

function Rows({ start, label }: { start: CsvStart; label: string }) {
  const [head = [], ...rows] = start.rows
  if (head.length === 0) return <p>The file is empty.</p>
  const columns = [...Array.from({ length: Math.max(...start.rows.map((row) => row.length)) }).keys()]
  return (
    <>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {head[column] ?? ''}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>{row[column] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {start.more && <p className={styles.more}>The first {rows.length} rows are shown; the file has more.</p>}
    </>
  )
}

/** Reads only as much as is shown and leaves the rest of a large file unread. */
async function firstBytes(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await fetch(url, { signal, cache: 'no-store' })
  if (!answer.ok || !answer.body) throw new Error(answer.statusText || `Status ${answer.status}`)
  const reader = answer.body.getReader()
  const blocks: Uint8Array[] = []
  for (let size = 0; size < BYTES_MAX;) {
    const { value, done } = await reader.read()
    if (done) break
    blocks.push(value)
    size += value.length
  }
  await reader.cancel().catch(() => undefined)
  return new Uint8Array(await new Blob(blocks.map((block) => block.slice())).arrayBuffer())
}
