/** /clients/:client_id/bulk_changes: all bulk changes with user, time and fields; each can be undone as a whole. */
import { useMemo, useState } from 'react'
import { bulkChange, bulkKindNames, bulkKinds, type BulkChange, type BulkKindName } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls } from '#contract/bulk-changes/bulk-change-calls.ts'
import { AccountListTabs } from '../bill-calendar/bill-calendar.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import { undoBulkChange } from './bulk-undo.ts'
import { ChangeRows } from './change-rows.tsx'

// The widths fit beside a client's sidebar at 1366 px.
const columns: readonly ColumnWish<BulkChange>[] = [
  { key: 'created_at', width: 176, grow: false },
  { key: 'user_name', width: 130 },
  { key: 'kind', width: 140, grow: false },
  { key: 'changed', width: 290, grow: true },
  { key: 'item_count', width: 96, grow: false },
  { key: 'undone_at', width: 190, grow: false },
  { key: 'undone_by_name', width: 140, hidden: true },
]

const cells: Cells<BulkChange> = {
  created_at: (row) => <NewYorkTime at={row.created_at} />,
  changed: (row) => changedWords(row),
  undone_at: (row) =>
    row.undone_at === null ? (
      <StatusDot tone="ok">In force</StatusDot>
    ) : (
      <StatusDot tone="grey" shape="ring">
        <NewYorkTime at={row.undone_at} />
      </StatusDot>
    ),
}

/** Returns 'Facility: Depot, Active: No'. */
function changedWords({ changed }: BulkChange): string {
  return changed.map(({ label, to }) => `${label}: ${to ?? '(empty)'}`).join(', ')
}

export function ClientBulkChanges() {
  const client_id = usePathId('client_id')
  const params = useMemo(() => ({ client_id }), [client_id])
  const [opened, setOpened] = useState<BulkChange>()
  return (
    <>
      <AccountListTabs clientId={client_id} kind="billable_accounts" />
      <ListPage
        entity={bulkChange}
        calls={bulkChangeCalls}
        params={params}
        columns={columns}
        cells={cells}
        rowLabel={changedWords}
        onOpen={setOpened}
        perDefault={20}
        empty={
          <EmptyState title="Nothing was changed in bulk yet">
            Choose rows in a list of accounts or bills to change them together. Each such change is listed here, and can be undone as a
            whole.
          </EmptyState>
        }
        actions={(row) => (
          <>
            <MenuItem onSelect={() => setOpened(row)}>Show records</MenuItem>
            <MenuItem disabledReason={lackOf(row)} onSelect={() => void askAndUndo(row, client_id)}>
              Undo
            </MenuItem>
          </>
        )}
      />
      {opened && <ChangeRows clientId={client_id} row={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function lackOf({ may_undo, undone_at }: BulkChange): string | undefined {
  if (may_undo) return undefined
  return undone_at === null ? 'It is too old' : 'It is undone already'
}

async function askAndUndo(row: BulkChange, clientId: number): Promise<void> {
  const kind = kindOf(row)
  const { label, labels } = bulkKinds[kind]
  const count = `${row.item_count.toLocaleString('en-US')} ${(row.item_count === 1 ? label : labels).toLowerCase()}`
  const yes = await confirm({
    title: 'Undo this change?',
    message: `${changedWords(row)}. Every record is put back as it was before, or none where one was changed since.`,
    consequence: `${count} put back`,
    confirmLabel: `Undo on ${count}`,
  })
  if (yes) await undoBulkChange(kind, clientId, row.id)
}

function kindOf({ kind }: BulkChange): BulkKindName {
  return bulkKindNames.find((name) => name === kind) ?? 'billable_account'
}
