/** The public part of the bill calendar. */
export { AccountListTabs } from './account-list-tabs.tsx'
