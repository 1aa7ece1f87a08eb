/** P1 to P5, P7 and P10 at a hundred thousand accounts: the lists of an estate, the requests of the sidebar and pickers, and dashboards. */
import { acceptEncoding, asked, compare, straight, type Question } from './compare.ts'
import { divisions, groupEvery, type Estate } from './estate-world.ts'
import { narrowedDivisions, type Ground } from './ground.ts'
import { address } from './lists.ts'
import { load, round, shown, spreadOf } from './measure.ts'
import { cpuMs, familyCpuMs } from './processes.ts'
import { ask, type Credentials } from './product.ts'
import type { Line } from './table.ts'

const httpMs = 1.5
const deepMs = 15
const containsPageMs = 12
const containsTotalMs = 15
const dashboardMs = 10
const cpuTimesThin = 1.5
const thousandCpuTimesThin = 1.2
/** Many requests in a short time: enough to be warm, and cells no longer than necessary. */
const warmUpMs = 150
const cellMs = 150
const rounds = 3
const rowsOnly = { per: '10', with_total: 'false' }
const list = '/clients/1/billable_accounts'

type Statement = Question['raw'][number]
/** A measured line: the call, the equivalent statement, and the allowed excess or time. */
interface Asking {
  readonly goal: string
  readonly what: string
  readonly path: (turn: number) => string
  readonly who?: Credentials
  readonly raw?: Statement
  readonly most: { readonly above: number } | { readonly ms: number } | { readonly times: number }
}

/** `about` selects the lines whose text contains it. */
export async function measureEstate(ground: Ground & { readonly world: Estate }, about = ''): Promise<Line[]> {
  const lines: Line[] = []
  // The console has requested the total before anyone reaches a deep page.
  for (const who of [ground.admin, ground.narrowed]) await asked(ground, { who, path: () => address(list, {}, { with_rows: 'false' }) })(0)
  for (const asking of [
    ...plainLists(ground),
    ...sorts(ground),
    ...(await containing(ground)),
    ...totals(ground),
    ...pickers(ground),
    ...dashboards(ground),
  ])
    if (asking.what.includes(about)) lines.push(await lineOf(ground, asking))
  return about === '' ? [...lines, ...(await processorTime(ground))] : lines
}

function raw(name: string, values: Statement['values'] = () => [0]): Statement {
  return { name, values }
}

/** First pages. */
function plainLists({ narrowed }: Ground): Asking[] {
  const most = { above: httpMs }
  const first = (what: string, path: string, statement?: Statement, who?: Credentials): Asking => {
    const asking = { goal: 'P1', what: `${what}: p95`, path: () => address(path, {}, rowsOnly), most }
    return { ...asking, ...(statement ? { raw: statement } : {}), ...(who ? { who } : {}) }
  }
  return [
    first('divisions', '/clients/1/divisions', raw('divisions')),
    first('facilities', '/clients/1/facilities', raw('facilities')),
    first('billable accounts', list, raw('accounts_by_name')),
    first(
      'billable accounts, role of 6 divisions',
      list,
      raw('accounts_narrowed', () => [0, narrowedDivisions]),
      narrowed,
    ),
    first('billable accounts of all clients', '/billable_accounts', raw('accounts_by_name')),
    {
      ...first('supply accounts', '/clients/1/supply_accounts', raw('supply_accounts')),
      path: () => address('/clients/1/supply_accounts', { s: 'account_number asc' }, rowsOnly),
    },
    {
      ...first(
        'services of an account',
        '',
        raw('services', (turn) => [idOf(turn)]),
      ),
      path: (turn) => address(`${list}/${idOf(turn)}/services`, {}, rowsOnly),
    },
  ]
}

function idOf(turn: number): number {
  return 1 + ((turn * 7_919) % 9_000)
}

const sortKeys = ['name', 'account_number', 'facility', 'vendor_name', 'division_name', 'city', 'state', 'active', 'last_bills_date', 'id']

