/** What lists use of bulk changes. */
export { bodyOf } from './rows-meant.ts'
export { useAccountBulk } from './account-bulk.tsx'
export { useBillBulk } from './use-bill-bulk.tsx'
