/** What other slices use of supply accounts. */
export { SupplyAccountHeader } from './supply-account-header.tsx'
export { SupplyAccountTable } from './supply-account-table.tsx'
