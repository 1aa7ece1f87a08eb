/** A summary bill: the head of the group's bill, its subaccounts as rows, and one save that stores all of it linked, or nothing. */
import { useRef, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { formatMoney, wireOf } from '#contract/kernel/money.ts'
import { summaryBillCalls, type SummaryEntry } from '#contract/bills/summary-bill.ts'
import { useFirstField } from '../kernel/forms/use-first-field.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { MoneyField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { EmptyState } from '../ui/states.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { dueUntil, FindingMark, fieldLabel } from '../bill-entry/bill-entry.ts'
import { SummaryFindings } from './summary-findings.tsx'
import { SummaryFoot } from './summary-foot.tsx'
import { SummaryGrid } from './summary-grid.tsx'
import { sumsOf, type HeadKey } from './summary-values.ts'
import styles from './summary.module.css'
import { useSummaryForm, type SummaryFormState } from './use-summary-form.ts'

export function SummaryBillPage() {
  const client_id = usePathId('client_id')
  const id = usePathId('group_account_id')
  // The data loaded when the page opened is kept, because prefilled dates must not change while the user types.
  const asked = useQuery({ ...apiQuery(summaryBillCalls.entry, { params: { client_id, id } }), staleTime: Infinity })
  return <RecordGate asked={asked}>{({ entry }) => <SummaryForm key={id} entry={entry} clientId={client_id} groupId={id} />}</RecordGate>
}

function SummaryForm(props: { entry: SummaryEntry; clientId: number; groupId: number }) {
  const ref = useRef<HTMLDivElement>(null)
  const form = useSummaryForm(props, ref)
  useFirstField(ref)
  const { entry, columns, values, findings } = form
  const sums = sumsOf(values, entry, columns)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.save()
  }
  return (
    <div ref={ref} className={styles.form} onKeyDown={onKeyDown} role="form" aria-label="Summary bill">
      <PageHeader title="New Summary Bill">
        <span className={styles.account} title={entry.account_name}>
          {entry.account_name} ({entry.account_number})
        </span>
      </PageHeader>
      <SummaryHead form={form} due={formatMoney(wireOf(sums.due))} />
      {entry.rows.length === 0 ? (
        <EmptyState title="The group has no active subaccount">Its bill can be entered without rows.</EmptyState>
      ) : (
        <SummaryGrid form={form} />
      )}
      <SummaryFindings form={form} findings={findings} />
      <SummaryFoot form={form} sums={sums} />
    </div>
  )
}

function SummaryHead({ form: { values, set, findings, problems }, due }: { form: SummaryFormState; due: string }) {
  const { head } = values
  const at = (key: HeadKey) => {
    const found = findings.filter((one) => one.account_id === null && one.spot.name === key).map((one) => one.finding)
    return {
      label: fieldLabel(key),
      name: key,
      value: head[key],
      onChange: (text: string) => set((before) => ({ ...before, head: { ...before.head, [key]: text } })),
      error: problems.find((one) => one.account_id === null && one.spot.name === key)?.message,
      aside: found.length > 0 ? <FindingMark findings={found} /> : undefined,
    }
  }
  return (
    <div className={styles.head}>
      <DateField {...at('date')} required autoFocus />
      <DateField {...at('due_date')} required until={dueUntil(head.date)} from={head.date} />
      <TextField {...at('invoice_number')} maxLength={100} />
      <MoneyField {...at('balance_forward')} />
      <MoneyField {...at('current_charges')} required />
      <MoneyField {...at('late_fee')} />
      <MoneyField {...at('amount_due')} hint={`Computed: ${due}`} />
    </div>
  )
}
