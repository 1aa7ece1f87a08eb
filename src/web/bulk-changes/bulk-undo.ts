/** Undoes a bulk change, and shows the notice that offers it. */
import { bulkKinds, type BulkKindName } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemWords } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { notify } from '../ui/dialogs/notices.ts'

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
  notify({
    kind: 'success',
    title: messages.success,
    message,
    duration: seconds.undo,
    link: { href: `/clients/${clientId}/bulk_changes`, label: 'Show' },
    ...(id === undefined ? {} : { action: { label: 'Undo', keys: 'mod+z', run: () => void undoBulkChange(kind, clientId, id) } }),
  })
}

/** A rejection stays visible until it is closed, because it names the records that prevent the undo. */
export async function undoBulkChange(kind: BulkKindName, clientId: number, id: number): Promise<void> {
  try {
    const { message } = await callApi(bulkChangeCalls.undo, { params: { client_id: clientId, id } })
    notify({ kind: 'success', title: messages.success, message, duration: seconds.batch })
  } catch (error) {
    notify({ kind: 'error', ...problemWords(error), duration: 0, link: { href: `/clients/${clientId}/bulk_changes`, label: 'Show' } })
  }
  refresh(...groupsOf(kind))
}
