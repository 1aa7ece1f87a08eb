import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountingBatch, accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { batchGroupCalls } from '#contract/clients/batch-group.ts'
import { NEW_YORK, startOfDayIn, todayIn } from '#contract/kernel/zone.ts'
import { isCalendarDate } from '#contract/kernel/date.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { DateField } from '../ui/fields/date-field.tsx'
import { BatchHead } from './batch-head.tsx'
import { batchHref } from './batch-state.tsx'

export function NewBatch() {
  return <BatchForm />
}

export function EditBatch() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  return (
    <RecordGate asked={asked}>{(found) => <BatchForm key={found.accounting_batch.lock_version} row={found.accounting_batch} />}</RecordGate>
  )
}

const sections: readonly FormSection[] = [{ fields: ['batch_code', 'batch_date', 'batch_group_id'] }]
const whileClosed = 'This client batch is closed. Open it again to change it.'

function BatchForm({ row }: { row?: AccountingBatch }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const pickers = useMemo(() => ({ batch_group_id: optionsOf('batch_groups', batchGroupCalls.selectOptions, { client_id }) }), [client_id])
  const list = `/clients/${client_id}/accounting_batches`
  const locked = row?.closed ? { batch_code: whileClosed, batch_group_id: whileClosed } : undefined
  return (
    <>
      {row && <BatchHead batch={row} tab="edit" />}
      <EntityForm
        entity={accountingBatch}
        row={row}
        {...formCalls(accountingBatchCalls, 'accounting_batch', { client_id })}
        sections={sections}
        slots={{ batch_date: (slot) => <BatchDate slot={slot} locked={row?.closed ?? false} /> }}
        pickers={pickers}
        locked={locked}
        title={row?.batch_code}
        backHref={list}
        onSaved={({ id }) => go(row ? list : batchHref({ client_id, id: id ?? 0 }, 'bills'))}
      />
    </>
  )
}

/** A calendar date that travels as the instant at which its New York day begins. */
function BatchDate({ slot, locked }: { slot: SlotProps; locked: boolean }) {
  const stored = typeof slot.value === 'string' ? slot.value : ''
  const day = stored.includes('T') ? todayIn(NEW_YORK, stored) : stored
  return (
    <DateField
      label={accountingBatch.fields.batch_date.label}
      name="batch_date"
      value={day}
      error={slot.error}
      disabled={slot.disabled || locked}
      onChange={(next) => slot.onChange(isCalendarDate(next) ? startOfDayIn(NEW_YORK, next) : next)}
    />
  )
}
