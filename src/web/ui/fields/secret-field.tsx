import { useEffect, useRef, useState } from 'react'
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
  const input = useRef<HTMLInputElement>(null)
  const replace = useRef<HTMLButtonElement>(null)
  const typing = value !== undefined || replacing || lastFour === undefined
  // Each of the three buttons goes away when it has done its work: without this the focus would go with it.
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
