/**
 * Every field of every body gets values of the wrong kind, form and size. Each refusal must begin with the field's name in words and
 * contain no jargon of the validation library. The messages are read from the schema by the server's own function; for each field one of the
 * values, another one each time, is sent to the server, whose answer must say the same.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { labelOf } from '#contract/kernel/messages.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { faultsOf } from '../src/server/kernel/handler.ts'
import { registered } from '../src/server/kernel/lists/sources.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readyCall, withValue, type Ready } from './every-call/questions.ts'
import { shapeOf, type InputShape } from './every-call/shape-of.ts'
import type { Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { startTestApp } from './support/app.ts'

const started = await startTestApp()
const { app } = started
const { db } = started.database
const tally = { fields: 0, refusals: 0, answers: 0 }
/** The daily run sends one refused value of each field; `EVERY_REFUSAL=1`, which the deep run sets, sends all of them. */
const asksAll = process.env['EVERY_REFUSAL'] === '1'
let walk: Walk

beforeAll(async () => {
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  walk = { app, world, people: await makePeople(world), strangers: await makeStrangers(db), address: '' }
})
afterAll(() =>
  console.log(
    `messages: ${tally.fields} fields of ${bodies.length} bodies, ${tally.refusals.toLocaleString('en-US')} messages read, ${tally.answers.toLocaleString('en-US')} answers`,
  ),
)

const bodies = calls.filter((call) => call.bodyKind === 'json' && call.method !== 'GET')

