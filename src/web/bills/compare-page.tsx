/** Compares two bills side by side, with actions for a duplicate or a correction. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { compareBills } from '#contract/bills/compare-values.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { usePageTitle } from '../kernel/page-title.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import { BillStatus } from './bill-cells.tsx'
import { BillFile } from './bill-file.tsx'
import { ComparedTable } from './compared-table.tsx'
import styles from './corrections.module.css'
import { Acts } from './duplicate-acts.tsx'

export function CompareBills() {
  const client_id = usePathId('client_id')
  const left = useQuery(apiQuery(billDetailCalls.get, { params: { client_id, id: usePathId('bill_id') } }))
  const right = useQuery(apiQuery(billDetailCalls.get, { params: { client_id, id: usePathId('other_bill_id') } }))
  usePageTitle('Compare Bills')
  return (
    <RecordGate asked={left}>
      {({ bill }) => <RecordGate asked={right}>{({ bill: other }) => <Beside left={bill} right={other} />}</RecordGate>}
    </RecordGate>
  )
}

function Beside({ left, right }: { left: BillDetail; right: BillDetail }) {
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const list = `/clients/${left.client_id}/bills`
  const groups = compareBills(left, right)
  const differences = groups.flatMap((group) => group.values).filter((value) => value.differs).length
  const hasPaper = left.files.length + right.files.length > 0
  return (
    <>
      <Breadcrumbs
        items={[{ label: 'Bills', href: list }, { label: `Bill ${left.id}`, href: `${list}/${left.id}` }, { label: 'Compare' }]}
      />
      <PageHeader title={`Bills ${left.id} and ${right.id}`} actions={<ButtonLink href={`${list}/${left.id}`}>Go Back</ButtonLink>} />
      <Acts left={left} right={right} />
      <div className={styles.tools}>
        <span className={styles.hint}>{differences === 1 ? '1 value differs' : `${differences} values differ`}</span>
        <CheckboxField label="Show differences only" checked={onlyDifferent} onChange={setOnlyDifferent} />
      </div>
      <ComparedTable
        label="The two bills"
        groups={groups}
        onlyDifferent={onlyDifferent}
        left={<Head bill={left} />}
        right={<Head bill={right} />}
      />
      {hasPaper && (
        <div className={styles.papers}>
          {[left, right].map((bill) =>
            bill.files.length > 0 ? (
              <BillFile key={bill.id} bill={bill} besideAnother />
            ) : (
              <p key={bill.id} className={styles.hint}>
                Bill {bill.id} has no copy.
              </p>
            ),
          )}
        </div>
      )}
    </>
  )
}

function Head({ bill }: { bill: BillDetail }) {
  return (
    <span className={styles.head}>
      <UiLink href={`/clients/${bill.client_id}/bills/${bill.id}`}>
        Bill {bill.id} of {formatDate(bill.date)}
      </UiLink>
      <BillStatus status={bill.full_status} />
    </span>
  )
}
