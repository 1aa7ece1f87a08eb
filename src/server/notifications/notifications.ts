/** The bell, notification preferences, and the live channel. */
import { notificationPreferenceCalls } from '#contract/notifications/notification-preference.ts'
import { liveCalls, notificationCalls } from '#contract/notifications/notification.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Live } from '../kernel/work/live.ts'
import { listNotifications, markAllRead, markRead, markSeen } from './bell-notifications.ts'
import { readPreferences, savePreferences } from './notification-preferences.ts'

export { notificationMail } from './notification-mail.ts'

/** Users read and mark only their own notifications, so no permission is needed. */
export function notificationHandlers(live: Live): Handler[] {
  return [
    handle(notificationCalls.list, (context, { query }) => listNotifications(context, query)),
    handle(notificationCalls.seen, (context, { body }) => markSeen(context, body.up_to_id)),
    handle(notificationCalls.read, (context, { params }) => markRead(context, params.id)),
    handle(notificationCalls.readAll, (context, { body }) => markAllRead(context, body.up_to_id)),
    handle(notificationPreferenceCalls.preferences, readPreferences),
    handle(notificationPreferenceCalls.savePreferences, (context, { body }) => savePreferences(context, body.preferences)),
    handle(liveCalls.stream, async (context, { query, http }) =>
      live.open(context.principal, query.connection_id, http.request, http.reply),
    ),
  ]
}
