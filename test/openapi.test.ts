/** The OpenAPI document describes every part completely: no empty schema, no dangling reference, and it matches real answers. */
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { registered } from '../src/server/kernel/lists/sources.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readyCall } from './every-call/questions.ts'
import type { Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { startTestApp } from './support/app.ts'

type Json = Readonly<Record<string, unknown>>

const started = await startTestApp()
const { app } = started
const { db } = started.database
const served: unknown = JSON.parse((await app.server.inject('/api/v5/openapi.json')).body)
const document = known(served)
const tally = { schemas: 0, anything: 0, answers: 0 }
let walk: Walk
let checker: FastifyInstance

beforeAll(async () => {
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  walk = { app, world, people: await makePeople(world), strangers: await makeStrangers(db), address: '' }
  // The answer is checked unchanged: nothing is filled in, removed or converted before the check.
  checker = fastify({ ajv: { customOptions: { strict: false, useDefaults: false, removeAdditional: false, coerceTypes: false } } })
  checker.post('/', { schema: { body: { type: 'object' } } }, () => '')
  await checker.ready()
})
afterAll(async () => {
  await checker.close()
  console.log(
    `openapi: ${calls.length} calls, ${tally.schemas.toLocaleString('en-US')} schemas, 0 empty, ${tally.anything} of any JSON, ${tally.answers} real answers conform`,
  )
})

function known(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const operations = Object.entries(known(document['paths'])).flatMap(([path, methods]) =>
  Object.entries(known(methods)).map(([method, operation]) => ({ path, method, operation: known(operation) })),
)

/** Returns a schema and all its parts, each with its location. */
function schemasIn(schema: unknown, place: string): { schema: unknown; place: string }[] {
  const parts = known(schema)
  const named = ['properties', 'patternProperties', '$defs'].flatMap((key) =>
    Object.entries(known(parts[key])).flatMap(([name, inner]) => schemasIn(inner, `${place}.${name}`)),
  )
  const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => listOf(parts[key]).flatMap((inner) => schemasIn(inner, place)))
  const single = ['items', 'additionalProperties', 'propertyNames', 'not'].flatMap((key) =>
    typeof parts[key] === 'object' ? schemasIn(parts[key], `${place}.${key}`) : [],
  )
  return [{ schema, place }, ...named, ...listed, ...single]
}

function contentOf(holder: unknown): unknown[] {
  return Object.values(known(known(holder)['content'])).map((media) => known(media)['schema'])
}

/** Returns every schema of an operation: parameters, body, answers. */
function schemasOf({ path, method, operation }: (typeof operations)[number]) {
  const parameters = listOf(operation['parameters']).map((one) => known(one)['schema'])
  const answers = Object.values(known(operation['responses'])).flatMap(contentOf)
  return [...parameters, ...contentOf(operation['requestBody']), ...answers].flatMap((schema) => schemasIn(schema, `${method} ${path}`))
}

const notes = ['title', 'description', '$schema', 'default']
const says = (schema: unknown) => Object.keys(known(schema)).some((key) => !notes.includes(key))

describe('the document of the API', () => {
  test('has no empty schema', () => {
    const all = operations.flatMap(schemasOf)
    tally.schemas = all.length
    tally.anything = all.filter(({ schema }) => listOf(known(schema)['type']).length === 6).length
    expect(all.length).toBeGreaterThan(5_000)
    expect(all.filter(({ schema }) => !says(schema)).map(({ place }) => place)).toEqual([])
  })

  test('is made as OpenAPI 3.1 wants it: each operation once, each parameter of a path declared, each reference found', () => {
    expect(document['openapi']).toBe('3.1.0')
    expect(new Set(operations.map(({ operation }) => operation['operationId'])).size).toBe(calls.length)
    for (const { path, operation } of operations) {
      const parameters = listOf(operation['parameters']).map(known)
      const inPath = parameters.filter((one) => one['in'] === 'path').map((one) => one['name'])
      expect(inPath.toSorted(), path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted())
      expect(
        parameters.filter((one) => one['in'] === 'path' && one['required'] !== true),
        path,
      ).toEqual([])
      for (const one of parameters) expect([typeof one['name'], typeof one['schema']], path).toEqual(['string', 'object'])
      const responses = Object.entries(known(operation['responses']))
      expect(responses.map(([status]) => status)).toEqual(expect.arrayContaining(['200', '422', '429', '500']))
      for (const [status, response] of responses) expect([status, typeof known(response)['description']], path).toEqual([status, 'string'])
    }
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(Object.keys(known(known(document['components'])['schemas']))).toContain(name)
    expect(JSON.stringify(document)).not.toMatch(/"\$ref":"(?!#\/components\/)/)
  })

  test('names the filters and the sorts of each list, and every choice of a field', () => {
    const lists = operations.filter(({ method, operation }) => method === 'get' && String(operation['operationId']).endsWith('.list'))
    const named = lists.flatMap(({ operation }) => {
      const source = [...registered.values()].find(({ entity }) => entity.plural === String(operation['operationId']).replace('.list', ''))
      const q = known(
        listOf(operation['parameters'])
          .map(known)
          .find((one) => one['name'] === 'q')?.['schema'],
      )
      if (!source || Object.keys(q).length === 0) return []
      const properties = known(q['properties'])
      const { list, fields } = source.entity
      expect(Object.keys(properties), String(operation['operationId'])).toEqual(
        expect.arrayContaining(list.filter.filter((key) => key in fields)),
      )
      expect(known(properties['s'])['enum'], String(operation['operationId'])).toEqual(
        list.sort.flatMap((key) => [`${key} asc`, `${key} desc`]),
      )
      for (const key of list.filter)
        if (fields[key]?.kind === 'choice') expect(known(properties[key])['enum']).toEqual(fields[key]?.choices?.map(({ value }) => value))
      return [operation['operationId']]
    })
    expect(named.length).toBeGreaterThan(20)
  })
})

/** Calls that only read and answer JSON. */
const readers = calls.filter(
  (call) => call.method === 'GET' && call.effect === 'read' && call.replyKind === 'json' && call.may !== 'signed_url',
)

describe('real answers are made as the document says', () => {
  test.for(readers.map((call) => ({ name: call.name, call })))('$name', async ({ call }: { call: Call }) => {
    const { url } = await readyCall(walk, call, walk.people.super)
    const response = await app.server.inject({ method: 'GET', url, headers: walk.people.super.headers })
    if (response.statusCode !== 200) return
    const operation = operations.find((one) => one.operation['operationId'] === call.name)
    const [schema] = contentOf(known(operation?.operation['responses'])['200'])
    const validator = checker.validatorCompiler?.({ schema: known(schema), method: 'POST', url: '/', httpPart: 'body' })
    if (!validator) throw new Error('the checker compiles nothing')
    const outcome: unknown = validator(JSON.parse(response.body))
    expect(outcome, JSON.stringify('errors' in validator ? validator.errors : known(outcome)['error'])).toBe(true)
    tally.answers++
  })
})
