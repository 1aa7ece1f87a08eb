import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { globalBatchCalls, type GlobalBatch, type GlobalBatchPayment } from '#contract/global-batches/global-batch.ts'
import type { GlobalBill } from '#contract/global-batches/global-bill.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { sortedBills } from '../batches/batches.ts'
import { accepted, ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridSort } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { BatchPayments, FirstPayments } from './batch-payments.tsx'
import { billLabel } from './desk-columns.tsx'
import { batchTitle, DeskTabs, releaseHref, todaysHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { deskRefreshed } from './refresh-desk.ts'
import { counted, said, words } from './words.ts'
import { type Changes, changedBill, columnsOf, typedOf } from './batch-bill-columns.tsx'

type LoadedBatch = GlobalBatch & { readonly bills: readonly GlobalBill[]; readonly payments: readonly GlobalBatchPayment[] }

export function GlobalBatchBills() {
  const id = usePathId('global_batch_id')
  const asked = useQuery(apiQuery(globalBatchCalls.get, { params: { id } }))
  return <RecordGate asked={asked}>{({ global_batch }) => <BatchBills key={id} batch={global_batch} />}</RecordGate>
}

const unchanged: Changes = { unticked: new Set(), amounts: {}, reasons: {}, notes: {} }

function BatchBills({ batch }: { batch: LoadedBatch }) {
  const mayUpdate = useCan('global_batch.update')
  const [changes, setChanges] = useState(unchanged)
  const [sort, setSort] = useState<GridSort | null>(null)
  const attempt = useAttempt()
  const isOp = batch.effective_type === 'OP'
  const locked = batch.is_paid
    ? 'The batch is paid'
    : batch.closed
      ? 'The batch is closed'
      : mayUpdate
        ? undefined
        : 'You may not change it'
  const rows = useMemo(
    () =>
      sortedBills(
        batch.bills.map((bill) => changedBill(bill, changes)),
        sort,
      ),
    [batch.bills, changes, sort],
  )
  const kept = rows.filter(({ id }) => !changes.unticked.has(id))
  const dirty =
    kept.length < rows.length || [changes.amounts, changes.reasons, changes.notes].some((typed) => Object.keys(typed).length > 0)
  useUnsavedGuard(dirty, () => setChanges(unchanged))
  const columns = useMemo(
    () =>
      columnsOf(isOp, locked, {
        amount: (bill, paid) => setChanges((now) => ({ ...now, amounts: { ...now.amounts, [bill.id]: { paid, due: bill.amount_due } } })),
        reason: (bill, said) => setChanges((now) => ({ ...now, reasons: { ...now.reasons, [bill.id]: said } })),
        notes: (bill, text) => setChanges((now) => ({ ...now, notes: { ...now.notes, [bill.id]: text } })),
      }),
    [isOp, locked],
  )
  const save = () =>
    attempt.run(async () => {
      await updateBatch(batch, kept, changes)
      // Changes made during the save remain unsaved.
      setChanges((now) => (now === changes ? unchanged : now))
    })
  const tick = (ids: ReadonlySet<number>) => {
    if (rows.every(({ id }) => !ids.has(id))) notify(said(words.last_bill))
    else setChanges({ ...changes, unticked: new Set(rows.filter(({ id }) => !ids.has(id)).map(({ id }) => id)) })
  }
  const total = formatMoney(sumMoney(kept.map((bill) => bill.amount_paid)))
  return (
    <section className={styles.page} aria-label="Bills of the batch">
      <Breadcrumbs items={[{ label: 'Today’s Batches', href: todaysHref(batch.effective_type) }, { label: batch.payer_name }]} />
      <PageHeader
        title={batchTitle(batch)}
        count={`${batch.payer_name} · ${batch.effective_type ?? ''} · ${counted(batch.bill_count, 'bill')}`}
        actions={
          <>
            {locked === undefined && <ButtonLink href={`/global_batch/${batch.id}/newBills`}>Add New Bills</ButtonLink>}
            <Button
              kind="primary"
              busy={attempt.busy}
              disabledReason={locked ?? (dirty ? undefined : 'Nothing has changed')}
              onClick={() => void save()}
            >
              Update Batch
            </Button>
            <FailedAttempt attempt={attempt} again={() => void save()} />
          </>
        }
      />
      <DeskTabs tab="bills" batch={batch} />
      {batch.bank_details_changed && (
        <p className={styles.over} role="status">
          The bank details of a vendor were changed after this batch was made. Look at them before you pay.
        </p>
      )}
      {batch.release_id !== null && (
        <p className={styles.over} role="status">
          This batch waits for a release by a second person. A change of its bills or amounts makes the request void.{' '}
          <UiLink href={releaseHref(batch.release_id)}>Open the request</UiLink>
        </p>
      )}
      {!batch.is_paid && <FirstPayments payments={batch.payments} />}
      <DataGrid
        label="Batch Bills"
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowLabel={billLabel}
        status={{ kind: 'ready' }}
        total={rows.length}
        sort={sort}
        onSortChange={setSort}
        isSaidElsewhere
        selection={{ ids: new Set(kept.map(idOf)), allMatching: false }}
        onSelectionChange={({ ids }) => tick(ids)}
        box={locked === undefined ? undefined : fixedBox}
        onRowKey={(key, _bill, edit) => {
          if (key === 'p') edit('amount_paid')
          return key === 'p'
        }}
        totals={[
          { label: 'In the batch', values: { amount_paid: total, amount_due: formatMoney(sumMoney(kept.map((bill) => bill.amount_due))) } },
        ]}
      />
      {batch.is_paid && <BatchPayments batch={batch} payments={batch.payments} />}
      {dirty && (
        <p className="num" role="status">
          {`${counted(kept.length, 'bill')} of ${rows.length.toLocaleString('en-US')} · ${total} · not saved yet`}
        </p>
      )}
    </section>
  )
}

const idOf = (bill: GlobalBill): number => bill.id
const fixedBox = () => 'fixed' as const

/** Sends the remaining bills, and what was typed of them. */
async function updateBatch(batch: LoadedBatch, kept: readonly GlobalBill[], changes: Changes): Promise<void> {
  const draft = {
    bill_ids: kept.map(idOf),
    bills_attributes: kept.flatMap((bill) => typedOf(bill, changes)),
    lock_version: batch.lock_version,
  }
  try {
    resultNotice(accepted(await callApi(globalBatchCalls.update, { params: { id: batch.id }, body: { global_batch: draft } })))
  } catch (error) {
    // Another user saved: the current batch is loaded before a retry, and the changes stay.
    if (error instanceof ApiProblem && error.status === 409) await deskRefreshed()
    throw error
  }
  // The changes are dropped once the saved bills are loaded, so that the old ones are never shown in between.
  await deskRefreshed()
}
