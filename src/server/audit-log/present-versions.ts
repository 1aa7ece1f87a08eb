/** Turns versions into readable ones: labels of fields, names instead of ids, dates and money as in the console. */
import type { AuditLogVersion, ChangedField } from '#contract/audit-log/audit-log.ts'
import { titleCase, type Field, type Fields } from '#contract/kernel/entity.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Reach } from '../kernel/principal.ts'
import { registered } from '../kernel/lists/sources.ts'
import { namesOf, type Names, type Wanted } from './record-names.ts'
import { valueWords } from './value-words.ts'

export interface StoredVersion extends Omit<AuditLogVersion, 'item_label' | 'item_name' | 'changes'> {
  /** The kind of account, for a bill that moved between accounts of the same kind. */
  readonly account_type: string | null
}

/** Keys that every row has and the history hides. */
const silentKeys = ['id', 'lock_version', 'created_at', 'updated_at']
/** Keys that hold a record's own name among its changes, used for deleted records. */
const nameKeys = ['account_number', 'name', 'meter_number', 'title', 'email', 'symbol', 'invoice_number', 'vendor_number', 'filename']

export async function presentVersions(tx: Tx, rows: readonly StoredVersion[], reach: Reach): Promise<AuditLogVersion[]> {
  const names = await namesOf(tx, wantedOf(rows), [...new Set(rows.map((row) => row.client_id))], reach)
  return rows.map((row) => {
    const { account_type: _type, ...version } = row
    return { ...version, item_label: labelOf(row.item_type), item_name: nameOf(row, names), changes: changesOf(row, names) }
  })
}

interface Kind {
  readonly plural: string
  readonly label: string
  readonly fields: Fields
}

/** Returns the entity with this name; undefined for an item that is no entity, such as a sign-in. */
function kindOf(itemType: string): Kind | undefined {
  for (const { entity } of registered.values()) {
    if (entity.name !== itemType) continue
    const label = 'label' in entity && typeof entity.label === 'string' ? entity.label : titleCase(itemType)
    return { plural: entity.plural, label, fields: entity.fields }
  }
  return undefined
}

function labelOf(itemType: string): string {
  return kindOf(itemType)?.label ?? titleCase(itemType)
}

function wantedOf(rows: readonly StoredVersion[]): Wanted {
  const wanted = new Map<string, Set<number>>()
  const want = (plural: string | undefined, value: unknown): void => {
    if (plural === undefined) return
    const ids = wanted.get(plural) ?? new Set<number>()
    for (const id of Array.isArray(value) ? value : [value]) if (typeof id === 'number') ids.add(id)
    wanted.set(plural, ids)
  }
  for (const row of rows) {
    const kind = kindOf(row.item_type)
    want(kind?.plural, row.item_id)
    for (const [key, { from, to }] of Object.entries(row.object_changes)) {
      want(referredBy(kind, key, row, 'from'), from)
      want(referredBy(kind, key, row, 'to'), to)
    }
  }
  return wanted
}

/** Returns the plural of the records that a key's ids refer to: from the field, or else from a key such as `division_id` or `division_ids`. */
function referredBy(kind: Kind | undefined, key: string, row: StoredVersion, side: 'from' | 'to'): string | undefined {
  const said = kind?.fields[key]?.refers
  if (said === 'accounts') return accountsOf(row.object_changes['account_type']?.[side] ?? row.account_type)
  if (said !== undefined) return said
  const noun = /^([a-z_]+)_ids?$/.exec(key)?.[1]
  return noun === undefined ? undefined : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** Ids of the two account kinds overlap, so the kind is read from the account type next to it. */
function accountsOf(type: unknown): string | undefined {
  if (type === 'BillableAccount') return 'billable_accounts'
  return type === 'SupplyAccount' ? 'supply_accounts' : undefined
}

function nameOf({ item_type, item_id, object_changes }: StoredVersion, names: Names): string | null {
  const kind = kindOf(item_type)
  const known = kind && item_id !== null ? names.get(kind.plural)?.get(item_id) : undefined
  if (known !== undefined) return known
  for (const key of nameKeys) {
    const changed = object_changes[key]
    const name = changed?.to ?? changed?.from
    if (typeof name === 'string' && name !== '') return name
  }
  return null
}

function changesOf(row: StoredVersion, names: Names): ChangedField[] {
  const kind = kindOf(row.item_type)
  const order = Object.keys(kind?.fields ?? {})
  const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  return Object.entries(row.object_changes)
    .filter(([key]) => !silentKeys.includes(key))
    .toSorted(([one], [other]) => place(one) - place(other) || (one < other ? -1 : 1))
    .map(([key, { from, to }]) => {
      const field = kind?.fields[key]
      const words = (value: unknown, side: 'from' | 'to') => valueWords(field, value, names.get(referredBy(kind, key, row, side) ?? ''))
      return { key, label: fieldLabel(field, key), from: words(from, 'from'), to: words(to, 'to') }
    })
}

function fieldLabel(field: Field<unknown> | undefined, key: string): string {
  return field?.label ?? titleCase(key.replace(/_(id|ids|attributes)$/, ''))
}
