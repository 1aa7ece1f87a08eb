/** Every text that the specification gives word for word, in one place, and our own texts where it gives none. */

import { exportStartedMessage } from '#contract/tasks/task.ts'

/** Seconds for which notices are visible (G-TOAST-DURATION). 0 stays until closed. */
export const seconds = {
  usual: 0.8,
  list_export: 0.8,
  live: 0.8,
  live_error: 0,
  batch: 2,
  import: 3,
  password_reset: 3,
  payment_type: 5,
  /** The maximum duration of a notice. It pauses under the pointer, and the history of bulk changes offers the undo too. */
  undo: 5,
} as const

export const messages = {
  // Sign-in and passwords
  sign_in_error: 'Sign In Error',
  sign_out_error: 'Sign Out Error',
  sign_out_question: 'Are you sure you want to sign out?',
  password_reset_requested: 'Password reset request received',
  password_reset_request_failed: 'There was an error with the request',
  password_reset: 'Your password has been reset',
  password_reset_next: 'Please login with your new password',
  password_update_failed: 'There was an error updating your password',
  password_email_sent: 'Password reset email sent',

  // Results of requests
  success: 'Success',
  error: 'Error',
  unknown_error: 'Unknown error: Could not parse server response',
  request_error: 'Request error',
  response_error: 'Response error',
  ledger_field_error: 'Ledger Field Error',
  an_error_occurred: 'An error occurred.',

  // Deleting
  delete_question: 'Do you want to delete this record? This action cannot be undone.',
  delete_user_role_question: 'Are you sure you want to delete this user role?',
  delete_client_vendor_number_question: 'Are you sure you want to delete this Client Vendor Number?',
  user_role_deleted: 'User role deleted',
  client_vendor_number_deleted: 'Deleted Client Vendor Number',
  client_vendor_number_delete_failed: 'There was an error deleting the Client Vendor Number',

  // Documents, exports, imports
  document_save_failed: 'Unable to create document...',
  users_export_started: 'Users export started',
  client_vendor_numbers_export_started: 'Client Vendor Numbers export started',
  import_started: 'Starting Import Process',
  import_successful: 'Import successful! The import has been made successfully.',

  // Client batches
  upload_file_started: 'Upload file generation started',
  invoice_pdf_started: 'Invoice PDF generation started',
  invoice_csv_started: 'Invoice CSV generation started',
  sync_failed: 'There was a problem syncing. Please try again.',
  vendor_payment_deleted: 'Deleted Vendor Payment',
  vendor_payment_delete_failed: 'There was an error deleting the Vendor Payment',
  new_bills_failed: 'There was a problem fetching new bills. Please try again.',

  // Shell
  select_a_client: 'Select a Client',
  search_by_client: 'Search by Client',
  select_client_from_dropdown: 'Please select a client from the dropdown',
  missing_batch_group_name: 'Missing Batch Group Name',
  search_error: 'Search Error',
} as const

/** Our own texts, where the specification names a text without giving it (G-RESET-MSG). */
export const ownMessages = {
  ledger_fields_missing: 'The ledger fields of this client could not be loaded.',
  admin_view: 'Admin View',
  password_reset_description: 'If an account exists for this email, a link to set a new password will be sent to it.',
  account_confirmed: 'Your account was confirmed. Enter your email to set a password.',
  import_warning: 'Check the file before you import it: incorrect data may still import.',
  unsaved_question: 'This form has changes that are not saved. Leave it and lose them?',
  draft_restored: 'What you had typed was restored.',
  offline: 'You are offline. What you see may be old, and nothing can be saved until the connection is back.',
  server_unreachable: 'The server cannot be reached. Trying again…',
  no_clients: 'No client fits.',
} as const

/** 'Vendors export started', or the specification's own text for a list, which the server uses too. */
export function exportStarted(labels: string, plural = labels.toLowerCase()): string {
  return exportStartedMessage(plural, labels)
}
