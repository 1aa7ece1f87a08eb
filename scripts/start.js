// `npm start`: runs the program and restarts it after a crash or a kill. Plain JavaScript on purpose: this process lives as long as the
// program, and without TypeScript it stays small.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const MINUTE_MS = 60_000
/** Restarts within a minute. Restarting does not help a program that crashes more often. */
const RESTARTS_A_MINUTE_MAX = 5
/** Doubled with each start of the last minute. */
const FIRST_WAIT_MS = 250

const program = process.argv[2] ?? join(import.meta.dirname, '../src/server/main.ts')
/** Times of the restarts. */
const restarts = []
let child
let waiting
let isStopping = false
let wasReady = false

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => {
    isStopping = true
    if (waiting === undefined) child.kill(signal)
    else process.exit(0)
  })

start()

function start() {
  waiting = undefined
  // The channel tells the program when this process has ended, and reports when the program is ready.
  child = spawn(process.execPath, [program], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  child.once('message', () => (wasReady = true))
  child.once('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.once('exit', ended)
}

function ended(code, signal) {
  // A refused start prints its own reason, and would be refused again.
  const isRefusal = signal === null && !wasReady
  if (isStopping || code === 0 || isRefusal) process.exit(code ?? 1)
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  const recent = restarts.filter((at) => performance.now() - at < MINUTE_MS)
  if (recent.length >= RESTARTS_A_MINUTE_MAX) {
    console.error(
      `Meterbook ended ${how}. It was started ${recent.length} times in the last minute and is not started again. The lines above say what went wrong.`,
    )
    process.exit(1)
  }
  restarts.splice(0, restarts.length, ...recent, performance.now())
  const waitMs = FIRST_WAIT_MS * 2 ** recent.length
  console.error(`Meterbook ended ${how}. It is started again in ${waitMs / 1000} s.`)
  waiting = setTimeout(start, waitMs)
}
