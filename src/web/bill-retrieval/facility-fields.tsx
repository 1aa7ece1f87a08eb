/** The facility of new accounts, existing or created here, and the address of those whose statements print none. */
import { useMemo } from 'react'
import { states } from '#contract/accounts/address.ts'
import { divisionCalls } from '#contract/clients/division.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import { divisionAddition } from '../divisions/divisions.ts'
import { useCan } from '../kernel/permissions.tsx'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { SelectField, SwitchField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { AccountPlans, AddressChoice, FacilityChoice } from './account-plans.ts'
import styles from './bill-retrieval.module.css'

interface FacilityFieldsProps {
  readonly clientId: number
  readonly plans: AccountPlans
  readonly onChange: (plans: AccountPlans) => void
}

export function FacilityFields({ clientId, plans, onChange }: FacilityFieldsProps) {
  const makes = useCan('facility.create')
  const { facility, address } = plans
  const sources = useSources(clientId)
  const set = (changes: Partial<FacilityChoice>) => onChange({ ...plans, facility: { ...facility, ...changes } })
  const setAddress = (changes: Partial<AddressChoice>) => onChange({ ...plans, address: { ...address, ...changes } })
  return (
    <>
      <div className={styles.fields} role="group" aria-label="Facility of the new accounts">
        {makes && <SwitchField label="Make a new facility" checked={facility.makes} onChange={(value) => set({ makes: value })} />}
        {facility.makes ? (
          <>
            <TextField label="Facility name" required value={facility.name} onChange={(name) => set({ name })} maxLength={255} />
            <TextField label="Facility number" required value={facility.number} onChange={(number) => set({ number })} maxLength={100} />
            <EntityPicker
              label="Division"
              required
              source={sources.divisions}
              value={facility.division_id}
              onChange={(division_id) => set({ division_id })}
            />
          </>
        ) : (
          <EntityPicker
            label="Facility"
            required
            source={sources.facilities}
            value={facility.facility_id}
            onChange={(facility_id) => set({ facility_id })}
          />
        )}
      </div>
      <details className={styles.details}>
        <summary>Address of accounts whose statements print none</summary>
        <div className={styles.fields}>
          <TextField
            label="Street"
            value={address.street_address_1}
            maxLength={255}
            onChange={(street_address_1) => setAddress({ street_address_1 })}
          />
          <TextField label="City" value={address.city} maxLength={100} onChange={(city) => setAddress({ city })} />
          <SelectField
            label="State"
            value={address.state}
            emptyLabel="Not said"
            options={states}
            onChange={(state) => setAddress({ state })}
          />
          <TextField label="ZIP" value={address.zip} maxLength={20} onChange={(zip) => setAddress({ zip })} />
        </div>
      </details>
    </>
  )
}

function useSources(client_id: number) {
  return useMemo(
    () => ({
      facilities: optionsOf('facilities', facilityCalls.selectOptions, { client_id }),
      divisions: optionsOf('divisions', divisionCalls.selectOptions, { client_id }, { adds: divisionAddition(client_id) }),
    }),
    [client_id],
  )
}
