/** Computes what the rows of bills show: names, statuses, flags and badges. */
import type { bill } from '#contract/bills/bill.ts'
import { badges } from '#contract/bills/bill-badges.ts'
import { accountingStatus, fullStatus, holds, paymentStatus, statusRules } from '#contract/bills/bill-status.ts'
import type { StatusFacts } from '#contract/bills/status-facts.ts'
import type { Row } from '#contract/kernel/entity.ts'
import type { CalendarDate } from '#contract/kernel/date.ts'
import { CompiledQuery } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { childFindingText } from './bill-source.ts'

export type BillRowRead = Row<typeof bill>

/** Keys left to the second statement and to code. */
export const laterKeys = [
  'flags',
  'any_child_flags',
  'flagged',
  'badges',
  'vendor_name',
  'group_account_id',
  'group_supply_account_id',
  'account_name',
  'account_name_with_number',
  'client_name',
  'division_name',
  'facility_name',
  'accounting_batch_batch_code',
  'full_status',
  'accounting_status',
  'payment_status',
  'estimated',
  'vendor_payment_full_name',
  'payment_batch_id',
  'check_number',
  'file_url',
  'filename',
] as const
type LaterKey = (typeof laterKeys)[number]

export interface BareRow extends Omit<BillRowRead, LaterKey> {
  readonly client_id: number
  readonly missing_fields: readonly string[]
}

export async function dressed(tx: Tx, rows: readonly BareRow[]): Promise<BillRowRead[]> {
  if (rows.length === 0) return []
  const dressing = await dressingOf(tx, rows)
  const day = today()
  return rows.map((row) => dress(row, dressing, day))
}

function dress(bare: BareRow, names: Dressing, day: CalendarDate): BillRowRead {
  const { missing_fields, ...row } = bare
  const children = names.children(row.id)
  const batch = names.name('accounting_batch', row.accounting_batch_id)
  const payment = names.name('payment', row.vendor_payment_id)
  const account =
    row.billable_account_id === null ? names.name('supply', row.supply_account_id) : names.name('billable', row.billable_account_id)
  const vendor_name = names.name('vendor', row.vendor_id)?.name ?? null
  const findings = children.filter((child) => child.kind === 'finding')
  const files = children.filter((child) => child.kind === 'file').toSorted((a, b) => a.parent - b.parent)
  const linked = children.find((child) => child.kind === 'linked')
  const estimated = children.some((child) => child.kind === 'estimated')
  const facts: StatusFacts = {
    ...row,
    missing_fields,
    payment_batch_is_global: payment?.first ?? null,
    any_linked_errors: linked?.first ?? false,
    accounting_batch_closed: batch?.first ?? null,
    accounting_batch_invoiced: batch?.second ?? null,
  }
  return {
    ...row,
    flags: messagesByCode(findings),
    any_child_flags: findings.some((finding) => finding.second) || (linked?.second ?? false),
    flagged: holds(statusRules.Flagged, facts),
    badges: badges(
      { ...row, any_estimated: estimated, any_duplicate_flag: findings.some((finding) => finding.name?.startsWith('duplicate_')) },
      day,
    ),
    vendor_name,
    group_account_id: row.billable_account_id === null ? null : (account?.parent ?? null),
    group_supply_account_id: row.billable_account_id === null ? (account?.parent ?? null) : null,
    account_name: account?.name ?? null,
    account_name_with_number: account ? `${account.name} (${row.account_number})` : null,
    client_name: names.name('client', row.client_id)?.name ?? '',
    division_name: names.name('division', row.division_id)?.name ?? null,
    facility_name: names.name('facility', row.facility_id)?.name ?? null,
    accounting_batch_batch_code: batch?.name ?? null,
    full_status: fullStatus(facts),
    accounting_status: accountingStatus(facts),
    payment_status: paymentStatus({ ...facts, paid_as: payment?.more ?? null, group_bill_id: row.group_bill_id }),
    estimated,
    vendor_payment_full_name: row.vendor_payment_id === null ? null : `VP-${row.vendor_payment_id} ${vendor_name ?? ''}`.trim(),
    payment_batch_id: payment?.parent ?? null,
    check_number: payment?.name ?? null,
    file_url: files.map((file) => `/api/v5/clients/${row.client_id}/bills/${row.id}/files/${file.parent}`),
    filename: files[0]?.more ?? null,
  }
}

/** A record that rows name: `name`, and additional values of its kind. */
interface Named {
  readonly kind: 'client' | 'vendor' | 'division' | 'facility' | 'billable' | 'supply' | 'accounting_batch' | 'payment'
  readonly id: number
  readonly name: string | null
  readonly more: string | null
  readonly first: boolean | null
  readonly second: boolean | null
  readonly parent: number | null
}

/** A file, an open finding that is a flag, or a property of the bill's lines. */
interface Child {
  readonly kind: 'file' | 'finding' | 'estimated' | 'linked'
  /** Id of the bill. */
  readonly id: number
  /** Code of a finding. */
  readonly name: string | null
  /** Name of a file, message of a finding. */
  readonly more: string | null
  /** For a linked bill: it has errors. */
  readonly first: boolean
  /** For a finding: it concerns a line. For a linked bill: it has flags. */
  readonly second: boolean
  /** Position of a file, id of a finding. */
  readonly parent: number
}

