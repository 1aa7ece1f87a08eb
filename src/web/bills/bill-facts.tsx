/** All facts of a bill besides its amounts and lines. */
import type { ReactNode } from 'react'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { formatDate, formatMonth } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { UiLink } from '../ui/link.tsx'
import { figureText, Missing } from '../ui/status.tsx'
import styles from './bills.module.css'

export function BillFacts({ bill }: { bill: BillDetail }) {
  return (
    <section aria-label="About this bill">
      <h2 className={styles.heading}>About this bill</h2>
      <dl className={styles.pairs}>
        {factsOf(bill).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === null || value === '' ? <Missing /> : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function factsOf(bill: BillDetail): (readonly [label: string, value: ReactNode])[] {
  const at = `/clients/${bill.client_id}`
  const link = (href: string, text: string | null, id: number | null): ReactNode =>
    id === null ? null : <UiLink href={href}>{text ?? String(id)}</UiLink>
  return [
    [
      'Account',
      <UiLink key="account" href={accountHref(bill)}>
        {bill.account_name_with_number ?? bill.account_number}
      </UiLink>,
    ],
    ['Vendor', bill.vendor_name],
    ['Invoice Number', bill.invoice_number],
    ['Division', bill.division_name],
    ['Facility', bill.facility_name],
    ['Service Period', bill.read_date === null ? null : `${formatDate(bill.previous_read_date)} to ${formatDate(bill.read_date)}`],
    ...given('Total Usage', totalUsageOf(bill)),
    ['Next Read Date', bill.next_read_date === null ? null : formatDate(bill.next_read_date)],
    ['Fiscal Month', bill.fiscal_month === null ? null : formatMonth(bill.fiscal_month)],
    [
      'Client Batch',
      // A person without the right to the batch sees no code and gets no link to its page.
      bill.accounting_batch_batch_code &&
        link(`${at}/accounting_batches/${bill.accounting_batch_id}/bills`, bill.accounting_batch_batch_code, bill.accounting_batch_id),
    ],
    ['Vendor Payment', bill.vendor_payment?.full_name ?? null],
    ['Payment Methods', bill.vendor_payment?.payment_methods ?? null],
    ['Payment ID', bill.check_number],
    ...given('Vendor Batch Notes', bill.payment_batch_notes),
    ['Previous Bill', link(`${at}/bills/${bill.bill_id}`, `Bill ${bill.bill_id}`, bill.bill_id)],
    ...given('Group Bill', link(`${at}/bills/${bill.group_bill_id}`, `Bill ${bill.group_bill_id}`, bill.group_bill_id)),
    ...given(
      'Corrects',
      link(
        `${at}/bills/${bill.rebill_of_id}`,
        `Bill ${bill.rebill_of_id}${bill.rebill_mode === 'replace' ? ', replaced' : ', added to'}`,
        bill.rebill_of_id,
      ),
    ),
    ...given('Replaced By', link(`${at}/bills/${bill.superseded_by_id}`, `Bill ${bill.superseded_by_id}`, bill.superseded_by_id)),
    ...given('Saved Although', bill.override_reason),
    ['Created', formatDate(todayIn(NEW_YORK, bill.created_at))],
    ...('notes' in bill ? [['Notes', bill.notes ?? null] as const] : []),
  ]
}

/** Omits rare facts that the bill does not have. */
function given(label: string, value: ReactNode): (readonly [label: string, value: ReactNode])[] {
  return value === null || value === '' ? [] : [[label, value]]
}

/** One line per utility service if there are several: '122.000 CCF of Water'. */
function totalUsageOf({ usage_totals: totals }: BillDetail): ReactNode {
  if (totals.length === 0) return null
  const isOne = totals.length === 1
  return totals.map(({ service, unit, usage }) => {
    const text = [figureText(usage, 3), unit].filter((part) => part !== null).join(' ')
    return (
      <div key={`${service} ${unit}`} className="num">
        {isOne || service === null ? text : `${text} of ${service}`}
      </div>
    )
  })
}

/** Returns the path of the bills of this bill's account. */
export function accountHref(bill: BillDetail): string {
  const kind = bill.account_type === 'SupplyAccount' ? 'supply_accounts' : 'billable_accounts'
  return `/clients/${bill.client_id}/${kind}/${bill.account_id}/bills`
}
