/** The file that an export produces. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import readExcelFile from 'read-excel-file/node'
import type { Person, TestApp } from './app.ts'

/** Waits for the task and fetches its file as its owner does. */
export async function exportedText({ ask }: Pick<TestApp, 'ask'>, who: Person, taskId: unknown): Promise<string> {
  const url = await fileUrl({ ask }, who, taskId)
  return (await ask(null, 'GET', url.slice(url.indexOf('/api/v5') + '/api/v5'.length))).text
}

async function fileUrl({ ask }: Pick<TestApp, 'ask'>, who: Person, taskId: unknown): Promise<string> {
  for (let tries = 0; tries < 1_000; tries++) {
    const { status, body } = await ask(who, 'GET', `/tasks/${String(taskId)}/file`)
    const url = body['url']
    if (status === 200 && typeof url === 'string') return url
    await sleep(50)
  }
  throw new Error('the export does not end')
}

export interface ExportedTable {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Starts the export at this path as this user and reads its file. Throws if it is refused. */
export async function exportedTable(app: Pick<TestApp, 'ask'>, who: Person, path: string): Promise<ExportedTable> {
  const started = await app.ask(who, 'GET', path)
  if (started.status !== 200) throw new Error(`${path}: ${started.status} ${started.text}`)
  const lines: string[][] = parse(await exportedText(app, who, started.body['task_id']))
  const [headings = [], ...rows] = lines
  return { headings, rows }
}

/** Starts the export at this path as a workbook and reads its first sheet with another program's code; empty cells are ''. */
export async function exportedSheet(app: Pick<TestApp, 'ask' | 'app'>, who: Person, path: string): Promise<ExportedTable> {
  const started = await app.ask(who, 'GET', path)
  if (started.status !== 200) throw new Error(`${path}: ${started.status} ${started.text}`)
  const url = await fileUrl(app, who, started.body['task_id'])
  const { rawPayload } = await app.app.server.inject({ method: 'GET', url })
  const [first] = await readExcelFile(rawPayload)
  const [headings = [], ...rows] = (first?.data ?? []).map((row) => row.map(cellOf))
  return { headings, rows }
}

function cellOf(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : ''
}
