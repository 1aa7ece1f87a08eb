/** The part of bulk changes that lists use. */
export { bodyOf } from './rows-meant.ts'
export { useAccountBulk } from './account-bulk.tsx'
export { useBillBulk } from './use-bill-bulk.tsx'
