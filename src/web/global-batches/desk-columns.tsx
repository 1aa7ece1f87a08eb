import { globalBill, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { mixConflict, conflictText } from '#contract/payment-batches/payment-mix.ts'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import type { GridEdit } from '../ui/grid/grid-types.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing } from '../ui/status.tsx'
import { parseReason, reasonFrom, reasonOf, reasonOptions, type DifferenceReason } from '../payment-batches/payment-batches.ts'
import { amountOf, asChosen, isPaidByGroup, mixOf, type Choice } from './chosen-bills.ts'
import { ownWords } from './words.ts'

interface ColumnsOf {
  readonly choice: Choice
  /** Changes what is paid of a bill, or why that is not the amount due. */
  readonly change: (next: Choice) => void
  /** Returns why the bill cannot be added to the selected ones. */
  readonly reason: (bill: GlobalBill) => string | undefined
  /** Whether bills are added to a batch, which needs two more columns. */
  readonly adding: boolean
}

/** The columns of unswept bills, and of the selected ones. */
export function deskColumns({ choice, change, reason, adding }: ColumnsOf): readonly ColumnWish<GlobalBill>[] {
  return [
    { key: 'client_name', width: 118, pinned: true },
    { key: 'vendor_name', width: 126, grow: true, cell: vendorOf, tip: (bill) => bill.vendor_name ?? undefined },
    { key: 'vendor_short_code', label: 'Vendor Short Code', width: 84 },
    { key: 'payment_date', width: 104 },
    { key: 'due_date', width: 104 },
    ...(adding
      ? ([
          { key: 'bill_id', width: 76 },
          { key: 'current_charges', width: 118 },
        ] as const)
      : []),
    { key: 'amount_due', width: 96 },
    {
      key: 'amount_paid',
      width: 100,
      cell: (bill) => formatMoney(amountOf(choice, bill)),
      edit: amountEdit({
        valueOf: (bill) => amountOf(choice, bill),
        save: (bill, typed) => change({ ...choice, amounts: { ...choice.amounts, [bill.id]: typed } }),
      }),
    },
    {
      key: 'payment_method',
      width: 80,
      cell: (bill) => bill.vendor_payment_methods ?? <Missing />,
      tip: (bill) => bill.vendor_payment_methods ?? undefined,
    },
    { key: 'vendor_po_box', width: 72 },
    { key: 'vendor_payment_identifier', width: 104 },
    { key: 'account_number', width: 112, cell: accountOf },
    { key: 'days_due', width: 80, cell: daysOf },
    { key: 'refusal', width: 150, grow: true, cell: (bill) => reason(bill) ?? noteOf(bill), tip: (bill) => reason(bill) ?? noteOf(bill) },
    {
      key: 'difference_reason',
      width: 124,
      sortable: false,
      cell: (bill) => whyUnpaid(asChosen(choice, bill)),
      edit: reasonEdit({
        billOf: (bill) => asChosen(choice, bill),
        save: (bill, said) => change({ ...choice, reasons: { ...choice.reasons, [bill.id]: said } }),
      }),
    },
  ]
}

/** Returns the vendor's name, with a mark for vendors whose bills are paid separately. */
export const starred = (name: string | null, exclusive: boolean): string => `${exclusive ? '*' : ''}${name ?? ''}`

function vendorOf({ vendor_name, is_exclusive }: GlobalBill) {
  return vendor_name === null ? <Missing /> : starred(vendor_name, is_exclusive)
}

function accountOf({ client_id, id, account_number }: GlobalBill) {
  return <UiLink href={`/clients/${client_id}/bills/${id}`}>{account_number}</UiLink>
}

/** Returns '3 d left' or '12 d late'. */
function daysOf({ days_due }: GlobalBill): string {
  if (days_due === 0) return 'today'
  return days_due > 0 ? `${days_due} d left` : `${-days_due} d late`
}

/** Returns notes for the clerk on a bill that may be selected. */
function noteOf({ qc, prior_unpaid_bill_id, current_charges }: GlobalBill): string {
  const prior =
    prior_unpaid_bill_id === null
      ? []
      : [`Asks for unpaid bill ${prior_unpaid_bill_id} too; its own charges are ${formatMoney(current_charges)}`]
  return [...(qc ? ['In QC'] : []), ...prior].join('. ')
}

const refusals = new Map((globalBill.fields.refusal.choices ?? []).map(({ value, label }) => [value, label]))

/** Returns the rule that keeps the bill out of every batch; undefined if there is none. */
export function refusalOf({ refusal }: GlobalBill): string | undefined {
  return refusal === null ? undefined : refusals.get(refusal)
}

/** Returns why the bill may not be added to these: its own reason, or the mix that it would create. */
export function reasonAmong(chosen: readonly GlobalBill[], ids: ReadonlySet<number>, bill: GlobalBill): string | undefined {
  const own = refusalOf(bill)
  if (own !== undefined || ids.has(bill.id)) return own
  const conflict = mixConflict([...chosen.slice(0, 1), bill].map(mixOf))
  return conflict === null ? undefined : conflictText(conflict)
}

interface AmountEdit<Row> {
  readonly valueOf: (row: Row) => string
  readonly save: (row: Row, amount: string) => void
  readonly lockedReason?: (row: Row) => string | undefined
}

/** Matches digits with up to two decimals; after other input the old amount stays. */
const amount = /^\d{1,8}(\.\d{1,2})?$/

/** Makes the amount to pay editable; it is stored with the batch. */
export function amountEdit<Row>({ valueOf, save, lockedReason }: AmountEdit<Row>): GridEdit<Row> {
  return {
    value: valueOf,
    parse: (text, row) => {
      const plain = text.trim()
      if (amount.test(plain)) return { value: wireAmount(plain) }
      if (plain !== valueOf(row)) notify({ id: 'no_amount', kind: 'warning', title: ownWords.no_amount, message: ownWords.amount_stays })
      return { value: valueOf(row) }
    },
    save: async (row, value) => save(row, value),
    lockedReason,
  }
}

interface ReasonEdit {
  /** Returns the bill with the amount that is paid of it. */
  readonly billOf: (bill: GlobalBill) => GlobalBill
  readonly save: (bill: GlobalBill, reason: DifferenceReason) => void
  readonly lockedReason?: (bill: GlobalBill) => string | undefined
}

/** Makes the reason of a difference editable; it is stored with the batch. */
export function reasonEdit({ billOf, save, lockedReason }: ReasonEdit): GridEdit<GlobalBill> {
  return {
    value: (bill) => billOf(bill).difference_reason ?? '',
    options: reasonOptions,
    parse: parseReason,
    save: async (bill, value) => save(bill, reasonFrom(value)),
    lockedReason: (bill) => {
      const { amount_paid, amount_due } = billOf(bill)
      return lockedReason?.(bill) ?? (amount_paid === amount_due ? 'All of it is paid' : undefined)
    },
  }
}

/** Returns why not all of a bill is paid; '' if all of it is. */
export function whyUnpaid(bill: GlobalBill): string {
  return bill.difference_reason === null && isPaidByGroup(bill) && bill.amount_due !== bill.amount_paid ? 'With its group' : reasonOf(bill)
}

function wireAmount(digits: string): string {
  const [whole = '0', cents = ''] = digits.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

/** Names a bill for users of screen readers. */
export const billLabel = (bill: GlobalBill): string =>
  `${bill.vendor_name ?? ''} ${bill.account_number} due ${formatDate(bill.due_date)}`.trim()
