/**
 * The import of bills from CSV files: rows become drafts, and drafts become bills by the one function that creates bills. The front door of the
 * slice.
 */
import { billsImport } from '#contract/bill-import/import-bills.ts'
import type { ImportWorker } from '../kernel/imports/import-worker.ts'
import { importBills } from './import-bills.ts'
import { undoBillImport } from './undo-bill-import.ts'

export const billImport: ImportWorker = {
  kind: billsImport,
  may: { create: 'bill.create', undo: 'bill.destroy' },
  fills: ['bills', 'service_bills', 'service_bill_entry_values', 'bill_findings', 'service_month_facts', 'bill_line_facts'],
  work: importBills,
  undo: undoBillImport,
}
