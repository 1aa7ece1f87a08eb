import { useMemo } from 'react'
import { facility, facilityCalls } from '#contract/clients/facility.ts'
import { AddForm } from '../kernel/forms/add-form.tsx'
import type { Adding } from '../kernel/forms/add-new.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { facilityPickers } from './facility-form.tsx'

export function AddFacility({ adding, clientId }: { adding: Adding; clientId: number }) {
  const pickers = useMemo(() => facilityPickers(clientId), [clientId])
  return <AddForm entity={facility} {...formCalls(facilityCalls, 'facility', { client_id: clientId })} pickers={pickers} adding={adding} />
}
