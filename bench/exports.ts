/** P8: the CSV export of bills by the console's call, compared with COPY into this process. */
import { createHash } from 'node:crypto'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import type { Ground } from './ground.ts'
import { address } from './lists.ts'
import { load, quantile, round, shown, spreadOf, type Spread } from './measure.ts'
import { forgetPeak, peakMib, residentMib } from './processes.ts'
import { ask, askJson } from './product.ts'
import { exportText } from './statements.ts'
import { asked } from './compare.ts'
import type { Line } from './table.ts'

const timesCopy = 1.5
const firstByteMs = 100
const growthMib = 32
const othersTimes = 2
const rounds = 3
const askAgainMs = 10
const exportMaxMs = 120_000

const startedReply = z.object({ task_id: z.number() })
const tasksReply = z.object({ tasks: z.array(z.object({ id: z.number(), state: z.string(), rows_done: z.number() })) })
const fileReply = z.object({ url: z.string() })

interface Exported {
  /** From the call to the last byte of the file. */
  readonly ms: number
  /** Until the file's first byte, which comes after the whole file is written. */
  readonly firstByteMs: number
  /** Until the response of the call. */
  readonly answeredMs: number
  readonly bytes: number
  readonly rows: number
  /** Peak memory of the server above its level before, in MiB. */
  readonly growth: number
}

export async function measureP8(ground: Ground): Promise<Line[]> {
  const recent = { date_gteq: await newestDays(ground, Math.round(ground.world.billsOfFirst / 10)) }
  await exportOnce(ground, recent)
  const small = await exportOnce(ground, recent)
  const whole: Exported[] = []
  const copies: { ms: number; firstByteMs: number; bytes: number; rows: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    copies.push(await copyOnce(ground))
    whole.push(await exportOnce(ground, {}))
  }
  const beside = await listBesideExports(ground)
  const [first, copy] = [whole[0], copies[0]]
  if (!first || !copy || first.rows !== copy.rows) throw new Error(`the export has ${first?.rows} rows, COPY ${copy?.rows}`)
  return linesOf(whole, copies, small, beside)
}

function linesOf(
  whole: readonly Exported[],
  copies: readonly { ms: number; firstByteMs: number; bytes: number }[],
  small: Exported,
  beside: { alone: number; during: number },
): Line[] {
  const of = (pick: (one: Exported) => number): Spread => spreadOf(whole.map(pick))
  const ours = of((one) => one.ms)
  const copied = spreadOf(copies.map((one) => one.ms))
  const growth = Math.max(small.growth, ...whole.map((one) => one.growth))
  const rows = whole[0]?.rows ?? 0
  return [
    {
      goal: 'P8',
      what: `export of ${rows} bills, call to last byte (${round((whole[0]?.bytes ?? 0) / 2 ** 20)} MiB)`,
      ours: shown(ours),
      reference: `COPY ${shown(copied)} (${round((copies[0]?.bytes ?? 0) / 2 ** 20)} MiB)`,
      ratio: `${round(ours.median / copied.median)} of <= ${timesCopy}`,
      holds: ours.median <= copied.median * timesCopy,
    },
    {
      goal: 'P8',
      what: 'the call answers (the file comes by a notice)',
      ours: shown(of((one) => one.answeredMs)),
      reference: `first byte of the file ${shown(of((one) => one.firstByteMs))}, of COPY ${shown(spreadOf(copies.map((one) => one.firstByteMs)))}`,
      ratio: `<= ${firstByteMs} ms`,
      holds: of((one) => one.answeredMs).median <= firstByteMs,
    },
    {
      goal: 'P8',
      what: `server memory above before: ${small.rows} and ${rows} rows`,
      ours: `${round(small.growth)} MiB; ${shown(
        of((one) => one.growth),
        'MiB',
      )}`,
      reference: '',
      ratio: `<= ${growthMib} MiB`,
      holds: growth <= growthMib,
    },
    {
      goal: 'P8',
      what: 'p95 of a list while exports run',
      ours: `${round(beside.during)} ms`,
      reference: `alone ${round(beside.alone)} ms`,
      ratio: `${round(beside.during / beside.alone)} of <= ${othersTimes}`,
      holds: beside.during <= beside.alone * othersTimes,
    },
  ]
}

/** Returns the day since which client 1 has about this many bills. */
async function newestDays(ground: Ground, wanted: number): Promise<string> {
  const { rows } = await ground.raw.query<{ date: string }>(
    'select date from bills where client_id = 1 order by date desc offset $1 limit 1',
    [wanted],
  )
  return rows[0]?.date ?? ''
}

async function exportOnce(ground: Ground, filters: Readonly<Record<string, string>>): Promise<Exported> {
  const { url, pid } = ground.product
  const before = residentMib(pid)
  forgetPeak(pid)
  const began = performance.now()
  const path = address('/clients/1/bills/export_csv', filters, { connection_id: createHash('sha1').update(String(began)).digest('hex') })
  const { task_id: id } = startedReply.parse(await askJson(`${url}/api/v5${path}`, ground.admin))
  const answeredMs = performance.now() - began
  const rows = await untilDone(ground, id)
  const file = fileReply.parse(await askJson(`${url}/api/v5/tasks/${id}/file`, ground.admin))
  const fetching = performance.now() - began
  const answer = await ask(new URL(file.url, url).href)
  return {
    ms: performance.now() - began,
    firstByteMs: fetching + answer.firstByteMs,
    answeredMs,
    bytes: answer.bytes,
    rows,
    growth: Math.max(0, peakMib(pid) - before),
  }
}

/** Waits for a task of the admin. Returns the rows that it has written; throws if it fails or takes too long. */
export async function untilDone(ground: Ground, id: number, everyMs = askAgainMs): Promise<number> {
  const until = performance.now() + exportMaxMs
  while (performance.now() < until) {
    const { tasks } = tasksReply.parse(await askJson(`${ground.product.url}/api/v5/tasks?per=5`, ground.admin))
    const task = tasks.find((one) => one.id === id)
    if (task?.state === 'done') return task.rows_done
    if (task?.state === 'failed') throw new Error(`task ${id} failed`)
    await new Promise((resolve) => void setTimeout(resolve, everyMs))
  }
  throw new Error(`task ${id} was not done in time`)
}

async function copyOnce(ground: Ground): Promise<{ ms: number; firstByteMs: number; bytes: number; rows: number }> {
  const client = await ground.raw.connect()
  try {
    const began = performance.now()
    const counted = await client.query<{ count: number }>('select count(*) from bills where client_id = 1')
    const started = performance.now()
    let [first, bytes] = [0, 0]
    for await (const chunk of client.query(copyTo(exportText()))) {
      first ||= performance.now() - started
      bytes += Buffer.isBuffer(chunk) ? chunk.length : 0
    }
    return { ms: performance.now() - started, firstByteMs: first, bytes, rows: began > 0 ? (counted.rows[0]?.count ?? 0) : 0 }
  } finally {
    client.release()
  }
}

/** p95 of a list on its own, and while exports run one after the other. */
async function listBesideExports(ground: Ground): Promise<{ alone: number; during: number }> {
  const list = asked(ground, {
    who: ground.narrowed,
    path: () => address('/clients/1/bills', { s: 'due_date asc' }, { per: '10', with_total: 'false' }),
  })
  await load(list, 1, ground.cellMs)
  const alone: number[] = []
  const during: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push((await load(list, 1, ground.cellMs)).p95)
    const exporting = exportOnce(ground, {})
    during.push((await load(list, 1, ground.cellMs)).p95)
    await exporting
  }
  return { alone: quantile(alone, 0.5), during: quantile(during, 0.5) }
}
