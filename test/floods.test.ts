/**
 * A flood of requests to the real program: it must survive, and signed-in users must be answered throughout. FLOOD_SECONDS is the duration
 * of each flood. Judged by what the flood got while the other user was served: a busy machine changes durations, and hardly these counts.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createBills } from '../src/server/bills/bills.ts'
import { requestsPerMinute } from '../src/server/kernel/http/rate-limit.ts'
import { makePerson, type Person } from './support/app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft } from './support/bills.ts'
import { testDatabase } from './support/cluster.ts'
import type { FloodOrder } from './support/flood-process.ts'
import { programOn, START_MS } from './support/launch.ts'

const floodSeconds = Number(process.env['FLOOD_SECONDS'] ?? '3')
/** Lists of the working user that a flood must at least allow to compare, however slow the machine is. */
const listsMin = 10
/** A pause between two requests of the working user, so that only the program's time is measured. */
const thinkMs = 20
/**
 * Heavy answers to the flood for each list of the working user. With turns one heavy call of a person runs beside many lists, 0 to 0.1 for
 * each; with all of them removed it was 1.1.
 */
const heavyPerListMax = 0.5
/** Under the flood of cheap calls the median of a list may be this many times the quiet one, as it would be if each call made its answer anew. */
const slownessMax = 20
/** A refused request is held for a second before its loop can send the next. */
const refusalsPerSecond = 1
const accounts = 40
const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

const database = await testDatabase()
const { db } = database
const limited = await programOn(database.url, 'api-process.ts', { RATE_LIMIT_FACTOR: '1' })
const unlimited = await programOn(database.url, 'api-process.ts')
let clientId: number
let worker: Person
let reader: Person
let limitedUrl = ''
let unlimitedUrl = ''

beforeAll(async () => {
  const at = await makeGround(db)
  ;({ clientId } = at)
  for (let count = 0; count < accounts; count++) {
    const accountId = await makeAccount(db, at, `${count}-${clientId}`)
    const own = {
      accountId,
      electricId: await makeService(db, clientId, accountId, 'electric', `E${count}`),
      gasId: await makeService(db, clientId, accountId, 'natural_gas', `G${count}`),
    }
    await acting(database, (context) =>
      createBills(
        context,
        clientId,
        months.map((month) => monthlyDraft(own, month)),
      ),
    )
  }
  worker = await makePerson(db, 'client_manager', { clients: [(await makeGround(db)).clientId] })
  reader = await makePerson(db, 'read_only_user', { clients: [clientId] })
  limitedUrl = await limited.launch()
  unlimitedUrl = await unlimited.launch()
}, 180_000)

interface Sample {
  readonly ms: readonly number[]
  readonly statuses: Record<string, number>
}

/** Requests the list of bills repeatedly for the time, and at least a few times. */
async function work(url: string, who: Person, seconds: number): Promise<Sample> {
  const ms: number[] = []
  const statuses: Record<string, number> = {}
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until || ms.length < listsMin) {
    const from = performance.now()
    const answer = await fetch(`${url}/api/v5/bills?per=25`, { headers: who.headers })
    await answer.arrayBuffer()
    ms.push(performance.now() - from)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    await sleep(thinkMs)
  }
  return { ms: ms.toSorted((a, b) => a - b), statuses }
}

interface Flooded {
  readonly lists: Sample
  readonly seconds: number
  /** Count of each status that the flood was answered during the work. */
  readonly answers: Record<string, number>
}

/** The flood comes from its own process, so that it does not slow down the one that measures. */
async function flooded(order: FloodOrder, during: () => Promise<Sample>): Promise<Flooded> {
  const flood = spawn(process.execPath, [join(import.meta.dirname, 'support/flood-process.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const said = createInterface({ input: flood.stdout })[Symbol.asyncIterator]()
    await said.next() // Its first answer has come.
    const from = performance.now()
    const lists = await during()
    flood.kill('SIGTERM')
    const { value } = await said.next()
    const answers = z.record(z.string(), z.int()).parse(JSON.parse(String(value)))
    return { lists, seconds: (performance.now() - from) / 1_000, answers }
  } finally {
    flood.kill('SIGKILL')
  }
}

const at = (sample: Sample, share: number): number => sample.ms[Math.floor(sample.ms.length * share)] ?? Number.NaN
const figures = (sample: Sample): string => `p50 ${at(sample, 0.5).toFixed(1)} ms, p95 ${at(sample, 0.95).toFixed(1)} ms`

const docs = (): Omit<FloodOrder, 'url' | 'loops'> => ({
  method: 'GET',
  path: '/api/v5/docs',
  headers: { 'accept-encoding': 'gzip' },
  body: '',
})
const attempt = (): Omit<FloodOrder, 'url' | 'loops'> => ({
  method: 'POST',
  path: `/api/v5/clients/${clientId}/audit_settings/try`,
  headers: { ...reader.headers, 'content-type': 'application/json' },
  body: '{"audit_settings":{}}',
})

function expectTurns({ answers, lists }: Flooded): void {
  // The first was answered before the work began.
  expect(((answers['200'] ?? 0) - 1) / lists.ms.length).toBeLessThan(heavyPerListMax)
}

function expectLimit({ answers, lists, seconds }: Flooded, loops: number, quiet: Sample): void {
  expect(answers['200'] ?? 0).toBeLessThanOrEqual(requestsPerMinute.anonymous * (1 + seconds / 60))
  expect(answers['429'] ?? 0).toBeLessThanOrEqual(loops * (1 + seconds * refusalsPerSecond))
  expect(at(lists, 0.5) / at(quiet, 0.5)).toBeLessThan(slownessMax)
}

describe('a flood', () => {
  test.each([
    { name: 'of 60 anonymous loops of the documentation', url: () => limitedUrl, loops: 60, order: docs, judge: expectLimit },
    { name: 'of 20 loops of a reader who tries audit settings', url: () => limitedUrl, loops: 20, order: attempt, judge: expectTurns },
    { name: 'of the same 20 loops without limits a minute', url: () => unlimitedUrl, loops: 20, order: attempt, judge: expectTurns },
  ])(
    '$name leaves the program alive and others served',
    async ({ name, url, loops, order, judge }) => {
      const quiet = await work(url(), worker, 1)
      const flood = await flooded({ url: url(), loops, ...order() }, () => work(url(), worker, floodSeconds))
      console.log(
        `flood ${name}, ${flood.seconds.toFixed(1)} s: quiet ${figures(quiet)}; flooded ${figures(flood.lists)}; ` +
          `${flood.lists.ms.length} lists; the flood was answered ${JSON.stringify(flood.answers)}`,
      )
      expect(Object.keys(flood.lists.statuses)).toEqual(['200'])
      judge(flood, loops, quiet)
      expect((await fetch(`${url()}/livez`)).status).toBe(200)
    },
    START_MS + 5 * floodSeconds * 1_000,
  )
})
