/** Describes a role in words for the person who grants it. The words are derived from the policy, so that they cannot differ from it. */
import { modelsNeverNarrowed, rightsWithin, type Action, type Model } from '#contract/kernel/permission.ts'
import { permissionsOfRole, providerRoles, type RoleName } from '#contract/access/rights.ts'
import { roleLabels } from '#contract/users/user-role.ts'

/** Areas of models that people regard as one thing, in the order of interest. All models of an area have the same rights. */
export const areas: readonly Area[] = [
  { label: 'Clients', words: ['clients'], models: ['client'] },
  { label: 'Divisions and facilities', words: ['divisions', 'facilities'], models: ['division', 'facility'] },
  { label: 'Accounts and services', words: ['accounts', 'services'], models: ['billable_account', 'supply_account', 'service'] },
  { label: 'Bills', words: ['bills'], models: ['bill'] },
  { label: 'Bill documents', words: ['bill documents'], models: ['bill_document'] },
  { label: 'Bill notes', words: ['bill notes'], models: ['bill_notes'] },
  { label: 'Client batches', words: ['client batches'], models: ['accounting_batch'] },
  { label: 'Vendor batches', words: ['vendor batches'], models: ['payment_batch'] },
  { label: 'Payment reversals', words: ['payment reversals'], models: ['payment_reversal'] },
  { label: 'Ledger fields and accounts', words: ['ledgers'], models: ['ledger_field', 'ledger_account'] },
  { label: 'Global batches', words: ['global batches'], models: ['global_batch'] },
  { label: 'Generated reports', words: ['reports'], models: ['generated_report'] },
  { label: 'Site surveys', words: ['site surveys'], models: ['site_survey'] },
  { label: 'Users and their roles', words: ['users'], models: ['user'] },
  {
    label: 'Channel partners',
    words: ['channel partners'],
    ofPartner: ['the name and logo of their channel partner'],
    models: ['channel_partner'],
  },
  { label: 'Vendors', words: ['vendors'], models: ['vendor'] },
  { label: 'Bank details of vendors', words: ['bank details of vendors'], models: ['vendor_bank_detail'] },
  { label: 'Utility services', words: ['utility services'], models: ['utility_service'] },
  { label: 'Settings and audit log', words: ['settings'], ofPartner: ['the audit log of their clients'], models: ['setting'] },
  { label: 'Webhooks', words: ['webhooks'], models: ['webhook'] },
  // Everybody has it, within what they reach: the sentence leaves it out.
  { label: 'Advanced search', words: [], models: ['advanced_search'] },
]

interface Area {
  /** Label in the table of rights. */
  readonly label: string
  /** Words used for this area in the role's summary sentence. */
  readonly words: readonly string[]
  /** The same words for a channel partner's administrator, whose reach is limited to the partner. */
  readonly ofPartner?: readonly string[]
  readonly models: readonly Model[]
}

/** The four actions that the sentence and the table distinguish, in the order of the verbs. */
export const verbs = [
  { action: 'read', word: 'read' },
  { action: 'create', word: 'create' },
  { action: 'update', word: 'change' },
  { action: 'destroy', word: 'delete' },
] as const satisfies readonly { action: Action; word: string }[]

/** The names chosen in a role row, as far as they are known. */
export interface RoleScopeWords {
  readonly clients: readonly string[]
  readonly partner: string | null
  readonly narrowedTo: readonly { readonly noun: string; readonly nouns: string; readonly names: readonly string[] }[]
}

/** Whether a role row names parts within its clients. */
export function isNarrowed(scope: RoleScopeWords): boolean {
  return scope.narrowedTo.some(({ names }) => names.length > 0)
}

/** Returns the rights of a role with this scope, model by model, without those beyond its reach. */
export function rightsOf(role: RoleName, scope: RoleScopeWords): ReadonlyMap<Model, readonly Action[]> {
  const map = rightsWithin(permissionsOfRole(role), {
    everyClient: providerRoles.includes(role) && scope.clients.length === 0,
    wholePartner: role === 'channel_partner_admin',
    narrowed: isNarrowed(scope),
  })
  return new Map(areas.flatMap(({ models }) => models.flatMap((model) => (map[model] ? [[model, map[model]] as const] : []))))
}

/** Returns 'Client Manager in Harbor Foods and Bay Foods'. */
export function reachSentence(role: RoleName, scope: RoleScopeWords): string {
  return `${roleLabels[role]} ${whereWords(role, scope)}${narrowWords(scope)}`
}

function whereWords(role: RoleName, { clients, partner }: RoleScopeWords): string {
  if (role === 'channel_partner_admin')
    return partner ? `for the clients of ${partner}` : 'for the clients of a channel partner yet to be chosen'
  if (clients.length > 0) return `in ${namesOrCount(clients, 'clients')}`
  if (role === 'super_admin' || role === 'muc_admin') return 'in every client'
  return 'in a client yet to be chosen'
}

function narrowWords(scope: RoleScopeWords): string {
  const parts = scope.narrowedTo.filter(({ names }) => names.length > 0)
  if (parts.length === 0) return ''
  const words = parts.map(({ noun, nouns, names }) => (names.length === 1 ? `the ${noun} ${names[0]}` : `${names.length} ${nouns}`))
  return `, only in ${joined(words)} and what lies below`
}

/** Up to this many names are listed; more are counted. */
const NAMES_SAID = 3

function namesOrCount(names: readonly string[], nouns: string): string {
  return names.length > NAMES_SAID ? `${names.length} ${nouns}` : joined(names)
}

/** Returns 'may create, change and delete bills; create and change divisions; read vendors.' */
export function rightsSentence(role: RoleName, scope: RoleScopeWords): string {
  const held = rightsOf(role, scope)
  const byVerbs = new Map<string, string[]>()
  for (const area of areas) {
    const words = verbsOf(area.models, held)
    if (words) byVerbs.set(words, [...(byVerbs.get(words) ?? []), ...wordsOf(area, role)])
  }
  const clauses = [...byVerbs]
    .filter(([, labels]) => labels.length > 0)
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([words, labels]) => `${words} ${joined(labels)}`)
  return clauses.length === 0 ? 'may do nothing.' : `may ${clauses.join('; ')}.`
}

function wordsOf({ words, ofPartner }: Area, role: RoleName): readonly string[] {
  return role === 'channel_partner_admin' ? (ofPartner ?? words) : words
}

/** Returns the verbs that all models of an area share; "read" is left out if there are others. */
function verbsOf(models: readonly Model[], held: ReadonlyMap<Model, readonly Action[]>): string {
  const shared = verbs.filter(({ action }) => models.every((model) => held.get(model)?.includes(action)))
  const beyond = shared.filter(({ action }) => action !== 'read')
  return joined((beyond.length > 0 ? beyond : shared).map(({ word }) => word))
}

/** Returns a note on the role's rights that the narrowing removes, or undefined. */
export function narrowingNote(role: RoleName, scope: RoleScopeWords): string | undefined {
  if (!isNarrowed(scope)) return undefined
  const map = permissionsOfRole(role)
  const lost = areas.filter(({ models }) => models.some((model) => modelsNeverNarrowed.includes(model) && map[model]))
  return lost.length === 0
    ? undefined
    : `Without ${joined(lost.flatMap(({ words }) => words))}: they hold bills of the whole client, and this role is narrowed.`
}

/** Returns 'one', 'one and two' or 'one, two and three'. */
export function joined(words: readonly string[]): string {
  const last = words.at(-1)
  return last === undefined || words.length < 2 ? (last ?? '') : `${words.slice(0, -1).join(', ')} and ${last}`
}
