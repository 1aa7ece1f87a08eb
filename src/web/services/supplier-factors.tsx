/** What suppliers say about the emissions of their energy, by year, and the year of a meter's own factor. */
import { service } from '#contract/services/service.ts'
import { ChildRows, textOf, type ChildValues } from '../kernel/forms/child-rows.tsx'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { valueText } from '../kernel/value-text.ts'
import { NumberField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'

const blank: ChildValues = { year: '', value: '', source: '' }

export function SupplierFactors(slot: SlotProps) {
  return (
    <ChildRows
      {...slot}
      name="supplier_factors_attributes"
      title="Supplier Factors"
      addLabel="Add Supplier Factor"
      note="Kilograms of CO2e per standard unit, as the supplier of this energy states them. The GHG inventory uses them for its market-based figures."
      blank={blank}
    >
      {({ child, set, error }) => (
        <>
          <NumberField
            label="Year"
            required
            format={plainYear}
            value={textOf(child, 'year')}
            error={error('year')}
            onChange={(year) => set({ year: yearOf(year) })}
          />
          <NumberField
            label="Supplier Factor"
            required
            scale={4}
            value={textOf(child, 'value')}
            error={error('value')}
            onChange={(value) => set({ value })}
          />
          <TextField
            label="Source"
            required
            value={textOf(child, 'source')}
            error={error('source')}
            onChange={(source) => set({ source })}
          />
        </>
      )}
    </ChildRows>
  )
}

export function FactorYearField({ value, onChange, error, disabled }: SlotProps) {
  return (
    <NumberField
      name="emissions_factor_year"
      label={service.fields.emissions_factor_year.label}
      format={plainYear}
      value={valueText(value)}
      error={error}
      disabled={disabled}
      onChange={(year) => onChange(year === '' ? null : yearOf(year))}
    />
  )
}

/** What is no year yet stays as it is typed, so that the form can say so. */
function yearOf(typed: string): number | string {
  return /^\d{1,4}$/.test(typed) ? Number(typed) : typed
}

/** A year is shown without a thousands separator: 2026, not 2,026. */
function plainYear(year: string): string {
  return year
}
