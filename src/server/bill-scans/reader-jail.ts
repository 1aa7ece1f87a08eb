/**
 * Starts the process that reads documents in a minimal environment: without our settings in its environment variables, without rights to
 * write files, access the network or start programs, and with a memory limit. The process watches its own memory and ends above the limit.
 * On Linux the system enforces a second, wider limit, in case the watch is too slow. Elsewhere the watch is the only memory limit; the
 * other restrictions hold there too.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * MiB that the system counts as memory although they are never touched: reserved by V8 for the code of each of three threads, and by the
 * drawing library. 2,600 were measured for a recognised page.
 */
const RESERVED_MIB = 2_900
/**
 * `ulimit -d` counts writable memory, and not all addresses that WebAssembly reserves, as `ulimit -v` would. If the machine runs out of
 * memory, the system ends the reader first. No core dump with a document is left behind.
 */
const withLimits = 'ulimit -d "$1"; ulimit -c 0; echo 1000 > /proc/self/oom_score_adj; shift; exec "$0" "$@"'
/** Niceness of a process that only gets otherwise unused CPU time. */
const NICENESS_MAX = 19
const readerProcess = new URL('./reader-process.ts', import.meta.url)
const rights = ['--permission', '--allow-fs-read=*', '--allow-worker', '--allow-addons']

interface Inmate {
  /** Script that runs in the process, with its arguments; the tests have one of their own. */
  readonly script?: URL
  readonly given?: readonly string[]
  readonly platform?: NodeJS.Platform
}

export function startReader(memoryMib: number, inmate: Inmate = {}): ChildProcess {
  const { script = readerProcess, given = [String(memoryMib)], platform = process.platform } = inmate
  const program = [...rights, fileURLToPath(script), ...given]
  const limitKib = (memoryMib + RESERVED_MIB) * 1_024
  const [command, line] =
    platform === 'linux' ? ['/bin/sh', ['-c', withLimits, process.execPath, String(limitKib), ...program]] : [process.execPath, program]
  // Few arenas of the C library return more of the freed memory.
  return spawn(command, line, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced', env: { MALLOC_ARENA_MAX: '2' } })
}

/**
 * Lowers the CPU priority of the process below this one's, by a number of niceness steps. On Linux each thread has its own priority, and
 * passes it on to the threads that it starts.
 */
export function lowerPriority({ pid }: ChildProcess, steps: number): void {
  if (pid === undefined) return
  for (const thread of threadsOf(pid))
    try {
      setPriority(thread, Math.min(NICENESS_MAX, getPriority() + steps))
    } catch {
      // It has ended meanwhile.
    }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    // Another system than Linux, or the process has ended.
    return [pid]
  }
}
