/**
 * Lists, pickers, searches, records, dashboards and exports answer exactly what the reader's roles reach: no row less, no row more, no cent
 * of others. Random users with random roles send random requests; the test knows from its own copy of the data what each must see.
 * `SCOPE_SEED` draws other users. Visibility of users follows other rules: `src/server/users/user-reach.test.ts` has the oracle for those.
 */
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, type Person } from './support/app.ts'
import { firstId } from './every-call/world.ts'
import { exportedText } from './support/exports.ts'
import { chance, personOf, roleRow, rolesOfPerson, type RoleRow } from './scope-oracle/people.ts'
import {
  dashboardCents,
  dashboardDraw,
  expectedOf,
  listDraw,
  pickerDraw,
  recordDraw,
  recordStatus,
  type Draw,
  type Expected,
} from './scope-oracle/questions.ts'
import { askedReports, budgetCents, reportChoices, reportStatus, reportSum } from './scope-oracle/reports.ts'
import { billedMonth, kinds, makeWorld, type Item, type Kind, type World } from './scope-oracle/world.ts'

const seed = Number(process.env['SCOPE_SEED'] ?? 20_260_202)
/** The deep run draws 400. */
const people = Number(process.env['SCOPE_PEOPLE'] ?? 60)
/** Number of requests per user, by kind. */
const draws = { lists: 24, pickers: 10, records: 10, dashboards: 8 } as const
const { ask, database } = await startTestApp()
const { db } = database
const tally = {
  pages: 0,
  rows: 0,
  refused: 0,
  exports: 0,
  pickers: 0,
  records: 0,
  dashboards: 0,
  partSums: 0,
  reports: 0,
  partReports: 0,
  budgets: 0,
}
const reportIds = new Map<string, number>()
let electric = 0
let world: World = { items: [], clients: [] }
afterAll(() =>
  console.log(
    `scope-oracle: seed ${seed}, ${people} people, ${tally.pages.toLocaleString('en-US')} pages with ${tally.rows.toLocaleString('en-US')} rows, ${tally.refused} refused, ${tally.pickers} pickers, ${tally.records} records, ${tally.dashboards} dashboards (${tally.partSums} of a part), ${tally.exports} exports, ${tally.reports} reports (${tally.partReports} of a part), ${tally.budgets} budgets`,
  ),
)

beforeAll(async () => {
  world = await makeWorld(database)
  const { rows } = await sql<{ id: number; name: string }>`select id, name from reports`.execute(db)
  for (const { id, name } of rows) reportIds.set(name, id)
  electric = await firstId(db, 'utility_services', { name: 'Electric' })
})

/** Returns all pages together: each row once, as many as the total says. */
async function pagesOf(person: Person, { kind, rowsKey, path, query }: Draw): Promise<Expected> {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await ask(person, 'GET', `${path}?${query}&page=${page}`)
    tally.pages++
    if (status !== 200) return { status, ids }
    const rows = idsIn(body[rowsKey ?? kind])
    ids.push(...rows)
    tally.rows += rows.length
    if (rows.length === 0 || ids.length >= Number(body['total'])) {
      expect(ids.length, `${path}?${query}: total`).toBe(body['total'])
      return { status, ids: ids.toSorted((a, b) => a - b) }
    }
  }
}

