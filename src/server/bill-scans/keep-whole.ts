/** A part whose pages could not be extracted from its file gets the whole file, at the request of a user who may see all of it. */
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { sql } from 'kysely'
import { handle } from '../kernel/handler.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { forbidden, refused, noSuch } from '../kernel/problem.ts'
import { lockScans } from './change-scans.ts'

export const keepWholeHandler = handle(billScanCalls.keepWhole, async (context, { params }) => {
  const { client_id, id } = params
  const [scan] = await lockScans(context, client_id, [id])
  if (!scan) throw noSuch('Document')
  if (!reachesWhole(context.reach, client_id))
    throw forbidden('The whole file may show bills of others: a role for the whole client uses it.')
  if (scan.state !== 'failed' || scan.cut_from === null)
    throw refused('Only a part whose pages could not be taken out is given the whole file.')
  await sql`update bill_scans set cut_from = null, cut_to = null, error = 'It has the pages of the whole file.', lock_version = lock_version + 1,
    updated_at = now() where client_id = ${client_id} and id = ${id}`.execute(context.tx)
  await context.audit.updated('bill_scan', id, client_id, {
    cut_from: { from: scan.cut_from, to: null },
    cut_to: { from: scan.cut_to, to: null },
  })
  return { success: true, message: 'The document has the whole file now', id }
})
