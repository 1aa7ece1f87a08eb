/** What client batches and vendor batches have in common: choosing bills, waiting bills, and the path of states. */
import styles from './batches.module.css'

export { hiddenTicks, matchingBills, sortedBills } from './sorted-bills.ts'
export { StatePath, type BatchStep } from './state-path.tsx'
export { WaitingBills } from './waiting-bills.tsx'
export const batchStyles = styles
