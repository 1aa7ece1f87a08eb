/** Bundles of bill documents as a list: who sees them, and what a bundle may be. */
import {
  billDocument,
  bundleBatchFilters,
  bundleIdFilters,
  noBundleFilters,
  type BillDocument,
  type BillDocumentDraft,
  type BundleFilters,
} from '#contract/bill-documents/bill-document.ts'
import { sql, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { ScopeRule } from '../kernel/lists/list.ts'
import { invalid, unknownRecord } from '../kernel/problem.ts'
import { mustReach, resource } from '../kernel/lists/resource.ts'
import { sourceOf } from '../kernel/lists/sources.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export const personal = () => sql<SqlBool>`bill_documents.assignable_user_id is not null`

/** A bundle for the whole client holds bills of all divisions: a narrowed role sees only its divisions' bundles and its own. */
const scope: ScopeRule = {
  client: sql.ref('bill_documents.client_id'),
  levels: {
    division: (ids) => sql<SqlBool>`(bill_documents.division_id = any(${ids}::bigint[]) or ${personal()})`,
    facility: personal,
    billable_account: personal,
    supply_account: personal,
  },
}

export const billDocuments = resource({
  entity: billDocument,
  table: 'bill_documents',
  scope,
  joins: {
    maker: sql`left join users maker on maker.id = bill_documents.user_id`,
    assignee: sql`left join users assignee on assignee.id = bill_documents.assignable_user_id`,
    division: sql`left join divisions division on division.client_id = bill_documents.client_id and division.id = bill_documents.division_id`,
    client: sql`join clients client on client.id = bill_documents.client_id`,
    file: sql`left join files file on file.id = bill_documents.file_id`,
    task: sql`left join tasks task on task.id = bill_documents.task_id`,
  },
  columns: {
    assignable_type: {
      sql: sql`case when bill_documents.on_client then 'Client' when bill_documents.division_id is not null then 'Division' else 'User' end`,
    },
    assignable_id: {
      sql: sql`coalesce(bill_documents.division_id, bill_documents.assignable_user_id, bill_documents.client_id)`,
    },
    assignable_name: {
      sql: sql`case when bill_documents.on_client then client.name when bill_documents.division_id is not null then division.name
        else ${nameOfUser('assignee')} end`,
      joins: ['client', 'division', 'assignee'],
    },
    user: {
      sql: sql`case when maker.id is not null then json_build_object('first_name', maker.first_name, 'last_name', maker.last_name) end`,
      joins: ['maker'],
    },
    // A filter that did not exist when the bundle was made restricts nothing.
    form_data: { sql: sql`${sql.lit(JSON.stringify(noBundleFilters))}::jsonb || bill_documents.form_data` },
    file_url: {
      sql: sql`case when bill_documents.file_id is not null then '/api/v5/clients/' || bill_documents.client_id || '/bill_documents/' || bill_documents.id || '/file' end`,
    },
    filename: { sql: sql.ref('file.filename'), joins: ['file'] },
    byte_size: { sql: sql.ref('file.byte_size'), joins: ['file'] },
    state: {
      sql: sql`case when task.state in ('waiting', 'running') then task.state when task.state in ('failed', 'cancelled') or bill_documents.file_id is null then 'failed' else 'done' end`,
      joins: ['task'],
    },
    rows_done: { sql: sql`coalesce(task.rows_done, 0)`, joins: ['task'] },
    rows_total: { sql: sql.ref('task.rows_total'), joins: ['task'] },
    error: { sql: sql`case when task.state = 'cancelled' then 'It was stopped.' else task.error end`, joins: ['task'] },
  },
  search: ['name'],
  check: checkBundle,
})

export type SentDraft = Partial<BillDocumentDraft>

/** Throws 422 if the writer may not name the assignee, or if a filter names records outside their reach. */
async function checkBundle(context: Context, draft: SentDraft, before: BillDocument | null, clientId: number): Promise<void> {
  await checkAssignee(context, draft, before, clientId)
  await checkFilters(context, draft.form_data, before?.form_data, clientId)
}

async function checkAssignee(context: Context, draft: SentDraft, before: BillDocument | null, clientId: number): Promise<void> {
  const type = draft.assignable_type ?? before?.assignable_type
  const id = draft.assignable_id ?? before?.assignable_id
  if (id === undefined || (type === before?.assignable_type && id === before?.assignable_id)) return
  const wrong = (message: string) => invalid({ assignable_id: [message] })
  if (type === 'Client' && id !== clientId) throw wrong(unknownRecord)
  if (type === 'User' && id !== context.principal.user_id) throw wrong('A bundle can be assigned to yourself only')
  const divisions = sourceOf('divisions')
  if (type === 'Division' && divisions) await mustReach(context, divisions, [id], 'assignable_id', clientId)
}

/** Unchanged filters need not be in reach. */
async function checkFilters(
  context: Context,
  filters: BundleFilters | undefined,
  before: BundleFilters | undefined,
  clientId: number,
): Promise<void> {
  if (!filters) return
  for (const { key, refers } of [...bundleIdFilters, ...bundleBatchFilters]) {
    const source = sourceOf(refers)
    const added = filters[key].filter((id) => !before?.[key].includes(id))
    if (source && added.length > 0)
      await mustReach(context, source, added, `form_data.${key}`, source.scope === 'shared' ? undefined : clientId)
  }
}
