import { useState } from 'react'
import { checkStates, issuedCheck, type IssuedCheck } from '#contract/issued-checks/issued-check.ts'
import { issuedCheckCalls } from '#contract/issued-checks/issued-check-calls.ts'
import type { Cells } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing, StatusDot, type Tone } from '../ui/status.tsx'
import { NumberDialog } from './number-dialog.tsx'

/** Every check that the desk has requested, with its number and what was reported to the bank. */
export function CheckList() {
  const may = useCan('global_batch.update')
  const [chosen, setChosen] = useState<IssuedCheck | null>(null)
  return (
    <>
      <ListPage
        entity={issuedCheck}
        calls={issuedCheckCalls}
        columns={columns}
        cells={cells}
        rowLabel={(row) => `${row.payment_name} ${row.payee}`}
        actions={(row) => (
          <>
            <MenuItem disabledReason={whyNot(row, may)} onSelect={() => setChosen(row)}>
              {row.check_number === null ? 'Enter Number…' : 'Correct Number…'}
            </MenuItem>
            <MenuItem href={`/global_batch/view/${row.payment_batch_id}/bills`}>Open Batch</MenuItem>
          </>
        )}
        headerActions={
          <>
            <ButtonLink href="/global_batch/files">File History</ButtonLink>
            <Can do="global_batch.update">
              <ButtonLink href="/global_batch/checks/read">Read Check Numbers</ButtonLink>
            </Can>
            <ButtonLink kind="primary" href="/global_batch/checks/positive_pay">
              Positive Pay
            </ButtonLink>
          </>
        }
        empty={<EmptyState title="No checks yet">Each payment of a check request is listed here, with the number of its check.</EmptyState>}
      />
      {chosen && <NumberDialog key={chosen.id} check={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

function whyNot({ state, issue_file, void_file }: IssuedCheck, may: boolean): string | undefined {
  if (!may) return 'You may not record it'
  if (issue_file !== null || void_file !== null) return 'The bank was told of this check'
  return state === 'void_reported' ? 'The check is void' : undefined
}

const tones: Readonly<Record<IssuedCheck['state'], Tone>> = {
  waiting: 'warn',
  issued: 'warn',
  reported: 'ok',
  void: 'bad',
  void_reported: 'grey',
}

const columns = [
  { key: 'payment_name', width: 120 },
  { key: 'check_number', width: 130 },
  { key: 'amount', width: 110 },
  { key: 'payee', width: 220 },
  { key: 'payer_name', width: 190 },
  { key: 'state', width: 170 },
  { key: 'check_date', width: 110 },
  { key: 'cleared_on', width: 110 },
  { key: 'requested_at', width: 190 },
  { key: 'account_last4', width: 120 },
  { key: 'vendor_name', width: 190 },
  { key: 'request_file', width: 230 },
  { key: 'issue_file', width: 230 },
  { key: 'void_file', width: 230 },
] as const

const cells: Cells<IssuedCheck> = {
  requested_at: (row) => <NewYorkTime at={row.requested_at} />,
  state: ({ state }) => <StatusDot tone={tones[state]}>{checkStates.find(({ value }) => value === state)?.label ?? state}</StatusDot>,
  check_number: ({ check_number: number }) => number ?? <Missing word="no number" />,
  payment_name: (row) => <UiLink href={`/global_batch/view/${row.payment_batch_id}/bills`}>{row.payment_name}</UiLink>,
}
