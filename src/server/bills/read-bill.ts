/** One bill with everything on its page: the row of the list, then its children, read in parallel. */
import { bill } from '#contract/bills/bill.ts'
import type { BillDetail, BillFacility, BillFinding } from '#contract/bills/bill-detail.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { locks } from '#contract/bills/bill-locks.ts'
import { totalUsage, usageTotals } from '#contract/bill-figures/bill-totals.ts'
import { sql } from 'kysely'
import { facilityScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readOne, scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { mayIn, reachesWhole } from '../kernel/principal.ts'
import { noSuch } from '../kernel/problem.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { accountColumn, mustSeeAccount } from './account-scope.ts'
import { signStoredFile } from './bill-file-ids.ts'
import { readBillRow } from './bill-rows.ts'
import { billSource } from './bill-source.ts'
import { withReadableNotes } from './list-bills.ts'
import { readLines, sixFlags } from './read-lines.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { headOf } from './bill-head.ts'

/** A group account has its members in at most this many facilities. */
const facilitiesMax = 1_000

export const readBillHandlers: Handler[] = [
  handle(billDetailCalls.get, async (context, { params }) => ({ bill: await readBill(context, params.id, askedBy(context, params)) })),
  handle(billDetailCalls.lastBill, async (context, { params, query }) => {
    await mustSeeAccount(context, params.client_id, query.account_type, query.account_id)
    const { rows } = await sql<{
      id: number
    }>`select id from bills where client_id = ${params.client_id} and ${sql.ref(accountColumn(query.account_type))} = ${query.account_id}
      and superseded_by_id is null order by date desc, id desc limit 1`.execute(context.tx)
    const id = rows[0]?.id
    return { bill: id === undefined ? null : await readBill(context, id, askedBy(context, params)) }
  }),
  handle(billDetailCalls.facilities, async (context, { params }) => {
    await mustSeeBill(context, params.id, askedBy(context, params))
    return { facilities: await facilitiesOf(context, params.client_id, params.id) }
  }),
  handle(billDetailCalls.file, async (context, { params, query }) => {
    const { client_id, id, position } = params
    await mustSeeBill(context, id, askedBy(context, params))
    const { rows } = await sql<{
      key: string
      filename: string
      content_type: string
    }>`select files.key, bill_files.filename, files.content_type
      from bill_files join files on files.id = bill_files.file_id
      where bill_files.client_id = ${client_id} and bill_files.bill_id = ${id} and bill_files.position = ${position}`.execute(context.tx)
    const file = rows[0]
    if (!file) throw noSuch('File')
    const { key, filename, content_type: contentType } = file
    return {
      url: context.machinery.files.downloadUrl({ key, filename, contentType, inline: query.inline === 'true', reader: context.principal }),
      filename,
    }
  }),
]

/** Returns the bill with this id inside the reach. Throws not-found for absent and out of scope alike. */
export async function readBill(context: Context, id: number, asked: Asked): Promise<BillDetail> {
  const row = await readBillRow(context.tx, id, asked)
  if (!row) throw noSuch('Bill')
  const { client_id } = row
  const findings = await findingsOf(context, client_id, id)
  const [head, lines, linked, charges, files] = await Promise.all([
    headOf(context, client_id, id),
    readLines(context.tx, client_id, sql<boolean>`line.bill_id = ${id}`, findings),
    readLines(
      context.tx,
      client_id,
      sql<boolean>`line.id in (select service_bill_id from bill_linked_service_bills where client_id = ${client_id} and bill_id = ${id})`,
      [],
    ),
    chargesOf(context, client_id, id),
    filesOf(context, client_id, id),
  ])
  const { facts, vendor_payment, ...own } = head
  const totals = usageTotals(lines)
  const seen = mayIn(context.principal, 'bill_notes.read', client_id) ? lines : lines.map(withoutNotes)
  return {
    ...withReadableNotes(context, row),
    ...own,
    // The notes of a vendor batch are about bills of the whole client.
    payment_batch_notes: reachesWhole(asked.reach, client_id) ? own.payment_batch_notes : null,
    ...sixFlags(findings),
    vendor_payment,
    total_usage: totalUsage(totals),
    usage_totals: totals,
    locks: [...locks(facts)],
    service_bills: seen,
    linked_service_bills: linked.map(withoutNotes),
    linked_service_bill_ids: linked.map((line) => line.id),
    bill_charges: charges,
    findings,
    files,
  }
}

function withoutNotes(line: ServiceBill): ServiceBill {
  const { notes: _, ...readable } = line
  return readable
}

/** Throws not-found unless the bill is inside the reach. */
export async function mustSeeBill(context: Context, id: number, asked: Asked): Promise<void> {
  if (!(await readOne(context.tx, { ...billSource, columns: {}, joins: {}, entity: { ...bill, fields: {} } }, id, asked)))
    throw noSuch('Bill')
}

/** Returns the facility of the bill's account and of the accounts that are its members, as far as the caller sees them. */
async function facilitiesOf(context: Context, clientId: number, id: number): Promise<BillFacility[]> {
  const inside = scopeCondition({ scope: facilityScope }, { reach: context.reach, clientId })
  const { rows } = await sql<BillFacility>`
    with bill as (select billable_account_id, supply_account_id from bills where client_id = ${clientId} and id = ${id}),
    account as (
      select facility_id, account_number from billable_accounts, bill where client_id = ${clientId} and bill.billable_account_id in (billable_accounts.id, group_account_id)
      union all select facility_id, account_number from supply_accounts, bill where client_id = ${clientId} and bill.supply_account_id in (supply_accounts.id, group_supply_account_id))
    select facilities.id, facilities.name, facilities.number, division.name as division_name, array_agg(account.account_number order by account.account_number) as account_numbers
    from account join facilities on facilities.client_id = ${clientId} and facilities.id = account.facility_id
    left join divisions division on division.client_id = facilities.client_id and division.id = facilities.division_id
    where ${inside} group by facilities.client_id, facilities.id, division.name order by facilities.name, facilities.id limit ${facilitiesMax}`.execute(
    context.tx,
  )
  return rows
}

/** Open ones first, the most severe at the top; resolved ones stay as history. */
async function findingsOf(context: Context, clientId: number, id: number): Promise<BillFinding[]> {
  const { rows } = await sql<BillFinding>`
    select finding.id, finding.code, finding.severity, finding.message, finding.field, finding.service_bill_id, finding.service_id, finding.expected, finding.actual,
      finding.limit_value as "limit", finding.other_bill_id, finding.comment, finding.resolved_by, ${nameOfUser('users')} as resolved_by_name,
      finding.assigned_to, ${nameOfUser('person')} as assigned_to_name,
      finding.resolved_at, finding.reason, finding.created_at
    from bill_findings finding left join users on users.id = finding.resolved_by left join users person on person.id = finding.assigned_to
    where finding.client_id = ${clientId} and finding.bill_id = ${id}
    order by finding.resolved_at is not null, array_position(array['E!', 'E', 'W', 'I'], finding.severity), finding.id`.execute(context.tx)
  return rows
}

async function chargesOf(context: Context, clientId: number, id: number): Promise<BillDetail['bill_charges']> {
  const { rows } = await sql<
    BillDetail['bill_charges'][number]
  >`select id, position, name, amount from bill_charges where client_id = ${clientId} and bill_id = ${id} order by position, id`.execute(
    context.tx,
  )
  return rows
}

async function filesOf(context: Context, clientId: number, id: number): Promise<BillDetail['files']> {
  const { rows } = await sql<{
    position: number
    filename: string
    content_type: string
    file_id: number
  }>`select bill_files.position, bill_files.filename, files.content_type, bill_files.file_id
    from bill_files join files on files.id = bill_files.file_id where bill_files.client_id = ${clientId} and bill_files.bill_id = ${id} order by bill_files.position`.execute(
    context.tx,
  )
  return rows.map(({ file_id, ...file }) => ({
    ...file,
    href: `/api/v5/clients/${clientId}/bills/${id}/files/${file.position}`,
    signed_id: signStoredFile(context, clientId, file_id),
  }))
}
