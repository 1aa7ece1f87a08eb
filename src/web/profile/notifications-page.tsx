import { NotificationPreferences } from '../notifications/notifications.ts'
import { ProfileFrame } from './profile-frame.tsx'

/** What this person wants to be told, and where. */
export function NotificationsPage() {
  return (
    <ProfileFrame title="Notifications" about="What you want to be told of, and where. Saved as you choose.">
      <NotificationPreferences />
    </ProfileFrame>
  )
}
