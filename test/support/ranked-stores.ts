/** Two stores whose costs per square foot rose differently. */
import { sql, type Kysely } from 'kysely'
import { copyAccountsToBills } from '../../src/server/estate/estate.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makeAccount, makeGround, makeService, type Ground } from './bills.ts'
import { addBill } from './fact-bills.ts'

/** Two stores in 2023 and 2024: 100 sq ft from 50.00 to 100.00 a month, 1,000 sq ft from 150.00 to 200.00. */
export async function makeRankedStores(db: Kysely<Tables>): Promise<Ground> {
  const made = await makeGround(db)
  const { clientId } = made
  const { rows } = await sql<{ id: number }>`insert into facilities (client_id, division_id, name, number, square_footage)
    values (${clientId}, ${made.divisionId}, 'Store 2', 'F2', 1000) returning id`.execute(db)
  const second = await makeAccount(db, { ...made, facilityId: rows[0]?.id ?? 0 }, 'SECOND-1')
  const meter = await makeService(db, clientId, second, 'electric', 'SECOND-M')
  await sql`update facilities set square_footage = 100 where client_id = ${clientId} and id = ${made.facilityId}`.execute(db)
  await sql`update services set active = false where client_id = ${clientId} and id = ${made.gasId}`.execute(db)
  const day = (month: number) => new Date(Date.UTC(2023, month, 1)).toISOString().slice(0, 10)
  for (let month = 0; month < 24; month += 1) {
    const days = { from: day(month), to: day(month + 1) }
    const isLater = month >= 12
    for (const [billable_account_id, service_id, utility] of [
      [made.accountId, made.electricId, isLater ? '100.00' : '50.00'],
      [second, meter, isLater ? '200.00' : '150.00'],
    ] as const)
      await addBill(db, clientId, {
        account: { billable_account_id },
        date: days.to,
        current_charges: utility,
        lines: [{ ...days, service_id, utility, usage: '100' }],
      })
  }
  await refreshFacts(db, clientId, [made.electricId, meter])
  await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
  return made
}
