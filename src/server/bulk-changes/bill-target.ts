/** Bulk changes of bills: parked, QC, and resolving their open findings with one reason. */
import { bulkKinds } from '#contract/bulk-changes/bulk-change.ts'
import { findingReasons } from '#contract/bill-audits/finding-reasons.ts'
import { sql, type SqlBool } from 'kysely'
import { isHeldFor, reopenFindings, settleFindings } from '../bill-findings/bill-findings.ts'
import { billSource } from '../bills/bills.ts'
import type { RowRule } from '../kernel/lists/row-rules.ts'
import type { Context } from '../kernel/context.ts'
import type { BulkDone, BulkTarget } from './bulk-target.ts'

const openFindings = sql`from bill_findings where bill_findings.client_id = item.client_id and bill_findings.bill_id = item.id and bill_findings.resolved_at is null`

/**
 * The locks of the form: a paid or replaced bill is neither parked nor held, and above the limit nobody resolves findings on a bill they made.
 */
const billRules: readonly RowRule[] = [
  {
    field: 'parked',
    about: ['parked', 'qc', 'resolve_findings'],
    message: 'Another bill replaces it',
    when: ({ item }) => sql<SqlBool>`${item('superseded_by_id')} is not null`,
  },
  {
    field: 'parked',
    about: ['parked', 'qc'],
    message: 'It is finalized, and its fields are locked',
    when: ({ item }) => sql<SqlBool>`${item('finalized')}`,
  },
  {
    field: 'parked',
    about: ['parked', 'qc'],
    message: 'It is paid, and its fields are locked',
    when: ({ item }) => sql<SqlBool>`${item('paid')} and not ${item('finalized')}`,
  },
  {
    field: 'resolve_findings',
    about: ['resolve_findings'],
    message: 'You made this bill, and it is above the limit: somebody else must settle what holds its payment',
    when: ({
      context,
    }) => sql<SqlBool>`exists (select ${openFindings} and exists (select from clients client, lateral (select item.created_by, item.amount_due) bill
      where client.id = item.client_id and ${isHeldFor(sql`${context.principal.user_id}::bigint`)}))`,
  },
]

export const billTarget: BulkTarget = {
  kind: bulkKinds.bill,
  source: { ...billSource, rules: billRules },
  may: 'bill.update',
  importKind: 'bills',
  title: 'account_number',
  detail: 'date',
  beside: {
    // A bill without an open finding is already in this state.
    resolve_findings: (given) => sql`coalesce((select count(*) || ' open' ${openFindings} having count(*) > 0), ${given})`,
  },
  after: settleOrOpen,
}

async function settleOrOpen(context: Context, { clientId, act, undone, given, changed }: BulkDone): Promise<void> {
  if (undone) {
    await reopenFindings(context, clientId, sql<SqlBool>`bill_findings.bulk_change_id = ${act}`, { reason: 'undo' })
    return
  }
  const reason = findingReasons.find(({ value }) => value === given('resolve_findings'))?.value
  if (!reason) return
  await settleFindings(context, clientId, sql<SqlBool>`bill_findings.bill_id in (${changed('resolve_findings')})`, {
    reason,
    bulkChangeId: act,
  })
}
