/** The answers and files that a narrowed person gets: of every call that reads, and of every report with all that it can show. */
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { reportCalls } from '#contract/reports/generated-report.ts'
import { registered } from '../../src/server/kernel/lists/sources.ts'
import { targetOf } from '../every-call/recipe.ts'
import { recipeOf, urlOf, type Walk } from '../every-call/walker.ts'
import type { Answer, Person, TestApp } from '../support/app.ts'
import { exportedText } from '../support/exports.ts'

export const levels = ['division', 'facility', 'billable_account', 'supply_account'] as const
export type Level = (typeof levels)[number]

export interface Reader {
  readonly level: Level
  readonly who: Person
  readonly reads: ReadonlyMap<string, ReadonlySet<number>>
}
export interface Answered {
  readonly reader: Reader
  readonly call: Call
  readonly path: string
  readonly status: number
  readonly body: Answer['body']
  readonly text: string
}

const reading = calls.filter(({ name, effect, method }) => name !== 'live.stream' && (method === 'GET' || effect === 'read'))
/** Exports that a person may have at once. */
const exportsAtOnce = 6

/** Asks every call that reads, and every report, and fetches the files of all exports. @returns what was allowed. */
export async function askAll(app: TestApp, walk: Walk, reader: Reader): Promise<Answered[]> {
  const answers: Answered[] = await previews(app, walk, reader)
  const waiting = new Set<Promise<void>>()
  for (const call of reading) {
    const answered = await askOne(app, walk, reader, call)
    if (answered.status !== 200) continue
    answers.push(answered)
    const task = answered.body['task_id']
    if (task === undefined) continue
    const file = exportedText(app, reader.who, task).then((text) => {
      answers.push({ ...answered, text })
      waiting.delete(file)
    })
    waiting.add(file)
    if (waiting.size >= exportsAtOnce) await Promise.race(waiting)
  }
  await Promise.all(waiting)
  return answers
}

async function askOne({ ask }: TestApp, walk: Walk, reader: Reader, call: Call): Promise<Answered> {
  const recipe = recipeOf(call.name, call.name)
  const target = targetOf('own', walk.world)
  const asking = {
    app: walk.app,
    world: walk.world,
    relation: 'own',
    target,
    source: target,
    owner: reader.who.id,
    who: reader.who,
  } as const
  const path = (await urlOf(call, recipe, asking, recipe.ids === undefined)).replace(/^\/api\/v5/, '')
  const sent = call.method === 'GET' ? undefined : ((await recipe.body?.(asking)) ?? {})
  return { reader, call, path, ...(await ask(reader.who, call.method, path, sent)) }
}

/** The preview of a report has the columns and lines of its files. */
async function previews({ ask }: TestApp, { world }: Walk, reader: Reader): Promise<Answered[]> {
  const base = `/clients/${world.places.own.clientId}/reports`
  const { body } = await ask(reader.who, 'GET', base)
  return Promise.all(
    rowsIn(body['reports']).map(async ({ id, fields }) => {
      const has = (key: string) => rowsIn(fields).some((field) => field['key'] === key)
      const form_data = {
        date_range: { from: '2026-01-01', to: '2026-02-28' },
        ...(has('utility_service_ids') ? { utility_service_ids: [world.shared.utility_service] } : {}),
        ...(has('ledger_details') ? { ledger_details: true } : {}),
      }
      const path = `${base}/${String(id)}/preview`
      return { reader, call: reportCalls.preview, path, ...(await ask(reader.who, 'POST', path, { form_data })) }
    }),
  )
}

export interface Listed {
  readonly filter: readonly string[]
  readonly sort: readonly string[]
}
export type Rows = readonly Readonly<Record<string, unknown>>[]

/** Returns the rows of the answer that a registered list has. */
export function listsIn(body: Answer['body']): { plural: string; rows: Rows }[] {
  return Object.entries(body).flatMap(([plural, rows]) =>
    registered.has(plural) && Array.isArray(rows) ? [{ plural, rows: rowsIn(rows) }] : [],
  )
}

export function rowsIn(value: unknown): Rows {
  const rows: unknown[] = Array.isArray(value) ? value : []
  return rows.flatMap((row) => (typeof row === 'object' && row !== null ? [{ ...row }] : []))
}
