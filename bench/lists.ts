/** P1, P2, P4, P5, P6 and P7: lists of bills. */
import { alone, acceptEncoding, asked, compare, type Compared, type Question } from './compare.ts'
import { narrowedDivisions, type Ground } from './ground.ts'
import { load, round, shown, spreadOf } from './measure.ts'
import { ask, askJson } from './product.ts'
import type { Line } from './table.ts'

const httpMs = 1.5
const cpuTimesThin = 1.5
const perSecondLeast = 1_500
const growthMost = 1.3
const deepMs = 15
const containsPageMs = 12
const containsTotalMs = 15
const thousandCpuTimesThin = 1.2
const thousandTimesRaw = 3
const thousandKib = 60
const fragments = 50

/** The address of a list with its filters. */
export function address(path: string, filters: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(more)
  for (const [key, value] of Object.entries(filters)) query.set(`q[${key}]`, value)
  return `${path}?${query}`
}

const rowsOnly = { per: '10', with_total: 'false' }

/** Pieces of existing account numbers, of one length each time. */
async function piecesOf(ground: Ground, length: number): Promise<(turn: number) => string> {
  const { rows } = await ground.raw.query<{ piece: string }>(
    'select substr(account_number, 1 + (id % (11 - $1::int))::int, $1::int) as piece from billable_accounts where client_id = 1 order by hashint8(id) limit $2',
    [length, fragments],
  )
  return (turn) => rows[turn % rows.length]?.piece ?? ''
}

async function dayBack(ground: Ground, days: number): Promise<string> {
  const { rows } = await ground.raw.query<{ day: string }>('select (current_date - $1::int)::date as day', [days])
  return rows[0]?.day ?? ''
}

/** A client's bills whose account number contains two digits, of the last year, by due date: ten rows, no total. */
async function containsQuestion(ground: Ground): Promise<Question> {
  const [piece, since] = [await piecesOf(ground, 2), await dayBack(ground, 365)]
  return {
    path: (turn) => address('/clients/1/bills', { account_number_cont: piece(turn), due_date_gteq: since, s: 'due_date asc' }, rowsOnly),
    raw: [{ name: 'contains', values: (turn) => [`%${piece(turn)}%`, since] }],
  }
}

export async function measureP1(ground: Ground): Promise<Line[]> {
  const plain = await containsQuestion(ground)
  const statement = plain.raw[0]
  const narrowed: Question = {
    ...plain,
    who: ground.narrowed,
    raw: [{ name: 'contains_narrowed', values: (turn) => [...(statement?.values(turn) ?? []), narrowedDivisions] }],
  }
  const soon = await dayBack(ground, -10)
  const owing: Question = {
    path: (turn) =>
      address(
        '/bills',
        { unpaid_eq: 'true', due_date_lteq: soon, amount_due_gteq: String(100 + (turn % 50)), s: 'due_date asc' },
        rowsOnly,
      ),
    raw: [{ name: 'owing', values: (turn) => [soon, String(100 + (turn % 50))] }],
  }
  return [
    ...(await linesOfP1(ground, plain, 'one client, super admin')),
    ...(await linesOfP1(ground, narrowed, 'one client, role of 6 divisions')),
    ...(await linesOfP1(ground, owing, 'unpaid of all clients, super admin')),
  ]
}

async function linesOfP1(ground: Ground, question: Question, title: string): Promise<Line[]> {
  const { ours, thin, raw } = await compare(ground, question)
  const cpuRatio = ours.cpu.median / thin.cpu.median
  return [
    {
      goal: 'P1',
      what: `${title}: CPU a request`,
      ours: shown(ours.cpu),
      reference: `thin ${shown(thin.cpu)}, raw ${shown(raw.cpu)}`,
      ratio: `${round(cpuRatio)} of <= ${cpuTimesThin}`,
      holds: cpuRatio <= cpuTimesThin,
    },
    {
      goal: 'P1',
      what: `${title}: p95, 1 caller`,
      ours: shown(ours.p95),
      reference: `raw ${shown(raw.p95)}, thin ${shown(thin.p95)}`,
      ratio: `+${round(ours.p95.median - raw.p95.median)} of <= +${httpMs} ms`,
      holds: ours.p95.median <= raw.p95.median + httpMs,
    },
    {
      goal: 'P1',
      what: `${title}: answers, 16 callers`,
      ours: shown(ours.perSecond, '/s'),
      reference: `thin ${shown(thin.perSecond, '/s')}, raw ${shown(raw.perSecond, '/s')}`,
      ratio: `${round(ours.perSecond.median / thin.perSecond.median)} of thin`,
      holds: ours.perSecond.median >= perSecondLeast,
    },
  ]
}

