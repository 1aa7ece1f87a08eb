/** Requests every cell of a row and reports responses that differ from the table, leaks, and writes by refused requests. */
import { sql } from 'kysely'
import type { Call } from '#contract/kernel/call.ts'
import type { App } from '../../src/server/app.ts'
import type { Person } from '../support/app.ts'
import { formOf } from '../support/forms.ts'
import { estateRecipes } from './estate-recipes.ts'
import { ledgerRecipes } from './ledger-recipes.ts'
import { deskRecipes } from './desk-recipes.ts'
import { paymentRecipes } from './payment-recipes.ts'
import { otherRecipes } from './other-recipes.ts'
import { passkeyRecipes } from './passkey-recipes.ts'
import { sees, signedInAgain, strangerNames, type ColumnName, type People, type Strangers } from './principals.ts'
import { idsOfNothing, sourceOf, sparing, targetOf, type Asking, type Recipe } from './recipe.ts'
import type { Cell, Outcome, Relation, Row } from './rows.ts'
import { sharersOf } from './shares.ts'
import { differences, traceOf, workIsOver } from './trace.ts'
import { userRecipes } from './user-recipes.ts'
import { markOf, placeNames, type World } from './world.ts'

type Headers = Person['headers']

export interface Walk {
  readonly app: App
  readonly world: World
  readonly people: People
  /** The four who are not signed in, made again for each cell. */
  readonly strangers: Strangers
  /** Users who have lost their rights while working: their requests are those of `nobody`. */
  readonly former?: Readonly<Record<string, Person>>
  /** Address of the server, for the calls that never end. */
  readonly address: string
}

/** One request with its response. */
interface Answered {
  readonly cell: Cell
  readonly who: string
  readonly status: number
  readonly text: string
  readonly type: string
}

/** The result of a row: faults in words, the number of requests and of refused ones. */
export interface Verdict {
  readonly faults: readonly string[]
  readonly tried: number
  readonly denied: number
}

const recipes: Readonly<Record<string, Recipe>> = {
  ...deskRecipes,
  ...estateRecipes,
  ...ledgerRecipes,
  ...otherRecipes,
  ...passkeyRecipes,
  ...paymentRecipes,
  ...userRecipes,
}

/** Concurrent requests of one row. */
const atOnce = 4

/** Runs the cells that must be denied first; they may leave no trace in the database. The allowed ones follow, each on its own record. */
export async function walkRow(walk: Walk, row: Row, call: Call): Promise<Verdict> {
  const recipe = sparing(recipeOf(row.name, row.callName))
  const asker = { walk, call, recipe }
  const denying = (
    await inTurns(
      row.cells.filter((cell) => isDenied(cell.expected)),
      (cell) => prepare(asker, cell),
    )
  ).flat()
  const before = await traceOf(walk, call)
  const refused = await inTurns(denying, (question) => send(asker, question))
  const after = await traceOf(walk, call)
  const allowing = row.cells.filter((cell) => !isDenied(cell.expected))
  const done = (await inTurns(allowing, async (cell) => inTurns(await prepare(asker, cell), (question) => send(asker, question)))).flat()
  // A task retried here must not end in the middle of the next row.
  if (call.effect !== 'read') await workIsOver(walk.world.db, sql`true`)
  const answers = [...refused, ...done]
  return {
    faults: [
      ...answers.flatMap(outcomeFault),
      ...answers.flatMap(leakFault),
      ...refused.flatMap(refusalFault),
      ...likenessFaults(row, refused),
      ...(before === after ? [] : [`refused questions have written: ${differences(before, after)}`]),
    ],
    tried: answers.length,
    denied: answers.filter((answer) => isDenied(outcomeOf(answer.status))).length,
  }
}

/** Returns the recipe of a row of the table, or else of its call. */
export function recipeOf(rowName: string, callName: string): Recipe {
  return recipes[rowName] ?? recipes[callName] ?? {}
}

