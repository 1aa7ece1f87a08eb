/** A client whose cost changed from 2024 to 2025 for every reason that the split of a change knows. */
import { sql, type Kysely } from 'kysely'
import { copyAccountsToBills } from '../../src/server/estate/estate.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { refreshFacts } from '../../src/server/month-facts/refresh-facts.ts'
import { makeAccount, makeGround, makeService, type Ground } from './bills.ts'
import { addBill } from './fact-bills.ts'

export interface ChangedStores extends Ground {
  readonly east: number
  readonly secondStore: number
}

type MonthOf = (year: number, month: number) => { readonly cost: string; readonly usage: string | null } | null

/** Bills each month of both years that `of` gives a cost to. Months count from 0. */
async function billMonths(db: Kysely<Tables>, clientId: number, accountId: number, serviceId: number, of: MonthOf): Promise<void> {
  const day = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  for (const year of [2024, 2025])
    for (let month = 0; month < 12; month += 1) {
      const billed = of(year, month)
      if (billed === null) continue
      const line = { from: day(year, month), to: day(year, month + 1), service_id: serviceId, utility: billed.cost, usage: billed.usage }
      await addBill(db, clientId, {
        account: { billable_account_id: accountId },
        date: line.to,
        current_charges: billed.cost,
        lines: [line],
      })
    }
}

/**
 * Store 1: electricity of 1,000 kWh at 0.10 a month, then 1,200 at 0.11; gas of 20.00, then 25.00 without usage. Store 2: electricity from July
 * 2024 on, 50.00 for 500 kWh, then 60.00 for 600; water of 40.00 in 2025 alone, sewer of 10.00 in 2024 alone, and electricity of a second
 * account for 30.00 and 1 kWh, then 35.00 and 1,000. Store 2 also has a gas account with costs that need rounding.
 */
export async function makeChangedStores(db: Kysely<Tables>): Promise<ChangedStores> {
  const made = await makeGround(db)
  const { clientId } = made
  const one = async (text: ReturnType<typeof sql<{ id: number }>>) => (await text.execute(db)).rows[0]?.id ?? 0
  const east = await one(sql`insert into divisions (client_id, name, short_code, code) values (${clientId}, 'East', 'E', 'E') returning id`)
  const secondStore = await one(
    sql`insert into facilities (client_id, division_id, name, number) values (${clientId}, ${east}, 'Store 2', 'F2') returning id`,
  )
  const at = { ...made, facilityId: secondStore }
  const fresh = async (utility: string, number: string) => {
    const account = await makeAccount(db, at, number)
    return { account, meter: await makeService(db, clientId, account, utility, `M-${number}`) }
  }
  const power = await fresh('electric', 'POWER-2')
  const water = await fresh('water', 'WATER-2')
  const sewer = await fresh('sewer', 'SEWER-2')
  const fixed = await fresh('electric', 'FIXED-2')
  const gas = await fresh('natural_gas', 'GAS-2')
  const isLater = (year: number) => year === 2025
  await billMonths(db, clientId, made.accountId, made.electricId, (year) =>
    isLater(year) ? { cost: '132.00', usage: '1200' } : { cost: '100.00', usage: '1000' },
  )
  await billMonths(db, clientId, made.accountId, made.gasId, (year) =>
    isLater(year) ? { cost: '25.00', usage: null } : { cost: '20.00', usage: '50' },
  )
  await billMonths(db, clientId, power.account, power.meter, (year, month) => {
    if (isLater(year)) return { cost: '60.00', usage: '600' }
    return month < 6 ? null : { cost: '50.00', usage: '500' }
  })
  await billMonths(db, clientId, water.account, water.meter, (year) => (isLater(year) ? { cost: '40.00', usage: '5' } : null))
  await billMonths(db, clientId, sewer.account, sewer.meter, (year) => (isLater(year) ? null : { cost: '10.00', usage: '5' }))
  await billMonths(db, clientId, fixed.account, fixed.meter, (year) =>
    isLater(year) ? { cost: '35.00', usage: '1000' } : { cost: '30.00', usage: '1' },
  )
  await billMonths(db, clientId, gas.account, gas.meter, (year, month) =>
    isLater(year)
      ? { cost: `${(month * 37) % 91}.${10 + ((month * 13) % 89)}`, usage: `${20 + ((month * 29) % 53)}.125` }
      : { cost: `${10 + ((month * 41) % 67)}.${10 + ((month * 17) % 83)}`, usage: `${15 + ((month * 31) % 47)}.371` },
  )
  await refreshFacts(db, clientId, [made.electricId, made.gasId, power.meter, water.meter, sewer.meter, fixed.meter, gas.meter])
  await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
  return { ...made, east, secondStore }
}
