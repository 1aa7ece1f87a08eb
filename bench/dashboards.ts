/** P10: the dashboard of the largest client, and whether its cost is that of the bills to the cent. */
import { z } from 'zod'
import { asked } from './compare.ts'
import type { Ground } from './ground.ts'
import { load, round, shown, spreadOf, timed } from './measure.ts'
import { askJson } from './product.ts'
import { calendarizedText } from './statements.ts'
import type { Line } from './table.ts'

const p95Ms = 10
const rebuildSecondsAtMillion = 30
const rounds = 3

const day = z.object({ from: z.string(), to: z.string() })
const reply = z.object({
  dashboard: z.object({ total_utility_cost: z.object({ current: z.string().nullable(), previous: z.string().nullable() }) }),
  windows: z.object({ current: day, previous: day }),
})

const path = '/clients/1/dashboard?date_range_type=last_12_months&compare_to_last_year=true'

export async function measureP10(ground: Ground): Promise<Line[]> {
  const target = asked(ground, { path: () => path })
  await load(target, 1, ground.cellMs)
  const times: number[] = []
  const raw: number[] = []
  const { dashboard, windows } = reply.parse(await askJson(`${ground.product.url}/api/v5${path}`, ground.admin))
  for (let turn = 0; turn < rounds; turn += 1) {
    raw.push(await timed(() => centsBetween(ground, windows.previous.from, windows.current.to)))
    times.push((await load(target, 1, ground.cellMs)).p95)
  }
  const current = await centsBetween(ground, windows.current.from, windows.current.to)
  const previous = await centsBetween(ground, windows.previous.from, windows.previous.to)
  const told = [centsOf(dashboard.total_utility_cost.current), centsOf(dashboard.total_utility_cost.previous)]
  const ours = spreadOf(times)
  return [
    {
      goal: 'P10',
      what: 'dashboard of client 1, this year and last, all cards and graphs: p95',
      ours: shown(ours),
      reference: `raw sum of the lines ${shown(spreadOf(raw))}`,
      ratio: `<= ${p95Ms} ms`,
      holds: ours.median <= p95Ms,
    },
    {
      goal: 'P10',
      what: 'its cost, this year and last, in cents',
      ours: told.join(' and '),
      reference: `from the lines ${current} and ${previous}`,
      ratio: 'equal',
      holds: told[0] === current && told[1] === previous,
    },
    {
      goal: 'P10',
      what: `all facts of ${ground.world.bills} bills made anew`,
      ours: `${round(ground.world.factsSeconds)} s`,
      reference: '',
      ratio: `<= ${round((rebuildSecondsAtMillion * ground.world.bills) / 1_000_000)} s`,
      holds: ground.world.factsSeconds <= (rebuildSecondsAtMillion * ground.world.bills) / 1_000_000,
    },
  ]
}

async function centsBetween(ground: Ground, from: string, to: string): Promise<number> {
  const { rows } = await ground.raw.query<{ cents: number }>(calendarizedText, [from, to])
  return rows[0]?.cents ?? 0
}

function centsOf(amount: string | null): number {
  return Number((amount ?? '0.00').replace('.', ''))
}
