import type { AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { StatusDot } from '../ui/status.tsx'

export type BatchTab = 'edit' | 'bills' | 'ledger' | 'files' | 'invoice'

export function batchHref({ client_id, id }: Pick<AccountingBatch, 'client_id' | 'id'>, tab: BatchTab): string {
  return `/clients/${client_id}/accounting_batches/${id}/${tab}`
}

/** The state of a batch with its colour: open, closed or invoiced. */
export function stateOf({ closed, invoiced }: Pick<AccountingBatch, 'closed' | 'invoiced'>) {
  if (invoiced) return <StatusDot tone="ok">Invoiced</StatusDot>
  return closed ? (
    <StatusDot tone="info" shape="lock">
      Closed
    </StatusDot>
  ) : (
    <StatusDot tone="grey" shape="ring">
      Open
    </StatusDot>
  )
}
