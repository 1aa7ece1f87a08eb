import { useState } from 'react'
import { Button } from '../button.tsx'
import type { FieldProps } from './field-frame.tsx'
import { TextField } from './text-field.tsx'

export type PasswordFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  maxLength?: number | undefined
}

/** A new password: hidden unless the user reveals it, and marked as new for password managers. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      suffix={
        <Button small kind="quiet" aria-pressed={shown} aria-label={`Show ${props.label}`} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      }
    />
  )
}
