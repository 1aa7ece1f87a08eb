/** The public part of the lists and pages of bills. */
export { billActions, billCells, billLabelOf, billPageOf, useBillColumns } from './bill-columns.tsx'
export { BillStatus, FileLinks } from './bill-cells.tsx'
export { ComparedTable } from './compared-table.tsx'
