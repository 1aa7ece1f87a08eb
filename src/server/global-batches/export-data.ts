/** Reads the data of a payment file in the export's own transaction; batches, bills and vendors are already locked. */
import { profileOfPayer } from '#contract/payment-files/payment-files.ts'
import type { BillForFile, PaymentForFile, ProfileForFile, VendorForFile } from '#contract/payment-files/payment-file.ts'
import { centsOf, sumCents } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { openSecret } from '../kernel/secret.ts'
import { layoutChoicesOf, ownLayoutsOf } from '../originating-profiles/originating-profiles.ts'
import type { ChosenBatch } from './chosen-batches.ts'

interface ExportData {
  readonly profiles: readonly ProfileForFile[]
  readonly payments: readonly PaymentForFile[]
}

/**
 * Locks the bills of the batches and then their vendors, so that neither an amount nor an account changes while a file is written. Bills are
 * locked in the order of client and id, as everywhere. Two exports to one vendor wait for each other: the second knows of the first.
 */
export async function holdPayments({ tx }: Context, batches: readonly number[]): Promise<void> {
  await sql`select bills.id from bills join payment_batch_bills member on member.client_id = bills.client_id and member.bill_id = bills.id
    and member.released_at is null where member.payment_batch_id = any(${batches}::bigint[]) order by bills.client_id, bills.id for update of bills`.execute(
    tx,
  )
  await sql`select id from vendors where id in (select vendor_id from vendor_payments where payment_batch_id = any(${batches}::bigint[]))
    order by id for no key update`.execute(tx)
}

/** Returns the payments of these batches with all their bills, and the profiles that pay them. The statements cover all clients at once. */
export async function readExportData(context: Context, batches: readonly ChosenBatch[]): Promise<ExportData> {
  const ids = batches.map(({ id }) => id)
  const profiles = await readProfiles(context, [...new Set(batches.map(({ client_id }) => client_id))])
  const bills = Map.groupBy(await readBills(context, ids), (bill) => bill.vendor_payment_id)
  const rows = await readPayments(context, ids)
  const batchOf = new Map(batches.map((batch) => [batch.id, batch]))
  const payments = rows.flatMap((row): PaymentForFile[] => {
    const batch = batchOf.get(row.batch_id)
    if (!batch) return []
    const own = (bills.get(row.id) ?? []).map(billForFile)
    return [
      {
        id: row.id,
        payer: { client_id: batch.client_id, name: row.payer_name, short_code: row.payer_short_code },
        profile_id: profileOfPayer(batch.client_id, profiles)?.id ?? null,
        batch_id: batch.id,
        batch_date: batch.batch_date,
        vendor: vendorForFile(context, row),
        payment_type: batch.payment_method ?? '',
        effective_type: batch.effective_type ?? '',
        payment_date: row.payment_date,
        check_number: row.check_number,
        is_void: false,
        amount: sumCents(own.map(({ amount_paid }) => amount_paid)),
        bills: own,
      },
    ]
  })
  return { profiles, payments }
}

interface PaymentRow {
  readonly id: number
  readonly batch_id: number
  readonly payer_name: string
  readonly payer_short_code: string
  readonly payment_date: string | null
  readonly check_number: string | null
  readonly vendor_id: number
  readonly name: string
  readonly short_code: string
  readonly client_vendor_number: string | null
  readonly is_exclusive: boolean
  readonly po_box_encrypted: Buffer | null
  readonly payment_identifier_encrypted: Buffer | null
  readonly account_type: VendorForFile['account_type']
  readonly account_holder: string | null
  readonly remittance: VendorForFile['remittance']
  readonly prenote_state: VendorForFile['prenote_state']
  readonly prenote_date: string | null
  readonly phone: string | null
  readonly remit_name: string | null
  readonly street_address_1: string | null
  readonly street_address_2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
}

async function readPayments({ tx }: Context, batches: readonly number[]): Promise<PaymentRow[]> {
  const remits = sql<boolean>`vendor.remit_street_address_1 is not null`
  const address = (own: string) =>
    sql`case when ${remits} then vendor.${sql.ref(`remit_${own}`)} else vendor.${sql.ref(own)} end as ${sql.ref(own)}`
  const { rows } = await sql<PaymentRow>`select payment.id, payment.payment_batch_id as batch_id, client.name as payer_name,
      client.short_code as payer_short_code, payment.payment_date, payment.check_number, vendor.id as vendor_id, vendor.name, vendor.short_code,
      number.vendor_number as client_vendor_number, vendor.is_exclusive, vendor.po_box_encrypted, vendor.payment_identifier_encrypted,
      vendor.account_type, vendor.account_holder, vendor.remittance, vendor.prenote_state, vendor.prenote_date, vendor.phone, vendor.remit_name,
      ${sql.join(['street_address_1', 'street_address_2', 'city', 'state', 'zip'].map(address))}
    from vendor_payments payment join vendors vendor on vendor.id = payment.vendor_id join clients client on client.id = payment.client_id
    left join client_vendor_numbers number on number.client_id = payment.client_id and number.vendor_id = payment.vendor_id
    where payment.payment_batch_id = any(${batches}::bigint[]) and not ${isTakenBack} order by payment.client_id, payment.id`.execute(tx)
  return rows
}

