import { randomBytes } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import pg from 'pg'
import { runningPostgresUrl } from '../src/server/kernel/postgres/embedded-postgres.ts'
import { programRole } from '../src/server/kernel/postgres/program-role.ts'
import { commandLine, processesWith } from '../src/server/kernel/postgres/running-process.ts'
import { emptyDatabase, testDatabase } from './support/cluster.ts'

const shared = await emptyDatabase()
const migrated = await testDatabase()
/** Data folder of the whole file: making a database takes longer than the rest of a start. */
const folder = await newFolder()
const children: ChildProcess[] = []
/** The first start on the folder, and what it answered; every later test starts on the data that it made. */
let first: Started
let firstUrl = ''
let firstAnswer: unknown
let firstModes: string[] = []

beforeAll(async () => {
  first = launch()
  firstUrl = await urlOf(first)
  firstAnswer = await (await fetch(firstUrl)).json()
  firstModes = await modesOf(['secret-key', 'instance.json', 'pg18.log', 'pg18.password', 'pg18'])
  first.child.kill('SIGTERM')
  await first.exit
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await vi.waitFor(() => expect(processesWith(folder)).toEqual([]), 15_000)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'meterbook-start-'))
  await chmod(made, 0o755)
  return made
}

/** Modes of paths below the folder of the file, in octal digits. */
function modesOf(names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map(async (name) => ((await stat(join(folder, name))).mode & 0o777).toString(8)))
}

/** A folder without any data, for one test. */
async function emptyFolder(): Promise<string> {
  const made = await newFolder()
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

interface Started {
  child: ChildProcess
  exit: Promise<number | null>
  errors: Promise<string>
  /** The first line on standard output, or undefined when it ended without one. */
  welcome: Promise<string | undefined>
  output: () => string
}

function launch(environment: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/start-process.ts')], {
    env: { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: '0', SHARED_BUFFERS: '16MB', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let output = ''
  const { promise: welcome, resolve } = Promise.withResolvers<string | undefined>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    if (output.includes('\n')) resolve(output.split('\n')[0])
  })
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  void exit.then(() => resolve(undefined))
  return { child, exit, errors: text(child.stderr), welcome, output: () => output }
}

async function urlOf(started: Started): Promise<string> {
  const line = await started.welcome
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line ?? '')?.[0]
  if (url === undefined) throw new Error(`did not start: ${await started.errors}`)
  return url
}

async function failure(environment: Record<string, string>): Promise<string> {
  const started = launch(environment)
  expect(await started.exit).toBe(1)
  expect(await started.welcome).toBeUndefined()
  return (await started.errors).trim()
}

describe('a start on an empty folder', () => {
  test('makes everything, fills it with demo data, and prints one line with the address and the sign-in', async () => {
    expect(await first.welcome).toBe(`Meterbook is ready: ${firstUrl} – sign in as demo@example.com / a demo password`)
    expect(firstAnswer).toEqual({ users: 1 })
    expect(firstModes).toEqual(['600', '600', '600', '600', '700'])
    expect(await first.exit).toBe(0)
    expect(first.output().trim().split('\n')).toHaveLength(1)
    expect(processesWith(folder)).toEqual([])

    const second = launch()
    expect(await (await fetch(await urlOf(second))).json()).toEqual({ users: 1 })
  })

  test('works in a role that may only add to the trail; the owner of the tables has nothing open', async () => {
    const url = await urlOf(launch())
    const owner = new pg.Client({ connectionString: await runningPostgresUrl(folder) })
    await owner.connect()
    try {
      // Connections that nobody uses are closed after a while, so the program is asked something first.
      await fetch(url)
      const { rows } = await owner.query<{ role: string }>(`select distinct usename as role from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`)
      expect(rows).toEqual([{ role: programRole }])
      const { rows: rights } = await owner.query(`select has_table_privilege('${programRole}', 'audit_records', 'insert') as adds,
        has_table_privilege('${programRole}', 'audit_records', 'update, delete, truncate') as changes`)
      expect(rights).toEqual([{ adds: true, changes: false }])
    } finally {
      // The database ends with the program, before what the end of the test would close.
      await owner.end()
    }
  })

  test('in production makes no demo data, and the line holds the one-time link of ADMIN_EMAIL', async () => {
    const started = launch({
      DATABASE_URL: migrated.url,
      SECRET_KEY: randomBytes(32).toString('base64url'),
      NODE_ENV: 'production',
      ADMIN_EMAIL: 'admin@example.com',
    })
    const url = await urlOf(started)
    expect(await started.welcome).toBe(`Meterbook is ready: ${url} – set the first password at ${url}/first?to=admin@example.com`)
    expect(await (await fetch(url)).json()).toEqual({ users: 0 })
  })
})

