/** A user's channels for each kind of notification. They are stored in the user's preferences, so they are deleted with the user. */
import {
  notificationPreferencesOf,
  type NotificationChoice,
  type NotificationPreferences,
} from '#contract/notifications/notification-preference.ts'
import type { NotificationKind } from '#contract/notifications/notification.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/problem.ts'

type Changes = { readonly [K in NotificationKind]?: NotificationChoice | undefined }

export async function readPreferences(context: Context): Promise<{ preferences: NotificationPreferences }> {
  const { rows } = await sql<{
    stored: unknown
  }>`select preferences -> 'notifications' as stored from users where id = ${context.principal.user_id}`.execute(context.tx)
  if (!rows[0]) throw notFound()
  return { preferences: notificationPreferencesOf(rows[0].stored) }
}

/** The row is changed in one statement, so that two windows do not overwrite each other. */
export async function savePreferences(context: Context, changes: Changes) {
  const { rows } = await sql<{ stored: unknown }>`update users
    set preferences = preferences || jsonb_build_object('notifications', coalesce(preferences -> 'notifications', '{}') || ${JSON.stringify(changes)}::jsonb)
    where id = ${context.principal.user_id} returning preferences -> 'notifications' as stored`.execute(context.tx)
  if (!rows[0]) throw notFound()
  return { success: true, message: 'Notification preferences saved', preferences: notificationPreferencesOf(rows[0].stored) }
}
