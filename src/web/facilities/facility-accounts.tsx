import { AccountTable } from '../billable-accounts/billable-accounts.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { SupplyAccountTable } from '../supply-accounts/supply-accounts.ts'
import { FacilityHeader } from './facility-header.tsx'

/** The billable accounts of one facility. */
export function FacilityBillableAccounts() {
  const { clientId, facilityId } = useFacility()
  return (
    <>
      <FacilityHeader clientId={clientId} facilityId={facilityId} />
      <AccountTable clientId={clientId} facilityId={facilityId} />
    </>
  )
}

/** The supply accounts of one facility. */
export function FacilitySupplyAccounts() {
  const { clientId, facilityId } = useFacility()
  return (
    <>
      <FacilityHeader clientId={clientId} facilityId={facilityId} />
      <SupplyAccountTable clientId={clientId} facilityId={facilityId} />
    </>
  )
}

function useFacility() {
  return { clientId: usePathId('client_id'), facilityId: usePathId('facility_id') }
}
