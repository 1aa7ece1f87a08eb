/** The page of one bill: what it asks for, what the audits found, its lines, and the paper beside it. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { billDetailCalls, type BillDetail, type BillFacility } from '#contract/bill-detail.ts'
import { formatDate, formatMonth } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { AccountDocuments } from '../documents/account-documents.tsx'
import { HistoryButton } from '../kernel/history-button.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader, Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Figure, Missing } from '../ui/status.tsx'
import { BillBadges, BillStatus } from './bill-cells.tsx'
import { BillFile } from './bill-file.tsx'
import { BillFindings } from './bill-findings.tsx'
import { BillLines } from './bill-lines.tsx'
import styles from './bills.module.css'

export function BillDashboard() {
  return (
    <BillFrame>
      {(bill) => (
        <div className={bill.files.length > 0 ? styles.beside : undefined}>
          <div className={styles.facts}>
            <Amounts bill={bill} />
            <BillFindings bill={bill} />
            <BillLines bill={bill} />
            <Facts bill={bill} />
          </div>
          {bill.files.length > 0 && <BillFile bill={bill} />}
        </div>
      )}
    </BillFrame>
  )
}

export function BillFacilities() {
  return <BillFrame>{(bill) => <FacilityTable clientId={bill.client_id} billId={bill.id} />}</BillFrame>
}

export function BillDocuments() {
  return (
    <BillFrame>
      {(bill) => (
        <>
          {bill.files.length > 0 ? (
            <FileTable bill={bill} />
          ) : (
            <EmptyState title="No file is kept with this bill">A copy can be added in the bill’s form.</EmptyState>
          )}
          <AccountDocuments clientId={bill.client_id} type={bill.account_type} id={bill.account_id} />
        </>
      )}
    </BillFrame>
  )
}

/** Head and tabs of a bill around the tab's content. */
function BillFrame({ children }: { children: (bill: BillDetail) => ReactNode }) {
  const params = { client_id: usePathId('client_id'), id: usePathId('bill_id') }
  const asked = useQuery(apiQuery(billDetailCalls.get, { params }))
  usePageTitle(asked.data ? titleOf(asked.data.bill) : undefined)
  return (
    <RecordGate asked={asked}>
      {({ bill }) => (
        <>
          <BillHead bill={bill} />
          {children(bill)}
        </>
      )}
    </RecordGate>
  )
}

function BillHead({ bill }: { bill: BillDetail }) {
  const path = usePath()
  const list = `/clients/${bill.client_id}/bills`
  const one = `${list}/${bill.id}`
  const tabs = [
    { href: `${one}/dashboard`, label: 'Dashboard', current: path === one || path.endsWith('/dashboard') },
    { href: `${one}/facilities`, label: 'Bill’s Facilities', current: path.endsWith('/facilities') },
    {
      href: `${one}/documents`,
      label: 'Documents',
      count: bill.files.length > 0 ? String(bill.files.length) : undefined,
      current: path.endsWith('/documents'),
    },
  ]
  return (
    <>
      <Breadcrumbs
        items={[
          { label: 'Bills', href: list },
          { label: bill.account_name_with_number ?? bill.account_number, href: accountHref(bill) },
          { label: formatDate(bill.date) },
        ]}
      />
      <PageHeader
        title={titleOf(bill)}
        actions={
          <>
            <ButtonLink href={list}>Go Back</ButtonLink>
            <Can do="bill.update">
              <ButtonLink kind="primary" href={`${one}/edit`}>
                Edit
              </ButtonLink>
            </Can>
          </>
        }
      >
        <span className={styles.headStatus}>
          <BillStatus status={bill.full_status} />
          <BillBadges badges={bill.badges} except={[bill.full_status]} />
        </span>
      </PageHeader>
      <Tabs label="Bill" items={tabs} end={<HistoryButton item="bill" id={bill.id} clientId={bill.client_id} />} />
    </>
  )
}

function titleOf(bill: BillDetail): string {
  return `${bill.vendor_name ?? 'Bill'} ${formatDate(bill.date)}`
}

