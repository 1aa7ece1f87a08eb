import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { startPostgres, type RunningPostgres } from './embedded-postgres.ts'
import { makeSymlinks, REACHABLE_ROOT } from './postgres-binaries.ts'
import { readPidFile, WATCHDOG_NAME } from './postgres-server.ts'
import { commandLine, processesWith } from './running-process.ts'

const isRoot = process.getuid?.() === 0
const told = z.object({ how: z.string(), pid: z.number(), url: z.string() })

/** Data folder of the whole file: making a cluster takes longer than the rest of a start. Every test leaves it without a server. */
const folder = newFolder()
const children: ChildProcess[] = []
/** The start that made the cluster, on what a killed start had left. */
let made: RunningPostgres

beforeAll(async () => {
  mkdirSync(join(folder, 'pg18.new-1/base'), { recursive: true })
  made = await startPostgres({ folder, sharedBuffers: '16MB' })
  await made.stop()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await vi.waitFor(() => expect(serverProcesses()).toEqual([]), 15_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'meterbook-supervisor-'))
  // The server runs under another account when the tests run as root.
  chmodSync(path, 0o755)
  return path
}

/** A folder without a cluster, for one test. */
function emptyFolder(): string {
  const path = newFolder()
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Everything that runs on the data folder: postmaster and watchdogs. */
function serverProcesses() {
  return processesWith(folder).filter(({ command }) => !command.includes('postgres-process.ts'))
}

interface Program {
  child: ChildProcess
  acknowledged: number[]
  messages: string[]
  ready: Promise<z.output<typeof told>>
}

function startProgram(work: 'insert' | 'idle' = 'idle'): Program {
  const file = join(import.meta.dirname, '../../../../test/support/postgres-process.ts')
  const child = spawn(process.execPath, [file, folder, work], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const acknowledged: number[] = []
  const messages: string[] = []
  const { promise: ready, resolve } = Promise.withResolvers<z.output<typeof told>>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line)
    if (said.acknowledged) acknowledged.push(said.acknowledged)
    else if (said.message) messages.push(said.message)
    else resolve(told.parse(said))
  })
  return { child, acknowledged, messages, ready }
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

function watchdogs(): number[] {
  return processesWith(WATCHDOG_NAME).flatMap(({ pid, command }) => (command.includes(folder) ? [pid] : []))
}

/** The program is halted first, because it would start a new watchdog in between. */
async function killedWithWatchdog(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  for (const pid of watchdogs()) process.kill(pid, 'SIGKILL')
  await killed(child)
}

describe('a first start', () => {
  test('makes a safe cluster: checksums, fsync, UTF-8 in the built-in locale, loopback only, a password', async () => {
    expect(made.how).toBe('created')
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    try {
      const settings = [
        'data_checksums',
        'fsync',
        'full_page_writes',
        'synchronous_commit',
        'listen_addresses',
        'unix_socket_directories',
        'jit',
        'shared_buffers',
      ]
      const values = await query(postgres.url, `select ${settings.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`)
      expect(values).toEqual([
        {
          data_checksums: 'on',
          fsync: 'on',
          full_page_writes: 'on',
          synchronous_commit: 'on',
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          jit: 'off',
          shared_buffers: '16MB',
        },
      ])
      const locale = await query(
        postgres.url,
        `select datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'meterbook'`,
      )
      expect(locale).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' }])
      await expect(query(postgres.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed')
      expect(statSync(join(folder, 'pg18.password')).mode & 0o777).toBe(0o600)
      expect(statSync(join(folder, 'pg18')).mode & 0o077).toBe(0)
    } finally {
      await postgres.stop()
    }
    expect(serverProcesses()).toEqual([])
  })

  test('as root runs the server as another account', { skip: !isRoot }, async () => {
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    expect(statSync(`/proc/${postgres.pid()}`).uid).toBe(statSync(join(folder, 'pg18')).uid)
    expect(statSync(`/proc/${postgres.pid()}`).uid).not.toBe(0)
    await postgres.stop()
  })

  test('that was killed in the middle leaves nothing that hinders the next', () => {
    expect(made.how).toBe('created')
    expect(existsSync(join(folder, 'pg18.new-1'))).toBe(false)
  })

  test('as root under a closed home keeps the data where the server reaches it, with a link to there', { skip: !isRoot }, async () => {
    const closed = emptyFolder()
    await chmod(closed, 0o700)
    const inside = join(closed, 'project/data')
    await mkdir(inside, { recursive: true })
    const postgres = await startPostgres({ folder: inside, sharedBuffers: '16MB' })
    const place = realpathSync(join(inside, 'pg18'))
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
    const again = await startPostgres({ folder: inside, sharedBuffers: '16MB' })
    await again.stop()
    rmSync(dirname(place), { recursive: true })
    expect(place.startsWith(`${REACHABLE_ROOT}/data-`)).toBe(true)
    expect(again.how).toBe('started')
    await expect(startPostgres({ folder: inside })).rejects.toThrow('points at a data folder that is gone')
  })
})

describe('a crash', () => {
  test('of the program while it writes: the server stops by itself, and nothing acknowledged is lost', async () => {
    const first = startProgram('insert')
    const { pid } = await first.ready
    await vi.waitFor(() => expect(first.acknowledged.length).toBeGreaterThan(50), 10_000)
    await killed(first.child)
    await vi.waitFor(() => expect(commandLine(pid)).toBeUndefined(), 5_000)
    await vi.waitFor(() => expect(serverProcesses()).toEqual([]), 1_000)
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    const rows = await query(postgres.url, 'select id from ack order by id')
    await postgres.stop()
    expect(postgres.how).toBe('started')
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(first.acknowledged))
  })

  test('of the program, while the next start is already waiting: the next one runs', async () => {
    const first = startProgram()
    await first.ready
    await killed(first.child)
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    await sleep(500)
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  test('of the program and its watchdog: the next start adopts the running server, and stops it in the end', async () => {
    const first = startProgram()
    const { pid, url } = await first.ready
    await killedWithWatchdog(first.child)
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    expect(postgres).toMatchObject({ how: 'adopted', url })
    expect(postgres.pid()).toBe(pid)
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
    expect(commandLine(pid)).toBeUndefined()
    expect(serverProcesses()).toEqual([])
  })

  test('of the watchdog alone: the program takes on another, so that the server still ends with it', async () => {
    const first = startProgram()
    const { url } = await first.ready
    const former = watchdogs()
    for (const watchdog of former) process.kill(watchdog, 'SIGKILL')
    await vi.waitFor(async () => {
      expect(watchdogs().filter((watchdog) => !former.includes(watchdog))).not.toEqual([])
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    }, 10_000)
    await killed(first.child)
    await vi.waitFor(() => expect(serverProcesses()).toEqual([]), 5_000)
  })

  test('of an adopting program: the adopted server stops by itself too', async () => {
    const first = startProgram()
    const { pid } = await first.ready
    await killedWithWatchdog(first.child)
    const second = startProgram()
    expect(await second.ready).toMatchObject({ how: 'adopted', pid })
    await killed(second.child)
    await vi.waitFor(() => expect(commandLine(pid)).toBeUndefined(), 5_000)
  })

  test('of everything at once: the next start recovers, and nothing acknowledged is lost', async () => {
    const first = startProgram('insert')
    await first.ready
    await vi.waitFor(() => expect(first.acknowledged.length).toBeGreaterThan(50), 10_000)
    for (const { pid } of serverProcesses()) process.kill(pid, 'SIGKILL')
    await killed(first.child)
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    const rows = await query(postgres.url, 'select id from ack order by id')
    await postgres.stop()
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(first.acknowledged))
  })

  test('of the server alone: it is started again on the same port, without the program ending', async () => {
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    const former = postgres.pid()
    process.kill(former, 'SIGKILL')
    await vi.waitFor(async () => expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]), 10_000)
    expect(postgres.pid()).not.toBe(former)
    await postgres.stop()
    expect(serverProcesses()).toEqual([])
  })
})

