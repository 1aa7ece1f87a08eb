/** The parts that the forms of a global batch have in common. */
import { globalBatch } from '#contract/global-batches/global-batch.ts'
import type { GlobalBill } from '#contract/global-batches/global-bill.ts'
import { isCalendarDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { dueDateOf } from '#contract/payment-batches/payment-dates.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { totalOf, type Choice } from './chosen-bills.ts'
import { starred } from './desk-columns.tsx'
import styles from './global-batches.module.css'
import { counted } from './words.ts'
import type { Payer } from './batch-outcome.tsx'

export function payersOf(bills: readonly GlobalBill[], choice: Choice): readonly Payer[] {
  return [...Map.groupBy(bills, (bill) => bill.client_id)].map(([id, own]) => ({
    id,
    name: own[0]?.client_name ?? '',
    vendors: [...new Set(own.map((bill) => starred(bill.vendor_name, bill.is_exclusive)))].join(', '),
    count: own.length,
    total: totalOf(choice, own),
  }))
}

/** Read-only values that follow from the bills of one client. */
export function PayerBlock({ payer, heading }: { payer: Payer; heading: boolean }) {
  return (
    <fieldset className={styles.block}>
      {heading && <legend>{`${payer.name} · ${counted(payer.count, 'bill')}`}</legend>}
      <FixedText label="Vendor" value={payer.vendors} />
      <FixedText label="Batch Total" value={formatMoney(payer.total)} />
    </fieldset>
  )
}

export function FixedText({ label, value, required }: { label: string; value: string; required?: boolean }) {
  return <TextField label={label} value={value} onChange={ignore} required={required} disabled />
}

const ignore = () => undefined

/** The batch date, which also determines the due date. */
export function BatchDate({ slot }: { slot: SlotProps }) {
  return (
    <DateField
      label={globalBatch.fields.batch_date.label}
      name="batch_date"
      required
      value={typeof slot.value === 'string' ? slot.value : ''}
      error={slot.error}
      disabled={slot.disabled}
      onChange={(next) =>
        slot.setValues(isCalendarDate(next) ? { batch_date: next, bills_due_date: dueDateOf(next) } : { batch_date: next })
      }
    />
  )
}