/** Each sort at its first page, in the middle and near its end, as reached by the pager. The total is known by then. */
function sorts({ world, narrowed }: { readonly world: Estate; readonly narrowed: Credentials }): Asking[] {
  const pages = Math.floor(world.accounts / 10)
  const midst = Math.floor((pages * narrowedDivisions.length) / divisions / 2)
  const places = [
    { name: 'page 1', page: () => 1 },
    { name: 'page in the middle', page: (turn: number) => Math.floor(pages / 2) - 50 + ((turn * 37) % 100) },
    { name: 'page near the end', page: (turn: number) => pages - 1 - (turn % 20) },
  ]
  const of = (key: string, place: (typeof places)[number]): Asking => ({
    goal: 'P4',
    what: `billable accounts by ${key}, ${place.name}: p95`,
    path: (turn) => address(list, { s: `${key} asc` }, { ...rowsOnly, page: String(place.page(turn)) }),
    raw: raw(`accounts_by_${key}`, (turn) => [(place.page(turn) - 1) * 10]),
    most: { ms: deepMs },
  })
  const middleOfNarrowed: Asking = {
    goal: 'P4',
    what: 'billable accounts by name, role of 6 divisions, page in the middle: p95',
    path: (turn) => address(list, { s: 'name asc' }, { ...rowsOnly, page: String(midst + (turn % 20)) }),
    who: narrowed,
    raw: raw('accounts_narrowed', (turn) => [(midst - 1 + (turn % 20)) * 10, narrowedDivisions]),
    most: { ms: deepMs },
  }
  const next: Asking = {
    goal: 'P4',
    what: 'billable accounts by name, next page in the middle, one after the other: p95',
    path: (turn) => address(list, { s: 'name asc' }, { ...rowsOnly, page: String(Math.floor(pages / 2) + (turn % 200)) }),
    raw: raw('accounts_by_name'),
    most: { above: httpMs },
  }
  return [...sortKeys.flatMap((key) => places.map((place) => of(key, place))), middleOfNarrowed, next]
}

const fragments = 50

/** Pieces of existing account numbers, of one length each time, typed without the dashes. */
async function containing(ground: Ground): Promise<Asking[]> {
  const askings: Asking[] = []
  for (const length of [1, 2, 3, 4, 5, 6, 7]) {
    const { rows } = await ground.raw.query<{ piece: string }>(
      "select substr(translate(account_number, ' -', ''), 1 + (id % (11 - $1::int))::int, $1::int) as piece from billable_accounts where client_id = 1 order by hashint8(id) limit $2",
      [length, fragments],
    )
    const piece = (turn: number): string => rows[turn % rows.length]?.piece ?? ''
    const values = (turn: number): string[] => [piece(turn)]
    const statement = length >= 3 ? 'accounts_containing_first' : 'accounts_containing'
    askings.push(
      {
        goal: 'P5',
        what: `billable accounts containing ${length} digits of a number, page: p95`,
        path: (turn) => address(list, { account_number_cont: piece(turn) }, rowsOnly),
        raw: raw(statement, values),
        most: { ms: containsPageMs },
      },
      {
        goal: 'P5',
        what: `billable accounts containing ${length} digits of a number, total: p95`,
        path: (turn) => address(list, { account_number_cont: piece(turn), id_gteq: String(-turn) }, { with_rows: 'false' }),
        raw: raw(`${statement}_total`, values),
        most: { ms: containsTotalMs },
      },
    )
  }
  const { rows } = await ground.raw.query<{ piece: string }>(
    "select substr(translate(account_number, ' -', ''), 3, 4) as piece from billable_accounts where client_id = 1 order by hashint8(id) limit $1",
    [fragments],
  )
  askings.push({
    goal: 'P5',
    what: 'account_number_search for 4 of a number: p95',
    path: (turn) => address(`${list}/account_number_search`, {}, { search_term: rows[turn % rows.length]?.piece ?? '' }),
    raw: raw('accounts_found', (turn) => [rows[turn % rows.length]?.piece ?? '']),
    most: { above: httpMs },
  })
  return askings
}

