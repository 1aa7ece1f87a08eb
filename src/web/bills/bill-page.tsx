/** The page of one bill: its amounts, its findings, its lines, and the copy beside them. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { RecordDocuments } from '../documents/documents.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Breadcrumbs, PageHeader, Tabs } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Figure } from '../ui/status.tsx'
import { BillBadges, BillStatus } from './bill-cells.tsx'
import { accountHref, BillFacts } from './bill-facts.tsx'
import { BillFile } from './bill-file.tsx'
import { BillFindings } from './bill-findings.tsx'
import { rebillHref, useBillKeys } from './bill-keys.ts'
import { BillLedgerLines } from './bill-ledger.tsx'
import { BillLines } from './bill-lines.tsx'
import { BillRelated, CorrectionBanner } from './bill-relations.tsx'
import { FacilityTable, FileTable } from './bill-tables.tsx'
import styles from './bills.module.css'
import { StatusHelp } from './status-help.tsx'

export function BillDashboard() {
  return (
    <BillFrame>
      {(bill) => (
        <div className={bill.files.length > 0 ? styles.beside : undefined}>
          <div className={styles.facts}>
            <Amounts bill={bill} />
            <BillFindings bill={bill} />
            <BillLines bill={bill} />
            <BillRelated bill={bill}>
              <BillFacts bill={bill} />
              <BillLedgerLines bill={bill} />
            </BillRelated>
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
          <RecordDocuments clientId={bill.client_id} type={bill.account_type} id={bill.account_id} of="account" />
        </>
      )}
    </BillFrame>
  )
}

/** Header and tabs of a bill around the tab's content. */
export function BillFrame({ children }: { children: (bill: BillDetail) => ReactNode }) {
  const params = { client_id: usePathId('client_id'), id: usePathId('bill_id') }
  const asked = useQuery(apiQuery(billDetailCalls.get, { params }))
  usePageTitle(asked.data ? titleOf(asked.data.bill) : undefined)
  return (
    <RecordGate asked={asked}>
      {({ bill }) => (
        <>
          <BillHead bill={bill} />
          <CorrectionBanner bill={bill} />
          {children(bill)}
        </>
      )}
    </RecordGate>
  )
}

function BillHead({ bill }: { bill: BillDetail }) {
  const path = usePath()
  useBillKeys(bill)
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
    { href: `${one}/trail`, label: 'Trail', current: path.endsWith('/trail') },
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
          <span className={styles.screenOnly}>
            <ButtonLink href={list}>Go Back</ButtonLink>
            <Button onClick={() => window.print()}>Print</Button>
            <Can do="bill.create">
              <ButtonLink href={rebillHref(bill)} title="Shift+R">
                Rebill
              </ButtonLink>
            </Can>
            <Can do="bill.update">
              <ButtonLink kind="primary" href={`${one}/edit`} title="E">
                Edit
              </ButtonLink>
            </Can>
          </span>
        }
      >
        <span className={styles.headStatus}>
          <BillStatus status={bill.full_status} />
          <StatusHelp current={bill.full_status} />
          <BillBadges badges={bill.badges} except={[bill.full_status]} />
        </span>
      </PageHeader>
      <Tabs
        label="Bill"
        items={tabs}
        end={
          <>
            <ButtonLink kind={path.endsWith('/versions') ? 'default' : 'quiet'} href={`${one}/versions`}>
              Versions
            </ButtonLink>
            <HistoryButton item="bill" id={bill.id} clientId={bill.client_id} />
          </>
        }
      />
    </>
  )
}

function titleOf(bill: BillDetail): string {
  return `${bill.vendor_name ?? 'Bill'} ${formatDate(bill.date)}`
}

/** The sum as printed on the bill: three parts and the amount due. */
function Amounts({ bill }: { bill: BillDetail }) {
  const parts = [
    ['Balance Forward', bill.balance_forward],
    ['Current Charges', bill.current_charges],
    ['Late Fee', bill.late_fee],
  ] as const
  return (
    <dl className={cx(styles.amounts, bill.superseded_by_id !== null && styles.voided)}>
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