interface Dressing {
  name(kind: Named['kind'], id: number | null): Named | undefined
  children(billId: number): readonly Child[]
}

const namingKeys = [
  'vendor_id',
  'division_id',
  'facility_id',
  'billable_account_id',
  'supply_account_id',
  'accounting_batch_id',
  'vendor_payment_id',
] as const

/**
 * Reads the records that rows name and their children, in one statement on one connection. The SQL text is constant, so it is built once
 * and its plan is reused. Most pages are of one client: compared with one value, the plan is cached. With an array of unknown length the
 * generic plan would look ten times as expensive, and the statement would be planned each time, which takes longer than its run.
 */
async function dressingOf(tx: Tx, rows: readonly BareRow[]): Promise<Dressing> {
  const clients = [...new Set(rows.map((row) => row.client_id))]
  const named = namingKeys.map((key) => [...new Set(rows.flatMap((row) => row[key] ?? []))])
  const values = [clients.length === 1 ? clients[0] : clients, ...named, rows.map((row) => row.id)]
  const text = clients.length === 1 ? dressingOfOne : dressingOfMany
  const { rows: found } = await tx.executeQuery<Named | Child>(CompiledQuery.raw(text, values))
  const names = new Map<string, Named>()
  const children = new Map<number, Child[]>()
  for (const one of found) {
    if (!isChild(one)) names.set(`${one.kind} ${one.id}`, one)
    else if (children.get(one.id)?.push(one) === undefined) children.set(one.id, [one])
  }
  return { name: (kind, id) => (id === null ? undefined : names.get(`${kind} ${id}`)), children: (id) => children.get(id) ?? none }
}

const none: readonly Child[] = []

function isChild(one: Named | Child): one is Child {
  return one.kind === 'file' || one.kind === 'finding' || one.kind === 'estimated' || one.kind === 'linked'
}

/** $1 is the client or the clients, $2 to $8 the ids of `namingKeys`, $9 the bills. */
function dressingText(clients: '= $1' | '= any($1::bigint[])'): string {
  const of = (alias = '') => `${alias}client_id ${clients}`
  return `select 'client' as kind, id, name, null as more, null::boolean as first, null::boolean as second, null::bigint as parent from clients where id ${clients}
    union all select 'vendor', id, name, null, null, null, null from vendors where id = any($2::bigint[])
    union all select 'division', id, name, null, null, null, null from divisions where ${of()} and id = any($3::bigint[])
    union all select 'facility', id, name, null, null, null, null from facilities where ${of()} and id = any($4::bigint[])
    union all select 'billable', id, name, null, null, null, group_account_id from billable_accounts where ${of()} and id = any($5::bigint[])
    union all select 'supply', id, name, null, null, null, group_supply_account_id from supply_accounts where ${of()} and id = any($6::bigint[])
    union all select 'accounting_batch', id, batch_code, null, closed, invoiced, null from accounting_batches where ${of()} and id = any($7::bigint[])
    union all select 'payment', payment.id, payment.check_number, batch.paid_as, batch.is_global, null, batch.id
      from vendor_payments payment join payment_batches batch on batch.client_id = payment.client_id and batch.id = payment.payment_batch_id
      where ${of('payment.')} and payment.id = any($8::bigint[])
    union all select 'file', bill_id, null, filename, false, false, position::bigint from bill_files where ${of()} and bill_id = any($9::bigint[])
    union all select 'finding', bill_id, code, message, false, ${childFindingText}, id from bill_findings finding
      where ${of()} and bill_id = any($9::bigint[]) and resolved_at is null and severity <> 'I'
    union all select distinct 'estimated', bill_id, null, null, false, false, 0::bigint from service_bills where ${of()} and bill_id = any($9::bigint[]) and estimated
    union all select 'linked', link.bill_id, null, null, bool_or(supply_bill.open_errors > 0 or supply_bill.open_blocking > 0), bool_or(supply_bill.open_errors + supply_bill.open_warnings > 0), 0::bigint
      from bill_linked_service_bills link
      join service_bills line on line.client_id = link.client_id and line.id = link.service_bill_id
      join bills supply_bill on supply_bill.client_id = line.client_id and supply_bill.id = line.bill_id
      where ${of('link.')} and link.bill_id = any($9::bigint[]) group by link.bill_id`
}

const dressingOfOne = dressingText('= $1')
const dressingOfMany = dressingText('= any($1::bigint[])')

function messagesByCode(findings: readonly Child[]): Record<string, string> {
  const ordered = findings.toSorted((a, b) => a.parent - b.parent)
  return Object.fromEntries(
    [...Map.groupBy(ordered, (finding) => finding.name ?? '')].map(([code, same]) => [
      code,
      same.map((finding) => finding.more ?? '').join('; '),
    ]),
  )
}
