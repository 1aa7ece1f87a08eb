/** The public part of alerts. */
export { AlertTabs } from './alert-tabs.tsx'
