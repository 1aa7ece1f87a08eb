/** The rights that calls may require: the models and actions of the permission map, and the one function that decides. */

export const models = [
  'client',
  'division',
  'facility',
  'billable_account',
  'supply_account',
  'bill',
  'user',
  'channel_partner',
  'vendor',
  'vendor_bank_detail',
  'utility_service',
  'global_batch',
  'setting',
  'webhook',
  'accounting_batch',
  'payment_batch',
  'payment_reversal',
  'ledger_field',
  'ledger_account',
  'generated_report',
  'advanced_search',
  'bill_document',
  'bill_notes',
  'site_survey',
  'service',
] as const
export type Model = (typeof models)[number]

/** Models that contain or reveal other people's bills: a role that is narrowed inside a client never reaches them (domain rule 3). */
export const modelsNeverNarrowed: readonly Model[] = [
  'accounting_batch',
  'payment_batch',
  'payment_reversal',
  'global_batch',
  'ledger_field',
  'ledger_account',
  'webhook',
]

/** Models whose records belong to no client: they are everybody's, so only who reaches every client changes them. */
export const modelsOfNoClient: readonly Model[] = ['vendor', 'vendor_bank_detail', 'utility_service', 'channel_partner', 'setting']

/** How far the role reaches that a right comes from. */
export interface Extent {
  /** Every client that there is and will be. */
  readonly everyClient: boolean
  /** The clients of a channel partner, of which more may come. */
  readonly wholePartner: boolean
  /** A part of its clients only. */
  readonly narrowed: boolean
}

export const actions = ['read', 'create', 'update', 'destroy', 'read_subscription'] as const
export type Action = (typeof actions)[number]
export type Permission = `${Model}.${Action}`

/** `public` needs no sign-in, `signed_url` is proven by its address, `signed_in` requires nothing more; of a list any one suffices. */
export type May = 'public' | 'signed_url' | 'signed_in' | Permission | readonly Permission[]

/** The permission map on the wire: each model with the allowed actions. */
export type PermissionMap = Readonly<Partial<Record<Model, readonly Action[]>>>

/** Whether a permission map allows one permission. The console and the server use the same function. */
export function allows(map: PermissionMap, permission: Permission): boolean {
  const { model, action } = partsOf(permission)
  return map[model]?.includes(action) ?? false
}

/** Whether a signed-in user with this map fulfils `may`. */
export function mayDo(map: PermissionMap, may: May): boolean {
  if (may === 'public' || may === 'signed_url' || may === 'signed_in') return true
  const permissions = typeof may === 'string' ? [may] : may
  return permissions.some((permission) => allows(map, permission))
}

/**
 * Returns the rights of a role that hold within its reach. A record without a client needs a reach over all clients, and a setting of a
 * whole client needs a reach over the whole client. Server, console and documents all use this function.
 */
export function rightsWithin(map: PermissionMap, extent: Extent): PermissionMap {
  const left: Partial<Record<Model, readonly Action[]>> = {}
  for (const model of models) {
    const held = (map[model] ?? []).filter((action) => isHeldWithin(model, action, extent))
    if (held.length > 0) left[model] = held
  }
  return left
}

function isHeldWithin(model: Model, action: Action, { everyClient, wholePartner, narrowed }: Extent): boolean {
  if (narrowed && modelsNeverNarrowed.includes(model)) return false
  // A narrowed role reads the name of the client above it, and nothing that concerns the whole client.
  if (narrowed && model === 'client') return action === 'read'
  if (everyClient && !narrowed) return true
  // A new client lies in nobody's reach but theirs who reach all, or all of its partner.
  if (model === 'client' && action === 'create') return wholePartner && !narrowed
  if (!modelsOfNoClient.includes(model)) return true
  // Full bank numbers are read by nobody who may not change them.
  if (model === 'vendor_bank_detail') return false
  return action === 'read' || (model === 'channel_partner' && action === 'update' && wholePartner && !narrowed)
}

/** Splits `vendor.read` into its model and its action. */
export function partsOf(permission: Permission): { model: Model; action: Action } {
  const dot = permission.indexOf('.')
  const model = models.find((name) => name === permission.slice(0, dot))
  const action = actions.find((name) => name === permission.slice(dot + 1))
  if (!model || !action) throw new Error(`not a permission: ${permission}`)
  return { model, action }
}

/** Returns the permissions of `may`; none for the three words that are no permission. */
export function permissionsOf(may: May): readonly Permission[] {
  if (may === 'public' || may === 'signed_url' || may === 'signed_in') return []
  return typeof may === 'string' ? [may] : may
}
