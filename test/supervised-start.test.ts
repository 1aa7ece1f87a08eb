/** `npm start` as a process: the supervisor around the real start with the small application of the start's tests. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { processesWith, processIdentity } from '../src/server/kernel/postgres/running-process.ts'
import { emptyDatabase } from './support/cluster.ts'

const shared = await emptyDatabase()
/** Generous: a start creates a database. */
const START_MS = 60_000
const SUPERVISOR_KB_MAX = 60_000
const isLinux = process.platform === 'linux'

/** Data folder of the whole file: making a database takes longer than the rest of a start. Every test leaves it without a program. */
const folder = await newFolder()
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await vi.waitFor(() => expect(processesWith(folder)).toEqual([]), 30_000)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'meterbook-supervised-'))
  await chmod(made, 0o755)
  return made
}

interface Supervised {
  readonly child: ChildProcess
  readonly exit: Promise<number | null>
  /** Output of both processes. */
  said(): string
  /** Lines that report that the program is ready. */
  ready(): string[]
  url(start: number): Promise<string>
}

function supervise(environment: Record<string, string> = {}): Supervised {
  const words = [join(import.meta.dirname, '../scripts/start.js'), join(import.meta.dirname, 'support/start-process.ts')]
  const child = spawn(process.execPath, words, {
    env: { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: '0', SHARED_BUFFERS: '16MB', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ready = (): string[] => [...said.matchAll(/Meterbook is ready: (http:\/\/127\.0\.0\.1:\d+)/g)].map((match) => match[1] ?? '')
  return {
    child,
    exit: once(child, 'close').then(([code]: (number | null)[]) => code ?? null),
    said: () => said,
    ready,
    url: (start) => vi.waitFor(() => ready()[start - 1] ?? Promise.reject(new Error(`no start number ${start}: ${said}`)), START_MS),
  }
}

/** Pid of the program; the supervisor has another. */
function programPid(): number {
  return z.object({ pid: z.int() }).parse(JSON.parse(readFileSync(join(folder, 'instance.json'), 'utf8'))).pid
}

test(
  'a program that is killed or ends by a defect is started again, a signal ends both, and the supervisor is small',
  async () => {
    const started = supervise()
    expect(await (await fetch(await started.url(1))).json()).toEqual({ users: 1 })

    const first = programPid()
    expect(first).not.toBe(started.child.pid)
    const killed = performance.now()
    process.kill(first, 'SIGKILL')
    await vi.waitFor(() => expect(started.said()).toContain('Meterbook ended by SIGKILL. It is started again in 0.25 s.'), START_MS)
    // The next start claims the folder at once, however long the database then takes.
    await vi.waitFor(() => expect(programPid()).not.toBe(first), { timeout: START_MS, interval: 20 })
    const took = performance.now() - killed
    console.log(`the next start held the folder after ${Math.round(took)} ms`)
    expect(await (await fetch(await started.url(2))).json()).toEqual({ users: 1 })

    const second = programPid()
    await fetch(`${await started.url(2)}/defect`)
    expect(await (await fetch(await started.url(3))).json()).toEqual({ users: 1 })
    expect(started.said()).toContain('planted defect')
    expect(started.said()).toContain('Meterbook ended with exit code 1. It is started again in 0.5 s.')
    expect(programPid()).not.toBe(second)

    if (isLinux) {
      const kb = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${started.child.pid}/status`, 'utf8'))?.[1])
      console.log(`the supervisor takes ${Math.round(kb / 1024)} MB`)
      expect(kb).toBeLessThan(SUPERVISOR_KB_MAX)
    }

    started.child.kill('SIGTERM')
    expect(await started.exit).toBe(0)
    expect(started.ready()).toHaveLength(3)
    expect(processesWith(folder)).toEqual([])
    expect(existsSync(join(folder, 'instance.json'))).toBe(false)
  },
  4 * START_MS,
)

test(
  'a program that ends again and again is given up after five further starts',
  async () => {
    // On a running database a start takes a second, so that all of them fall into one minute.
    const started = supervise({ DATABASE_URL: shared.url })
    for (let start = 1; start <= 6; start += 1) await fetch(`${await started.url(start)}/defect`)
    expect(await started.exit).toBe(1)
    expect(started.said()).toContain(
      'Meterbook ended with exit code 1. It was started 5 times in the last minute and is not started again. The lines above say what went wrong.',
    )
    expect(started.ready()).toHaveLength(6)
  },
  6 * START_MS,
)

test(
  'a program whose supervisor is killed ends by itself, with its database',
  async () => {
    const started = supervise()
    const url = await started.url(1)
    expect((await fetch(url)).status).toBe(200)
    const program = programPid()
    started.child.kill('SIGKILL')
    // The program outlives its database by a moment, in which it gives the folder back.
    await vi.waitFor(() => expect(processIdentity(program)).toBeUndefined(), START_MS)
    expect(processesWith(folder)).toEqual([])
    expect(existsSync(join(folder, 'instance.json'))).toBe(false)
  },
  2 * START_MS,
)

test('a start that is refused is not tried again: a wrong setting, a port that is taken', async () => {
  const wrong = supervise({ PORT: 'many' })
  expect(await wrong.exit).toBe(1)
  expect(wrong.said().trim()).toBe('PORT must be a whole number from 0 to 65535. See .env.example.')

  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const empty = await newFolder()
  onTestFinished(() => rm(empty, { recursive: true, force: true }))
  for (const setting of ['PORT', 'METRICS_PORT']) {
    const taken = supervise({ DATA_DIR: empty, [setting]: String(port) })
    expect(await taken.exit).toBe(1)
    expect(taken.said().trim()).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that, or set ${setting} (0 takes a free one).`,
    )
    // At once: no database was created before.
    expect(existsSync(join(empty, 'pg18'))).toBe(false)
  }
  other.close()
})

test.each(['PORT', 'METRICS_PORT'])(
  'a %s that another program takes during the start is refused with the same message',
  async (setting) => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const address = free.address()
    const port = typeof address === 'object' && address ? address.port : 0
    free.close()
    await once(free, 'close')
    const started = supervise({ DATABASE_URL: shared.url, [setting]: String(port), TAKEN_LATE: String(port) })
    expect(await started.exit).toBe(1)
    expect(started.said().trim()).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that, or set ${setting} (0 takes a free one).`,
    )
  },
  START_MS,
)
