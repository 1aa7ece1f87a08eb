import { usePathId } from '../kernel/navigation.tsx'
import { DivisionHeader } from '../divisions/divisions.ts'
import { FacilityForm, FacilityFormOf } from './facility-form.tsx'
import { FacilityTable } from './facility-table.tsx'

/** The facilities of one division. */
export function DivisionFacilities() {
  const { clientId, divisionId, at } = useDivision()
  return (
    <>
      <DivisionHeader clientId={clientId} divisionId={divisionId} />
      <FacilityTable
        clientId={clientId}
        divisionId={divisionId}
        newHref={`${at}/facilities/new`}
        editHref={(row) => `${at}/facilities/${row.id}/edit`}
      />
    </>
  )
}

/** A new facility belongs to the division from which the form was opened. */
export function NewDivisionFacility() {
  const { clientId, divisionId, at } = useDivision()
  return <FacilityForm clientId={clientId} divisionId={divisionId} backHref={`${at}/facilities`} />
}

export function EditDivisionFacility() {
  const { clientId, at } = useDivision()
  return <FacilityFormOf clientId={clientId} id={usePathId('facility_id')} backHref={`${at}/facilities`} />
}

function useDivision() {
  const clientId = usePathId('client_id')
  const divisionId = usePathId('division_id')
  return { clientId, divisionId, at: `/clients/${clientId}/divisions/${divisionId}` }
}
