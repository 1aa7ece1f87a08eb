/**
 * Starts the process that reads documents, with as little around it as it needs: no settings of ours in its environment, no right to write
 * files, to reach the network or to start programs, and memory up to a limit. The process watches its own memory and ends above the limit.
 * On Linux the system holds a second, wider limit, which stands also where the watch comes too late.
 */
import { spawn, type ChildProcess } from 'node:child_process'
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
const rights = ['--permission', '--allow-fs-read=*', '--allow-worker', '--allow-addons']

/** @param script what runs in it, with its arguments; the tests have one of their own. */
export function startReader(
  memoryMib: number,
  script = new URL('./reader-process.ts', import.meta.url),
  given: readonly string[] = [String(memoryMib)],
): ChildProcess {
  const program = [...rights, fileURLToPath(script), ...given]
  const limitKib = (memoryMib + RESERVED_MIB) * 1_024
  const [command, line] =
    process.platform === 'linux'
      ? ['/bin/sh', ['-c', withLimits, process.execPath, String(limitKib), ...program]]
      : [process.execPath, program]
  // Few arenas of the C library give back more of what was freed.
  return spawn(command, line, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced', env: { MALLOC_ARENA_MAX: '2' } })
}
