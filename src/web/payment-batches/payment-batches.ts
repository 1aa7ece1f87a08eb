/** The front door of vendor batches for other slices. */
export { PaymentAdvice } from './payment-advice.tsx'
export { ReverseDialog } from './reverse-dialog.tsx'
