import { remittanceAdvice, remittanceAdviceCalls, type RemittanceAdvice } from '#contract/payment-batches/remittance-advice.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { sendAdviceAgain, useMarkBounced, whyNotAgain, whyNotBounced } from './advice-acts.ts'
import { AdviceState } from './advice-state.tsx'

/** The remittance advices of all payments of the desk. A filter by state finds those that did not arrive. */
export function AdviceList() {
  const may = useCan('global_batch.update')
  const markBounced = useMarkBounced()
  return (
    <ListPage
      entity={remittanceAdvice}
      calls={remittanceAdviceCalls}
      columns={columns}
      cells={cells}
      rowLabel={(row) => `${row.payment_name} ${row.vendor_name}`}
      actions={(row) => (
        <>
          <MenuItem disabledReason={whyNotAgain(row, may)} onSelect={() => void sendAdviceAgain(row)}>
            Send Again
          </MenuItem>
          <MenuItem disabledReason={whyNotBounced(row, may)} onSelect={() => void markBounced(row)}>
            Mark as Bounced…
          </MenuItem>
          <MenuItem href={batchHref(row)}>Open Batch</MenuItem>
          <MenuItem href={`/vendors/${row.vendor_id}/edit`}>Open Vendor</MenuItem>
        </>
      )}
      headerActions={<ButtonLink href="/global_batch/files">File History</ButtonLink>}
      empty={
        <EmptyState title="No remittance advice yet">
          Each payment by the desk to a vendor who wants remittance advice by mail is listed here.
        </EmptyState>
      }
    />
  )
}

const batchHref = (row: RemittanceAdvice): string => `/global_batch/view/${row.payment_batch_id}/bills`

const columns = [
  { key: 'payment_name', width: 110 },
  { key: 'state', width: 110 },
  { key: 'vendor_name', width: 190 },
  { key: 'payer_name', width: 170 },
  { key: 'to_address', width: 210 },
  { key: 'amount', width: 110 },
  { key: 'sent_at', width: 180 },
  { key: 'reason', width: 220 },
  { key: 'attempts', width: 90 },
  { key: 'created_at', width: 180 },
] as const

const cells: Cells<RemittanceAdvice> = {
  payment_name: (row) => <UiLink href={batchHref(row)}>{row.payment_name}</UiLink>,
  state: ({ state }) => <AdviceState state={state} />,
  sent_at: ({ sent_at: at }) => (at === null ? <Missing word="not sent" /> : <NewYorkTime at={at} />),
  reason: ({ reason }) => (reason === null ? <Missing word="none" /> : <span title={reason}>{reason}</span>),
  created_at: (row) => <NewYorkTime at={row.created_at} />,
}
