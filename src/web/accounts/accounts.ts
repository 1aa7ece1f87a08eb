/** What billable and supply accounts share: their forms, their place and the cells of their lists. */
export { addressSections, groupLocked, placePickers, ruleSections, ruleSlots, useFacilityStart } from './account-form-parts.tsx'
export { AccountPlace } from './account-place.tsx'
export { accountAt, AccountActions, accountCells, accountColumns, accountLabel } from './account-rows.tsx'
