/**
 * REPORTS: the Global Data Export of a million lines by the console's call, compared with COPY of the same columns into this process, and a list
 * that others ask for while reports of a hundred thousand bills are made.
 */
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import { asked } from './compare.ts'
import type { Ground } from './ground.ts'
import { address } from './lists.ts'
import { load, quantile, round, shown, spreadOf } from './measure.ts'
import { cpuMs, familyCpuMs, forgetPeak, peakMib, residentMib } from './processes.ts'
import { ask, askJson } from './product.ts'
import { billLinesText } from './statements.ts'
import type { Line } from './table.ts'

const limits = { timesCopy: 2, growthMib: 64, othersTimes: 2 }
const rounds = 3
const askAgainMs = 50
const reportMaxMs = 1_800_000
/** Reports that a list is asked beside: one that the database writes, and those that are computed in the program. */
const reportsBeside = ['Global Data Export', 'Trial Balance Report', 'Accrual Report'] as const
type BesideName = (typeof reportsBeside)[number]

const reportsReply = z.object({ reports: z.array(z.object({ id: z.number(), name: z.string() })) })
const madeReply = z.object({ id: z.number() })
const rowReply = z.object({
  generated_report: z.object({ state: z.string(), error: z.string().nullable(), rows_done: z.number(), file_url: z.string().nullable() }),
})
const fileReply = z.object({ url: z.string() })

export async function measureReports(ground: Ground): Promise<Line[]> {
  return [...(await linesOfExport(ground)), ...(await linesOfList(ground))]
}

interface MadeReport {
  /** From the call to the last byte of the file. */
  readonly ms: number
  /** Processor time of the database and of the process that writes or reads the rows. */
  readonly cpu: number
  readonly bytes: number
  readonly rows: number
  /** Peak memory of the server above its level before, in MiB. */
  readonly growth: number
}

async function linesOfExport(ground: Ground): Promise<Line[]> {
  const ours: MadeReport[] = []
  const copies: Pick<MadeReport, 'ms' | 'cpu' | 'bytes' | 'rows'>[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    copies.push(await copyOnce(ground))
    ours.push(await makeOnce(ground, 'Global Data Export'))
  }
  const [first, copy] = [ours[0], copies[0]]
  if (!first || !copy || first.rows !== copy.rows) throw new Error(`the report has ${first?.rows} rows, COPY ${copy?.rows}`)
  const [ms, copied] = [spreadOf(ours.map((one) => one.ms)), spreadOf(copies.map((one) => one.ms))]
  const growth = spreadOf(ours.map((one) => one.growth))
  const [cpu, copiedCpu] = [spreadOf(ours.map((one) => one.cpu / 1_000)), spreadOf(copies.map((one) => one.cpu / 1_000))]
  return [
    {
      goal: 'REPORTS',
      what: `Global Data Export of ${first.rows} rows, call to last byte (${round(first.bytes / 2 ** 20)} MiB)`,
      ours: shown(ms),
      reference: `COPY ${shown(copied)} (${round(copy.bytes / 2 ** 20)} MiB)`,
      ratio: `${round(ms.median / copied.median)} of <= ${limits.timesCopy}`,
      holds: ms.median <= copied.median * limits.timesCopy,
    },
    {
      goal: 'REPORTS',
      what: 'the same in processor time, which says most on a machine that others use',
      ours: shown(cpu, 's'),
      reference: `COPY ${shown(copiedCpu, 's')}`,
      ratio: `${round(cpu.median / copiedCpu.median)} of <= ${limits.timesCopy}`,
      holds: cpu.median <= copiedCpu.median * limits.timesCopy,
    },
    {
      goal: 'REPORTS',
      what: `server memory above before, ${first.rows} rows`,
      ours: shown(growth, 'MiB'),
      reference: '',
      ratio: `<= ${limits.growthMib} MiB`,
      holds: growth.most <= limits.growthMib,
    },
  ]
}

