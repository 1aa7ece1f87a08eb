/** Facilities ranked by square foot, against quartiles and fences from plain SQL over the bills. */
import { dashboardChildCalls, type ChildrenAnswer } from '#contract/dashboard/dashboard-children.ts'
import { compareDecimals } from '#contract/kernel/decimal.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBenchmarkedStores } from '../../../test/support/benchmarked-stores.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')
const ground = await makeBenchmarkedStores(db)
const { clientId } = ground

async function facilities(query: Readonly<Record<string, string | number>> = {}, who: Person = admin): Promise<ChildrenAnswer> {
  const search = new URLSearchParams({ as_of: '2026-01-15', children: 'facilities' })
  for (const [key, value] of Object.entries(query)) search.set(key, String(value))
  const answer = await ask(who, 'GET', `/clients/${clientId}/dashboard/children?${search.toString()}`)
  expect(answer.status, answer.text).toBe(200)
  return dashboardChildCalls.children.schemas.reply.parse(answer.body)
}

interface Expected {
  readonly q1: string
  readonly median: string
  readonly q3: string
}

/** The quartiles of 2025 of the stores that are billed in full and have an area; `figure` is over rows of cost, usage and area. */
async function expectedOf(figure: string): Promise<Expected> {
  const quartile = (share: string) => sql`percentile_cont(${sql.lit(share)}::float8) within group (order by figure)`
  const { rows } = await sql<Expected>`with store as (
      select facility.id, facility.square_footage as area, sum(charge.value) as cost, sum(line.usage) as usage
      from service_bills line join bills bill on bill.client_id = line.client_id and bill.id = line.bill_id
      join billable_accounts account on account.client_id = bill.client_id and account.id = bill.billable_account_id
      join facilities facility on facility.client_id = account.client_id and facility.id = account.facility_id
      join service_bill_entry_values charge on charge.client_id = line.client_id and charge.service_bill_id = line.id
      where line.client_id = ${clientId} and line.previous_read_date >= '2025-01-01' and facility.square_footage > 0
      group by 1, 2 having count(*) = 12),
    figures as (select ${sql.raw(figure)} as figure from store)
    select ${quartile('0.25')}::numeric::text as q1, ${quartile('0.5')}::numeric::text as median, ${quartile('0.75')}::numeric::text as q3 from figures`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('no quartiles')
  return found
}

function close(told: string | undefined, expected: string): boolean {
  return told !== undefined && Math.abs(Number(told) - Number(expected)) < 0.000_000_5
}

test('facilities are ranked by cost, energy and usage of a square foot, with the quartiles of plain SQL', async () => {
  const electric = (await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)).rows[0]?.id ?? 0
  const { benchmark, rows } = await facilities({ service: electric })
  for (const [measure, figure] of [
    ['cost_per_sqft', 'round(cost / area, 4)'],
    ['energy_per_sqft', 'round(usage * 3.412142 / area, 4)'],
    ['usage_per_sqft', 'round(usage / area, 6)'],
  ] as const) {
    const expected = await expectedOf(figure)
    const told = benchmark?.[measure]
    expect(told?.count, measure).toBe(7)
    for (const key of ['q1', 'median', 'q3'] as const)
      expect(close(told?.[key], expected[key]), `${measure} ${key}: ${told?.[key]}, ${expected[key]}`).toBe(true)
    const ranked = rows
      .filter((row) => row.benchmark?.unranked === null)
      .toSorted((a, b) => compareDecimals(b[measure].current ?? '0', a[measure].current ?? '0'))
    expect(ranked.map((row) => row.benchmark?.[measure]?.rank)).toEqual([1, 2, 3, 4, 5, 6, 7])
  }
})

test('an outlier lies beyond 1.5 of the distance of the quartiles', async () => {
  const { rows, benchmark } = await facilities()
  const banded = rows.filter((row) => row.benchmark?.cost_per_sqft?.band === 'high_outlier').map((row) => row.name)
  // 12 x 900 over 1,000 sq ft is 10.80; the others cost 1.20 to 1.92.
  expect(banded).toEqual(['Store 7'])
  expect(compareDecimals(benchmark?.cost_per_sqft?.high ?? '99', '10.8')).toBe(-1)
  // Usage in a unit of its own is told of one service alone.
  expect(rows.flatMap((row) => row.benchmark?.usage_per_sqft ?? [])).toEqual([])
  expect(benchmark?.usage_per_sqft).toBeNull()
})

test('who has no area, is not billed in full or opened in the period is listed with the reason and not ranked', async () => {
  const { rows, benchmark } = await facilities()
  expect(rows).toHaveLength(10)
  const reasons = rows.flatMap((row) => (row.benchmark?.unranked ? [[row.name, row.benchmark.unranked]] : [])).toSorted()
  expect(reasons).toEqual([
    ['Store 10', '6 of 12 months billed'],
    ['Store 8', 'no area'],
    // October to December are missing: 273 of 365 days.
    ['Store 9', '74.7% billed'],
  ])
  expect(benchmark?.unranked).toBe(3)
  for (const row of rows.filter((one) => one.benchmark?.unranked))
    expect(row.benchmark).toMatchObject({ cost_per_sqft: null, energy_per_sqft: null })
})

test('other kinds have no benchmark, below five facilities there are no quartiles, and a narrowed role is compared inside its part', async () => {
  const divisions = await facilities({ children: 'divisions' })
  expect([divisions.benchmark, divisions.rows.every((row) => row.benchmark === null)]).toEqual([null, true])
  const division = await makePerson(db, 'client_user', {
    clients: [clientId],
    facility: ground.stores.slice(0, 4).map((id) => [clientId, id] as const),
  })
  const own = await facilities({}, division)
  expect([own.rows.length, own.benchmark?.cost_per_sqft, own.benchmark?.unranked]).toEqual([4, null, 0])
  expect(own.rows.map((row) => row.benchmark?.cost_per_sqft)).toEqual([null, null, null, null])
})
