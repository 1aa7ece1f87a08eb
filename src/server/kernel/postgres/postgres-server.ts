import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './postgres-cluster.ts'
import { SERVER_ENVIRONMENT } from './create-cluster.ts'
import { processIdentity } from './running-process.ts'

/** A server process under a watchdog. `ended` settles when it has ended, on request or not. */
export interface Server {
  port: number
  pid: () => number
  ended: Promise<void>
  untilReady: (logIn: () => Promise<boolean>) => Promise<void>
  stop: () => Promise<void>
}

export interface PidFile {
  pid: number
  port: number
}

/** The server ended while it was starting; `kind` says whether another try makes sense. */
export class StartFailure extends Error {
  override name = 'StartFailure'
  readonly kind: 'port taken' | 'still in use' | 'other'
  constructor(kind: StartFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** Marker in the watchdog's command line, by which a later start recognises it. */
export const WATCHDOG_NAME = 'meterbook-watchdog'

/**
 * A shell runs the server and holds one end of a pipe to us. When the pipe closes, because we closed it or because our process ended, a
 * reader in the background requests a fast shutdown of the server. The shell ignores the signals of a terminal and of a service manager,
 * because we drain first. `$1` is a folder to delete at the end, or empty.
 */
const RUN_SERVER = `
trap '' HUP INT TERM
remove=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(read -r line <&3; kill -INT "$server") 2>/dev/null 3<&3 &
reader=$!
exec 3<&- 0</dev/null
wait "$server"
code=$?
kill -KILL "$reader" 2>/dev/null
[ -n "$remove" ] && rm -rf "$remove"
exit "$code"`

/** The same for a server that already runs: `$1` is its data folder, `$2` its pid, which must still be the folder's own. */
const WATCH_SERVER = `
trap '' HUP INT TERM
read -r line
read -r pid <"$1/postmaster.pid" && [ "$pid" = "$2" ] && kill -INT "$pid"`

const READY_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 30_000
const LOOK_EVERY_MS = 500

/** Starts the server of a cluster on a port. It is not ready until `untilReady` returns. */
export function spawnServer(cluster: Cluster, port: number): Server {
  const log = openSync(cluster.logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  const command = [join(cluster.binaries, 'bin/postgres'), '-D', cluster.data, '-p', String(port), ...serverSettings(cluster)]
  const child = spawnWatchdog(cluster, [RUN_SERVER, WATCHDOG_NAME, cluster.removeWhenStopped, ...command], log)
  closeSync(log)
  const ended = once(child, 'exit').then(() => {})
  const pid = () => readPidFile(cluster.data)?.pid ?? 0
  return {
    port,
    pid,
    ended,
    untilReady: (logIn) => untilReady(child, logIn, () => startFailure(cluster.logFile, logStart)),
    stop: () => stopServer(child, pid(), ended),
  }
}

/** Takes over a server that runs without its program. */
export function adoptServer(cluster: Cluster, former: { pid: number; port: number }): Server {
  const child = spawnWatchdog(cluster, [WATCH_SERVER, WATCHDOG_NAME, cluster.data, String(former.pid)], 'ignore')
  const ended = untilGone(former.pid)
  return {
    port: former.port,
    pid: () => former.pid,
    ended,
    untilReady: async () => {},
    stop: () => stopServer(child, former.pid, ended),
  }
}

/** Content of `postmaster.pid`: the first line is the server's pid, the fourth its port. */
export function readPidFile(data: string): PidFile | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

function spawnWatchdog(cluster: Cluster, words: string[], output: number | 'ignore'): ChildProcess {
  const child = spawn('/bin/sh', ['-c', ...words], {
    ...cluster.account,
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    detached: true, // in its own session, where Ctrl-C does not reach it before we have drained
    stdio: ['pipe', output, output],
  })
  child.unref()
  child.stdin?.on('error', () => {}) // the pipe breaks when the watchdog is killed; `ended` reports what matters
  if (child.stdin instanceof Socket) child.stdin.unref()
  return child
}

function serverSettings({ durable, sharedBuffers }: Cluster): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '', // a socket path has at most 107 bytes, which deep folders exceed
    max_connections: 60,
    shared_buffers: sharedBuffers,
    jit: 'off',
    cluster_name: 'meterbook',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable
      ? {}
      : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: 240, checkpoint_timeout: '1h' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function untilReady(child: ChildProcess, logIn: () => Promise<boolean>, failure: () => StartFailure): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  for (let wait = 10; ; wait = Math.min(wait * 1.5, 200)) {
    if (child.exitCode !== null || child.signalCode !== null) throw failure()
    if (await logIn()) return
    if (performance.now() > deadline) throw new StartFailure('other', `The database is not ready after ${READY_TIMEOUT_MS / 1000} s.`)
    await sleep(wait)
  }
}

function startFailure(logFile: string, logStart: number): StartFailure {
  const log = existsSync(logFile) ? readFileSync(logFile).subarray(logStart).toString() : ''
  const told = log.split('\n').filter((line) => /FATAL|PANIC|error while loading|not found/.test(line))
  const reason = told.at(-1)?.replace(/^.*?(FATAL|PANIC): */, '') ?? 'it left no message'
  const message = `The database did not start: ${reason}. Its log is ${logFile}.`
  if (/Address already in use|could not create any TCP/.test(log)) return new StartFailure('port taken', message)
  if (/pre-existing shared memory block|lock file "postmaster.pid" (already exists|is empty)/.test(log))
    return new StartFailure('still in use', message)
  return new StartFailure('other', message)
}

async function stopServer(child: ChildProcess, pid: number, ended: Promise<void>): Promise<void> {
  child.ref()
  child.stdin?.destroy()
  const inTime = new AbortController()
  const late = sleep(STOP_TIMEOUT_MS, 'late', { signal: inTime.signal }).catch(() => 'in time')
  const outcome = await Promise.race([ended, late])
  inTime.abort()
  if (outcome !== 'late') return
  // A shutdown that hangs is aborted; the next start recovers from the log, and nothing that was acknowledged is lost.
  if (pid > 0 && processIdentity(pid) !== undefined) process.kill(pid, 'SIGQUIT')
  await ended
}

async function untilGone(pid: number): Promise<void> {
  const identity = processIdentity(pid)
  while (identity !== undefined && processIdentity(pid) === identity) await sleep(LOOK_EVERY_MS, undefined, { ref: false })
}
