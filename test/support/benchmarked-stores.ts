/** Ten stores of 2025: seven that can be compared, one of them dear, and one for each reason that keeps a facility out of the ranking. */
import { sql, type Kysely } from 'kysely'
import { copyAccountsToBills } from '../../src/server/estate/estate.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makeAccount, makeGround, makeService, type Ground } from './bills.ts'
import { addBill } from './fact-bills.ts'

export interface BenchmarkedStores extends Ground {
  readonly stores: readonly number[]
}

/** `from` and `to` are the first and the last month with bills, from 0. */
const plans = [
  ...[100, 110, 125, 130, 145, 160].map((cost, place) => ({ cost, area: 1000 + place * 7, from: 0, to: 11 })),
  { cost: 900, area: 1000, from: 0, to: 11 },
  { cost: 120, area: null, from: 0, to: 11 },
  { cost: 120, area: 1000, from: 0, to: 8 },
  { cost: 120, area: 1000, from: 6, to: 11 },
]
const OPENED_LATER = 9

export async function makeBenchmarkedStores(db: Kysely<Tables>): Promise<BenchmarkedStores> {
  const made = await makeGround(db)
  const { clientId, divisionId } = made
  await sql`update services set active = false where client_id = ${clientId}`.execute(db)
  const day = (month: number) => new Date(Date.UTC(2025, month, 1)).toISOString().slice(0, 10)
  const stores: number[] = []
  const meters: number[] = []
  for (const [place, { cost, area, from, to }] of plans.entries()) {
    const { rows } = await sql<{ id: number }>`insert into facilities (client_id, division_id, name, number, square_footage)
      values (${clientId}, ${divisionId}, ${`Store ${place + 1}`}, ${`S${place + 1}`}, ${area}) returning id`.execute(db)
    const facilityId = rows[0]?.id ?? 0
    const account = await makeAccount(db, { ...made, facilityId }, `STORE-${place + 1}`)
    const meter = await makeService(db, clientId, account, 'electric', `STORE-M-${place + 1}`)
    if (place === OPENED_LATER)
      await sql`update services set effective_from = ${day(from)} where client_id = ${clientId} and id = ${meter}`.execute(db)
    for (let month = from; month <= to; month += 1) {
      const line = {
        from: day(month),
        to: day(month + 1),
        service_id: meter,
        utility: `${cost}.00`,
        usage: String(400 + place * 11 + month),
      }
      await addBill(db, clientId, {
        account: { billable_account_id: account },
        date: line.to,
        current_charges: line.utility,
        lines: [line],
      })
    }
    stores.push(facilityId)
    meters.push(meter)
  }
  await refreshFacts(db, clientId, meters)
  await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
  return { ...made, stores }
}
