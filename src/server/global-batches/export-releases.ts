/** The calls of exports that wait for a release by a second person. */
import { exportReleaseCalls, type ReleaseDetail } from '#contract/global-batches/export-release.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import { exportHandler, listAnswer } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { changeOf, decideRelease, readRequest } from './decide-release.ts'
import { whyNotRelease } from './release-duties.ts'
import { askedReleases, exportReleases } from './release-source.ts'
import { fileUrl } from './store-files.ts'

export const exportReleaseHandlers: readonly Handler[] = [
  handle(exportReleaseCalls.list, (context, { query }) => listAnswer(context, exportReleases, query, askedReleases(context))),
  exportHandler(exportReleaseCalls.exportCsv, exportReleases, askedReleases),
  handle(exportReleaseCalls.get, async (context, { params }) => ({ export_release: await readRelease(context, params.id) })),
  handle(exportReleaseCalls.decide, async (context, { params, body, http }) => {
    const decided = await decideRelease(context, params.id, body.decision)
    // A void request is answered and stored, not refused, so no error tells the security log of it.
    if (!decided.success) noteEvent(http.request, 'payment_changed')
    return decided
  }),
]

async function readRelease(context: Context, id: number): Promise<ReleaseDetail> {
  const row = await storedRow(context, exportReleases, id, askedReleases(context))
  const request = await readRequest(context, id)
  const waits = row.state === 'waiting'
  return {
    ...row,
    batches: await batchesOfRelease(context, id),
    files: await filesOfRelease(context, id),
    why_not: waits ? await whyNotRelease(context, request) : 'It does not wait any more.',
    is_own: request.requested_by === context.principal.user_id,
    changed: waits ? await changeOf(context, request) : null,
  }
}

async function batchesOfRelease({ tx }: Context, id: number): Promise<ReleaseDetail['batches']> {
  const { rows } = await sql<ReleaseDetail['batches'][number]>`select batch.id, batch.client_id, client.name as payer_name,
      coalesce(sum(member.amount_paid), 0)::numeric(14,2) as batch_total, count(member.bill_id)::int as bill_count
    from export_release_batches held
    join payment_batches batch on batch.client_id = held.client_id and batch.id = held.payment_batch_id
    join clients client on client.id = held.client_id
    left join payment_batch_bills member on member.client_id = batch.client_id and member.payment_batch_id = batch.id and member.released_at is null
    where held.export_release_id = ${id} group by batch.client_id, batch.id, client.id order by batch_total desc, batch.id`.execute(tx)
  return rows
}

async function filesOfRelease({ tx }: Context, id: number): Promise<ReleaseDetail['files']> {
  const { rows } = await sql<{ id: number; file_name: string }>`select id, file_name from global_batch_files where export_release_id = ${id}
    order by id`.execute(tx)
  return rows.map((file) => ({ ...file, batch_file_url: fileUrl(file.id) }))
}
