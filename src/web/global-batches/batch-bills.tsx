import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { globalBatchCalls, type BillAttributes, type GlobalBatch, type GlobalBatchPayment } from '#contract/global-batches/global-batch.ts'
import { globalBill, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { dueNowText, sortedBills } from '../batches/batches.ts'
import { FileLinks } from '../bills/bills.ts'
import { accepted, ApiProblem } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { useUnsavedGuard } from '../kernel/forms/use-unsaved-guard.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import type { DifferenceReason } from '../payment-batches/payment-batches.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { DataGrid } from '../ui/grid/data-grid.tsx'
import type { GridColumn, GridSort } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { BatchPayments, FirstPayments } from './batch-payments.tsx'
import { amountEdit, billLabel, reasonEdit, starred, whyUnpaid } from './desk-columns.tsx'
import { batchTitle, DeskTabs, releaseHref, todaysHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { deskRefreshed } from './refresh-desk.ts'
import { counted, said, words } from './words.ts'

type LoadedBatch = GlobalBatch & { readonly bills: readonly GlobalBill[]; readonly payments: readonly GlobalBatchPayment[] }

export function GlobalBatchBills() {
  const id = usePathId('global_batch_id')
  const asked = useQuery(apiQuery(globalBatchCalls.get, { params: { id } }))
  return <RecordGate asked={asked}>{({ global_batch }) => <BatchBills key={id} batch={global_batch} />}</RecordGate>
}

/** The user's unsaved changes to the batch. They survive a reload of the batch that others have changed. */
interface Changes {
  readonly unticked: ReadonlySet<number>
  /** Typed amounts by bill id, with the amount due under which each was typed. */
  readonly amounts: Readonly<Record<string, { readonly paid: string; readonly due: string }>>
  /** Why not all is paid, by bill id. */
  readonly reasons: Readonly<Record<string, DifferenceReason>>
  readonly notes: Readonly<Record<string, string>>
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

/** A bill of the batch with the user's changes. */
interface ChangedBill extends GlobalBill {
  /** Says that another amount is due by now than under which the user typed. */
  readonly due_now: string | undefined
}

function changedBill(bill: GlobalBill, { amounts, reasons, notes }: Changes): ChangedBill {
  const typed = amounts[bill.id]
  const said = reasons[bill.id]
  return {
    ...bill,
    amount_paid: typed?.paid ?? bill.amount_paid,
    difference_reason: said === undefined ? bill.difference_reason : said,
    notes: notes[bill.id] ?? bill.notes,
    due_now: dueNowText(typed?.due, bill.amount_due),
  }
}

/** Returns the typed values of a bill: an amount, with the amount due that was shown, a reason, or notes. Other values are not sent. */
function typedOf({ id }: GlobalBill, { amounts, reasons, notes }: Changes): BillAttributes[] {
  const [amount, said, note] = [amounts[id], reasons[id], notes[id]]
  if (amount === undefined && said === undefined && note === undefined) return []
  return [
    {
      id,
      ...(amount === undefined ? {} : { amount_paid: amount.paid, amount_due: amount.due }),
      ...(said === undefined ? {} : { difference_reason: said }),
      ...(note === undefined ? {} : { notes: note }),
    },
  ]
}

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

interface Edits {
  readonly amount: (bill: ChangedBill, amount: string) => void
  readonly reason: (bill: GlobalBill, reason: DifferenceReason) => void
  readonly notes: (bill: GlobalBill, text: string) => void
}

function columnsOf(isOp: boolean, locked: string | undefined, edits: Edits): readonly GridColumn<ChangedBill>[] {
  const text = (
    key: keyof GlobalBill & string,
    label: string,
    width: number,
    value: (bill: GlobalBill) => string | null,
  ): GridColumn<ChangedBill> => ({
    key,
    label,
    width,
    sortable: true,
    cell: (bill) => value(bill) ?? <Missing />,
    tip: (bill) => value(bill) ?? undefined,
  })
  const money = (key: 'balance_forward' | 'current_charges' | 'amount_due', label: string): GridColumn<ChangedBill> => ({
    key,
    label,
    kind: 'money',
    width: 96,
    sortable: true,
    cell: (bill) => formatMoney(bill[key]),
  })
  const amountDue: GridColumn<ChangedBill> = {
    ...money('amount_due', 'Amount Due'),
    width: 120,
    cell: (bill) =>
      bill.due_now === undefined ? formatMoney(bill.amount_due) : <StatusDot tone="warn">now {formatMoney(bill.amount_due)}</StatusDot>,
    tip: (bill) => bill.due_now && `${bill.due_now}. Type the amount paid again.`,
  }
  const lockedReason = () => locked
  const notes: GridColumn<ChangedBill> = {
    ...text('notes', 'Notes', 170, (bill) => bill.notes),
    edit: { value: (bill) => bill.notes ?? '', save: async (bill, value) => edits.notes(bill, value.trim()), lockedReason },
  }
  return [
    text('division_name', 'Division', 84, (bill) => bill.division_name),
    text('vendor_payment_full_name', 'Vendor Payment', 128, (bill) => bill.vendor_payment_full_name),
    text('vendor_name', 'Vendor Name', 110, (bill) => bill.vendor_name && starred(bill.vendor_name, bill.is_exclusive)),
    text('vendor_payment_methods', 'Payment Methods', 90, (bill) => bill.vendor_payment_payment_methods ?? bill.vendor_payment_methods),
    text('accounting_batch_batch_code', 'Client Batch Code', 92, (bill) => bill.accounting_batch_batch_code),
    text('account_number', 'Account Number', 110, (bill) => bill.account_number),
    { key: 'date', label: 'Bill Date', kind: 'date', width: 104, sortable: true, cell: (bill) => formatDate(bill.date) },
    { key: 'due_date', label: 'Due Date', kind: 'date', width: 104, sortable: true, cell: (bill) => formatDate(bill.due_date) },
    { key: 'qc', label: 'QC', width: 46, cell: (bill) => (bill.qc ? 'Yes' : 'No') },
    money('balance_forward', 'Balance Forward'),
    money('current_charges', 'Current Charges'),
    amountDue,
    {
      key: 'amount_paid',
      label: 'Amount Paid',
      kind: 'money',
      width: 96,
      sortable: true,
      cell: (bill) => formatMoney(bill.amount_paid),
      // An amount whose amount due has changed counts as not typed, so that the same one can be typed again.
      edit: amountEdit({ valueOf: (bill) => (bill.due_now === undefined ? bill.amount_paid : ''), save: edits.amount, lockedReason }),
    },
    {
      key: 'difference_reason',
      label: globalBill.fields.difference_reason.label,
      width: 124,
      cell: whyUnpaid,
      edit: reasonEdit({ billOf: (bill) => bill, save: edits.reason, lockedReason }),
    },
    ...(isOp ? [notes] : []),
    { key: 'file_url', label: 'File', width: 84, cell: (bill) => <FileLinks row={{ ...bill, filename: null }} /> },
    { key: 'flags', label: 'Flags', width: 100, cell: flagsOf, tip: (bill) => Object.values(bill.flags).join('\n') || undefined },
    {
      key: 'edit',
      label: 'Edit',
      width: 60,
      cell: (bill) => (
        <UiLink href={`/bills/${bill.id}/edit`} aria-label={`Edit the bill of ${bill.account_number}`}>
          Edit
        </UiLink>
      ),
    },
  ]
}

/** Shows the number of open flags; those of linked bills are shown as one word. */
function flagsOf({ flags, any_child_flags }: GlobalBill) {
  const count = Object.keys(flags).length
  if (count === 0 && !any_child_flags) return <Missing word="no flags" />
  return (
    <StatusDot tone="warn" shape="triangle">
      {count === 0 ? 'Linked' : counted(count, 'flag')}
    </StatusDot>
  )
}
