/** Runs the product as a separate process, requested over HTTP by signed-in users, like a browser does. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { hashOf } from '../src/server/access/credentials.ts'

const mainFile = join(import.meta.dirname, '../src/server/main.ts')
const liveMemoryModule = join(import.meta.dirname, 'live-memory.ts')
const startMaxMs = 120_000
const collectionMaxMs = 10_000
const MIB = 2 ** 20
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export interface Product {
  readonly url: string
  readonly pid: number
  /** The line that the start printed. */
  readonly welcome: string
  /** Returns the MiB that the process still uses after a forced collection of its garbage. */
  liveMib(): Promise<number>
  stop(): Promise<void>
}

/** Starts the product as in production, with request limits lifted. Resolves when it is ready. */
export async function startProduct(environment: Readonly<Record<string, string>>): Promise<Product> {
  const liveFile = join(tmpdir(), `meterbook-live-${randomBytes(6).toString('hex')}`)
  const child = spawn(process.execPath, ['--expose-gc', '--import', liveMemoryModule, mainFile], {
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: process.env['HOME'] ?? '/tmp',
      NODE_ENV: 'production',
      PORT: '0',
      SECRET_KEY: 'a key for measuring, long enough to pass',
      RATE_LIMIT_FACTOR: '100000',
      LOG_LEVEL: 'error',
      LIVE_MEMORY_FILE: liveFile,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const errors = text(child.stderr)
  const exit = once(child, 'exit')
  const welcome = await Promise.race([lineOf(child.stdout), exit.then(() => '')])
  const url = /http:\/\/[\d.]+:\d+/.exec(welcome)?.[0]
  if (url === undefined) throw new Error(`the product did not start: ${await errors}`)
  child.stdout.resume()
  return {
    url,
    pid: child.pid ?? 0,
    welcome,
    liveMib: async () => {
      child.kill('SIGUSR2')
      return (await numberIn(liveFile)) / MIB
    },
    stop: async () => {
      child.kill('SIGTERM')
      await exit
      await rm(liveFile, { force: true })
      process.off('exit', kill)
    },
  }
}

/** Waits for a file, reads its number and removes it. */
async function numberIn(file: string): Promise<number> {
  for (const end = performance.now() + collectionMaxMs; performance.now() < end; await sleep(2)) {
    const read = await readFile(file, 'utf8').catch(() => null)
    if (read === null) continue
    await rm(file)
    return Number(read)
  }
  throw new Error('the product did not say how much memory it uses')
}

/** Returns the first line of a stream. */
export async function lineOf(stream: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error('no line in time')), startMaxMs)
  let read = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    read += chunk
    if (read.includes('\n')) resolve(read.slice(0, read.indexOf('\n')))
  })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

export type Credentials = Readonly<Record<'access-token' | 'client' | 'uid', string>>

/** Makes a signed-in user with a role; the clients and divisions are its narrowing. */
export async function makePerson(
  pool: pg.Pool,
  role: string,
  scope: { clients: readonly number[]; divisions: readonly number[] },
): Promise<Credentials> {
  const uid = `${role}-${randomBytes(3).toString('hex')}@example.test`
  const [client, token] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')]
  await pool.query(
    `with person as (insert into users (email, username, account_confirmed) values ($1, $1, true) returning id),
      given as (insert into user_roles (user_id, role_id) select person.id, roles.id from person, roles where roles.name = $2 returning id),
      reached as (insert into user_role_clients (client_id, user_role_id) select one, given.id from given, unnest($3::bigint[]) one),
      narrowed as (insert into user_role_divisions (client_id, user_role_id, division_id) select 1, given.id, one from given, unnest($4::bigint[]) one)
      insert into sessions (user_id, client, token_hash, proven_at) select id, $5, $6, '2100-01-01' from person`,
    [uid, role, scope.clients, scope.divisions, client, hashOf(token)],
  )
  return { 'access-token': token, client, uid }
}

export interface Answer {
  readonly status: number
  /** The bytes as transferred, compressed if they were. */
  readonly bytes: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds until the first byte of the body. */
  readonly firstByteMs: number
}

/** Sends one request; throws for any status but 2xx. */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', sent?: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const began = performance.now()
  const body = sent === undefined ? undefined : JSON.stringify(sent)
  const asking = request(url, { agent, method, headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' } })
  asking.once('error', reject)
  asking.once('response', (response) => {
    const chunks: Buffer[] = []
    let firstByteMs = 0
    response.on('data', (chunk: Buffer) => {
      firstByteMs ||= performance.now() - began
      chunks.push(chunk)
    })
    response.once('error', reject)
    response.once('end', () => {
      const whole = Buffer.concat(chunks)
      const status = response.statusCode ?? 0
      if (status >= 300) reject(new Error(`${method} ${url} answered ${status}: ${whole.toString().slice(0, 500)}`))
      else resolve({ status, bytes: whole.length, headers: response.headers, body: whole, firstByteMs })
    })
  })
  asking.end(body)
  return promise
}

/** Returns the JSON response of one of our calls. */
export async function askJson(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const { body } = await ask(url, headers)
  const value: unknown = JSON.parse(body.toString())
  return value
}