/** Sends the first request of a row that the provider's administrator is allowed; undefined if there is none. */
export async function askOnce(walk: Walk, row: Row, call: Call): Promise<Pick<Answered, 'status' | 'text'> | undefined> {
  const asker = { walk, call, recipe: recipeOf(row.name, row.callName) }
  const cell = row.cells.find(({ who, expected }) => who === 'super' && expected === '+')
  const [question] = cell ? await prepare(asker, cell) : []
  return question && send(asker, question)
}

function isDenied(outcome: Outcome | '5'): boolean {
  return outcome === '-' || outcome === '.' || outcome === 'x'
}

interface Asker {
  readonly walk: Walk
  readonly call: Call
  readonly recipe: Recipe
}

interface Question {
  readonly cell: Cell
  readonly who: string
  readonly url: string
  readonly headers: Headers
  readonly payload: object | undefined
}

/** Makes all records that a request needs beforehand. */
async function prepare({ walk, call, recipe }: Asker, cell: Cell): Promise<Question[]> {
  const prepared = async (who: string, person: Person | null, headers: Headers): Promise<Question> => {
    const asking = askingOf(walk, cell.relation, person)
    const form = recipe.form ? formOf(recipe.form(asking)) : undefined
    return {
      cell,
      who,
      url: await urlOf(call, recipe, asking, !isDenied(cell.expected)),
      headers: {
        ...headers,
        ...(await recipe.headers?.(asking)),
        ...(recipe.bytes ? { 'content-type': 'text/csv' } : {}),
        ...form?.headers,
      },
      payload: form?.payload ?? recipe.bytes?.() ?? (await recipe.body?.(asking)),
    }
  }
  const asks = (name: string): boolean => cell.by?.includes(name) ?? true
  if (cell.who === 'out') {
    const strangers = await walk.strangers(strangerNames.filter(asks))
    return inTurns(strangers, ({ name, headers }) => prepared(name, null, headers))
  }
  const users = Object.entries({ [cell.who]: walk.people[cell.who], ...(cell.who === 'nobody' ? walk.former : {}) })
  const askers = users.filter(([name]) => asks(name))
  return inTurns(askers, async ([who, person]) => {
    const asker = recipe.endsSignIn ? await signedInAgain(walk.world.db, person) : person
    return prepared(who, asker, asker.headers)
  })
}

