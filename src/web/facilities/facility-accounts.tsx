import { AccountTable } from '../billable-accounts/account-table.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { FacilityHeader } from './facility-header.tsx'

/** The billable accounts of one facility. */
export function FacilityBillableAccounts() {
  const clientId = usePathId('client_id')
  const facilityId = usePathId('facility_id')
  return (
    <>
      <FacilityHeader clientId={clientId} facilityId={facilityId} />
      <AccountTable clientId={clientId} facilityId={facilityId} />
    </>
  )
}
