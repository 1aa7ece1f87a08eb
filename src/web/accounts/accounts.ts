/** Shared parts of billable and supply accounts: forms, breadcrumbs and list cells. */
export { addressSections, groupLocked, placePickers, ruleSections, ruleSlots, useFacilityStart } from './account-form-parts.tsx'
export { AccountPlace } from './account-place.tsx'
export { accountAt, AccountActions, accountCells, accountColumns, accountLabel } from './account-rows.tsx'
