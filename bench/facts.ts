/**
 * FACTS: the cost of the monthly facts of changed bills, compared with a plain read of these bills with their lines and amounts: it depends on
 * the number of changed bills, not of stored ones. Then the first dashboard after a write on each basis, which finds nothing in the cache.
 */
import { dashboardBases, type DashboardBasis } from '#contract/dashboard/basis.ts'
import { sql } from 'kysely'
import { refreshFactsOfBills } from '../src/server/month-facts/refresh-facts.ts'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf, timed } from './measure.ts'
import { ask } from './product.ts'
import type { Line } from './table.ts'

const client = 1
const rounds = 5
const changedBills = [1, 100, 1_000]
const dashboard = `/clients/${client}/dashboard?date_range_type=last_12_months&compare_to_last_year=true`
const firstMs = 1_000

const read = `select bills.*, line.*, value.value from bills join service_bills line on line.client_id = $1 and line.bill_id = bills.id
  join service_bill_entry_values value on value.client_id = $1 and value.service_bill_id = line.id where bills.client_id = $1 and bills.id = any($2)`

export async function measureFacts(ground: Ground): Promise<Line[]> {
  const lines: Line[] = []
  for (const count of changedBills) lines.push(await factsOf(ground, count))
  for (const basis of dashboardBases) lines.push(await firstDashboard(ground, basis))
  return lines
}

async function factsOf({ world, raw }: Ground, count: number): Promise<Line> {
  const [ours, plain] = [new Array<number>(), new Array<number>()]
  for (let turn = 0; turn <= rounds; turn += 1) {
    const { rows } = await raw.query<{ id: number }>('select id from bills where client_id = $1 order by id desc offset $2 limit $3', [
      client,
      turn * count,
      count,
    ])
    const ids = rows.map((row) => row.id)
    const readMs = await timed(() => raw.query(read, [client, ids]))
    const factsMs = await world.database.db.transaction().execute(async (tx) => {
      await sql`update bills set current_charges = current_charges + 1 where client_id = ${client} and id = any(${ids}::bigint[])`.execute(
        tx,
      )
      return timed(() => refreshFactsOfBills(tx, client, ids))
    })
    // The first turn plans the statements.
    if (turn === 0) continue
    plain.push(readMs)
    ours.push(factsMs)
  }
  const ratio = spreadOf(ours).median / spreadOf(plain).median
  return {
    goal: 'FACTS',
    what: `facts of ${count} changed ${count === 1 ? 'bill' : 'bills'} of ${world.billsOfFirst}, median`,
    ours: shown(spreadOf(ours)),
    reference: `their rows read ${shown(spreadOf(plain))}`,
    ratio: round(ratio),
    holds: undefined,
  }
}

async function firstDashboard({ product, admin, raw }: Ground, basis: DashboardBasis): Promise<Line> {
  const [first, again] = [new Array<number>(), new Array<number>()]
  for (let turn = 0; turn < rounds; turn += 1) {
    await raw.query('update data_versions set version = version + 1 where client_id = $1', [client])
    first.push(await timed(() => ask(`${product.url}/api/v5${dashboard}&basis=${basis}`, admin)))
    again.push(await timed(() => ask(`${product.url}/api/v5${dashboard}&basis=${basis}`, admin)))
  }
  return {
    goal: 'FACTS',
    what: `first dashboard of client 1 after a write, ${basis}`,
    ours: shown(spreadOf(first)),
    reference: `the same again ${shown(spreadOf(again))}`,
    ratio: `<= ${firstMs} ms`,
    holds: spreadOf(first).median <= firstMs,
  }
}