async function send({ walk, call, recipe }: Asker, { cell, who, url, headers, payload }: Question): Promise<Answered> {
  if (recipe.endless && !isDenied(cell.expected)) return { cell, who, ...(await hangUp(`${walk.address}${url}`, headers)) }
  const response = await walk.app.server.inject({ method: call.method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { cell, who, status: response.statusCode, text: response.body, type: response.headers['content-type'] ?? '' }
}

function askingOf({ app, world, people }: Walk, relation: Relation, who: Person | null): Asking {
  const other = who?.id === people.admin.id ? people.manager : people.admin
  const owner = relation === 'mine' && who ? who.id : other.id
  return { app, world, relation, target: targetOf(relation, world), source: sourceOf(relation, world), owner, who }
}

/** Returns the address of a call about a place; with `isAllowed` it uses a fresh record. */
export async function urlOf(call: Call, recipe: Recipe, asking: Asking, isAllowed: boolean): Promise<string> {
  const isThere = asking.relation !== 'missing' && asking.relation !== 'absent'
  const maker = isAllowed && isThere ? (recipe.fresh ?? recipe.ids) : recipe.ids
  const made = (await maker?.(asking)) ?? {}
  const ids = { client_id: asking.target.clientId, ...(isThere ? made : keptClient(call, asking, idsOfNothing(made))) }
  const path = call.path.replace(/:(\w+)/g, (_, key: string) => {
    const id = Reflect.get(ids, key)
    if (typeof id !== 'number' && typeof id !== 'string') throw new Error(`${call.name} has no recipe for :${key}`)
    return String(id)
  })
  const query = recipe.query?.(asking)
  return `/api/v5${path}${query === undefined ? '' : `?${query}`}`
}

/** If the path's id is the client itself, its id is kept: a client that does not exist is the relation `absent`. */
function keptClient(call: Call, { target }: Asking, ids: Readonly<Record<string, number | string>>) {
  return call.path.startsWith('/clients/:id') ? { ...ids, id: target.clientId } : ids
}

/** Reads the status over a socket and disconnects. */
async function hangUp(url: string, headers: Headers): Promise<Pick<Answered, 'status' | 'text' | 'type'>> {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
  leaving.abort()
  return { status: response.status, text: '', type: response.headers.get('content-type') ?? '' }
}

/** Runs the cells of a row a few at once, in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += atOnce) results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  return results
}

// ---------------------------------------------------------------- judging

function outcomeOf(status: number): Outcome | '5' {
  if (status < 400) return '+'
  if (status === 401) return 'x'
  if (status === 403) return '-'
  if (status === 404) return '.'
  return status < 500 ? '!' : '5'
}

function outcomeFault({ cell, who, status, text }: Answered): string[] {
  return outcomeOf(status) === cell.expected
    ? []
    : [`${who} on ${cell.relation}: expected ${cell.expected}, answered ${status} ${text.slice(0, 200)}`]
}

/** No response, including refusals, contains a text of a place that the caller may not see. */
function leakFault({ cell, who, text }: Answered): string[] {
  const seen = columnOf(cell.who) ?? []
  const leaked = placeNames.filter((place) => !seen.includes(place) && text.includes(markOf(place)))
  return leaked.length === 0 ? [] : [`${who} on ${cell.relation}: the answer holds texts of ${leaked.join(', ')}: ${text.slice(0, 300)}`]
}

function columnOf(who: Cell['who']): (typeof sees)[ColumnName] | undefined {
  return who === 'out' ? undefined : sees[who]
}

/** Every refusal has the same shape. */
function refusalFault({ cell, who, text, type }: Answered): string[] {
  const isRefusal = type.startsWith('application/json') && text.startsWith('{"success":false,"message":"') && text.includes('"request_id":')
  return isRefusal ? [] : [`${who} on ${cell.relation}: no refusal: ${type} ${text.slice(0, 200)}`]
}

/** A refused caller cannot distinguish existing from missing records: under one path, absent and out of reach get the same response. */
const alike: Readonly<Record<string, readonly Relation[]>> = {
  'in the own client': ['outside', 'crossed', 'missing'],
  'in another client': ['sibling', 'foreign', 'absent'],
  'of another person': ['theirs', 'missing'],
  'among the partners': ['foreign', 'missing'],
}

const alikeIn: Readonly<Partial<Record<Row['shape'], readonly string[]>>> = {
  person: ['of another person'],
  partner: ['among the partners'],
}

function likenessFaults(row: Row, refused: readonly Answered[]): string[] {
  const groups = alikeIn[row.shape] ?? ['in the own client', 'in another client']
  return groups.flatMap((group) => {
    const hidden = refused.filter(({ cell }) => cell.expected === '.' && alike[group]?.includes(cell.relation))
    // Callers who share the relations of the row are compared as one.
    const texts = Map.groupBy(hidden, ({ who, cell }) => (cell.who === who ? sharersOf(row, cell.who).join(' or ') : who))
    return [...texts].flatMap(([who, answers]) => {
      const different = new Set(answers.map(({ status, text }) => `${status} ${withoutRequestId(text)}`))
      return different.size <= 1 ? [] : [`${who} can tell apart what is hidden ${group}: ${[...different].join(' | ')}`]
    })
  })
}

function withoutRequestId(text: string): string {
  return text.replace(/"request_id":"[^"]*"/, '')
}

/** Returns the recipes without a row in the table, so that a misspelt one is found. */
export function recipesWithoutRow(rows: readonly Row[]): string[] {
  const known = new Set(rows.flatMap((row) => [row.name, row.callName]))
  return Object.keys(recipes).filter((name) => !known.has(name))
}
