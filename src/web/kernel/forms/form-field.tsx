import type { Field } from '#contract/kernel/entity.ts'
import { formatDecimal, isDecimal } from '#contract/kernel/decimal.ts'
import { CheckboxField, SelectField } from '../../ui/fields/choice-fields.tsx'
import { DateField } from '../../ui/fields/date-field.tsx'
import { MoneyField, NumberField } from '../../ui/fields/number-field.tsx'
import { MonthField } from '../../ui/fields/month-field.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { TextAreaField, TextField } from '../../ui/fields/text-field.tsx'
import { TextListField } from '../../ui/fields/text-list-field.tsx'
import { withoutIdleZeros } from '../../ui/status.tsx'
import { EntityMultiPicker, EntityPicker, type OptionSource } from './picker.tsx'

export type Pickers = Readonly<Record<string, OptionSource>>

export interface FormFieldProps {
  /** The wire name. */
  name: string
  field: Field<unknown>
  value: unknown
  onChange: (value: unknown) => void
  error?: string | undefined
  picker?: OptionSource | undefined
  lockedReason?: string | undefined
  /** The stored record, for the visible part of secrets. */
  row?: object | null | undefined
  autoFocus?: boolean | undefined
}

/** One field of an entity with the control for its kind. */
export function FormField(props: FormFieldProps) {
  const { name, field, value, onChange, error, picker, lockedReason, row, autoFocus } = props
  const common = {
    name,
    label: field.label,
    error,
    hint: lockedReason ?? field.help,
    required: field.use === 'required',
    disabled: lockedReason !== undefined,
    autoFocus,
  }
  const text = typeof value === 'string' ? value : ''
  switch (field.kind) {
    case 'boolean':
      return (
        <CheckboxField
          name={name}
          label={field.label}
          error={error}
          hint={common.hint}
          disabled={common.disabled}
          checked={value === true}
          onChange={onChange}
        />
      )
    case 'long_text':
      return <TextAreaField {...common} value={text} onChange={onChange} />
    case 'integer':
      return <NumberField {...common} value={text} onChange={onChange} suffix={field.unit} />
    case 'decimal':
      return (
        <NumberField
          {...common}
          value={text}
          onChange={onChange}
          scale={field.scale}
          suffix={field.unit}
          format={(wire) => decimalText(wire, field.scale)}
        />
      )
    case 'money':
      return <MoneyField {...common} value={text} onChange={onChange} />
    case 'date':
      return <DateField {...common} value={text} onChange={onChange} />
    case 'month':
      return <MonthField {...common} value={text} onChange={onChange} />
    case 'choice':
      return (
        <SelectField
          {...common}
          value={text}
          onChange={onChange}
          emptyLabel={field.use === 'defaulted' ? undefined : ''}
          options={(field.choices ?? []).map((choice) => ({ value: String(choice.value), label: choice.label }))}
        />
      )
    case 'ref':
      if (!picker) throw new Error(`the form needs a picker for ${name}`)
      return <EntityPicker {...common} source={picker} value={typeof value === 'number' ? value : null} onChange={onChange} />
    case 'refs':
      if (!picker) throw new Error(`the form needs a picker for ${name}`)
      return <EntityMultiPicker {...common} source={picker} value={Array.isArray(value) ? value.map(Number) : []} onChange={onChange} />
    case 'texts':
      return (
        <TextListField
          {...common}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          max={field.max}
          maxLength={field.length}
        />
      )
    case 'secret':
      return (
        <SecretField
          {...common}
          value={typeof value === 'string' ? value : undefined}
          onChange={onChange}
          lastFour={lastFourOf(row, name)}
        />
      )
    case 'email':
      return <TextField {...common} type="email" value={text} onChange={onChange} />
    case 'instant':
    case 'list':
      throw new Error(`the form needs a slot for ${name}`)
    case 'text':
      return <TextField {...common} value={text} onChange={onChange} maxLength={field.max} />
  }
}

/** Formats '48900.0000' as '48,900': the zeros come from the store and were never typed. */
function decimalText(wire: string, scale = 0): string {
  return isDecimal(wire) ? withoutIdleZeros(formatDecimal(wire, scale)) : wire
}

/** Returns the visible part of a masked secret ('•••••1234'); undefined if none is stored. */
function lastFourOf(row: object | null | undefined, name: string): string | undefined {
  const stored: unknown = row ? Object.entries(row).find(([key]) => key === name)?.[1] : undefined
  return typeof stored === 'string' && stored !== '' ? stored.replace(/^•+/, '') : undefined
}
