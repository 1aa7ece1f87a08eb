/** The public part of supply accounts. */
export { SupplyAccountHeader } from './supply-account-header.tsx'
export { SupplyAccountTable } from './supply-account-table.tsx'
