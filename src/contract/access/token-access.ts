/** The limits of an API token: acts that only people do, and writes of a token that only reads. */
import type { Call } from '../kernel/call.ts'
import { permissionsOf } from '../kernel/permission.ts'
import type { ApiToken } from './api-token.ts'

/** Addresses of a user's personal data: sign-ins, passwords, profile, notifications, views, and the tokens themselves. */
const inPerson = [
  '/auth',
  // Payment files hold the account numbers of vendors.
  '/global_batch_files/:id/download',
  '/live',
  '/list_layouts',
  '/notifications',
  '/saved_views',
  '/settings/api_tokens',
  '/users/preferences',
  '/users/profile/',
]

/**
 * Addresses of what only people change: where events are told, who is paid from which account, what is paid or taken back, which payment a line
 * of a bank statement shows, and what a second person decides.
 */
const changedInPerson = [
  '/bank_returns',
  '/bank_statement_lines',
  '/clients/:client_id/payment_batches/:id/approve',
  '/clients/:client_id/payment_batches/:payment_batch_id/vendor_payments/:id/reverse',
  '/clients/:client_id/payment_settings',
  '/export_releases',
  '/global_batches/:id/vendor_payments',
  '/global_batch_bank_value',
  '/global_batches/accounting_export',
  '/global_batches/export',
  '/global_batches/finalize',
  '/global_batches/pay',
  '/originating_profiles',
  '/positive_pay',
  '/settings/webhooks',
  '/vendor_bank_changes',
  '/vendors/import',
]

export type TokenAccess = ApiToken['access']

/** Returns the reason a token may not make this call, or null if it may as far as its user's rights allow. */
export function tokenRefusal(asked: Call, access: TokenAccess): string | null {
  const { may, path, effect, method } = asked
  if (may === 'public' || may === 'signed_url') return null
  if (isInPerson(asked)) return personsOnly
  if (access === 'write' && may !== 'signed_in') return null
  // Some records can be read only with the right to change them.
  const permissions = permissionsOf(may)
  const readable = permissions.length === 0 || permissions.some((permission) => /\.read(_subscription)?$/.test(permission))
  const reads = effect === 'read' && method === 'GET' && readable
  // An export writes only its own file.
  const exports = method === 'GET' && path.endsWith('export_csv') && readable
  // Uploaded bytes without a record are swept; still, an upload is a write.
  const uploads = path === '/direct_upload_url'
  if (uploads ? access === 'write' : reads || exports) return null
  return access === 'read' ? readsOnly : personsOnly
}

/** The refusal of a token where only a person may act. */
export const personsOnly = 'An API token cannot do this: sign in at the console.'
const readsOnly = 'This API token may only read.'

/** Only people may grant rights, pay, be a second person, make webhooks, decide on bank details, and see full bank numbers. */
function isInPerson({ path, may, method, effect }: Call): boolean {
  const grants = permissionsOf(may).some(
    (permission) => (permission.startsWith('user.') && permission !== 'user.read') || permission.startsWith('vendor_bank_detail.'),
  )
  const changesProfile = path.startsWith('/users/profile') && (method !== 'GET' || effect === 'write')
  const decides = effect === 'write' && !path.endsWith('export_csv') && changedInPerson.some((at) => isBelow(path, at))
  return grants || changesProfile || decides || inPerson.some((at) => isBelow(path, at))
}

function isBelow(path: string, at: string): boolean {
  return path === at || path.startsWith(at.endsWith('/') ? at : `${at}/`)
}