/** A filter without effect keeps a total out of the cache. */
function totals({ narrowed }: Ground): Asking[] {
  const counted = (turn: number) => address(list, { id_gteq: String(-1 - turn) }, { with_rows: 'false' })
  const again = () => address(list, {}, { with_rows: 'false' })
  return [
    { goal: 'P2', what: 'total of billable accounts, counted: p95', path: counted, raw: raw('accounts_total'), most: { times: 1.5 } },
    {
      goal: 'P2',
      what: 'total of billable accounts, role of 6 divisions, counted: p95',
      path: counted,
      who: narrowed,
      raw: raw('accounts_narrowed_total', () => [0, narrowedDivisions]),
      most: { times: 1.5 },
    },
    { goal: 'P3', what: 'total of billable accounts, unfiltered, again: p95', path: again, most: { ms: httpMs + 1 } },
    {
      goal: 'P2',
      what: 'list with total, again: p95',
      path: () => address(list, {}, { per: '10' }),
      raw: raw('accounts_by_name'),
      most: { above: httpMs },
    },
  ]
}

/** The requests of the sidebar and the pickers. */
function pickers({ narrowed }: Ground): Asking[] {
  const most = { ms: containsPageMs }
  const sidebar = (plural: string, key: string, more: Partial<Asking> = {}): Asking => ({
    goal: 'P1',
    what: `sidebar, 100 ${plural}: p95`,
    path: (turn) => address(`/clients/1/${plural}`, { s: `${key} asc` }, { per: '100', page: String(1 + (turn % 3)) }),
    most,
    ...more,
  })
  return [
    sidebar('divisions', 'name'),
    sidebar('facilities', 'name'),
    sidebar('billable_accounts', 'account_number', { raw: raw('accounts_sidebar', (turn) => [(turn % 3) * 100]) }),
    sidebar('billable_accounts', 'account_number', { who: narrowed, what: 'sidebar, 100 billable_accounts, role of 6 divisions: p95' }),
    sidebar('supply_accounts', 'account_number'),
    sidebar('group_accounts', 'account_number'),
    {
      goal: 'P7',
      what: 'select_options of billable accounts, 1000 of them: p95',
      path: () => address(`${list}/select_options`, {}, {}),
      raw: raw('account_options', () => []),
      most: { times: 3 },
    },
    {
      goal: 'P5',
      what: 'facilities found by name: p95',
      path: (turn) => address('/facilities/search', {}, { q: `ore ${turn % 500}` }),
      most,
    },
  ]
}

function dashboards({ world, narrowed }: { readonly world: Estate; readonly narrowed: Credentials }): Asking[] {
  const groups = Math.floor(world.accounts / groupEvery)
  const ofScope = (what: string, scope: (turn: number) => string, who?: Credentials): Asking => ({
    goal: 'P10',
    what: `dashboard of ${what}: p95`,
    path: (turn) => `/clients/1/dashboard?date_range_type=last_12_months&compare_to_last_year=true${scope(turn)}`,
    most: { ms: dashboardMs },
    ...(who ? { who } : {}),
  })
  return [
    ofScope('the client', () => ''),
    ofScope('the client, role of 6 divisions', () => '', narrowed),
    ofScope('a division', (turn) => `&scope_type=division&scope_id=${1 + (turn % divisions)}`),
    ofScope('a facility', (turn) => `&scope_type=facility&scope_id=${1 + (turn % 500)}`),
    ofScope('an account', (turn) => `&scope_type=billable_account&scope_id=${5 + 10 * (turn % 500)}`),
    ofScope('a group', (turn) => `&scope_type=group_account&scope_id=${groupEvery * (1 + (turn % groups))}`),
  ]
}

/** A failed measurement must not hide the others. */
function lineOf(ground: Ground, asking: Asking): Promise<Line> {
  return measured(ground, asking).catch((error: unknown) => ({
    goal: asking.goal,
    what: asking.what,
    ours: `not measured: ${String(error).slice(0, 120)}`,
    reference: '',
    ratio: '',
    holds: false,
  }))
}

