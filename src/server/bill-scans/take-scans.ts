/** Adds documents to the inbox: one file with its own request, or many that were uploaded before. */
import { scanKinds } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { uploadBytesMax } from '#contract/uploads/upload-kinds.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { forbidden, noSuch } from '../kernel/problem.ts'
import { attachReceived, attachUpload, receiving } from '../uploads/uploads.ts'
import { lockScans } from './change-scans.ts'
import { repeatsOf } from './same-documents.ts'
import { callReader } from './send-scan.ts'

export const takeScanHandlers: readonly Handler[] = [
  handle(billScanCalls.create, async (context, { params, body }) => {
    mustBringDocuments(context, params.client_id)
    const files: number[] = []
    // Each upload is checked separately, including its bytes; at most a hundred.
    for (const [place, signed] of body.signed_ids.entries())
      files.push(await attachUpload(context, signed, { kinds: scanKinds }, `signed_ids.${place}`))
    const ids = await takeFiles(context, params.client_id, files)
    return { success: true, message: ids.length === 1 ? 'Document received' : `${ids.length} documents received`, ids }
  }),
  receiving(
    { kinds: scanKinds, bytesMax: uploadBytesMax },
    handle(billScanCalls.upload, async (context, { params, body }) => {
      mustBringDocuments(context, params.client_id)
      const [id = 0] = await takeFiles(context, params.client_id, [await attachReceived(context, body.file)])
      return { success: true, message: 'Document received', id, ...(await repeatsOf(context, params.client_id, id)) }
    }),
  ),
  handle(billScanCalls.keep, async (context, { params }) => {
    const [scan] = await lockScans(context, params.client_id, [params.id])
    if (!scan) throw noSuch('Document')
    await sql`update bill_scans set kept_beside = true, updated_at = now() where client_id = ${params.client_id} and id = ${scan.id}`.execute(
      context.tx,
    )
    await context.audit.updated('bill_scan', scan.id, params.client_id, { kept_beside: { from: false, to: true } })
    return { success: true, message: 'Document kept', id: scan.id }
  }),
]

/** Their accounts are not known yet, so only roles for the whole client may add them. */
function mustBringDocuments(context: Context, clientId: number): void {
  if (!reachesWhole(context.reach, clientId))
    throw forbidden('Documents are taken in by people who enter bills of the whole client. Add the file in the bill’s form instead.')
}

/** Creates one document for each file, all or none. */
async function takeFiles(context: Context, clientId: number, files: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number; filename: string }>`
    insert into bill_scans (client_id, file_id, filename, created_by)
    select ${clientId}, files.id, files.filename, ${context.principal.user_id} from unnest(${[...files]}::bigint[]) with ordinality as given(id, place)
      join files on files.id = given.id order by place returning id, filename`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, filename }) => ({
      event: 'create',
      item_type: 'bill_scan',
      item_id: id,
      client_id: clientId,
      changes: { filename: { from: null, to: filename } },
    })),
  )
  await callReader(context.machinery, context.tx, 'quick')
  return rows.map(({ id }) => id)
}
