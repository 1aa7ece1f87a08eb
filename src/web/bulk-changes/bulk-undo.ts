/** Undoes a bulk change, and shows the notice that offers it. */
import { bulkKinds, type BulkKindName } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { saidWithUndo as sayUndoable, takeBack, type Undoable } from '../kernel/notices/undoable.ts'
import { refresh } from '../kernel/query.ts'

/** Returns the groups of the cache that a change of these records invalidates. */
export function groupsOf(kind: BulkKindName): readonly string[] {
  return [
    bulkKinds[kind].plural,
    'bulk_changes',
    'bills',
    'bill_findings',
    'dashboard',
    'history',
    'group_accounts',
    'group_supply_accounts',
  ]
}

export function saidWithUndo({ message, id }: Result, { kind, clientId }: { kind: BulkKindName; clientId: number }): void {
  sayUndoable({ message }, id === undefined ? undefined : undoableOf(kind, clientId, id), listOf(clientId))
}

export function undoBulkChange(kind: BulkKindName, clientId: number, id: number): Promise<void> {
  return takeBack(undoableOf(kind, clientId, id))
}

function undoableOf(kind: BulkKindName, clientId: number, id: number): Undoable {
  return {
    undo: () => callApi(bulkChangeCalls.undo, { params: { client_id: clientId, id } }),
    after: () => refresh(...groupsOf(kind)),
    link: listOf(clientId),
  }
}

function listOf(clientId: number) {
  return { href: `/clients/${clientId}/bulk_changes`, label: 'Show' }
}
