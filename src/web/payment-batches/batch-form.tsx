import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { divisionCalls } from '#contract/clients/division.ts'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import { payerTypes, paymentBatch, type PaymentBatch, type PaymentBatchDetail } from '#contract/payment-batches/batch-record.ts'
import { dueDateOf } from '#contract/payment-batches/payment-dates.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { useScopeClient } from '../kernel/scope.ts'
import { valueText } from '../kernel/value-text.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { VendorBatchHead } from './batch-head.tsx'
import { vendorBatchesHref, vendorBatchHref } from './batch-state.tsx'

export function NewVendorBatch() {
  return <VendorBatchForm />
}

export function EditVendorBatch() {
  const params = { client_id: usePathId('client_id'), id: usePathId('payment_batch_id') }
  const asked = useQuery(apiQuery(paymentBatchCalls.get, { params }))
  return (
    <RecordGate asked={asked}>{(found) => <VendorBatchForm key={found.payment_batch.lock_version} row={found.payment_batch} />}</RecordGate>
  )
}

const sections: readonly FormSection[] = [{ fields: ['payer_type', 'payer_id', 'batch_date', 'bills_due_date', 'notes'] }]
const whileClosed = 'This vendor batch is closed. Open it again to change it.'
const payerStays = 'The payer of a vendor batch does not change.'

function VendorBatchForm({ row }: { row?: PaymentBatchDetail }) {
  const client_id = usePathId('client_id')
  const list = vendorBatchesHref(client_id)
  const [today] = useState(() => todayIn(NEW_YORK, new Date()))
  const start = row ? undefined : { payer_type: 'Client', payer_id: client_id, batch_date: today, bills_due_date: dueDateOf(today) }
  return (
    <>
      {row && <VendorBatchHead batch={row} tab="edit" />}
      <EntityForm
        entity={paymentBatch}
        row={row}
        {...formCalls(paymentBatchCalls, 'payment_batch', { client_id })}
        sections={sections}
        start={start}
        slots={{
          payer_type: (slot) => <PayerType slot={slot} fixed={row !== undefined} clientId={client_id} />,
          payer_id: (slot) => <Payer slot={slot} name={row?.payer_name} clientId={client_id} />,
          batch_date: (slot) => <BatchDate slot={slot} locked={row?.closed ?? false} />,
        }}
        locked={row?.closed ? { bills_due_date: whileClosed } : undefined}
        title={row ? `${row.payer_name} ${formatDate(row.batch_date)}` : undefined}
        backHref={list}
        savedLink={(id, { batch_date }) => ({
          href: vendorBatchHref({ client_id, id }, 'bills'),
          label: `Bills of the batch of ${dayOf(batch_date)}`,
        })}
      >
        {row && <Derived row={row} />}
      </EntityForm>
    </>
  )
}

const dayOf = (value: unknown): string => formatDate(valueText(value))

function PayerType({ slot, fixed, clientId }: { slot: SlotProps; fixed: boolean; clientId: number }) {
  const choose = (payer_type: string) => slot.setValues({ payer_type, payer_id: payer_type === 'Client' ? clientId : null })
  return (
    <SelectField
      label={paymentBatch.fields.payer_type.label}
      name="payer_type"
      required
      value={typeof slot.value === 'string' ? slot.value : ''}
      onChange={choose}
      options={payerTypes}
      error={slot.error}
      hint={fixed ? payerStays : undefined}
      disabled={fixed || slot.disabled}
    />
  )
}

/** The payer: the client itself, or one of its divisions. */
function Payer({ slot, name, clientId }: { slot: SlotProps; name: string | undefined; clientId: number }) {
  const source = useMemo(() => optionsOf('divisions', divisionCalls.selectOptions, { client_id: clientId }), [clientId])
  const { client } = useScopeClient()
  const common = { label: paymentBatch.fields.payer_id.label, name: 'payer_id', required: true, error: slot.error }
  if (name !== undefined) return <TextField {...common} value={name} onChange={ignore} hint={payerStays} disabled />
  if (slot.values['payer_type'] !== 'Division') return <TextField {...common} value={client?.name ?? ''} onChange={ignore} disabled />
  return <EntityPicker {...common} source={source} value={typeof slot.value === 'number' ? slot.value : null} onChange={slot.onChange} />
}

const ignore = () => undefined

/** The batch date, which also determines the due date. */
function BatchDate({ slot, locked }: { slot: SlotProps; locked: boolean }) {
  return (
    <DateField
      label={paymentBatch.fields.batch_date.label}
      name="batch_date"
      required
      value={typeof slot.value === 'string' ? slot.value : ''}
      error={slot.error}
      hint={locked ? whileClosed : undefined}
      disabled={slot.disabled || locked}
      onChange={(next) =>
        slot.setValues(isCalendarDate(next) ? { batch_date: next, bills_due_date: dueDateOf(next) } : { batch_date: next })
      }
    />
  )
}

/** Read-only values that follow from the bills. */
function Derived({ row }: { row: PaymentBatch }) {
  return (
    <>
      <TextField label="Vendors" value={row.vendor_names.join(', ')} onChange={ignore} disabled />
      <TextField label="Total" value={formatMoney(row.batch_total)} onChange={ignore} disabled />
    </>
  )
}
