/** OpenAPI 3.1 and the page of the API's documentation, both generated from the one table of calls. */
import type { Call } from '#contract/kernel/call.ts'
import { permissionsOf } from '#contract/kernel/permission.ts'
import { problem, problemCodes } from '#contract/kernel/problem.ts'
import type { z } from 'zod'
import { filtersOf, schemaOf, type EntitiesByRow } from './api-schemas.ts'
import { registered } from '../lists/sources.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: object[]
  requestBody?: object
  responses: Record<string, object>
  security?: object[]
}

/** Yields the document as JSON, one path at a time: all of it at once would block the process for long. */
export function* openApiText(calls: readonly Call[], base: string): Generator<string> {
  const paths = Map.groupBy(calls, (call) => `${base}${call.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')}`)
  yield `${JSON.stringify(frame()).slice(0, -1)},"paths":{`
  let between = ''
  for (const [path, members] of paths) {
    const operations: Record<string, Operation> = Object.fromEntries(members.map((call) => [call.method.toLowerCase(), operationOf(call)]))
    yield `${between}${JSON.stringify(path)}:${JSON.stringify(operations)}`
    between = ','
  }
  yield '}}'
}

function frame(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meterbook',
      version: 'v5',
      description: 'Utility bills and what follows from them. Money is text with two decimals; dates are YYYY-MM-DD; ids are numbers.',
    },
    components: {
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'header', name: 'access-token' },
        client: { type: 'apiKey', in: 'header', name: 'client' },
        uid: { type: 'apiKey', in: 'header', name: 'uid' },
        apiToken: { type: 'http', scheme: 'bearer', description: 'An API token of a person, mb_…: their rights, or a part of them.' },
      },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
  }
}

function operationOf(call: Call): Operation {
  const body = bodyOf(call)
  return {
    operationId: call.name,
    summary: call.summary,
    description: rightsOf(call),
    parameters: [...parametersOf(call, 'path'), ...parametersOf(call, 'query')],
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: {
        description: 'Done',
        ...(call.replyKind === 'json' ? { content: { 'application/json': { schema: schemaOf(call.schemas.reply, 'output') } } } : {}),
      },
      ...refusalsOf(call),
    },
    ...(call.may === 'public' || call.may === 'signed_url'
      ? {}
      : { security: [{ accessToken: [], client: [], uid: [] }, { apiToken: [] }] }),
  }
}

function rightsOf(call: Call): string {
  const permissions = permissionsOf(call.may)
  if (permissions.length > 0) return `Needs ${permissions.join(' or ')}.`
  return call.may === 'signed_in' ? 'Needs a sign-in.' : 'Public.'
}

function bodyOf(call: Call): object | undefined {
  if (call.bodyKind === 'json') return { required: true, content: { 'application/json': { schema: schemaOf(call.schemas.body, 'input') } } }
  if (call.bodyKind === 'multipart')
    return { required: true, content: { 'multipart/form-data': { schema: schemaOf(call.schemas.body, 'input') } } }
  return call.bodyKind === 'bytes'
    ? { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
    : undefined
}

function parametersOf(call: Call, place: 'path' | 'query'): object[] {
  const schema = schemaOf(place === 'path' ? call.schemas.params : call.schemas.query, 'input')
  const { properties, required } = schema
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const filters = place === 'query' ? filtersOf(call, entitiesByRow()) : undefined
  return Object.entries(properties ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    ...(name === 'q' ? { style: 'deepObject', explode: true } : {}),
    schema: (name === 'q' ? filters : undefined) ?? (isId(name, place) ? { type: 'integer' } : value),
  }))
}

function entitiesByRow(): EntitiesByRow {
  return new Map(
    [...registered.values()].flatMap(({ entity }) => [
      [entity.plural, entity] as const,
      ...('row' in entity ? [[entity.row, entity] as const] : []),
    ]),
  )
}

/** Returns true for an id in a path: it is written as text and means a number. */
function isId(name: string, place: string): boolean {
  return place === 'path' && /(^|_)id$/.test(name)
}

const refusalWords = {
  400: 'The request cannot be read',
  401: 'Nobody is signed in',
  403: 'The right is lacking',
  404: 'There is no such record in reach',
  409: 'A rule forbids it now, or somebody else saved meanwhile: `changed` says what',
  413: 'Too large',
  422: 'What was sent breaks the rules: `errors.fields` names each field',
  429: 'Too many requests: `retry-after` says when to come back',
  500: 'A fault of the server',
  503: 'A part of the system is down, or too much is asked of it at once: `retry-after` says when to come back',
} as const

/** All refusals have one shape. A call that only reads has no body and changes nothing. */
function refusalsOf({ may, effect, bodyKind }: Call): Record<string, object> {
  const isOpen = may === 'public'
  const left = new Set<number>([...(isOpen ? [401, 403] : []), ...(effect === 'read' ? [409] : []), ...(bodyKind === 'none' ? [413] : [])])
  const codes = Object.entries(refusalWords).filter(([status]) => !left.has(Number(status)))
  const said = (status: string) =>
    Object.keys(problemCodes).filter((code) =>
      Object.entries(problemCodes).some(([key, value]) => key === code && String(value) === status),
    )
  return Object.fromEntries(
    codes.map(([status, description]) => [
      status,
      {
        description: `${description}. \`code\` is ${said(status).join(' or ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** Yields a plain page without scripts, in pieces: every call with its rights, parameters and shapes. */
export function* documentationPage(calls: readonly Call[], base: string): Generator<string> {
  const groups = Map.groupBy(calls, (call) => call.name.split('.')[0] ?? '')
  const index = [...groups.keys()].map((group) => `<a href="#${escaped(group)}">${escaped(group)}</a>`).join(' ')
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Meterbook API</title>
<link rel="stylesheet" href="docs.css"></head><body><main><h1>Meterbook API, version 5</h1>
<p>Every request carries the headers access-token, client and uid, which sign-in answers. Lists take q[key], q[key_predicate], q[s], page and per. <a href="openapi.json">openapi.json</a></p>
<nav>${index}</nav>`
  for (const [group, members] of groups) {
    yield `<h2 id="${escaped(group)}">${escaped(group)}</h2>`
    for (const call of members) yield callSection(call, base)
  }
  yield '</main></body></html>'
}

function callSection(call: Call, base: string): string {
  const parts = [
    shapeOf('Query', call.schemas.query, 'input'),
    call.bodyKind === 'json' ? shapeOf('Body', call.schemas.body, 'input') : '',
    call.replyKind === 'json' ? shapeOf('Answer', call.schemas.reply, 'output') : '',
  ]
  return `<section><h3><code>${call.method} ${escaped(base + call.path)}</code></h3><p>${escaped(call.summary)}. ${escaped(rightsOf(call))}</p>${parts.join('')}</section>`
}

function shapeOf(title: string, schema: z.ZodType, io: 'input' | 'output'): string {
  const text = JSON.stringify(schemaOf(schema, io), null, 1)
  return text === '{}' || text.includes('"properties": {}')
    ? ''
    : `<details><summary>${title}</summary><pre>${escaped(text)}</pre></details>`
}

export const documentationStyle = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.4rem}
h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}h3{font-size:.95rem;margin:.9rem 0 0}p{margin:.2rem 0}nav a{margin-right:.6rem}pre{overflow:auto;font-size:12px}`

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
