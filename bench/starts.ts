/** P14 and P15: the time from the product's start to its first list, and its memory. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Ground } from './ground.ts'
import { load, round, shown, spreadOf } from './measure.ts'
import { cpuMs, residentMib } from './processes.ts'
import { ask, makePerson, startProduct, type Credentials, type Product } from './product.ts'
import { asked } from './compare.ts'
import { address } from './lists.ts'
import type { Line } from './table.ts'

const rounds = 3
const seconds = { running: 1, stopped: 2.5, empty: 5 }
const idleMib = 110
const settleMs = 3_000

export async function measureP14(ground: Ground, folder: string): Promise<Line[]> {
  const times = { running: new Array<Started>(), stopped: new Array<Started>(), empty: new Array<Started>() }
  for (let turn = 0; turn < rounds; turn += 1) {
    const shared = await startedList({ DATABASE_URL: ground.world.url, DATA_DIR: folder }, () => Promise.resolve(ground.admin))
    times.running.push(shared)
    await shared.product.stop()
    const own = await mkdtemp(join(folder, 'embedded-'))
    const first = await startedList({ DATA_DIR: own }, () => personOf(own))
    times.empty.push(first)
    await first.product.stop()
    const second = await startedList({ DATA_DIR: own }, () => Promise.resolve(first.who))
    times.stopped.push(second)
    await second.product.stop()
    await rm(own, { recursive: true, force: true })
  }
  return [
    lineOf('database running, its schema there', times.running, seconds.running),
    lineOf('embedded database stopped', times.stopped, seconds.stopped),
    lineOf('empty disk: cluster, migrations, a first user', times.empty, seconds.empty),
  ]
}

function lineOf(what: string, starts: readonly Started[], most: number): Line {
  const ours = spreadOf(starts.map((one) => one.seconds))
  return {
    goal: 'P14',
    what: `start to the first signed-in list: ${what}`,
    ours: shown(ours, 's'),
    reference: `CPU of the process itself ${shown(spreadOf(starts.map((one) => one.cpuSeconds)), 's')}`,
    ratio: `<= ${most} s`,
    holds: ours.median <= most,
  }
}

interface Started {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly product: Product
  readonly who: Credentials
}

/** Returns the seconds from the start of the process to a list of bills for a signed-in user. */
async function startedList(environment: Readonly<Record<string, string>>, person: () => Promise<Credentials>): Promise<Started> {
  const began = performance.now()
  const product = await startProduct(environment)
  const who = await person()
  await ask(`${product.url}/api/v5/bills?per=10`, who)
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: cpuMs(product.pid) / 1_000, product, who }
}

/** Makes a user in the database that the product has created under this folder. */
async function personOf(folder: string): Promise<Credentials> {
  const password = (await readFile(join(folder, 'pg18.password'), 'utf8')).trim()
  // The fourth line of a running server's file is its port.
  const port = Number((await readFile(join(folder, 'pg18/postmaster.pid'), 'utf8')).split('\n')[3])
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'meterbook', password, database: 'meterbook', max: 1 })
  try {
    return await makePerson(pool, 'super_admin', { clients: [], divisions: [] })
  } finally {
    await pool.end()
  }
}

/** Measures a process that has just started and served a few lists. */
export async function measureP15(ground: Ground, folder: string): Promise<Line[]> {
  const product = await startProduct({ DATABASE_URL: ground.world.url, DATA_DIR: folder })
  try {
    const list = asked({ ...ground, product }, { path: () => address('/clients/1/bills', {}, { per: '10' }) })
    await load(list, 1, ground.cellMs)
    await sleep(settleMs)
    const idle = residentMib(product.pid)
    return [memoryLine(`server process, idle after a start and ${round(ground.cellMs / 1_000)} s of lists`, idle, idleMib)]
  } finally {
    await product.stop()
  }
}

export function memoryLine(what: string, mib: number, most: number): Line {
  return { goal: 'P15', what, ours: `${round(mib)} MiB`, reference: '', ratio: `<= ${most} MiB`, holds: mib <= most }
}
