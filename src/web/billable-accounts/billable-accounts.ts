/** The public part of billable accounts. */
export { AccountHeader } from './account-header.tsx'
export { AccountTable } from './account-table.tsx'
