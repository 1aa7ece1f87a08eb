import type { HTMLInputAutoCompleteAttribute, ReactNode, Ref } from 'react'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'

export type TextFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'tel' | undefined
  autoComplete?: HTMLInputAutoCompleteAttribute | undefined
  placeholder?: string | undefined
  maxLength?: number | undefined
  inputMode?: 'decimal' | 'numeric' | undefined
  /** At the end of the control, e.g. a unit. */
  suffix?: ReactNode
  ref?: Ref<HTMLInputElement> | undefined
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const {
    value,
    onChange,
    type = 'text',
    autoComplete,
    placeholder,
    maxLength,
    inputMode,
    suffix,
    name,
    disabled,
    autoFocus,
    onBlur,
    ref,
  } = props
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={styles.control}>
          <input
            {...ids}
            ref={ref}
            className={styles.input}
            type={type}
            name={name}
            value={value}
            placeholder={placeholder}
            maxLength={maxLength}
            inputMode={inputMode}
            autoComplete={autoComplete ?? 'off'}
            disabled={disabled}
            data-autofocus={autoFocus || undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
            onBlur={onBlur}
          />
          {suffix}
        </div>
      )}
    </FieldFrame>
  )
}

export type TextAreaFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  rows?: number | undefined
  placeholder?: string | undefined
  maxLength?: number | undefined
}

/** Several lines of text; resizable by its handle. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { value, onChange, rows = 3, placeholder, maxLength, name, disabled, autoFocus, onBlur } = props
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={styles.control}>
          <textarea
            {...ids}
            className={`${styles.input} ${styles.area}`}
            name={name}
            rows={rows}
            value={value}
            placeholder={placeholder}
            maxLength={maxLength}
            disabled={disabled}
            data-autofocus={autoFocus || undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
            onBlur={onBlur}
          />
        </div>
      )}
    </FieldFrame>
  )
}
