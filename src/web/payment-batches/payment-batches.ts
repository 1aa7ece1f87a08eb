/** The front door of vendor batches for other slices. */
export { parseReason, reasonFrom, reasonOf, reasonOptions, type DifferenceReason } from './difference-reason.ts'
export { PaymentAdvice } from './payment-advice.tsx'
export { ReverseDialog } from './reverse-dialog.tsx'
