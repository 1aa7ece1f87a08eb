/** Listing and reading documents of the inbox, and taking new ones. */
import { billReading, type BillReading } from '#contract/bill-reading.ts'
import { billScanCalls, scanKinds, type ScanShelf } from '#contract/bill-scan.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { and, scopeCondition, type Asked } from '../kernel/list.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'
import { askedBy, listAnswer, readRow } from '../kernel/resource.ts'
import { attachUpload, downloadLink } from '../uploads/uploads.ts'
import { sendScan } from './send-scan.ts'
import { billScans, billScanScope, onShelf } from './scan-source.ts'

export const scanHandlers: readonly Handler[] = [
  handle(billScanCalls.list, (context, { params, query }) => {
    const { input, asked } = shelved(context, params, query)
    return listAnswer(context, billScans, input, asked)
  }),
  handle(billScanCalls.exportCsv, (context, { params, query }) => {
    const { input, asked } = shelved(context, params, query)
    return startExport(context, billScans, input, asked)
  }),
  handle(billScanCalls.summary, async (context, { params }) => {
    const { rows } = await sql<{ open: number; reading: number; oldest_at: string | null }>`
      select count(*)::int as open, (count(*) filter (where bill_scans.state in ('waiting', 'reading')))::int as reading, min(bill_scans.created_at) as oldest_at
      from bill_scans where ${and([scopeCondition({ scope: billScanScope }, askedBy(context, params)), ...onShelf({ show: 'open' }).where])}`.execute(
      context.tx,
    )
    return rows[0] ?? { open: 0, reading: 0, oldest_at: null }
  }),
  handle(billScanCalls.get, async (context, { params }) => ({
    bill_scan: await readRow(context, billScans, params.id, askedBy(context, params)),
    reading: await readingOf(context, params),
  })),
  handle(billScanCalls.file, async (context, { params, query }) => {
    const row = await readRow(context, billScans, params.id, askedBy(context, params))
    const { rows } = await sql<{
      file_id: number
    }>`select file_id from bill_scans where client_id = ${params.client_id} and id = ${params.id}`.execute(context.tx)
    return { url: await downloadLink(context, rows[0]?.file_id ?? 0, query.inline === 'true'), filename: row.filename ?? '' }
  }),
  handle(billScanCalls.create, async (context, { params, body }) => {
    const ids = await takeScans(context, params.client_id, body.signed_ids)
    return { success: true, message: ids.length === 1 ? 'Document received' : `${ids.length} documents received`, ids }
  }),
]

/** The list's own parameters, and the condition of its shelf. */
function shelved<Query extends ListInput & { show?: ScanShelf | undefined }>(
  context: Context,
  params: { client_id: number },
  { show = 'open', ...input }: Query,
): { input: Omit<Query, 'show'>; asked: Asked } {
  return { input, asked: { ...askedBy(context, params), ...onShelf({ show }) } }
}

async function readingOf(context: Context, { client_id, id }: { client_id: number; id: number }): Promise<BillReading | null> {
  const { rows } = await sql<{ reading: unknown }>`select reading from bill_scans where client_id = ${client_id} and id = ${id}`.execute(
    context.tx,
  )
  return billReading.nullable().parse(rows[0]?.reading ?? null)
}

/** One document for each upload, all or none. Whose they are is not known yet, so that only roles for the whole client may bring them. */
async function takeScans(context: Context, clientId: number, signedIds: readonly string[]): Promise<number[]> {
  if (!reachesWhole(context.reach, clientId))
    throw forbidden('Documents are taken in by people who enter bills of the whole client. Add the file in the bill’s form instead.')
  const files: number[] = []
  // Each upload is checked by itself, its bytes too; at most a hundred.
  for (const [place, signed] of signedIds.entries())
    files.push(await attachUpload(context, signed, { kinds: scanKinds }, `signed_ids.${place}`))
  const { rows } = await sql<{ id: number; filename: string }>`
    insert into bill_scans (client_id, file_id, filename, created_by)
    select ${clientId}, files.id, files.filename, ${context.principal.user_id} from unnest(${files}::bigint[]) with ordinality as given(id, place)
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
  for (const { id } of rows) await sendScan(context.services, context.tx, clientId, id)
  return rows.map(({ id }) => id)
}
