import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './second-factor.module.css'

/** A secret that counts once a code of it is confirmed. */
export interface Begun {
  readonly secret: string
  readonly uri: string
}

interface FactorSetupProps {
  readonly begun: Begun
  /** Sends the first code. Returns what is wrong with it; nothing where it was right. */
  readonly onCode: (code: string) => Promise<string | undefined>
  readonly onCancel: () => void
}

/** The key for the app, and the first code of it. */
export function FactorSetup({ begun, onCode, onCancel }: FactorSetupProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setError('Enter the 6-digit code')
    setBusy(true)
    const wrong = await onCode(code)
    setError(wrong)
    if (wrong !== undefined) setBusy(false)
  }
  return (
    <form className={styles.factor} noValidate aria-label="Set up a second factor" onSubmit={(event) => void submit(event)}>
      <ol className={styles.steps}>
        <li>
          <h2>Add Meterbook to your app</h2>
          <p>
            <a href={begun.uri}>Open your authenticator app</a> on this device, or type this key into it:
          </p>
          <p className={styles.key} aria-label="Key">
            {begun.secret.match(/.{4}/g)?.join(' ')}
          </p>
        </li>
        <li>
          <h2>Enter the code that the app shows</h2>
          <TextField
            label="6-digit code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            value={code}
            onChange={(value) => {
              setCode(value)
              setError(undefined)
            }}
            error={error}
          />
        </li>
      </ol>
      <p>Your sign-ins elsewhere end.</p>
      <div className={styles.acts}>
        <Button type="submit" kind="primary" busy={busy}>
          Confirm
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
