import { useMemo } from 'react'
import { supplyServiceCalls } from '#contract/services/service-calls.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { ServiceForm, ServiceFormOf, ServiceTable } from '../services/services.ts'
import { SupplyAccountHeader } from './supply-account-header.tsx'

/** The services (meters) of a supply account. */
export function SupplyAccountServices() {
  const { params, at } = useAccount()
  return (
    <>
      <SupplyAccountHeader clientId={params.client_id} accountId={params.supply_account_id} />
      <ServiceTable calls={supplyServiceCalls} params={params} at={at} />
    </>
  )
}

export function NewSupplyAccountService() {
  const { params, at } = useAccount()
  return <ServiceForm calls={supplyServiceCalls} params={params} at={at} />
}

export function EditSupplyAccountService() {
  const { params, at } = useAccount()
  return <ServiceFormOf calls={supplyServiceCalls} params={params} at={at} id={usePathId('service_id')} />
}

function useAccount() {
  const client_id = usePathId('client_id')
  const supply_account_id = usePathId('supply_account_id')
  const params = useMemo(() => ({ client_id, supply_account_id }), [client_id, supply_account_id])
  return { params, at: `/clients/${client_id}/supply_accounts/${supply_account_id}/services` }
}
