import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import type { Call, Nothing, Result } from '#contract/kernel/call.ts'
import { ledgerAccountCalls } from '#contract/ledger/ledger-account.ts'
import { service, sharesAreWhole, shareRatioError, type Service, type ServiceDraft } from '#contract/services/service.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { AuditSettingsField } from '../bill-audits/bill-audits.ts'
import { ChildRows, liveChildren, textOf, type ChildValues } from '../kernel/forms/child-rows.tsx'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import type { FormErrors, FormValues } from '../kernel/forms/form-values.ts'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery, keyOf } from '../kernel/query.ts'
import { callWith } from '../kernel/api.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { EmissionsFactorField, EntryFieldChoices, KindField, UsageFactorChoices, UsageUnitField } from './service-choices.tsx'
import { BillableLedgers, SharedAccounts } from './service-ledger-fields.tsx'
import { FactorYearField, SupplierFactors } from './supplier-factors.tsx'
import type { AccountParams } from './service-table.tsx'

export interface ServiceFormProps<Params extends AccountParams> {
  calls: {
    get: Call<Params & { id: number }, Nothing, Nothing, { service: Service }>
    create: Call<Params, Nothing, { service: ServiceDraft }, Result>
    update: Call<Params & { id: number }, Nothing, { service: Partial<ServiceDraft> & { lock_version?: number | undefined } }, Result>
  }
  params: Params
  /** Path of the account's services. */
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
  const { client_id } = params
  const sections = params.supply_account_id === undefined ? billableSections : supplySections
  const readsLedgers = useCan('ledger_account.read')
  const accountSettings = useAccountSettings(params)
  const ledgers = useMemo(() => optionsOf('ledger_accounts', ledgerAccountCalls.selectOptions, { client_id }), [client_id])
  const pickers = useMemo(() => ({ ledger_account_id: ledgers }), [ledgers])
  return (
    <EntityForm
      entity={service}
      row={row}
      {...formCalls(calls, 'service', params)}
      sections={readsLedgers ? sections : sections.filter(({ title }) => title === undefined || !ledgerTitles.includes(title))}
      slots={{
        utility_service_id: (slot) => <KindField {...slot} />,
        usage_unit_id: (slot) => <UsageUnitField {...slot} />,
        emissions_factor: (slot) => <EmissionsFactorField {...slot} />,
        emissions_factor_year: FactorYearField,
        supplier_factors_attributes: SupplierFactors,
        usage_factor_ids: (slot) => <UsageFactorChoices {...slot} />,
        entry_field_ids: (slot) => <EntryFieldChoices {...slot} />,
        billable_ledgers: (slot) => <BillableLedgers slot={slot} row={row} />,
        shared_accounts_attributes: (slot) => <SharedAccounts slot={slot} ledgers={ledgers} />,
        additional_entry_fields_attributes: AdditionalFields,
        audit_settings: (slot) => (
          <AuditSettingsField slot={slot} clientId={client_id} between={accountSettings} on={row && { service_id: row.id }} />
        ),
      }}
      pickers={pickers}
      start={noChildren}
      startOf={childrenOfRow}
      check={checkForm}
      refreshes={['services', 'supply_account_services', 'billable_accounts', 'supply_accounts']}
      backHref={at}
    />
  )
}

const meterFields = [
  'meter_number',
  'id_number',
  'service_name_1',
  'service_name_2',
  'utility_service_id',
  'usage_unit_id',
  'meter_multiplier',
  'rate_schedule',
  'contract_demand_capacity',
  'tax_code',
  'rank',
  'active',
  'metered',
  'net_metered',
  'supply',
]
const billableSections = sectionsWith({ title: 'Ledger', fields: ['ledger_account_id'] })
const supplySections = sectionsWith({ title: 'Ledger', fields: ['ledger_account_id', 'billable_ledgers'] })

function sectionsWith(ledger: FormSection): readonly FormSection[] {
  return [
    { fields: meterFields },
    { title: 'Bill Fields', fields: ['usage_factor_ids', 'entry_field_ids'] },
    { title: 'Additional Entry Fields', fields: ['additional_entry_fields_attributes'] },
    ledger,
    { title: 'Shared Accounts', fields: ['shared_accounts_attributes'] },
    { title: 'Emissions', fields: ['emissions_factor', 'emissions_factor_source', 'emissions_factor_year', 'supplier_factors_attributes'] },
    { title: 'ENERGY STAR', fields: ['portfolio_manager_meter_id'] },
    { title: 'Effective', fields: ['effective_from', 'effective_to'] },
    { title: 'Audits', fields: ['audits_off', 'accruals_off', 'audit_settings'] },
    { title: 'Notes', fields: ['notes'] },
  ]
}

/** Ledger accounts concern the whole client: a narrowed role neither sees nor chooses them. */
const ledgerTitles: readonly string[] = ['Ledger', 'Shared Accounts']

const noChildren: FormValues = { shared_accounts_attributes: [], supplier_factors_attributes: [], additional_entry_fields_attributes: [] }
const newField: ChildValues = { name: '', active: true }

function childrenOfRow({ shared_accounts, supplier_factors, additional_entry_fields }: Service): FormValues {
  return {
    shared_accounts_attributes: shared_accounts.map(({ id, ledger_account_id, share_ratio }) => ({ id, ledger_account_id, share_ratio })),
    supplier_factors_attributes: supplier_factors.map(({ id, year, value, source }) => ({ id, year, value, source })),
    additional_entry_fields_attributes: additional_entry_fields,
  }
}

/** Returns the account's overrides of the client's audit settings, which its services inherit. */
function useAccountSettings({ client_id, billable_account_id, supply_account_id }: AccountParams): unknown {
  const billable = useQuery({
    ...apiQuery(billableAccountCalls.get, { params: { client_id, id: billable_account_id ?? 0 } }),
    enabled: billable_account_id !== undefined,
  })
  const supply = useQuery({
    ...apiQuery(supplyAccountCalls.get, { params: { client_id, id: supply_account_id ?? 0 } }),
    enabled: supply_account_id !== undefined,
  })
  return billable.data?.billable_account.audit_settings ?? supply.data?.supply_account.audit_settings
}

/** Checks the shares as a whole; an error in a single share is shown there. */
function checkForm(values: FormValues): FormErrors {
  const ratios = liveChildren(values['shared_accounts_attributes']).map((share) => textOf(share, 'share_ratio'))
  const isReadable = ratios.every((ratio) => /^(0?\.\d{1,4}|[01](\.\d{0,4})?)$/.test(ratio) && Number(ratio) <= 1)
  if (!isReadable || sharesAreWhole(ratios)) return {}
  return { shared_accounts_attributes: `${shareRatioError.title}: ${shareRatioError.message}` }
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
