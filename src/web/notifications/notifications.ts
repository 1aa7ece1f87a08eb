/** What the profile uses of notifications. */
export { NotificationPreferences } from './notification-preferences.tsx'
