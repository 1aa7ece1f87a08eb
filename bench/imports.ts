/** P9: the CSV import of facilities, dry run and commit, compared with COPY of the same rows into the same table with its keys and indexes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf, type Spread } from './measure.ts'
import { cpuMs, familyCpuMs, forgetPeak, peakMib, residentMib } from './processes.ts'
import { askJson } from './product.ts'
import type { Line } from './table.ts'

const timesCopy = 2
const growthMib = 32
const rounds = 3
const largeRows = 100_000
const smallRows = 10_000
const askAgainMs = 20
const importMaxMs = 600_000
const divisions = 50

const startedReply = z.object({ import_id: z.number(), task_id: z.number() })
const importReply = z.object({
  import: z.object({ state: z.string(), error: z.string().nullable(), counts: z.object({ create: z.number() }) }),
})

/** Milliseconds of wall time, and of CPU time of server and database together. */
interface Cost {
  readonly ms: number
  readonly cpu: number
}

interface Round {
  readonly copy: Cost
  readonly dry: Cost
  readonly commit: Cost
  /** Peak memory of the server above its level before, in MiB. */
  readonly growth: number
}

export async function measureP9(ground: Ground): Promise<Line[]> {
  // The world's clients were inserted with their own ids.
  await ground.raw.query(`select setval(pg_get_serial_sequence('clients', 'id'), max(id)) from clients`)
  await importOnce(ground, smallRows)
  const small: Round[] = []
  const large: Round[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    small.push(await importOnce(ground, smallRows))
    large.push(await importOnce(ground, largeRows))
  }
  return [...linesOf(small, smallRows), ...linesOf(large, largeRows)]
}

function linesOf(all: readonly Round[], rows: number): Line[] {
  const of = (pick: (one: Round) => number): Spread => spreadOf(all.map(pick))
  const copy = of((one) => one.copy.ms)
  const copyCpu = of((one) => one.copy.cpu)
  const line = (what: string, cost: (one: Round) => Cost): Line => {
    const [ms, cpu] = [of((one) => cost(one).ms), of((one) => cost(one).cpu)]
    return {
      goal: 'P9',
      what: `${what} of ${rows} facilities`,
      ours: `${shown(ms)}; ${round(cpu.median)} ms CPU`,
      reference: `COPY ${shown(copy)}; ${round(copyCpu.median)} ms CPU`,
      ratio: `${round(ms.median / copy.median)}, CPU ${round(cpu.median / copyCpu.median)} of <= ${timesCopy}`,
      holds: ms.median <= copy.median * timesCopy,
    }
  }
  const growth = of((one) => one.growth)
  return [
    line('dry run', (one) => one.dry),
    line('commit, audited,', (one) => one.commit),
    {
      goal: 'P9',
      what: `server memory above before, ${rows} rows`,
      ours: shown(growth, 'MiB'),
      reference: '',
      ratio: `<= ${growthMib} MiB`,
      holds: Math.max(...all.map((one) => one.growth)) <= growthMib,
    },
  ]
}

async function importOnce(ground: Ground, rows: number): Promise<Round> {
  const [copied, imported] = [await makeClient(ground), await makeClient(ground)]
  const copy = await costOf(ground, () => copyRows(ground, copied, rows))
  const { pid } = ground.product
  const before = residentMib(pid)
  forgetPeak(pid)
  let id = 0
  const dry = await costOf(ground, async () => {
    id = await sendFile(ground, imported, rows)
  })
  const commit = await costOf(ground, () => commitImport(ground, id))
  const growth = Math.max(0, peakMib(pid) - before)
  await empty(ground, [copied, imported])
  return { copy, dry, commit, growth }
}

async function costOf(ground: Ground, work: () => Promise<void>): Promise<Cost> {
  const used = (): number => familyCpuMs(ground.databasePid) + cpuMs(ground.product.pid)
  const before = used()
  const began = performance.now()
  await work()
  return { ms: performance.now() - began, cpu: used() - before }
}

let made = 0

