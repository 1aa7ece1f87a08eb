import { lazy } from 'react'
import type { Addition } from '../kernel/forms/add-new.tsx'

const AddDivision = lazy(() => import('./add-division.tsx').then((module) => ({ default: module.AddDivision })))

/** Adds a division of this client inside a picker. */
export function divisionAddition(clientId: number): Addition {
  return { noun: 'division', may: 'division.create', form: (adding) => <AddDivision adding={adding} clientId={clientId} /> }
}
