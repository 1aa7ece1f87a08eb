/** Limits of a reader's process, tried from inside: it allocates memory until the system refuses, and tries forbidden actions. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CHUNK = 64 * 1_048_576
/** Upper limit, so that a missing limit does not exhaust the machine's memory. */
const mibMax = Number(process.argv[3])

const nameOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : String(error))
const attempt = (work: () => unknown): string => {
  try {
    work()
    return 'done'
  } catch (error) {
    return nameOf(error)
  }
}

const written = attempt(() => writeFileSync(join(tmpdir(), `meterbook-jail-${process.pid}`), 'x'))
const started = attempt(() => spawnSync('/bin/true'))
const connected = await new Promise<string>((resolve) => {
  const outcome = attempt(() =>
    connect(Number(process.argv[2]), '127.0.0.1')
      .on('connect', () => resolve('done'))
      .on('error', (error) => resolve(nameOf(error))),
  )
  if (outcome !== 'done') resolve(outcome)
})
const held: Uint8Array[] = []
const hoarded = attempt(() => {
  while (held.length * CHUNK < mibMax * 1_048_576) held.push(new Uint8Array(CHUNK).fill(1))
})
process.send?.({ written, started, connected, hoarded, mib: (held.length * CHUNK) / 1_048_576, environment: Object.keys(process.env) })
