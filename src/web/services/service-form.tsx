import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Call, Nothing, Result } from '#contract/kernel/call.ts'
import { evenRatios } from '#contract/kernel/decimal.ts'
import { ledgerAccountCalls } from '#contract/ledger-account.ts'
import { service, sharesAreWhole, shareRatioError, type Service, type ServiceDraft } from '#contract/service.ts'
import { ChildRows, idOf, liveChildren, textOf, type ChildValues } from '../kernel/child-rows.tsx'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/entity-form.tsx'
import type { FormErrors, FormValues } from '../kernel/form-values.ts'
import { useGo } from '../kernel/navigation.tsx'
import { EntityPicker, optionsOf, type OptionSource } from '../kernel/picker.tsx'
import { keyOf } from '../kernel/query.ts'
import { callWith } from '../kernel/api.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/use-entity-form.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { EntryFieldChoices, KindField, UsageFactorChoices, UsageUnitField } from './service-choices.tsx'
import type { AccountParams } from './service-table.tsx'

export interface ServiceFormProps<Params extends AccountParams> {
  calls: {
    get: Call<Params & { id: number }, Nothing, Nothing, { service: Service }>
    create: Call<Params, Nothing, { service: ServiceDraft }, Result>
    update: Call<Params & { id: number }, Nothing, { service: Partial<ServiceDraft> & { lock_version?: number | undefined } }, Result>
  }
  params: Params
  /** Where the account's services are. */
  at: string
}

/** The form of a stored service. */
export function ServiceFormOf<Params extends AccountParams>({ id, ...props }: ServiceFormProps<Params> & { id: number }) {
  const params = { ...props.params, id }
  const asked = useQuery({
    queryKey: keyOf(props.calls.get, { params }),
    queryFn: ({ signal }) => callWith(props.calls.get, { params, signal }),
  })
  return <RecordGate asked={asked}>{(found) => <ServiceForm {...props} row={found.service} />}</RecordGate>
}

/** The form of a new or a stored service of a billable or a supply account. */
export function ServiceForm<Params extends AccountParams>({ calls, params, at, row }: ServiceFormProps<Params> & { row?: Service }) {
  const go = useGo()
  const { client_id } = params
  const ledgers = useMemo(() => optionsOf('ledger_accounts', ledgerAccountCalls.selectOptions, { client_id }), [client_id])
  const pickers = useMemo(() => ({ ledger_account_id: ledgers }), [ledgers])
  return (
    <EntityForm
      entity={service}
      row={row}
      {...formCalls(calls, 'service', params)}
      sections={sections}
      slots={{
        utility_service_id: (slot) => <KindField {...slot} />,
        usage_unit_id: (slot) => <UsageUnitField {...slot} />,
        usage_factor_ids: (slot) => <UsageFactorChoices {...slot} />,
        entry_field_ids: (slot) => <EntryFieldChoices {...slot} />,
        shared_accounts_attributes: (slot) => <SharedAccounts slot={slot} ledgers={ledgers} />,
        additional_entry_fields_attributes: AdditionalFields,
      }}
      pickers={pickers}
      start={noChildren}
      startOf={childrenOfRow}
      check={checkShares}
      refreshes={['services', 'supply_account_services', 'billable_accounts', 'supply_accounts']}
      backHref={at}
      onSaved={() => go(at)}
    />
  )
}

const sections: readonly FormSection[] = [
  {
    fields: [
      'meter_number',
      'id_number',
      'service_name_1',
      'service_name_2',
      'utility_service_id',
      'usage_unit_id',
      'meter_multiplier',
      'emissions_factor',
      'rate_schedule',
      'contract_demand_capacity',
      'tax_code',
      'rank',
      'active',
      'metered',
      'supply',
    ],
  },
  { title: 'Bill Fields', fields: ['usage_factor_ids', 'entry_field_ids'] },
  { title: 'Additional Entry Fields', fields: ['additional_entry_fields_attributes'] },
  { title: 'Ledger', fields: ['ledger_account_id', 'billable_ledgers'] },
  { title: 'Shared Accounts', fields: ['shared_accounts_attributes'] },
  { title: 'Notes', fields: ['notes'] },
]
const noChildren: FormValues = { shared_accounts_attributes: [], additional_entry_fields_attributes: [] }
const newShare: ChildValues = { ledger_account_id: null, share_ratio: '' }
const newField: ChildValues = { name: '', active: true }

function childrenOfRow({ shared_accounts, additional_entry_fields }: Service): FormValues {
  return {
    shared_accounts_attributes: shared_accounts.map(({ id, ledger_account_id, share_ratio }) => ({ id, ledger_account_id, share_ratio })),
    additional_entry_fields_attributes: additional_entry_fields,
  }
}

/** The rule of the whole list; what is missing in one share is said at the share. */
function checkShares(values: FormValues): FormErrors {
  const ratios = liveChildren(values['shared_accounts_attributes']).map((share) => textOf(share, 'share_ratio'))
  const isReadable = ratios.every((ratio) => /^(0?\.\d{1,4}|[01](\.\d{0,4})?)$/.test(ratio) && Number(ratio) <= 1)
  return isReadable && !sharesAreWhole(ratios) ? { shared_accounts_attributes: `${shareRatioError.title}: ${shareRatioError.message}` } : {}
}

function SharedAccounts({ slot, ledgers }: { slot: SlotProps; ledgers: OptionSource }) {
  const live = liveChildren(slot.value)
  const spread = () => {
    const ratios = evenRatios(live.length)
    slot.onChange([...removedOf(slot.value), ...live.map((share, at) => ({ ...share, share_ratio: ratios[at] }))])
  }
  return (
    <ChildRows
      {...slot}
      name="shared_accounts_attributes"
      title="Shared Accounts"
      addLabel="Add Shared Account"
      note="Splits the charges among ledger accounts. The ratios add up to 1."
      blank={newShare}
      tools={
        live.length > 1 && (
          <Button small kind="quiet" onClick={spread}>
            Spread evenly
          </Button>
        )
      }
    >
      {({ child, set, error }) => (
        <>
          <EntityPicker
            label="Ledger Account"
            required
            source={ledgers}
            value={idOf(child, 'ledger_account_id')}
            error={error('ledger_account_id')}
            onChange={(ledger_account_id) => set({ ledger_account_id })}
          />
          <NumberField
            label="Share Ratio"
            required
            scale={4}
            value={textOf(child, 'share_ratio')}
            error={error('share_ratio')}
            onChange={(share_ratio) => set({ share_ratio })}
          />
        </>
      )}
    </ChildRows>
  )
}

function removedOf(value: unknown): ChildValues[] {
  const live = liveChildren(value)
  return Array.isArray(value) ? value.filter((child: ChildValues) => !live.includes(child)) : []
}

function AdditionalFields(slot: SlotProps) {
  return (
    <ChildRows
      {...slot}
      name="additional_entry_fields_attributes"
      title="Additional Entry Fields"
      addLabel="Add Entry Field"
      blank={newField}
    >
      {({ child, set, error }) => (
        <>
          <TextField label="Field Name" required value={textOf(child, 'name')} error={error('name')} onChange={(name) => set({ name })} />
          <CheckboxField label="Active" checked={child['active'] === true} onChange={(active) => set({ active })} />
        </>
      )}
    </ChildRows>
  )
}
