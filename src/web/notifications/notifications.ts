/** The part of notifications that the profile uses. */
export { NotificationPreferences } from './notification-preferences.tsx'
