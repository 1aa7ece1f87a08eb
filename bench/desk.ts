/** DESK: the unswept bills with their sums, where every bill of the world is open, compared with the two statements that any such list must send. */
import { alone, type Question } from './compare.ts'
import type { Ground } from './ground.ts'
import { round, shown } from './measure.ts'
import type { Line } from './table.ts'

const msMore = 4
/** Days of due dates; the bounds differ from turn to turn, so that no sum is remembered. */
const days = 400

export async function measureDesk(ground: Ground): Promise<Line[]> {
  await ground.raw
    .query(`update bills set paid = false, finalized = false, parked = false, vendor_payment_id = null, accounting_batch_id = null,
    superseded_by_id = null, group_bill_id = null`)
  await ground.raw.query('vacuum analyze bills')
  const { rows } = await ground.raw.query<{ open: number; last: string }>(
    'select count(*)::int as open, max(due_date)::text as last from bills where not paid and not parked',
  )
  const [{ open, last } = { open: 0, last: '' }] = rows
  const lastDay = (turn: number): string => dayAfter(last, turn % days)
  const question: Question = {
    path: (turn) => `/global_batches/bills?per=10&with_total=false&due_date_lteq=${lastDay(turn)}`,
    raw: ['unswept', 'unswept_sums'].map((name) => ({ name, values: (turn) => [lastDay(turn)] })),
  }
  const { ours, raw } = await alone(ground, question)
  const more = ours.median - raw.median
  return [
    {
      goal: 'DESK',
      what: `unswept bills of ${open.toLocaleString('en')} open ones, ten with the sums of all: p95, 1 caller`,
      ours: shown(ours),
      reference: `raw ${shown(raw)}`,
      ratio: `+${round(more)} of <= +${msMore} ms`,
      holds: more <= msMore,
    },
  ]
}

function dayAfter(day: string, more: number): string {
  return new Date(Date.parse(day) + more * 86_400_000).toISOString().slice(0, 10)
}
