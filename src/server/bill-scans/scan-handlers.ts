/** Listing and reading documents of the inbox. */
import { billReading, type BillReading } from '#contract/bill-reading/bill-reading.ts'
import type { ScanShelf, ScanSummary, StackPart } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { and, scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { askedBy, listAnswer, readRow } from '../kernel/lists/resource.ts'
import { downloadLink } from '../uploads/uploads.ts'
import { pageFaults } from './scan-pages.ts'
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
    const { rows } = await sql<ScanSummary>`
      select count(*)::int as open, (count(*) filter (where bill_scans.state in ('waiting', 'reading')))::int as reading, min(bill_scans.created_at) as oldest_at,
        max(bill_scans.updated_at) as changed_at
      from bill_scans where ${and([scopeCondition({ scope: billScanScope }, askedBy(context, params)), ...onShelf({ show: 'open' }).where])}`.execute(
      context.tx,
    )
    return rows[0] ?? { open: 0, reading: 0, oldest_at: null, changed_at: null }
  }),
  handle(billScanCalls.get, async (context, { params }) => ({
    bill_scan: await readRow(context, billScans, params.id, askedBy(context, params)),
    reading: await readingOf(context, params),
    page_faults: await pageFaults(context.tx, params),
    stack: await stackOf(context, params),
  })),
  handle(billScanCalls.file, async (context, { params, query }) => {
    const row = await readRow(context, billScans, params.id, askedBy(context, params))
    const { rows } = await sql<{
      file_id: number
    }>`select file_id from bill_scans where client_id = ${params.client_id} and id = ${params.id}`.execute(context.tx)
    return { url: await downloadLink(context, rows[0]?.file_id ?? 0, query.inline === 'true'), filename: row.filename ?? '' }
  }),
]

/** Returns the list's own parameters, and the condition of its shelf. */
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

/** Returns the bills of the file from which it was divided, as far as they are in reach. */
async function stackOf(context: Context, params: { client_id: number; id: number }): Promise<StackPart[]> {
  const inside = scopeCondition({ scope: billScanScope }, askedBy(context, params))
  const { rows } = await sql<StackPart>`
    select bill_scans.id, bill_scans.state, bill_scans.bill_id, bill_scans.amount_due::text as amount_due from bill_scans
    join bill_scans here on here.client_id = bill_scans.client_id and here.origin_file_id = bill_scans.origin_file_id
    where ${inside} and here.client_id = ${params.client_id} and here.id = ${params.id}
    order by bill_scans.origin_page nulls first, bill_scans.id limit 200`.execute(context.tx)
  return rows
}
