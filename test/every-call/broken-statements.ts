/** The present state of the forms of statements, which a change may only improve. */

/** Tables with a client that Citus would not distribute: scopes of roles are reference tables, and the others stay on the coordinator. */
export const undistributed =
  /^(user_role_\w+|tasks|imports|import_\w+|webhooks|webhook_\w+|notifications|saved_views|list_layouts|security_events|data_versions|raised_versions)$/

/**
 * Names of statements about one client that break a form, counted by the file that sends them and what is broken; the goal is 0. Most are
 * columns of lists with a query inside that is tied to the row: a column does not know yet whether its list is of one client.
 */
export const brokenOfOneClientMax = 325

/** The statements about all clients, and about tables without one, that break a form. They cannot name a client; the time is theirs to change. */
export const brokenOfAllClients: ReadonlySet<string> = new Set([
  'access/opened-sign-ins.ts: the time of the database in a change',
  'access/password-changes.ts: the time of the database in a change',
  'access/sign-in-brake.ts: the time of the database in a change',
  'access/ties.ts: a select without columns under a limit',
  'bank-returns/apply-returns.ts: locks rows by bare ids',
  'bill-audits/bill-audits.ts: the time of the database in a change',
  'bill-scans/read-scan.ts: locks rows by bare ids',
  'bulk-changes/undo-change.ts: a select without columns under a limit',
  'channel-partners/channel-partners.ts: a select without columns under a limit',
  'channel-partners/channel-partners.ts: the time of the database in a change',
  'clients/clients.ts: the time of the database in a change',
  'documents/documents.ts: locks rows by bare ids',
  'estate/last-bill-files.ts: lateral over pairs of clients and ids',
  'global-batches/accounting-export.ts: locks rows by bare ids',
  'global-batches/chosen-batches.ts: locks rows by bare ids',
  'global-batches/export-data.ts: locks rows by bare ids',
  'global-batches/release-rules.ts: rows from JSON in an update',
  'global-batches/save-batch.ts: locks rows by bare ids',
  'imports/import-record.ts: locks rows by bare ids',
  'imports/outcomes.ts: the time of the database in a change',
  'imports/receive-file.ts: the time of the database in a change',
  'imports/run-import.ts: the time of the database in a change',
  'issued-checks/check-entries.ts: locks rows by bare ids',
  'issued-checks/positive-pay.ts: rows from JSON in an update',
  'issued-checks/record-numbers.ts: locks rows by bare ids',
  'kernel/imports/restore-changed.ts: the time of the database in a change',
  'kernel/lists/list.ts: locks rows by bare ids',
  'kernel/lists/save.ts: the time of the database in a change',
  'kernel/work/end-mail.ts: the time of the database in a change',
  'kernel/work/mail.ts: the time of the database in a change',
  'kernel/work/task-calls.ts: the time of the database in a change',
  'kernel/work/task.ts: the time of the database in a change',
  'list-layouts/list-layouts.ts: the time of the database in a change',
  'machinery.ts: a select without columns under a limit',
  'mails/mails.ts: the time of the database in a change',
  'notifications/bell-notifications.ts: the time of the database in a change',
  'payment-batches/remittance-advices.ts: locks rows by bare ids',
  'reports/schedule-failures.ts: locks rows by bare ids',
  'reports/schedule-runs.ts: locks rows by bare ids',
  'uploads/receive-upload.ts: the time of the database in a change',
  'uploads/uploads.ts: the time of the database in a change',
  'users/remove-second-factor.ts: a select without columns under a limit',
  'users/save-user.ts: a select without columns under a limit',
  'users/save-user.ts: the time of the database in a change',
  'users/super-admins.ts: the time of the database in a change',
  'users/user-roles.ts: the time of the database in a change',
  'vendors/decide-bank-changes.ts: the time of the database in a change',
  'vendors/end-bank-changes.ts: the time of the database in a change',
  'vendors/vendors.ts: the time of the database in a change',
  'webhooks/note-attempt.ts: the time of the database in a change',
  'webhooks/orphaned-webhooks.ts: locks rows by bare ids',
  'webhooks/send-deliveries.ts: locks rows by bare ids',
  'webhooks/send-deliveries.ts: the time of the database in a change',
  'webhooks/webhook-deliveries.ts: the time of the database in a change',
  'webhooks/webhooks.ts: locks rows by bare ids',
  'webhooks/webhooks.ts: the time of the database in a change',
])

/** Statements of all clients that may come in addition: a text that two files send is named by the one that is first. */
export const unnamedMax = 5
