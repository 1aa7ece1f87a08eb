/**
 * Statements from a folder of newline-delimited JSON files, one utility per file. Only an index is kept: the position and length of each
 * statement's line; the line itself is read on request. A changed file is indexed again.
 */
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileStatement, statementOfFile, type FileStatement } from '#contract/bill-retrieval/statement-file.ts'
import type { Statement, StatementSummary } from '#contract/bill-retrieval/statement.ts'
import { bySortKey, pageOf, pdfOf, ProviderError, type BillRetrievalProvider, noStatement } from './provider.ts'
import { drawStatement } from './statement-pdf.ts'

/** Bytes of one line; the largest real statement has 60 kB. */
const LINE_MAX = 5_000_000

interface Place {
  readonly file: string
  readonly offset: number
  readonly length: number
  readonly summary: StatementSummary
}

interface Index {
  /** Names, sizes and modification times: a change requires a new index. */
  readonly signature: string
  readonly places: ReadonlyMap<string, Place>
  readonly sorted: readonly StatementSummary[]
  /** Number of lines that are not statements, by file. */
  readonly unreadable: ReadonlyMap<string, number>
}

/**
 * @param folder holds *.ndjson files; others are ignored. The folder belongs to one installation: every client sees all of it and finds its
 * own statements by account number.
 */
export function folderProvider(folder: string): BillRetrievalProvider {
  let indexing: Promise<Index> | null = null
  const index = async (): Promise<Index> => {
    const known = await indexing?.catch(() => null)
    const files = await listFiles(folder)
    if (known && known.signature === signatureOf(files)) return known
    indexing = buildIndex(folder, files)
    return indexing
  }
  const get = async (id: string): Promise<Statement> => {
    const place = (await index()).places.get(id)
    if (place === undefined) throw noStatement(id)
    return statementOfFile(await readPlace(folder, place))
  }
  return {
    id: 'folder',
    label: 'Statement files',
    status: async () => statusOf(await index()),
    listStatements: async (query) => pageOf((await index()).sorted, query),
    getStatement: get,
    getPdf: async (id, clientCode) => {
      const statement = await get(id)
      return pdfOf(await drawStatement(statement), statement, clientCode)
    },
  }
}

function statusOf(index: Index): Awaited<ReturnType<BillRetrievalProvider['status']>> {
  const accounts = new Set(index.sorted.map((summary) => `${summary.provider_name}\n${summary.account_number}`)).size
  const bad = [...index.unreadable].map(([file, lines]) => `${file}: ${lines} unreadable lines`)
  return {
    ok: bad.length === 0,
    ...(bad.length === 0 ? {} : { message: bad.join('; ') }),
    credentials: { ok: accounts, failed: 0, needsAction: 0 },
  }
}

interface FileInfo {
  readonly name: string
  readonly size: number
  readonly changed: number
}

async function listFiles(folder: string): Promise<FileInfo[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new ProviderError('unavailable', `The folder of statements cannot be read: ${folder}`, { cause: error })
  })
  const files = names.filter((name) => name.endsWith('.ndjson')).toSorted()
  return Promise.all(
    files.map(async (name) => {
      const info = await stat(join(folder, name))
      return { name, size: info.size, changed: info.mtimeMs }
    }),
  )
}

function signatureOf(files: readonly FileInfo[]): string {
  return files.map((file) => `${file.name} ${file.size} ${file.changed}`).join('\n')
}

async function buildIndex(folder: string, files: readonly FileInfo[]): Promise<Index> {
  const places = new Map<string, Place>()
  const unreadable = new Map<string, number>()
  for (const { name } of files) {
    for await (const line of linesOf(join(folder, name))) {
      const parsed = parse(line.text)
      if (parsed === null) unreadable.set(name, (unreadable.get(name) ?? 0) + 1)
      else places.set(parsed.statement_id, { file: name, offset: line.offset, length: line.length, summary: summaryOf(parsed) })
    }
  }
  const sorted = [...places.values()].map((place) => place.summary).toSorted(bySortKey)
  return { signature: signatureOf(files), places, sorted, unreadable }
}

/** Yields lines with their byte positions, which a reader of text lines does not know. */
async function* linesOf(path: string): AsyncGenerator<{ text: string; offset: number; length: number }> {
  let rest: Buffer = Buffer.alloc(0)
  let offset = 0
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, Buffer.from(chunk)])
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      if (end > 0) yield { text: rest.toString('utf8', 0, end), offset, length: end }
      offset += end + 1
      rest = rest.subarray(end + 1)
    }
    if (rest.length > LINE_MAX) throw new ProviderError('bad_answer', `A line of ${path} is longer than ${LINE_MAX} bytes.`)
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), offset, length: rest.length }
}

function parse(line: string): FileStatement | null {
  try {
    return fileStatement.safeParse(JSON.parse(line)).data ?? null
  } catch {
    // Not even JSON: counted with the unreadable lines, which the status reports.
    return null
  }
}

function summaryOf(file: FileStatement): StatementSummary {
  return {
    statement_id: file.statement_id,
    file_id: file.statement_id,
    kind: file.kind,
    provider_name: file.utility,
    account_number: file.account_number,
    bill_date: file.statement_date,
    amount_due: file.amount_due,
  }
}

async function readPlace(folder: string, place: Place): Promise<FileStatement> {
  const handle = await open(join(folder, place.file))
  try {
    const { buffer } = await handle.read(Buffer.alloc(place.length), 0, place.length, place.offset)
    const parsed = parse(buffer.toString('utf8'))
    if (parsed === null || parsed.statement_id !== place.summary.statement_id)
      throw new ProviderError('unavailable', 'The file of statements is being changed.')
    return parsed
  } finally {
    await handle.close()
  }
}
