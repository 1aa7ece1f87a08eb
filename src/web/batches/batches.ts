/** Shared parts of client batches and vendor batches: selecting bills, waiting bills, and the steps of a batch. */
import styles from './batches.module.css'

export { dueNowText } from './due-now.ts'
export { hiddenTicks, matchingBills, sortedBills } from './sorted-bills.ts'
export { StatePath, type BatchStep } from './state-path.tsx'
export { WaitingBills } from './waiting-bills.tsx'
export const batchStyles = styles