/** One value of each JSON type, and of each size that a schema may reject. */
const wrong: readonly unknown[] = [
  12,
  -7,
  1.5,
  1e15,
  true,
  '',
  'text',
  'x'.repeat(11_000),
  null,
  [],
  [null],
  ['text', 'text'],
  {},
  { strange: 1 },
]
const libraryWords =
  /invalid input|expected|received|too (big|small)|unrecognized|\bNaN\b|\bZod|pattern|\[object|undefined|_attributes|_ids?\b/i

/** Returns the paths of all fields; for a list, those of its first item. */
function pathsOf(shape: InputShape, path: readonly string[] = []): (readonly string[])[] {
  const here = path.length === 0 || path.at(-1) === '[]' ? [] : [path]
  if (shape.kind === 'object') return [...here, ...Object.entries(shape.keys).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
  return shape.kind === 'list' && path.length > 0 ? [...here, ...pathsOf(shape.item, [...path, '[]'])] : here
}

/** Children whose fields have more than their own name. */
const fullNames: Readonly<Record<string, string>> = {
  'emission_factors_attributes.value': 'Emissions Factor',
  'additional_entry_fields_attributes.name': 'Field Name',
  'supplier_factors_attributes.value': 'Supplier Factor',
  'batch_groups_attributes.name': 'Batch Group Name',
  'form_data.accounting_batch_ids': 'Client Batches',
  'form_data.payment_batch_ids': 'Vendor Batches',
  'layout.kind': 'Format',
  accounting_batch_ids: 'Client Batches',
  payment_batch_ids: 'Vendor Batches',
  utility_service_fields: 'Fields',
  'form_data.utility_service_fields': 'Fields',
  current_value: 'Bank value',
  new_value: 'Bank value',
  'bills_attributes.id': 'Bill',
  'approval_steps.id': 'Step',
  'approval_steps.above_amount': 'Above',
  'approval_steps.approver_ids': 'Approver',
  'approval_steps.name': 'Step',
  assignable_type: 'Assignee Type',
  reversed_date: 'Reversed On',
  originating_profile_id: 'Bank Profile',
  clearable_key: 'Payment',
  day: 'Date',
  debit: 'Money Out',
  credit: 'Money In',
  code: 'Type',
  reason: 'Explanation',
  filename: 'File name',
  byte_size: 'Size',
}

/** Returns the names of a field: the label of its entity, else the words of its key. `key` is in the envelope. */
function namesOf(envelope: string, key: string): string[] {
  const parts = key.split('.').filter((part) => !/^\d+$/.test(part))
  const source = [...registered.values()].find(({ entity }) => 'name' in entity && entity.name === envelope)
  const field = source?.entity.fields[parts[0] ?? '']
  // A child whose fields have these names as labels.
  const known = [parts.length === 1 ? field?.label : field?.children?.[parts[1] ?? '']?.label, fullNames[parts.join('.')]]
  return [...known.flatMap((name) => name ?? []), labelOf(parts.at(-1) ?? ''), labelOf(envelope)]
}

interface Refusal {
  readonly value: unknown
  readonly payload: Readonly<Record<string, unknown>>
  readonly code: string
  readonly fields: Readonly<Record<string, readonly string[]>>
}

/** Returns what the call's schema says of a body, in the words of the server; nothing if it accepts it, because the call would be executed. */
function refusalOf(call: Call, value: unknown, payload: Refusal['payload']): Refusal[] {
  const { error } = call.schemas.body.safeParse(payload)
  if (!error) return []
  const { code, fields } = faultsOf(error)
  return [{ value, payload, code, fields }]
}

/** Returns the answer to the same body, which says nothing else than the schema; nothing if the call takes it as an unchanged record. */
async function answerOf({ method }: Call, { url, headers }: Ready, { value, payload, fields }: Refusal): Promise<Refusal[]> {
  const response = await app.server.inject({ method, url, headers: { ...walk.people.super.headers, ...headers }, payload })
  if (response.statusCode === 200) return []
  const { code, errors } = refusedBody.parse(JSON.parse(response.body))
  for (const [key, said] of Object.entries(errors?.fields ?? {})) expect(fields[key], `${url} ${key}`).toEqual(said)
  return [{ value, payload, code, fields: errors?.fields ?? {} }]
}

const refusedBody = z.object({
  code: z.string(),
  errors: z.object({ fields: z.record(z.string(), z.array(z.string())).optional() }).optional(),
})

describe('what is refused in a body is said by the name of its field, in words', () => {
  test.for(bodies.map((call) => ({ name: call.name, call })))('$name', { timeout: 120_000 }, async ({ call }: { call: Call }) => {
    const ready = await readyCall(walk, call, walk.people.super, /token/.test(call.path) ? 'valid' : 'own')
    const faults: string[] = []
    for (const path of pathsOf(shapeOf(call.schemas.body))) {
      const refused = wrong.flatMap((value) => refusalOf(call, value, withValue(ready.body, path, value)))
      const asked = asksAll ? refused : refused.filter((_, at) => at === tally.fields % refused.length)
      const answers = await Promise.all(asked.map((refusal) => answerOf(call, ready, refusal)))
      tally.fields++
      tally.answers += answers.flat().length
      faults.push(...[...refused, ...answers.flat()].flatMap((refusal) => faultsIn(refusal, path)))
    }
    expect(faults.slice(0, 8), `${faults.length} faults`).toEqual([])
  })
})

/** An unknown key is named by itself, and a rule over several fields is a sentence that says what to do. */
const sentences =
  /^(Unknown field: |Missing |Say |Pick |Choose |Name (?:at least|either) |At most \d+ |A bill has at most \d files|Each service once|Everything that matches a filter |It belongs to a filter|The filters are too long|The file |Events: |Only an ACH return |A step |Column \d+: )/

/** Messages without their field's name, or with the library's wording. */
function faultsIn({ value, code, fields }: Refusal, path: readonly string[]): string[] {
  const [envelope = ''] = path
  const sent = `${path.join('.')} = ${JSON.stringify(value).slice(0, 40)}`
  const said = Object.entries(fields).flatMap(([key, messages]) => messages.map((message) => ({ key, message })))
  tally.refusals += said.length
  if (code !== 'invalid' || said.length === 0) return [`${sent}: refused as ${code}`]
  const nameAtStart = (key: string, message: string) =>
    namesOf(envelope, key).find((name) => message.toLowerCase().startsWith(name.toLowerCase()))
  return said
    .filter(({ key, message }) => {
      const name = nameAtStart(key, message)
      // A field's name may contain a word of the library, as Batch Code Pattern does.
      const complaint = message.slice(name?.length ?? 0).replace(/^Unknown field: .*/, '')
      return libraryWords.test(complaint) || !(sentences.test(message) || name !== undefined)
    })
    .map(({ key, message }) => `${sent}: ${key}: ${message}`)
}
