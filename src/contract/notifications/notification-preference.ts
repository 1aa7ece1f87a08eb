/** Kinds of notifications, and where a person wants to hear of each. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import type { NotificationKind } from './notification.ts'

/** What people may switch on and off, by the work that it speaks of, in the order in which it is shown. */
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
  { value: 'other', label: 'Everything else', help: 'Other work that you started, and what the system has to say' },
]

/** Types by kind; the rest is told by a word of its name. A new type that fits neither counts as other. */
const kindOfType: Readonly<Record<string, NotificationKind>> = {
  generated_report: 'reports',
  accounting_batch_upload_file: 'reports',
  accounting_batch_invoice: 'reports',
  bill_documents: 'reports',
  vendor_bank_change: 'approvals',
  payment_approval: 'approvals',
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

/** Where a person wants to hear of a kind. */
const choice = z.strictObject({ in_app: z.boolean(), mail: z.boolean() })
export type NotificationChoice = z.infer<typeof choice>
export type NotificationPreferences = { readonly [K in NotificationKind]: NotificationChoice }

const standard: NotificationChoice = { in_app: true, mail: false }
/** Whoever signs in as somebody else reads the bell too, but not the mail; what waits for a person must not wait for their next visit. */
const standards: NotificationPreferences = {
  exports: standard,
  imports: standard,
  retrieval: standard,
  reports: standard,
  approvals: { in_app: true, mail: true },
  sign_in: { in_app: true, mail: true },
  other: standard,
}
const storedPreferences = z.object({
  exports: choice.catch(standards.exports),
  imports: choice.catch(standards.imports),
  retrieval: choice.catch(standards.retrieval),
  reports: choice.catch(standards.reports),
  approvals: choice.catch(standards.approvals),
  sign_in: choice.catch(standards.sign_in),
  other: choice.catch(standards.other),
})

/** What is kept of a person's choices, filled up with what holds for whoever has chosen nothing. */
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
        other: choice.optional(),
      }),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), preferences: storedPreferences }),
  }),
}
