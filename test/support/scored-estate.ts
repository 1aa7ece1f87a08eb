/** An estate for scoring the audits: accounts whose meters were read before, so that the sandbox provider has a history to continue. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from './estate.ts'

interface ScoredAccount {
  readonly id: number
  readonly services: readonly ScoredService[]
}
interface ScoredService {
  readonly id: number
  readonly perDay: number
  readonly rate: number
  readonly multiplier: number
}

interface MeterKind {
  readonly code: string
  /** Usage per day, dollars per unit, multiplier of the meter. */
  readonly perDay: number
  readonly rate: number
  readonly multiplier: number
}

const kinds: readonly (readonly MeterKind[])[] = [
  [{ code: 'electric', perDay: 120, rate: 0.15, multiplier: 10 }],
  [
    { code: 'electric', perDay: 900, rate: 0.11, multiplier: 40 },
    { code: 'natural_gas', perDay: 6, rate: 1.1, multiplier: 1 },
  ],
  [{ code: 'water', perDay: 4, rate: 5.2, multiplier: 1 }],
]
/** Meters of other accounts differ from those by up to this many steps of a tenth. */
const SIZES = 7

/** Creates a client whose vendor can be paid, with the given number of accounts of one or two meters. */
export async function makeScoredEstate(
  db: Kysely<Tables>,
  count: number,
): Promise<{ readonly clientId: number; readonly clientCode: string; readonly accounts: readonly ScoredAccount[] }> {
  const clientId = await makeClient(db)
  const facilityId = await makeFacility(db, clientId, await makeDivision(db, clientId))
  const vendorId = await makeVendor(db, { name: 'Scored Utility' })
  await sql`insert into vendor_payment_methods (vendor_id, payment_method_id) select ${vendorId}, id from payment_methods where name = 'OP'`.execute(
    db,
  )
  const accounts: ScoredAccount[] = []
  for (let place = 0; place < count; place += 1) {
    const account_number = String(7_100_000 + place)
    const id = await makeBillableAccount(db, clientId, facilityId, vendorId, { account_number, name: `Scored ${account_number}` })
    const services: ScoredService[] = []
    for (const kind of kinds[place % kinds.length] ?? [])
      services.push({
        ...kind,
        perDay: kind.perDay * (1 + (place % SIZES) / 10),
        id: await makeMeter(db, clientId, id, kind, `${kind.code[0]}${account_number}`),
      })
    accounts.push({ id, services })
  }
  const { rows } = await sql<{ short_code: string }>`select short_code from clients where id = ${clientId}`.execute(db)
  return { clientId, clientCode: rows[0]?.short_code ?? '', accounts }
}

/** Returns the last bill before the statements begin: a month until the given day. */
export function lastBillBefore(account: ScoredAccount, day: string): BillDraft {
  const start = new Date(Date.parse(day) - 30 * 86_400_000).toISOString().slice(0, 10)
  const lines = account.services.map((service) => lineOf(service, start, day))
  const total = lines.reduce((sum, line) => sum + line.cents, 0)
  const amount = (total / 100).toFixed(2)
  return {
    account_type: 'BillableAccount',
    account_id: account.id,
    date: day,
    due_date: day,
    balance_forward: '0.00',
    current_charges: amount,
    late_fee: '0.00',
    amount_due: amount,
    source: 'import',
    imported_history: true,
    service_bills: lines.map(({ draft }) => draft),
  }
}

function lineOf(service: ScoredService, start: string, end: string): { draft: ServiceBillDraft; cents: number } {
  const run = Math.round((service.perDay * 30) / service.multiplier)
  const cents = Math.round(run * service.multiplier * service.rate * 100)
  const draft: ServiceBillDraft = {
    service_id: service.id,
    previous_read_date: start,
    read_date: end,
    previous_reading: '5000.00',
    meter_reading: `${5000 + run}.00`,
    multiplier: `${service.multiplier}`,
    service_bill_entry_fields: [{ name: 'Utility Charges', value: (cents / 100).toFixed(2) }],
  }
  return { draft, cents }
}

async function makeMeter(db: Kysely<Tables>, clientId: number, accountId: number, kind: MeterKind, meter: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into services (client_id, billable_account_id, meter_number, utility_service_id, usage_unit_id, meter_multiplier)
      select ${clientId}, ${accountId}, ${meter}, utility_services.id, usage_units.id, ${kind.multiplier}::numeric from utility_services
      join usage_units on usage_units.utility_service_id = utility_services.id and usage_units.standard where utility_services.code = ${kind.code} returning id`.execute(
    db,
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('no meter was made')
  return id
}