export async function measureP2(ground: Ground): Promise<Line[]> {
  const [piece, since] = [await piecesOf(ground, 2), await dayBack(ground, 365)]
  // An amount that no turn repeats, so that no total is cached.
  let asking = 0
  const amount = (): string => (((asking += 1) % 100_000) / 10_000).toFixed(4)
  const first: Question = {
    path: (turn) =>
      address(
        '/clients/1/bills',
        { account_number_cont: piece(turn), due_date_gteq: since, amount_due_gteq: amount(), s: 'due_date asc' },
        { per: '10' },
      ),
    raw: [
      { name: 'contains_beside', values: (turn) => [`%${piece(turn)}%`, since, amount()] },
      { name: 'contains_total', values: (turn) => [`%${piece(turn)}%`, since, amount()] },
    ],
  }
  const again: Question = {
    path: (turn) =>
      address(
        '/clients/1/bills',
        { account_number_cont: piece(0), due_date_gteq: since, s: 'due_date asc' },
        { per: '10', page: String(1 + (turn % 20)) },
      ),
    raw: [{ name: 'contains_page', values: (turn) => [`%${piece(0)}%`, since, (turn % 20) * 10] }],
  }
  const counted = await alone(ground, first)
  const turned = await alone(ground, again)
  const ratio = counted.ours.median / counted.raw.median
  return [
    {
      goal: 'P2',
      what: 'list with total, first asking: p95, 1 caller',
      ours: shown(counted.ours),
      reference: `raw ${shown(counted.raw)}`,
      ratio: `${round(ratio)} of <= 1.5`,
      holds: ratio <= 1.5,
    },
    {
      goal: 'P2',
      what: 'turning its pages, total told each time: p95, 1 caller',
      ours: shown(turned.ours),
      reference: `raw page without total ${shown(turned.raw)}`,
      ratio: `+${round(turned.ours.median - turned.raw.median)} of <= +${httpMs} ms`,
      holds: turned.ours.median <= turned.raw.median + httpMs,
    },
  ]
}

export async function measureP4(ground: Ground): Promise<Line[]> {
  const pages = Math.floor(ground.world.bills / 10)
  const list = (page: number): string => address('/bills', { s: 'due_date asc' }, { ...rowsOnly, page: String(page) })
  // The console has requested the total before anyone reaches a deep page.
  await asked(ground, { path: () => address('/bills', {}, { with_rows: 'false' }) })(0)
  const middle = Math.floor(pages / 2)
  const any = await alone(ground, {
    path: (turn) => list(1 + ((turn * 7_919) % pages)),
    raw: [{ name: 'deep', values: (turn) => [((turn * 7_919) % pages) * 10] }],
  })
  const first = await alone(ground, { path: () => list(1), raw: [{ name: 'first_of_all', values: () => [] }] })
  const next = await alone(ground, {
    path: (turn) => list(middle + (turn % 20)),
    raw: [{ name: 'deep', values: (turn) => [(middle + (turn % 20)) * 10] }],
  })
  return [
    {
      goal: 'P4',
      what: `any of ${pages} pages of ten: p95, 1 caller`,
      ours: shown(any.ours),
      reference: `raw deferred join ${shown(any.raw)}`,
      ratio: `${round(any.ours.median / any.raw.median)} of raw`,
      holds: any.ours.median <= deepMs,
    },
    {
      goal: 'P4',
      what: 'next page in the middle against page 1: p95, 1 caller',
      ours: shown(next.ours),
      reference: `page 1 ${shown(first.ours)}`,
      ratio: `${round(next.ours.median / first.ours.median)} of <= ${growthMost}`,
      holds: next.ours.median <= first.ours.median * growthMost,
    },
  ]
}

export async function measureP5(ground: Ground): Promise<Line[]> {
  const lines: Line[] = []
  for (const length of [1, 2, 3, 4, 7]) lines.push(...(await linesOfP5(ground, length)))
  return lines
}

