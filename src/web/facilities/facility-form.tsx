import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { divisionCalls } from '#contract/clients/division.ts'
import { facilityTypeCalls } from '#contract/reference/facility-type.ts'
import { facility, facilityCalls, type Facility } from '#contract/clients/facility.ts'
import { productionUnitCalls } from '#contract/reference/production-unit.ts'
import { weatherStationCalls } from '#contract/weather/weather-station.ts'
import { divisionAddition } from '../divisions/divisions.ts'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { LONG_LOOKUP, optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { facilityTypeAddition, productionUnitAddition } from '../settings/settings.ts'

export function NewFacility() {
  const clientId = usePathId('client_id')
  return <FacilityForm clientId={clientId} backHref={`/clients/${clientId}/facilities`} />
}

export function EditFacility() {
  const clientId = usePathId('client_id')
  return <FacilityFormOf clientId={clientId} id={usePathId('facility_id')} backHref={`/clients/${clientId}/facilities`} />
}

/** The form of a stored facility. */
export function FacilityFormOf({ clientId, id, backHref }: { clientId: number; id: number; backHref: string }) {
  const asked = useQuery(apiQuery(facilityCalls.get, { params: { client_id: clientId, id } }))
  return <RecordGate asked={asked}>{(found) => <FacilityForm clientId={clientId} row={found.facility} backHref={backHref} />}</RecordGate>
}

export interface FacilityFormProps {
  clientId: number
  row?: Facility
  /** The initial division of a new facility. */
  divisionId?: number
  backHref: string
}

/** The form of a new or a stored facility. */
export function FacilityForm({ clientId, row, divisionId, backHref }: FacilityFormProps) {
  const pickers = useMemo(() => facilityPickers(clientId), [clientId])
  return (
    <EntityForm
      entity={facility}
      row={row}
      {...formCalls(facilityCalls, 'facility', { client_id: clientId })}
      pickers={pickers}
      start={divisionId === undefined ? undefined : { division_id: divisionId }}
      backHref={backHref}
    />
  )
}

/** Option sources of a facility's form. */
export function facilityPickers(client_id: number) {
  return {
    division_id: optionsOf(
      'divisions',
      divisionCalls.selectOptions,
      { client_id },
      { per: LONG_LOOKUP, adds: divisionAddition(client_id) },
    ),
    facility_type_id: optionsOf('facility_types', facilityTypeCalls.selectOptions, {}, { adds: facilityTypeAddition }),
    weather_station_id: optionsOf(
      'weather_stations',
      weatherStationCalls.selectOptions,
      {},
      { label: ({ code }) => code, hint: ({ name }) => name },
    ),
    production_unit_ids: optionsOf('production_units', productionUnitCalls.selectOptions, {}, { adds: productionUnitAddition }),
  }
}
