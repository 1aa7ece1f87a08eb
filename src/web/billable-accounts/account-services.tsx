import { useMemo } from 'react'
import { serviceCalls } from '#contract/services/service-calls.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { ServiceForm, ServiceFormOf, ServiceTable } from '../services/services.ts'
import { AccountHeader } from './account-header.tsx'

/** The services (meters) of a billable account. */
export function AccountServices() {
  const { params, at } = useAccount()
  return (
    <>
      <AccountHeader clientId={params.client_id} accountId={params.billable_account_id} />
      <ServiceTable calls={serviceCalls} params={params} at={at} />
    </>
  )
}

export function NewAccountService() {
  const { params, at } = useAccount()
  return <ServiceForm calls={serviceCalls} params={params} at={at} />
}

export function EditAccountService() {
  const { params, at } = useAccount()
  return <ServiceFormOf calls={serviceCalls} params={params} at={at} id={usePathId('service_id')} />
}

function useAccount() {
  const client_id = usePathId('client_id')
  const billable_account_id = usePathId('billable_account_id')
  const params = useMemo(() => ({ client_id, billable_account_id }), [client_id, billable_account_id])
  return { params, at: `/clients/${client_id}/billable_accounts/${billable_account_id}/services` }
}
