/** Client batches as a list, and the check of a batch's own values. */
import { accountingBatch, type AccountingBatch, type AccountingBatchDraft } from '#contract/accounting-batches/accounting-batch.ts'
import { sql } from 'kysely'
import { clientBatchScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { resource } from '../kernel/lists/resource.ts'
import { withLineCounts } from './line-counts.ts'
import { uploadTaskKind } from './upload-file.ts'

const bills = sql`from bills where bills.client_id = accounting_batches.client_id and bills.accounting_batch_id = accounting_batches.id`

export const accountingBatches = resource({
  entity: accountingBatch,
  table: 'accounting_batches',
  scope: clientBatchScope,
  locksRowsThatPointToIt: true,
  joins: {
    batch_group: sql`left join batch_groups batch_group on batch_group.client_id = accounting_batches.client_id and batch_group.id = accounting_batches.batch_group_id`,
  },
  columns: {
    batch_group_name: { sql: sql`batch_group.name`, joins: ['batch_group'] },
    batch_group: {
      sql: sql`case when batch_group.id is not null then json_build_object('id', batch_group.id, 'name', batch_group.name) end`,
      joins: ['batch_group'],
    },
    bill_count: { sql: sql`(select count(*)::int ${bills})` },
    bills_total: { sql: sql`(select coalesce(sum(bills.amount_due), 0)::numeric(14,2) ${bills})` },
    // The lines of an open batch follow from its bills in code (line-counts.ts).
    line_item_count: {
      sql: sql`(select count(*)::int from gl_lines line where line.client_id = accounting_batches.client_id
        and line.accounting_batch_id = accounting_batches.id and line.kind <> 'payable')`,
    },
    upload_file_url: {
      sql: sql`case when accounting_batches.upload_file_id is not null then '/api/v5/clients/' || accounting_batches.client_id || '/accounting_batches/' || accounting_batches.id || '/upload_file' end`,
    },
    // The state follows the task, however it ends.
    generating_file: {
      sql: sql`exists (select 1 from tasks where tasks.client_id = accounting_batches.client_id and tasks.kind = ${sql.lit(uploadTaskKind)}
        and tasks.state in ('waiting', 'running') and (tasks.input ->> 'accounting_batch_id')::bigint = accounting_batches.id)`,
    },
    can_generate_upload_file: { sql: sql`accounting_batches.closed` },
  },
  search: ['batch_code', 'batch_group_name'],
  check: checkBatch,
  present: withLineCounts,
})

export type Sent = Partial<AccountingBatchDraft>

/** Rejects invoicing an open batch, changing the head of a closed one, and a code that another batch of the client has. */
async function checkBatch({ tx }: Context, sent: Sent, before: AccountingBatch | null, clientId: number): Promise<void> {
  const closed = sent.closed ?? before?.closed ?? false
  const invoiced = sent.invoiced ?? before?.invoiced ?? false
  if (invoiced && !closed) throw invalid({ invoiced: ['A batch is closed before it is invoiced'] })
  if (before?.closed && closed) refuseChangedHead(sent, before)
  if (sent.batch_code === undefined || sent.batch_code === before?.batch_code) return
  const { rows } =
    await sql`select 1 as one from accounting_batches where client_id = ${clientId} and lower(batch_code) = lower(${sent.batch_code})
    and id is distinct from ${before?.id ?? null}::bigint`.execute(tx)
  if (rows.length > 0) throw invalid({ batch_code: [`A client batch of this client is called ${sent.batch_code} already`] })
}

function refuseChangedHead(sent: Sent, before: AccountingBatch): void {
  const sentDate = sent.batch_date === undefined || sent.batch_date === null ? sent.batch_date : Date.parse(sent.batch_date)
  const date = before.batch_date === null ? null : Date.parse(before.batch_date)
  const changed = [
    ...(sent.batch_code !== undefined && sent.batch_code !== before.batch_code ? ['batch_code'] : []),
    ...(sentDate !== undefined && sentDate !== date ? ['batch_date'] : []),
    ...(sent.batch_group_id !== undefined && sent.batch_group_id !== before.batch_group_id ? ['batch_group_id'] : []),
  ]
  const [first] = changed
  if (first !== undefined) throw invalid({ [first]: ['This client batch is closed. Open it again to change it'] })
}
