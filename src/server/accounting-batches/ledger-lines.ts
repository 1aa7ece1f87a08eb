/**
 * The ledger lines of an open batch, computed from its current bills (contract/bill-figures/allocation.ts), and the lines by which it takes back
 * void bills of closed batches (reversing-lines.ts).
 */
import { ledgerEntries, type LedgerBill, type LedgerSettings, type LedgerShare } from '#contract/bill-figures/allocation.ts'
import type { EntryValue } from '#contract/bill-figures/bill-totals.ts'
import { sql } from 'kysely'
import { breather } from '../kernel/breathe.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { effectiveLedgers } from '../services/services.ts'
import type { LedgerBatch, LedgerLine, LedgerValue } from './ledger-line.ts'
import { reversingLines } from './reversing-lines.ts'

/** Bills whose lines are computed at once; more would use too much memory. */
const BILLS_AT_ONCE = 500

/** Yields the lines of all bills of the batch in portions, ordered by account, date and line. */
export async function* ledgerLines(tx: Tx, batch: LedgerBatch): AsyncGenerator<LedgerLine[]> {
  const { client_id: clientId } = batch
  const settings = await ledgerSettings(tx, clientId)
  const accounts = await ledgerAccountsOf(tx, clientId)
  const { rows } = await sql<{ id: number }>`select id from bills where client_id = ${clientId} and accounting_batch_id = ${batch.id}
    order by account_number, date, id`.execute(tx)
  const reversed = await reversingLines(tx, batch)
  for (let from = 0; from < rows.length; from += BILLS_AT_ONCE) {
    const ids = rows.slice(from, from + BILLS_AT_ONCE).map((row) => row.id)
    const lines = await linesOfBills(tx, clientId, ids, { settings, accounts })
    yield ids.flatMap((id) => [...(lines.get(id) ?? []), ...(reversed.get(id) ?? [])])
  }
  const others = reversed.get(null)
  if (others !== undefined) yield others
}

export interface LedgerOfClient {
  readonly settings: LedgerSettings
  readonly accounts: ReadonlyMap<number, LedgerAccountRow>
}

/** Returns the current lines of some bills, by bill id. */
export async function linesOfBills(
  tx: Tx,
  clientId: number,
  ids: readonly number[],
  { settings, accounts }: LedgerOfClient,
): Promise<Map<number, LedgerLine[]>> {
  const bills = await readBills(tx, clientId, ids)
  const lines = new Map<number, LedgerLine[]>()
  const breathe = breather()
  for (const [id, bill] of bills) {
    await breathe()
    lines.set(id, linesOf(bill, settings, accounts))
  }
  return lines
}

function linesOf(bill: ReadBill, settings: LedgerSettings, accounts: ReadonlyMap<number, LedgerAccountRow>): LedgerLine[] {
  return ledgerEntries(bill, settings).map((entry) => {
    const line = entry.line === null ? undefined : bill.service_bills[entry.line]
    const account = entry.ledger_account_id === null ? undefined : accounts.get(entry.ledger_account_id)
    return {
      bill_id: bill.id,
      service_bill_id: line?.id ?? null,
      service_id: line?.service_id ?? null,
      kind: entry.kind,
      ledger_account_id: entry.ledger_account_id,
      ledger_account_name: account?.name ?? '',
      ledger_values: account?.values ?? [],
      division_id: bill.division_id,
      amount: entry.amount,
      description: descriptionOf(bill, line),
      reverses_id: null,
    }
  })
}

/** Returns '{vendor} {service} {meter} {previous read date}-{read date}', or the vendor and the account number for lines without a meter. */
function descriptionOf(bill: ReadBill, line: ReadLine | undefined): string {
  const words = line
    ? [bill.vendor_name, line.utility_service_name, line.meter_number, periodOf(line)]
    : [bill.vendor_name, bill.account_number]
  return words.filter((word) => word !== null && word !== '').join(' ')
}

function periodOf({ previous_read_date, read_date }: ReadLine): string | null {
  return previous_read_date === null || read_date === null ? null : `${previous_read_date}-${read_date}`
}

/** Returns the client's ledger settings. Without stored settings there are no special accounts, and costs spread by cost. */
export async function ledgerSettings(tx: Tx, clientId: number): Promise<LedgerSettings> {
  const { rows } =
    await sql<LedgerSettings>`select spread_by, late_fee_ledger_account_id, prior_balance_ledger_account_id, payable_ledger_account_id
    from client_ledger_settings where client_id = ${clientId}`.execute(tx)
  return (
    rows[0] ?? {
      spread_by: 'cost',
      late_fee_ledger_account_id: null,
      prior_balance_ledger_account_id: null,
      payable_ledger_account_id: null,
    }
  )
}