async function measured(ground: Ground, asking: Asking): Promise<Line> {
  const question: Question = { path: asking.path, raw: asking.raw ? [asking.raw] : [], ...(asking.who ? { who: asking.who } : {}) }
  const [ours, reference] = [asked(ground, question), asking.raw ? straight(ground, question) : null]
  const cells = { ours: new Array<Cell>(), raw: new Array<Cell>() }
  await load(ours, 1, warmUpMs)
  if (reference) await load(reference, 1, warmUpMs)
  for (let round = 0; round < rounds; round += 1) {
    if (reference) cells.raw.push(await cellOf(ground, reference, 0))
    cells.ours.push(await cellOf(ground, ours, ground.product.pid))
  }
  return judged(asking, cells.ours, reference ? cells.raw : null)
}

interface Cell {
  readonly p95: number
  /** Milliseconds of CPU time per request, of the product and the database: the most reliable figure on a shared machine. */
  readonly cpu: number
}

async function cellOf(ground: Ground, target: (turn: number) => Promise<unknown>, pid: number): Promise<Cell> {
  const cpu = (): number => familyCpuMs(ground.databasePid) + (pid === 0 ? 0 : cpuMs(pid))
  const before = cpu()
  const { p95, count } = await load(target, 1, cellMs)
  return { p95, cpu: (cpu() - before) / count }
}

function judged({ goal, what, most }: Asking, our: readonly Cell[], raws: readonly Cell[] | null): Line {
  const ours = spreadOf(our.map((cell) => cell.p95))
  const than = raws ? spreadOf(raws.map((cell) => cell.p95)).median : Number.NaN
  const line = { goal, what, ours: told(our), reference: raws ? `raw ${told(raws)}` : '' }
  if ('ms' in most) return { ...line, ratio: `<= ${most.ms} ms`, holds: ours.median <= most.ms }
  if ('times' in most)
    return { ...line, ratio: `${round(ours.median / than)} of <= ${most.times}`, holds: ours.median <= than * most.times }
  const above = ours.median - than
  return { ...line, ratio: `+${round(above)} of <= +${most.above} ms`, holds: above <= most.above }
}

function told(cells: readonly Cell[]): string {
  return `${shown(spreadOf(cells.map((cell) => cell.p95)))}; CPU ${round(spreadOf(cells.map((cell) => cell.cpu)).median)} ms`
}

/** CPU time per request, compared with the thin server: the first page, and a thousand rows. */
async function processorTime(ground: Ground): Promise<Line[]> {
  const first: Question = { path: () => address(list, {}, rowsOnly), raw: [raw('accounts_by_name')] }
  const thousand: Question = {
    many: 4,
    path: (turn) => address(list, {}, { per: '1000', with_total: 'false', page: String(1 + (turn % 5)) }),
    raw: [raw('accounts_thousand', (turn) => [(turn % 5) * 1_000])],
  }
  const [ten, many] = [await compare(ground, first), await compare(ground, thousand)]
  const line = (goal: string, what: string, { ours, thin, raw: straightly }: typeof ten, times: number): Line => ({
    goal,
    what,
    ours: shown(ours.cpu),
    reference: `thin ${shown(thin.cpu)}, raw ${shown(straightly.cpu)}`,
    ratio: `${round(ours.cpu.median / thin.cpu.median)} of <= ${times}`,
    holds: ours.cpu.median <= thin.cpu.median * times,
  })
  const { bytes } = await ask(`${ground.product.url}/api/v5${thousand.path(0)}`, { ...ground.admin, 'accept-encoding': acceptEncoding })
  return [
    line('P1', 'billable accounts: CPU a request', ten, cpuTimesThin),
    line('P7', '1000 billable accounts: CPU a request', many, thousandCpuTimesThin),
    {
      goal: 'P7',
      what: `1000 billable accounts: p95, 1 caller, ${round(bytes / 1024)} KiB on the wire`,
      ours: shown(many.ours.p95),
      reference: `raw ${shown(many.raw.p95)}, thin ${shown(many.thin.p95)}`,
      ratio: `${round(many.ours.p95.median / many.raw.p95.median)} of <= 3`,
      holds: many.ours.p95.median <= many.raw.p95.median * 3,
    },
  ]
}
