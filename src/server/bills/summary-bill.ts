/**
 * A summary bill: the bill of a group account and those of its subaccounts, created by the one function that creates all bills, in one
 * transaction.
 */
import { billOfBody, reasonsByWire, type BillOfBody } from '#contract/bills/bill-body.ts'
import type { BillDraft, BillOutcome, FieldReasons } from '#contract/bills/bill-draft.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import {
  summaryBillCalls,
  type SummaryBillBody,
  type SummaryBooks,
  type SummaryEntry,
  type SummaryRow,
} from '#contract/bills/summary-bill.ts'
import { sql } from 'kysely'
import { billableAccountScope } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { invalid, refusedRows, noSuch } from '../kernel/problem.ts'
import { clientTerms } from './account-books.ts'
import { mustSeeAccount } from './account-scope.ts'
import { enteredDays, filledBooks } from './bill-entry.ts'
import { createBills } from './create-bills.ts'
import { groupBook } from './group-spans.ts'
import { filesOf, refuseFaults } from './save-body.ts'

export const summaryBillHandlers: Handler[] = [
  handle(summaryBillCalls.entry, async (context, { params }) => {
    await mustSeeAccount(context, params.client_id, 'BillableAccount', params.id, true)
    return { entry: await summaryEntry(context, params.client_id, params.id) }
  }),
  handle(summaryBillCalls.books, async (context, { params }) => {
    await mustSeeAccount(context, params.client_id, 'BillableAccount', params.id, true)
    return { books: await summaryBooks(context, params.client_id, params.id) }
  }),
  handle(summaryBillCalls.create, async (context, { params, body }) => {
    const { client_id, id } = params
    await mustSeeAccount(context, client_id, 'BillableAccount', id, true)
    await refuseStrangers(context, client_id, id, body)
    const parent = await createOne(context, client_id, { ...body.bill, account_type: 'BillableAccount', account_id: id })
    const child_ids = await createChildren(context, client_id, parent, body.children)
    return { success: true, message: `Bill created with ${child_ids.length} of its subaccounts`, id: parent, child_ids }
  }),
]

/** Each child must be the bill of a subaccount of exactly this group. */
async function refuseStrangers(context: Context, clientId: number, groupId: number, { children }: SummaryBillBody): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`select id from billable_accounts where client_id = ${clientId} and group_account_id = ${groupId}`.execute(context.tx)
  const members = new Set(rows.map((row) => row.id))
  const strangers = children.flatMap((child, place) =>
    members.has(child.account_id) ? [] : [[`children.${place}.account_id`, ['The account is no subaccount of the group']] as const],
  )
  refuseFaults(Object.fromEntries(strangers))
}

async function createOne(context: Context, clientId: number, body: BillAttributes): Promise<number> {
  const bill = billOfBody(body, null, await filesOf(context, clientId, body))
  refuseFaults(placed('bill', bill.faults))
  const [outcome] = await createBills(context, clientId, [bill.draft])
  if (outcome?.kind === 'duplicate')
    throw refusedRows(outcome.reason, { 'bill.override_reason': { reason: outcome.reason, recordId: outcome.bill_id } })
  if (outcome?.kind !== 'created') throw invalid(placed('bill', reasonsByWire(outcome?.reasons ?? {}, bill)))
  return outcome.id
}

async function createChildren(context: Context, clientId: number, parent: number, bodies: readonly BillAttributes[]): Promise<number[]> {
  const bills: BillOfBody[] = []
  for (const body of bodies)
    bills.push(billOfBody({ ...body, account_type: 'BillableAccount' }, null, await filesOf(context, clientId, body)))
  refuseFaults(Object.assign({}, ...bills.map((bill, place) => placed(`children.${place}`, bill.faults))))
  const drafts = bills.map((bill): BillDraft => ({ ...bill.draft, group_bill_id: parent, group_bill_chosen: true }))
  const outcomes = await createBills(context, clientId, drafts)
  refuseOutcomes(outcomes, bills)
  return outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.id] : []))
}