async function makeClient({ raw }: Ground): Promise<{ id: number; firstDivision: number }> {
  made += 1
  const { rows } = await raw.query<{ id: number }>(
    `insert into clients (name, short_code, identifier) values ('Import ' || $1::text, 'IMP-' || $1::text, 'IMP-' || $1::text) returning id`,
    [made],
  )
  const id = rows[0]?.id ?? 0
  await raw.query(
    `insert into divisions (client_id, name, short_code, code) select $1, 'Division ' || at, 'D' || at, 'DV' || at from generate_series(1, $2::int) at`,
    [id, divisions],
  )
  const { rows: found } = await raw.query<{ id: number }>('select min(id) as id from divisions where client_id = $1', [id])
  return { id, firstDivision: found[0]?.id ?? 0 }
}

/** Names repeat words like real ones, so that the trigram index has its usual work. */
function rowAt(at: number): { number: string; name: string; division: number; feet: string } {
  return {
    number: `N${at}`,
    name: `Facility ${(at * 7_919) % 100_003} of town ${at % 977}`,
    division: at % divisions,
    feet: `${at % 9_000}.5`,
  }
}

async function copyRows({ raw }: Ground, { id, firstDivision }: { id: number; firstDivision: number }, rows: number): Promise<void> {
  const client = await raw.connect()
  try {
    const lines = Array.from({ length: rows }, (_, at) => {
      const { number, name, division, feet } = rowAt(at)
      return `${id},${number},${name},${firstDivision + division},${feet}\n`
    })
    const copy = client.query(
      copyFrom('copy facilities (client_id, number, name, division_id, square_footage) from stdin with (format csv)'),
    )
    await pipeline(Readable.from([lines.join('')]), copy)
  } finally {
    client.release()
  }
}

async function sendFile(ground: Ground, { id }: { id: number }, rows: number): Promise<number> {
  const lines = Array.from({ length: rows }, (_, at) => {
    const { number, name, division, feet } = rowAt(at)
    return `${number},${name},DV${division + 1},${feet}\n`
  })
  const form = new FormData()
  form.append('file', new File([`number,name,division_code,square_footage\n${lines.join('')}`], 'facilities.csv', { type: 'text/csv' }))
  form.append('mode', 'dry_run')
  const answer = await fetch(`${ground.product.url}/api/v5/clients/${id}/facilities/import`, {
    method: 'POST',
    headers: { ...ground.admin },
    body: form,
  })
  const { import_id: importId } = startedReply.parse(await answer.json())
  await untilIn(ground, importId, 'checked', rows)
  return importId
}

async function commitImport(ground: Ground, id: number): Promise<void> {
  const expected = await created(ground, id)
  await fetch(`${ground.product.url}/api/v5/imports/${id}/commit`, {
    method: 'POST',
    headers: { ...ground.admin, 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'all' }),
  })
  await untilIn(ground, id, 'committed', expected)
}

async function created(ground: Ground, id: number): Promise<number> {
  return importReply.parse(await askJson(`${ground.product.url}/api/v5/imports/${id}`, ground.admin)).import.counts.create
}

async function untilIn(ground: Ground, id: number, state: string, rows: number): Promise<void> {
  for (const until = performance.now() + importMaxMs; performance.now() < until; await sleep(askAgainMs)) {
    const { import: found } = importReply.parse(await askJson(`${ground.product.url}/api/v5/imports/${id}`, ground.admin))
    if (found.state === 'failed' || found.error !== null) throw new Error(found.error ?? 'the import failed')
    if (found.state !== state) continue
    if (found.counts.create !== rows) throw new Error(`${found.counts.create} of ${rows} rows`)
    return
  }
  throw new Error('the import does not end')
}

/** Each round finds the table in the same state. */
async function empty({ raw }: Ground, clients: readonly { id: number }[]): Promise<void> {
  await raw.query('delete from facilities where client_id = any($1::bigint[])', [clients.map(({ id }) => id)])
  await raw.query('vacuum analyze facilities')
}
