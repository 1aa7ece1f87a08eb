/** What other slices use of the bill calendar. */
export { AccountListTabs } from './account-list-tabs.tsx'
