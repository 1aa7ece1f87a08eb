/** The bills that the keystroke model is measured on: accounts with a history of four months, and the papers of the next bill. */
import { sql } from 'kysely'
import type { BillDraft, ServiceBillDraft } from '../../src/contract/bills/bill-draft.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import type { Database } from '../../src/server/kernel/postgres/database.ts'
import { acting, makeAccount, makeGround, makeService, makeSupplyAccount } from './bills.ts'
import type { Paper } from './clerk.ts'

const MONTHS_BEFORE = 4
const four = ['Utility Charges', 'Utility Taxes', 'Supply Charges', 'Supply Taxes']

/** An account of these tests with one meter a line. */
interface Metered {
  readonly kind: 'BillableAccount' | 'SupplyAccount'
  readonly account: number
  readonly services: readonly number[]
}

/** The date of a day in the month of the next bill, which is last month, so that `mmdd` means it; or in one of the months before. */
export function dayOf(day: number, months = MONTHS_BEFORE): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - MONTHS_BEFORE + months, day)).toISOString().slice(0, 10)
}

/** The date as the clerk types it. */
export const mmdd = (day: number, months = MONTHS_BEFORE): string => dayOf(day, months).slice(5).replace('-', '')

const [billDay, dueDay] = [5, 25]
export const readDay = 3
const dates = { date: mmdd(billDay), due_date: mmdd(dueDay) }
const read_date = mmdd(readDay)

export async function makePapers(database: Database) {
  const { db } = database
  const at = await makeGround(db)
  await sql`update clients set name = 'Quick Mart', utility_payment_management = false where id = ${at.clientId}`.execute(db)
  const account = async (number: string, meters: readonly (readonly [string, string])[], names: readonly string[]): Promise<Metered> => {
    const id = await makeAccount(db, at, number)
    const services: number[] = []
    for (const [utility, meter] of meters) services.push(await makeService(db, at.clientId, id, utility, meter))
    await asksFor(database, at.clientId, services, names)
    return { kind: 'BillableAccount', account: id, services }
  }
  const one = await account('435-641-859-6-5', [['electric', 'ME-1']], four.slice(0, 2))
  const three = await account(
    '435-641-860-1-2',
    ['MT-1', 'MT-2', 'MT-3'].map((meter) => ['electric', meter] as const),
    four,
  )
  const water = await account(
    '211-300-774-2-9',
    [
      ['water', 'W-77'],
      ['sewer', 'W-77'],
    ],
    four.slice(0, 1),
  )
  const credit = await account('435-641-861-7-4', [['electric', 'MC-1']], four.slice(0, 1))
  const solar = await account('435-641-862-9-0', [['electric', 'MS-1']], four.slice(0, 1))
  const late = await account('435-641-863-3-3', [['electric', 'ML-1']], four.slice(0, 1))
  const delivery = await account('435-641-864-5-8', [['electric', 'MD-1']], four.slice(0, 1))
  const supplyId = await makeSupplyAccount(db, at, '900-118-42-7')
  const supply: Metered = {
    kind: 'SupplyAccount',
    account: supplyId,
    services: [await makeService(db, at.clientId, supplyId, 'electric', 'MD-1', 'supply_account_id')],
  }
  await asksFor(database, at.clientId, supply.services, four.slice(2, 3))
  const all = [one, three, water, credit, solar, late, delivery, supply]
  const history = all.flatMap((of) =>
    Array.from({ length: MONTHS_BEFORE }, (_, month) => monthOf(of, month, ofMonth(of, { credit, solar, water }))),
  )
  await acting(database, (context) => createBills(context, at.clientId, history))
  await sql`update bills set paid = true, amount_paid = amount_due where client_id = ${at.clientId} and billable_account_id = ${one.account}`.execute(
    db,
  )
  return { at, papers: papersOf({ one, three, water, credit, solar, late, delivery, supply }) }
}

/** Differences from an ordinary month. */
function ofMonth(
  of: Metered,
  { credit, solar, water }: Record<'credit' | 'solar' | 'water', Metered>,
): 'credit' | 'usage' | 'water' | null {
  if (of === credit) return 'credit'
  if (of === solar) return 'usage'
  return of === water ? 'water' : null
}

async function asksFor(database: Database, clientId: number, services: readonly number[], names: readonly string[]): Promise<void> {
  for (const id of services) {
    await sql`delete from service_entry_fields where client_id = ${clientId} and service_id = ${id}`.execute(database.db)
    await sql`insert into service_entry_fields (client_id, service_id, entry_field_id)
      select ${clientId}, ${id}, id from entry_fields where name in (${sql.join([...names])})`.execute(database.db)
  }
}

