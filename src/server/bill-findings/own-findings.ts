/** The open findings that are assigned to the caller, for the home page. */
import type { HomeFinding } from '#contract/home/home.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { and, scopeCondition } from '../kernel/lists/list.ts'
import { findingSource } from './finding-source.ts'

/** Returns at most `most`, what holds a payment first, then the largest amount. */
export async function ownFindings({ tx, principal, reach }: Context, clientId: number | undefined, most: number): Promise<HomeFinding[]> {
  const { bill, client, vendor } = findingSource.joins ?? {}
  const rank = findingSource.columns?.['severity']?.order
  if (!bill || !client || !vendor || !rank) throw new Error('findings are no longer joined with their bills')
  const mine = [
    sql<boolean>`bill_findings.assigned_to = ${principal.user_id}`,
    sql<boolean>`bill_findings.resolved_at is null`,
    sql<boolean>`bill.superseded_by_id is null`,
    scopeCondition(findingSource, { reach, clientId }),
  ]
  const { rows } =
    await sql<HomeFinding>`select bill_findings.id, bill_findings.client_id, client.name as client_name, bill_findings.bill_id, bill_findings.severity,
      bill_findings.code, bill_findings.message, bill.account_number, vendor.name as vendor_name, bill.amount_due, bill_findings.created_at
    from bill_findings ${bill} ${client} ${vendor} where ${and(mine)}
    order by ${rank} desc, bill.amount_due desc, bill_findings.id limit ${most}`.execute(tx)
  return rows
}
