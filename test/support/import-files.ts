/** Sends CSV files to imports and waits for their outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import type { ImportRow, ImportSummary } from '#contract/imports/import.ts'
import { importCalls } from '#contract/imports/import-calls.ts'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import type { Answer, Person, TestApp } from './app.ts'
import { formOf, type FormValues } from './forms.ts'
import { START_MS } from './launch.ts'

const started = z.object({ import_id: z.int(), task_id: z.int() })
const tasks = z.object({ tasks: z.array(z.object({ id: z.int(), state: z.string(), error: z.string().nullable() })) })

export interface Imports {
  /** Posts the file and returns the server's answer. */
  post(who: Person, path: string, csv: string | Buffer, fields?: FormValues): Promise<Answer>
  /** Posts it, waits for the end and returns what the import's page would show. */
  send(who: Person, path: string, csv: string | Buffer, fields?: FormValues): Promise<ImportSummary>
  commit(who: Person, id: number, mode?: 'all' | 'valid'): Promise<ImportSummary>
  undo(who: Person, id: number): Promise<ImportSummary>
  rows(who: Person, id: number, query?: string): Promise<ImportRow[]>
}

export function importsOf({ app, ask }: Pick<TestApp, 'app' | 'ask'>): Imports {
  const get = async (who: Person, id: number): Promise<ImportSummary> =>
    importCalls.get.schemas.reply.parse((await ask(who, 'GET', `/imports/${id}`)).body).import
  const ended = async (who: Person, answer: Answer): Promise<ImportSummary> => {
    if (answer.status !== 200) throw new Error(answer.text)
    const { import_id: id, task_id: taskId } = started.parse(answer.body)
    for (;;) {
      const task = tasks.parse((await ask(who, 'GET', '/tasks?per=100')).body).tasks.find((one) => one.id === taskId)
      if (task && task.state !== 'waiting' && task.state !== 'running') return get(who, id)
      await sleep(20)
    }
  }
  const post: Imports['post'] = async (who, path, csv, fields = {}) => {
    const file = { filename: 'rows.csv', type: 'text/csv', bytes: Buffer.from(csv) }
    const { payload, headers } = formOf({ file, ...fields })
    const response = await app.server.inject({ method: 'POST', url: `/api/v5${path}`, headers: { ...who.headers, ...headers }, payload })
    const body: unknown = response.json()
    return {
      status: response.statusCode,
      body: typeof body === 'object' && body !== null ? { ...body } : {},
      headers: response.headers,
      text: response.body,
    }
  }
  return {
    post,
    send: async (who, path, csv, fields) => ended(who, await post(who, path, csv, fields)),
    commit: async (who, id, mode = 'valid') => ended(who, await ask(who, 'POST', `/imports/${id}/commit`, { mode })),
    undo: async (who, id) => ended(who, await ask(who, 'POST', `/imports/${id}/undo`)),
    rows: async (who, id, query = 'per=1000') =>
      importCalls.rows.schemas.reply.parse((await ask(who, 'GET', `/imports/${id}/rows?${query}`)).body).import_rows,
  }
}

/**
 * Waits until an import has stored its rows and its task is done, as long as a start of the program may take. For programs in their own
 * process.
 */
export async function untilCommitted(db: Tx, importId: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } =
        await sql`select imports.state, tasks.state as task from imports join tasks on tasks.id = task_id where imports.id = ${importId}`.execute(
          db,
        )
      expect(rows).toEqual([{ state: 'committed', task: 'done' }])
    },
    { timeout: START_MS, interval: 100 },
  )
}
