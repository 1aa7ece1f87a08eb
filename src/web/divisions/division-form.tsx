import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { batchGroupCalls } from '#contract/clients/batch-group.ts'
import { division, divisionCalls, type Division } from '#contract/clients/division.ts'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'

export function NewDivision() {
  return <DivisionForm />
}

export function EditDivision() {
  const params = { client_id: usePathId('client_id'), id: usePathId('division_id') }
  const asked = useQuery(apiQuery(divisionCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <DivisionForm row={found.division} />}</RecordGate>
}

function DivisionForm({ row }: { row?: Division }) {
  const client_id = usePathId('client_id')
  const pickers = useMemo(() => divisionPickers(client_id), [client_id])
  const list = `/clients/${client_id}/divisions`
  return (
    <EntityForm entity={division} row={row} {...formCalls(divisionCalls, 'division', { client_id })} pickers={pickers} backHref={list} />
  )
}

/** Option sources of a division's form. */
export function divisionPickers(client_id: number) {
  return { batch_group_id: optionsOf('batch_groups', batchGroupCalls.selectOptions, { client_id }) }
}
