/** The estate's interface for other slices: accounts, their visibility, and their bills and services. */
export {
  clientBatchScope,
  exportProfileScope,
  vendorBatchScope,
  vendorPaymentScope,
  billableAccountScope,
  budgetScope,
  supplyAccountScope,
  serviceScope,
  billScope,
  facilityScope,
  clientScope,
  clientVendorNumberScope,
  divisionScope,
  batchGroupScope,
  accountScope,
  ledgerAccountScope,
  ledgerFieldScope,
  siteSurveyScope,
} from './estate-scope.ts'
export { isWholeRole } from './whole-role.ts'
export { chosenBills } from './chosen-bills.ts'
export { lastBillFiles } from './last-bill-files.ts'
export {
  accountTables,
  type AccountKind,
  accountColumns,
  accountJoins,
  byAlias,
  byWhateverIsKnown,
  refuseUsed,
  settingsColumn,
} from './estate-accounts.ts'
export { accountFileColumns } from './account-file-columns.ts'
export { addAlias, saveAliases } from './account-aliases.ts'
export { isPayable, billCountsColumn, isOwed, owedAmount } from './owed-bills.ts'
export { paidTwice, paidTwiceText } from './paid-twice.ts'
export { foundAccounts, bareText, foundBy, lettersAndDigitsOnly } from './estate-found-accounts.ts'
export { accountMatch, aliasesColumn, groupColumn, textsColumn } from './estate-account-import.ts'
export { copyAccountsToBills, copyAccountToBills, copyDivisionToBills, copyDivisionsToBills } from './estate-copies.ts'
export { serviceImportPart } from './estate-service-import.ts'
export { accountRules } from './estate-account-rules.ts'
export { lockAccounts, keepLastBills, type BilledAccounts } from './last-bills.ts'
export { startEntryFields } from './estate-entry-fields.ts'
export { serviceRules } from './estate-service-rules.ts'
