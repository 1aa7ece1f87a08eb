/** Divides a document of several bills. The parts exist at once; the job cuts out their pages and reads them. */
import { noNextBillText } from '#contract/bill-scans/bill-scan.ts'
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle } from '../kernel/handler.ts'
import { refused, invalid, noSuch } from '../kernel/problem.ts'
import { lockScans, refuseDone, type LockedScan } from './change-scans.ts'
import { handPagesDown } from './scan-pages.ts'
import { callReader } from './send-scan.ts'

export const splitHandler = handle(billScanCalls.split, async (context, { params, body }) => {
  if (body.starts.length === 1 && body.starts[0] === 1) return sayOneBill(context, params.client_id, params.id)
  const ids = await splitScan(context, params.client_id, params.id, body.starts)
  return { success: true, message: `Divided into ${ids.length} documents`, ids }
})

/** Corrects a document in which the reader detected more bills than there are. */
async function sayOneBill(context: Context, clientId: number, id: number): Promise<{ success: boolean; message: string; ids: number[] }> {
  const [scan] = await lockScans(context, clientId, [id])
  if (!scan) throw noSuch('Document')
  refuseDone([scan])
  await sql`update bill_scans set is_one_bill = true, bills_inside = 1, lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = ${id}`.execute(context.tx)
  await context.audit.updated('bill_scan', id, clientId, { is_one_bill: { from: false, to: true } })
  return { success: true, message: 'The document is one bill', ids: [id] }
}

interface Part {
  readonly from: number
  readonly to: number
}

/** The document keeps its first part, and each further bill becomes its own document. */
async function splitScan(context: Context, clientId: number, id: number, starts: readonly number[]): Promise<number[]> {
  const [scan] = await lockScans(context, clientId, [id])
  if (!scan) throw noSuch('Document')
  refuseDone([scan])
  if (scan.state === 'waiting' || scan.state === 'reading') throw refused('The document is still being read. Please divide it in a moment.')
  if (scan.pages === null || scan.cut_from !== null) throw refused('Its pages could not be counted, so the document cannot be divided.')
  const [first, ...others] = partsOf(starts, scan.pages)
  if (!first) throw noNextBill()
  const origin = scan.origin_file_id ?? scan.file_id
  const before = scan.origin_page ?? 1
  const { rows } = await sql<{ id: number; filename: string; cut_from: number; cut_to: number }>`
    insert into bill_scans (client_id, file_id, origin_file_id, split_from_id, filename, cut_from, cut_to, pages, origin_page, created_by, created_at)
    select scan.client_id, scan.file_id, ${origin}, scan.id, scan.filename, part."from", part."to", part."to" - part."from" + 1,
      ${before}::int + part."from" - 1, scan.created_by, scan.created_at
    from bill_scans scan, jsonb_to_recordset(${JSON.stringify(others)}::jsonb) as part("from" int, "to" int)
    where scan.client_id = ${clientId} and scan.id = ${id} order by part."from" returning id, filename, coalesce(cut_from, 1) as cut_from, coalesce(cut_to, pages) as cut_to`.execute(
    context.tx,
  )
  await context.audit.many(
    rows.map((row) => ({
      event: 'create',
      item_type: 'bill_scan',
      item_id: row.id,
      client_id: clientId,
      changes: {
        filename: { from: null, to: row.filename },
        split_from_id: { from: null, to: id },
        cut_from: { from: null, to: row.cut_from },
        cut_to: { from: null, to: row.cut_to },
      },
    })),
  )
  await cutLater(context, clientId, scan, first, origin)
  await handPagesDown(context.tx, { client_id: clientId, id }, [
    { id, ...first },
    ...rows.map((row) => ({ id: row.id, from: row.cut_from, to: row.cut_to })),
  ])
  const ids = [id, ...rows.map((row) => row.id)]
  await callReader(context.machinery, context.tx, 'quick')
  return ids
}

/** Returns the pages of each bill. Throws 422 if the pages do not match the document. */
function partsOf(starts: readonly number[], pages: number): Part[] {
  const ordered = [...new Set(starts)].toSorted((one, other) => one - other)
  if (ordered[0] !== 1) throw invalid({ starts: ['The first bill begins on page 1'] })
  if (ordered.some((start) => start > pages)) throw invalid({ starts: [`The document has ${pages} pages`] })
  if (ordered.length < 2) throw noNextBill()
  return ordered.map((from, at) => ({ from, to: (ordered[at + 1] ?? pages + 1) - 1 }))
}

async function cutLater(context: Context, clientId: number, scan: LockedScan, { from, to }: Part, origin: number): Promise<void> {
  await sql`update bill_scans set cut_from = ${from}, cut_to = ${to}, origin_file_id = ${origin}, state = 'waiting', lane = 'quick', pages = ${to - from + 1}, reading = null,
      bills_inside = 1, origin_page = coalesce(origin_page, 1), error = null, tries = 0, lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = ${scan.id}`.execute(context.tx)
  await context.audit.updated('bill_scan', scan.id, clientId, {
    cut_from: { from: null, to: from },
    cut_to: { from: null, to },
    state: { from: scan.state, to: 'waiting' },
  })
}

const noNextBill = () => invalid({ starts: [noNextBillText] })