/** A payment that came back as a whole pays nothing any more. */
const isTakenBack = sql`(exists (select 1 from payment_reversals reversal where reversal.client_id = payment.client_id
    and reversal.vendor_payment_id = payment.id)
  and not exists (select 1 from payment_batch_bills member where member.client_id = payment.client_id and member.vendor_payment_id = payment.id
    and member.released_at is null))`

function vendorForFile({ machinery }: Context, row: PaymentRow): VendorForFile {
  const opened = (column: 'po_box' | 'payment_identifier', bytes: Buffer | null): string | null =>
    bytes === null ? null : openSecret(machinery.settings.secretKey, { table: 'vendors', column, id: row.vendor_id }, bytes)
  const { street_address_1, street_address_2, city, state, zip } = row
  return {
    id: row.vendor_id,
    name: row.name,
    short_code: row.short_code,
    client_vendor_number: row.client_vendor_number,
    is_exclusive: row.is_exclusive,
    routing_number: opened('po_box', row.po_box_encrypted),
    account_number: opened('payment_identifier', row.payment_identifier_encrypted),
    account_type: row.account_type,
    account_holder: row.account_holder,
    remittance: row.remittance,
    prenote_state: row.prenote_state,
    prenote_date: row.prenote_date,
    phone: row.phone,
    remit_name: row.remit_name,
    remit_address: { street_address_1, street_address_2, city, state, zip },
  }
}

interface BillRow {
  readonly id: number
  readonly vendor_payment_id: number
  readonly account_number: string
  readonly invoice_number: string | null
  readonly date: string
  readonly due_date: string
  readonly amount_due: string
  readonly amount_paid: string
  readonly notes: string | null
}

async function readBills({ tx }: Context, batches: readonly number[]): Promise<BillRow[]> {
  const { rows } =
    await sql<BillRow>`select bills.id, member.vendor_payment_id, bills.account_number, bills.invoice_number, bills.date, bills.due_date,
      bills.amount_due, member.amount_paid, member.notes
    from payment_batch_bills member join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where member.payment_batch_id = any(${batches}::bigint[]) and member.released_at is null order by member.client_id, bills.id`.execute(
      tx,
    )
  return rows
}

const billForFile = ({ id, account_number, invoice_number, date, due_date, amount_due, amount_paid, notes }: BillRow): BillForFile => ({
  id,
  account_number,
  invoice_number,
  date,
  due_date,
  amount_due: centsOf(amount_due),
  amount_paid: centsOf(amount_paid),
  notes,
})

interface ProfileRow extends Omit<ProfileForFile, 'account_number' | 'layouts' | 'entry_limit' | 'file_limit' | 'payer_address'> {
  readonly active: boolean
  readonly is_default: boolean
  readonly account_number_encrypted: Buffer | null
  readonly entry_limit: string | null
  readonly file_limit: string | null
  readonly layouts: unknown
  readonly own_layouts: unknown
  readonly payer_address: ProfileForFile['payer_address']
}

/** Returns the profiles of these clients and of the provider, which is client 0. */
export async function readProfiles(
  { tx, machinery }: Context,
  clients: readonly number[],
): Promise<(ProfileForFile & { readonly active: boolean; readonly is_default: boolean })[]> {
  const { rows } = await sql<ProfileRow>`select id, client_id, name, active, is_default, bank_name, routing_number, immediate_destination,
      immediate_destination_name, immediate_origin, immediate_origin_name, company_name, company_id, discretionary_data, entry_description,
      account_number_encrypted, account_type, balanced, lead_days, cutoff_time, same_day_allowed, line_end, character_set, entry_limit, file_limit,
      layouts, ${ownLayoutsOf} as own_layouts, avid_payer_id, avid_bank_account_id,
      json_build_object('street_address_1', street_address_1, 'street_address_2', street_address_2, 'city', city, 'state', state, 'zip', zip) as payer_address
    from originating_profiles where client_id = any(${[0, ...clients]}::bigint[]) order by client_id, id`.execute(tx)
  return rows.map(({ account_number_encrypted: sealed, entry_limit, file_limit, layouts, own_layouts, ...row }) => ({
    ...row,
    account_number:
      sealed === null
        ? null
        : openSecret(machinery.settings.secretKey, { table: 'originating_profiles', column: 'account_number', id: row.id }, sealed),
    entry_limit: entry_limit === null ? null : centsOf(entry_limit),
    file_limit: file_limit === null ? null : centsOf(file_limit),
    layouts: layoutChoicesOf(row.client_id, layouts, own_layouts),
  }))
}