describe('an unsafe production', { timeout: 240_000 }, () => {
  test('does not start on data whose people have the known password of the demo data, and says what to do', async () => {
    expect(await failure({ NODE_ENV: 'production' })).toMatch(
      /^This database has people with the password of the demo data, which everybody knows: demo@example\.com\. Production does not start with it\. [^\n]+$/,
    )
    expect(await failure({ NODE_ENV: 'production', DEMO_DATA: 'true' })).toContain('DEMO_DATA must not be true in production')
    expect(await failure({ NODE_ENV: 'production', SECRET_KEY: 'a'.repeat(36) })).toContain('SECRET_KEY is too easily guessed')
    expect(processesWith(folder)).toEqual([])
  })

  test('closes to others what a former start has left open: files 600, folders 700', async () => {
    await mkdir(join(folder, 'files/exports/2f'), { recursive: true, mode: 0o755 })
    await writeFile(join(folder, 'files/exports/2f/2f0c'), 'a list', { mode: 0o644 })
    for (const name of ['secret-key', 'pg18.log', 'pg18.password']) await chmod(join(folder, name), 0o644)
    await chmod(folder, 0o755)
    const started = launch({ LOG_LEVEL: 'warn' })
    await urlOf(started)
    const modes = await modesOf([
      'files',
      'files/exports',
      'files/exports/2f',
      'files/exports/2f/2f0c',
      'secret-key',
      'instance.json',
      'pg18.log',
      'pg18.password',
      'pg18',
      '.',
    ])
    // Root lends the database another account, which must get through the data folder; it may not look into it.
    expect(modes).toEqual(['700', '700', '700', '600', '600', '600', '600', '600', '700', process.getuid?.() === 0 ? '711' : '700'])
  })

  test('leaves a folder as it is in which something lies that is not its own', async () => {
    await writeFile(join(folder, 'letter.txt'), 'of somebody else', { mode: 0o644 })
    onTestFinished(() => rm(join(folder, 'letter.txt')))
    await chmod(folder, 0o755)
    const started = launch()
    await urlOf(started)
    expect((await stat(folder)).mode & 0o777).toBe(0o755)
    expect((await stat(join(folder, 'letter.txt'))).mode & 0o777).toBe(0o644)
  })
})

describe('a second start on the same folder', () => {
  test('says where the first one listens and exits with 1, and the first one goes on', async () => {
    const holder = launch()
    const url = await urlOf(holder)
    expect(await failure({})).toBe(
      `Meterbook is already running on this data folder: ${url} (pid ${holder.child.pid}). Use that, stop it, or set DATA_DIR to another folder.`,
    )
    expect((await fetch(url)).status).toBe(200)
  })

  test('at the same moment: one of the two runs, the other exits with 1', async () => {
    const both = [launch(), launch()]
    const lines = await Promise.all(both.map((one) => one.welcome))
    expect(lines.filter((line) => line !== undefined)).toHaveLength(1)
    const loser = both[lines.indexOf(undefined)]
    expect(await loser?.exit).toBe(1)
    expect(await loser?.errors).toContain('Meterbook is already')
  })

  test('after kill -9 of the first one starts, with its data', async () => {
    const killed = launch()
    await urlOf(killed)
    killed.child.kill('SIGKILL')
    await killed.exit
    const second = launch()
    expect(await (await fetch(await urlOf(second))).json()).toEqual({ users: 1 })
  })
})

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s lets a running request finish, and leaves no process and no claim',
    async (signal) => {
      const started = launch()
      const url = await urlOf(started)
      const slow = fetch(`${url}/slow?ms=700`).then((answer) => answer.json())
      await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200))
      started.child.kill(signal)
      expect(await slow).toEqual({ users: 1 })
      expect(await started.exit).toBe(0)
      expect(processesWith(folder)).toEqual([])
      await expect(readFile(join(folder, 'instance.json'))).rejects.toThrow('ENOENT')
    },
  )

  test('a second signal exits at once, while requests are running; a doubled Ctrl-C counts as one', async () => {
    const started = launch()
    const url = await urlOf(started)
    const slow = fetch(`${url}/slow?ms=20000`).then(
      () => 'answered',
      () => 'broken off',
    )
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200))
    started.child.kill('SIGINT')
    started.child.kill('SIGINT')
    const early = await Promise.race([started.exit, new Promise<'running'>((resolve) => setTimeout(() => resolve('running'), 1_000))])
    expect(early).toBe('running')
    started.child.kill('SIGINT')
    expect(await started.exit).toBe(1)
    expect(await slow).toBe('broken off')
  })

  test('a defect outside of any request is logged, drains, and exits with 1', async () => {
    const started = launch()
    await fetch(`${await urlOf(started)}/defect`)
    expect(await started.exit).toBe(1)
    expect(started.output()).toContain('planted defect')
    expect(processesWith(folder)).toEqual([])
  })
})

