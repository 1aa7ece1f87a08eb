import { useId, useRef, type Ref } from 'react'
import { ChevronDown, X } from 'lucide-react'
import { cx } from '../class-names.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'
import { PickerList } from './picker-list.tsx'
import type { OptionId, OptionSearch, PickerOption } from './use-options.ts'
import { usePicker } from './use-picker.ts'

export type { OptionSearch, PickerOption } from './use-options.ts'

type PickerBase<Id extends OptionId> = FieldProps & {
  search: OptionSearch<Id>
  placeholder?: string | undefined
  /** Characters that a search starts at; 3 unless told. */
  minChars?: number | undefined
  /** Milliseconds after the last key before the search goes out; 1000 unless told. */
  debounceMs?: number | undefined
  /** Options a page; 10 unless told. */
  per?: number | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

export type PickerFieldProps<Id extends OptionId = number> = PickerBase<Id> & {
  value: PickerOption<Id> | null
  onChange: (value: PickerOption<Id> | null) => void
}

/** One thing looked up on the server by typing. */
export function PickerField<Id extends OptionId = number>({ value, onChange, ...props }: PickerFieldProps<Id>) {
  return (
    <PickerInput<Id> {...props} single={value} picked={[]} onPick={onChange} onRemove={() => undefined} onClear={() => onChange(null)} />
  )
}

export type MultiPickerFieldProps<Id extends OptionId = number> = PickerBase<Id> & {
  value: readonly PickerOption<Id>[]
  onChange: (value: readonly PickerOption<Id>[]) => void
}

/** Several things looked up on the server by typing; choosing one again takes it away. */
export function MultiPickerField<Id extends OptionId = number>({ value, onChange, ...props }: MultiPickerFieldProps<Id>) {
  const without = (gone: PickerOption<Id>) => value.filter((option) => option.id !== gone.id)
  const pick = (option: PickerOption<Id>) => {
    const rest = without(option)
    onChange(rest.length < value.length ? rest : [...value, option])
  }
  return (
    <PickerInput<Id>
      {...props}
      single={undefined}
      picked={value}
      onPick={pick}
      onRemove={(option) => onChange(without(option))}
      onClear={() => onChange([])}
    />
  )
}

type PickerInputProps<Id extends OptionId> = PickerBase<Id> & {
  /** The chosen one; undefined when several may be chosen. */
  single: PickerOption<Id> | null | undefined
  picked: readonly PickerOption<Id>[]
  onPick: (option: PickerOption<Id>) => void
  onRemove: (option: PickerOption<Id>) => void
  onClear: () => void
}

function PickerInput<Id extends OptionId>(props: PickerInputProps<Id>) {
  const { single, picked, onRemove, onClear, placeholder, name, disabled, autoFocus, minChars = 3, label } = props
  const listId = useId()
  const control = useRef<HTMLDivElement>(null)
  const picker = usePicker(props)
  const filled = single ? true : picked.length > 0
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div ref={control} className={cx(styles.control, picked.length > 0 && styles.picked)}>
          {picked.map((option) => (
            <span key={option.id} className={styles.tag}>
              <span className={styles.tagText}>{option.label}</span>
              <button
                type="button"
                className={styles.inButton}
                aria-label={`Remove ${option.label}`}
                disabled={disabled}
                onClick={() => onRemove(option)}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </span>
          ))}
          <input
            {...ids}
            {...picker.inputProps}
            ref={props.ref}
            className={styles.input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={picker.open}
            aria-controls={picker.open ? listId : undefined}
            aria-activedescendant={picker.open && picker.here >= 0 ? `${listId}-${picker.here}` : undefined}
            autoComplete="off"
            name={name}
            placeholder={filled ? undefined : placeholder}
            disabled={disabled}
            data-autofocus={autoFocus || undefined}
          />
          {filled && !disabled && (
            <button type="button" className={styles.inButton} aria-label="Clear" onClick={onClear}>
              <X size={14} aria-hidden="true" />
            </button>
          )}
          <ChevronDown size={14} aria-hidden="true" style={{ marginInlineEnd: 8 }} />
          {picker.open && (
            <PickerList
              id={listId}
              label={label}
              anchor={control}
              picker={picker}
              minChars={minChars}
              picked={single ? [single] : picked}
            />
          )}
        </div>
      )}
    </FieldFrame>
  )
}
