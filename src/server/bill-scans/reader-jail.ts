/**
 * Starts the process that reads documents, with as little around it as it needs: no settings of ours in its environment, no right to write
 * files, to reach the network or to start programs, and memory up to a limit. The process watches its own memory and ends above the limit.
 * On Linux the system holds a second, wider limit, which stands also where the watch comes too late.
 * Elsewhere the watch is the only limit of memory; all else holds there too.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * MiB that the system counts as memory although they are never touched: what V8 sets aside for the code of each of three threads, and the
 * drawing library for itself. 2,600 were measured for a recognised page.
 */
const RESERVED_MIB = 2_900
/**
 * `ulimit -d` counts what may be written to, and not all addresses that WebAssembly sets aside, which `ulimit -v` would. Where the
 * machine runs out of memory, the system ends the reader before anything else. No dump of a document is left behind.
 */
const withLimits = 'ulimit -d "$1"; ulimit -c 0; echo 1000 > /proc/self/oom_score_adj; shift; exec "$0" "$@"'
/** Niceness of who gets what nobody else takes. */
const NICENESS_MAX = 19
const readerProcess = new URL('./reader-process.ts', import.meta.url)
const rights = ['--permission', '--allow-fs-read=*', '--allow-worker', '--allow-addons']

interface Inmate {
  /** What runs in it, with its arguments; the tests have one of their own. */
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
  // Few arenas of the C library give back more of what was freed.
  return spawn(command, line, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced', env: { MALLOC_ARENA_MAX: '2' } })
}

/**
 * Lets the process have less of the processor than this one, by so many steps of niceness. On Linux each thread has a priority of its own,
 * and hands it on to those that it starts.
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
