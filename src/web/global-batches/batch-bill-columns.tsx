/** The columns of a global batch's bills, with the values that are typed in them. */
import type { BillAttributes } from '#contract/global-batches/global-batch.ts'
import { globalBill, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { dueNowText } from '../batches/batches.ts'
import { FileLinks } from '../bills/bills.ts'
import type { DifferenceReason } from '../payment-batches/payment-batches.ts'
import type { GridColumn } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'
import { amountEdit, reasonEdit, starred, whyUnpaid } from './desk-columns.tsx'
import { counted } from './words.ts'

/** The user's unsaved changes to the batch. They survive a reload of the batch that others have changed. */
export interface Changes {
  readonly unticked: ReadonlySet<number>
  /** Typed amounts by bill id, with the amount due under which each was typed. */
  readonly amounts: Readonly<Record<string, { readonly paid: string; readonly due: string }>>
  /** Why not all is paid, by bill id. */
  readonly reasons: Readonly<Record<string, DifferenceReason>>
  readonly notes: Readonly<Record<string, string>>
}

/** A bill of the batch with the user's changes. */
interface ChangedBill extends GlobalBill {
  /** Says that another amount is due by now than under which the user typed. */
  readonly due_now: string | undefined
}

export function changedBill(bill: GlobalBill, { amounts, reasons, notes }: Changes): ChangedBill {
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
export function typedOf({ id }: GlobalBill, { amounts, reasons, notes }: Changes): BillAttributes[] {
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

interface Edits {
  readonly amount: (bill: ChangedBill, amount: string) => void
  readonly reason: (bill: GlobalBill, reason: DifferenceReason) => void
  readonly notes: (bill: GlobalBill, text: string) => void
}

export function columnsOf(isOp: boolean, locked: string | undefined, edits: Edits): readonly GridColumn<ChangedBill>[] {
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
