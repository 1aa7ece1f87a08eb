import { NotificationPreferences } from '../notifications/notifications.ts'
import { ProfileFrame } from './profile-frame.tsx'

/** The kinds of notifications that the user wants, and their channels. */
export function NotificationsPage() {
  return (
    <ProfileFrame title="Notifications" about="What you want to be told of, and where. Saved as you choose.">
      <NotificationPreferences />
    </ProfileFrame>
  )
}
