/** Kinds of notifications, and a user's channels for each. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import type { NotificationKind } from './notification.ts'

/** The kinds that users may switch on and off, by subject, in display order. */
export const notificationKinds: readonly { readonly value: NotificationKind; readonly label: string; readonly help: string }[] = [
  { value: 'exports', label: 'Exports', help: 'A CSV file that you asked for is ready, or could not be made' },
  { value: 'imports', label: 'Imports', help: 'Rows or statements that you imported were taken, or refused' },
  { value: 'retrieval', label: 'Bill retrieval', help: 'Statements were fetched from the retrieval service' },
  { value: 'reports', label: 'Reports and documents', help: 'A report, an upload file, an invoice or a set of bill documents is ready' },
  {
    value: 'approvals',
    label: 'Approvals',
    help: 'Bank details of a vendor or a vendor batch wait for your approval, or somebody has decided on what you asked for',
  },
  { value: 'sign_in', label: 'Sign-in alerts', help: 'Somebody signed in as you from a new place, or a sign-in was ended' },
  {
    value: 'security',
    label: 'Security alarms',
    help: 'Many failed sign-ins, denials or revealed bank numbers, for administrators',
  },
  { value: 'other', label: 'Everything else', help: 'Other work that you started, and what the system has to say' },
]

/** Types by kind; other types are recognised by a word in their name. A new type that matches neither counts as other. */
const kindOfType: Readonly<Record<string, NotificationKind>> = {
  generated_report: 'reports',
  accounting_batch_upload_file: 'reports',
  accounting_batch_invoice: 'reports',
  bill_documents: 'reports',
  vendor_bank_change: 'approvals',
  payment_approval: 'approvals',
  security_alarm: 'security',
}
const kindOfWord: readonly (readonly [RegExp, NotificationKind])[] = [
  [/import/, 'imports'],
  [/export/, 'exports'],
  [/retrieval|statement/, 'retrieval'],
  [/sign_in|session/, 'sign_in'],
  [/report|document/, 'reports'],
]

export function kindOfNotification(type: string): NotificationKind {
  return kindOfType[type] ?? kindOfWord.find(([word]) => word.test(type))?.[1] ?? 'other'
}

/** A user's channels for a kind. */
const choice = z.strictObject({ in_app: z.boolean(), mail: z.boolean() })
export type NotificationChoice = z.infer<typeof choice>
export type NotificationPreferences = { readonly [K in NotificationKind]: NotificationChoice }

const standard: NotificationChoice = { in_app: true, mail: false }
/**
 * Sign-ins and alarms are also mailed: an intruder who uses the account reads the bell, but not the mail. Approvals are mailed because they must not wait
 * for the user's next visit.
 */
const standards: NotificationPreferences = {
  exports: standard,
  imports: standard,
  retrieval: standard,
  reports: standard,
  approvals: { in_app: true, mail: true },
  sign_in: { in_app: true, mail: true },
  security: { in_app: true, mail: true },
  other: standard,
}
const storedPreferences = z.object({
  exports: choice.catch(standards.exports),
  imports: choice.catch(standards.imports),
  retrieval: choice.catch(standards.retrieval),
  reports: choice.catch(standards.reports),
  approvals: choice.catch(standards.approvals),
  sign_in: choice.catch(standards.sign_in),
  security: choice.catch(standards.security),
  other: choice.catch(standards.other),
})

/** Returns a user's stored choices, completed by the defaults. */
export function notificationPreferencesOf(stored: unknown): NotificationPreferences {
  const found = storedPreferences.safeParse(stored)
  return found.success ? found.data : standards
}

const preferencesReply = z.object({ preferences: storedPreferences })

export const notificationPreferenceCalls = {
  preferences: call({
    name: 'notifications.preferences',
    method: 'GET',
    path: '/notifications/preferences',
    may: 'signed_in',
    summary: 'Where the signed-in user wants to hear of each kind: in the console, by mail, or not at all',
    reply: preferencesReply,
  }),
  savePreferences: call({
    name: 'notifications.save_preferences',
    method: 'PUT',
    path: '/notifications/preferences',
    may: 'signed_in',
    summary: 'Changes it for the kinds that are named',
    body: z.strictObject({
      preferences: z.strictObject({
        exports: choice.optional(),
        imports: choice.optional(),
        retrieval: choice.optional(),
        reports: choice.optional(),
        approvals: choice.optional(),
        sign_in: choice.optional(),
        security: choice.optional(),
        other: choice.optional(),
      }),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), preferences: storedPreferences }),
  }),
}
