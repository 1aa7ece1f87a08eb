/** What other slices use of alerts. */
export { AlertTabs } from './alert-tabs.tsx'