export interface LedgerAccountRow {
  readonly id: number
  readonly name: string
  readonly active: boolean
  readonly values: readonly LedgerValue[]
}

/** Returns all ledger accounts of the client by id, with their field values in the order of the fields. */
export async function ledgerAccountsOf(tx: Tx, clientId: number): Promise<Map<number, LedgerAccountRow>> {
  const { rows } = await sql<LedgerAccountRow>`select account.id, account.name, account.active,
      (select coalesce(jsonb_agg(jsonb_build_object('id', field.id, 'name', field.name, 'value', own.value) order by field."order", field.id), '[]')
        from ledger_account_fields own join ledger_fields field on field.client_id = ${clientId} and field.id = own.ledger_field_id
        where own.client_id = ${clientId} and own.ledger_account_id = account.id) as values
    from ledger_accounts account where account.client_id = ${clientId}`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

interface ReadLine {
  readonly id: number
  readonly service_id: number
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly meter_number: string | null
  readonly utility_service_name: string | null
  readonly usage: string | null
  readonly unit_id: number | null
  readonly service_bill_entry_fields: readonly EntryValue[]
  readonly service_bill_additional_entry_fields: readonly { readonly name: string; readonly value: string | null }[]
  readonly ledger_shares: readonly LedgerShare[]
}

interface ReadBill extends Omit<LedgerBill, 'service_bills'> {
  readonly id: number
  readonly account_number: string
  readonly vendor_name: string | null
  readonly division_id: number | null
  readonly service_bills: readonly ReadLine[]
}

async function readBills(tx: Tx, clientId: number, ids: readonly number[]): Promise<Map<number, ReadBill>> {
  const lines = await readLines(tx, clientId, ids)
  const { rows } = await sql<
    Omit<ReadBill, 'service_bills' | 'bill_charges'>
  >`select bills.id, bills.account_number, vendor.name as vendor_name, bills.division_id,
      bills.balance_forward, bills.current_charges, bills.late_fee, bills.amount_due
    from bills left join vendors vendor on vendor.id = bills.vendor_id
    where bills.client_id = ${clientId} and bills.id = any(${ids}::bigint[])`.execute(tx)
  // Account-level charge lines explain the current charges and do not add to them: charges that no line carries are spread as the residual.
  return new Map(rows.map((row) => [row.id, { ...row, bill_charges: [], service_bills: lines.get(row.id) ?? [] }]))
}

type StoredLine = Omit<ReadLine, 'ledger_shares' | 'meter_number' | 'utility_service_name'> & { readonly bill_id: number }

async function readLines(tx: Tx, clientId: number, billIds: readonly number[]): Promise<Map<number, ReadLine[]>> {
  const { rows } =
    await sql<StoredLine>`select line.bill_id, line.id, line.service_id, line.previous_read_date, line.read_date, line.usage, line.unit_id,
      (select coalesce(jsonb_agg(jsonb_build_object('name', field.name, 'value', own.value::text, 'category', field.category, 'is_tax', field.is_tax) order by field.position, field.id), '[]')
        from service_bill_entry_values own join entry_fields field on field.id = own.entry_field_id
        where own.client_id = ${clientId} and own.service_bill_id = line.id) as service_bill_entry_fields,
      (select coalesce(jsonb_agg(jsonb_build_object('name', field.name, 'value', own.value::text) order by field.id), '[]')
        from service_bill_additional_values own join additional_entry_fields field on field.client_id = ${clientId} and field.id = own.additional_entry_field_id
        where own.client_id = ${clientId} and own.service_bill_id = line.id) as service_bill_additional_entry_fields
    from service_bills line where line.client_id = ${clientId} and line.bill_id = any(${billIds}::bigint[])
    order by line.bill_id, line.position, line.id`.execute(tx)
  const services = await readServices(tx, clientId, [...new Set(rows.map((row) => row.service_id))])
  const lines = rows.map((row) => ({ bill_id: row.bill_id, line: { ...row, ...(services.get(row.service_id) ?? unknownService) } }))
  return new Map([...Map.groupBy(lines, (one) => one.bill_id)].map(([bill, own]) => [bill, own.map(({ line }) => line)]))
}

type ServiceOfLine = Pick<ReadLine, 'meter_number' | 'utility_service_name' | 'ledger_shares'>
const unknownService: ServiceOfLine = { meter_number: null, utility_service_name: null, ledger_shares: [] }

async function readServices(tx: Tx, clientId: number, ids: readonly number[]): Promise<Map<number, ServiceOfLine>> {
  const { rows } = await sql<
    ServiceOfLine & { id: number }
  >`select services.id, services.meter_number, utility.name as utility_service_name,
      ${effectiveLedgers} as ledger_shares
    from services left join utility_services utility on utility.id = services.utility_service_id
    where services.client_id = ${clientId} and services.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
