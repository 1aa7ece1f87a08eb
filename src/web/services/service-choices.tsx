/** The choices of a service: its utility service, and the options that this and the product offer. */
import { useQuery } from '@tanstack/react-query'
import { entryFieldCalls } from '#contract/services/entry-field.ts'
import { service } from '#contract/services/service.ts'
import { utilityServiceCalls } from '#contract/reference/utility-service.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { apiQuery } from '../kernel/query.ts'
import { valueText } from '../kernel/value-text.ts'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import styles from './services.module.css'

/** Chooses the utility service. Another one has other units and factors, so the chosen ones are cleared. */
export function KindField({ value, error, disabled, setValues }: SlotProps) {
  const { data } = useQuery(apiQuery(utilityServiceCalls.selectOptions, {}))
  return (
    <SelectField
      label="Utility Service"
      emptyLabel=""
      value={typeof value === 'number' ? String(value) : ''}
      options={(data?.utility_services ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      error={error}
      disabled={disabled}
      onChange={(id) => setValues({ utility_service_id: id === '' ? null : Number(id), usage_unit_id: null, usage_factor_ids: [] })}
    />
  )
}

/** Chooses the unit in which usage is billed; without one it is the standard unit. */
export function UsageUnitField({ value, onChange, values, error, disabled }: SlotProps) {
  const kind = kindOf(values)
  const { data } = useQuery({ ...apiQuery(utilityServiceCalls.usageUnitOptions, { params: { id: kind ?? 0 } }), enabled: kind !== null })
  const units = kind === null ? [] : (data?.units ?? [])
  return (
    <SelectField
      label="Usage Unit"
      emptyLabel=""
      hint={kind === null ? 'Choose a utility service first.' : undefined}
      value={typeof value === 'number' ? String(value) : ''}
      options={units.map(({ id, symbol, description, standard }) => ({
        value: String(id),
        label: `${symbol} – ${description}${standard ? ' (standard)' : ''}`,
      }))}
      error={error}
      disabled={disabled || kind === null}
      onChange={(id) => onChange(id === '' ? null : Number(id))}
    />
  )
}

/** The factor from usage to emissions; without one, the utility service's factor applies, which the placeholder shows. */
export function EmissionsFactorField({ value, onChange, values, error, disabled }: SlotProps) {
  const kind = kindOf(values)
  const { data } = useQuery({ ...apiQuery(utilityServiceCalls.get, { params: { id: kind ?? 0 } }), enabled: kind !== null })
  const found = kind === null ? undefined : data?.utility_service
  const unit = found?.usage_units.find(({ standard }) => standard)?.symbol
  const hint =
    found && unit ? `Empty uses ${found.emissions_factor} kg CO₂e/${unit} of ${found.name}.` : service.fields.emissions_factor.help
  return (
    <NumberField
      name="emissions_factor"
      label="Emissions Factor"
      scale={4}
      value={valueText(value)}
      placeholder={found?.emissions_factor}
      suffix={unit && `kg CO₂e/${unit}`}
      hint={hint}
      error={error}
      disabled={disabled}
      onChange={onChange}
    />
  )
}

/** Chooses the factors and measurements of a bill line. */
export function UsageFactorChoices({ value, onChange, values, error, disabled }: SlotProps) {
  const kind = kindOf(values)
  const { data } = useQuery({ ...apiQuery(utilityServiceCalls.usageFactorOptions, { params: { id: kind ?? 0 } }), enabled: kind !== null })
  return (
    <Choices
      title="Usage Factors"
      options={kind === null ? [] : (data?.usage_factors ?? [])}
      none="Choose a utility service first."
      chosen={idsOf(value)}
      onChange={onChange}
      error={error}
      disabled={disabled}
    />
  )
}

/** Chooses the charges of a bill line. */
export function EntryFieldChoices({ value, onChange, error, disabled }: SlotProps) {
  const { data } = useQuery(apiQuery(entryFieldCalls.list, {}))
  return (
    <Choices
      title="Entry Fields"
      options={data?.entry_fields ?? []}
      none="There are none."
      chosen={idsOf(value)}
      onChange={onChange}
      error={error}
      disabled={disabled}
    />
  )
}

type ChoicesProps = {
  title: string
  options: readonly { id: number; name: string }[]
  none: string
  chosen: readonly number[]
  onChange: (ids: number[]) => void
  error: string | undefined
  disabled: boolean
}

function Choices({ title, options, none, chosen, onChange, error, disabled }: ChoicesProps) {
  const toggle = (id: number, on: boolean) => onChange(on ? [...chosen, id].toSorted((a, b) => a - b) : chosen.filter((one) => one !== id))
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.choicesTitle}>{title}</legend>
      {options.length === 0 && <span className={styles.choicesTitle}>{none}</span>}
      {options.map(({ id, name }) => (
        <CheckboxField key={id} label={name} checked={chosen.includes(id)} disabled={disabled} onChange={(on) => toggle(id, on)} />
      ))}
      {error && <p role="alert">{error}</p>}
    </fieldset>
  )
}

function kindOf(values: SlotProps['values']): number | null {
  const kind = values['utility_service_id']
  return typeof kind === 'number' ? kind : null
}

function idsOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((id: unknown) => typeof id === 'number') : []
}
