/** Tests files of client batches whose bytes the file store lost or changed: between writing and reading back, and before a download. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { makeBatchWorld, type BatchWorld } from '../../../test/support/client-batches.ts'
import { taskOf, type SeenTask } from '../../../test/support/retrieval.ts'

const testApp = await startTestApp()
const { ask, database, app } = testApp
const { db } = database
const { files } = app.machinery
const put = files.put.bind(files)
let world: BatchWorld

beforeEach(async () => {
  world = await makeBatchWorld(testApp)
})
afterEach(() => vi.restoreAllMocks())

const seen = (id: unknown): Promise<SeenTask> => taskOf((method, path) => ask(world.admin, method, path), id)
const start = async (id: number, what = 'generate_upload_file'): Promise<unknown> =>
  (await ask(world.admin, 'GET', `${world.at}/${id}/${what}`)).body['task_id']
const batchWithBill = async (code: string): Promise<number> => world.made({ batch_code: code, bill_ids: [await world.makeBill(1)] })

/** The ways in which a store fails, by name. */
const harms: readonly (readonly [name: string, harm: (key: string) => Promise<unknown>])[] = [
  ['changed', (key) => put(key, Buffer.from('"Client","Amount"\r\n'), 'text/csv')],
  ['lost', (key) => files.remove(key)],
]

/** Harms each file as soon as it is stored, or only the first one. */
function harmStored(harm: (key: string) => Promise<unknown>, onlyFirst = false): void {
  const harmed: typeof put = async (key, ...rest) => {
    const stored = await put(key, ...rest)
    await harm(key)
    return stored
  }
  const spy = vi.spyOn(files, 'put')
  if (onlyFirst) spy.mockImplementationOnce(harmed)
  else spy.mockImplementation(harmed)
}

/** Waits until the task has failed once, and leaves it one more try of the usual four. */
async function leaveOneTry(taskId: unknown): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
    const { numAffectedRows } =
      await sql`update tasks set result = jsonb_set(result, '{runs}', '3') where id = ${taskId} and state = 'waiting'
      and (result ->> 'runs')::int = 1`.execute(db)
    if (numAffectedRows === 1n) return
  }
  throw new Error('the task did not fail')
}

async function storedOf(batch: number): Promise<unknown> {
  const { rows } = await sql`select batch.upload_file_id,
      (select count(*)::int from accounting_batch_files made where made.client_id = batch.client_id and made.accounting_batch_id = batch.id) as versions,
      (select count(*)::int from files where key like 'accounting_batches/%' and user_id = ${world.admin.id}) as files
    from accounting_batches batch where batch.client_id = ${world.ground.clientId} and batch.id = ${batch}`.execute(db)
  return rows[0]
}

describe('an upload file that the store does not keep as it was written', () => {
  it.each(harms)('is no version: bytes that were %s before they are read back end the task with the reason', async (_name, harm) => {
    const id = await batchWithBill('HARM')
    harmStored(harm)
    const task = await start(id)
    await leaveOneTry(task)
    expect(await seen(task)).toMatchObject({
      state: 'failed',
      error: 'The file store did not keep the upload file as it was written. No version was made. Generate the file again.',
      has_file: false,
    })
    expect(await storedOf(id)).toEqual({ upload_file_id: null, versions: 0, files: 0 })
    expect((await ask(world.admin, 'GET', `${world.at}/${id}/upload_file`)).status).toBe(404)
    expect((await ask(world.admin, 'GET', `${world.at}/${id}`)).body).toMatchObject({
      accounting_batch: { generating_file: false, can_generate_upload_file: true, upload_file_url: null },
    })
  })

  it('is written again by the same task, and is version 1', async () => {
    const id = await batchWithBill('ONCE')
    harmStored((key) => files.remove(key), true)
    expect(await seen(await start(id))).toMatchObject({ state: 'done', error: null })
    expect(await storedOf(id)).toMatchObject({ versions: 1, files: 1 })
    expect((await ask(world.admin, 'GET', `${world.at}/${id}/upload_file`)).status).toBe(200)
  })
})

describe('a file of a client batch that the store has harmed since', () => {
  it.each(harms)('is not handed out where it was %s: the refusal names it, and a new version takes its place', async (_name, harm) => {
    const id = await batchWithBill('LATER')
    const first = await start(id)
    await seen(first)
    const invoice = await start(id, 'generate_invoice_csv')
    await seen(invoice)
    const { rows } = await sql<{
      id: number
      key: string
      filename: string
      task: unknown
    }>`select made.id, file.key, file.filename, tasks.id as task
      from accounting_batch_files made join files file on file.id = made.file_id join tasks on tasks.file_id = file.id
      where made.client_id = ${world.ground.clientId} and made.accounting_batch_id = ${id} order by made.id`.execute(db)
    expect(rows.map(({ task }) => task)).toEqual([first, invoice])
    const upload = `${world.at}/${id}/upload_file`
    expect((await ask(world.admin, 'GET', upload)).status).toBe(200)
    for (const { id: file, key, filename, task } of rows) {
      await harm(key)
      const message = `${filename} is gone from the file store or was changed there, so it cannot be downloaded. Generate the file again.`
      for (const path of [`${world.at}/${id}/files/${file}`, `/tasks/${String(task)}/file`])
        expect([path, await ask(world.admin, 'GET', path)]).toMatchObject([path, { status: 409, body: { message } }])
    }
    expect(await ask(world.admin, 'GET', upload)).toMatchObject({ status: 409, body: { code: 'refused' } })
    await seen(await start(id))
    expect((await ask(world.admin, 'GET', upload)).status).toBe(200)
    expect((await ask(world.admin, 'GET', `${upload}?version=1`)).status).toBe(409)
  })
})
