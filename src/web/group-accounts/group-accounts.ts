/** The public part of group accounts. */
export { GroupAccountHeader, GroupSupplyAccountHeader } from './group-header.tsx'
