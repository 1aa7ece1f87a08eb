/** The dashboards of the demo and of a varied test world, recomputed from the raw bills by a program that shares no code with ours. */
import pg from 'pg'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { rebuildFacts } from '../src/server/month-facts/refresh-facts.ts'
import { makeDemoData } from '../src/server/demo/demo.ts'
import { compareChildren, compareFigures, queryOf } from './oracles/compare-figures.ts'
import { childFigures, figures, monthsAsked, monthsPerArea, type Asked, type ChildKind } from './oracles/figures.ts'
import { makeFiguresWorld } from './oracles/figures-world.ts'
import { readWorld, type Basis, type World } from './oracles/raw-months.ts'
import { makePerson, startTestApp } from './support/app.ts'

const MINUTE = 60_000
const bases: readonly Basis[] = ['calendarized', 'billed', 'fiscal']
const told = 20
/** Only one in so many dashboards of the demo is compared, of the bases of whole bills one in three times as many, spread over scopes, months and services. The deep run compares all. */
const demoOneIn = Number(process.env.DEMO_FIGURES_ONE_IN ?? 5)

const { app, ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')

/** A year and less, compared with last year and with the preceding months; the graphs alternate. */
const windows = [
  ['last_12_months', true, 'cost'],
  ['last_3_months', false, 'usage'],
  ['last_3_months', true, 'unit_cost'],
  ['last_6_months', false, 'cost'],
  ['year_to_date', false, 'emissions'],
  ['custom', true, 'cost', ['2025-02', '2025-09']],
  ['custom', true, 'usage', ['2024-10', '2025-11']],
] as const

const isWide = (scope: string): boolean => ['client', 'billable_accounts', 'supply_accounts', 'division'].includes(scope)

/** Every scope of a client in the first window; the client and its divisions in all windows, and by service. */
function questionsOf(clientId: number, world: World, as_of: string): Asked[] {
  const scopes = [
    ...['client', 'billable_accounts', 'supply_accounts'].map((scope_type) => ({ scope_type, scope_id: clientId })),
    ...[...world.divisions.keys()].map((scope_id) => ({ scope_type: 'division', scope_id })),
    ...[...world.facilities.keys()].map((scope_id) => ({ scope_type: 'facility', scope_id })),
    ...world.accounts.map(({ id, kind, group }) => ({
      scope_type: kind === 'billable' ? (group ? 'group_account' : 'billable_account') : group ? 'group_supply_account' : 'supply_account',
      scope_id: id,
    })),
  ]
  const used = new Set([...world.owners.values()].flatMap((owner) => owner.utility_id ?? []))
  return scopes.flatMap((scope, place) => {
    // Narrow scopes are asked in one window each, in turn.
    const asked = isWide(scope.scope_type) ? windows : [windows[place % windows.length] ?? windows[0]]
    const services = isWide(scope.scope_type) ? [null, ...used] : [null]
    // By service in the first window alone: the others differ by their months.
    return asked.flatMap(([range, compare_to_last_year, graph, months], window) =>
      (window === 0 ? services : [null]).map((service) => ({
        ...scope,
        basis: world.basis,
        service,
        range,
        compare_to_last_year,
        graph,
        as_of,
        ...(months ? { months } : {}),
      })),
    )
  })
}

/** Each kind of children is asked for in its turn. */
function kindsOf(scope: string): readonly ChildKind[] {
  if (['client', 'billable_accounts', 'supply_accounts'].includes(scope)) return ['divisions', 'facilities', 'accounts', 'services']
  if (scope === 'division') return ['facilities', 'accounts', 'services']
  return scope === 'billable_account' || scope === 'supply_account' ? ['services'] : ['accounts', 'services']
}

async function comparedCells(
  clientIds: readonly number[],
  as_of: string,
  basis: Basis,
  oneIn = 1,
): Promise<{ cells: number; answers: number; differences: string[] }> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const differences: string[] = []
  const total = { cells: 0, answers: 0, differences }
  try {
    for (const clientId of clientIds) {
      const world = await readWorld(client, clientId, basis)
      for (const asked of questionsOf(clientId, world, as_of).filter((_, place) => place % oneIn === 0)) {
        const query = queryOf(asked)
        const { status, body, text } = await ask(admin, 'GET', `/clients/${clientId}/dashboard?${query}`)
        expect(status, text).toBe(200)
        const compared = compareFigures(`client ${clientId} ${query}`, JSON.parse(JSON.stringify(body)), figures(world, asked))
        total.cells += compared.cells
        total.answers += 1
        differences.push(...compared.differences)
        // Narrow scopes have few children: one in five is asked for them.
        if (!isWide(asked.scope_type) && total.answers % 5 !== 0) continue
        const kinds = kindsOf(asked.scope_type)
        const kind = kinds[total.answers % kinds.length] ?? 'services'
        const children = await ask(admin, 'GET', `/clients/${clientId}/dashboard/children?${query}&children=${kind}`)
        expect(children.status, children.text).toBe(200)
        const told = JSON.parse(JSON.stringify(children.body))
        const rows = compareChildren(
          `client ${clientId} ${kind} of ${query}`,
          told,
          childFigures(world, asked, kind),
          monthsPerArea(world, asked),
          monthsAsked(asked),
        )
        total.cells += rows.cells
        differences.push(...rows.differences)
      }
    }
  } finally {
    await client.end()
  }
  return total
}

function say(name: string, { cells, answers, differences }: Awaited<ReturnType<typeof comparedCells>>): void {
  console.log(`${name}: ${answers} dashboards, ${cells} cells compared, ${differences.length} differ`)
}

test(
  '[DASH-FIELD-001] [DASH-FIELD-002] [DASH-FIELD-003] [DASH-FIELD-004] [DASH-FIELD-005] [DASH-FIELD-006] water and sewer, fuels, suppliers, a group, void bills and gaps: every figure is that of the raw bills',
  async () => {
    const { clientId } = await makeFiguresWorld(db)
    await rebuildFacts(db, clientId)
    for (const basis of bases) {
      const compared = await comparedCells([clientId], '2026-01-15', basis)
      say(`made world, ${basis}`, compared)
      expect(compared.differences.slice(0, told)).toEqual([])
      expect(compared.cells).toBeGreaterThan(5_000)
    }
  },
  5 * MINUTE,
)

test(
  '[DASH-FIELD-001] [DASH-FIELD-006] every figure of the demo is that of its raw bills',
  async () => {
    const { rows: before } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from clients`.execute(db)
    await makeDemoData({ database, machinery: app.machinery, log: app.machinery.log })
    const { rows } = await sql<{
      id: number
      today: string
    }>`select id, (now() at time zone 'America/New_York')::date::text as today from clients
      where id > ${before[0]?.id ?? 0} order by id`.execute(db)
    for (const basis of bases) {
      const compared = await comparedCells(
        rows.map((row) => row.id),
        rows[0]?.today ?? '',
        basis,
        basis === 'calendarized' ? demoOneIn : demoOneIn * 3,
      )
      say(`demo, ${basis}`, compared)
      expect(compared.differences.slice(0, told)).toEqual([])
      expect(compared.cells).toBeGreaterThan(basis === 'calendarized' ? 50_000 : 15_000)
    }
  },
  10 * MINUTE,
)
