/** One page of the trail, newest first, in readable words. */
import type { AuditLogVersion } from '#contract/audit-log/audit-log.ts'
import { pageSizeMax } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { and, type Condition } from '../kernel/lists/list.ts'
import type { Reach } from '../kernel/principal.ts'
import { actorEmail, actorJoin } from './audit-source.ts'
import { presentVersions, type StoredVersion } from './present-versions.ts'

export interface Paging {
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
}

/** The trail stores only changes, so for a bill that moved between accounts of one kind, the kind comes from an earlier version. */
const keptAccountType = sql`case when audit_records.object_changes ? 'account_id' and not audit_records.object_changes ? 'account_type' then (
  select earlier.object_changes -> 'account_type' ->> 'to' from audit_records earlier
  where earlier.client_id = audit_records.client_id and earlier.item_type = audit_records.item_type and earlier.item_id = audit_records.item_id
    and earlier.id < audit_records.id and earlier.object_changes ? 'account_type'
  order by earlier.id desc limit 1) end`

/** `created_at` and `id` together are the sort key of the trail's indexes: over all clients, by client and by user. */
export async function readVersions(
  tx: Tx,
  conditions: readonly Condition[],
  { page = 1, per }: Paging,
  perDefault: number,
  reach: Reach,
): Promise<AuditLogVersion[]> {
  const limit = Math.min(Number(per ?? perDefault), pageSizeMax)
  const { rows } = await sql<StoredVersion>`with page as materialized (
      select audit_records.client_id, audit_records.id from audit_records where ${and(conditions)}
      order by audit_records.created_at desc, audit_records.id desc limit ${limit} offset ${(Number(page) - 1) * limit})
    select audit_records.id, audit_records.event, audit_records.item_type, audit_records.item_id, audit_records.client_id, clients.name as client_name,
      audit_records.ip_address, audit_records.created_at, audit_records.object_changes, audit_records.user_id, ${actorEmail} as "user", ${keptAccountType} as account_type
    from page join audit_records on audit_records.client_id = page.client_id and audit_records.id = page.id
    left join clients on clients.id = audit_records.client_id ${actorJoin}
    order by audit_records.created_at desc, audit_records.id desc`.execute(tx)
  return presentVersions(tx, rows, reach)
}

export async function countVersions(tx: Tx, conditions: readonly Condition[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from audit_records where ${and(conditions)}`.execute(tx)
  return rows[0]?.total ?? 0
}
