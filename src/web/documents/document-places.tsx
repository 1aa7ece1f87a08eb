/** The five levels to which documents are attached: the address of their pages, the required rights, and the header above the list. */
import type { ReactNode } from 'react'
import type { Attachable } from '#contract/documents/document.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { AccountHeader } from '../billable-accounts/billable-accounts.ts'
import { ClientTabs } from '../clients/clients.ts'
import { DivisionHeader } from '../divisions/divisions.ts'
import { FacilityHeader } from '../facilities/facilities.ts'
import { usePath, usePathId } from '../kernel/navigation.tsx'
import { SupplyAccountHeader } from '../supply-accounts/supply-accounts.ts'

/** A record to which documents are attached. */
export interface DocumentPlace {
  readonly clientId: number
  readonly type: Attachable['value']
  readonly id: number
  /** The right that is needed to change the documents here. */
  readonly update: Permission
  /** The address of the list. */
  readonly at: string
  readonly header: ReactNode
}

export function useClientPlace(): DocumentPlace {
  const clientId = usePathId('client_id')
  return usePlace('Client', clientId, 'client.update', <ClientTabs clientId={clientId} />)
}

export function useDivisionPlace(): DocumentPlace {
  const clientId = usePathId('client_id')
  const id = usePathId('division_id')
  return usePlace('Division', id, 'division.update', <DivisionHeader clientId={clientId} divisionId={id} />)
}

export function useFacilityPlace(): DocumentPlace {
  const clientId = usePathId('client_id')
  const id = usePathId('facility_id')
  return usePlace('Facility', id, 'facility.update', <FacilityHeader clientId={clientId} facilityId={id} />)
}

export function useBillableAccountPlace(): DocumentPlace {
  const clientId = usePathId('client_id')
  const id = usePathId('billable_account_id')
  return usePlace('BillableAccount', id, 'billable_account.update', <AccountHeader clientId={clientId} accountId={id} />)
}

export function useSupplyAccountPlace(): DocumentPlace {
  const clientId = usePathId('client_id')
  const id = usePathId('supply_account_id')
  return usePlace('SupplyAccount', id, 'supply_account.update', <SupplyAccountHeader clientId={clientId} accountId={id} />)
}

function usePlace(type: Attachable['value'], id: number, update: Permission, header: ReactNode): DocumentPlace {
  const clientId = usePathId('client_id')
  // The list and the forms of new and stored documents share this address.
  const at = usePath().replace(/\/documents(\/.*)?$/, '/documents')
  return { clientId, type, id, update, at, header }
}
