import { lazy } from 'react'
import type { Addition } from '../kernel/forms/add-new.tsx'

const AddFacility = lazy(() => import('./add-facility.tsx').then((module) => ({ default: module.AddFacility })))

/** Adds a facility of this client inside a picker. */
export function facilityAddition(clientId: number): Addition {
  return { noun: 'facility', may: 'facility.create', form: (adding) => <AddFacility adding={adding} clientId={clientId} /> }
}
