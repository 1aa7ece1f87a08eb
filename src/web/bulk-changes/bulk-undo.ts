/** Takes an act back, and the notice that offers to while it is in sight. */
import { bulkChangeCalls, bulkKinds, type BulkKindName } from '#contract/bulk-changes/bulk-change.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { messages, seconds } from '../kernel/notices/messages.ts'
import { problemWords } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { notify } from '../ui/dialogs/notices.ts'

/** What of the cache an act on these records makes old. */
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

/** A refusal stays until it is read: it says which records stand in the way. */
export async function undoBulkChange(kind: BulkKindName, clientId: number, id: number): Promise<void> {
  try {
    const { message } = await callApi(bulkChangeCalls.undo, { params: { client_id: clientId, id } })
    notify({ kind: 'success', title: messages.success, message, duration: seconds.batch })
  } catch (error) {
    notify({ kind: 'error', ...problemWords(error), duration: 0, link: { href: `/clients/${clientId}/bulk_changes`, label: 'Show' } })
  }
  refresh(...groupsOf(kind))
}
