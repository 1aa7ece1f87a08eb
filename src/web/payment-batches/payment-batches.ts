/** What other slices use of vendor batches. */
export { ReverseDialog } from './reverse-dialog.tsx'
