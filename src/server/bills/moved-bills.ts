/** Bills that the save or delete of another bill moves: each gets its own row in the trail. */
import type { AuditEntry } from '../kernel/audit.ts'

export interface Moved {
  readonly id: number
  readonly from: number | null
  readonly to: number | null
}

export function movedEntries(clientId: number, key: 'bill_id' | 'superseded_by_id', moved: readonly Moved[]): AuditEntry[] {
  return moved
    .filter(({ from, to }) => from !== to)
    .map(({ id, from, to }) => ({ event: 'update', item_type: 'bill', item_id: id, client_id: clientId, changes: { [key]: { from, to } } }))
}
