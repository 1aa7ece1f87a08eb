import type { GroupKind, GroupParams } from './group-kinds.ts'
import { useAccountsById } from './use-accounts-by-id.ts'

/** Number of account numbers listed before the rest is only counted. */
const NUMBERS_SHOWN = 20

/** Names accounts by their numbers, for sentences about several accounts. */
export function SubaccountNames({ kind, params, ids }: { kind: GroupKind; params: GroupParams; ids: readonly number[] }) {
  const { data = [] } = useAccountsById(kind, params, ids)
  if (ids.length === 0) return 'None'
  const numbers = new Map(data.map((account) => [account.id, account.account_number]))
  const shown = ids.slice(0, NUMBERS_SHOWN).map((id) => numbers.get(id) ?? `#${id}`)
  const more = ids.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
