import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accountingBatch, accountingBatchCalls, type AccountingBatch } from '#contract/accounting-batches/accounting-batch.ts'
import { batchGroupCalls } from '#contract/clients/batch-group.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { NEW_YORK, startOfDayIn, todayIn } from '#contract/kernel/zone.ts'
import { isCalendarDate } from '#contract/kernel/date.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { valueText } from '../kernel/value-text.ts'
import { DateField } from '../ui/fields/date-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { BatchHead } from './batch-head.tsx'
import { batchHref } from './batch-state.tsx'

/** Creates a batch. A client with a code pattern gets the next code as a suggestion, which can be changed. */
export function NewBatch() {
  const params = { client_id: usePathId('client_id') }
  const asked = useQuery({ ...apiQuery(accountingBatchCalls.nextCode, { params }), gcTime: 0 })
  return <RecordGate asked={asked}>{({ batch_code }) => <BatchForm code={batch_code} />}</RecordGate>
}

export function EditBatch() {
  const params = { client_id: usePathId('client_id'), id: usePathId('accounting_batch_id') }
  const asked = useQuery(apiQuery(accountingBatchCalls.get, { params }))
  return (
    <RecordGate asked={asked}>{(found) => <BatchForm key={found.accounting_batch.lock_version} row={found.accounting_batch} />}</RecordGate>
  )
}

const sections: readonly FormSection[] = [{ fields: ['batch_code', 'batch_date', 'batch_group_id', 'closed', 'invoiced'] }]
const whileClosed = 'This client batch is closed. Open it again to change it.'

function BatchForm({ row, code = null }: { row?: AccountingBatch; code?: string | null }) {
  const [suggested, setSuggested] = useState(code)
  const client_id = usePathId('client_id')
  const pickers = useMemo(() => ({ batch_group_id: optionsOf('batch_groups', batchGroupCalls.selectOptions, { client_id }) }), [client_id])
  const list = `/clients/${client_id}/accounting_batches`
  const { create, ...calls } = formCalls(accountingBatchCalls, 'accounting_batch', { client_id })
  const locked = row?.closed ? { batch_code: whileClosed, batch_group_id: whileClosed } : undefined
  return (
    <>
      {row && <BatchHead batch={row} tab="edit" />}
      <EntityForm
        entity={accountingBatch}
        row={row}
        {...calls}
        create={create && ((body, intent) => create(withGroup(body), intent))}
        sections={sections}
        start={code === null ? undefined : { batch_code: code }}
        slots={{
          batch_date: (slot) => (
            <>
              <BatchDate slot={slot} locked={row?.closed ?? false} />
              {code !== null && !row && <NextCode slot={slot} clientId={client_id} suggested={suggested} onSuggest={setSuggested} />}
            </>
          ),
        }}
        pickers={pickers}
        locked={locked}
        title={row?.batch_code}
        backHref={list}
        savedLink={(id, { batch_code }) => ({ href: batchHref({ client_id, id }, 'bills'), label: `Bills of ${valueText(batch_code)}` })}
      >
        <TextField
          label={accountingBatch.fields.bills_total.label}
          value={formatMoney(row?.bills_total ?? '0.00')}
          onChange={ignore}
          disabled
        />
      </EntityForm>
    </>
  )
}

/** A form leaves out what is empty. Of a batch, no group is sent as null. */
function withGroup({ accounting_batch: sent, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, accounting_batch: { batch_group_id: null, ...(typeof sent === 'object' ? sent : {}) } }
}

/** The sum of the bills follows from them, and nobody types it. */
function ignore(): void {}

interface NextCodeProps {
  readonly slot: SlotProps
  readonly clientId: number
  /** The code that was suggested last. */
  readonly suggested: string | null
  readonly onSuggest: (code: string) => void
}

/** Requests a new code when the date or the group changes, unless the user has typed another code. */
function NextCode({ slot, clientId, suggested, onSuggest }: NextCodeProps) {
  const { batch_code, batch_date, batch_group_id } = slot.values
  const date = typeof batch_date === 'string' && batch_date.includes('T') ? todayIn(NEW_YORK, batch_date) : undefined
  const group = typeof batch_group_id === 'number' ? String(batch_group_id) : undefined
  const isOurs = batch_code === suggested
  const { data } = useQuery({
    ...apiQuery(accountingBatchCalls.nextCode, { params: { client_id: clientId }, query: { date, batch_group_id: group } }),
    enabled: isOurs && (date !== undefined || group !== undefined),
  })
  const take = useEffectEvent((code: string) => {
    if (!isOurs || code === suggested) return
    onSuggest(code)
    slot.setValues({ batch_code: code })
  })
  const next = data?.batch_code ?? null
  useEffect(() => {
    if (next !== null) take(next)
  }, [next])
  return null
}

/** A calendar date, sent as the instant at which that day begins in New York. */
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
