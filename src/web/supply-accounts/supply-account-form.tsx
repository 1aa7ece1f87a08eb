import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { serviceOptionCalls } from '#contract/services/service-calls.ts'
import { supplyAccount, supplyAccountCalls, type SupplyAccount } from '#contract/accounts/supply-account.ts'
import { addressSections, groupLocked, placePickers, ruleSections, ruleSlots, useFacilityStart } from '../accounts/accounts.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { optionsOf, type OptionSource } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'

export function NewSupplyAccount() {
  return <AccountForm />
}

export function EditSupplyAccount() {
  const params = { client_id: usePathId('client_id'), id: usePathId('supply_account_id') }
  const asked = useQuery(apiQuery(supplyAccountCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <AccountForm row={found.supply_account} />}</RecordGate>
}

const sections: readonly FormSection[] = [
  { fields: ['name', 'account_number', 'facility_id', 'vendor_id', 'active', 'is_group_account'] },
  { title: 'What It Supplies', fields: ['billable_service_ids', 'service_identifiers', 'tax_ids'] },
  ...addressSections,
  ...ruleSections,
]

/** Saving a new account leads to its first service; saving a changed one returns to the list. */
function AccountForm({ row }: { row?: SupplyAccount }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const addsServices = useCan('service.create')
  const start = useFacilityStart()
  const pickers = useMemo(() => ({ ...placePickers(client_id), billable_service_ids: billableServices(client_id) }), [client_id])
  const list = `/clients/${client_id}/supply_accounts`
  return (
    <EntityForm
      entity={supplyAccount}
      row={row}
      {...formCalls(supplyAccountCalls, 'supply_account', { client_id })}
      sections={sections}
      slots={ruleSlots(client_id, 'SupplyAccount', row?.id)}
      pickers={pickers}
      locked={row && row.services_count > 0 ? groupLocked : undefined}
      start={start}
      backHref={list}
      onSaved={row || !addsServices ? undefined : ({ id }) => go(id === undefined ? list : `${list}/${id}/services/new`)}
    />
  )
}

/** Services are labelled by their meter; their account and utility service distinguish them. */
function billableServices(client_id: number): OptionSource {
  return optionsOf(
    'services',
    serviceOptionCalls.ofBillableAccounts,
    { client_id },
    {
      label: (option) => `${option.meter_number} · ${option.account_number}`,
      hint: ({ service_name_1, utility_service_name }) => [service_name_1, utility_service_name].filter(Boolean).join(' · ') || undefined,
    },
  )
}
