/** The words of a row of the exceptions: its reason, the cost of lateness and how it was computed, and the page where it is mended. */
import { exceptionKinds, lateFeePeriodDays, type ExceptionKind, type ExceptionRow } from '#contract/exceptions/exception.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { figureText, type StatusShape, type Tone } from '../ui/status.tsx'

export const looks: Readonly<Record<ExceptionKind, { tone: Tone; shape: StatusShape }>> = {
  past_due: { tone: 'bad', shape: 'dot' },
  due_soon: { tone: 'warn', shape: 'dot' },
  flagged: { tone: 'warn', shape: 'triangle' },
  not_received: { tone: 'bad', shape: 'ring' },
  never_received: { tone: 'warn', shape: 'ring' },
}

export function labelOf(of: ExceptionKind): string {
  return exceptionKinds.find(({ value }) => value === of)?.label ?? of
}

/** The reason in one sentence. */
export function whyOf(row: ExceptionRow): string {
  const errors = row.open_errors > 0 ? [`${counted(row.open_errors, 'error')} open`] : []
  switch (row.kind) {
    case 'past_due':
      return [`Due ${formatDate(row.due_date ?? '')}, ${counted(row.days, 'day')} ago`, ...errors].join('; ')
    case 'due_soon':
      return [row.days === 0 ? 'Due today' : `Due in ${counted(-row.days, 'day')}`, ...errors].join('; ')
    case 'flagged':
      return [...errors, `due ${formatDate(row.due_date ?? '')}`].join('; ')
    case 'not_received':
      return `Expected by ${formatDate(row.expected_on ?? '')}, ${counted(row.days, 'day')} ago`
    case 'never_received':
      return `No bill since it was entered; one was expected by ${formatDate(row.expected_on ?? '')}`
  }
}

/** Returns the action that fixes it, and the page for it. */
export function todoOf(row: ExceptionRow, may: { readonly create: boolean }): { readonly label: string; readonly href: string } {
  const account = accountHref(row)
  if (row.bill_id !== null) {
    const href = `/clients/${row.client_id}/bills/${row.bill_id}`
    return { label: row.open_errors > 0 ? 'Resolve errors' : 'Review payment', href }
  }
  const type = row.account_type === 'BillableAccount' ? 'billable_account' : 'supply_account'
  if (!may.create) return { label: 'Ask for the bill', href: account }
  return { label: 'Enter bill', href: `/clients/${row.client_id}/bills/new?account_type=${type}&account_id=${row.account_id}` }
}

export function accountHref({ client_id, account_type, account_id }: ExceptionRow): string {
  return `/clients/${client_id}/${account_type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts'}/${account_id}/dashboard`
}

/** Returns the part of the bill that an earlier bill's row already contains. */
export function carriedWords({ carried_forward }: ExceptionRow): string | undefined {
  if (carried_forward === null) return undefined
  return `Without ${figureText(carried_forward, 2, true)} brought forward: an earlier bill here still asks for it`
}

/** Explains the calculation of the cost. */
export function reckoningOf(row: ExceptionRow): string {
  if (row.amount === null) return 'No bill yet to reckon from'
  const source = { account: 'the account’s past', vendor: 'the vendor’s past', assumed: 'assumed' }[row.rate_source]
  const amount = figureText(row.amount, 2, true)
  return `${row.rate_percent}% (${source}) of ${amount} for each ${lateFeePeriodDays} days begun after the due date`
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`
}