test('a log that nobody reads any more ends nothing: the process goes on when it has something to tell', { timeout: 120_000 }, async () => {
  const started = launch()
  const url = await urlOf(started)
  started.errors.catch(() => undefined)
  started.child.stdout?.destroy()
  started.child.stderr?.destroy()
  const pidFile = async () => (await readFile(join(folder, 'pg18/postmaster.pid'), 'utf8')).split('\n')
  const [postmaster] = await pidFile()
  process.kill(Number(postmaster), 'SIGKILL')
  await vi.waitFor(
    async () => {
      const [pid, , , , , , , status] = await pidFile()
      // While the server is down, the file says ready still, with a pid that no process has.
      expect([pid === postmaster, commandLine(Number(pid)) !== undefined, status?.trim()]).toEqual([false, true, 'ready'])
    },
    { timeout: 100_000, interval: 100 },
  )
  expect(started.child.exitCode).toBeNull()
  expect((await fetch(url)).status).toBe(200)
})

describe('a start that cannot go on says what failed and what to do, without a stack', () => {
  test('a wrong setting', async () => {
    expect(await failure({ PORT: 'many' })).toBe('PORT must be a whole number from 0 to 65535. See .env.example.')
  })

  test.each(['PORT', 'METRICS_PORT'])('a taken %s ends the start before the database is made', async (setting) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const empty = await emptyFolder()
    expect(await failure({ DATA_DIR: empty, [setting]: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that, or set ${setting} (0 takes a free one).`,
    )
    other.close()
    // The start leaves behind only its key: there is no database and no claim.
    expect((await readdir(empty)).toSorted()).toEqual(['secret-key'])
    expect(processesWith(empty)).toEqual([])
  })

  test('a database that does not answer, refuses the password, or does not exist', async () => {
    expect(await failure({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })).toMatch(
      /^No database answers at 127\.0\.0\.1:1 \(.*\)\. Check DATABASE_URL and that the server runs\.$/,
    )
    expect(await failure({ DATABASE_URL: shared.url.replace(/:[0-9a-f]+@/, ':wrong@') })).toMatch(
      /refuses the user or the password of DATABASE_URL\.$/,
    )
    expect(await failure({ DATABASE_URL: shared.url.replace(/\/[^/]+$/, '/nothing_here') })).toMatch(
      /has no database of the name in DATABASE_URL: create it first\.$/,
    )
  })

  test('a database that is newer than the program', async () => {
    await shared.pool.query(
      'create table schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    await shared.pool.query(`insert into schema_migrations values ('9999-future.sql', 'x')`)
    expect(await failure({ DATABASE_URL: shared.url })).toMatch(/^The database is newer than this program: it has 9999-future\.sql/)
    await shared.pool.query('drop table schema_migrations')
  })
})

test('nodes on one DATABASE_URL start side by side, with demo data made once, and no database of their own', async () => {
  const empty = await emptyFolder()
  const nodes = [launch({ DATA_DIR: empty, DATABASE_URL: shared.url }), launch({ DATA_DIR: empty, DATABASE_URL: shared.url })]
  const urls = await Promise.all(nodes.map(urlOf))
  for (const url of urls) expect(await (await fetch(url)).json()).toEqual({ users: 1 })
  await expect(readFile(join(empty, 'pg18.password'))).rejects.toThrow('ENOENT')
})
