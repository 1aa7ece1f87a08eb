import { useQuery } from '@tanstack/react-query'
import { paymentSetting, paymentSettingCalls, type PaymentSetting } from '#contract/payment-batches/payment-setting.ts'
import { callApi } from '../kernel/api.ts'
import { ChildRows, childrenOf, textOf } from '../kernel/forms/child-rows.tsx'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { MultiComboboxField } from '../ui/combobox/combobox-field.tsx'
import type { PickerOption } from '../ui/combobox/option-types.ts'
import { MoneyField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Breadcrumbs } from '../ui/page-header.tsx'
import { vendorBatchesHref } from './batch-state.tsx'

/** The approvers of a client's vendor batches, and the totals from which they are needed. */
export function PaymentSettings() {
  const params = { client_id: usePathId('client_id') }
  const asked = useQuery(apiQuery(paymentSettingCalls.get, { params }))
  return (
    <RecordGate asked={asked}>
      {(found) => <SettingsForm key={found.payment_setting.lock_version} row={found.payment_setting} />}
    </RecordGate>
  )
}

const sections: readonly FormSection[] = [
  { title: 'Steps', fields: ['approval_steps'] },
  { title: 'Duties', fields: ['one_person'] },
]
const readOnly = 'Your role may read this and not change it.'

function SettingsForm({ row }: { row: PaymentSetting }) {
  const client_id = usePathId('client_id')
  const mayEdit = useCan('client.update')
  const list = vendorBatchesHref(client_id)
  return (
    <>
      <Breadcrumbs items={[{ label: 'Vendor Batches', href: list }, { label: 'Approval' }]} />
      <EntityForm
        entity={paymentSetting}
        row={row}
        params={{ client_id }}
        update={(_, body) =>
          callApi(paymentSettingCalls.update, { params: { client_id }, body: paymentSettingCalls.update.schemas.body.parse(body) })
        }
        load={async () => (await callApi(paymentSettingCalls.get, { params: { client_id } })).payment_setting}
        sections={sections}
        slots={{
          approval_steps: (slot) => (mayEdit ? <Steps slot={slot} clientId={client_id} /> : <StepsRead steps={row.approval_steps} />),
        }}
        locked={mayEdit ? undefined : { approval_steps: readOnly, one_person: readOnly }}
        refreshes={['payment_batches']}
        title="Approval of Vendor Batches"
        history={false}
        backHref={list}
      />
    </>
  )
}

const blank = { name: '', above_amount: '', approver_ids: [] }

function Steps({ slot, clientId }: { slot: SlotProps; clientId: number }) {
  const { data } = useQuery(apiQuery(paymentSettingCalls.approvers, { params: { client_id: clientId } }))
  const people: readonly PickerOption[] = (data?.approvers ?? []).map(({ id, name, email }) => ({
    id,
    label: name,
    hint: email,
    words: email,
  }))
  return (
    <ChildRows
      {...slot}
      name="approval_steps"
      title="Steps"
      addLabel="Add Step"
      note="A batch needs each step whose amount its total exceeds, in this order. Any one of the step’s people approves it. A person stands in one step."
      blank={blank}
      onChange={(rows) => slot.onChange(childrenOf(rows).filter((row) => row['_destroy'] !== true))}
    >
      {({ child, set, error }) => (
        <>
          <TextField
            label="Step"
            required
            maxLength={60}
            value={textOf(child, 'name')}
            error={error('name')}
            onChange={(name) => set({ name })}
          />
          <MoneyField
            label="Above"
            required
            value={textOf(child, 'above_amount')}
            error={error('above_amount')}
            onChange={(above_amount) => set({ above_amount })}
          />
          <MultiComboboxField
            label="Approvers"
            required
            source={{ list: people }}
            value={chosenOf(child, people)}
            error={error('approver_ids')}
            onChange={(chosen) => set({ approver_ids: chosen.map(({ id }) => id), approver_names: chosen.map(({ label }) => label) })}
          />
        </>
      )}
    </ChildRows>
  )
}

/** Returns the chosen approvers; those who can no longer be chosen get the names stored with the step. */
function chosenOf(child: Readonly<Record<string, unknown>>, people: readonly PickerOption[]): readonly PickerOption[] {
  const { approver_ids: ids, approver_names: names } = child
  if (!Array.isArray(ids)) return []
  const told: readonly unknown[] = Array.isArray(names) ? names : []
  return ids.flatMap((id: unknown, at) => {
    if (typeof id !== 'number') return []
    const name = told[at]
    return [people.find((person) => person.id === id) ?? { id, label: typeof name === 'string' ? name : `Person ${id}` }]
  })
}

function StepsRead({ steps }: { steps: PaymentSetting['approval_steps'] }) {
  if (steps.length === 0) return <p>Vendor batches of this client need no approval.</p>
  return (
    <ol>
      {steps.map(({ id, name, above_amount, approver_names }) => (
        <li key={id ?? name}>{`${name}, above $${above_amount}: ${(approver_names ?? []).join(', ')}`}</li>
      ))}
    </ol>
  )
}
