import { useMemo } from 'react'
import { division, divisionCalls } from '#contract/clients/division.ts'
import { AddForm } from '../kernel/forms/add-form.tsx'
import type { Adding } from '../kernel/forms/add-new.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { divisionPickers } from './division-form.tsx'

export function AddDivision({ adding, clientId }: { adding: Adding; clientId: number }) {
  const pickers = useMemo(() => divisionPickers(clientId), [clientId])
  return <AddForm entity={division} {...formCalls(divisionCalls, 'division', { client_id: clientId })} pickers={pickers} adding={adding} />
}
