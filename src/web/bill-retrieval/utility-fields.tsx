/** Chooses the vendor and the facility of the new accounts of one utility. */
import { useMemo } from 'react'
import { facilityCalls } from '#contract/clients/facility.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { SwitchField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { UtilityPlan, VendorChoice } from './account-plans.ts'
import styles from './bill-retrieval.module.css'

const vendors = optionsOf('vendors', vendorCalls.selectOptions, {})

interface UtilityFieldsProps {
  readonly clientId: number
  readonly name: string
  readonly plan: UtilityPlan
  readonly lack: string | null
  readonly mayMakeVendor: boolean
  readonly onChange: (plan: UtilityPlan) => void
}

export function UtilityFields({ clientId, name, plan, lack, mayMakeVendor, onChange }: UtilityFieldsProps) {
  const { vendor } = plan
  const facilities = useMemo(() => optionsOf('facilities', facilityCalls.selectOptions, { client_id: clientId }), [clientId])
  const set = (changes: Partial<VendorChoice>) => onChange({ ...plan, vendor: { ...vendor, ...changes } })
  return (
    <div className={styles.utilityFields} role="group" aria-label={`New accounts of ${name}`}>
      {vendor.makes ? (
        <>
          <TextField label="Vendor name" required value={vendor.name} maxLength={255} onChange={(text) => set({ name: text })} />
          <TextField label="Short code" required value={vendor.short_code} maxLength={40} onChange={(text) => set({ short_code: text })} />
        </>
      ) : (
        <EntityPicker label="Vendor" required source={vendors} value={vendor.vendor_id} onChange={(vendor_id) => set({ vendor_id })} />
      )}
      <EntityPicker
        label="Facility, if another"
        source={facilities}
        value={plan.facility_id}
        onChange={(facility_id) => onChange({ ...plan, facility_id })}
      />
      {mayMakeVendor && <SwitchField label="Make a new vendor" checked={vendor.makes} onChange={(makes) => set({ makes })} />}
      {lack !== null && <span className={styles.warn}>{lack}</span>}
    </div>
  )
}
