import { useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import type { FieldProps } from './field-frame.tsx'
import { TextField } from './text-field.tsx'
import styles from './fields.module.css'

export type SecretFieldProps = FieldProps & {
  /** The new value being typed; undefined keeps the stored one. */
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** The stored value's last characters, as the server returns them; undefined if nothing is stored. */
  lastFour?: string | undefined
  /** Reveals the stored value to users with the right to it; the server audits every call. */
  onReveal?: (() => void) | undefined
  /** The stored value, once revealed. */
  revealed?: string | undefined
}

/** A secret such as an account number. A stored one shows its last four characters, and is replaced rather than edited. */
export function SecretField(props: SecretFieldProps) {
  const { value, onChange, lastFour, onReveal, revealed, ...field } = props
  const [replacing, setReplacing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const replace = useRef<HTMLButtonElement>(null)
  const typing = value !== undefined || replacing || lastFour === undefined
  // Each of the three buttons disappears once pressed, so the focus is moved; otherwise it would be lost.
  const pressed = useRef(false)
  const stage = typing ? 'typing' : revealed === undefined ? 'masked' : 'shown'
  useEffect(() => {
    if (pressed.current && document.activeElement === document.body) (stage === 'typing' ? input : replace).current?.focus()
    pressed.current = false
  }, [stage])
  const press = (act: () => void) => {
    pressed.current = true
    act()
  }
  if (typing) {
    const keep = lastFour === undefined ? undefined : () => onChange(undefined)
    return (
      <TextField
        {...field}
        ref={input}
        value={value ?? ''}
        onChange={onChange}
        aside={
          keep && (
            <button
              type="button"
              className={styles.keep}
              onClick={() =>
                press(() => {
                  setReplacing(false)
                  keep()
                })
              }
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
            <Button small kind="quiet" onClick={() => press(onReveal)}>
              Show
            </Button>
          )}
          {!props.disabled && (
            <Button ref={replace} small kind="quiet" onClick={() => press(() => setReplacing(true))}>
              Replace
            </Button>
          )}
        </>
      }
    />
  )
}
