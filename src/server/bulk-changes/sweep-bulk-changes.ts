/** Removes the per-record rows of old bulk changes: the bulk change stays, it can no longer be undone, and the trail keeps everything. */
import { bulkUndoDays } from '#contract/bulk-changes/bulk-change.ts'
import { sql } from 'kysely'
import type { Machinery } from '../kernel/machinery.ts'

const actsAtOnce = 50

export async function sweepBulkChanges(machinery: Machinery): Promise<void> {
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ client_id: number; id: number }>`select client_id, id from bulk_changes
      where rows_removed_at is null and created_at < now() - make_interval(days => ${bulkUndoDays}::int) order by created_at limit ${actsAtOnce} for update skip locked`.execute(
      tx,
    )
    const acts = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as act(client_id bigint, id bigint)`
    await sql`delete from bulk_change_items item using ${acts} where item.client_id = act.client_id and item.bulk_change_id = act.id`.execute(
      tx,
    )
    await sql`update bulk_changes set rows_removed_at = now() from ${acts} where bulk_changes.client_id = act.client_id and bulk_changes.id = act.id`.execute(
      tx,
    )
  })
}
