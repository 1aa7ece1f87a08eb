/** Fields that most bills leave unchanged: the months, the related bills, and the marks that hold the bill back. */
import { useQuery } from '@tanstack/react-query'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { cx } from '../ui/class-names.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { figureText } from '../ui/status.tsx'
import { BillDate, BillField, BillFlag } from './bill-fields.tsx'
import billEntry from './bill-entry.module.css'
import styles from './bill-fields.module.css'
import { dueUntil, type BillValues } from './bill-values.ts'
import { useFormPlace, useFormValues, type FormPlace } from './form-context.ts'
import { BillMonth, BillNotes } from './further-inputs.tsx'
import { lastReads } from './starting-values.ts'

/** `opened` is true once the part has been open; only then are the bills to choose from requested. */
export function MoreOfBill({ opened }: { opened: boolean }) {
  const place = useFormPlace()
  const { set } = place
  const values = useFormValues()
  const readsNotes = useCan('bill_notes.read')
  const put = (changes: Partial<BillValues>) => set((before) => ({ ...before, ...changes }))
  return (
    <div className={cx(billEntry.grid, styles.moreGrid)}>
      <BillMonth path="fiscal_month" value={values.fiscal_month} onChange={(fiscal_month) => put({ fiscal_month })} />
      <BillDate
        path="next_read_date"
        value={values.next_read_date}
        onChange={(next_read_date) => put({ next_read_date })}
        until={dueUntil(values.date)}
      />
      <EarlierBill
        path="bill_id"
        value={values.bill_id}
        empty="The latest earlier one"
        onChange={(bill_id) => set((before) => withReadsOf(before, place, bill_id))}
      />
      <GroupBill opened={opened} />
      <BillFlag path="qc" checked={values.qc} onChange={(qc) => put({ qc })} />
      <BillFlag path="parked" checked={values.parked} onChange={(parked) => put({ parked })} />
      <BillFlag
        path="rebill_adjustment"
        checked={values.rebill_adjustment}
        onChange={(rebill_adjustment) =>
          put(rebill_adjustment ? { rebill_adjustment } : { rebill_adjustment, rebill_of_id: null, rebill_mode: null })
        }
      />
      {values.rebill_adjustment && (
        <>
          <EarlierBill
            path="rebill_of_id"
            value={values.rebill_of_id}
            empty="Not named"
            onChange={(rebill_of_id) =>
              put({ rebill_of_id, rebill_mode: rebill_of_id === null ? null : (values.rebill_mode ?? 'replace') })
            }
          />
          <BillField path="rebill_mode">
            {(props) => (
              <SelectField
                {...props}
                value={values.rebill_mode ?? ''}
                emptyLabel="Not said"
                options={[
                  { value: 'replace', label: 'Replaces it' },
                  { value: 'add', label: 'Adds to it' },
                ]}
                onChange={(mode) => put({ rebill_mode: mode === 'replace' || mode === 'add' ? mode : null })}
              />
            )}
          </BillField>
        </>
      )}
      {readsNotes && <BillNotes path="notes" value={values.notes} onChange={(notes) => put({ notes })} wide />}
    </div>
  )
}

/** Makes the chosen bill's reads the previous reads of the lines (BILL-RULE-008). */
function withReadsOf(values: BillValues, { entry, base }: FormPlace, billId: number | null): BillValues {
  const lines = values.lines.map((line) => {
    const reads = line.service_id === null ? undefined : lastReads(line.service_id, entry, billId)
    if (!reads) return line
    const started = base.lines.find((one) => one.key === line.key)
    return {
      ...line,
      previous_read_date: reads.read_date ?? started?.previous_read_date ?? '',
      previous_reading: reads.meter_reading ?? started?.previous_reading ?? '',
    }
  })
  return { ...values, bill_id: billId, lines }
}

interface EarlierBillProps {
  readonly path: 'bill_id' | 'rebill_of_id'
  readonly value: number | null
  readonly empty: string
  readonly onChange: (id: number | null) => void
}

/** Chooses one of the account's other bills. */
function EarlierBill({ path, value, empty, onChange }: EarlierBillProps) {
  const { entry } = useFormPlace()
  const options = entry.history.map((bill) => ({
    value: String(bill.id),
    label: `${formatDate(bill.date)} · ${figureText(bill.amount_due, 2, true)}${bill.invoice_number ? ` · ${bill.invoice_number}` : ''}`,
  }))
  const named = value === null || options.some((option) => option.value === String(value))
  return (
    <BillField path={path}>
      {(props) => (
        <SelectField
          {...props}
          value={value === null ? '' : String(value)}
          emptyLabel={empty}
          options={named ? options : [...options, { value: String(value), label: `Bill ${value}` }]}
          onChange={(id) => onChange(id === '' ? null : Number(id))}
        />
      )}
    </BillField>
  )
}

/** Chooses the group account's bill that pays for this one; shown only for accounts of a group. */
function GroupBill({ opened }: { opened: boolean }) {
  const { entry, set } = useFormPlace()
  const values = useFormValues()
  const params = { client_id: entry.client_id }
  const account = useQuery({
    ...apiQuery(billableAccountCalls.get, { params: { ...params, id: entry.account_id } }),
    enabled: opened && entry.account_type === 'BillableAccount',
  })
  const groupId = account.data?.billable_account.group_account_id ?? null
  const bills = useQuery({
    ...apiQuery(billListCalls.ofBillableAccount, { params: { ...params, id: groupId ?? 0 }, query: { per: 20, with_total: false } }),
    enabled: groupId !== null,
  })
  if (groupId === null && values.group_bill_id === null) return null
  const options = (bills.data?.bills ?? []).map((bill) => ({
    value: String(bill.id),
    label: `${formatDate(bill.date)} · ${figureText(bill.amount_due, 2, true)}`,
  }))
  const value = values.group_bill_id === null ? '' : String(values.group_bill_id)
  return (
    <BillField path="group_bill_id">
      {(props) => (
        <SelectField
          {...props}
          value={value}
          emptyLabel="None"
          options={
            value === '' || options.some((option) => option.value === value) ? options : [...options, { value, label: `Bill ${value}` }]
          }
          onChange={(id) => set((before) => ({ ...before, group_bill_id: id === '' ? null : Number(id) }))}
        />
      )}
    </BillField>
  )
}