/** Throws the faults of all rows together; if there are none, all rows that repeat a stored bill. */
function refuseOutcomes(outcomes: readonly BillOutcome[], bills: readonly BillOfBody[]): void {
  const reasons: Record<string, readonly string[]> = {}
  for (const [place, outcome] of outcomes.entries()) {
    const bill = bills[place]
    if (outcome.kind === 'refused' && bill) Object.assign(reasons, placed(`children.${place}`, reasonsByWire(outcome.reasons, bill)))
  }
  refuseFaults(reasons)
  const twins = [...outcomes.entries()].flatMap(([place, outcome]) => (outcome.kind === 'duplicate' ? [{ place, ...outcome }] : []))
  if (twins.length === 0) return
  throw refusedRows(
    twins.map(({ place, reason }) => `Row ${place + 1}: ${reason}`).join('. '),
    Object.fromEntries(twins.map(({ place, reason, bill_id }) => [`children.${place}.override_reason`, { reason, recordId: bill_id }])),
  )
}

function placed(place: string, reasons: FieldReasons): FieldReasons {
  return Object.fromEntries(Object.entries(reasons).map(([key, said]) => [`${place}.${key}`, said]))
}

async function summaryEntry(context: Context, clientId: number, groupId: number): Promise<SummaryEntry> {
  const { rows: names } = await sql<{ name: string; account_number: string }>`select name, account_number from billable_accounts
    where client_id = ${clientId} and id = ${groupId}`.execute(context.tx)
  const [group] = names
  if (!group) throw noSuch('Account')
  const inside = scopeCondition({ scope: billableAccountScope }, { reach: context.reach, clientId })
  const { rows } = await sql<SummaryRow>`
    select billable_accounts.id as account_id, billable_accounts.account_number, billable_accounts.name as account_name, facility.name as facility_name,
      service.id as service_id, service.meter_number, kind.name as utility_service_name, units.symbol as unit_symbol,
      array(select entry_fields.name from service_entry_fields asked join entry_fields on entry_fields.id = asked.entry_field_id
        where asked.client_id = ${clientId} and asked.service_id = service.id order by entry_fields.position) as entry_fields,
      (select max(line.read_date) from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
        where line.client_id = ${clientId} and line.service_id = service.id and bills.superseded_by_id is null) as last_read_date
    from billable_accounts
    left join facilities facility on facility.client_id = billable_accounts.client_id and facility.id = billable_accounts.facility_id
    left join services service on service.client_id = billable_accounts.client_id and service.billable_account_id = billable_accounts.id and service.active
    left join utility_services kind on kind.id = service.utility_service_id
    left join usage_units on usage_units.id = service.usage_unit_id
    left join units on units.id = usage_units.unit_id
    where ${inside} and billable_accounts.group_account_id = ${groupId} and billable_accounts.active
    order by billable_accounts.account_number, billable_accounts.id, service.rank nulls last, service.id`.execute(context.tx)
  return { account_number: group.account_number, account_name: group.name, today: today(), rows }
}

async function summaryBooks(context: Context, clientId: number, groupId: number): Promise<SummaryBooks> {
  const ref = { account_type: 'BillableAccount', account_id: groupId } as const
  const days = enteredDays()
  const group = await groupBook(context, clientId, ref, days)
  const refs = group.members.map((account_id) => ({ ...ref, account_id }))
  const terms = await clientTerms(context, clientId)
  const books = await filledBooks(context, clientId, [ref, ...refs], terms, days)
  const [own, ...subaccounts] = books.map((book) => ({ ...book, group: book.account_id === groupId ? group : null }))
  if (!own) throw noSuch('Account')
  return {
    client_id: clientId,
    today: days.last,
    entry_fields: [...terms.entry_fields.values()],
    payments_managed: terms.payments_managed,
    group: own,
    subaccounts,
  }
}
