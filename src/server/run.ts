import { start, type Parts, type Running } from './start.ts'

/** A terminal and npm may both forward the same Ctrl-C; signals within this time count as one. */
const SAME_SIGNAL_MS = 500
/** Draining, jobs and the database have their own limits, which together are shorter. A process that neither works nor ends must be killed. */
const STOP_MAX_MS = 80_000
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Runs Meterbook as the process: prints one line when it is ready, drains on a signal, exits at once on a second one. A failed start prints the
 * problem and the remedy, and exits with 1. A parent process with a channel is notified when it is ready, and this process drains when the
 * parent is gone.
 */
export async function run(parts: Parts): Promise<void> {
  let running: Running | undefined
  let stoppingSince: number | undefined

  async function stop(code: number): Promise<void> {
    stoppingSince = performance.now()
    setTimeout(() => process.exit(1), STOP_MAX_MS)
    try {
      await running?.stop()
    } catch (error) {
      tell(error)
      process.exit(1)
    }
    process.exit(code)
  }

  // A closed log stream is no defect, and logging the error would raise it again, forever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === undefined) void stop(0)
      else if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
    })
  }
  process.on('disconnect', () => {
    if (stoppingSince === undefined) void stop(0)
  })
  const drainAfterDefect = (error: unknown) => {
    running?.log.error('a defect stops this process', { error })
    if (stoppingSince === undefined) void stop(1)
  }

  try {
    running = await start(parts)
  } catch (error) {
    tell(error)
    process.exit(1)
  }
  process.on('uncaughtException', drainAfterDefect)
  process.on('unhandledRejection', drainAfterDefect)
  console.log(running.welcome)
  process.send?.('ready')
}

function tell(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error))
}
