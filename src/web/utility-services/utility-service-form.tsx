import { useQuery } from '@tanstack/react-query'
import { unitCalls } from '#contract/reference/unit.ts'
import { enteredEdition, utilityService, utilityServiceCalls, type UtilityService } from '#contract/reference/utility-service.ts'
import { ChildRows, idOf, textOf, type ChildRowProps, type ChildValues } from '../kernel/forms/child-rows.tsx'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { EmissionFactors } from './emission-factors.tsx'

export function NewUtilityService() {
  return <UtilityServiceForm />
}

export function EditUtilityService() {
  const asked = useQuery(apiQuery(utilityServiceCalls.get, { params: { id: usePathId('id') } }))
  return <RecordGate asked={asked}>{(found) => <UtilityServiceForm row={found.utility_service} />}</RecordGate>
}

const list = '/utility_services'
const units = optionsOf('units', unitCalls.selectOptions, {}, { hint: (unit) => unit.description })
const sections: readonly FormSection[] = [
  { fields: ['name', 'code', 'emissions_factor', 'inventoriable', 'emissions_scope', 'kbtu_factor'] },
  { title: 'Emission Factors', fields: ['emission_factors_attributes'] },
  { title: 'Usage Units', fields: ['usage_units_attributes'] },
  { title: 'Usage Factors', fields: ['usage_factors_attributes'] },
]
const slots = { usage_units_attributes: UsageUnits, usage_factors_attributes: UsageFactors }
const newUnit: ChildValues = { unit_id: null, conversion_factor: '', standard: false }
const newFactor: ChildValues = { name: '', description: '', unit_id: null, default_value: '', adjustment_factor: false, active: true }

function UtilityServiceForm({ row }: { row?: UtilityService }) {
  return (
    <EntityForm
      entity={utilityService}
      row={row}
      {...formCalls(utilityServiceCalls, 'utility_service', {})}
      sections={sections}
      slots={{ ...slots, emission_factors_attributes: (slot) => <EmissionFactors slot={slot} factors={row?.emission_factors ?? []} /> }}
      start={{ emission_factors_attributes: [], usage_units_attributes: [], usage_factors_attributes: [] }}
      startOf={childrenOfRow}
      refreshes={['utility_services', 'clients']}
      backHref={list}
    />
  )
}

/** Converts the usage units and factors of the reply to the attributes of the body. */
function childrenOfRow({ usage_units, usage_factors, emission_factors }: UtilityService) {
  return {
    emission_factors_attributes: emission_factors
      .filter(({ edition }) => edition === enteredEdition)
      .map(({ id, effective_from, value, source, year }) => ({ id, effective_from, value, source, year })),
    usage_units_attributes: usage_units.map(({ id, unit_id, conversion_factor, standard }) => ({
      id,
      unit_id,
      conversion_factor,
      standard,
    })),
    usage_factors_attributes: usage_factors.map(({ id, name, description, unit_id, active, adjustment_factor, default_value }) => ({
      id,
      name,
      description,
      unit_id,
      active,
      adjustment_factor,
      default_value: default_value ?? '',
    })),
  }
}

function UsageUnits(slot: SlotProps) {
  return (
    <ChildRows
      {...slot}
      name="usage_units_attributes"
      title="Usage Units"
      addLabel="Add Usage Unit"
      note="Usage in the standard unit is usage in this unit times the conversion factor."
      blank={newUnit}
    >
      {({ child, set, error }) => (
        <>
          <UnitPicker child={child} set={set} error={error} />
          <NumberField
            label="Conversion Factor"
            required
            scale={9}
            format={trimmed}
            value={textOf(child, 'conversion_factor')}
            error={error('conversion_factor')}
            onChange={(conversion_factor) => set({ conversion_factor })}
          />
          <CheckboxField
            label="Standard"
            checked={child['standard'] === true}
            error={error('standard')}
            onChange={(standard) => set(standard ? { standard, conversion_factor: '1' } : { standard })}
          />
        </>
      )}
    </ChildRows>
  )
}

function UsageFactors(slot: SlotProps) {
  return (
    <ChildRows {...slot} name="usage_factors_attributes" title="Usage Factors" addLabel="Add Usage Factor" blank={newFactor}>
      {({ child, set, error }) => (
        <>
          <TextField label="Name" required value={textOf(child, 'name')} error={error('name')} onChange={(name) => set({ name })} />
          <TextField
            label="Description"
            required
            value={textOf(child, 'description')}
            error={error('description')}
            onChange={(description) => set({ description })}
          />
          <UnitPicker child={child} set={set} error={error} />
          <NumberField
            label="Default Value"
            scale={4}
            value={textOf(child, 'default_value')}
            error={error('default_value')}
            onChange={(default_value) => set({ default_value })}
          />
          <CheckboxField
            label="Adjustment Factor"
            checked={child['adjustment_factor'] === true}
            onChange={(adjustment_factor) => set({ adjustment_factor })}
          />
          <CheckboxField label="Active" checked={child['active'] === true} onChange={(active) => set({ active })} />
        </>
      )}
    </ChildRows>
  )
}

function UnitPicker({ child, set, error }: ChildRowProps) {
  return (
    <EntityPicker
      label="Unit of Measure"
      required
      source={units}
      value={idOf(child, 'unit_id')}
      error={error('unit_id')}
      minChars={1}
      onChange={(unit_id) => set({ unit_id })}
    />
  )
}

/** Removes trailing zeros; nine decimals are mostly zeros. */
function trimmed(value: string): string {
  return value.includes('.') ? value.replace(/0+$/, '').replace(/\.$/, '') : value
}
