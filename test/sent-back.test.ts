/**
 * Every record that can be read and changed is sent back as it was read: it is accepted, and changes nothing. A read-only field is refused
 * by name as soon as its value differs.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { labelOf } from '#contract/kernel/messages.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readyCall } from './every-call/questions.ts'
import { shapeOf } from './every-call/shape-of.ts'
import type { Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { startTestApp } from './support/app.ts'

const started = await startTestApp()
const { app } = started
const { db } = started.database
const tally = { records: 0, fields: 0, refused: 0 }
let walk: Walk

beforeAll(async () => {
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  walk = { app, world, people: await makePeople(world), strangers: await makeStrangers(db), address: '' }
})
afterAll(() =>
  console.log(
    `sent-back: ${tally.records} kinds of record, ${tally.fields} fields sent back as read, ${tally.refused} of them refused by name when changed`,
  ),
)

/**
 * The order of services, a password, switches that are read with their record, and a value that is sent together with the one that was
 * seen, as the bank value or the number of a check.
 */
const withoutRecord: readonly string[] = [
  'global_batch_bank_value.update',
  'global_batch_bank_value.lock',
  'global_batches.temp_pay_method',
  'auth.set_password',
  'users.preferences',
  'clients.subscriptions',
  'services.order',
  'supply_account_services.order',
  'issued_checks.record',
  'users.rename_passkey',
]

/** Calls that read a record and change it under one path. */
const changing = calls.filter(
  (call) =>
    call.effect === 'write' &&
    /^(PUT|PATCH)$/.test(call.method) &&
    call.bodyKind === 'json' &&
    !withoutRecord.includes(call.name) &&
    readerOf(call),
)

function readerOf({ path }: Call): Call | undefined {
  return calls.find((one) => one.method === 'GET' && one.path === path && one.replyKind === 'json')
}

type Known = Record<string, unknown>

async function send(
  method: 'GET' | 'PUT' | 'PATCH',
  url: string,
  payload?: object,
): Promise<{ status: number; body: Known; text: string }> {
  const headers = walk.people.super.headers
  const response = await app.server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { status: response.statusCode, body: JSON.parse(response.body), text: response.body }
}

const methodOf = (call: Call) => (call.method === 'PUT' ? 'PUT' : 'PATCH')

/** Returns a different value of the same kind. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value}x`
  return Array.isArray(value) ? [...value, { id: 999_999 }] : { changed: true }
}

describe('a record that is sent back as it was read', () => {
  test('can be each that is changed by JSON; the others change no record that is read', () => {
    const others = calls.filter((call) => /^(PUT|PATCH)$/.test(call.method) && call.bodyKind === 'json' && !changing.includes(call))
    expect(others.map(({ name }) => name).toSorted()).toEqual(withoutRecord.toSorted())
    expect(changing.length).toBeGreaterThan(25)
  })

  test.for(changing.map((call) => ({ name: call.name, call })))('$name takes it and changes nothing', async ({ call }) => {
    const { url } = await readyCall(walk, call, walk.people.super)
    const read = await send('GET', url)
    expect(read.status, read.text).toBe(200)
    const { rows: before } = await sql<{ last: number }>`select coalesce(max(id), 0)::int as last from audit_records`.execute(db)
    const sent = await send(methodOf(call), url, read.body)
    expect(sent.status, sent.text).toBe(200)
    const { rows: written } =
      await sql`select item_type, object_changes from audit_records where id > ${before[0]?.last ?? 0} and event = 'update'`.execute(db)
    expect(written).toEqual([])
    tally.records++
    tally.fields += Object.values(read.body).reduce<number>((sum, one) => sum + (isRecord(one) ? Object.keys(one).length : 1), 0)
  })

  test.for(changing.map((call) => ({ name: call.name, call })))('$name names what nobody may set when it differs', async ({ call }) => {
    const { url } = await readyCall(walk, call, walk.people.super)
    const { body } = await send('GET', url)
    const shape = shapeOf(call.schemas.body)
    for (const [envelope, record] of Object.entries(body)) {
      const inner = shape.kind === 'object' ? shape.keys[envelope] : undefined
      if (!isRecord(record) || inner?.kind !== 'object') continue
      for (const [key, value] of Object.entries(record)) {
        if (key in inner.keys) continue
        const answer = await send(methodOf(call), url, { [envelope]: { [key]: another(value) } })
        expect([answer.status, answer.body['errors']], key).toMatchObject([
          422,
          { fields: { [key]: [`${labelOf(key)} cannot be changed`] } },
        ])
        tally.refused++
      }
    }
  })
})

function isRecord(value: unknown): value is Known {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
