import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billableAccount, billableAccountCalls, type BillableAccount } from '#contract/billable-account.ts'
import { facilityCalls } from '#contract/facility.ts'
import { utilityServiceCalls } from '#contract/utility-service.ts'
import { vendorCalls } from '#contract/vendor.ts'
import { EntityForm, type FormSection } from '../kernel/entity-form.tsx'
import { useGo, usePathId, useSearchText } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { LONG_LOOKUP, optionsOf } from '../kernel/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/use-entity-form.ts'

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
  { title: 'Service Address', fields: ['street_address_1', 'street_address_2', 'city', 'state', 'zip'] },
  { title: 'Mailing Address', fields: ['mailing_address', 'mailing_city', 'mailing_state', 'mailing_zipcode'] },
  { title: 'Billing', fields: ['billing_period', 'billing_cycle', 'notes'] },
]

/** After a new account comes its first service; a changed one leads back to the list. */
function AccountForm({ row }: { row?: BillableAccount }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const addsServices = useCan('service.create')
  const facilityId = Number(useSearchText()['facility_id'])
  const pickers = useMemo(
    () => ({
      facility_id: optionsOf(
        'facilities',
        facilityCalls.selectOptions,
        { client_id },
        { hint: (option) => option.number, per: LONG_LOOKUP },
      ),
      vendor_id: optionsOf('vendors', vendorCalls.selectOptions, {}),
      utility_service_id: optionsOf('utility_services', utilityServiceCalls.selectOptions, {}),
    }),
    [client_id],
  )
  const list = `/clients/${client_id}/billable_accounts`
  return (
    <EntityForm
      entity={billableAccount}
      row={row}
      {...formCalls(billableAccountCalls, 'billable_account', { client_id })}
      sections={sections}
      pickers={pickers}
      locked={row && row.services_count > 0 ? groupLocked : undefined}
      start={Number.isSafeInteger(facilityId) && facilityId > 0 ? { facility_id: facilityId } : undefined}
      backHref={list}
      onSaved={({ id }) => go(row || !addsServices || id === undefined ? list : `${list}/${id}/services/new`)}
    />
  )
}

const groupLocked = { is_group_account: 'It cannot change: the account has services.' }