async function linesOfP5(ground: Ground, length: number): Promise<Line[]> {
  const piece = await piecesOf(ground, length)
  const selective = length >= 3
  const [rows, total] = selective ? (['two_step', 'two_step_total'] as const) : (['walk', 'walk_total'] as const)
  const values = (turn: number): string[] => [`%${piece(turn)}%`]
  const filters = (turn: number) => ({ account_number_cont: piece(turn), s: 'due_date asc' })
  const page = await alone(ground, { path: (turn) => address('/clients/1/bills', filters(turn), rowsOnly), raw: [{ name: rows, values }] })
  const counted = await alone(ground, {
    // The amount has no effect, but keeps the total out of the cache.
    path: (turn) =>
      address(
        '/clients/1/bills',
        { account_number_cont: piece(turn), amount_due_gteq: `0.${String(turn).padStart(8, '0')}` },
        { with_rows: 'false' },
      ),
    raw: [{ name: total, values }],
  })
  const pageHolds = page.ours.median <= (selective ? page.raw.median + httpMs : containsPageMs)
  return [
    {
      goal: 'P5',
      what: `contains ${length} of an account number, page: p95`,
      ours: shown(page.ours),
      reference: `raw ${selective ? 'two steps' : 'walk'} ${shown(page.raw)}`,
      ratio: selective ? `+${round(page.ours.median - page.raw.median)} of <= +${httpMs} ms` : `<= ${containsPageMs} ms`,
      holds: pageHolds,
    },
    {
      goal: 'P5',
      what: `contains ${length} of an account number, total: p95`,
      ours: shown(counted.ours),
      reference: `raw ${shown(counted.raw)}`,
      ratio: `<= ${containsTotalMs} ms`,
      holds: counted.ours.median <= containsTotalMs,
    },
  ]
}

/** Compares the same list in a world a tenth of the size, in turns. */
export async function measureP6(ground: Ground, small: Ground): Promise<Line[]> {
  const [largeQuestion, smallQuestion] = [await containsQuestion(ground), await containsQuestion(small)]
  const [atLarge, atSmall] = [asked(ground, largeQuestion), asked(small, smallQuestion)]
  const times = { large: new Array<number>(), small: new Array<number>() }
  for (const target of [atLarge, atSmall]) await load(target, 1, ground.cellMs)
  for (let turn = 0; turn < 3; turn += 1) {
    times.small.push((await load(atSmall, 1, ground.cellMs)).p95)
    times.large.push((await load(atLarge, 1, ground.cellMs)).p95)
  }
  const [large, little] = [spreadOf(times.large), spreadOf(times.small)]
  const ratio = large.median / little.median
  return [
    {
      goal: 'P6',
      what: `p95 of P1 at ${ground.world.bills} bills against ${small.world.bills}`,
      ours: shown(large),
      reference: `small ${shown(little)}`,
      ratio: `${round(ratio)} of <= ${growthMost}`,
      holds: ratio <= growthMost,
    },
  ]
}

export async function measureP7(ground: Ground): Promise<Line[]> {
  const pages = Math.max(1, Math.floor(ground.world.billsOfFirst / 1_000))
  const question: Question = {
    many: 4,
    path: (turn) =>
      address(
        '/clients/1/bills',
        { s: 'due_date asc' },
        { per: '1000', with_total: 'false', page: String(1 + (turn % Math.min(pages, 5))) },
      ),
    raw: [{ name: 'thousand', values: (turn) => [(turn % Math.min(pages, 5)) * 1_000] }],
  }
  const compared = await compare(ground, question)
  const { bytes } = await ask(`${ground.product.url}/api/v5${question.path(0)}`, { ...ground.admin, 'accept-encoding': acceptEncoding })
  return [
    ...linesOfP7(compared),
    wireLine(bytes, JSON.stringify(await askJson(`${ground.product.url}/api/v5${question.path(0)}`, ground.admin)).length),
  ]
}

function linesOfP7({ ours, thin, raw }: Compared): Line[] {
  const cpuRatio = ours.cpu.median / thin.cpu.median
  const ratio = ours.p95.median / raw.p95.median
  return [
    {
      goal: 'P7',
      what: '1000 rows: CPU a request',
      ours: shown(ours.cpu),
      reference: `thin, not compressed ${shown(thin.cpu)}, raw ${shown(raw.cpu)}`,
      ratio: `${round(cpuRatio)} of <= ${thousandCpuTimesThin}`,
      holds: cpuRatio <= thousandCpuTimesThin,
    },
    {
      goal: 'P7',
      what: '1000 rows: p95, 1 caller',
      ours: shown(ours.p95),
      reference: `raw ${shown(raw.p95)}, thin ${shown(thin.p95)}`,
      ratio: `${round(ratio)} of <= ${thousandTimesRaw}`,
      holds: ratio <= thousandTimesRaw,
    },
  ]
}

function wireLine(bytes: number, whole: number): Line {
  return {
    goal: 'P7',
    what: '1000 rows: on the wire',
    ours: `${round(bytes / 1024)} KiB`,
    reference: `JSON ${round(whole / 1024)} KiB`,
    ratio: `<= ${thousandKib} KiB`,
    holds: bytes <= thousandKib * 1024,
  }
}
