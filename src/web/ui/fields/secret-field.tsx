import { useState } from 'react'
import { Button } from '../button.tsx'
import type { FieldProps } from './field-frame.tsx'
import { TextField } from './text-field.tsx'
import styles from './fields.module.css'

export type SecretFieldProps = FieldProps & {
  /** The new value being typed; undefined leaves the stored one alone. */
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Last characters of what is stored, as the server answers them; undefined when nothing is stored. */
  lastFour?: string | undefined
  /** Shows the stored value to those who may see it; every call is audited by the server. */
  onReveal?: (() => void) | undefined
  /** The stored value after revealing. */
  revealed?: string | undefined
}

/** A secret such as an account number: stored ones show their last four characters, and are replaced rather than edited. */
export function SecretField(props: SecretFieldProps) {
  const { value, onChange, lastFour, onReveal, revealed, ...field } = props
  const [replacing, setReplacing] = useState(false)
  const typing = value !== undefined || replacing || lastFour === undefined
  if (typing) {
    const keep = lastFour === undefined ? undefined : () => onChange(undefined)
    return (
      <TextField
        {...field}
        value={value ?? ''}
        onChange={onChange}
        aside={
          keep && (
            <button
              type="button"
              className={styles.hint}
              onClick={() => {
                setReplacing(false)
                keep()
              }}
            >
              Keep the stored one
            </button>
          )
        }
      />
    )
  }
  return (
    <TextField
      {...field}
      value={revealed ?? `••••${lastFour}`}
      onChange={() => undefined}
      disabled
      suffix={
        <>
          {onReveal && revealed === undefined && (
            <Button small kind="quiet" onClick={onReveal}>
              Show
            </Button>
          )}
          {!props.disabled && (
            <Button small kind="quiet" onClick={() => setReplacing(true)}>
              Replace
            </Button>
          )}
        </>
      }
    />
  )
}
