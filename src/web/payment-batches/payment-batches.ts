/** The front door of vendor batches for other slices. */
export { ReverseDialog } from './reverse-dialog.tsx'
