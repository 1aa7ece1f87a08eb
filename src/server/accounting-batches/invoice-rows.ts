/** The content of a client batch's invoice: its head, its totals by division and facility, and its bills in the same order. */
import type { Invoice, InvoiceBill } from '#contract/accounting-batches/invoice.ts'
import { centsOf, sumCents, type Cents } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { notFound } from '../kernel/problem.ts'
import type { LedgerBatch } from './ledger-line.ts'
import { type InvoiceDivision, type InvoiceLogo, type HeadRow, headOf, type InvoiceSums } from './invoice-head.ts'

/** Bills read at a time. */
const BILLS_AT_ONCE = 1_000

/** Everything on an invoice except the details of its bills. It stays in memory while the bills are streamed. */
export interface InvoiceParts {
  readonly head: Invoice
  readonly divisions: readonly InvoiceDivision[]
  /** Logo of the client or else of its channel partner, PNG or JPEG; null if neither has a printable one. */
  readonly logo: InvoiceLogo | null
}

interface AmountRow extends Pick<InvoiceBill, 'current_charges' | 'balance_forward' | 'late_fee' | 'amount_due'> {
  readonly id: number
  readonly division_id: number | null
  readonly division_name: string | null
  readonly facility_id: number | null
  readonly facility_name: string | null
}

/** Reads the invoice of a batch as it is now. Throws not-found if the batch was deleted. */
export async function invoiceParts(tx: Tx, batch: LedgerBatch): Promise<InvoiceParts> {
  const { rows: heads } =
    await sql<HeadRow>`select batch.batch_code, batch.batch_date, batch.closed, client.bills_due_on, client.name as client_name,
      partner.name as from_name, coalesce(settings.service_fee, 0)::numeric(14,2) as service_fee, coalesce(settings.service_fee_by, 'bill') as service_fee_by,
      settings.remit_instructions,
      case when logo.id is not null then json_build_object('key', logo.key, 'contentType', logo.content_type) end as logo
    from accounting_batches batch join clients client on client.id = batch.client_id
    left join channel_partners partner on partner.id = client.channel_partner_id
    left join client_ledger_settings settings on settings.client_id = batch.client_id
    left join files logo on logo.id = coalesce(client.logo_file_id, partner.logo_file_id) and logo.content_type in ('image/png', 'image/jpeg')
    where batch.client_id = ${batch.client_id} and batch.id = ${batch.id}`.execute(tx)
  const [head] = heads
  if (!head) throw notFound()
  const divisions = divisionsOf(await readAmounts(tx, batch))
  return { head: headOf(head, divisions), divisions, logo: head.logo }
}

/** A single statement, so that totals, order and number of the bills come from one state of the batch. */
async function readAmounts(tx: Tx, { client_id: clientId, id }: LedgerBatch): Promise<AmountRow[]> {
  const { rows } =
    await sql<AmountRow>`select bills.id, bills.division_id, division.name as division_name, bills.facility_id, facility.name as facility_name,
      coalesce(bills.current_charges, 0)::numeric(14,2) as current_charges, coalesce(bills.balance_forward, 0)::numeric(14,2) as balance_forward,
      coalesce(bills.late_fee, 0)::numeric(14,2) as late_fee, coalesce(bills.amount_due, 0)::numeric(14,2) as amount_due
    from bills
    left join divisions division on division.client_id = ${clientId} and division.id = bills.division_id
    left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
    left join vendors vendor on vendor.id = bills.vendor_id
    where bills.client_id = ${clientId} and bills.accounting_batch_id = ${id}
    order by division.name nulls last, bills.division_id, facility.name nulls last, bills.facility_id, vendor.name, bills.account_number, bills.date, bills.id`.execute(
      tx,
    )
  return rows
}

function divisionsOf(rows: readonly AmountRow[]): InvoiceDivision[] {
  return [...Map.groupBy(rows, (row) => row.division_id).values()].map((own) => ({
    name: own[0]?.division_name ?? null,
    ...sumsOf(own),
    facilities: [...Map.groupBy(own, (row) => row.facility_id).values()].map((bills) => ({
      name: bills[0]?.facility_name ?? null,
      ...sumsOf(bills),
      bill_ids: bills.map((bill) => bill.id),
    })),
  }))
}

function sumsOf(rows: readonly AmountRow[]): InvoiceSums {
  const of = (key: keyof InvoiceSums): Cents => sumCents(rows.map((row) => centsOf(row[key])))
  return {
    current_charges: of('current_charges'),
    balance_forward: of('balance_forward'),
    late_fee: of('late_fee'),
    amount_due: of('amount_due'),
  }
}

/** Yields the bills of an invoice in its order, in portions. A bill that cannot be read is a defect, since the batch holds it. */
export async function* invoiceBills(tx: Tx, clientId: number, divisions: readonly InvoiceDivision[]): AsyncGenerator<InvoiceBill[]> {
  const ids = divisions.flatMap(({ facilities }) => facilities.flatMap((facility) => facility.bill_ids))
  for (let from = 0; from < ids.length; from += BILLS_AT_ONCE) {
    const some = ids.slice(from, from + BILLS_AT_ONCE)
    const { rows } =
      await sql<InvoiceBill>`select bills.id, division.name as division_name, facility.name as facility_name, vendor.name as vendor_name, bills.account_number,
        bills.previous_read_date, bills.read_date, bills.date, bills.due_date, coalesce(bills.current_charges, 0)::numeric(14,2) as current_charges,
        coalesce(bills.balance_forward, 0)::numeric(14,2) as balance_forward, coalesce(bills.late_fee, 0)::numeric(14,2) as late_fee,
        coalesce(bills.amount_due, 0)::numeric(14,2) as amount_due
      from bills
      left join divisions division on division.client_id = ${clientId} and division.id = bills.division_id
      left join facilities facility on facility.client_id = ${clientId} and facility.id = bills.facility_id
      left join vendors vendor on vendor.id = bills.vendor_id
      where bills.client_id = ${clientId} and bills.id = any(${some}::bigint[]) order by array_position(${some}::bigint[], bills.id)`.execute(
        tx,
      )
    if (rows.length < some.length) throw new Error(`bills of an invoice of client ${clientId} are gone`)
    yield rows
  }
}
