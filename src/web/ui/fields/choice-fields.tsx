import { useId, type ReactNode, type Ref } from 'react'
import { cx } from '../class-names.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'

export type Choice = {
  value: string
  label: string
  disabled?: boolean | undefined
  /** Choices of one group are listed under its heading, after those without a group. */
  group?: string | undefined
}

export type SelectFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  options: readonly Choice[]
  /** Label of the empty choice; without it there is none. */
  emptyLabel?: string | undefined
  ref?: Ref<HTMLSelectElement> | undefined
}

/** One of a few fixed choices, as a native select. */
export function SelectField(props: SelectFieldProps) {
  const { value, onChange, options, emptyLabel, name, disabled, autoFocus, onBlur, ref } = props
  const groups = [...new Set(options.flatMap(({ group }) => group ?? []))]
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={styles.control}>
          <select
            {...ids}
            ref={ref}
            className={cx(styles.input, styles.select)}
            name={name}
            value={value}
            disabled={disabled}
            data-autofocus={autoFocus || undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
            onBlur={onBlur}
          >
            {emptyLabel !== undefined && <option value="">{emptyLabel}</option>}
            <Options of={options.filter(({ group }) => group === undefined)} />
            {groups.map((group) => (
              <optgroup key={group} label={group}>
                <Options of={options.filter((option) => option.group === group)} />
              </optgroup>
            ))}
          </select>
        </div>
      )}
    </FieldFrame>
  )
}

function Options({ of }: { of: readonly Choice[] }) {
  return of.map((option) => (
    <option key={option.value} value={option.value} disabled={option.disabled}>
      {option.label}
    </option>
  ))
}

export type CheckboxFieldProps = {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  error?: string | undefined
  hint?: string | undefined
  name?: string | undefined
  disabled?: boolean | undefined
  /** Neither on nor off. */
  mixed?: boolean | undefined
}

/** A checkbox. */
export function CheckboxField({ mixed, ...props }: CheckboxFieldProps) {
  return <CheckLine {...props} mixed={mixed} />
}

/** A switch that takes effect at once. */
export function SwitchField(props: Omit<CheckboxFieldProps, 'mixed'>) {
  return <CheckLine {...props} isSwitch />
}

function CheckLine(props: CheckboxFieldProps & { isSwitch?: boolean }) {
  const { label, checked, onChange, error, hint, name, disabled, mixed, isSwitch } = props
  const id = useId()
  const note = error ?? hint
  return (
    <div className={styles.field}>
      <label className={styles.check} htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          role={isSwitch ? 'switch' : undefined}
          className={isSwitch ? styles.switch : undefined}
          name={name}
          checked={checked}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          ref={(element) => {
            if (element) element.indeterminate = Boolean(mixed)
          }}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {note && (
        <div id={`${id}-note`} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
          {note}
        </div>
      )}
    </div>
  )
}