function accountHref(bill: BillDetail): string {
  const kind = bill.account_type === 'SupplyAccount' ? 'supply_accounts' : 'billable_accounts'
  return `/clients/${bill.client_id}/${kind}/${bill.account_id}/bills`
}

/** The sum as it stands on the paper: three parts and what is due. */
function Amounts({ bill }: { bill: BillDetail }) {
  const parts = [
    ['Balance Forward', bill.balance_forward],
    ['Current Charges', bill.current_charges],
    ['Late Fee', bill.late_fee],
  ] as const
  return (
    <dl className={styles.amounts}>
      {parts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Figure value={value} places={2} />
          </dd>
        </div>
      ))}
      <div className={styles.due}>
        <dt>Amount Due</dt>
        <dd>
          <Figure value={bill.amount_due} places={2} currency />
        </dd>
      </div>
      <div>
        <dt>Amount Paid</dt>
        <dd>
          <Figure value={bill.amount_paid} places={2} />
        </dd>
      </div>
      <div>
        <dt>Due Date</dt>
        <dd className="num">
          {formatDate(bill.due_date)}
          {bill.assumed_due_date && <span className={styles.quiet}> assumed</span>}
        </dd>
      </div>
    </dl>
  )
}

function Facts({ bill }: { bill: BillDetail }) {
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
    ['Next Read Date', bill.next_read_date === null ? null : formatDate(bill.next_read_date)],
    ['Fiscal Month', bill.fiscal_month === null ? null : formatMonth(bill.fiscal_month)],
    [
      'Client Batch',
      link(`${at}/accounting_batches/${bill.accounting_batch_id}/bills`, bill.accounting_batch_batch_code, bill.accounting_batch_id),
    ],
    ['Vendor Payment', bill.vendor_payment?.full_name ?? null],
    ['Payment Methods', bill.vendor_payment?.payment_methods ?? null],
    ['Payment ID', bill.check_number],
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

/** What few bills have takes no place where it is missing. */
function given(label: string, value: ReactNode): (readonly [label: string, value: ReactNode])[] {
  return value === null || value === '' ? [] : [[label, value]]
}

function FacilityTable({ clientId, billId }: { clientId: number; billId: number }) {
  const asked = useQuery(apiQuery(billDetailCalls.facilities, { params: { client_id: clientId, id: billId } }))
  return (
    <RecordGate asked={asked}>
      {({ facilities }) =>
        facilities.length === 0 ? (
          <EmptyState title="This bill’s account has no facility" />
        ) : (
          <table className={styles.table} aria-label="Bill’s Facilities">
            <thead>
              <tr>
                <th scope="col">Facility</th>
                <th scope="col">Number</th>
                <th scope="col">Division</th>
                <th scope="col">Accounts</th>
              </tr>
            </thead>
            <tbody>
              {facilities.map((facility) => (
                <FacilityRow key={facility.id} clientId={clientId} facility={facility} />
              ))}
            </tbody>
          </table>
        )
      }
    </RecordGate>
  )
}

function FacilityRow({ clientId, facility }: { clientId: number; facility: BillFacility }) {
  return (
    <tr>
      <th scope="row">
        <UiLink href={`/clients/${clientId}/facilities/${facility.id}/dashboard`}>{facility.name}</UiLink>
      </th>
      <td className="num">{facility.number}</td>
      <td>{facility.division_name ?? <Missing />}</td>
      <td className="num">{facility.account_numbers.join(', ')}</td>
    </tr>
  )
}

function FileTable({ bill }: { bill: BillDetail }) {
  return (
    <table className={styles.table} aria-label="File copies">
      <thead>
        <tr>
          <th scope="col">Copy</th>
          <th scope="col">File</th>
          <th scope="col">Kind</th>
        </tr>
      </thead>
      <tbody>
        {bill.files.map((file) => (
          <tr key={file.position}>
            <td className="num">{file.position}</td>
            <th scope="row">
              <UiLink href={file.href}>{file.filename}</UiLink>
            </th>
            <td>{file.content_type}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