function idsIn(rows: unknown): number[] {
  const list: unknown[] = Array.isArray(rows) ? rows : []
  return list.flatMap((row) => (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' ? [row.id] : []))
}

describe('everything that is read answers exactly what the reader reaches [PERM-PERM-001]', () => {
  const picksOf = (count: number) => fc.array(fc.array(chance, { minLength: 5, maxLength: 5 }), { minLength: count, maxLength: count })
  const drawn = fc.sample(
    fc.tuple(rolesOfPerson, picksOf(draws.lists), picksOf(draws.pickers), picksOf(draws.records), picksOf(draws.dashboards)),
    { numRuns: people, seed },
  )

  test.for(drawn.map((questions, at) => ({ at, questions })))('person $at', async ({ at, questions }) => {
    const [roles, lists, pickers, records, dashboards] = questions
    const rows = roles.map((drawnRole) => roleRow(world, drawnRole))
    const person = await personOf(db, rows)
    for (const draw of lists.map((picks) => listDraw(world, kinds, picks))) await isAsExpected(rows, person, draw)
    for (const draw of pickers.map((picks) => pickerDraw(world, picks))) {
      await isAsExpected(rows, person, draw)
      tally.pickers++
    }
    for (const picks of records) await recordIsAsExpected(rows, person, picks)
    for (const picks of dashboards) await sumsWhatIsSeen(rows, person, picks)
    if (at % 4 === 0) await exportIsAlike(rows, person, at)
    for (const picks of dashboards) await budgetsAreOfWhatIsSeen(rows, person, picks)
    for (const [place, { id }] of world.clients.entries()) await reportHoldsWhatIsSeen(rows, person, { clientId: id, at: at + place })
  })

  test('that was asked often enough to mean something', () => {
    expect(tally.pages).toBeGreaterThan(people * 20)
    expect(tally.rows).toBeGreaterThan(people * 20)
    expect(tally.refused).toBeGreaterThan(people)
    expect(tally.dashboards).toBeGreaterThan(people * 5)
    expect(tally.partSums).toBeGreaterThan(10)
    expect(tally.exports).toBeGreaterThan(5)
    expect(tally.reports).toBeGreaterThan(people)
    expect(tally.partReports).toBeGreaterThan(10)
    expect(tally.budgets).toBeGreaterThan(people)
  })
})

async function isAsExpected(rows: readonly RoleRow[], person: Person, draw: Draw): Promise<void> {
  const expected = expectedOf(world, rows, draw)
  expect({ draw, rows, ...(await pagesOf(person, draw)) }).toEqual({ draw, rows, ...expected })
  if (expected.status !== 200) tally.refused++
}

async function recordIsAsExpected(rows: readonly RoleRow[], person: Person, picks: readonly number[]): Promise<void> {
  const draw = recordDraw(world, kinds, rows, picks)
  if (!draw) return
  const { status } = await ask(person, 'GET', draw.path)
  expect({ rows, [draw.path]: status }).toEqual({ rows, [draw.path]: recordStatus(world, rows, draw.item) })
  tally.records++
}

/** A dashboard's cost is that of the accounts that the reader sees, to the cent: every account has its own. */
async function sumsWhatIsSeen(rows: readonly RoleRow[], person: Person, picks: readonly number[]): Promise<void> {
  const draw = dashboardDraw(world, rows, picks)
  if (!draw) return
  const { item, query } = draw
  const { status, body } = await ask(person, 'GET', `/clients/${item.clientId}/dashboard?${query}&as_of=${billedMonth.asOf}`)
  const expected = recordStatus(world, rows, item)
  const cents = dashboardCents(world, rows, item)
  const cost = status === 200 ? costIn(body) : 0
  expect({ item, rows, status, cost }).toEqual({ item, rows, status: expected, cost: expected === 200 ? cents : 0 })
  tally.dashboards++
  if (expected === 200 && cents > 0 && cents < dashboardCents(world, everybody, item)) tally.partSums++
}

/** A preview's sum is that of the accounts that the reader sees. */
async function reportHoldsWhatIsSeen(
  rows: readonly RoleRow[],
  person: Person,
  { clientId, at }: { readonly clientId: number; readonly at: number },
): Promise<void> {
  const report = askedReports[at % askedReports.length]
  if (!report) throw new Error('no report is asked for')
  const path = `/clients/${clientId}/reports/${reportIds.get(report.name) ?? 0}/preview`
  const { status, text } = await ask(person, 'POST', path, {
    form_data: { ...reportChoices, ...(report.needsUtility ? { utility_service_ids: [electric] } : {}) },
  })
  const expected = reportStatus(world, rows, clientId)
  expect({ report, rows, status, text: status === expected ? '' : text }).toEqual({ report, rows, status: expected, text: '' })
  if (status !== 200) return
  const { columns, totals, rows: shown } = preview.parse(JSON.parse(text))
  const place = columns.findIndex(({ key }) => key === report.column)
  const sum =
    report.of === 'cents' ? Math.round(Number(totals[place] ?? 0) * 100) : shown.reduce((all, row) => all + Number(row[place] ?? 0), 0)
  const seen = reportSum(world, rows, clientId, report)
  expect({ report, rows, sum }).toEqual({ report, rows, sum: seen })
  tally.reports++
  if (seen > 0 && seen < reportSum(world, everybody, clientId, report)) tally.partReports++
}

const preview = z.object({
  columns: z.array(z.object({ key: z.string() })),
  rows: z.array(z.array(z.string().nullable())),
  totals: z.array(z.string().nullable()),
})

/** The budgets and the actual of a year are those of the accounts that the reader sees. */
async function budgetsAreOfWhatIsSeen(rows: readonly RoleRow[], person: Person, picks: readonly number[]): Promise<void> {
  const draw = dashboardDraw(world, rows, picks)
  if (!draw || !budgetKinds.includes(draw.item.kind)) return
  const { item, query } = draw
  const { status, text } = await ask(
    person,
    'GET',
    `/clients/${item.clientId}/budgets/variance?${query}&first_month=${billedMonth.from.slice(0, 7)}`,
  )
  expect({ item, rows, status }).toEqual({ item, rows, status: recordStatus(world, rows, item) })
  if (status !== 200) return
  const { total } = variance.parse(JSON.parse(text))
  const [budget, actual] = [total.budget, total.actual].map((sum) => Math.round(Number(sum ?? 0) * 100))
  const seen = budgetCents(world, rows, item)
  expect({ item, rows, budget, actual }).toEqual({ item, rows, budget: seen, actual: seen })
  tally.budgets++
}

const budgetKinds: readonly Kind[] = ['clients', 'divisions', 'facilities', 'billable_accounts']
const variance = z.object({ total: z.object({ budget: z.string().nullable(), actual: z.string() }) })

const everybody: readonly RoleRow[] = [{ role: 'super_admin', clients: [], narrowed: {} }]

function costIn(body: Record<string, unknown>): number {
  const text = /"total_utility_cost":\{"current":(?:"(-?[\d.]+)"|null)/.exec(JSON.stringify(body))
  if (!text) throw new Error('no total_utility_cost')
  return Math.round(Number(text[1] ?? 0) * 100)
}

const exported: readonly { readonly kind: Kind; readonly text: RegExp }[] = [
  { kind: 'facilities', text: /Facility \w+/ },
  { kind: 'divisions', text: /Division \w+/ },
  { kind: 'billable_accounts', text: /(?:Account|Group) \w+ \w+/ },
  { kind: 'supply_accounts', text: /(?:Supply|Group) \w+ \w+/ },
  { kind: 'group_accounts', text: /Group \w+ \w+/ },
  { kind: 'group_supply_accounts', text: /Group \w+ \w+/ },
]

/** The file of an export contains the names that its list shows. */
async function exportIsAlike(rows: readonly RoleRow[], person: Person, at: number): Promise<void> {
  const own = exported.filter(({ kind }) => kinds.includes(kind))
  const one = own[(at / 4) % own.length] ?? { kind: 'facilities', text: /Facility \w+/ }
  for (const { id: clientId } of world.clients) {
    const expected = expectedOf(world, rows, { kind: one.kind, path: '', clientId, word: '', query: '' })
    const started = await ask(person, 'GET', `/clients/${clientId}/${one.kind}/export_csv`)
    expect(started.status).toBe(expected.status)
    if (expected.status !== 200) continue
    const lines = (await exportedText({ ask }, person, started.body['task_id'])).trimEnd().split('\n').slice(1)
    const names = world.items.filter((item: Item) => item.kind === one.kind && expected.ids.includes(item.id)).map(({ text }) => text)
    expect(lines.map((line) => one.text.exec(line)?.[0]).toSorted()).toEqual(names.toSorted())
    tally.exports++
    return
  }
}
