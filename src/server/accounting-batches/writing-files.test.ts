/** Tests the state of the batch while its upload file is written, the owners of its tasks, and the notification of its maker. */
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeBatchWorld, whileWriting, type BatchWorld } from '../../../test/support/client-batches.ts'
import { taskOf } from '../../../test/support/retrieval.ts'

const testApp = await startTestApp()
const { ask, database } = testApp
const { db } = database
let world: BatchWorld

beforeEach(async () => {
  world = await makeBatchWorld(testApp)
})

const start = (id: number, profile?: number, who = world.admin) =>
  ask(
    who,
    'GET',
    `${world.at}/${id}/generate_upload_file?connection_id=window-7${profile === undefined ? '' : `&export_profile_id=${profile}`}`,
  )
const batchOf = async (id: number) => (await ask(world.admin, 'GET', `${world.at}/${id}`)).body['accounting_batch']
async function makeProfile(name: string, more: object = {}): Promise<number> {
  const made = await ask(world.admin, 'POST', `/clients/${world.ground.clientId}/export_profiles`, {
    export_profile: { name, layout: genericLayout, ...more },
  })
  return Number(made.body['id'])
}

it('from its start until its end a batch is generating and not generatable, in its page and in the list [CBATCH-JOB-001]', async () => {
  const { makeBill, made, at, admin } = world
  const id = await made({ batch_code: 'GEN', bill_ids: [await makeBill(1)] })
  expect(await batchOf(id)).toMatchObject({ generating_file: false, can_generate_upload_file: true })
  const gate = whileWriting(testApp)
  const started = await start(id)
  await gate.reached
  expect(await batchOf(id)).toMatchObject({ generating_file: true, can_generate_upload_file: false, upload_file_url: null })
  expect((await ask(admin, 'GET', at)).body).toMatchObject({
    accounting_batches: [{ id, generating_file: true, can_generate_upload_file: false }],
  })
  gate.open()
  await taskOf((method, path) => ask(admin, method, path), started.body['task_id'])
  expect(await batchOf(id)).toMatchObject({ generating_file: false, can_generate_upload_file: true })
})

it('the end is pushed to the window that asked, with the link of the file, and with it generating is over [CBATCH-JOB-002]', async () => {
  const { ground, makeBill, made, admin } = world
  const id = await made({ batch_code: 'PUSH', bill_ids: [await makeBill(1)] })
  const started = await start(id)
  await taskOf((method, path) => ask(admin, method, path), started.body['task_id'])
  const { rows } = await sql`select type, connection_id, link, payload, error from notifications where user_id = ${admin.id}
    and type = 'accounting_batch_upload_file' and link is not null`.execute(db)
  const link = `/api/v5/clients/${ground.clientId}/accounting_batches/${id}/upload_file`
  expect(rows).toEqual([
    {
      type: 'accounting_batch_upload_file',
      connection_id: 'window-7',
      link,
      error: false,
      payload: expect.objectContaining({
        accounting_batch_id: id,
        version: 1,
        filename: 'PUSH_upload_v1.csv',
        task_id: started.body['task_id'],
      }),
    },
  ])
  expect(await batchOf(id)).toMatchObject({ generating_file: false, upload_file_url: link })
})

it('while a file is written, another person and another profile get a refusal that says who writes which; the same request gets its own task', async () => {
  const { ground, makeBill, made, admin } = world
  const id = await made({ batch_code: 'BUSY', bill_ids: [await makeBill(1)] })
  const erp = await makeProfile('ERP', { is_default: true })
  const other = await makeProfile('Payables')
  const clerk = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
  await sql`update users set first_name = 'Ada', last_name = 'Rowe' where id = ${clerk.id}`.execute(db)
  const writing = async (user: number, profile: number | null): Promise<number> => {
    const input = { accounting_batch_id: id, batch_code: 'BUSY', export_profile_id: profile }
    await sql`update tasks set state = 'cancelled' where client_id = ${ground.clientId}`.execute(db)
    const { rows } = await sql<{ id: number }>`insert into tasks (client_id, user_id, kind, state, input)
      values (${ground.clientId}, ${user}, 'accounting_batch_upload_file', 'waiting', ${JSON.stringify(input)}) returning id`.execute(db)
    return rows[0]?.id ?? 0
  }
  await writing(clerk.id, erp)
  for (const profile of [undefined, erp, other]) {
    const refused = await start(id, profile)
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      expect.stringMatching(
        /^Ada Rowe has been writing the upload file of BUSY by the export profile ERP since \d\d\/\d\d\/\d{4} .*\. Start yours when it is ready\.$/,
      ),
    ])
  }
  const own = await writing(admin.id, erp)
  // Without a profile the default is meant.
  expect((await start(id)).body).toMatchObject({ success: true, task_id: own })
  expect((await start(id, erp)).body).toMatchObject({ success: true, task_id: own })
  expect((await start(id, other)).body['message']).toMatch(/by the export profile ERP since/)
  await writing(admin.id, null)
  expect((await start(id, erp)).body['message']).toMatch(/by the export profile Generic CSV since/)
})

it('two people who ask for an invoice at the same moment have a version each', async () => {
  const { ground, makeBill, made, at, admin } = world
  const id = await made({ batch_code: 'TWO', bill_ids: [await makeBill(1)] })
  const clerk = await makePerson(db, 'client_admin', { clients: [ground.clientId] })
  const people = [admin, clerk]
  const started = await Promise.all(people.map((who) => ask(who, 'GET', `${at}/${id}/generate_invoice_csv`)))
  for (const [place, { body }] of started.entries())
    await taskOf((method, path) => ask(people[place] ?? admin, method, path), body['task_id'])
  expect(new Set(started.map(({ body }) => body['task_id'])).size).toBe(2)
  expect((await ask(admin, 'GET', `${at}/${id}/files`)).body).toMatchObject({ files: [{ version: 2 }, { version: 1 }] })
})
