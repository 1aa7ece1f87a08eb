/** Starting data of the form for an account's bill: the account's book as a save will read it, without locks. */
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { noSuch } from '../kernel/problem.ts'
import { bookKey, clientTerms, readBooks, type AccountBook, type AccountRef, type ClientTerms } from './account-books.ts'
import { fillHistories } from './account-history.ts'
import { accountColumn, accountTable, mustSeeAccount } from './account-scope.ts'
import { groupBook } from './group-spans.ts'
import { mustSeeBill, readBill } from './read-bill.ts'

/** Bills are entered at most this late; the server alone judges older ones. */
const enteredLateDays = 400

/** Throws not-found unless the account, and the bill that is edited, are inside the caller's reach. */
export async function billEntry(context: Context, clientId: number, ref: AccountRef, billId: number | undefined): Promise<BillEntry> {
  const asked = { reach: context.reach, clientId }
  await mustSeeAccount(context, clientId, ref.account_type, ref.account_id)
  if (billId !== undefined) await mustSeeBill(context, billId, asked)
  const terms = await clientTerms(context, clientId)
  const days = enteredDays(billId === undefined ? undefined : await dateOf(context, clientId, billId))
  const [book] = await filledBooks(context, clientId, [ref], terms, days)
  if (!book) throw noSuch('Account')
  const lastId = await lastBillId(context, clientId, ref, billId)
  return {
    client_id: clientId,
    ...ref,
    account_number: book.account_number,
    ...(await accountNames(context, clientId, ref)),
    vendor_id: book.vendor_id,
    today: days.last,
    account: book.account,
    vendor: book.vendor,
    services: await withNames(context, clientId, book),
    settings: book.settings,
    history: book.history.filter((bill) => bill.id !== billId),
    entry_fields: [...terms.entry_fields.values()],
    payments_managed: terms.payments_managed,
    group: book.account.is_group_account ? await groupBook(context, clientId, ref, days) : null,
    qc_on_error: terms.qc_on_error,
    override_limit: terms.override_limit,
    last_bill: lastId === undefined ? null : await readBill(context, lastId, asked),
  }
}

/** Returns the range of dates of bills that are entered now: as far back as the edited one. */
export function enteredDays(edited?: string): { readonly first: string; readonly last: string } {
  const last = today()
  const late = addDays(last, -enteredLateDays)
  return { first: edited !== undefined && edited < late ? edited : late, last }
}

/** Returns the books of the accounts that the caller reaches, with the history for bills of these days, in the order of the accounts. */
export async function filledBooks(
  context: Context,
  clientId: number,
  refs: readonly AccountRef[],
  terms: ClientTerms,
  days: { readonly first: string; readonly last: string },
): Promise<AccountBook[]> {
  const books = await readBooks(context, clientId, refs, terms)
  await fillHistories(
    context.tx,
    clientId,
    books,
    refs.map((ref) => ({ ...ref, ...days })),
  )
  return refs.flatMap((ref) => books.get(bookKey(ref)) ?? [])
}

async function dateOf(context: Context, clientId: number, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ date: string }>`select date from bills where client_id = ${clientId} and id = ${id}`.execute(context.tx)
  return rows[0]?.date
}

/** Returns the last bill, or for an edited bill the one before it. */
async function lastBillId(context: Context, clientId: number, ref: AccountRef, edited: number | undefined): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number
  }>`select bills.id from bills left join bills own on own.client_id = bills.client_id and own.id = ${edited ?? null}::bigint
    where bills.client_id = ${clientId} and bills.${sql.ref(accountColumn(ref.account_type))} = ${ref.account_id} and bills.superseded_by_id is null
      and (own.id is null or (bills.date, bills.id) < (own.date, own.id)) order by bills.date desc, bills.id desc limit 1`.execute(
    context.tx,
  )
  return rows[0]?.id
}

async function accountNames(
  context: Context,
  clientId: number,
  ref: AccountRef,
): Promise<Pick<BillEntry, 'account_name' | 'facility_name'>> {
  const { rows } = await sql<Pick<BillEntry, 'account_name' | 'facility_name'>>`
    select account.name as account_name, facilities.name as facility_name from ${accountTable(ref.account_type)} account
    left join facilities on facilities.client_id = account.client_id and facilities.id = account.facility_id
    where account.client_id = ${clientId} and account.id = ${ref.account_id}`.execute(context.tx)
  const [names] = rows
  if (!names) throw noSuch('Account')
  return names
}

interface ServiceNames {
  readonly id: number
  readonly utility_service_name: string | null
  readonly service_name_1: string | null
  readonly service_name_2: string | null
}

async function withNames(context: Context, clientId: number, book: AccountBook): Promise<BillEntry['services']> {
  const { rows } = await sql<ServiceNames>`
    select service.id, utility.name as utility_service_name, service.service_name_1, service.service_name_2
    from services service left join utility_services utility on utility.id = service.utility_service_id
    where service.client_id = ${clientId} and service.id = any(${book.services.map((service) => service.id)}::bigint[])`.execute(context.tx)
  const names = new Map(rows.map(({ id, ...own }) => [id, own]))
  const unnamed = { utility_service_name: null, service_name_1: null, service_name_2: null }
  return book.services.map((service) => ({
    ...service,
    ...(names.get(service.id) ?? unnamed),
    unit_options: service.usage_units.map(({ unit_id, symbol }) => ({ id: unit_id, symbol })),
  }))
}
