import { bankStatement, bankStatementCalls, type BankStatement } from '#contract/bank-statements/bank-statement.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { callApi } from '../kernel/api.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusDot } from '../ui/status.tsx'
import { outstandingHref, statementsHref } from './refresh-statements.ts'
import { settle } from './settle.ts'

/** Every statement that was read, and what of it is still open. */
export function StatementList() {
  const may = useCan('global_batch.update')
  return (
    <ListPage
      entity={bankStatement}
      calls={bankStatementCalls}
      columns={columns}
      cells={cells}
      rowHref={(row) => `${statementsHref}/${row.id}`}
      rowLabel={(row) => `Account ${row.account_last4} through ${formatDate(row.to_day)}`}
      actions={(row) => (
        <>
          <MenuItem href={`${statementsHref}/${row.id}`}>Reconcile</MenuItem>
          <MenuItem disabledReason={may ? undefined : 'You may not discard it'} onSelect={() => void discard(row)}>
            Discard
          </MenuItem>
        </>
      )}
      headerActions={
        <>
          <ButtonLink href="/global_batch/files">File History</ButtonLink>
          <ButtonLink href={outstandingHref}>Outstanding</ButtonLink>
          <Can do="global_batch.update">
            <ButtonLink kind="primary" href={`${statementsHref}/read`}>
              Read Statement
            </ButtonLink>
          </Can>
        </>
      }
      empty={
        <EmptyState title="No statements yet">
          A statement file of a bank, in BAI2 or CSV, shows which payments and checks have left the account.
        </EmptyState>
      }
    />
  )
}

async function discard(row: BankStatement): Promise<void> {
  const message = `Discard the statement of account …${row.account_last4} through ${formatDate(row.to_day)}?`
  const consequence = `${row.line_count.toLocaleString('en-US')} lines go. The file can be read again.`
  if (!(await confirm({ message, consequence, confirmLabel: 'Discard' }))) return
  await settle(() => callApi(bankStatementCalls.destroy, { params: { id: row.id } }))
}

const columns = [
  { key: 'to_day', width: 110 },
  { key: 'account_last4', width: 130 },
  { key: 'bank_name', width: 150 },
  { key: 'payer_name', width: 190 },
  { key: 'open_count', width: 150 },
  { key: 'difference', width: 120 },
  { key: 'opening', width: 130 },
  { key: 'cleared', width: 130 },
  { key: 'explained', width: 120 },
  { key: 'closing', width: 130 },
  { key: 'from_day', width: 110 },
  { key: 'line_count', width: 80 },
  { key: 'format', width: 90 },
  { key: 'file_name', width: 200 },
  { key: 'created_at', width: 170 },
  { key: 'created_by_name', width: 140 },
] as const

const cells: Cells<BankStatement> = {
  created_at: (row) => <NewYorkTime at={row.created_at} />,
  open_count: ({ open_count: open, proposed_count: proposed }) =>
    open === 0 ? (
      <StatusDot tone="ok">Reconciled</StatusDot>
    ) : (
      <StatusDot tone="warn">{proposed === 0 ? `${open} open` : `${open} open, ${proposed} proposed`}</StatusDot>
    ),
}
