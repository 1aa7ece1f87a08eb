/** A client's statements as a user would enter them into the file of a bill import: it shares nothing with retrieval but the mapping. */
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import { billsImport, entryColumns, factorColumns, metersPerRow } from '#contract/bill-import/import-bills.ts'
import { csvLine } from '#contract/kernel/import.ts'
import { mapStatement, type RetrievedBill } from '#contract/bill-retrieval/map-statement.ts'
import type { RetrievedLine } from '#contract/bill-retrieval/retrieved-lines.ts'
import { planRelations } from '#contract/bill-retrieval/statement-history.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { storedStatement } from '../../src/server/bill-retrieval/read-statement.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'

/** Reference data and accounts by name. */
interface Known {
  readonly units: ReadonlySet<string>
  readonly factors: ReadonlySet<string>
  /** Meters that ask for Supply Charges, for which a statement prints no line when nothing was supplied. */
  readonly supplied: ReadonlySet<string>
}

/** Returns the file of all statements of the client that became bills. Vendors are matched by the first letters of the utility's name. */
export async function statementRows(db: Kysely<Tables>, clientId: number): Promise<string> {
  const known = await knownOf(db, clientId)
  const { rows } = await sql<{
    id: number
    raw: unknown
  }>`select id, raw from retrieval_statements where client_id = ${clientId} and state = 'created' order by id`.execute(db)
  const bills = rows.flatMap(({ id, raw }) => {
    const bill = mapStatement(storedStatement(raw), { client: '', paymentTermsDays: paymentTermsDaysDefault })
    return 'cannot' in bill ? [] : [{ item: bill, number: id, bill }]
  })
  const byAccount = Map.groupBy(bills, ({ bill }) => `${bill.provider_name} ${bill.account_number}`)
  const lines = [...byAccount.values()].flatMap((own) => {
    const ordered = own.toSorted((a, b) => (a.bill.date === b.bill.date ? a.number - b.number : a.bill.date < b.bill.date ? -1 : 1))
    return planRelations(ordered, []).flatMap((plan) => rowsOf(plan.item, plan.kind === 'make' && plan.corrects !== null, known))
  })
  const names = billsImport.columns.map(({ name }) => name)
  return csvLine(names) + lines.map((cells) => csvLine(names.map((name) => cells.get(name) ?? ''))).join('')
}

/** Three meters per row; the head is repeated on each. */
function rowsOf(bill: RetrievedBill, corrects: boolean, known: Known): Map<string, string>[] {
  const head = new Map([
    ['account_number', bill.account_number],
    ['vendor_short_code', bill.provider_name.slice(0, 40)],
    ['date', bill.date],
    ['due_date', bill.due_date],
    ['invoice_number', bill.invoice_number ?? ''],
    ['balance_forward', bill.balance_forward],
    ['current_charges', bill.current_charges],
    ['late_fee', bill.late_fee],
    ['amount_due', bill.amount_due],
    ['notes', bill.notes ?? ''],
    ['rebill_adjustment', corrects || bill.rebill_adjustment ? 'Y' : 'N'],
    ['previous_read_date', bill.previous_read_date ?? ''],
    ['read_date', bill.read_date ?? ''],
    ['account_charges', manyCell(bill.bill_charges.map(({ name, amount }) => `${name.trim() || 'Charge'}:${amount}`))],
  ])
  const rows = Math.max(1, Math.ceil(bill.lines.length / metersPerRow))
  return Array.from({ length: rows }, (_, row) => {
    const lines = bill.lines.slice(row * metersPerRow, (row + 1) * metersPerRow)
    return new Map([...head, ...lines.flatMap((line, at) => meterCells(line, `m${at + 1}_`, bill, known))])
  })
}

function meterCells(line: RetrievedLine, prefix: string, bill: RetrievedBill, known: Known): [string, string][] {
  const entries = new Map(line.entry_fields.map(({ name, value }) => [name, value]))
  const service = [bill.provider_name, bill.account_number, line.meter_number, line.utility_service].join('\n')
  if (!entries.has('Supply Charges') && known.supplied.has(service)) entries.set('Supply Charges', '0.00')
  const isKnown = (name: string) => known.factors.has(`${line.utility_service}\n${name}`)
  const strange = line.usage_factors.filter(({ name }) => !isKnown(name)).map(({ name, value }) => `${name}: ${value}.`)
  const factors = new Map(line.usage_factors.filter(({ name }) => isKnown(name)).map(({ name, value }) => [name, value]))
  const isMeasured = line.metered && line.usage !== null
  const unit =
    line.unit !== null && known.units.has(`${line.utility_service}\n${line.unit}`)
      ? line.unit
      : isMeasured
        ? (line.unit ?? 'Undefined')
        : ''
  const cells: Record<string, string | null> = {
    meter_number: line.meter_number,
    service: line.utility_service,
    previous_read_date: line.previous_read_date,
    read_date: line.read_date,
    previous_reading: rounded(line.previous_reading, 2),
    reading: rounded(line.meter_reading, 2),
    multiplier: rounded(line.multiplier, 4),
    usage: line.usage,
    unit,
    estimated: line.estimated ? 'Y' : 'N',
    notes: [...(line.notes === null ? [] : [line.notes]), ...strange].join('\n'),
    ...named(entryColumns, entries),
    ...named(factorColumns, factors),
  }
  return Object.entries(cells).map(([name, value]) => [`${prefix}${name}`, value ?? ''])
}

