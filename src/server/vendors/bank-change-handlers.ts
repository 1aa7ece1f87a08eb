/** The calls about changes of bank details. */
import { vendorBankChange, vendorBankChangeCalls } from '#contract/vendors/vendor-bank-change.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { answerOne, askedBy, listAnswer, listHandler, readRow } from '../kernel/lists/resource.ts'
import { changesOfVendor, vendorBankChanges } from './bank-change-source.ts'
import { approveChange, refuseChange, withdrawChange } from './decide-bank-changes.ts'
import { revealChange, revealVendor } from './reveal-bank-details.ts'
import { vendors } from './vendor-source.ts'

const calls = vendorBankChangeCalls

export const bankChangeHandlers: readonly Handler[] = [
  listHandler(calls.list, vendorBankChanges),
  handle(calls.get, async (context, { params }) =>
    answerOne(vendorBankChange.name, await readRow(context, vendorBankChanges, params.id, askedBy(context, params))),
  ),
  handle(calls.exportCsv, (context, { params, query }) => startExport(context, vendorBankChanges, query, askedBy(context, params))),
  handle(calls.ofVendor, async (context, { params, query }) => {
    await readRow(context, vendors, params.vendor_id, askedBy(context, params))
    return listAnswer(context, vendorBankChanges, query, { ...askedBy(context, params), ...changesOfVendor(params) })
  }),
  handle(calls.exportOfVendor, async (context, { params, query }) => {
    await readRow(context, vendors, params.vendor_id, askedBy(context, params))
    return startExport(context, vendorBankChanges, query, { ...askedBy(context, params), ...changesOfVendor(params) })
  }),
  handle(calls.approve, async (context, { params }) => {
    const change = await approveChange(context, params.id)
    return {
      success: true,
      message: `The new bank details of ${change.vendor_name} are in force`,
      id: change.id,
      vendor_bank_change: change,
    }
  }),
  handle(calls.refuse, async (context, { params, body }) => {
    const change = await refuseChange(context, params.id, body.reason)
    return {
      success: true,
      message: `The new bank details of ${change.vendor_name} were refused`,
      id: change.id,
      vendor_bank_change: change,
    }
  }),
  handle(calls.withdraw, async (context, { params }) => {
    const change = await withdrawChange(context, params.id)
    return { success: true, message: 'Bank details withdrawn', id: change.id, vendor_bank_change: change }
  }),
  handle(calls.reveal, (context, { params }) => revealChange(context, params.id)),
  handle(calls.revealVendor, (context, { params }) => revealVendor(context, params.id)),
]
