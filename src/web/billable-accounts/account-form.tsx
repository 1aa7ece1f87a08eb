import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billableAccount, billableAccountCalls, type BillableAccount } from '#contract/accounts/billable-account.ts'
import { utilityServiceCalls } from '#contract/reference/utility-service.ts'
import { addressSections, groupLocked, placePickers, ruleSections, ruleSlots, useFacilityStart } from '../accounts/accounts.ts'
import { EntityForm, type FormSection } from '../kernel/forms/entity-form.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'

export function NewBillableAccount() {
  return <AccountForm />
}

export function EditBillableAccount() {
  const params = { client_id: usePathId('client_id'), id: usePathId('billable_account_id') }
  const asked = useQuery(apiQuery(billableAccountCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <AccountForm row={found.billable_account} />}</RecordGate>
}

const sections: readonly FormSection[] = [
  { fields: ['facility_id', 'vendor_id', 'name', 'account_number', 'utility_service_id', 'tax_id', 'active', 'is_group_account'] },
  ...addressSections,
  ...ruleSections,
]

/** Saving a new account leads to its first service; saving a changed one returns to the list. */
function AccountForm({ row }: { row?: BillableAccount }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const addsServices = useCan('service.create')
  const start = useFacilityStart()
  const pickers = useMemo(
    () => ({ ...placePickers(client_id), utility_service_id: optionsOf('utility_services', utilityServiceCalls.selectOptions, {}) }),
    [client_id],
  )
  const list = `/clients/${client_id}/billable_accounts`
  return (
    <EntityForm
      entity={billableAccount}
      row={row}
      {...formCalls(billableAccountCalls, 'billable_account', { client_id })}
      sections={sections}
      slots={ruleSlots(client_id, 'BillableAccount', row?.id)}
      pickers={pickers}
      locked={row && row.services_count > 0 ? groupLocked : undefined}
      start={start}
      backHref={list}
      onSaved={row || !addsServices ? undefined : ({ id }) => go(id === undefined ? list : `${list}/${id}/services/new`)}
    />
  )
}