function named(columns: Readonly<Record<string, string>>, values: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).map(([column, name]) => [column, values.get(name) ?? '']))
}

/** A value with a semicolon or a quotation mark is put in quotation marks. */
function manyCell(values: readonly string[]): string {
  return values.map((value) => (/[";]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(';')
}

/** Rounds half away from zero by digits, not by the code under test. */
function rounded(value: string | null, scale: number): string | null {
  if (value === null) return null
  const [whole = '0', part = ''] = value.replace('-', '').split('.')
  const digits = `${whole}${part.padEnd(scale + 1, '0').slice(0, scale + 1)}`
  const cut = (BigInt(digits) + 5n) / 10n
  const text = cut.toString().padStart(scale + 1, '0')
  return `${value.startsWith('-') && cut > 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

const pair = z.object({ key: z.string() })

async function knownOf(db: Kysely<Tables>, clientId: number): Promise<Known> {
  const setOf = async (query: ReturnType<typeof sql>) => new Set((await query.execute(db)).rows.map((row) => pair.parse(row).key))
  return {
    units: await setOf(
      sql`select kind.name || E'\n' || units.symbol as key from usage_units join units on units.id = usage_units.unit_id join utility_services kind on kind.id = usage_units.utility_service_id`,
    ),
    factors: await setOf(
      sql`select kind.name || E'\n' || factor.name as key from usage_factors factor join utility_services kind on kind.id = factor.utility_service_id`,
    ),
    supplied: await setOf(sql`select concat_ws(E'\n', vendors.name, account.account_number, service.meter_number, kind.name) as key
      from services service join billable_accounts account on account.client_id = service.client_id and account.id = service.billable_account_id
      join vendors on vendors.id = account.vendor_id join utility_services kind on kind.id = service.utility_service_id
      join service_entry_fields asked on asked.client_id = service.client_id and asked.service_id = service.id
      join entry_fields on entry_fields.id = asked.entry_field_id and entry_fields.name = 'Supply Charges' where service.client_id = ${clientId}`),
  }
}

/** Copies the accounts with their services to another client, so that both have the same data before a bill arrives. */
export async function copyAccounts(db: Kysely<Tables>, from: number, to: number): Promise<void> {
  for (const table of ['divisions', 'facilities', 'billable_accounts', 'services', 'service_entry_fields', 'service_usage_factors'])
    await sql`insert into ${sql.table(table)} select copied.* from ${sql.table(table)} kept cross join lateral jsonb_populate_record(null::${sql.table(table)},
        to_jsonb(kept) - array['last_bill_date', 'billed_until', 'usual_days', 'usual_wait', 'usual_amount'] || jsonb_build_object('client_id', ${to}::bigint)) copied
      where kept.client_id = ${from}`.execute(db)
}

/** Returns every bill of a client with its lines, values, charges and findings, without ids, in a canonical order. */
export async function billsWhole(db: Kysely<Tables>, clientId: number): Promise<{ key: string; whole: unknown }[]> {
  const { rows } = await sql<{ key: string; whole: unknown }>`
    select concat_ws(' ', vendors.name, bills.account_number, bills.date, bills.invoice_number, bills.amount_due, bills.current_charges, bills.read_date) as key, jsonb_build_object(
      'head', to_jsonb(bills) - array['id', 'client_id', 'billable_account_id', 'supply_account_id', 'facility_id', 'division_id', 'bill_id', 'rebill_of_id', 'superseded_by_id', 'group_bill_id',
        'source', 'retrieval_provider', 'statement_id', 'import_task_id', 'assumed_due_date', 'created_at', 'updated_at', 'created_by'],
      'previous', (select date from bills other where other.client_id = bills.client_id and other.id = bills.bill_id),
      'corrects', (select array[date::text, amount_due::text] from bills other where other.client_id = bills.client_id and other.id = bills.rebill_of_id),
      'corrected_by', (select array[date::text, amount_due::text] from bills other where other.client_id = bills.client_id and other.id = bills.superseded_by_id),
      'charges', (select jsonb_agg(jsonb_build_array(position, name, amount) order by position) from bill_charges charge where charge.client_id = bills.client_id and charge.bill_id = bills.id),
      'findings', (select jsonb_agg(jsonb_build_array(code, severity, field, expected, actual, limit_value, line.position) order by code, line.position, actual, expected)
        from bill_findings finding left join service_bills line on line.client_id = finding.client_id and line.id = finding.service_bill_id
        where finding.client_id = bills.client_id and finding.bill_id = bills.id),
      'lines', (select jsonb_agg(to_jsonb(line) - array['id', 'client_id', 'bill_id', 'created_at', 'updated_at'] || jsonb_build_object(
          'entries', (select jsonb_agg(jsonb_build_array(entry_field_id, value) order by entry_field_id) from service_bill_entry_values v where v.client_id = line.client_id and v.service_bill_id = line.id),
          'factors', (select jsonb_agg(jsonb_build_array(usage_factor_id, value) order by usage_factor_id) from service_bill_usage_factors v where v.client_id = line.client_id and v.service_bill_id = line.id)) order by line.position)
        from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id)) as whole
    from bills join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} order by 1, bills.notes`.execute(db)
  return rows
}
