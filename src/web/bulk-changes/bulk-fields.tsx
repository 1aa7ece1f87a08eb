/** The fields that a bulk change may set; empty ones stay unchanged. */
import { useMemo } from 'react'
import { bulkKinds, type BulkKindName, type BulkValue } from '#contract/bulk-changes/bulk-change.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import type { Field } from '#contract/kernel/entity.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import { EntityPicker, LONG_LOOKUP, optionsOf, type OptionSource } from '../kernel/forms/picker.tsx'
import { CheckboxField, SelectField, type Choice } from '../ui/fields/choice-fields.tsx'
import styles from './bulk-changes.module.css'

/** Values by field; a missing field stays unchanged. */
export type BulkDraft = Readonly<Record<string, BulkValue>>

interface FieldsProps {
  readonly kind: BulkKindName
  readonly clientId: number
  readonly draft: BulkDraft
  /** The server's errors of single fields. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly onChange: (draft: BulkDraft) => void
}

export function BulkFields({ kind, clientId, draft, errors, onChange }: FieldsProps) {
  const pickers = usePickers(clientId)
  const set = (key: string, value: BulkValue | undefined) => {
    const { [key]: _, ...rest } = draft
    onChange(value === undefined ? rest : { ...rest, [key]: value })
  }
  return (
    <div className={styles.fields} role="group" aria-label="What is to change">
      {Object.entries(bulkKinds[kind].fields).map(([key, field], place) => (
        <BulkField
          key={key}
          field={field}
          value={draft[key]}
          error={errors[key]?.join(' ')}
          source={pickers[key]}
          onChange={(value) => set(key, value)}
          autoFocus={place === 0}
        />
      ))}
    </div>
  )
}

const asItIs = 'No change'

type FieldProps = {
  field: Field<unknown>
  value: BulkValue | undefined
  error: string | undefined
  source: OptionSource | undefined
  onChange: (value: BulkValue | undefined) => void
  autoFocus: boolean
}

function BulkField({ field, value, error, source, onChange, autoFocus }: FieldProps) {
  if (source) return <PickedField field={field} value={value} error={error} source={source} onChange={onChange} autoFocus={autoFocus} />
  const choices = choicesOf(field)
  return (
    <SelectField
      label={field.label}
      error={error}
      value={value === undefined ? '' : String(value)}
      emptyLabel={asItIs}
      options={choices.map(({ label, text }) => ({ value: text, label }))}
      onChange={(text) => onChange(choices.find((choice) => choice.text === text)?.value)}
    />
  )
}

/** Picks a record, or clears the field where it may be empty. */
function PickedField({ field, value, error, source, onChange, autoFocus }: FieldProps & { source: OptionSource }) {
  const isEmptied = value === null
  return (
    <div>
      <EntityPicker
        label={field.label}
        error={error}
        source={source}
        value={typeof value === 'number' ? value : null}
        placeholder={isEmptied ? 'Nothing' : asItIs}
        disabled={isEmptied}
        autoFocus={autoFocus}
        onChange={(id) => onChange(id ?? undefined)}
      />
      {field.use === 'optional' && (
        <CheckboxField
          label={`Take the ${field.label.toLowerCase()} away`}
          checked={isEmptied}
          onChange={(on) => onChange(on ? null : undefined)}
        />
      )}
    </div>
  )
}

function choicesOf(field: Field<unknown>): readonly (Pick<Choice, 'label'> & { text: string; value: BulkValue })[] {
  const given =
    field.kind === 'boolean'
      ? [
          { value: true, label: 'Yes' },
          { value: false, label: 'No' },
        ]
      : (field.choices ?? [])
  const all: readonly { value: BulkValue; label: string }[] = field.use === 'optional' ? [...given, { value: null, label: 'Empty' }] : given
  return all.map(({ value, label }) => ({ value, label, text: String(value) }))
}

function usePickers(clientId: number): Readonly<Record<string, OptionSource | undefined>> {
  return useMemo(
    () => ({
      facility_id: optionsOf('facilities', facilityCalls.selectOptions, { client_id: clientId }, { per: LONG_LOOKUP }),
      vendor_id: optionsOf('vendors', vendorCalls.selectOptions, {}),
    }),
    [clientId],
  )
}
