/** The refused rows as a CSV of the file's own columns plus one with the error, to fix and send again. */
import { Readable } from 'node:stream'
import { csvLine } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { generatedKey } from '../kernel/files/files.ts'
import { notFound } from '../kernel/problem.ts'
import type { ImportRecord } from './import-record.ts'
import { suggestionsOf } from './read-rows.ts'

const rowsAtOnce = 1_000
/** A text that a spreadsheet would take for a formula gets a leading quote, which the next import removes. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** Creates the file on first request and keeps it. Throws not-found if no row is refused. */
export async function refusedFile(context: Context, record: ImportRecord): Promise<{ url: string; filename: string }> {
  if (record.refused_count === 0 || record.rows_removed_at !== null) throw notFound('No row of this import is refused.')
  const fileId = record.refused_file_id ?? (await writeFile(context, record))
  const { rows } = await sql<{ key: string; filename: string }>`select key, filename from files where id = ${fileId}`.execute(context.tx)
  const file = rows[0]
  if (!file) throw notFound('This file has been removed.')
  const url = context.machinery.files.downloadUrl({
    key: file.key,
    filename: file.filename,
    contentType: 'text/csv',
    reader: context.principal,
  })
  return { url, filename: file.filename }
}

async function writeFile(context: Context, record: ImportRecord): Promise<number> {
  const key = generatedKey('imports')
  const filename = `${record.filename.replace(/\.\w+$/, '')}_refused.csv`
  const { bytes, sha256 } = await context.machinery.files.put(key, Readable.from(csvOf(context, record)), 'text/csv')
  const { rows } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, sha256, user_id, state, attached_at)
    values (${key}, ${filename}, 'text/csv', ${bytes}, ${sha256}, ${context.principal.user_id}, 'attached', now()) returning id`.execute(
    context.tx,
  )
  const id = rows[0]?.id ?? 0
  await sql`update imports set refused_file_id = ${id} where id = ${record.id}`.execute(context.tx)
  return id
}

async function* csvOf({ tx }: Context, record: ImportRecord): AsyncGenerator<Buffer> {
  const headers = record.headers.map(({ header }) => header)
  const kept = headers.map((header) => header.toLowerCase() !== 'errors')
  yield Buffer.from(`\uFEFF${csvLine([...headers.filter((_, at) => kept[at]).map(guarded), 'errors'])}`)
  for (let after = 0; ;) {
    const { rows } = await sql<{ line: number; cells: string[]; errors: { c: string | null; m: string; n?: string }[] | null }>`
      select outcome.line, rows.cells, outcome.errors from import_outcomes outcome join import_rows rows on rows.import_id = outcome.import_id and rows.line = outcome.line
      where outcome.import_id = ${record.id} and outcome.action = 'refused' and outcome.line > ${after} order by outcome.line limit ${rowsAtOnce}`.execute(
      tx,
    )
    if (rows.length === 0) return
    const lines = rows.map(({ cells, errors }) =>
      csvLine([
        ...headers.map((_, at) => guarded(cells[at] ?? '')).filter((_, at) => kept[at]),
        (errors ?? []).map((error) => said(record, error)).join('; '),
      ]),
    )
    yield Buffer.from(lines.join(''))
    after = rows.at(-1)?.line ?? Number.POSITIVE_INFINITY
  }
}

function said(record: ImportRecord, { c, m, n }: { c: string | null; m: string; n?: string }): string {
  const close = suggestionsOf(record, c, n)
  const name = n === undefined ? '' : ` (${n})`
  return `${c === null ? '' : `${c}: `}${m}${name}${close.length > 0 ? `, closest: ${close.join(', ')}` : ''}`
}

function guarded(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}
