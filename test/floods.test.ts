/**
 * A flood of requests to the real program: it must survive, and signed-in users must be answered throughout. FLOOD_SECONDS is the duration
 * of each flood. Prints how long the list of bills takes when idle and under each flood.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBills } from '../src/server/bills/bills.ts'
import { makePerson, type Person } from './support/app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft } from './support/bills.ts'
import { testDatabase } from './support/cluster.ts'
import type { FloodOrder } from './support/flood-process.ts'
import { programOn, START_MS } from './support/launch.ts'

const floodSeconds = Number(process.env['FLOOD_SECONDS'] ?? '10')
const quietSeconds = Math.min(floodSeconds, 20)
/** A pause between two requests of the working user, so that only the program's time is measured. */
const thinkMs = 20
/** Under a flood the list may take this many times as long before the test fails; the goal is 3. */
const slownessMax = 20
const accounts = 100
const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

const database = await testDatabase()
const { db } = database
const limited = await programOn(database.url, 'api-process.ts', { RATE_LIMIT_FACTOR: '1' })
const unlimited = await programOn(database.url, 'api-process.ts')
let clientId: number
let worker: Person
let reader: Person

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
}, 180_000)

interface Sample {
  readonly ms: readonly number[]
  readonly statuses: Record<string, number>
}

/** Requests the list of bills repeatedly until it is stopped. */
async function work(url: string, who: Person, seconds: number): Promise<Sample> {
  const ms: number[] = []
  const statuses: Record<string, number> = {}
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const from = performance.now()
    const answer = await fetch(`${url}/api/v5/bills?per=25`, { headers: who.headers })
    await answer.arrayBuffer()
    ms.push(performance.now() - from)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    await sleep(thinkMs)
  }
  return { ms: ms.toSorted((a, b) => a - b), statuses }
}

/** The flood comes from its own process, so that it does not slow down the one that measures. */
async function flooded<T>(order: FloodOrder, during: () => Promise<T>): Promise<{ result: T; statuses: string }> {
  const flood = spawn(process.execPath, [join(import.meta.dirname, 'support/flood-process.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const result = await during()
    flood.kill('SIGTERM')
    return { result, statuses: (await text(flood.stdout)).trim() }
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

describe('a flood', () => {
  test.each([
    { name: 'of 60 anonymous loops of the documentation', program: limited, loops: 60, order: docs },
    { name: 'of 20 loops of a reader who tries audit settings', program: limited, loops: 20, order: attempt },
    { name: 'of the same 20 loops without limits a minute', program: unlimited, loops: 20, order: attempt },
  ])(
    '$name leaves the program alive and others served',
    async ({ name, program, loops, order }) => {
      const url = await program.launch()
      try {
        await work(url, worker, 3)
        const quiet = await work(url, worker, quietSeconds)
        const flood = await flooded({ url, loops, ...order() }, () => work(url, worker, floodSeconds))
        const ratio = at(flood.result, 0.95) / at(quiet, 0.95)
        console.log(
          `flood ${name}, ${floodSeconds} s: quiet ${figures(quiet)}; flooded ${figures(flood.result)}; p95 ratio ${ratio.toFixed(2)}; ` +
            `${flood.result.ms.length} lists; the flood was answered ${flood.statuses}`,
        )
        expect(Object.keys(flood.result.statuses)).toEqual(['200'])
        expect(ratio).toBeLessThan(slownessMax)
        expect((await fetch(`${url}/livez`)).status).toBe(200)
      } finally {
        await program.end('SIGKILL')
      }
    },
    START_MS + 3 * (floodSeconds + quietSeconds) * 1_000,
  )
})
