/** Bills in the form of a file: varied heads, lines, values and charges for the accounts of a client. */
import { sql, type Kysely } from 'kysely'
import { billsImport } from '#contract/bill-import/import-bills.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { fileOf, type Row } from './csv-files.ts'
import { candidatesOf, variedCell } from './varied-cells.ts'

type Db = Kysely<Tables>

export interface BilledService {
  readonly account_number: string
  readonly vendor: string
  readonly meter: string
  readonly own_fields: readonly string[]
  readonly is_group: boolean
  readonly is_sub: boolean
}

const many = 'MANY "meters"; 5'

/** Two meters share a number and a utility, two share only a number. */
export const manyMeters = fileOf(
  [
    'account_number',
    'vendor_short_code',
    'facility_number',
    'name',
    'street_address_1',
    'city',
    'state',
    'zip',
    'service_utility_code',
    'meter_number',
    'service_name_1',
  ],
  [
    ['electric', 'T-1', 'North'],
    ['electric', 'T-1', 'South'],
    ['natural_gas', 'T-2', ''],
    ['water', 'T-2', ''],
    ['sewer', 'T-3', ''],
  ].map(([service_utility_code = '', meter_number = '', service_name_1 = '']) => ({
    account_number: many,
    vendor_short_code: '01-V',
    facility_number: 'Plain 0',
    name: 'Many',
    street_address_1: '1 Main',
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    service_utility_code,
    meter_number,
    service_name_1,
  })),
)

/** Returns each billable account with its first service, if it has one. */
export async function billedServices(db: Db, client: number): Promise<BilledService[]> {
  const { rows } =
    await sql<BilledService>`select account_number, vendors.short_code as vendor, coalesce(service.meter_number, '') as meter, is_group_account as is_group,
      group_account_id is not null as is_sub,
      array(select name from additional_entry_fields own where own.client_id = account.client_id and own.service_id = service.id and own.active order by name) as own_fields
    from billable_accounts account join vendors on vendors.id = account.vendor_id
      left join lateral (select * from services where services.client_id = account.client_id and services.billable_account_id = account.id order by rank, id limit 1) service on true
    where account.client_id = ${client} and account_number <> ${many} order by account.id`.execute(db)
  return rows
}

const column = (name: string) => {
  const found = billsImport.columns.find((one) => one.name === name)
  if (!found) throw new Error(`the import of bills has no column ${name}`)
  return found
}
const varied = (name: string, row: number): string =>
  variedCell(
    column(name),
    candidatesOf(column(name), () => []),
    { row, column: name.length, isKey: false },
  )
const amount = (row: number, most: number): string =>
  `${row % 7 === 3 ? '-' : ''}${(row * 37) % most}.${String((row * 13) % 100).padStart(2, '0')}`

/** Returns a bill for each account, further ones that correct some, and one with five meters on two rows. */
export function variedBills(services: readonly BilledService[], count: number): Row[] {
  const bills = services.slice(0, count).map(billOf)
  const corrected = bills
    .filter((_, row) => row % 10 === 9)
    .map((bill, at) => ({
      ...bill,
      invoice_number: `C-${at}`,
      current_charges: '321.00',
      amount_due: '321.00',
      date: '2025-11-20',
      due_date: '2025-12-20',
      rebill_adjustment: 'Y',
    }))
  return [...bills, ...corrected, ...billOfMany()]
}