describe('stopping', () => {
  test('in the middle of starting again leaves no server behind', async () => {
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    process.kill(postgres.pid(), 'SIGKILL')
    await sleep(60)
    await postgres.stop()
    await vi.waitFor(() => expect(serverProcesses()).toEqual([]), 2_000)
  })
})

describe('a stale note in postmaster.pid', () => {
  async function withNoteOf(pid: number): Promise<string> {
    const former = await startPostgres({ folder, sharedBuffers: '16MB' })
    const note = readFileSync(join(folder, 'pg18/postmaster.pid'), 'utf8')
    await former.stop()
    writeFileSync(join(folder, 'pg18/postmaster.pid'), note.replace(/^\d+/, String(pid)))
    const postgres = await startPostgres({ folder, sharedBuffers: '16MB' })
    const own = readPidFile(realpathSync(join(folder, 'pg18')))?.pid === postgres.pid()
    await postgres.stop()
    return own ? postgres.how : 'not its own'
  }

  test('whose pid is gone does not hinder the start', async () => {
    expect(await withNoteOf(2_147_483_000)).toBe('started')
  })

  test('whose pid now belongs to another program does not hinder the start, and leaves that program alone', async () => {
    const other = spawn('sleep', ['60'])
    children.push(other)
    await once(other, 'spawn')
    expect(await withNoteOf(other.pid ?? 0)).toBe('started')
    expect(other.exitCode).toBeNull()
  })

  test('whose pid is a zombie that nobody collects does not hinder the start', { skip: process.platform !== 'linux' }, async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(parent)
    const [line] = await once(createInterface({ input: parent.stdout }), 'line')
    const zombie = Number(line)
    await vi.waitFor(() => expect(readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z '))
    expect(process.kill(zombie, 0)).toBe(true)
    expect(await withNoteOf(zombie)).toBe('started')
  })
})

test('data without its password file is refused with the file that is missing', async () => {
  const file = join(folder, 'pg18.password')
  const password = readFileSync(file)
  rmSync(file)
  onTestFinished(() => writeFileSync(file, password, { mode: 0o600 }))
  await expect(startPostgres({ folder })).rejects.toThrow(`The password of the database is missing: ${file}`)
})

test('the library links are made from the package’s own list when its install script did not run', async () => {
  const installed = dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`))
  const links: { target: string }[] = JSON.parse(readFileSync(join(installed, '../native/pg-symlinks.json'), 'utf8'))
  const copy = join(emptyFolder(), 'package')
  cpSync(join(installed, '../native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const { target } of links) rmSync(join(copy, target), { force: true })
  const version = () => once(spawn(join(copy, 'native/bin/postgres'), ['--version']), 'exit')
  expect((await version())[0]).not.toBe(0)
  await makeSymlinks(join(copy, 'native'))
  await makeSymlinks(join(copy, 'native'))
  expect((await version())[0]).toBe(0)
  expect(links.every(({ target }) => existsSync(join(copy, target)))).toBe(true)
})
