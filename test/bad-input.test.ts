/**
 * Every call of the contract is asked by the provider's administrator with what no call expects: 24 bad requests each, 200 in the deep run.
 * None may be answered with a fault of ours, none may show what is inside, none may hang. `BAD_INPUT_SEED` throws the dice anew.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { maskPrefix } from '../src/server/kernel/secret.ts'
import { makePeople, makeStrangers, signedInAgain } from './every-call/principals.ts'
import { readyCall } from './every-call/questions.ts'
import { spoiltRequests, type Spoilt } from './every-call/spoil.ts'
import { recipeOf, type Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { startTestApp, type Person } from './support/app.ts'
import { diceOf } from './support/dice.ts'

const seed = Number(process.env['BAD_INPUT_SEED'] ?? 20_260_201)
const perCall = Number(process.env['BAD_INPUTS'] ?? 24)
const atOnce = 8
const slowMs = 2_000
const started = await startTestApp()
const { app } = started
const { db } = started.database
const tally = { requests: 0, taken: 0, kept: 0, slowestMs: 0, bytesBefore: 0 }
let walk: Walk

beforeAll(async () => {
  setProviders(app.machinery, [quietProvider])
  const world = await makeWorld(db)
  walk = { app, world, people: await makePeople(world), strangers: await makeStrangers(db), address: await started.listen() }
  tally.bytesBefore = process.memoryUsage().rss
})
afterAll(() => {
  const grown = Math.round((process.memoryUsage().rss - tally.bytesBefore) / 1_048_576)
  const { requests, taken, kept, slowestMs } = tally
  console.log(
    `bad-input: seed ${seed}, ${requests.toLocaleString('en-US')} requests to ${calls.length} calls, ${taken.toLocaleString('en-US')} taken as good, ${kept} texts read again, slowest ${Math.round(slowestMs)} ms, memory +${grown} MB`,
  )
})

describe('no bad input brings a fault of ours, shows what is inside, or hangs', () => {
  test.for(calls.map((call, place) => ({ name: call.name, call, place })))('$name', { timeout: 60_000 }, async ({ call, place }) => {
    const ready = await readyCall(walk, call, walk.people.super, relationOf(call))
    const requests = spoiltRequests(call, ready, perCall, diceOf(seed + place))
    const waiting = [...requests]
    const faults: string[] = []
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) faults.push(...(await faultsOf(call, next)))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await sql`delete from tasks where state = 'waiting'`.execute(db)
    // The closing line of a run shows the message of a failure and not its difference.
    expect(faults, faults.slice(0, 5).join('\n')).toEqual([])
  })

  test(`each call was asked at least ${perCall} different ones`, () => {
    expect(tally.requests).toBeGreaterThanOrEqual(calls.length * perCall)
    expect(tally.kept).toBeGreaterThan(0)
  })
})

function relationOf({ path }: Call) {
  if (/:token/.test(path)) return 'valid'
  return /^\/(saved_views|tasks)\b/.test(path) ? 'mine' : 'own'
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly ms: number
}

async function faultsOf(call: Call, spoilt: Spoilt): Promise<string[]> {
  let answer = await send(call, spoilt)
  // A busy machine is slow now and then, and answers 503 then, which asks to come back; a hanging or failing call is so each time.
  for (let tries = 1; tries < 4 && (answer.ms > slowMs || answer.status === 503); tries++) answer = await send(call, spoilt)
  const { status, text, ms } = answer
  tally.requests++
  tally.taken += status < 400 ? 1 : 0
  tally.slowestMs = Math.max(tally.slowestMs, ms)
  const said = `${call.method} ${spoilt.url.slice(0, 200)} ${(spoilt.payload ?? '').slice(0, 300)} ${JSON.stringify(spoilt.headers).slice(0, 200)} -> ${status} ${text.slice(0, 300)}`
  return [
    ...(status >= 500 ? [`a fault of ours: ${said}`] : []),
    ...(status >= 400 && !isRefusal(text) ? [`no refusal: ${said}`] : []),
    ...(inside.test(text) ? [`shows what is inside: ${said}`] : []),
    ...(ms > slowMs ? [`hangs for ${Math.round(ms)} ms: ${said}`] : []),
    ...(status < 300 ? changedText(spoilt, text) : []),
  ]
}

/** Stack traces, file names and PostgreSQL's messages about its own objects. */
const inside = /\n\s+at |node_modules|\.ts:\d|violates |relation \\?"|column \\?"|invalid input syntax|SQLSTATE/

function isRefusal(text: string): boolean {
  return text.startsWith('{"success":false,"message":"') && text.includes('"request_id":')
}

async function send(call: Call, { url, headers, payload }: Spoilt): Promise<Answer> {
  const recipe = recipeOf(call.name, call.name)
  const who = recipe.endsSignIn ? await signedInAgain(db, walk.people.super) : walk.people.super
  const all = { ...who.headers, ...headers }
  const since = performance.now()
  const answer = recipe.endless ? await overSocket(url, all) : await injected(call, url, all, payload)
  return { ...answer, ms: performance.now() - since }
}

async function injected(call: Call, url: string, headers: Person['headers'], payload: string | undefined) {
  const response = await app.server.inject({ method: call.method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { status: response.statusCode, text: response.body }
}

/** An endless stream is closed once its headers have arrived. */
async function overSocket(url: string, headers: Person['headers']): Promise<Pick<Answer, 'status' | 'text'>> {
  const leaving = new AbortController()
  try {
    const response = await fetch(`${walk.address}${url}`, { headers: sendable(headers), signal: leaving.signal })
    return { status: response.status, text: response.status < 300 ? '' : await response.text() }
  } finally {
    leaving.abort()
  }
}

/** Headers that belong to the connection are left to the client. */
function sendable(headers: Person['headers']): Record<string, string> {
  const own = ['host', 'content-length', 'transfer-encoding', 'accept-encoding']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))
}

/** A stored text must be read as it was sent; composed characters and trimmed spaces are the one declared change. */
function changedText({ text: sent, payload }: Spoilt, answer: string): string[] {
  // Numbers are formatted again.
  if (!sent || sent.path.length !== 2 || Number.isFinite(Number(sent.value))) return []
  const [envelope = '', field = ''] = sent.path
  const reply: unknown = JSON.parse(answer)
  const row: unknown = typeof reply === 'object' && reply !== null ? Reflect.get(reply, envelope) : undefined
  const stored: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, field) : undefined
  // A secret is never read again.
  if (typeof stored !== 'string' || stored.startsWith(maskPrefix)) return []
  tally.kept++
  const declared = [sent.value, sent.value.trim(), sent.value.normalize('NFC'), sent.value.normalize('NFC').trim()]
  return declared.includes(stored) ? [] : [`${sent.path.join('.')} reads ${JSON.stringify(stored)}: ${payload ?? ''}`]
}