function billOf({ account_number, vendor, meter, own_fields, is_group, is_sub }: BilledService, row: number): Row {
  const month = String(1 + (row % 9)).padStart(2, '0')
  const days = { from: `2025-${month}-01`, to: `${month}/28/2025` }
  const guarded = /^[=+\-@']/.test(account_number) ? `'${account_number}` : account_number
  const head = {
    account_number: guarded,
    vendor_short_code: vendor,
    account_type: 'B',
    date: `2025-10-${month}`,
    due_date: `11/${month}/2025`,
    invoice_number: varied('invoice_number', row),
    balance_forward: amount(row, 90),
    current_charges: amount(row + 1, 900),
    late_fee: row % 4 === 0 ? '1.25' : '0.00',
    amount_due: amount(row + 2, 990),
    notes: varied('notes', row),
    rebill_adjustment: 'N',
    qc: row % 6 === 0 ? 'Y' : 'N',
    parked: row % 11 === 0 ? 'Y' : 'N',
    group_account_number: is_sub && row % 8 === 4 ? 'none' : '',
    account_charges: row % 3 === 0 ? 'Customer charge:3.00; "a;b:-2.50"; Customer charge:3.00' : '',
  }
  if (is_group || meter === '') return { ...head, previous_read_date: days.from, read_date: days.to }
  return {
    ...head,
    ...electric('m1_', row, meter, days),
    ...(own_fields.includes('Peak') ? { 'm1_entry:Peak': '-4.5', 'm1_entry:a;b': amount(row, 50) } : {}),
  }
}

interface Days {
  readonly from: string
  readonly to: string
}

function electric(at: string, row: number, meter: string, days: Days): Row {
  return {
    [`${at}meter_number`]: /^[=+\-@']/.test(meter) ? `'${meter}` : meter,
    [`${at}previous_read_date`]: days.from,
    [`${at}read_date`]: row % 9 === 5 ? '' : days.to,
    [`${at}next_read_date`]: row % 2 === 0 ? '2025-12-01' : '',
    [`${at}fiscal_month`]: row % 3 === 0 ? '2025-09' : '',
    [`${at}previous_reading`]: String(1000 + row),
    [`${at}reading`]: String(1850.5 + row),
    [`${at}multiplier`]: row % 4 === 1 ? '2.5' : '1',
    [`${at}usage`]: row % 5 === 2 ? '-12.125' : '850.5',
    [`${at}unit`]: row % 7 === 1 ? 'old; "unit"' : row % 2 === 0 ? 'kWh' : 'MWh',
    [`${at}estimated`]: row % 2 === 0 ? 'Y' : 'N',
    [`${at}utility_charges`]: amount(row, 800),
    [`${at}utility_taxes`]: amount(row, 30),
    [`${at}supply_charges`]: row % 2 === 0 ? amount(row, 300) : '',
    [`${at}supply_taxes`]: row % 2 === 0 ? '0.00' : '',
    [`${at}other_charge`]: '-1.00',
    [`${at}rec_charge`]: '0.01',
    [`${at}adjustment_factor`]: '1.0125',
    [`${at}demand`]: '12.5',
    [`${at}kw_actual`]: '11.0001',
    [`${at}kw_billed`]: '12',
    [`${at}power_factor`]: '0.95',
    [`${at}rate_schedule`]: varied(`${at}rate_schedule`, row),
    [`${at}notes`]: varied(`${at}notes`, row),
  }
}

/** Five meters: three on the first row, two on the next. */
function billOfMany(): Row[] {
  const head = {
    account_number: many,
    vendor_short_code: '01-V',
    account_type: 'B',
    date: '2025-10-10',
    due_date: '2025-11-10',
    invoice_number: "'=many",
    balance_forward: '0.00',
    current_charges: '500.00',
    late_fee: '0.00',
    amount_due: '500.00',
  }
  const days = { from: '2025-09-01', to: '2025-09-30' }
  const plain = (at: string, meter: string, service: string, unit: string): Row => ({
    [`${at}meter_number`]: meter,
    [`${at}service`]: service,
    [`${at}previous_read_date`]: days.from,
    [`${at}read_date`]: days.to,
    [`${at}usage`]: '12.5',
    [`${at}unit`]: unit,
    [`${at}utility_charges`]: '100.00',
  })
  return [
    {
      ...head,
      ...electric('m1_', 2, 'T-1', days),
      m1_service: 'South',
      ...electric('m2_', 4, 'T-1', days),
      m2_service: 'North',
      ...plain('m3_', 'T-2', 'natural_gas', 'therm'),
      m3_therm_factor: '1.0245',
    },
    { ...head, ...plain('m1_', 'T-2', 'water', 'CCF'), ...plain('m2_', 'T-3', '', 'CCF') },
  ]
}

/** A file with every column of the template and the entry fields that some services have. */
export function billsFile(rows: readonly Row[]): string {
  return fileOf([...billsImport.columns.map(({ name }) => name), 'm1_entry:Peak', 'm1_entry:a;b'], rows)
}

/** Properties of bills that follow from the file without being in it: void, draft, linked. */
export async function billsAsKnown(db: Db, client: number): Promise<unknown[]> {
  const { rows } =
    await sql`select account_number, date, amount_due, superseded_by_id is null as counts, rebill_mode, missing_fields, group_bill_id is null as alone, group_bill_chosen,
      open_errors, open_warnings, standard.usage
    from bills left join lateral (select sum(standard_usage) as usage from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id) standard on true
    where client_id = ${client} order by account_number, date, amount_due`.execute(db)
  return rows
}
