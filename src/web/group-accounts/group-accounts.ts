/** What other slices use of group accounts. */
export { GroupAccountHeader, GroupSupplyAccountHeader } from './group-header.tsx'