/** p95 of a list on its own, and while a report is made. */
async function linesOfList(ground: Ground): Promise<Line[]> {
  const list = asked(ground, {
    who: ground.narrowed,
    path: () => address('/clients/1/bills', { s: 'due_date asc' }, { per: '10', with_total: 'false' }),
  })
  await load(list, 1, ground.cellMs)
  const lines: Line[] = []
  for (const name of reportsBeside) {
    const alone: number[] = []
    for (let turn = 0; turn < rounds; turn += 1) alone.push((await load(list, 1, ground.cellMs)).p95)
    const during: number[] = []
    const running = { ended: false }
    const before = cpuMs(ground.product.pid)
    const making = makeOnce(ground, name).finally(() => (running.ended = true))
    while (!running.ended) during.push((await load(list, 1, ground.cellMs)).p95)
    const { rows, ms } = await making
    const [quiet, busy] = [quantile(alone, 0.5), quantile(during, 0.5)]
    lines.push({
      goal: 'REPORTS',
      what: `p95 of a list while a ${name} of ${ground.world.billsOfFirst} bills is made (${rows} rows, ${round(ms / 1_000)} s, ${round((cpuMs(ground.product.pid) - before) / 1_000)} s of the server's processor)`,
      ours: `${round(busy)} ms, at worst ${round(Math.max(...during))} ms`,
      reference: `alone ${round(quiet)} ms`,
      ratio: `${round(busy / quiet)} of <= ${limits.othersTimes}`,
      holds: busy <= quiet * limits.othersTimes,
    })
  }
  return lines
}

async function makeOnce(ground: Ground, name: BesideName): Promise<MadeReport> {
  const { url, pid } = ground.product
  const api = `${url}/api/v5/clients/1`
  const { reports } = reportsReply.parse(await askJson(`${api}/reports`, ground.admin))
  const before = residentMib(pid)
  forgetPeak(pid)
  const used = (): number => familyCpuMs(ground.databasePid) + cpuMs(pid)
  const [began, usedBefore] = [performance.now(), used()]
  const form_data = name === 'Accrual Report' ? {} : { date_range: { from: '2000-01-01', to: null } }
  const draft = { report_id: reports.find((one) => one.name === name)?.id, assignable_type: 'User', form_data }
  const { body } = await ask(`${api}/generated_reports`, ground.admin, 'POST', { generated_report: draft })
  const { id } = madeReply.parse(JSON.parse(body.toString()))
  const made = await untilMade(ground, id)
  const file = fileReply.parse(await askJson(`${url}${made.file_url ?? ''}`, ground.admin))
  const answer = await ask(new URL(file.url, url).href)
  const ms = performance.now() - began
  return { ms, cpu: used() - usedBefore, bytes: answer.bytes, rows: made.rows_done, growth: Math.max(0, peakMib(pid) - before) }
}

async function untilMade(ground: Ground, id: number): Promise<z.infer<typeof rowReply>['generated_report']> {
  const until = performance.now() + reportMaxMs
  while (performance.now() < until) {
    const { generated_report: made } = rowReply.parse(
      await askJson(`${ground.product.url}/api/v5/clients/1/generated_reports/${id}`, ground.admin),
    )
    if (made.error !== null) throw new Error(made.error)
    if (made.state === 'done') return made
    await sleep(askAgainMs)
  }
  throw new Error(`report ${id} was not made in time`)
}

async function copyOnce(ground: Ground): Promise<Pick<MadeReport, 'ms' | 'cpu' | 'bytes' | 'rows'>> {
  const client = await ground.raw.connect()
  try {
    const counted = await client.query<{ count: number }>('select count(*) from service_bills where client_id = 1')
    const used = (): number => familyCpuMs(ground.databasePid) + cpuMs(process.pid)
    const [began, usedBefore] = [performance.now(), used()]
    let bytes = 0
    for await (const chunk of client.query(copyTo(billLinesText))) bytes += Buffer.isBuffer(chunk) ? chunk.length : 0
    return { ms: performance.now() - began, cpu: used() - usedBefore, bytes, rows: counted.rows[0]?.count ?? 0 }
  } finally {
    client.release()
  }
}