function monthOf({ kind, account, services }: Metered, month: number, what: ReturnType<typeof ofMonth>): BillDraft {
  const charge = kind === 'SupplyAccount' ? 'Supply Charges' : 'Utility Charges'
  const money = what === 'credit' ? '-40.00' : '80.00'
  const lines = services.map((service_id, place): ServiceBillDraft => {
    const isRead = what !== 'usage' && !(what === 'water' && place > 0)
    return {
      service_id,
      previous_read_date: dayOf(readDay, month - 1),
      read_date: dayOf(readDay, month),
      ...(isRead ? { previous_reading: `${10_000 + 700 * month}.00`, meter_reading: `${10_700 + 700 * month}.00` } : { usage: '700.000' }),
      service_bill_entry_fields: [{ name: charge, value: money }],
    }
  })
  const charges = `${Number(money) * services.length}.00`
  return {
    account_type: kind,
    account_id: account,
    date: dayOf(billDay, month),
    due_date: dayOf(dueDay, month),
    balance_forward: '0.00',
    current_charges: charges,
    amount_due: charges,
    source: 'import',
    service_bills: lines,
  }
}

type Accounts = Record<'one' | 'three' | 'water' | 'credit' | 'solar' | 'late' | 'delivery' | 'supply', Metered>

function papersOf(of: Accounts) {
  const [water = 0, sewer = 0] = of.water.services
  const line = (metered: Metered, values: Readonly<Record<string, string>>) => ({ [metered.services[0] ?? 0]: { read_date, ...values } })
  const reading = '13500'
  return {
    one: {
      account: '185965',
      head: { ...dates, current_charges: '155.50' },
      lines: line(of.one, { meter_reading: reading, 'Utility Charges': '147.25', 'Utility Taxes': '=' }),
    },
    three: {
      account: '186012',
      head: { ...dates, current_charges: '258.66' },
      lines: Object.fromEntries(of.three.services.map((service, place) => [service, threeLine(place)])),
    },
    water: {
      account: '077429',
      head: { ...dates, current_charges: '161.40' },
      lines: { [water]: { read_date, meter_reading: reading, 'Utility Charges': '80.20' }, [sewer]: { 'Utility Charges': '81.20' } },
    },
    credit: {
      account: '186174',
      head: { ...dates, balance_forward: '-40', current_charges: '-35.10' },
      lines: line(of.credit, { meter_reading: reading, 'Utility Charges': '-35.10' }),
    },
    solar: {
      account: '186290',
      head: { ...dates, current_charges: '12.44' },
      lines: line(of.solar, { usage: '-135', 'Utility Charges': '12.44' }),
    },
    late: {
      account: '186333',
      head: { ...dates, balance_forward: '80', current_charges: '81.15', late_fee: '1.20' },
      lines: line(of.late, { meter_reading: reading, 'Utility Charges': '81.15' }),
    },
    delivery: {
      account: '186458',
      head: { ...dates, current_charges: '82.40' },
      lines: line(of.delivery, { meter_reading: reading, 'Utility Charges': '82.40' }),
    },
    supply: {
      account: '118427',
      head: { ...dates, current_charges: '79.30' },
      lines: line(of.supply, { meter_reading: reading, 'Supply Charges': '79.30' }),
    },
  } satisfies Readonly<Record<string, Paper>>
}

/** Four charges of a meter. */
function threeLine(place: number): Readonly<Record<string, string>> {
  const first = place === 0 ? { read_date } : {}
  return {
    ...first,
    meter_reading: '13500',
    'Utility Charges': '42.1',
    'Utility Taxes': '3.12',
    'Supply Charges': '38',
    'Supply Taxes': place === 2 ? '=' : '3',
  }
}

/** The bills with what they took before (measured by hand), the goal in seconds, and the keys and looks that they take now. */
export function paceOf(papers: ReturnType<typeof papersOf>) {
  const before = (keys: number, looks: number, seconds: number) => ({ keys, looks, seconds })
  const most = (keys: number, looks: number) => ({ keys, looks })
  return [
    { bill: 'one meter, electric', of: [papers.one], before: before(64, 9, 25.9), goal: 20, most: most(43, 7) },
    { bill: 'three meters, 12 charges', of: [papers.three], before: before(137, 23, 59.2), goal: 45, most: most(91, 19) },
    { bill: 'water and sewer', of: [papers.water], before: before(74, 11, 31.7), goal: 25, most: most(46, 8) },
    { bill: 'credit', of: [papers.credit], before: before(59, 8, 24), goal: null, most: most(45, 8) },
    { bill: 'solar, usage -135', of: [papers.solar], before: before(57, 8, 23.2), goal: null, most: most(38, 7) },
    { bill: 'late fee and previous balance', of: [papers.late], before: before(55, 9, 24.6), goal: null, most: most(47, 9) },
    { bill: 'supplier and delivery', of: [papers.delivery, papers.supply], before: before(104, 17, 47.6), goal: null, most: most(78, 14) },
  ]
}
