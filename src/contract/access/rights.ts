/** The rights of the seven roles, cell by cell, and what a client's subscription switches off. This file is the whole access policy. */
import { models, type Action, type Model, type PermissionMap } from '../kernel/permission.ts'

/** Ordered by rank: a user cannot grant a role above their own. */
export const roleNames = [
  'super_admin',
  'muc_admin',
  'channel_partner_admin',
  'client_admin',
  'client_manager',
  'client_user',
  'read_only_user',
] as const
export type RoleName = (typeof roleNames)[number]

/** A user with one of these roles is more than a user of a client. */
export const staffRoles: readonly RoleName[] = ['super_admin', 'muc_admin', 'channel_partner_admin']
/** Roles that reach every client unless their row names some (G-MUC-SCOPE). */
export const providerRoles: readonly RoleName[] = ['super_admin', 'muc_admin']

/** C create, R read, U update, D destroy, S read_subscription; a dash is none. Columns in the order of roleNames. */
const matrix: Readonly<Record<Model, string>> = {
  client: 'CRUDS CRUS CRUS RS R R R',
  division: 'CRUD CRUD CRUD CRUD CRU R R',
  facility: 'CRUD CRUD CRUD CRUD CRU R R',
  billable_account: 'CRUD CRUD CRUD CRU CRU R R',
  supply_account: 'CRUD CRUD CRUD CRU CRU R R',
  service: 'CRUD CRUD CRUD CRU CRU R R',
  bill: 'CRUD CRUD CRUD CRU CRU CRU R',
  bill_document: 'CRUD CRUD CRUD CRUD CRU CR R',
  bill_notes: 'CRUD CRUD CRUD CRU CRU CRU -',
  accounting_batch: 'CRUD CRUD CRUD CRU CRU R R',
  payment_batch: 'CRUD CRUD CRU CRU R - -',
  // Reversing payments. The reversals are read with the payment.
  payment_reversal: 'C C - - - - -',
  ledger_field: 'CRUD CRUD CRUD CRUD CRU R R',
  ledger_account: 'CRUD CRUD CRUD CRUD CRU R R',
  generated_report: 'CRUD CRUD CRUD CRUD CRUD CRD R',
  site_survey: 'CRUD CRUD CRUD CRUD CRU CRU R',
  advanced_search: 'R R R R R R R',
  user: 'CRUD CRUD CRUD CRUD R - -',
  channel_partner: 'CRUD CRU RU - - - -',
  vendor: 'CRUD CRUD R R R R R',
  // R shows full numbers, U approves and refuses requests of other users.
  vendor_bank_detail: 'RU RU - - - - -',
  utility_service: 'CRUD CRU R R R R R',
  setting: 'CRUD CRU R - - - -',
  // Messages to programs about a client, or about all.
  webhook: 'CRUD CRUD - - - - -',
  global_batch: 'CRUD CRUD - - - - -',
}

const letters: Readonly<Record<string, Action>> = { C: 'create', R: 'read', U: 'update', D: 'destroy', S: 'read_subscription' }

/** Returns the rights of a role anywhere in its scope. */
export function permissionsOfRole(role: RoleName): PermissionMap {
  const column = roleNames.indexOf(role)
  const map: Partial<Record<Model, Action[]>> = {}
  for (const model of models) {
    const cell = matrix[model].split(' ')[column] ?? '-'
    const held = cell.split('').flatMap((letter) => letters[letter] ?? [])
    if (held.length > 0) map[model] = held
  }
  return map
}

export interface SubscriptionFlags {
  readonly user_management: boolean
  readonly utility_payment_management: boolean
  readonly accounting_batch_management: boolean
  readonly ledger_account_management: boolean
}

/** Returns the models that a client's subscription switches off. User management is switched off for the client's own users only. */
export function maskedModels(flags: SubscriptionFlags, clientOnly: boolean): Model[] {
  return [
    ...(flags.accounting_batch_management ? [] : ['accounting_batch' as const]),
    ...(flags.utility_payment_management ? [] : (['payment_batch', 'payment_reversal'] as const)),
    ...(flags.ledger_account_management ? [] : ['ledger_field' as const, 'ledger_account' as const]),
    ...(flags.user_management || !clientOnly ? [] : ['user' as const]),
  ]
}

export function isRoleName(name: string): name is RoleName {
  return roleNames.some((role) => role === name)
}
