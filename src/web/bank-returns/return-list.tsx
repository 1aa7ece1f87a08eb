import { bankReturn, bankReturnCalls, type BankReturn } from '#contract/bank-returns/bank-return.ts'
import { callApi } from '../kernel/api.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { Can, useCan } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { ButtonLink } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'
import { ReturnState } from './return-state.tsx'

/** Every return and every notice of change that a bank has sent, and what came of it. */
export function BankReturnList() {
  const may = useCan('global_batch.update')
  return (
    <ListPage
      entity={bankReturn}
      calls={bankReturnCalls}
      columns={columns}
      cells={cells}
      rowLabel={(row) => `${row.code}, line ${row.line} of ${row.file_name}`}
      actions={(row) => (
        <>
          <MenuItem disabledReason={whyNot(row, may)} onSelect={() => void apply(row)}>
            Apply
          </MenuItem>
          {row.payment_batch_id !== null && <MenuItem href={`/global_batch/view/${row.payment_batch_id}/bills`}>Open Batch</MenuItem>}
          {row.vendor_id !== null && <MenuItem href={`/vendors/${row.vendor_id}/bank_changes`}>Bank Changes of Vendor</MenuItem>}
        </>
      )}
      headerActions={
        <>
          <ButtonLink href="/global_batch/files">File History</ButtonLink>
          <Can do="global_batch.update">
            <ButtonLink kind="primary" href="/global_batch/returns/read">
              Read Return File
            </ButtonLink>
          </Can>
        </>
      }
      empty={
        <EmptyState title="No returns yet">
          A file in which a bank returns payments, or asks for other bank details of a vendor, adds its entries here.
        </EmptyState>
      }
    />
  )
}

function whyNot({ state }: BankReturn, may: boolean): string | undefined {
  if (!may) return 'You may not apply it'
  return state === 'left' ? undefined : 'Only what was left out can be applied'
}

async function apply(row: BankReturn): Promise<void> {
  const yes = await confirm({
    message: 'Apply this entry?',
    consequence: `${row.outcome} This cannot be taken back.`,
    confirmLabel: 'Apply',
  })
  if (!yes) return
  try {
    resultNotice(await callApi(bankReturnCalls.apply, { params: { id: row.id } }))
  } catch (error) {
    problemNotice(error)
  } finally {
    refreshReturns()
  }
}

/** Everything that a return or a notice changes is asked for again. */
export function refreshReturns(): void {
  refresh('bank_returns', 'global_bills', 'global_batches', 'bills', 'payment_batches', 'vendor_payments', 'vendor_bank_changes', 'vendors')
}

const columns = [
  { key: 'created_at', width: 150 },
  { key: 'state', width: 130 },
  { key: 'code', width: 70 },
  { key: 'code_words', width: 220 },
  { key: 'amount', width: 110 },
  { key: 'outcome', width: 320 },
  { key: 'payer_name', width: 180 },
  { key: 'vendor_name', width: 180 },
  { key: 'payment_name', width: 120 },
  { key: 'original_trace', width: 140 },
  { key: 'kind', width: 130 },
  { key: 'receiver', width: 170 },
  { key: 'remark', width: 180 },
  { key: 'bank_name', width: 140 },
  { key: 'file_day', width: 110 },
  { key: 'file_name', width: 200 },
  { key: 'line', width: 70 },
  { key: 'created_by_name', width: 140 },
] as const

const cells: Cells<BankReturn> = {
  created_at: (row) => <NewYorkTime at={row.created_at} />,
  state: (row) => <ReturnState state={row.state} />,
  payment_name: ({ payment_name: name, payment_batch_id: batch }) =>
    name === null || batch === null ? <Missing word="no payment" /> : <UiLink href={`/global_batch/view/${batch}/bills`}>{name}</UiLink>,
}
