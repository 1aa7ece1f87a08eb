/** The calls of the bill form: its starting data, and the two that save. */
import { billFilesMax, tooManyFiles } from '#contract/bills/bill.ts'
import { billOfBody } from '#contract/bills/bill-body.ts'
import { billFormCalls, type SavedBill } from '#contract/bills/bill-form.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import { confirmedReading, fileOfScan, finishScan } from '../bill-scans/bill-scans.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { billEntry } from './bill-entry.ts'
import { createBills } from './create-bills.ts'
import { readBill } from './read-bill.ts'
import { filesOf, refusal, refuseFaults, refuseOtherSupplyBills } from './save-body.ts'
import { updateBill } from './update-bill.ts'

export const billFormHandlers: Handler[] = [
  handle(billFormCalls.entry, async (context, { params, query }) => {
    const { bill_id, ...ref } = query
    return { entry: await billEntry(context, params.client_id, ref, bill_id) }
  }),
  handle(billFormCalls.create, async (context, { params, body }): Promise<SavedBill> => {
    const id = await createTypedBill(context, params.client_id, body.bill)
    const bill = await readBill(context, id, askedBy(context, params))
    if (body.bill.scan_id) await finishScan(context, params.client_id, body.bill.scan_id, id, confirmedReading(bill))
    return { success: true, message: 'Bill created', id, bill }
  }),
  handle(billFormCalls.update, async (context, { params, body }): Promise<SavedBill> => {
    await updateBill(context, params.client_id, params.id, body.bill)
    return { success: true, message: 'Bill updated', id: params.id, bill: await readBill(context, params.id, askedBy(context, params)) }
  }),
]

/**
 * Creates a bill from the form's body, with the one function that creates all bills. Throws 422 by wire field, 409 with the bill that it
 * repeats.
 */
async function createTypedBill(context: Context, clientId: number, body: BillAttributes): Promise<number> {
  const bill = billOfBody(body, null, await filesWithScan(context, clientId, body))
  refuseFaults(bill.faults)
  await refuseOtherSupplyBills(context, clientId, body)
  const [outcome] = await createBills(context, clientId, [bill.draft])
  if (outcome?.kind === 'duplicate') throw refused(outcome.reason, outcome.bill_id)
  if (outcome?.kind !== 'created') throw refusal(outcome?.reasons ?? {}, bill)
  return outcome.id
}

/** The document from which the bill is entered is its first copy. */
async function filesWithScan(context: Context, clientId: number, body: BillAttributes): Promise<number[] | undefined> {
  const files = await filesOf(context, clientId, body)
  if (!body.scan_id) return files
  const all = [...new Set([await fileOfScan(context, clientId, body.scan_id), ...(files ?? [])])]
  if (all.length > billFilesMax) throw invalid({ signed_file_ids: [tooManyFiles] })
  return all
}
